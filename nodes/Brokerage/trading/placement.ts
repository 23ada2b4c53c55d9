/**
 * Passes an item's order or basket to the client, once, with the facts that only n8n knows. Notes the results: a later error names the
 * orders placed before.
 */
import { attempt } from '../../../client/attempt';
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { OrderRecord } from '../../../client/endpoints/orders';
import { BrokerageError, UnknownOutcomeError } from '../../../client/base/errors';
import type { BasketTerms } from '../../../client/orders/model/basket-terms';
import type { Guards } from '../../../client/orders/model/guard-settings';
import type { OrderTerms } from '../../../client/orders/model/order-terms';
import { exitTagOf } from '../../../client/exit-emulation/exit-tag';
import { classifyFailure, type Outcome } from '../../../client/orders/placing/outcome';
import { placeBasket, placeOrder } from '../../../client/orders/placing/place';
import { placeSliced } from '../../../client/orders/placing/place-sliced';
import type { OrderRequest, PlacementContext } from '../../../client/orders/account/placement-context';
import { requireTrading } from '../../../client/orders/guards/kill-switch';
import { tradingScope } from '../../../client/orders/model/tags';
import { keyLockOf } from '../../shared/keyLocks';
import { placedTodayOf } from '../../shared/placedToday';
import { accountScopes, addressChecks, placements } from '../../shared/placements';
import { isRetried } from '../../host/execution';
import { accountOf } from '../../shared/accountApi';
import { priceUnitOf } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import type { RunContext } from '../common/runContext';
import { saveRecord } from './executionRecord';
import { causeOf } from './executionCause';
import { stepIdentityFor, isRepeat, requireOwnKey, type CausedContext } from './idempotency';
import { keySourceOf } from './idempotencyKey';

/**
 * Returns the context in which the orders of the credential's account are read and cancelled: by their ids, whatever the account is called.
 */
export async function orderContext(run: RunContext): Promise<PlacementContext> {
  const service = await run.service();
  const { transport, orders, baskets } = accountOf(service);
  return {
    transport,
    orders,
    baskets,
    background: accountOf({ ...service, transport: service.backgroundTransport }),
    placements,
    keyLock: keyLockOf(run.functions),
    placedToday: placedTodayOf(run.functions, transport.marketClock),
    scope: tradingScope(service.credential),
    environment: service.connection.environment,
    requireTrading: async () => requireTrading(await service.store.readStored()),
    signal: run.signal,
  };
}

/**
 * Returns the context in which the orders of the credential's account are placed and changed.
 * @throws any error of reading the account: then nothing was sent.
 */
export async function placementContext(run: RunContext): Promise<CausedContext> {
  const { credential, transport } = await run.service();
  const scope = await attempt(accountScopes.of(credential, transport, run.signal));
  if (!scope.ok) throw withoutAccount(scope.error, run);
  const context = await orderContext(run);
  const isChecked = context.environment === 'live' && credential.checkStaticIp !== false;
  return {
    ...context,
    cause: await causeOf(run),
    scope: scope.value,
    ...(scope.value === context.scope ? {} : { formerScope: context.scope }),
    ...(isChecked
      ? { requireAddress: async () => await addressChecks.require(scope.value, transport, run.signal) }
      : {}),
  };
}

/** Returns the error for an unreadable account: an earlier try, or one with the same key, may have placed the order. */
function withoutAccount(error: unknown, run: RunContext): unknown {
  const isKeyed = run.holds('options', 'idempotencyKey');
  if (run.signal?.aborted || !(error instanceof BrokerageError)) return error;
  if (classifyFailure(error) === 'refused' && !isRetried(run.functions)) return error;
  if (!isKeyed && !isRepeat(run)) return error;
  return new UnknownOutcomeError(
    `Nothing was sent now, and it is not known whether an earlier try placed it: the account could not be read. ${error.message}`,
    { tag: '', hint: 'Run it again when the service answers: what is there is not placed again.', cause: error },
  );
}

/** The order or basket of an item. */
interface PlacementInput<Terms> {
  terms: Terms;
  guards: readonly Guards[];
  /** The part that counts for a key, if the terms are calculated from prices that change before a retry; the terms if left out. */
  asked?: object;
  /** The reason for which it must not be placed now; earlier placements are found nevertheless. */
  refusal?: BrokerageError;
  /** Returns true if the day's list, read right before sending, shows only what was counted; nothing is asked if left out. */
  isUnchanged?: OrderRequest['isUnchanged'];
  /** Part of several orders of one item: "entry", "stop", or a number. Each has a separate tag. */
  part?: string;
}

/** An item's order, as the client takes it. @throws InputError (parameters `tag`, `idempotencyKey`) */
export function orderRequest(
  item: ItemContext,
  { terms, guards, part, refusal, isUnchanged, asked: requested = terms }: PlacementInput<OrderTerms>,
  context: CausedContext,
): OrderRequest {
  const unit = priceUnitOf(item);
  const label = terms.kept && exitTagOf(terms.kept);
  const identity = stepIdentityFor(item, requested, 'order', context, part, label);
  const checks = { ...(refusal && { refusal }), ...(isUnchanged && { isUnchanged }) };
  return { terms, guards, unit, ...identity, ...checks };
}

/** An outcome with which an item goes on. */
export type ConfirmedOutcome<Rec = OrderRecord> = Extract<Outcome<Rec>, { outcome: 'confirmed' | 'dryRun' }>;

/**
 * Notes what was placed for an item, or may have been, before anything else is sent: an error of the run names it, and where
 * the execution is stopped and its output is lost, the execution's custom data and n8n's log do.
 */
export function recordOutcome<Rec>(item: ItemContext, outcome: Outcome<Rec>): void {
  recordOutcomes(item.run, [{ item, outcome }]);
}

/** As `recordOutcome`, for what was placed at the same time. */
export function recordOutcomes<Rec>(
  run: RunContext,
  ends: readonly { item: ItemContext; outcome: Outcome<Rec> }[],
): void {
  const before = run.placed.length + run.unclear.length;
  for (const { item, outcome } of ends) {
    if (outcome.outcome === 'confirmed') run.placed.push({ itemIndex: item.index, id: outcome.id });
    else if (outcome.outcome === 'unknown') run.unclear.push({ itemIndex: item.index, tag: outcome.tag });
  }
  if (run.placed.length + run.unclear.length > before) saveRecord(run);
  for (const { item, outcome } of ends) logOutcome(item, outcome);
  hintAtKeys(run, ends);
}

/**
 * Says in the output, once, that the key of an order is none of an alert: that the next one finds this order, or has found one. A fixed key may be
 * meant (one order a day), so that it is told only where it kept an order from being placed.
 */
function hintAtKeys<Rec>(run: RunContext, ends: readonly { item: ItemContext; outcome: Outcome<Rec> }[]): void {
  if (hinted.has(run)) return;
  for (const { item, outcome } of ends) {
    if (outcome.outcome !== 'confirmed' || !run.holds('options', 'idempotencyKey') || isRepeat(run)) continue;
    const source = keySourceOf(item);
    if (source === 'data' || (source === 'fixed' && !outcome.alreadyPlaced)) continue;
    hinted.add(run);
    const message = outcome.alreadyPlaced ? FOUND_BY_SAME_KEY : FOUND_NEXT_TIME;
    run.functions.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
    return;
  }
}

const hinted = new WeakSet<RunContext>();
const FOUND_BY_SAME_KEY =
  'Nothing was placed: an earlier run today had the same Idempotency Key, and each run of this step has it. If this run has another cause, such as another alert, take the key from its data: {{ $json.body.id }}.';
const FOUND_NEXT_TIME =
  'The Idempotency Key is made of the number of the item or run alone: the next run today has the same, finds this order and places none. Take the key from what causes the order, such as {{ $json.body.id }}.';

/** Writes into n8n's log what was placed for an item, or may have been. */
function logOutcome<Rec>({ run, index }: ItemContext, outcome: Outcome<Rec>): void {
  if (outcome.outcome !== 'confirmed' && outcome.outcome !== 'unknown') return;
  const what = outcome.outcome === 'confirmed' ? `placed: ${outcome.id}, tag` : 'unknown whether placed: tag';
  const where = `execution ${run.functions.getExecutionId() ?? run.id}, node "${run.node.name}", item ${index}`;
  run.functions.logger.info(`Brokerage: ${what} ${outcome.tag} (${where})`);
  if (outcome.outcome === 'confirmed' && placements.isChangedTag(outcome.tag))
    run.functions.logger.error(
      `Brokerage: the service changed the tag of ${outcome.id} to ${outcome.tag}: orders with a key are stopped until Session: Check is run by hand (${where})`,
    );
}

/** @throws the error of what was not placed, or may not have been. */
export function requireConfirmed<Rec>(outcome: Outcome<Rec>): ConfirmedOutcome<Rec> {
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

/** Notes what became of an item's order or basket. @throws as `requireConfirmed` */
function confirmedOutcome<Rec>(item: ItemContext, outcome: Outcome<Rec>): ConfirmedOutcome<Rec> {
  recordOutcome(item, outcome);
  return requireConfirmed(outcome);
}

/** Places an order of an item, one of several where the item places several. @throws as `reconcilePosition` */
export async function placeForItem(
  item: ItemContext,
  expected: PlacementInput<OrderTerms>,
  context: CausedContext,
): Promise<ConfirmedOutcome> {
  requireOwnKey(item);
  return confirmedOutcome(item, await placeOrder(orderRequest(item, expected, context), context));
}

/**
 * Places an order of an item, above the freeze quantity as several (see `placeSliced`).
 * @param most units that one order may hold, where the person says it.
 * @returns what was placed; several where it was cut. @throws as `reconcilePosition`; InputError (parameter `quantity`) for too many.
 */
export async function placePartsForItem(
  item: ItemContext,
  expected: PlacementInput<OrderTerms>,
  max: number | undefined,
  context: CausedContext,
): Promise<ConfirmedOutcome[]> {
  requireOwnKey(item);
  const outcomes = await placeSliced(
    {
      terms: expected.terms,
      maxUnits: max,
      // The requested terms are the same for each part: one key covers all of them.
      request: (terms, slice) =>
        orderRequest(item, { asked: expected.terms, ...expected, terms, part: partOf(expected.part, slice) }, context),
      placed: (outcome) => recordOutcome(item, outcome),
    },
    context,
  );
  return outcomes.map(requireConfirmed);
}

/** Returns the name of a slice of a part. A part that is placed as one order keeps its name, so that two parts never share a tag. */
const partOf = (part: string | undefined, slice: string | undefined): string | undefined =>
  part === undefined || slice === undefined ? (part ?? slice) : `${part} ${slice}`;

/** Places a basket of an item. @throws as `reconcilePosition`; InputError (parameters `tag`, `idempotencyKey`) */
export async function placeBasketForItem(
  item: ItemContext,
  { terms, guards, asked: question = terms, part }: PlacementInput<BasketTerms>,
  context: CausedContext,
): Promise<ConfirmedOutcome<BasketRecord>> {
  requireOwnKey(item);
  const identity = stepIdentityFor(item, question, 'basket', context, part);
  return confirmedOutcome(item, await placeBasket({ terms, guards, unit: priceUnitOf(item), ...identity }, context));
}
