/**
 * Determines the certain size of a position. The service may show positions some seconds late
 * (docs/service/portfolio.md#positions-that-lag), and a position must not be closed twice. Positions and the orders of the day are
 * therefore read until they agree, and stay so.
 */
import type { Moment } from '../base/ports';
import type { BasketRecord } from '../endpoints/baskets';
import type { OrderRecord } from '../endpoints/orders';
import { BrokerageError, InputError, UnknownOutcomeError } from '../base/errors';
import type { Position } from '../portfolio/portfolio';
import type { SharedLock } from '../orders/account/shared-lock';
import { missingOrders, showsAllKnown } from '../orders/account/whole-list-reader';
import { basketIdOf, isBasketLive } from '../orders/model/basket-record';
import { hasEnded, orderIdOf, productOf, refIdOf, tagOf } from '../orders/model/order-record';
import { brokerageErrorOnly } from '../orders/placing/outcome';
import { identityOf } from '../orders/model/tags';
import {
  heldPositions,
  isCarried,
  positionKey,
  unclearNet,
  unknownProductBeside,
  type ClosablePosition,
  positionLabel,
} from './positions';
import { openUnits, type OpenUnits } from './open-orders';
import type { ClosingOrderRegistry } from './closing-order-registry';
import { readPositions, whyListIsWrong, type PositionContext } from './shown-positions';
import { smallerOfSameSign, type PositionSelection } from './closing-request';
import {
  hasLabel,
  isLegOf,
  isOrderOf,
  tradedUnits,
  unitsTowards,
  wasReduced,
  wasTraded,
  whyPositionUnclear,
} from './traded-quantity';

/** The context in which positions are closed: orders, and held quantities. */
export interface ClosingContext extends PositionContext {
  /** One for the whole process. */
  sentExits: ClosingOrderRegistry;
  /** Keeps two processes from changing one position at the same moment; undefined where there is only this process. */
  positionLock: SharedLock | undefined;
}

/** The part of a position that can be closed. */
export interface ReconciledPosition {
  /** Units, with the sign of the position: never more than is there. */
  net: number;
  /** True if the position and the orders of the day agreed, so that every earlier closing order is counted. */
  isCertain: boolean;
  /** Units, without a sign, that the positions or the orders of the day show as held, and the others cannot have led to. */
  unexplained: number;
  /** Units held apart from the trades of the day's orders; undefined if unknown. */
  beside: number | undefined;
  /** Units that are held, and that open orders would still trade, with their signs. */
  before: { held: number; open: number };
  /** Ids of the orders of the day on it that were counted: decimal texts. */
  orderIds: ReadonlySet<string>;
}

/** Lists that were read at the same moment. */
interface Reading {
  orders: readonly OrderRecord[];
  baskets: readonly BasketRecord[];
  positions: readonly Position[];
}

const PAUSE_MS = 1_000;
/** Time for which both must have agreed and stayed the same. */
const SURE_MS = 2_000;
/** Time for which both must have stayed the same if they cannot be compared and nothing of the day has reduced the position. */
const STILL_MS = 6_000;
/** Time without agreement after which the smaller of both counts. */
const DISAGREE_MS = 12_000;
/** Time after which every list shows earlier placements (docs/service/order-life.md#acknowledgement-and-result). */
const LISTED_MS = 4_000;
/** Time after which it is given up. */
const MAX_WAIT_MS = 25_000;
/** The same for a target, and where more may be shown than is there: for as long as a position may be shown late it must have stayed. */
const MAX_LATE_MS = 60_000;
const LATE_STILL_MS = 22_000;

/** One reading of one position. */
interface View {
  /** Units to close, with their sign; never more than either the position or the orders show. */
  net: number;
  kind: 'agrees' | 'differs' | 'incomparable';
  /** True if the service may still show the position before a reduction that the orders do not reveal. */
  mayBeLess: boolean;
  /** The same in two readings where nothing happened between them. */
  state: string;
  beside: number | undefined;
  /** As in `ReconciledPosition`; 0 if left out. */
  unexplained?: number;
  before: { held: number; open: number };
}

/**
 * Reads until the size of each position is known.
 * @param endOpen ends the open orders on them: lists may show an order or a basket late.
 * @returns by the key of the position: the closable quantity, or the error with the reason for an unknown size.
 * @throws any error of the reads after the last try; the signal's reason. Nothing is sent.
 */
export async function reconcilePosition(
  selection: readonly PositionSelection[],
  endOpen: () => Promise<void>,
  context: ClosingContext,
  isToSend?: () => void,
): Promise<Map<string, ReconciledPosition | BrokerageError>> {
  const { transport, signal } = context;
  const { clock } = transport;
  const since = clock.moment();
  const reconciled = new Map<string, ReconciledPosition | BrokerageError>();
  const steady = new Map<string, { state: string; since: Moment }>();
  for (;;) {
    signal?.throwIfAborted();
    const started = clock.moment();
    const waited = clock.since(since);
    const reading = await read(context).catch((error: unknown) => brokerageErrorOnly(error, signal));
    if (reading instanceof BrokerageError && waited > MAX_WAIT_MS) throw reading;
    let isOpen = false;
    for (const item of reading instanceof BrokerageError ? [] : selection) {
      const key = positionKey(item.position);
      if (reconciled.has(key)) continue;
      const view = wholeViewOf(item, reading as Reading, context);
      if ('error' in view) {
        steady.delete(key);
        isOpen ||= view.isOpen === true;
        if (waited > (view.isFinal ? LISTED_MS : MAX_WAIT_MS)) reconciled.set(key, view.error);
        continue;
      }
      const before = steady.get(key);
      const same = before?.state === view.state ? before : { state: view.state, since: started };
      steady.set(key, same);
      const still = clock.since(same.since) - clock.since(started);
      const { net, beside, kind, mayBeLess, unexplained = 0, before: start } = view;
      if (net !== 0) isToSend?.();
      const counted = (reading as Reading).orders.filter((order) => isOrderOf(order, item.position));
      const orderIds = new Set(counted.map(orderIdOf));
      const [stillFor, longest] =
        item.goal === undefined && !mayBeLess ? [STILL_MS, MAX_WAIT_MS] : [LATE_STILL_MS, MAX_LATE_MS];
      if (kind === 'agrees' && still >= SURE_MS)
        reconciled.set(key, { net, beside, isCertain: true, unexplained: 0, before: start, orderIds });
      else if (item.goal !== undefined && kind === 'differs') {
        // The smaller of both is no safe side for a target.
        if (waited > longest) reconciled.set(key, notReconciled(item.position, whyDiffers(item, reading as Reading)));
      } else if (still >= (kind === 'incomparable' ? stillFor : DISAGREE_MS))
        reconciled.set(key, { net, beside, isCertain: false, unexplained, before: start, orderIds });
      else if (waited > longest) reconciled.set(key, notReconciled(item.position, 'it changes all the time'));
    }
    if (selection.every(({ position }) => reconciled.has(positionKey(position)))) return reconciled;
    if (isOpen) await endOpen();
    await clock.sleep(PAUSE_MS, signal);
  }
}

/** Returns the reason, in words that follow "because", for which a position is not what its orders come to. */
function whyDiffers({ position }: PositionSelection, { orders, positions }: Reading): string {
  const order = orders.find((candidate) => refIdOf(candidate) === position.refId && productOf(candidate) === undefined);
  return (
    unknownProductBeside(heldPositions(positions), position) ??
    (order === undefined
      ? 'its position and its orders do not agree'
      : `its position and its orders do not agree, and the product of order ${orderIdOf(order)} is not known here`)
  );
}

async function read(context: ClosingContext): Promise<Reading> {
  const { orders, baskets, signal } = context;
  const [listed, ofBaskets] = await Promise.all([orders.list(signal, 'marked'), baskets.list(signal, 'marked')]);
  // After the lists: what they show as filled may be in it, and not the other way round.
  return { orders: listed, baskets: ofBaskets, positions: await readPositions(context) };
}

/** Fields by which an error names a position. */
type Named = Pick<ClosablePosition, 'symbol' | 'refId' | 'product'>;

/** Returns the error of a position that was not closed. @param why in words, after "because". */
export function notReconciled(
  position: Named,
  why: string,
  hint = 'Look at its orders, and run it again.',
): InputError {
  return new InputError(`${positionLabel(position)} was not changed, because ${why}.`, {
    hint: `Nothing was sent to change it. ${hint}`,
  });
}

/**
 * Returns the error of a position that may still be open in part.
 * @param units with their sign. @param why in words, after a colon.
 */
function mayBeLeft(position: ClosablePosition, units: number, why: string): InputError {
  return new InputError(`${Math.abs(units)} of ${positionLabel(position)} may still be open: ${why}.`, {
    hint: 'Look at Portfolio: Get Positions, and run it again.',
  });
}

/** Returns the error of a position that a list does not show any more, although the orders that were sent have not closed all of it. */
export const notShown = (position: ClosablePosition, units: number): InputError =>
  mayBeLeft(position, units, 'the list of positions does not show them, and no order has closed them');

/** Returns the error where the list shows more of a position than the orders of the day lead to: only these were closed. */
export const shownBeyondOrders = (position: ClosablePosition, units: number): InputError =>
  mayBeLeft(position, units, 'the list of positions shows more than the orders of the day lead to');

const LACKED = "Run it again when Portfolio: Get Positions shows it, or look in your broker's app.";

const EMPTY_LIST = 'the list of positions is empty, and the orders of the day have traded it';

/** Returns true if the orders of the day do not add up to nothing of a position, with what is known from earlier days. */
function isUnlisted(
  orders: readonly OrderRecord[],
  position: ClosablePosition,
  { sentExits, scope }: ClosingContext,
): boolean {
  const beside = sentExits.besideOf(scope, positionKey(position)) ?? 0;
  return wasTraded(orders, position) && beside + (tradedUnits(orders, position) ?? 0) !== 0;
}

/** A position that must not be closed now. `isFinal`: waiting does not help once the lists show everything. */
interface Blocked {
  error: BrokerageError;
  isFinal: boolean;
  /** An order or a basket on it lives. */
  isOpen?: true;
}

/**
 * Returns the view, unless the list of orders lacks one that is known and absence would count: a target buys what is lacking, and a position
 * that shows nothing counts as closed. Of any other only what both lists show is closed.
 */
function wholeViewOf(item: PositionSelection, reading: Reading, context: ClosingContext): View | Blocked {
  const view = viewOf(item, reading, context);
  if ('error' in view || (item.goal === undefined && view.net !== 0)) return view;
  const missing = missingOrders(reading.orders, context)[0];
  if (missing === undefined) return view;
  const why = `the list of orders lacks order ${missing.id}, which was placed today`;
  return { error: notReconciled(item.position, why), isFinal: false };
}

function viewOf(
  { position, label, goal }: PositionSelection,
  { orders, baskets, positions }: Reading,
  context: ClosingContext,
): View | Blocked {
  const unseen = unseenExit(position, orders, context);
  if (unseen !== undefined) {
    const error = new UnknownOutcomeError(
      `${positionLabel(position)} was not closed now: it is not known yet whether an earlier order closed it.`,
      {
        tag: unseen,
        hint: `Look for the tag ${unseen} in the order list or in your broker's app before you close it.`,
      },
    );
    return { error, isFinal: false };
  }
  const whyUnclear = whyPositionUnclear(orders, position, baskets);
  if (whyUnclear !== undefined) return { error: notReconciled(position, whyUnclear), isFinal: true };
  const open: OpenUnits = goal?.countsOpen === true ? openUnits(orders, position) : { units: 0 };
  if (open.why !== undefined)
    return {
      error: notReconciled(position, open.why, 'Cancel that order first, or choose Cancel First in Open Orders.'),
      isFinal: true,
    };
  const live =
    goal?.countsOpen === true
      ? undefined
      : orders.find((order) => isOrderOf(order, position) && hasLabel(order, label) && !hasEnded(order));
  if (live !== undefined)
    return {
      error: notReconciled(position, `order ${orderIdOf(live)} on it is still open`),
      isFinal: false,
      isOpen: true,
    };
  const legOf = baskets.filter((basket) => isLegOf(basket, position));
  const basket = legOf.find(isBasketLive);
  if (basket !== undefined) {
    const why = `basket ${basketIdOf(basket)} still holds it: it has not ended, or also holds positions that are not to be closed`;
    return { error: notReconciled(position, why), isFinal: true, isOpen: true };
  }
  const held = heldPositions(positions).find((heldPosition) => positionKey(heldPosition) === positionKey(position));
  const lacked = held === undefined ? whyListIsWrong(position, { orders, baskets, positions }, context) : undefined;
  if (lacked !== undefined) return { error: notReconciled(position, lacked, LACKED), isFinal: false };
  const shown = held === undefined ? 0 : held.net;
  if (positions.length === 0 && isCarried(position) && isUnlisted(orders, position, context))
    return { error: notReconciled(position, EMPTY_LIST, LACKED), isFinal: false };
  if (shown === undefined) return { error: notReconciled(position, unclearNet(held ?? {})), isFinal: false };
  const traded = tradedUnits(orders, position);
  const mine = label === undefined ? undefined : tradedUnits(orders, position, label);
  const state = JSON.stringify([shown, traded, mine, open.units]);
  const before = { held: shown, open: open.units };
  const ofLabel =
    goal !== undefined
      ? shown + open.units - goal.units
      : label === undefined
        ? shown
        : smallerOfSameSign(shown, mine ?? 0);
  if (traded === undefined)
    return { net: ofLabel, kind: 'incomparable', mayBeLess: true, state, beside: undefined, before };
  const isMore = isCarried(position) || legOf.length > 0;
  const beside = isMore ? context.sentExits.besideOf(context.scope, positionKey(position)) : 0;
  if (beside === undefined) {
    // Nothing was traded: what is there is from earlier days.
    const isUntouched = legOf.length === 0 && !wasTraded(orders, position);
    const mayBeLess = legOf.length > 0 || wasReduced(orders, position, shown);
    const kind = isUntouched ? 'agrees' : 'incomparable';
    return { net: ofLabel, kind, mayBeLess, state, beside: shown - traded, before };
  }
  if (shown === beside + traded) return { net: ofLabel, kind: 'agrees', mayBeLess: false, state, beside, before };
  const net = smallerOfSameSign(ofLabel, beside + traded);
  // A position may be shown late; one that no order of the day can have led to shows that the list lacks orders.
  const lacking = Math.max(0, Math.abs(shown - beside) - unitsTowards(orders, position, shown - beside));
  const shownBeyond = net === 0 ? 0 : Math.abs(ofLabel) - Math.abs(net);
  const unexplained = lacking === 0 && net === 0 ? Math.abs(beside + traded) : Math.max(lacking, shownBeyond);
  return { net, kind: 'differs', mayBeLess: false, state, beside, unexplained, before };
}

/** The tag of an order to close it that this process sent, and that the list does not show yet. */
function unseenExit(
  position: ClosablePosition,
  orders: readonly OrderRecord[],
  context: ClosingContext,
): string | undefined {
  const { placements, scope, sentExits } = context;
  for (const tag of sentExits.tagsOf(scope, positionKey(position))) {
    const placement = placements.get(scope, tag);
    if (placement === undefined) continue;
    const record = orders.find((order) => identityOf(tagOf(order)) === identityOf(tag));
    if (record === undefined) {
      if (placements.isLost(placement, showsAllKnown(orders, context))) continue;
      return tag;
    }
    if (placement.state === 'unknown') placements.placed(scope, tag, record);
  }
  return undefined;
}
