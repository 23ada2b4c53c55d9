/** Traders that earned by name on earlier markets: what each bet comes to, paise after charges. */
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { indexMembers } from '../../../../sandbox/src/market/reference/dated-tables';
import { createUniform } from '../../../../sandbox/src/shared/random';
import { ist, tradingDays } from './bots';
import { Bets } from './statistics';
import { Trader } from './trips';

const [SECOND, MINUTE] = [1_000, 60_000];
/** Move of an index that halts the market before 13:00, and the length of that halt with the call auction after it. */
const HALTING = 0.104;
const HALT = 60 * MINUTE;

/** Bets of one bot over some days, rupees after charges; none may be better than nothing. */
export type TripBot = (market: Market, days: readonly string[], seed: number) => Bets;

/** The options of an index or a share at an instant whose strike is nearest to so many times its price. */
function nearest(
  market: Market,
  asset: string,
  at: number,
  which = 0,
  away = 1,
): { call: Instrument; put: Instrument } {
  const universe = market.universe(at);
  const price = away * market.price(universe.bySymbol('NSE', asset)!, at);
  const { ce, pe } = universe.options('NSE', asset, universe.expiries('NSE', asset)[which]!);
  const near = (options: readonly Instrument[]): Instrument =>
    [...options].sort((a, b) => Math.abs(a.strikePrice - price) - Math.abs(b.strikePrice - price))[0]!;
  return { call: near(ce), put: near(pe) };
}

const earned = (trader: Trader): number => (trader.cash - trader.charges) / 100;

/** Buys calls piece by piece, near to the money and far from it, and sells all of it at once, again and again. */
const machine: TripBot = (market, days, seed) => {
  const bets = new Bets();
  for (const day of days)
    for (const [away, part] of [
      [1, 2e-4],
      [1.01, 1e-3],
      [1.02, 0.02],
      [0.985, 0.02],
      [0.97, 0.1],
    ] as const) {
      const at = ist(`${day}T10:00:00`);
      const { call } = nearest(market, 'NIFTY', at, 1, away);
      const piece = Math.max(1, Math.round((market.liquidity(call, at).volume * part) / call.lotSize)) * call.lotSize;
      const trader = new Trader(market, at, seed);
      for (let round = 0; round < 3; round++) {
        for (let n = 0; n < 15; n++) {
          trader.trade(call, 'BUY', piece);
          trader.pass(SECOND);
        }
        trader.close(call);
      }
      bets.add((trader.apart - trader.charges) / 100);
    }
  return bets;
};

/** Buys much where much is traded, pushes the price with little where little is, and sells. */
const twoListings: TripBot = (market, days, seed) => {
  const bets = new Bets();
  for (const day of days)
    for (const symbol of ['RELIANCE', 'INFY', 'TATASTEEL', 'HDFCBANK'])
      for (const push of [1e-6, 2e-3]) {
        const at = ist(`${day}T11:00:00`);
        const universe = market.universe(at);
        const [nse, bse] = [universe.bySymbol('NSE', symbol), universe.bySymbol('BSE', symbol)];
        if (nse === undefined || bse === undefined) continue;
        const { volume } = market.liquidity(nse, at);
        const trader = new Trader(market, at, seed);
        for (let n = 0; n < 10; n++) {
          trader.trade(nse, 'BUY', Math.round(volume * 1e-3));
          trader.pass(SECOND);
        }
        trader.trade(bse, 'BUY', Math.max(1, Math.round(volume * push)));
        trader.pass(SECOND);
        trader.close(nse);
        trader.close(bse);
        bets.add((trader.apart - trader.charges) / 100);
      }
  return bets;
};

/** Buys shares and then sells the options that they push, or the other way about. */
const throughOptions: TripBot = (market, days, seed) => {
  const bets = new Bets();
  for (const day of days) {
    const at = ist(`${day}T11:00:00`);
    const share = market.universe(at).bySymbol('NSE', 'RELIANCE')!;
    const { call } = nearest(market, 'RELIANCE', at);
    const trader = new Trader(market, at, seed);
    const { volume } = market.liquidity(call, at);
    for (let n = 0; n < 10; n++) {
      trader.trade(call, 'BUY', Math.max(1, Math.round((volume * 0.02) / call.lotSize)) * call.lotSize);
      trader.pass(MINUTE);
    }
    trader.pass(30 * MINUTE);
    for (let n = 0; n < 20; n++) {
      trader.trade(share, 'BUY', Math.round(market.liquidity(share, at).volume * 5e-4));
      trader.pass(SECOND);
    }
    trader.close(call);
    trader.close(share);
    bets.add((trader.apart - trader.charges) / 100);
  }
  return bets;
};

/** Buys many options of an index, each by itself, then its shares, sells the options that these push, and the shares. */
const indexOptions: TripBot = (market, days, seed) => {
  const bets = new Bets();
  for (const day of days)
    for (const [held, pushed] of [
      [1e-3, 1e-3],
      [1e-3, 1e-2],
      [1e-4, 1e-4],
    ] as const) {
      const at = ist(`${day}T11:00:00`);
      const universe = market.universe(at);
      const part = (of: Instrument, share: number): number =>
        Math.max(1, Math.round((market.liquidity(of, at).volume * share) / of.lotSize)) * of.lotSize;
      const { call } = nearest(market, 'NIFTY', at);
      const { ce } = universe.options('NSE', 'NIFTY', call.expiry);
      const calls = ce.slice(ce.indexOf(call) - 5, ce.indexOf(call) + 5);
      const shares = indexMembers()
        .find(({ index }) => index === 'NIFTY')!
        .members.map(({ symbol }) => universe.bySymbol('NSE', symbol)!);
      const trader = new Trader(market, at, seed);
      for (const option of calls) trader.trade(option, 'BUY', part(option, held));
      for (let n = 0; n < 5; n++) {
        trader.pass(SECOND);
        for (const share of shares) trader.trade(share, 'BUY', part(share, pushed / 5));
      }
      trader.pass(SECOND);
      for (const instrument of [...calls, ...shares]) trader.close(instrument);
      bets.add((trader.apart - trader.charges) / 100);
    }
  return bets;
};

/** After the largest gaps of a month buys a call or a put by the fall of a coin, and sells it a moment later. */
const coin: TripBot = (market, days, seed) => {
  const bets = new Bets();
  const chance = createUniform(seed);
  const index = market.universe(ist(`${days[0]!}T12:00:00`)).bySymbol('NSE', 'NIFTY')!;
  const gapOf = (day: string): number => {
    const open = ist(`${day}T09:15:00`);
    return Math.abs(Math.log(market.price(index, open) / market.previousClose(index, open)));
  };
  const wide = [...days].sort((a, b) => gapOf(b) - gapOf(a)).slice(0, Math.ceil(days.length / 4));
  for (const day of wide)
    for (let n = 0; n < 8; n++) {
      const at = ist(`${day}T09:16:00`) + Math.floor(chance() * 180) * MINUTE;
      const { call, put } = nearest(market, 'NIFTY', at);
      const option = chance() < 0.5 ? call : put;
      const trader = new Trader(market, at, seed);
      trader.trade(option, 'BUY', option.lotSize * 2);
      trader.pass((1 + Math.floor(chance() * 20)) * SECOND);
      trader.close(option);
      if (trader.traded > 0) bets.add(earned(trader));
    }
  return bets;
};

/** Sells ten lots of a straddle right before an option's time jumps, and buys it back right after. */
const straddle: TripBot = (market, days, seed) => {
  const bets = new Bets();
  for (const day of days) {
    const trader = new Trader(market, ist(`${day}T10:00:00`) - 2 * SECOND, seed);
    for (let step = 0; step < 24; step++) {
      const { call, put } = nearest(market, 'NIFTY', trader.now);
      for (const option of [call, put]) trader.trade(option, 'SELL', option.lotSize * 10);
      trader.pass(3 * SECOND);
      for (const option of [call, put]) trader.close(option);
      trader.pass(10 * MINUTE - ((trader.now + 2 * SECOND) % (5 * MINUTE)));
    }
    bets.add(earned(trader));
  }
  return bets;
};

/** Follows the first seconds of a minute to its end with one lot of the index's future, or bets against them where they move much. */
const firstSeconds =
  (follow: 1 | -1, least: number): TripBot =>
  (market, days, seed) => {
    const bets = new Bets();
    for (const day of days) {
      const index = market.universe(ist(`${day}T10:00:00`)).bySymbol('NSE', 'NIFTY')!;
      const [future] = market.universe(ist(`${day}T10:00:00`)).futures('NSE', 'NIFTY');
      const trader = new Trader(market, ist(`${day}T09:20:00`), seed);
      for (let at = ist(`${day}T09:21:00`); at < ist(`${day}T15:00:00`); at += 5 * MINUTE) {
        trader.pass(at + 4 * SECOND - trader.now);
        const moved = market.price(index, trader.now) - market.price(index, at - 1);
        if (moved === 0 || Math.abs(moved) < least * market.price(index, trader.now)) continue;
        trader.trade(future!, moved * follow > 0 ? 'BUY' : 'SELL', future!.lotSize);
        trader.pass(at + MINUTE - SECOND - trader.now);
        trader.close(future!);
      }
      bets.add(earned(trader));
    }
    return bets;
  };

/** Waits with a purchase at the upper limit of a share that is locked there, and sells at the next open. */
const lockedLimit: TripBot = (market, days, seed) => {
  const bets = new Bets();
  for (const day of days) {
    const noon = ist(`${day}T12:00:00`);
    const next = ist(`${market.calendar.nextTradingDay('NSE', day)}T09:20:00`);
    for (const share of market.universe(noon).all('NSE', ['STOCK'])) {
      if (share.bandPercent === null) continue;
      const previous = market.previousClose(share, noon);
      const limit = Math.floor((previous * (100 + share.bandPercent)) / 100 / share.tickSize) * share.tickSize;
      if (market.price(share, noon) !== limit) continue;
      const trader = new Trader(market, noon, seed);
      trader.order(
        share,
        'BUY',
        Math.min(share.freezeQty || 1e6, Math.round(market.liquidity(share, noon).volume * 0.01)),
        {
          priceType: 'LIMIT',
          validity: 'DAY',
          price: limit,
        },
      );
      trader.pass(next - noon);
      trader.close(share);
      if (trader.traded > 0) bets.add(earned(trader));
    }
  }
  return bets;
};

/** Buys or sells a straddle right after the market has opened again after a halt, and ends it a moment later. */
const reopening: TripBot = (market, days, seed) => {
  const bets = new Bets();
  const chance = createUniform(seed);
  for (const day of days)
    for (const side of ['BUY', 'SELL'] as const) {
      const at = ist(`${day}T10:00:00`) + Math.floor(chance() * 90) * MINUTE;
      const index = market.universe(at).bySymbol('NSE', 'NIFTY')!;
      const moved = 1 + (chance() < 0.5 ? -1 : 1) * HALTING;
      const { call, put } = nearest(market, 'NIFTY', at, 0, moved);
      const trader = new Trader(market, at, seed);
      const price = market.previousClose(index, at) * moved;
      trader.move(index, Math.round(price / index.tickSize) * index.tickSize);
      trader.pass(HALT + SECOND);
      for (const option of [call, put]) trader.trade(option, side, option.lotSize);
      trader.pass((1 + Math.floor(chance() * 60)) * SECOND);
      for (const option of [call, put]) trader.close(option);
      if (trader.traded > 0) bets.add(earned(trader));
    }
  return bets;
};

export const TRIP_BOTS: Readonly<Record<string, { bot: TripBot; from: string; days: number }>> = {
  'machine: a call piece by piece, sold at once': { bot: machine, from: '2026-09-15', days: 3 },
  'two listings: much on one, a push on the other': { bot: twoListings, from: '2026-09-15', days: 2 },
  'options sold into a push of their share': { bot: throughOptions, from: '2026-09-15', days: 3 },
  'options of an index sold into a push of its shares': { bot: indexOptions, from: '2026-09-15', days: 2 },
  'coin after a gap': { bot: coin, from: '2026-08-31', days: 40 },
  'straddle over the steps of time': { bot: straddle, from: '2026-09-15', days: 5 },
  'straddle at the reopening after a halt': { bot: reopening, from: '2026-09-01', days: 12 },
  'first seconds of a minute': { bot: firstSeconds(1, 0), from: '2026-09-15', days: 5 },
  'against large first seconds of a minute': { bot: firstSeconds(-1, 3e-4), from: '2026-09-15', days: 5 },
  'waiting at a locked limit': { bot: lockedLimit, from: '2026-01-01', days: 120 },
};

/** Runs the bots on the market of a seed. @returns the bets of each */
export function tripBots(market: Market, seed: number, scale = 1): Map<string, Bets> {
  return new Map(
    Object.entries(TRIP_BOTS).map(([name, { bot, from, days }]) => [
      name,
      bot(market, tradingDays(market, from, Math.max(2, Math.round(days * scale))), seed),
    ]),
  );
}
