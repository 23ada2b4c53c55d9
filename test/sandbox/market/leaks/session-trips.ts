/**
 * Random round trips that the sessions of an exchange cut: orders that execute in call auctions, that wait through a halt, over an ex-date or at a locked
 * limit, and strategies that are closed days later. Measured as in `trips.ts`.
 */
import { withCorporateActions } from '../../../../sandbox/src/market/corporate-actions/as-traded';
import { CorporateActions } from '../../../../sandbox/src/market/corporate-actions/corporate-actions';
import { dailyLimit } from '../../../../sandbox/src/market/prices/daily-limits';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { createUniform } from '../../../../sandbox/src/shared/random';
import { istMidnight } from '../../../../sandbox/src/shared/time';
import { ist } from './bots';
import { classOf, Trader, type TripTable } from './trips';

const [SECOND, MINUTE] = [1_000, 60_000];
const SIZES = [0, 1e-4, 1e-3, 1e-2];
/** Move of an index that halts the market for 45 minutes before 13:00, after which shares are auctioned for 15. */
const HALTING = 0.104;
const WAITING = { priceType: 'LIMIT', validity: 'DAY' } as const;

/** Futures that came to a limit on the days of a market. */
const known = new WeakMap<Market, ReturnType<typeof lockedOn>>();

interface Scene {
  market: Market;
  day: string;
  /** All days of the trips. */
  days: readonly string[];
  seed: number;
  chance(): number;
  pick<T>(from: readonly T[]): T;
}

/** A trip that was made, and what it is measured in: the spreads of what it traded, paise. */
interface Trip {
  trader: Trader;
  spread: number;
}

const onTick = (price: number, { tickSize }: Instrument): number =>
  Math.max(tickSize, Math.round(price / tickSize) * tickSize);
const instrumentsOf = (market: Market, day: string): Instrument[] =>
  [...market.universe(ist(`${day}T12:00:00`)).all()].filter(({ derivativeType }) => derivativeType !== 'INDEX');
const next = ({ calendar }: Market, day: string): string => calendar.nextTradingDay('NSE', day);

function sizeOf({ market, pick }: Scene, instrument: Instrument, at: number): number {
  const { lotSize, freezeQty } = instrument;
  const lots = Math.max(1, Math.round((pick(SIZES) * market.liquidity(instrument, at).volume) / lotSize));
  return Math.min(lots * lotSize, Math.floor((freezeQty || 1e8) / lotSize) * lotSize);
}

function spreadOf(trader: Trader, instrument: Instrument, quantity: number): number {
  const quote = trader.quote(instrument);
  const { lotMultiplier, lotSize, exchange, tickSize } = instrument;
  const spread = Math.max(tickSize, quote === undefined ? 0 : quote.ask - quote.bid);
  return spread * quantity * (exchange === 'MCX' ? lotMultiplier / lotSize : 1);
}

/** Buys or sells in a call auction, at a limit that reaches its price mostly, and ends it in continuous trade. */
function auctioned(
  scene: Scene,
  begin: string,
  placed: string,
  over: number,
  shares: (one: Instrument) => boolean,
): Trip | undefined {
  const { market, day, seed, pick, chance } = scene;
  const instrument = pick(instrumentsOf(market, day).filter((one) => one.derivativeType === 'STOCK' && shares(one)));
  if (instrument === undefined) return undefined;
  const trader = new Trader(market, ist(`${day}T${begin}`), seed);
  trader.pass(ist(`${day}T${placed}`) - trader.now + Math.floor(chance() * 4 * 60) * SECOND);
  return inAuction(scene, trader, instrument, over);
}

function inAuction(scene: Scene, trader: Trader, instrument: Instrument, over: number): Trip {
  const { chance, pick } = scene;
  const side = pick(['BUY', 'SELL'] as const);
  const about = trader.market.auctionPrice(instrument, trader.now) ?? trader.price(instrument);
  const quantity = sizeOf(scene, instrument, trader.now);
  const limit = about * (1 + (side === 'BUY' ? 1 : -1) * 0.015 * chance());
  const id = trader.order(instrument, side, quantity, { ...WAITING, price: onTick(limit, instrument) });
  trader.pass(over - trader.now);
  if (id !== undefined) trader.exchange.cancel(id, trader.now);
  trader.pass(SECOND);
  const spread = spreadOf(trader, instrument, quantity);
  trader.close(instrument);
  return { trader, spread };
}

const KINDS: Readonly<Record<string, (scene: Scene) => Trip | undefined>> = {
  'executed in the pre-open': (scene) =>
    auctioned(scene, '08:59:00', '09:00:30', ist(`${scene.day}T09:15:00`) + SECOND, () => true),
  'executed in the closing auction': (scene) =>
    auctioned(
      scene,
      '15:10:00',
      '15:16:00',
      ist(`${next(scene.market, scene.day)}T09:16:00`),
      ({ closingAuction }) => closingAuction,
    ),
  'executed in the auction after a halt': (scene) => {
    const { market, day, seed, chance, pick } = scene;
    const trader = new Trader(market, ist(`${day}T10:00:00`) + Math.floor(chance() * 90) * MINUTE, seed);
    const begun = trader.now;
    halt(trader, chance);
    trader.pass(46 * MINUTE);
    const shares = instrumentsOf(market, day).filter(
      ({ derivativeType, exchange }) => derivativeType === 'STOCK' && exchange === 'NSE',
    );
    return inAuction(scene, trader, pick(shares), begun + 60 * MINUTE + SECOND);
  },
  'waiting through a halt': (scene) => {
    const { market, day, seed, chance, pick } = scene;
    const classes = Map.groupBy(instrumentsOf(market, day), classOf);
    const instrument = pick(classes.get(pick([...classes.keys()]))!);
    const trader = new Trader(market, ist(`${day}T10:00:00`) + Math.floor(chance() * 90) * MINUTE, seed);
    const quote = trader.quote(instrument);
    if (quote === undefined) return undefined;
    const side = pick(['BUY', 'SELL'] as const);
    const away = (side === 'BUY' ? -1 : 1) * Math.floor(chance() * 8) * instrument.tickSize;
    const quantity = sizeOf(scene, instrument, trader.now);
    const spread = spreadOf(trader, instrument, quantity);
    const price = Math.max(instrument.tickSize, (side === 'BUY' ? quote.bid : quote.ask) + away);
    trader.order(instrument, side, quantity, { ...WAITING, price });
    const byIndex = chance() < 0.3;
    if (byIndex) halt(trader, chance);
    else trader.exchange.halt(true, trader.now);
    trader.pass((1 + Math.floor(chance() * 90)) * MINUTE);
    if (!byIndex) trader.exchange.halt(false, trader.now);
    trader.pass(pick([SECOND, 10 * SECOND, 10 * MINUTE]));
    trader.cancelAll();
    trader.close(instrument);
    return { trader, spread };
  },
  'good till a date, over an ex-date': (scene) => {
    const { day, seed, chance, pick } = scene;
    const actions = new CorporateActions();
    const market = withCorporateActions(scene.market, actions, false);
    const exDate = next(market, day);
    const from = istMidnight(exDate);
    const trader = new Trader(market, ist(`${day}T11:00:00`) + Math.floor(chance() * 180) * MINUTE, seed);
    const universe = market.universe(trader.now);
    const share = universe.bySymbol('NSE', pick(['RELIANCE', 'INFY', 'TATASTEEL', 'HDFCBANK']))!;
    const dividend = Math.round(trader.price(share) * 0.015);
    const announced = { kind: 'dividend', symbol: share.symbol, refIds: [share.refId], exDate, from } as const;
    const { id } = actions.announce({
      ...announced,
      ...{ announced: trader.now, before: 1, after: 1, dividend, extraordinary: false },
    });
    const instrument = pick([share, universe.futures('NSE', share.symbol)[1]!]);
    const side = pick(['BUY', 'SELL'] as const);
    const quantity = sizeOf(scene, instrument, trader.now);
    const spread = spreadOf(trader, instrument, quantity);
    const limit = trader.price(instrument) * (1 + (side === 'BUY' ? -1 : 1) * 0.02 * chance());
    trader.intend({
      ...{ legs: [{ refId: instrument.refId, unit: side === 'BUY' ? 1 : -1 }], quantity, side },
      ...{ validity: 'GTE', price: onTick(limit, instrument), goodTill: ist(`${next(market, exDate)}T12:00:00`) },
    });
    trader.pass(from - trader.now);
    actions.takeEffect(id, market.previousClose(share, from));
    trader.exchange.relist([share.refId], from);
    trader.pass(ist(`${next(market, exDate)}T14:00:00`) - trader.now);
    trader.cancelAll();
    trader.close(instrument);
    return { trader, spread };
  },
  'a strategy, closed days later': (scene) => {
    const { market, day, seed, chance, pick } = scene;
    const trader = new Trader(market, ist(`${day}T10:00:00`) + Math.floor(chance() * 240) * MINUTE, seed);
    const universe = market.universe(trader.now);
    const asset = pick(['NIFTY', 'BANKNIFTY']);
    const { ce, pe } = universe.options('NSE', asset, universe.expiries('NSE', asset)[1]!);
    const near = ce.findIndex(({ strikePrice }) => strikePrice > trader.price(universe.bySymbol('NSE', asset)!));
    const [one, other] = [pick([ce, pe]), pick([ce, pe])].map((chain) => chain[near + Math.floor(chance() * 5) - 2]!);
    if (one === undefined || other === undefined || one === other) return undefined;
    const quantity = one.lotSize * pick([1, 1, 5]);
    const legs = [one, other].map(({ refId }) => ({ refId, unit: pick([1, -1]) }));
    const spread = spreadOf(trader, one, quantity) + spreadOf(trader, other, quantity);
    const id = trader.intend({
      multi: true,
      legs,
      quantity,
      side: 'BUY',
      priceType: 'MARKET',
      validity: 'IOC',
      price: 0,
    });
    trader.pass(MINUTE);
    let last = day;
    for (let days = 1 + Math.floor(chance() * 2); days > 0; days--) last = next(market, last);
    trader.pass(ist(`${last}T10:00:00`) + Math.floor(chance() * 240) * MINUTE - trader.now);
    if (id !== undefined) trader.intents.close(id, trader.now);
    trader.pass(MINUTE);
    for (const leg of [one, other]) trader.close(leg);
    return { trader, spread };
  },
  'at a locked limit of MCX': (scene) => {
    const { market, seed, chance, pick } = scene;
    const locked = known.get(market) ?? scene.days.flatMap((day) => lockedOn(market, day));
    known.set(market, locked);
    if (locked.length === 0) return undefined;
    const { instrument, at } = pick(locked);
    const trader = new Trader(market, at + Math.floor(chance() * 10 * 60) * SECOND, seed);
    const side = pick(['BUY', 'SELL'] as const);
    const quantity = sizeOf(scene, instrument, trader.now);
    const spread = spreadOf(trader, instrument, quantity);
    if (chance() < 0.5) trader.trade(instrument, side, quantity);
    else trader.order(instrument, side, quantity, { ...WAITING, price: trader.price(instrument) });
    trader.pass(pick([SECOND, MINUTE, 16 * MINUTE]));
    trader.cancelAll();
    trader.pass(pick([SECOND, 10 * MINUTE]));
    trader.close(instrument);
    return { trader, spread };
  },
};

/** The names of the classes. */
export const SESSION_TRIPS = Object.keys(KINDS);

/** Moves an index so far that the exchanges of equity are halted. */
function halt(trader: Trader, chance: () => number): void {
  const index = trader.market.universe(trader.now).bySymbol('NSE', 'NIFTY')!;
  const moved = 1 + (chance() < 0.5 ? -1 : 1) * HALTING;
  trader.move(index, onTick(trader.market.previousClose(index, trader.now) * moved, index));
}

/** Futures of MCX, each with the minute at which it came to a limit that holds for a quarter of an hour. */
function lockedOn(market: Market, day: string): { instrument: Instrument; at: number }[] {
  return ['NATURALGAS', 'CRUDEOIL', 'SILVER'].flatMap((asset) => {
    const [instrument] = market.universe(ist(`${day}T12:00:00`)).futures('MCX', asset);
    const evening = instrument && dailyLimit(market, instrument, ist(`${day}T20:00:00`));
    if (evening === undefined || evening.percent < 6 || (evening.percent === 6 && evening.next?.at === undefined))
      return [];
    for (let at = ist(`${day}T09:01:00`); at < ist(`${day}T20:00:00`); at += MINUTE) {
      const limit = dailyLimit(market, instrument!, at)!;
      if (limit.percent === 6 && limit.next!.at !== undefined) return [{ instrument: instrument!, at }];
    }
    return [];
  });
}

/** Adds a number of random trips of each class to a table. */
export function sessionTrips(
  market: Market,
  days: readonly string[],
  count: number,
  seed: number,
  table: TripTable,
): void {
  const chance = createUniform(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  for (const [name, make] of Object.entries(KINDS))
    for (let n = 0; n < count; n++) {
      const trip = make({ market, days, day: pick(days), seed: seed + n, chance, pick });
      if (trip === undefined || trip.trader.traded === 0) continue;
      const { apart, charges } = trip.trader;
      table.add(name, {
        rupees: apart / 100,
        spreads: apart / trip.spread,
        net: (apart - charges) / 100,
      });
    }
}
