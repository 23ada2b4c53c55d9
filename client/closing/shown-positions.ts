/**
 * The positions that the service has shown today. A list sometimes lacks one of several, and shows it again a moment later. No order of the
 * day contradicts that for a position from an earlier day: without this memory it would count as closed, and be left, or bought again.
 */
import type { Clock, Moment } from '../base/ports';
import type { BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import type { PlacementContext } from '../orders/account/placement-context';
import type { Position } from '../portfolio/portfolio';
import { InputError } from '../base/errors';
import { isHeld } from '../orders/changing/change-basket';
import { basketProductOf, isBasketLive, legsOf } from '../orders/model/basket-record';
import { filledQuantityOf, instrumentOf, productOf, refIdOf, sideOf } from '../orders/model/order-record';
import type { Product, Side } from '../orders/model/order-terms';
import { earliestExpiryOf, expiryOfName, isDerivative } from '../instruments/symbol';
import { firstTradedExpiry } from '../market/calendar/trading-hours';
import { textFrom } from '../values/record';
import { istDate, istInstant, toIst } from '../values/time';
import { heldPositions, isCarried, positionKey, positionLabel, recordKeyOf, type HeldPosition } from './positions';
import { isUnreadable } from '../orders/model/record-units';
import { isLegOf, tradedUnits, wasTraded, whyPositionUnclear } from './traded-quantity';

/** Before this time of the day (IST) a list may still be that of the day before. */
const DAY_LIST_FROM = '09:00';
/**
 * Returns true if a list is that of the day for certain: before, it may be that of the day before, or empty.
 * @param now milliseconds on the market's clock
 */
export function isListOfDay(now: number): boolean {
  return now >= istInstant(istDate(now), DAY_LIST_FROM);
}

/** Time between two readings, milliseconds. */
const PAUSE_MS = 1_000;

/** A position that was shown, and when. */
interface ShownPosition {
  position: HeldPosition;
  /** Day on which its contract expires, or the earliest that its symbol allows, YYYY-MM-DD; undefined if it has none. */
  expiry: string | undefined;
  /** Milliseconds on the market's clock. */
  at: number;
  moment: Moment;
}

/** One serves the whole process. */
export class ShownPositions {
  private readonly shown = new Map<string, Map<string, ShownPosition>>();

  constructor(private readonly clock: Clock) {}

  /** Notes a list. @param now milliseconds on the market's clock */
  note(scope: string, positions: readonly Position[], now: number): void {
    if (!isListOfDay(now)) return;
    const positionsToday = this.today(scope, now);
    for (const record of positions) positionsToday.delete(recordKeyOf(record));
    for (const position of heldPositions(positions)) {
      const key = positionKey(position);
      const record = positions.find((position) => recordKeyOf(position) === key);
      const name = textFrom(record?.plat_name);
      const expiry = expiryOfName(name) ?? earliestExpiryOf(position.symbol);
      positionsToday.set(key, { position, expiry, at: now, moment: this.clock.moment() });
    }
    this.shown.set(scope, positionsToday);
  }

  /** Returns the positions of the last list of today that told of them, as far as they were held then. */
  held(scope: string, now: number): ShownPosition[] {
    return [...this.today(scope, now).values()];
  }

  /** Returns those that were shown since a moment. */
  since(scope: string, moment: Moment, now: number): HeldPosition[] {
    const isSince = ({ moment: at }: ShownPosition): boolean => this.clock.since(at) <= this.clock.since(moment);
    return this.held(scope, now)
      .filter(isSince)
      .map(({ position }) => position);
  }

  private today(scope: string, now: number): Map<string, ShownPosition> {
    const positionsByKey = this.shown.get(scope) ?? new Map<string, ShownPosition>();
    return new Map([...positionsByKey].filter(([, { at }]) => istDate(at) === istDate(now)));
  }
}

/** The context in which positions are read. */
export interface PositionContext extends PlacementContext {
  /** Returns the positions that the service shows now. @throws see `getPositions` */
  positions(signal?: AbortSignal): Promise<readonly Position[]>;
  /** The positions that the service has shown today; one for the whole process. */
  shown: ShownPositions;
}

/** The lists that may explain why a position is not shown any more. */
export interface DayLists {
  orders: readonly OrderRecord[];
  baskets: readonly BasketRecord[];
  positions: readonly Position[];
}

type Reader = Pick<PositionContext, 'shown' | 'scope' | 'transport'>;

/**
 * Returns true if a contract that was shown today may have traded for the last time, so that the list shows it no more: the day is over, and
 * it expires in this month.
 */
function hasExpired(exchange: string, expiry: string | undefined, now: number): boolean {
  const isOver = expiry !== undefined && expiry < firstTradedExpiry(exchange || 'NSE', now);
  return isOver && expiry.slice(0, 7) === istDate(now).slice(0, 7);
}

/**
 * Returns the positions that were shown today and that a list lacks, although no order or basket of the day traded them, and none has
 * another product now. Only of those that may come from an earlier day: the others are compared with the orders of the day.
 */
function lackedOf({ orders, baskets, positions }: DayLists, { shown, scope, transport }: Reader): ShownPosition[] {
  const listed = new Set(positions.map(recordKeyOf));
  const held = heldPositions(positions);
  const now = transport.marketClock.now();
  return shown
    .held(scope, now)
    .filter(
      ({ position, expiry }) =>
        isCarried(position) &&
        !hasExpired(position.exchange, expiry, now) &&
        !listed.has(positionKey(position)) &&
        !held.some(({ refId }) => refId === position.refId) &&
        !wasTraded(orders, position) &&
        !baskets.some((basket) => isLegOf(basket, position)),
    );
}

/** Returns the reason, in words after "because", for which a list cannot be right about a position; undefined if it can. */
export function whyListIsWrong(
  position: Pick<HeldPosition, 'refId' | 'product'>,
  lists: DayLists,
  reader: Reader,
): string | undefined {
  const lacked = lackedOf(lists, reader).find((shown) => positionKey(shown.position) === positionKey(position));
  return (
    lacked &&
    `the list of positions lacks it, showed ${lacked.position.net ?? 'some'} of it at ${toIst(lacked.at).slice(11, 19)}, and no order of the day explains that`
  );
}

/** Reads the positions, and notes them. @throws see `getPositions` */
export async function readPositions({
  positions,
  shown,
  scope,
  transport,
  signal,
}: Pick<PositionContext, 'positions' | 'shown' | 'scope' | 'transport' | 'signal'>): Promise<readonly Position[]> {
  const read = await positions(signal);
  shown.note(scope, read, transport.marketClock.now());
  return read;
}

/** Reads the orders and the baskets of the day, and then the positions, so that the lists of orders show no more than they do. */
async function readDayLists(context: PositionContext): Promise<DayLists> {
  const { signal } = context;
  const [orders, baskets] = await Promise.all([
    context.orders.list(signal, 'marked'),
    context.baskets.list(signal, 'marked'),
  ]);
  return { orders, baskets, positions: await readPositions(context) };
}

/** True while an exchange may still trade today: after that, intraday positions are squared off, and shares may become holdings. */
const tradesToday = (exchange: string, now: number): boolean =>
  firstTradedExpiry(exchange || 'NSE', now) === istDate(now);

/** Units of an instrument that an order or the leg of a basket has traded. */
function positionOf(order: OrderRecord, product: Product, net: number | undefined): HeldPosition {
  const { symbol, exchange } = instrumentOf(order);
  const segment = !isDerivative(symbol) ? 'stock' : symbol.endsWith('FUT') ? 'future' : 'option';
  return { refId: refIdOf(order), symbol, exchange, segment, product, net };
}

/** Units with the sign of a side; undefined for an unknown one. */
const signedUnits = (side: Side | undefined, units: number): number | undefined =>
  side === undefined ? undefined : side === 'SELL' ? -units : units;

/** Holdings that the orders and baskets of the day hold, each instrument and product once; those of a basket while it lives. */
function heldByOrders({ orders, baskets }: Pick<DayLists, 'orders' | 'baskets'>): Map<string, HeldPosition> {
  const held = new Map<string, HeldPosition>();
  const add = (position: HeldPosition): void => void held.set(positionKey(position), position);
  for (const order of orders.filter((candidate) => !isUnreadable(candidate))) {
    const product = productOf(order);
    if (product === undefined || filledQuantityOf(order) === 0) continue;
    add(positionOf(order, product, tradedUnits(orders, { refId: refIdOf(order), product })));
  }
  for (const basket of baskets.filter(
    (candidate) => !isUnreadable(candidate) && isBasketLive(candidate) && isHeld(candidate),
  ))
    for (const leg of legsOf(basket)) {
      const product = productOf(leg) ?? basketProductOf(basket);
      if (product !== undefined) add(positionOf(leg, product, signedUnits(sideOf(leg), filledQuantityOf(leg))));
    }
  return held;
}

/**
 * Returns positions that the orders of the day hold and that a list does not show at all, not even as closed. Only of those to which nothing
 * from an earlier day is added: intraday ones, and shares that were bought; and of any where the list is empty.
 */
function unlistedOf(lists: DayLists, now: number): HeldPosition[] {
  const listed = new Set(lists.positions.map(recordKeyOf));
  return [...heldByOrders(lists).values()].filter((position) => {
    const { segment, product, net, exchange } = position;
    // Shares that were sold may come from the holdings.
    const isSold = segment === 'stock' && product === 'CNC' && (net ?? 0) < 0;
    const isCertain = !isCarried(position) || lists.positions.length === 0;
    const isHeldNow = net !== undefined && net !== 0 && tradesToday(exchange, now);
    return isHeldNow && isCertain && !isSold && !listed.has(positionKey(position));
  });
}

/** Returns the positions that a list does not show, and that an order which contradicts itself may hold. */
function positionsOfUnreadable({ orders, positions }: DayLists): HeldPosition[] {
  const listed = new Set(positions.map(recordKeyOf));
  const unclearPositions = new Map<string, HeldPosition>();
  for (const order of orders.filter(isUnreadable)) {
    const product = productOf(order);
    const position = positionOf(order, product ?? 'CNC', undefined);
    const unread = whyPositionUnclear([order], position);
    if (product !== undefined && unread !== undefined && !listed.has(positionKey(position)))
      unclearPositions.set(positionKey(position), { ...position, whyUnclear: unread });
  }
  return [...unclearPositions.values()];
}

/** Time for which a list may be late, or lack something, milliseconds. */
export const LATE_MS = 25_000;
/** Time for which nothing must be shown before nothing is held: orders are listed one or two seconds late. */
const NOTHING_MS = 4_000;

/**
 * Reads what is held, twice at least: a list may lack a position for a moment. While it lacks what the orders of the day hold, it is read
 * again. A position that was shown today, and that the list lacks without a reason, is returned unchanged from the list that showed it; one
 * that only the orders show is returned as they show it. Whether it is there, `reconcilePosition` finds out.
 * @throws any error of the reads
 */
export async function readAllHeld(context: PositionContext): Promise<HeldPosition[]> {
  const { transport, signal } = context;
  const { clock, marketClock } = transport;
  const began = clock.moment();
  await readPositions(context);
  for (;;) {
    await clock.sleep(PAUSE_MS, signal);
    const lists = await readDayLists(context);
    const { positions } = lists;
    const unlisted = unlistedOf(lists, marketClock.now());
    const lacked = lackedOf(lists, context).map(({ position }) => position);
    const readings = [...heldPositions(positions), ...positionsOfUnreadable(lists), ...unlisted, ...lacked];
    const keys = readings.map(positionKey);
    // The first of a position counts.
    const held = readings.filter((_, index) => keys.indexOf(keys[index]!) === index);
    const longest = unlisted.length > 0 ? LATE_MS : held.length === 0 ? NOTHING_MS : 0;
    if (clock.since(began) >= longest) return held;
  }
}

/**
 * Reads the positions until they show those of one instrument for certain: what was shown today is there, and what the orders of the day
 * hold.
 * @param isHolding true if it is held in another list, so that the positions may show none of it at once.
 * @returns the positions of everything. @throws InputError if they lack one for too long; any error of the reads
 */
export async function readPositionsOf(
  refId: number,
  isHolding: boolean,
  context: PositionContext,
): Promise<readonly Position[]> {
  const { transport, signal } = context;
  const { clock, marketClock } = transport;
  const began = clock.moment();
  for (;;) {
    const lists = await readDayLists(context);
    const { positions } = lists;
    const unlisted = unlistedOf(lists, marketClock.now());
    const lacked = [...unlisted, ...lackedOf(lists, context).map(({ position }) => position)];
    const missing = lacked.find((position) => position.refId === refId);
    const isShown = isHolding || heldPositions(positions).some((position) => position.refId === refId);
    if (missing === undefined && (isShown || clock.since(began) >= NOTHING_MS)) return positions;
    if (missing !== undefined && clock.since(began) >= LATE_MS) {
      throw new InputError(
        `The list of positions does not show ${positionLabel(missing)}, but by its earlier answer and today's orders you hold ${missing.net ?? 'some'}. Nothing was sent.`,
        { hint: "Run it again when Portfolio: Get Positions shows it, or look in your broker's app." },
      );
    }
    await clock.sleep(PAUSE_MS, signal);
  }
}
