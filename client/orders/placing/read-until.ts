/** Reads orders, or baskets, at a pace that slows down, until each has reached its awaited state. One read serves all of them. */
import { ServiceError, type BrokerageError } from '../../base/errors';
import type { Clock, Moment } from '../../base/ports';
import type { PlacementContext } from '../account/placement-context';

/** Result of a wait. */
export interface WaitResult<Rec> {
  /** The order, or basket, as last seen; undefined if it was never seen. */
  order?: Rec;
  /** True if the condition held; false after the deadline, and if the order ended another way. */
  reached: boolean;
  /** True if the deadline passed first. */
  timedOut: boolean;
  /** The last read's error when the deadline passed without a readable answer. */
  error?: BrokerageError;
}

/** An order or basket to follow, and the deadline. */
export interface FollowedRecord<Rec> {
  /** Decimal text. */
  id: string;
  holds(record: Rec): boolean;
  hasEnded(record: Rec): boolean;
  deadline: Moment;
}

/** Result of one read. */
interface Reading<Rec> {
  /** Records by id; a missing one could not be seen. */
  records: ReadonlyMap<string, Rec>;
  error?: BrokerageError;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** Status of a read for a new order that the service does not find yet. */
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;

/** Returns true if the service will refuse this read now and later. */
function isRefusal(error: BrokerageError | undefined): boolean {
  return (
    error instanceof ServiceError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.status !== NOT_FOUND &&
    error.status !== TOO_MANY_REQUESTS
  );
}

/**
 * Reads until a condition holds, the order ends, or the deadline passes, for each.
 * @param read reads those that are still followed, in one request; a missing one is read again.
 * @param pauseFor waits for milliseconds; returns true if a change cut it short. Half a second in the beginning, five at most.
 * @returns the result of each wait, in order. @throws the signal's reason, at once
 */
export async function readUntil<Rec>(
  followed: readonly FollowedRecord<Rec>[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Rec>>,
  { transport, signal }: Pick<PlacementContext, 'transport' | 'signal'>,
  pauseFor: (ms: number) => Promise<boolean>,
): Promise<WaitResult<Rec>[]> {
  const ends = new Map<FollowedRecord<Rec>, WaitResult<Rec>>();
  const seen = new Map<string, Rec>();
  let open = [...followed];
  for (let pause = FIRST_PAUSE_MS; open.length > 0;) {
    signal?.throwIfAborted();
    const reading = await read([...new Set(open.map(({ id }) => id))]).then(
      (records): Reading<Rec> => ({ records }),
      (error: BrokerageError): Reading<Rec> => ({ records: new Map(), error }),
    );
    signal?.throwIfAborted();
    for (const [id, record] of reading.records) seen.set(id, record);
    const { clock } = transport;
    for (const order of open) {
      const end = endOf(order, reading, seen.get(order.id), clock);
      if (end !== undefined) ends.set(order, end);
    }
    open = open.filter((order) => !ends.has(order));
    if (open.length === 0) break;
    const left = open.reduce((least, { deadline }) => Math.min(least, -clock.since(deadline)), Infinity);
    // The service may show a little later what its stream has told.
    pause = (await pauseFor(Math.min(pause, left))) ? FIRST_PAUSE_MS : Math.min(pause * 1.5, MAX_PAUSE_MS);
  }
  return followed.map((order) => ends.get(order)!);
}

/** Returns the result of a wait after a reading; undefined if it continues. @param last the last seen record */
function endOf<Rec>(
  { id, holds, hasEnded, deadline }: FollowedRecord<Rec>,
  { records, error }: Reading<Rec>,
  last: Rec | undefined,
  clock: Pick<Clock, 'since'>,
): WaitResult<Rec> | undefined {
  const order = records.get(id);
  if (order !== undefined && holds(order)) return { order, reached: true, timedOut: false };
  if (order !== undefined && hasEnded(order)) return { order, reached: false, timedOut: false };
  if (isRefusal(error)) return { order: last, reached: false, timedOut: false, error };
  if (clock.since(deadline) < 0) return undefined;
  return { order: last, reached: false, timedOut: true, ...(error === undefined ? {} : { error }) };
}
