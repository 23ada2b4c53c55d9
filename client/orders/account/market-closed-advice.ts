/**
 * Advice for an order that is placed while its market is closed: an intent order waits for the next session
 * (docs/service/order-life.md#orders-while-the-market-is-closed), the older interface rejects it.
 */
import { attempt } from '../../attempt';
import { endpoints } from '../../endpoints';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { MARKET_CLOSED_PATTERN } from '../../refusal-remedies';
import { isDerivative } from '../../instruments/symbol';
import { answeredAtIn } from '../../values/headers';
import { istDate, istTimeOfDay, nanosToMs, showDate, toIst } from '../../values/time';
import { isInHours, nextOpening } from '../../market/calendar/trading-hours';
import type { OrderTerms, TradedInstrument } from '../model/order-terms';
import type { PlacementContext } from './placement-context';
import { entryHasEnded, exchangeOf, isIntent, productOf, symbolOf, timesOf } from '../model/order-record';
import { basketStatusOf, legsOf } from '../model/basket-record';
import type { BasketTerms } from '../model/basket-terms';

/** The account and service to query. */
type MarketQuestion = Pick<PlacementContext, 'orders' | 'transport' | 'environment' | 'signal'>;

/**
 * Returns advice about an order or a basket that was rejected because its market was closed, with the next opening if known. The older
 * interface gives no reason in its list: then only the hours tell, and a sandbox may trade outside of them.
 * @param reason of the service; '' if it gives none
 * @returns undefined if nothing shows that the market was closed
 */
export function marketClosedAdvice(record: OrderRecord | BasketRecord, reason: string): string | undefined {
  const order = legsOf(record as BasketRecord)[0] ?? (record as OrderRecord);
  const exchange = exchangeOf(order);
  const at = nanosToMs(timesOf(record).created) ?? nanosToMs(timesOf(order).created);
  const isOutside = at !== null && isInHours(exchange, isDerivative(symbolOf(order)), at) === false;
  if (!MARKET_CLOSED_PATTERN.test(reason) && !(reason === '' && isOutside)) return undefined;
  const opens = at === null ? undefined : nextOpening(exchange, at);
  const when =
    opens === undefined ? '' : ` ${exchange} opens next on ${showDate(istDate(opens))} at ${istTimeOfDay(opens)} IST.`;
  const what =
    reason === ''
      ? `It came outside the market hours of ${exchange}: the market is probably closed, and then the order does not wait.`
      : 'The market is closed, and the order does not wait.';
  return `${what}${when} Place it again then: the trigger's "At Market Time" starts a workflow when the market is open.`;
}

/**
 * Returns the time at which an order was placed, milliseconds since the epoch: from its record, which has the service's clock, else from
 * ours if that is the market's.
 * @returns undefined if unknown.
 */
function placedAt(record: OrderRecord | BasketRecord, { environment, transport }: MarketQuestion): number | undefined {
  return nanosToMs(timesOf(record).created) ?? (environment === 'live' ? transport.clock.now() : undefined);
}

/** Returns true if an order may have arrived outside the hours of its market. A sandbox may trade around the clock nevertheless. */
export function mayBeAfterHours(record: OrderRecord, instrument: TradedInstrument, requested: MarketQuestion): boolean {
  const at = placedAt(record, requested);
  return at !== undefined && isInHours(instrument.exchange, instrument.derivative, at, instrument.asset) !== true;
}

/** Time before the close in which brokers may have squared off what is intraday, and the exchange may hold its closing auction. */
const LATE_MS = 30 * 60_000;

/** Returns true if an order may have arrived after the broker squared off, or in the closing auction: in the last half hour of its market. */
function isShortlyBeforeClose({ record, terms }: PlacedOrder, requested: MarketQuestion): boolean {
  const at = placedAt(record, requested);
  const { exchange, derivative, asset } = terms.instrument;
  return at !== undefined && isInHours(exchange, derivative, at + LATE_MS, asset) === false;
}

/**
 * Returns advice about an intraday order that was rejected without a reason in the last half hour of its market.
 * @returns undefined for any other order.
 */
export function squareOffAdvice(record: OrderRecord | BasketRecord): string | undefined {
  const order = legsOf(record as BasketRecord)[0] ?? (record as OrderRecord);
  const at = nanosToMs(timesOf(record).created) ?? nanosToMs(timesOf(order).created);
  if (productOf(order) !== 'IDAY' || at === null) return undefined;
  if (isInHours(exchangeOf(order), isDerivative(symbolOf(order)), at + LATE_MS) !== false) return undefined;
  return 'Brokers take no new intraday orders once they square off, before the close. Choose the product Delivery (CNC), or place it on the next trading day.';
}

/** State of an order that waits for its market. */
export interface SessionWait {
  waits_for_next_session: true;
  /** Opening of the market, in IST; null if unknown. */
  next_session: string | null;
}

/** An order that was placed. */
export interface PlacedOrder {
  record: OrderRecord;
  terms: OrderTerms;
}

/** Maximum number of orders of one market to ask about, one after the other, until the service answers. */
const MAX_ASKED = 3;

/**
 * Returns the waiting states of new intent orders. Asks the service only if an order may have arrived outside the hours, or shortly
 * before the close; once for all orders of one market. A failed request is no error, since the orders are placed.
 * @returns one for each, in order: undefined if it does not wait, has ended, or is unknown.
 */
export async function sessionWaits(
  placed: readonly PlacedOrder[],
  requested: MarketQuestion,
): Promise<(SessionWait | undefined)[]> {
  const markets = new Map<string, PlacedOrder[]>();
  for (const order of placed) {
    if (!isIntent(order.record) || entryHasEnded(order.record)) continue;
    const isLate = mayBeAfterHours(order.record, order.terms.instrument, requested);
    if (!isLate && !isShortlyBeforeClose(order, requested)) continue;
    const beside = markets.get(marketOf(order)) ?? [];
    beside.push(order);
    markets.set(marketOf(order), beside);
  }
  const waits = new Map<PlacedOrder, SessionWait>();
  for (const orders of markets.values()) {
    if (!(await waitForSession(orders, requested))) continue;
    const [{ record, terms }] = orders as [PlacedOrder];
    const at = placedAt(record, requested);
    // All of them came between two sessions, so that one opening is that of all.
    const next = at === undefined ? null : openingText(terms.instrument, at);
    for (const order of orders) waits.set(order, { waits_for_next_session: true, next_session: next });
  }
  return placed.map((order) => waits.get(order));
}

/**
 * Returns the waiting state of a new basket of intent orders, as `sessionWaits` does of orders.
 * @returns undefined if it does not wait, has ended, or is unknown.
 */
export async function basketSessionWait(
  record: BasketRecord,
  { legs, product }: BasketTerms,
  requested: MarketQuestion,
): Promise<SessionWait | undefined> {
  const [leg] = legs;
  const at = placedAt(record, requested);
  if (leg === undefined || at === undefined || !isIntent(record) || basketStatusOf(record) !== 'PENDING')
    return undefined;
  const { instrument, side, quantity } = leg;
  const { exchange, derivative, asset } = instrument;
  const isInside = (ms: number): boolean | undefined => isInHours(exchange, derivative, ms, asset);
  if (isInside(at) === true && isInside(at + LATE_MS) !== false) return undefined;
  const terms: OrderTerms = {
    ...{ instrument, side, quantity, product },
    kind: 'REGULAR',
    priceType: 'MARKET',
    validity: 'IOC',
  };
  if (!(await waitForSession([{ terms }], requested))) return undefined;
  return { waits_for_next_session: true, next_session: openingText(instrument, at) };
}

/** Key of the orders with the same trading hours: those of MCX differ, and intraday ones end earlier. */
const marketOf = ({ terms: { instrument, product } }: PlacedOrder): string =>
  `${instrument.exchange} ${instrument.derivative ? 'derivatives' : 'cash'} ${instrument.exchange === 'MCX' ? instrument.asset : ''} ${product}`;

/** Returns true if orders of one market wait for its next session; false if unknown. */
async function waitForSession(
  placed: readonly Pick<PlacedOrder, 'terms'>[],
  { orders, signal }: MarketQuestion,
): Promise<boolean> {
  for (const { terms } of placed.slice(0, MAX_ASKED)) {
    const preview = await attempt(orders.preview([terms], { withPortfolio: true, signal }));
    if (preview.ok) return preview.value.waits_for_next_session === true;
  }
  return false;
}

/**
 * Returns the market hours of an instrument for an order that is not placed yet, by the service's clock.
 * @param waits true if the service says that the order would wait: after the broker squared off that is so within the hours, too.
 * @returns `in_market_hours`, null if unknown, and the next opening for an order outside of them, or one that waits, in IST.
 */
export async function marketHours(
  instrument: TradedInstrument,
  waits: boolean,
  requested: MarketQuestion,
): Promise<{ in_market_hours: boolean | null; next_session: string | null }> {
  const now = await marketTime(requested);
  if (now === undefined) return { in_market_hours: null, next_session: null };
  const open = isInHours(instrument.exchange, instrument.derivative, now, instrument.asset) ?? null;
  return { in_market_hours: open, next_session: open === true && !waits ? null : openingText(instrument, now) };
}

/**
 * Returns the market's time, milliseconds since the epoch. Only a service that is not live may have another clock than ours: it is asked,
 * and answers in whole seconds.
 * @returns undefined if it does not answer or show it.
 */
export async function marketTime({
  environment,
  transport,
  signal,
}: Pick<MarketQuestion, 'environment' | 'transport' | 'signal'>): Promise<number | undefined> {
  if (environment === 'live') return transport.clock.now();
  const reply = await attempt(transport.fetch(endpoints.userInfo, { signal }));
  return reply.ok ? answeredAtIn(reply.value.headers) : undefined;
}

/** Returns the sentence of an order that waits for the opening of its market. @param opening in IST; null if unknown */
export function waitSentence(opening: string | null): string {
  const when = opening === null ? '' : `: ${showDate(opening.slice(0, 10))}, ${opening.slice(11, 16)}`;
  return `It waits for the market to open${when}.`;
}

function openingText({ exchange }: TradedInstrument, after: number): string | null {
  const at = nextOpening(exchange, after);
  return at === undefined ? null : toIst(at);
}
