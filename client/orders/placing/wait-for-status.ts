/** Waits for what becomes of orders: an acknowledgement of the service is not the result (wire-facts 3.8). */
import type { Moment } from '../../base/ports';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { ServiceError, type BrokerageError } from '../../base/errors';
import type { PlacementContext } from '../account/placement-context';
import { basketIdOf, basketStatusOf, isBasketLive } from '../model/basket-record';
import {
  entryHasEnded,
  filledQuantityOf,
  hasEnded,
  hasExited,
  isUnpricedFill,
  hasReachedExchange,
  statusOf,
} from '../model/order-record';

/**
 * Until when to wait: the exchange has taken the order, its entry is over with something filled, all of it is filled, an exit
 * of it is filled, or nothing more can happen to it and its exits.
 */
export const WAIT_FOR = ['accepted', 'ended', 'entered', 'exited', 'filled'] as const;
export type WaitFor = (typeof WAIT_FOR)[number];

/** How a wait ended. */
export interface WaitResult<Rec = OrderRecord> {
  /** The order, or basket, as it was last seen; undefined when it was never seen. */
  order?: Rec;
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
const MAX_PAUSE_MS = 5_000;
/** A new order is not found at first. */
const NOT_FOUND = 404;

function isReached(order: OrderRecord, until: WaitFor): boolean {
  if (until === 'accepted') return hasReachedExchange(order) && statusOf(order) !== 'REJECTED';
  // What has filled is told some seconds before its price, which the next step needs.
  if (isUnpricedFill(order)) return false;
  if (until === 'entered') return entryHasEnded(order) && filledQuantityOf(order) > 0;
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
  return await followUntil(orderId, { holds, hasEnded }, timeoutMs, context, follow);
}

async function followUntil(
  orderId: string,
  until: Omit<Followed<OrderRecord>, 'read'>,
  timeoutMs: number,
  context: PlacementContext,
  follow?: FollowOrder,
): Promise<WaitResult> {
  const { orders, transport, signal } = context;
  let changed = new AbortController();
  const unfollow = follow?.(orderId, () => changed.abort());
  const followed = { read: async () => await orders.get(orderId, signal), ...until };
  try {
    return await readUntil(followed, transport.clock.moment(timeoutMs), context, async (ms) => {
      const either = AbortSignal.any([changed.signal, ...(signal ? [signal] : [])]);
      await transport.clock.sleep(ms, either).catch((error: unknown) => {
        if (!changed.signal.aborted) throw error;
      });
      const reported = changed.signal.aborted;
      changed = new AbortController();
      return reported;
    });
  } finally {
    unfollow?.();
  }
}

/** What is followed, and until when. */
interface Followed<Rec> {
  read(): Promise<Rec>;
  holds(record: Rec): boolean;
  hasEnded(record: Rec): boolean;
}

/** @param pauseFor waits for milliseconds; returns whether a change cut it short. */
async function readUntil<Rec>(
  { read, holds, hasEnded: isOver }: Followed<Rec>,
  deadline: Moment,
  { transport, signal }: Pick<PlacementContext, 'transport' | 'signal'>,
  pauseFor: (ms: number) => Promise<boolean>,
): Promise<WaitResult<Rec>> {
  let last: Rec | undefined;
  for (let pause = FIRST_PAUSE_MS; ;) {
    signal?.throwIfAborted();
    const seen = await read().then(
      (order) => ({ order }),
      (error: BrokerageError) => ({ error }),
    );
    signal?.throwIfAborted();
    if ('order' in seen) {
      last = seen.order;
      if (holds(seen.order)) return { order: seen.order, reached: true, timedOut: false };
      if (isOver(seen.order)) return { order: seen.order, reached: false, timedOut: false };
    } else if (
      seen.error instanceof ServiceError &&
      seen.error.status >= 400 &&
      seen.error.status < 500 &&
      seen.error.status !== NOT_FOUND &&
      seen.error.status !== 429
    ) {
      return { order: last, reached: false, timedOut: false, error: seen.error };
    }
    const left = -transport.clock.since(deadline);
    if (left <= 0)
      return { order: last, reached: false, timedOut: true, ...('error' in seen ? { error: seen.error } : {}) };
    // The service may show a little later what its stream has told.
    pause = (await pauseFor(Math.min(pause, left))) ? FIRST_PAUSE_MS : Math.min(pause * 1.5, MAX_PAUSE_MS);
  }
}

/**
 * Waits for a status (see `WAIT_FOR`) of one order. What has filled is reached when its price is told, too; `accepted` is not about it.
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
  const holds = (order: OrderRecord): boolean => isReached(order, until);
  const isOver = (order: OrderRecord): boolean => hasEnded(order) && !isUnpricedFill(order);
  return await followUntil(orderId, { holds, hasEnded: isOver }, timeoutMs, context, follow);
}

/** Until when to wait for a basket: its entry is over and something is held, it was closed, or nothing of it trades any more. */
export const BASKET_WAIT_FOR = ['ended', 'entered', 'exited'] as const;
export type BasketWaitFor = (typeof BASKET_WAIT_FOR)[number];

const REACHED: Readonly<Record<BasketWaitFor, (basket: BasketRecord) => boolean>> = {
  ended: (basket) => !isBasketLive(basket),
  entered: (basket) => ['CLOSED', 'FILLED'].includes(basketStatusOf(basket)),
  exited: (basket) => basketStatusOf(basket) === 'CLOSED',
};

/**
 * One basket.
 * @param basketId decimal text.
 * @throws ServiceError 404 when there is none today; see `Placing.list`.
 */
export async function getBasket(
  basketId: string,
  { baskets, signal }: Pick<PlacementContext, 'baskets' | 'signal'>,
): Promise<BasketRecord> {
  const basket = (await baskets.list(signal)).find((basketRecord) => basketIdOf(basketRecord) === basketId);
  if (basket !== undefined) return basket;
  throw new ServiceError(`The service has no basket ${basketId} today.`, {
    status: NOT_FOUND,
    serviceText: '',
    hint: 'Check the id, and that it belongs to the environment of the credential.',
  });
}

/**
 * Reads a basket, at the pace of `waitUntil`, until a condition holds, nothing of it trades any more, or the deadline passes.
 * @param timeoutMs from now.
 * @throws the signal's reason, at once.
 */
export async function waitUntilBasket(
  basketId: string,
  holds: (basket: BasketRecord) => boolean,
  timeoutMs: number,
  context: PlacementContext,
): Promise<WaitResult<BasketRecord>> {
  const { clock } = context.transport;
  const followed = {
    read: async () => await getBasket(basketId, context),
    holds,
    hasEnded: (basket: BasketRecord) => !isBasketLive(basket),
  };
  return await readUntil(followed, clock.moment(timeoutMs), context, async (ms) => {
    await clock.sleep(ms, context.signal);
    return false;
  });
}

/** Waits for a status (see `BASKET_WAIT_FOR`) of one basket. @throws as `waitUntilBasket` */
export async function waitForBasket(
  basketId: string,
  until: BasketWaitFor,
  timeoutMs: number,
  context: PlacementContext,
): Promise<WaitResult<BasketRecord>> {
  return await waitUntilBasket(basketId, REACHED[until], timeoutMs, context);
}
