/**
 * Ends baskets that manage positions to close, so that they trade no later. The older interface exits them; with intent orders their exits
 * are removed, and their legs are closed as any position. A basket stays open if one of its legs is not among the requested positions.
 */
import type { BasketRecord } from '../endpoints/baskets';
import { BrokerageError, UnreadableReplyError } from '../base/errors';
import { sendChange } from '../orders/changing/send-change';
import { brokerageErrorOnly, classifyFailure, unknownChange } from '../orders/placing/outcome';
import type { PlacementContext } from '../orders/account/placement-context';
import { basketIdOf, isBasketLive, legsOf } from '../orders/model/basket-record';
import { exchangeOf, filledQuantityOf } from '../orders/model/order-record';
import { isUnreadable } from '../orders/model/record-units';
import { textFrom } from '../values/record';
import { positionKey } from './positions';
import type { ClosingContext } from './reconcile-position';
import { readAllHeld, type PositionContext } from './shown-positions';
import { isLegOf } from './traded-quantity';
import type { CloseRequest } from './closing-request';

/** A basket that was asked to end. */
export interface ExitedBasket {
  basketId: string;
  /** `done`: nothing of it lives. `open`: it may live. */
  result: 'done' | 'open';
  /** The reason for which it may still be open. */
  error?: BrokerageError;
  /** Returns true if the basket holds a position. */
  holds(request: CloseRequest): boolean;
}

const PAUSE_MS = 1_000;
/** An exit of several legs takes longer than that of an order. */
const MIN_WAIT_MS = 20_000;

/**
 * Returns the open baskets on positions whose legs are all requested or not held.
 * @throws any error of the reads.
 */
export async function basketsToExit(
  requests: readonly CloseRequest[],
  context: PositionContext,
): Promise<BasketRecord[]> {
  const whole = requests.filter(({ label }) => label === undefined);
  const listed = await context.baskets.list(context.signal, 'marked');
  const live = listed.filter(
    (basket) =>
      !isUnreadable(basket) && isBasketLive(basket) && whole.some(({ position }) => isLegOf(basket, position)),
  );
  if (live.length === 0) return [];
  const selection = new Set(whole.map(({ position }) => positionKey(position)));
  const otherPositions = (await readAllHeld(context)).filter(
    (heldPosition) => !selection.has(positionKey(heldPosition)),
  );
  return live.filter((basket) => !otherPositions.some((other) => isLegOf(basket, other)));
}

/**
 * Ends baskets, each asked for once, and waits until nothing of them lives.
 * @param asked the ids of those that were asked before; these are added.
 * @param waitMs milliseconds to wait, 20 seconds at least.
 * @returns the result for each. What the service or the network did to one of them is never thrown.
 * @throws what the first reads throw; the signal's reason.
 */
export async function exitBaskets(
  requests: readonly CloseRequest[],
  requested: Set<string>,
  waitMs: number,
  context: ClosingContext,
): Promise<ExitedBasket[]> {
  const baskets = (await basketsToExit(requests, context)).filter((basket) => !requested.has(basketIdOf(basket)));
  for (const basket of baskets) requested.add(basketIdOf(basket));
  return await endBaskets(
    baskets.map((basket) => {
      const own = requests.find(({ position }) => isLegOf(basket, position));
      return { basket, exchange: exchangeIn(basket) || (own?.instrument.exchange ?? '') };
    }),
    waitMs,
    context,
  );
}

/** The exchange of a basket's legs; '' if they have none. */
const exchangeIn = (basket: BasketRecord): string => legsOf(basket).map(exchangeOf).find(Boolean) ?? '';

/**
 * Cancels baskets that have not traded yet: they could enter later.
 * @param waitMs milliseconds to wait, 20 seconds at least.
 * @returns the result for each, as `exitBaskets`. A basket that enters meanwhile is exited by the older interface.
 * @throws any error of the first read; the signal's reason.
 */
export async function cancelWaitingBaskets(waitMs: number, context: PlacementContext): Promise<ExitedBasket[]> {
  const live = (await context.baskets.list(context.signal, 'marked')).filter(isBasketLive);
  const waiting = live.filter(
    (basket) => !isUnreadable(basket) && legsOf(basket).every((leg) => filledQuantityOf(leg) === 0),
  );
  const ended = await endBaskets(
    waiting.map((basket) => ({ basket, exchange: exchangeIn(basket) })),
    waitMs,
    context,
  );
  return [...ended, ...live.filter(isUnreadable).map(leftAsItIs)];
}

/** Returns the result for a basket that contradicts itself: it may have traded. */
function leftAsItIs(basket: BasketRecord): ExitedBasket {
  const error = new UnreadableReplyError(`${textFrom(basket.unreadable_reason)} It was not cancelled.`, {
    hint: "Look at it in your broker's app, and cancel it there if it has not traded.",
  });
  return { basketId: basketIdOf(basket), result: 'open', error, holds: ({ position }) => isLegOf(basket, position) };
}

async function endBaskets(
  listedBaskets: readonly { basket: BasketRecord; exchange: string }[],
  waitMs: number,
  context: PlacementContext,
): Promise<ExitedBasket[]> {
  const { transport, baskets, signal } = context;
  const { clock } = transport;
  const exited: ExitedBasket[] = [];
  for (const { basket, exchange } of listedBaskets) {
    signal?.throwIfAborted();
    const basketId = basketIdOf(basket);
    const error = await sendChange(baskets.end(basket, exchange), context).then(
      () => undefined,
      (failure: unknown) =>
        classifyFailure(failure) === 'unknown'
          ? unknownChange(`basket ${basketId}`, 'cancelled', failure)
          : brokerageErrorOnly(failure, signal),
    );
    const holds = ({ position }: CloseRequest): boolean => isLegOf(basket, position);
    exited.push({ basketId, result: 'open', holds, ...(error === undefined ? {} : { error }) });
  }
  const deadline = clock.moment(Math.max(waitMs, MIN_WAIT_MS));
  while (exited.some(({ result }) => result === 'open') && clock.since(deadline) < 0) {
    await clock.sleep(PAUSE_MS, signal);
    const listed = await baskets.list(signal, 'marked').catch((error: unknown) => brokerageErrorOnly(error, signal));
    if (listed instanceof BrokerageError) continue;
    for (const exitedBasket of exited) {
      const now = listed.find((basket) => basketIdOf(basket) === exitedBasket.basketId);
      if (now !== undefined && !isBasketLive(now)) exitedBasket.result = 'done';
    }
  }
  return exited;
}
