/**
 * Earnings of the five bots after spreads and charges, each on one of the leaks of prices that could be read in
 * advance. A market that leaks nothing leaves them with minus what they pay.
 */
import { logIn, start } from '../../support';
import { chargesOf, exerciseTax, totalCharges } from '../../../../sandbox/src/accounts/charges';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { ist, tradingDays } from './bots';
import { Bets } from './statistics';

const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
const SHARES = ['RELIANCE', 'INFY', 'TATASTEEL'];
/** Value of a bet, for an option the value at its strike: five lakh rupees, paise. */
const STAKE = 50_000_000;
/** Time before a future date from which its master is read. */
const AHEAD = 14 * DAY;

/** One bet: bought (1) or sold (-1) across the book at an instant, and closed across it at another. */
export interface Trade {
  instrument: Instrument;
  side: 1 | -1;
  from: number;
  to: number;
  /** Settlement price of one unit (paise) that expires instead of being closed. */
  settledValue?: number;
}

/** The bets of one day, YYYY-MM-DD. */
export type Bot = (market: Market, day: string) => Trade[];

/** Earnings of a bot; rupees a day, with the standard error over days. */
export interface Earnings {
  bot: string;
  days: number;
  bets: number;
  /** After all that was paid. */
  earned: number;
  /** Spreads and charges. */
  costs: number;
  error: number;
  /** Number of errors what that was earned is from minus the costs. */
  score: number;
}

const shares = (market: Market, at: number): Instrument[] =>
  SHARES.map((symbol) => market.universe(at).bySymbol('NSE', symbol)!);

/** Their futures of the month after the next expiry. */
const futures = (market: Market, at: number): Instrument[] =>
  SHARES.map((symbol) => market.universe(at).futures('NSE', symbol)[1]!);

/** A bet on a difference; none where there is no difference. */
const bet = (instrument: Instrument, difference: number, from: number, to: number, confirmed?: number): Trade[] =>
  difference === 0
    ? []
    : [
        {
          instrument,
          side: difference > 0 ? 1 : -1,
          from,
          to,
          ...(confirmed !== undefined && { settledValue: confirmed }),
        },
      ];

/** Leak 2. Follows the first second of a minute to its end, every seventh minute. */
const firstSecond: Bot = (market, day) => {
  const trades: Trade[] = [];
  for (let at = ist(`${day}T09:20:00`); at < ist(`${day}T15:10:00`); at += 7 * MINUTE)
    for (const share of shares(market, at)) {
      const then = at + SECOND - 1;
      trades.push(...bet(share, market.price(share, then) - market.price(share, at - 1), then, at + MINUTE - 1));
    }
  return trades;
};

/** Leak 3. Reads the closing auction early, and trades the future while it goes on. */
const auction: Bot = (market, day) => {
  const at = ist(`${day}T15:17:00`);
  const later = futures(market, at);
  return shares(market, at).flatMap((share, i) => {
    const shown = market.auctionPrice(share, at);
    if (shown === null) return [];
    return bet(later[i]!, shown - market.price(share, ist(`${day}T15:14:59`)), at, ist(`${day}T15:34:59`));
  });
};

/** Leak 4. Trades what expires against what its underlying shows in the last minutes. */
const expiring: Bot = (market, day) => {
  const date = Number(day.replaceAll('-', ''));
  const noon = ist(`${day}T12:00:00`);
  const universe = market.universe(noon);
  return ['NIFTY', 'BANKNIFTY', ...SHARES].flatMap((asset) => {
    const underlying = universe.bySymbol('NSE', asset)!;
    const settlement = market.previousClose(underlying, ist(`${market.calendar.nextTradingDay('NSE', day)}T12:00:00`));
    const { ce, pe } = universe.options('NSE', asset, date);
    const apart = ({ strikePrice }: Instrument): number => Math.abs(strikePrice / market.price(underlying, noon) - 1);
    const options = [ce, pe].flatMap((side) => [...side].sort((a, b) => apart(a) - apart(b)).slice(0, 3));
    const contracts = [...universe.futures('NSE', asset), ...options].filter(({ expiry }) => expiry === date);
    return contracts.flatMap((contract) =>
      ['15:00:00', '15:10:00', '15:20:00', '15:36:00'].flatMap((time) => {
        const at = ist(`${day}T${time}`);
        const shown = market.auctionPrice(underlying, at) ?? market.price(underlying, at);
        return bet(contract, worth(contract, shown) - market.price(contract, at), at, at, worth(contract, settlement));
      }),
    );
  });
};

/** Value of a contract whose underlying is settled at a price. */
function worth({ derivativeType, optionType, strikePrice }: Instrument, confirmed: number): number {
  if (derivativeType === 'FUT') return confirmed;
  return Math.max(0, optionType === 'CE' ? confirmed - strikePrice : strikePrice - confirmed);
}

/** Leak 5. Takes what a market that is always open did before the session, and on the Saturday before, for what the session will do. */
const nightTrader: Bot = (market, day) => {
  const move = (share: Instrument, from: string, to: string, before = 0): number =>
    market.price(share, ist(`${day}T${to}`) - before) - market.price(share, ist(`${day}T${from}`) - before);
  const monday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
  return shares(market, ist(`${day}T12:00:00`)).flatMap((share) => [
    ...bet(share, move(share, '08:00:00', '08:30:00'), ist(`${day}T10:30:00`), ist(`${day}T11:00:00`)),
    ...(monday
      ? bet(share, move(share, '11:30:00', '12:30:00', 2 * DAY), ist(`${day}T11:30:00`), ist(`${day}T12:30:00`))
      : []),
  ]);
};

/** Those that need nothing but prices. */
export const BOTS: Readonly<Record<string, { hours: 'exchange' | 'always'; bot: Bot }>> = {
  'first second of a minute (leak 2)': { hours: 'exchange', bot: firstSecond },
  'closing auction (leak 3)': { hours: 'exchange', bot: auction },
  'expiry (leak 4)': { hours: 'exchange', bot: expiring },
  'night and Saturday (leak 5)': { hours: 'always', bot: nightTrader },
};

/**
 * Leak 1. Asks a running sandbox each afternoon for the master of a date to come, and trades the futures of shares towards the
 * closes that it gives, until the next afternoon.
 */
export async function masterBot(seed: number, days: readonly string[]): Promise<Map<string, Trade[]>> {
  const market = createMarket({ seed, universe: 'demo' });
  const bench = await start({ seed, rateLimit: 'off', start: `${days[0]!}T15:00:00.000+05:30` });
  const trades = new Map<string, Trade[]>();
  try {
    for (const day of days) {
      await bench.http.post('/_sandbox/clock', { set: `${day}T15:00:00.000+05:30` });
      const headers = await logIn(bench);
      const at = ist(`${day}T15:00:00`);
      const ahead = new Date(at + AHEAD).toISOString().slice(0, 10);
      const reply = await bench.http.get(`/refdata/refdata/${ahead}?exchange=NSE`, { headers });
      const rows = (reply.data as { refdata: { ref_id: number; underlying_prev_close: number }[] }).refdata;
      const closes = new Map(rows.map((row) => [row.ref_id, row.underlying_prev_close]));
      const next = ist(`${market.calendar.nextTradingDay('NSE', day)}T15:00:00`);
      const later = futures(market, at);
      trades.set(
        day,
        shares(market, at).flatMap((share, i) =>
          bet(later[i]!, closes.get(share.refId)! - market.price(share, at), at, next),
        ),
      );
    }
  } finally {
    await bench.close();
  }
  return trades;
}

/** Result of one bet before its cost, and that cost, paise; undefined where a side of the book is empty. */
function outcome(
  market: Market,
  { instrument, side, from, to, settledValue: resolved }: Trade,
): { moved: number; paid: number } | undefined {
  const [entry, exit] = [quote(market, instrument, from), resolved ?? quote(market, instrument, to)];
  if (entry === undefined || exit === undefined) return undefined;
  const { lotSize } = instrument;
  const quantity = Math.max(Math.floor(STAKE / (instrument.strikePrice || entry.middle) / lotSize), 1) * lotSize;
  const date = new Date(from + 19_800_000).toISOString().slice(0, 10);
  const charges = (price: number, way: number): number =>
    totalCharges(chargesOf(instrument, 'IDAY', way > 0 ? 'BUY' : 'SELL', Math.round(price * quantity), date));
  const opened = entry.half * quantity + charges(entry.middle + side * entry.half, side);
  if (typeof exit === 'number') {
    const tax = side > 0 && instrument.derivativeType === 'OPT' ? exerciseTax(instrument, exit * quantity, 0, date) : 0;
    return { moved: side * (exit - entry.middle) * quantity, paid: opened + tax };
  }
  return {
    moved: side * (exit.middle - entry.middle) * quantity,
    paid: opened + exit.half * quantity + charges(exit.middle - side * exit.half, -side),
  };
}

/** The middle of the book and half of its spread, paise. */
function quote(market: Market, instrument: Instrument, at: number): { middle: number; half: number } | undefined {
  const { bids, asks } = market.depth(instrument, at, market.price(instrument, at), 1);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  return bid === undefined || ask === undefined ? undefined : { middle: (bid + ask) / 2, half: (ask - bid) / 2 };
}

/** Sums up the bets of a bot, day by day. */
export function earnings(bot: string, market: Market, trades: ReadonlyMap<string, readonly Trade[]>): Earnings {
  const moved = new Bets();
  let [bets, costs] = [0, 0];
  for (const ofDay of trades.values()) {
    const found = ofDay.flatMap((trade) => outcome(market, trade) ?? []);
    if (found.length === 0) continue;
    bets += found.length;
    costs += found.reduce((sum, item) => sum + item.paid, 0) / 100;
    moved.add(found.reduce((sum, item) => sum + item.moved, 0) / 100);
  }
  const days = moved.count;
  return {
    bot,
    days,
    bets,
    earned: moved.mean - costs / days,
    costs: costs / days,
    error: moved.error,
    score: moved.score,
  };
}

/** The five bots over so many trading days of NSE after a date. */
export async function earningsOf(seed: number, from: string, count: number): Promise<Earnings[]> {
  const markets = {
    exchange: createMarket({ seed, universe: 'demo' }),
    always: createMarket({ seed, universe: 'demo', hours: 'always' }),
  };
  const days = tradingDays(markets.exchange, from, count);
  return [
    earnings('master of a future date (leak 1)', markets.exchange, await masterBot(seed, days)),
    ...Object.entries(BOTS).map(([name, { hours, bot }]) =>
      earnings(name, markets[hours], new Map(days.map((day) => [day, bot(markets[hours], day)]))),
    ),
  ];
}
