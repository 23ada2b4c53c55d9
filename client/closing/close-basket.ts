/**
 * Closes a basket at once. The older interface does it by itself. With intent orders a strategy whose exits live is given an
 * exit time, so that the service closes it as its own part; any other is closed by the opposite strategy, once, under a tag
 * that belongs to the basket. A repeat closes nothing twice.
 */
import type { BasketRecord } from '../endpoints/baskets';
import { BrokerageError, InputError } from '../base/errors';
import type { BasketTerms } from '../orders/model/basket-terms';
import { changeBasket, isHeld, type BasketResult } from '../orders/changing/change-basket';
import type { ServiceRequest } from '../orders/api/order-api';
import type { TradedInstrument } from '../orders/model/order-terms';
import type { Outcome } from '../orders/placing/outcome';
import { placeBasket } from '../orders/placing/place';
import { basketIdOf, basketProductOf, basketStatusOf, isBasketLive, legsOf } from '../orders/model/basket-record';
import { requireKnownBasket } from '../orders/model/known-words';
import { filledQuantityOf, isIntent, sideOf, tagOf, validityOf } from '../orders/model/order-record';
import { identityOf, tagFrom } from '../orders/model/tags';
import { getNewBasket } from '../orders/placing/read-new-order';
import { hasEntered, waitUntilBasket } from '../orders/placing/wait-for-basket';
import type { MoneyUnit } from '../values/money';
import {
  positionKey,
  unknownProductBeside,
  whyNotClosable,
  type ClosablePosition,
  type HeldPosition,
} from './positions';
import { notReconciled, reconcilePosition, type ClosingContext } from './reconcile-position';
import type { PositionSelection } from './closing-request';
import { LATE_MS, readAllHeld } from './shown-positions';

/** The terms on which a basket is closed. */
export interface BasketClosing {
  /** Exchange of its legs. */
  exchange: string;
  /** Milliseconds to wait for the end; 0 for the acknowledgement only. */
  waitMs: number;
  unit: MoneyUnit;
  /** The instrument of each leg, in the order of the record. @throws InputError for one that no longer trades */
  instrumentsOf(basket: BasketRecord): Promise<readonly TradedInstrument[]>;
  /** Called with the opposite strategy at once. */
  placed(outcome: Outcome<BasketRecord>): void;
}

/** A closed basket. */
export interface ClosedBasket extends BasketResult {
  /** The strategy that closed it, if one was needed. */
  closedBy?: BasketRecord;
}

/** Minimum time to wait for a step to end before the next order is sent. */
const MIN_WAIT_MS = 10_000;

const isOver = (basket: BasketRecord): boolean => !isBasketLive(basket) && !isHeld(basket);

/** Returns true if the service can close the basket by itself. */
function closesItself(basket: BasketRecord): boolean {
  return !isIntent(basket) || (isHeld(basket) && isBasketLive(basket) && validityOf(basket) !== 'GTE');
}

/**
 * Returns the first request that closing a basket would send now.
 * @returns undefined if it is closed or was cancelled already.
 * @throws InputError for one that is being entered; any error of `instrumentsOf`.
 */
export async function closingRequest(
  basket: BasketRecord,
  closing: Pick<BasketClosing, 'exchange' | 'instrumentsOf'>,
  context: Pick<ClosingContext, 'baskets' | 'transport' | 'scope'>,
): Promise<ServiceRequest | undefined> {
  const { baskets, transport } = context;
  if (isOver(basket)) return undefined;
  if (closesItself(basket)) return baskets.close(basket, closing.exchange, transport.marketClock.now());
  requireNotEntering(basket);
  if (isBasketLive(basket)) return baskets.end(basket, closing.exchange);
  const terms = oppositeOf(basket, await closing.instrumentsOf(basket));
  return await baskets.place({ terms, tag: closingTag(basket, context.scope) });
}

/**
 * Closes a basket: what has not entered is cancelled, what has is sold or bought back at the market.
 * @param basketId decimal text.
 * @throws ServiceError 404 for a basket that is not there; InputError for one that is being entered, or whose legs are no
 *   longer held; UnknownOutcomeError when no clear answer came; see `Transport.call`.
 */
export async function closeBasket(
  basketId: string,
  closing: BasketClosing,
  context: ClosingContext,
): Promise<ClosedBasket> {
  return await context.placements.alone(context.scope, [`close basket ${basketId}`], async () => {
    const basket = await getNewBasket(basketId, context);
    if (isOver(basket)) return { result: 'done', basket };
    return closesItself(basket)
      ? await exitBasket(basket, closing, context)
      : await endAndClose(basket, closing, context);
  });
}

/** Asks the service to close it. */
async function exitBasket(
  basket: BasketRecord,
  { exchange, waitMs }: BasketClosing,
  context: ClosingContext,
): Promise<ClosedBasket> {
  const request = context.baskets.close(basket, exchange, context.transport.marketClock.now());
  return await changeBasket(basket, request, { what: 'closed', isDone: isOver }, waitMs, context);
}

/** Ends what lives of it. What it holds then, or has entered meanwhile, is closed. */
async function endAndClose(
  basket: BasketRecord,
  closing: BasketClosing,
  context: ClosingContext,
): Promise<ClosedBasket> {
  requireNotEntering(basket);
  if (!isBasketLive(basket)) return await placeOpposite(basket, closing, context);
  const request = context.baskets.end(basket, closing.exchange);
  const hadEntered = isHeld(basket);
  const isDone = (basketRecord: BasketRecord): boolean =>
    !isBasketLive(basketRecord) || (!hadEntered && isHeld(basketRecord));
  const input = { what: 'closed', isDone };
  const ended = await changeBasket(basket, request, input, Math.max(closing.waitMs, MIN_WAIT_MS), context);
  if (ended.result !== 'done' || isOver(ended.basket)) return ended;
  return closesItself(ended.basket)
    ? await exitBasket(ended.basket, closing, context)
    : await placeOpposite(ended.basket, closing, context);
}

/** Checks that a basket is not entering. @throws InputError while some of its legs are filled: its final holding is unknown. */
function requireNotEntering(basket: BasketRecord): void {
  if (isHeld(basket) || legsOf(basket).every((leg) => filledQuantityOf(leg) === 0)) return;
  throw new InputError(
    `Basket ${basketIdOf(basket)} is ${basketStatusOf(basket)}, and some of its legs are filled: it is being entered. Nothing was sent.`,
    {
      parameter: 'basketId',
      hint: 'Wait until it has entered (Wait for Status), then close it; or cancel it, and close its legs by Portfolio: Exit Position.',
    },
  );
}

/** The tag of what closes a basket: the same whenever, and wherever, it is tried again. */
const closingTag = (basket: BasketRecord, scope: string): string =>
  tagFrom('close', { kind: 'key', key: `close basket ${basketIdOf(basket)}` }, scope);

/** @throws UnreadableReplyError where the basket's product, or the side of a leg, is not known */
function oppositeOf(basket: BasketRecord, instruments: readonly TradedInstrument[]): BasketTerms {
  requireKnownBasket(basket, 'closed');
  return {
    name: `Close ${basketIdOf(basket)}`,
    legs: legsOf(basket).map((leg, index) => ({
      instrument: instruments[index]!,
      side: sideOf(leg) === 'BUY' ? 'SELL' : 'BUY',
      quantity: filledQuantityOf(leg),
    })),
    side: 'BUY',
    product: basketProductOf(basket) ?? 'CNC',
    priceType: 'MARKET',
    multiplier: 1,
  };
}

async function placeOpposite(
  basket: BasketRecord,
  closing: BasketClosing,
  context: ClosingContext,
): Promise<ClosedBasket> {
  const terms = oppositeOf(basket, await closing.instrumentsOf(basket));
  const tag = closingTag(basket, context.scope);
  const listed = await context.baskets.list(context.signal);
  if (!listed.some((basketRecord) => identityOf(tagOf(basketRecord)) === identityOf(tag)))
    await requireHeld(basket, terms, context);
  const request = { terms, tag, keyed: true, isRepeat: true, guards: [], unit: closing.unit };
  // Whichever node closes it, on whichever worker.
  const { positionLock: keyLock = context.keyLock } = context;
  const outcome = await placeBasket(request, { ...context, ...(keyLock === undefined ? {} : { keyLock }) });
  closing.placed(outcome);
  if ('error' in outcome) throw outcome.error;
  if (outcome.outcome !== 'confirmed') throw new Error('a basket is closed without a dry run');
  const waited = await waitUntilBasket(outcome.id, hasEntered, closing.waitMs, context);
  const closedBy = waited.order ?? outcome.record;
  if (!waited.reached && !isBasketLive(closedBy))
    throw new InputError(
      `Basket ${outcome.id}, which was placed to close basket ${basketIdOf(basket)}, is ${basketStatusOf(closedBy)}.`,
      { parameter: 'basketId', hint: 'Portfolio: Exit Position closes what is left of its legs.' },
    );
  return { result: waited.reached ? 'done' : 'requested', basket, closedBy };
}

/** Checks that the legs are held. @throws InputError if a leg is not held as the basket has entered it: something else has closed it. */
async function requireHeld(
  basket: BasketRecord,
  { legs, product }: BasketTerms,
  context: ClosingContext,
): Promise<void> {
  const held = await heldLegs(legs, product, context);
  const selection: PositionSelection[] = [];
  for (const { instrument } of legs) {
    const position = held.find(
      (heldPosition) => heldPosition.refId === instrument.refId && heldPosition.product === product,
    );
    if (position === undefined) {
      const why = unknownProductBeside(held, instrument);
      if (why === undefined) throw notHeld(basket, instrument);
      throw notReconciled({ ...instrument, product }, why);
    }
    const reason = whyNotClosable(position);
    if (reason !== undefined) throw notReconciled(position as ClosablePosition, reason);
    selection.push({ position: position as ClosablePosition });
  }
  const reconciled = await reconcilePosition(selection, async () => undefined, context);
  for (const [index, { position }] of selection.entries()) {
    const confirmed = reconciled.get(positionKey(position))!;
    if (confirmed instanceof BrokerageError) throw confirmed;
    const { side, quantity, instrument } = legs[index]!;
    if ((side === 'SELL' ? confirmed.net : -confirmed.net) < quantity) throw notHeld(basket, instrument);
  }
}

/** Reads what is held until all legs are among it, or for as long as a list may lack one. @throws any error of the reads */
async function heldLegs(
  legs: BasketTerms['legs'],
  product: string,
  context: ClosingContext,
): Promise<readonly HeldPosition[]> {
  const { clock } = context.transport;
  const began = clock.moment();
  for (;;) {
    const held = await readAllHeld(context);
    const isThere = ({ instrument: { refId } }: BasketTerms['legs'][number]): boolean =>
      held.some((position) => position.refId === refId && position.product === product);
    if (legs.every(isThere) || clock.since(began) >= LATE_MS) return held;
  }
}

function notHeld(basket: BasketRecord, { symbol }: TradedInstrument): InputError {
  return new InputError(
    `Basket ${basketIdOf(basket)} was not closed: you no longer hold the leg ${symbol} with the quantity and side that the basket entered. Nothing was sent.`,
    { parameter: 'basketId', hint: 'Portfolio: Exit Position closes what is left of its legs.' },
  );
}
