/**
 * The positions that the service has shown today. A list sometimes lacks one of several, and shows it again a moment later. No order of the
 * day contradicts that for a position from an earlier day: without this memory it would count as closed, and be left, or bought again.
 */
import type { Clock, Moment } from '../base/ports';
import type { BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import type { PlacementContext } from '../orders/account/placement-context';
import type { Position } from '../portfolio/portfolio';
import { istDate, istInstant, toIst } from '../values/time';
import { heldPositions, isCarried, positionKey, recordKeyOf, type HeldPosition } from './positions';
import { isLegOf, wasTraded } from './traded-quantity';

/** Before this time of the day (IST) a list may still be that of the day before. */
const DAY_LIST_FROM = '09:00';
/** Time between two readings, milliseconds. */
const PAUSE_MS = 1_000;

/** A position that was shown, and when. */
interface Shown {
  position: HeldPosition;
  /** Milliseconds on the market's clock. */
  at: number;
  moment: Moment;
}

/** One serves the whole process. */
export class ShownPositions {
  private readonly shown = new Map<string, Map<string, Shown>>();

  constructor(private readonly clock: Clock) {}

  /** Notes a list. @param now milliseconds on the market's clock */
  note(scope: string, positions: readonly Position[], now: number): void {
    if (now < istInstant(istDate(now), DAY_LIST_FROM)) return;
    const known = this.today(scope, now);
    for (const record of positions) known.delete(recordKeyOf(record));
    for (const position of heldPositions(positions))
      known.set(positionKey(position), { position, at: now, moment: this.clock.moment() });
    this.shown.set(scope, known);
  }

  /** Returns the positions of the last list of today that told of them, as far as they were held then. */
  held(scope: string, now: number): Shown[] {
    return [...this.today(scope, now).values()];
  }

  /** Returns those that were shown since a moment. */
  since(scope: string, moment: Moment, now: number): HeldPosition[] {
    const isSince = ({ moment: at }: Shown): boolean => this.clock.since(at) <= this.clock.since(moment);
    return this.held(scope, now)
      .filter(isSince)
      .map(({ position }) => position);
  }

  private today(scope: string, now: number): Map<string, Shown> {
    const known = this.shown.get(scope) ?? new Map<string, Shown>();
    return new Map([...known].filter(([, { at }]) => istDate(at) === istDate(now)));
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
 * Returns the positions that were shown today and that a list lacks, although no order or basket of the day traded them, and none has
 * another product now. Only of those that may come from an earlier day: the others are compared with the orders of the day.
 */
function lackedOf({ orders, baskets, positions }: DayLists, { shown, scope, transport }: Reader): Shown[] {
  const listed = new Set(positions.map(recordKeyOf));
  const held = heldPositions(positions);
  return shown
    .held(scope, transport.marketClock.now())
    .filter(
      ({ position }) =>
        isCarried(position) &&
        !listed.has(positionKey(position)) &&
        !held.some(({ refId }) => refId === position.refId) &&
        !wasTraded(orders, position) &&
        !baskets.some((basket) => isLegOf(basket, position)),
    );
}

/** Returns the reason, in words after "because", for which a list cannot be right about a position; undefined if it can. */
export function whyLacked(
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

/**
 * Reads what is held, twice: a list may lack a position for a moment. A position that was shown today, and that the list lacks without a
 * reason, is returned unchanged from the list that showed it.
 * @throws any error of the reads
 */
export async function readAllHeld(context: PositionContext): Promise<HeldPosition[]> {
  const { orders, baskets, transport, signal } = context;
  await readPositions(context);
  await transport.clock.sleep(PAUSE_MS, signal);
  const positions = await readPositions(context);
  const held = heldPositions(positions);
  const mayLack = lackedOf({ orders: [], baskets: [], positions }, context).length > 0;
  if (!mayLack) return held;
  const [listed, ofBaskets] = await Promise.all([orders.list(signal), baskets.list(signal)]);
  const lacked = lackedOf({ orders: listed, baskets: ofBaskets, positions }, context);
  return [...held, ...lacked.map(({ position }) => position)];
}
