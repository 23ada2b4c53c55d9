import { isTerminal } from '../exchange/working-order';
import type { Instrument } from '../market/reference/types';
import type { User } from '../sessions/users';
import type { Order } from '../shared/orders';
import { millisOf } from '../shared/time';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { instrumentShown } from './instruments';
import { joinBars, liveBars, type ChartBar } from './live-bars';

const LEVELS = 5;
const TRADES = 200;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The chart goes so many days further back where nothing was traded. */
const MAX_DAYS = 7;
/** The chart's intervals: how far back it goes, and how many bars it shows at most. */
const INTERVALS: Record<string, { reachMs: number; maxBars: number }> = {
  '1m': { reachMs: 6.5 * HOUR_MS, maxBars: 400 },
  '5m': { reachMs: 30 * HOUR_MS, maxBars: 400 },
  '15m': { reachMs: 4 * DAY_MS, maxBars: 400 },
  '1d': { reachMs: 365 * DAY_MS, maxBars: 260 },
};

/** The market of one instrument, and what the account has traded in it; prices are paise, times milliseconds. */
export function marketView(sandbox: Sandbox, instrument: Instrument, user: User) {
  const { world, instant } = sandbox;
  const book = world.exchange.bookSnapshot(instrument, instant, LEVELS);
  const own = ownLevels(world.exchange.orders(user.clientCode, instant), instrument);
  const level = (side: 'BUY' | 'SELL') => (item: { price: number; quantity: number; orders: number }) => ({
    ...item,
    own: own.get(`${side} ${item.price}`) ?? 0,
  });
  const trades = world.accounts
    .trades(user.clientCode)
    .filter(({ trade }) => trade.refId === instrument.refId)
    .slice(-TRADES)
    .reverse();
  const trading = world.exchange.isOpen(instrument, instant);
  return {
    ...instrumentShown(instrument),
    /** Orders in it are taken: a contract that has expired, and that the account has traded, is known but not listed. */
    listed: world.universe().byRefId(instrument.refId) !== undefined,
    trading,
    /** Its session runs, and trade is stopped. */
    halted: !trading && world.exchange.session(instrument, instant).open,
    last_price: book.lastPrice,
    previous_close: world.market.previousClose(instrument, instant),
    volume: book.volume,
    bids: book.bids.map(level('BUY')),
    asks: book.asks.map(level('SELL')),
    trades: trades.map(({ trade }) => ({
      id: trade.id.toString(),
      order_id: trade.orderId.toString(),
      at: millisOf(trade.at),
      side: trade.side,
      price: trade.price,
      quantity: trade.quantity,
    })),
  };
}

/** Returns the levels of the account's working orders in the book, by side and price. */
function ownLevels(orders: readonly Order[], { refId }: Instrument): Map<string, number> {
  const levels = new Map<string, number>();
  for (const order of orders) {
    if (order.refId !== refId || order.price === 0 || order.acknowledgedAt === 0n || isTerminal(order.status)) continue;
    if (order.kind === 'STOPLOSS' && order.status === 'OPEN') continue;
    const key = `${order.side} ${order.price}`;
    levels.set(key, (levels.get(key) ?? 0) + order.quantity - order.filledQuantity);
  }
  return levels;
}

/**
 * Bars of an instrument for the chart, oldest first, the running one included: the last hours or days in which it traded. A mirror shows
 * the live side's, as it has seen none before it began. Prices are paise, times milliseconds.
 * @throws ApiError 400 for an unknown interval
 */
export async function barsView(sandbox: Sandbox, instrument: Instrument, interval: string): Promise<ChartBar[]> {
  const { world, instant, mirror } = sandbox;
  const reach = INTERVALS[interval];
  if (reach === undefined)
    throw new ApiError(400, `interval must be one of ${Object.keys(INTERVALS).join(', ')}, not "${interval}"`);
  const seen = (from: number, to: number): ChartBar[] =>
    world.market
      .bars(instrument, interval, from, to, instant + 1)
      .map(({ at, open, high, low, close, volume }) => ({ at, open, high, low, close, volume }));
  const end = instant + MINUTE_MS;
  if (mirror !== undefined) {
    const from = instant - reach.reachMs - MAX_DAYS * DAY_MS;
    const live = await liveBars(mirror, instrument, interval, from, end);
    return joinBars(live, seen(from, end)).slice(-reach.maxBars);
  }
  // Outside market hours the last bars are shown: the loop goes back, a span at a time, to the last trade.
  for (let to = instant; to > instant - MAX_DAYS * DAY_MS; to -= reach.reachMs) {
    const last = seen(to - reach.reachMs, to + MINUTE_MS).at(-1);
    if (last !== undefined) return seen(last.at - reach.reachMs, last.at + MINUTE_MS).slice(-reach.maxBars);
  }
  return [];
}
