/**
 * Places an order above the freeze quantity as several, one after the other. Each has a separate tag, by which it is found again. The first
 * has the tag of the whole order, so that it is never placed both in parts and as a whole. A part of unknown outcome holds back the next.
 */
import {
  BrokerageError,
  InputError,
  NetworkError,
  RejectedError,
  ServiceError,
  UnknownOutcomeError,
} from '../../base/errors';
import { byTags } from '../api/find-by-tag';
import { maxPerOrder, slicesOf } from '../model/freeze-quantity';
import { passGuards } from '../guards/guards';
import type { OrderTerms } from '../model/order-terms';
import { brokerageErrorOnly, noListReason, unsentOutcome, placedAndUnreadable, type Outcome } from './outcome';
import { ORDER } from './order-or-basket';
import { brokenRule, placeOrder } from './place';
import type { OrderRequest, PlacementContext } from '../account/placement-context';
import { isIntent, orderIdOf, quantityOf, tagOf } from '../model/order-record';
import { isUnreadable } from '../model/record-units';

/** Maximum number of orders placed for one. */
export const MAX_PARTS = 20;
/** Quantity of a record that does not show it. */
const UNKNOWN_QUANTITY = 0;

/** An order that may be placed as several. */
export interface PartsRequest {
  /** The order as a whole. */
  terms: OrderTerms;
  /** Maximum units of one order, if the user sets it. */
  maxUnits?: number;
  /** The order of a part. @param part what goes into its tag; undefined for the first, and for the order as a whole. */
  request(terms: OrderTerms, part?: string): OrderRequest;
  /** Called with each order at once, before the next is sent. */
  placed(outcome: Outcome): void;
}

/**
 * Places an order: as a whole, or above the freeze quantity in parts, unless the account's interface splits it.
 * @returns the outcome of each part, up to the first that was not placed: its error says which it is.
 * @throws InputError (parameter `quantity`) for more parts than `MAX_PARTS`; as `placeOrder`.
 */
export async function placeSliced(requested: PartsRequest, context: PlacementContext): Promise<Outcome[]> {
  const { terms } = requested;
  const max = terms.kind === 'ICEBERG' ? undefined : maxPerOrder(terms.instrument, requested.maxUnits);
  const whole = requested.request(terms);
  if (max === undefined || terms.quantity <= max) {
    const outcome = await placeOne(whole, requested, context);
    return max === undefined ? [outcome] : [outcome, ...(await placedBefore([outcome], max, requested, context))];
  }
  const splits = await context.orders
    .splits(context.signal)
    .catch((error: unknown) => brokerageErrorOnly(error, context.signal));
  if (splits instanceof BrokerageError) {
    const outcome = unsentOutcome<never>(whole, splits, 'order', noListReason);
    requested.placed(outcome);
    return [outcome];
  }
  if (splits) return [await placeOne(whole, requested, context)];
  const quantities = quantitiesOf(terms, max);
  const refusal =
    whole.refusal ?? brokenRule(ORDER, whole, context) ?? (await refusalOf(whole, quantities.length, context));
  const outcomes: Outcome[] = [];
  for (const [index, quantity] of quantities.entries()) {
    const request = requested.request({ ...terms, quantity }, partAt(index));
    const outcome = await placeOne(index === 0 ? { ...request, refusal } : request, requested, context);
    const reported = inPart(outcome, index, quantities.length);
    outcomes.push(reported);
    if ('error' in reported) return outcomes;
    if (
      reported.outcome === 'confirmed' &&
      reported.alreadyPlaced &&
      ![quantity, UNKNOWN_QUANTITY].includes(quantityOf(reported.record))
    )
      return await otherwise(outcomes, requested, context);
  }
  return [...outcomes, ...(await placedBefore(outcomes, max, requested, context))];
}

const partAt = (index: number): string | undefined => (index === 0 ? undefined : String(index + 1));

async function placeOne(request: OrderRequest, requested: PartsRequest, context: PlacementContext): Promise<Outcome> {
  const outcome = await placeOrder(request, context);
  requested.placed(outcome);
  return outcome;
}

/** The units of each part. @throws InputError for too many parts. */
export function quantitiesOf({ quantity, instrument: { symbol } }: OrderTerms, max: number): number[] {
  const count = Math.ceil(quantity / max);
  if (count <= MAX_PARTS) return slicesOf(quantity, max);
  throw new InputError(
    `Quantity ${quantity} of ${symbol} would be ${count} orders of at most ${max}: more than ${MAX_PARTS}. Nothing was sent.`,
    { parameter: 'quantity', hint: `Place ${MAX_PARTS * max} at most at once.` },
  );
}

/** Returns the reason for which the guards refuse the whole order: each part by itself may pass. */
async function refusalOf(
  whole: OrderRequest,
  parts: number,
  context: PlacementContext,
): Promise<BrokerageError | undefined> {
  const refusal = await passGuards([whole.terms], { ...whole, parts }, context).then(
    () => undefined,
    (error: unknown) => brokerageErrorOnly(error, context.signal),
  );
  context.placements.release(context.scope, whole.tag);
  return refusal;
}

/**
 * Returns the orders that an earlier try placed beyond these parts because its size was larger: then the last of them has the maximum size.
 */
async function placedBefore(
  outcomes: readonly Outcome[],
  max: number,
  requested: PartsRequest,
  context: PlacementContext,
): Promise<Outcome[]> {
  const last = outcomes.at(-1);
  if (last?.outcome !== 'confirmed' || !last.alreadyPlaced || isIntent(last.record)) return [];
  return quantityOf(last.record) < max ? [] : await partsBeyond(outcomes, requested, context);
}

/** Returns the listed orders with the tags of the parts after these. */
async function partsBeyond(
  outcomes: readonly Outcome[],
  requested: PartsRequest,
  { orders, signal }: PlacementContext,
): Promise<Outcome[]> {
  const tags = Array.from({ length: MAX_PARTS }, (_, index) => index)
    .slice(outcomes.length)
    .map((index) => requested.request(requested.terms, partAt(index)).tag);
  const ordersByTag = byTags(await orders.list(signal, 'marked'), tags);
  const made: Outcome[] = [];
  for (const tag of tags) {
    const record = ordersByTag.get(tag);
    if (record === undefined) continue;
    const shown = tagOf(record) || tag;
    made.push(
      !isUnreadable(record)
        ? { outcome: 'confirmed', tag: shown, id: orderIdOf(record), record, alreadyPlaced: true }
        : { outcome: 'unknown', tag: shown, error: placedAndUnreadable('order', record) },
    );
    requested.placed(made.at(-1)!);
  }
  return made;
}

/**
 * Returns the outcome if an earlier try split it differently, or placed it as a whole: nothing is added to it, and the missing quantity is
 * reported.
 */
async function otherwise(
  outcomes: readonly Outcome[],
  requested: PartsRequest,
  context: PlacementContext,
): Promise<Outcome[]> {
  const all = [...outcomes, ...(await partsBeyond(outcomes, requested, context))];
  const records = all.flatMap((outcome) => (outcome.outcome === 'confirmed' ? [outcome.record] : []));
  const missing = requested.terms.quantity - records.reduce((sum, record) => sum + quantityOf(record), 0);
  if (missing <= 0) return all;
  const error = new InputError(
    `An earlier try placed ${records.length === 1 ? 'order' : 'orders'} ${records.map(orderIdOf).join(', ')} for it, cut otherwise: ${missing} of ${requested.terms.quantity} are missing. Nothing was sent.`,
    { parameter: 'quantity', hint: 'Place what is missing with a new run, or with another Idempotency Key.' },
  );
  return [...all, { outcome: 'refused', tag: outcomes.at(-1)!.tag, error }];
}

/** Returns an outcome whose error names the part, and the unsent rest. */
function inPart(outcome: Outcome, index: number, count: number): Outcome {
  switch (outcome.outcome) {
    case 'confirmed':
    case 'dryRun':
      return outcome;
    case 'unknown':
      return { ...outcome, error: unknownPart(outcome.error, index, count) };
    default:
      return { ...outcome, error: errorOfPart(outcome.error, index, count) };
  }
}

const messageOf = (error: BrokerageError, index: number, count: number): string =>
  `Order ${index + 1} of ${count}: ${error.message}`;

function hintOf({ hint }: BrokerageError, index: number, count: number): string {
  const rest = count - index - 1;
  const held = rest === 0 ? '' : ` The ${rest === 1 ? 'last one was' : `${rest} after it were`} not sent.`;
  return `${hint}${held}`.trim();
}

function unknownPart(error: UnknownOutcomeError, index: number, count: number): UnknownOutcomeError {
  const hint = hintOf(error, index, count);
  return new UnknownOutcomeError(messageOf(error, index, count), { tag: error.tag, hint, cause: error });
}

function errorOfPart(error: BrokerageError, index: number, count: number): BrokerageError {
  const message = messageOf(error, index, count);
  const said = { hint: hintOf(error, index, count), parameter: error.parameter, cause: error };
  if (error instanceof RejectedError)
    return new RejectedError(message, {
      ...said,
      status: error.status,
      serviceText: error.serviceText,
      tag: error.tag,
      id: error.id,
    });
  if (error instanceof ServiceError)
    return new ServiceError(message, { ...said, status: error.status, serviceText: error.serviceText });
  if (error instanceof NetworkError) return new NetworkError(message, { ...said, maySent: error.maySent });
  return error instanceof InputError ? new InputError(message, said) : error;
}
