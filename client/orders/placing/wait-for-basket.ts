/** One basket of the day, and waiting for what becomes of it. */
import type { BasketRecord } from '../../endpoints/baskets';
import { ServiceError } from '../../base/errors';
import type { PlacementContext } from '../account/placement-context';
import { basketIdOf, basketStatusOf, hasUnpricedLeg, isBasketLive } from '../model/basket-record';
import { readUntil, type WaitResult } from './read-until';
import { requireReadable } from '../model/record-units';

/** Until when to wait for a basket: its entry is over and something is held, it was closed, or nothing of it trades any more. */
export const BASKET_WAIT_FOR = ['ended', 'entered', 'exited'] as const;
export type BasketWaitFor = (typeof BASKET_WAIT_FOR)[number];

/** Returns true if the entry of a basket is over and it holds, or has held, all of its legs. */
export function hasEntered(basket: BasketRecord): boolean {
  return ['CLOSED', 'FILLED'].includes(basketStatusOf(basket));
}

const REACHED: Readonly<Record<BasketWaitFor, (basket: BasketRecord) => boolean>> = {
  ended: (basket) => !isBasketLive(basket),
  entered: hasEntered,
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
  const listed = await baskets.list(signal, 'marked');
  const basket = listed.find((basketRecord) => basketIdOf(basketRecord) === basketId);
  if (basket !== undefined) {
    requireReadable(basket);
    return basket;
  }
  throw new ServiceError(`The service has no basket ${basketId} today.`, {
    status: 404,
    serviceText: '',
    hint: 'Check the id, and that it belongs to the environment of the credential.',
  });
}

/**
 * Reads a basket, at the pace of `waitUntil`, until a condition holds, nothing of it trades any more, or the deadline passes.
 * @param timeoutMs from now. @param hasEnded whether nothing more can come of it.
 * @throws the signal's reason, at once.
 */
export async function waitUntilBasket(
  basketId: string,
  holds: (basket: BasketRecord) => boolean,
  timeoutMs: number,
  context: PlacementContext,
  hasEnded: (basket: BasketRecord) => boolean = (basket) => !isBasketLive(basket),
): Promise<WaitResult<BasketRecord>> {
  const { clock } = context.transport;
  const followed = { id: basketId, holds, hasEnded, deadline: clock.moment(timeoutMs) };
  const read = async (): Promise<ReadonlyMap<string, BasketRecord>> =>
    new Map([[basketId, await getBasket(basketId, context)]]);
  const [end] = await readUntil([followed], read, context, async (ms) => {
    await clock.sleep(ms, context.signal);
    return false;
  });
  return end!;
}

/** Waits for a status (see `BASKET_WAIT_FOR`) of one basket, and for the prices of what its legs have filled. @throws as `waitUntilBasket` */
export async function waitForBasket(
  basketId: string,
  until: BasketWaitFor,
  timeoutMs: number,
  context: PlacementContext,
): Promise<WaitResult<BasketRecord>> {
  const isReached = (basket: BasketRecord): boolean => REACHED[until](basket) && !hasUnpricedLeg(basket);
  const isOver = (basket: BasketRecord): boolean => !isBasketLive(basket) && !hasUnpricedLeg(basket);
  return await waitUntilBasket(basketId, isReached, timeoutMs, context, isOver);
}
