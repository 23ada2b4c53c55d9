/**
 * Earnings of a closed basket, before charges: of each leg and in all, or why they are not known. Records of a basket tell what its entry
 * has filled. What its exit has filled is in the basket that closed it, in the legs of the older interface, or in the day's positions.
 */
import { attempt } from '../attempt';
import type { BasketLegFields, BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import { BrokerageError } from '../base/errors';
import { basketProductOf, legsOf } from '../orders/model/basket-record';
import { filledPriceOf, filledQuantityOf, instrumentOf, refIdOf, sideOf } from '../orders/model/order-record';
import type { Side } from '../orders/model/order-terms';
import type { Position } from '../portfolio/portfolio';
import { contractValue, ONE_SHARE } from '../values/contract-value';
import type { Json } from '../values/json';
import { fillPriceIn } from '../values/market-price';
import { numberFrom, type WireRecord } from '../values/record';
import { positionKey, recordKeyOf } from './positions';
import { readPositions, type PositionContext } from './shown-positions';

/** Earnings of one leg. Prices and money are paise. */
export interface LegEarnings {
  symbol: string;
  side: Side | undefined;
  /** Units that its entry filled. */
  quantity: number;
  /** Average price of the entry; undefined if the service has not told it. */
  entry: number | undefined;
  /** Average price at which it was closed; undefined if nothing tells it. */
  exit: number | undefined;
  /** Before charges; undefined if one of the prices is not known. */
  result: number | undefined;
}

/** Earnings of a basket. */
export interface BasketEarnings {
  legs: readonly LegEarnings[];
  /** Of all legs, paise, before charges; undefined if it is not known of one. */
  result: number | undefined;
  /** Says in a sentence why the result is not known. */
  reason: string | undefined;
}

/** Time for which the positions may be late, and the time between two readings, milliseconds. */
const LATE_MS = 6_000;
const PAUSE_MS = 1_000;

/** A value of a record, as the service sends it. */
type Wire = Json | undefined;

type Sources = { closedBy: BasketRecord | undefined; positions: readonly Position[] };

/** Returns the price at which the basket that closed it has filled a leg. */
function priceInClosing(leg: OrderRecord, closedBy: BasketRecord): number | undefined {
  const closing = legsOf(closedBy).find((candidate) => refIdOf(candidate) === refIdOf(leg));
  return closing !== undefined && filledQuantityOf(closing) === filledQuantityOf(leg)
    ? filledPriceOf(closing)
    : undefined;
}

/** Returns the price of the exit where as much was bought as sold, and no more than the leg has filled. */
function priceOfBoth(leg: OrderRecord, bought: readonly Wire[], sold: readonly Wire[]): number | undefined {
  const units = filledQuantityOf(leg);
  if (numberFrom(bought[0]) !== units || numberFrom(sold[0]) !== units) return undefined;
  return fillPriceIn(numberFrom(sideOf(leg) === 'SELL' ? bought[1] : sold[1]));
}

/** Returns the price at which a leg was closed. A position counts only if nothing else has traded in it: else its averages are those of both. */
function exitPriceOf(leg: OrderRecord, product: string, { closedBy, positions }: Sources): number | undefined {
  if (closedBy !== undefined) return priceInClosing(leg, closedBy);
  const { buy_qty: bought, sell_qty: sold, buy_avg: paid, sell_avg: received } = leg as WireRecord<BasketLegFields>;
  const own = priceOfBoth(leg, [bought, paid], [sold, received]);
  if (own !== undefined) return own;
  const key = positionKey({ refId: refIdOf(leg), product });
  const position = positions.find((record) => recordKeyOf(record) === key);
  if (position === undefined) return undefined;
  const { buy_qty: boughtUnits, sell_qty: soldUnits, avg_buy_price: buyPrice, avg_sell_price: sellPrice } = position;
  return priceOfBoth(leg, [boughtUnits, buyPrice], [soldUnits, sellPrice]);
}

function legEarnings(leg: OrderRecord, product: string, sources: Sources): LegEarnings {
  const { symbol, refId } = instrumentOf(leg);
  const side = sideOf(leg);
  const quantity = filledQuantityOf(leg);
  const entry = filledPriceOf(leg);
  const exit = exitPriceOf(leg, product, sources);
  const gain = entry === undefined || exit === undefined ? undefined : side === 'SELL' ? entry - exit : exit - entry;
  // Baskets trade on NSE and BSE alone, where a contract is worth its units.
  const result =
    gain === undefined || side === undefined ? undefined : Math.round(contractValue(ONE_SHARE, gain, quantity));
  return { symbol: symbol || `ref_id ${refId}`, side, quantity, entry, exit, result };
}

/** Returns what a closed basket has earned, as far as the records tell it; undefined if it never entered. */
export function earningsOf(basket: BasketRecord, sources: Sources): BasketEarnings | undefined {
  const product = basketProductOf(basket) ?? '';
  const legs = legsOf(basket)
    .filter((leg) => filledQuantityOf(leg) > 0)
    .map((leg) => legEarnings(leg, product, sources));
  if (legs.length === 0) return undefined;
  const unknown = legs.filter(({ result }) => result === undefined);
  if (unknown.length === 0)
    return { legs, result: legs.reduce((sum, { result }) => sum + result!, 0), reason: undefined };
  const names = unknown.map(({ symbol }) => symbol).join(', ');
  const missing = unknown.some(({ entry }) => entry === undefined) ? 'entered' : 'closed';
  return {
    legs,
    result: undefined,
    reason: `The service does not tell at which price ${names} was ${missing} by this basket alone. Look at "Portfolio: Get Performance", or at the tradebook of the day.`,
  };
}

/**
 * Returns what a closed basket has earned. Where only the positions can tell, they are read until they do, for some seconds.
 * @param closedBy the basket that closed it, if one was needed
 */
export async function readEarnings(
  basket: BasketRecord,
  closedBy: BasketRecord | undefined,
  context: PositionContext,
): Promise<BasketEarnings | undefined> {
  const { clock } = context.transport;
  const began = clock.moment();
  let earned = earningsOf(basket, { closedBy, positions: [] });
  if (closedBy !== undefined || earned === undefined || earned.result !== undefined) return earned;
  for (;;) {
    const read = await attempt(readPositions(context));
    // The basket is closed: that must be told, even if what it has earned is not known, or the execution is stopped meanwhile.
    if (!read.ok && (read.error instanceof BrokerageError || context.signal?.aborted)) return earned;
    if (!read.ok) throw read.error;
    earned = earningsOf(basket, { closedBy, positions: read.value });
    if (earned?.result !== undefined || clock.since(began) >= LATE_MS) return earned;
    const slept = await attempt(clock.sleep(PAUSE_MS, context.signal));
    if (!slept.ok) return earned;
  }
}
