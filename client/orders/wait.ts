/** Waits for what becomes of orders: an acknowledgement of the service is not the result (wire-facts 3.8). */
import type { OrderRecord } from '../endpoints/orders';
import { ServiceError, type BrokerageError } from '../base/errors';
import type { PlacementContext } from './placement';
import { hasEnded, hasExited, isSettledOrOpen, statusOf } from './record';

/**
 * Until when to wait: the exchange has taken the order, all of it is filled, an exit of it is filled, or nothing more can
 * happen to it and its exits.
 */
export const WAIT_FOR = ['accepted', 'ended', 'exited', 'filled'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

/** How a wait ended. */
export interface WaitResult {
  /** The order as it was last seen; undefined when it was never seen. */
  order?: OrderRecord;
  /** Whether what was waited for came; false after the deadline, and when the order ended another way. */
  reached: boolean;
  /** Whether the deadline passed first. */
  timedOut: boolean;
  /** The last read's error when the deadline passed without a readable answer. */
  error?: BrokerageError;
}

/** Tells when something happened to an order, where a stream brings it. @returns how to stop. */
export type FollowOrder = (orderId: string, onChange: () => void) => () => void;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** A new order is not found at first. */
const NOT_FOUND = 404;

function isReached(order: OrderRecord, until: WaitFor): boolean {
  if (until === 'accepted') return isSettledOrOpen(order) && statusOf(order) !== 'REJECTED';
  if (until === 'filled') return statusOf(order) === 'FILLED';
  if (until === 'exited') return hasExited(order);
  return hasEnded(order);
}

/**
 * Reads an order at a pace that slows down from half a second to five, and at once when a stream tells of it, until a
 * condition holds, the order ends, or the deadline passes. What counts is what is read.
 * @param timeoutMs from now.
 * @throws the signal's reason, at once.
 */
export async function waitUntil(
  orderId: string,
  holds: (order: OrderRecord) => boolean,
  timeoutMs: number,
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult> {
  const { transport, signal } = context;
  let changed = new AbortController();
  const unfollow = follow?.(orderId, () => changed.abort());
  try {
    return await readUntil(orderId, holds, transport.clock.now() + timeoutMs, context, async (ms) => {
      const either = AbortSignal.any([changed.signal, ...(signal ? [signal] : [])]);
      await transport.clock.sleep(ms, either).catch((error: unknown) => {
        if (!changed.signal.aborted) throw error;
      });
      const told = changed.signal.aborted;
      changed = new AbortController();
      return told;
    });
  } finally {
    unfollow?.();
  }
}

/** @param pauseFor waits for milliseconds; returns whether a change cut it short. */
async function readUntil(
  orderId: string,
  holds: (order: OrderRecord) => boolean,
  deadline: number,
  { orders, transport, signal }: PlacementContext,
  pauseFor: (ms: number) => Promise<boolean>,
): Promise<WaitResult> {
  let last: OrderRecord | undefined;
  for (let pause = FIRST_PAUSE_MS; ;) {
    signal?.throwIfAborted();
    const read = await orders.get(orderId, signal).then(
      (order) => ({ order }),
      (error: BrokerageError) => ({ error }),
    );
    signal?.throwIfAborted();
    if ('order' in read) {
      last = read.order;
      if (holds(read.order)) return { order: read.order, reached: true, timedOut: false };
      if (hasEnded(read.order)) return { order: read.order, reached: false, timedOut: false };
    } else if (
      read.error instanceof ServiceError &&
      read.error.status >= 400 &&
      read.error.status < 500 &&
      read.error.status !== NOT_FOUND &&
      read.error.status !== 429
    ) {
      return { order: last, reached: false, timedOut: false, error: read.error };
    }
    const left = deadline - transport.clock.now();
    if (left <= 0)
      return { order: last, reached: false, timedOut: true, ...('error' in read ? { error: read.error } : {}) };
    // The service may show a little later what its stream has told.
    pause = (await pauseFor(Math.min(pause, left))) ? FIRST_PAUSE_MS : Math.min(pause * 1.5, LONGEST_PAUSE_MS);
  }
}

/**
 * Waits for a status (see `WAIT_FOR`) of one order.
 * @param timeoutMs from now.
 * @throws the signal's reason, at once.
 */
export async function waitForStatus(
  orderId: string,
  until: WaitFor,
  timeoutMs: number,
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult> {
  return await waitUntil(orderId, (order) => isReached(order, until), timeoutMs, context, follow);
}
