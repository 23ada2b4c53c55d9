/** Places orders, one or several at once, each once and never twice (specification: Orders; design: Order outcome). */
import type { Endpoint } from '../endpoints';
import { endpoints } from '../endpoints';
import { BrokerageError, InputError, ServiceError } from '../errors';
import type { Transport } from '../transport';
import { asObject, type Json, type JsonInput } from '../values/json';
import { numberOf, orderBody, orderIdOf, recordsIn, statusOf, tagOf, type OrderRecord, type OrderTerms } from './order';
import { brokerageErrorOnly, meaningOfFailure, rejectedOrder, unknownOutcome, unsent, type Outcome } from './outcome';
import type { Placements } from './placements';
import { byTags, findByTags, getOrder, getOrders } from './read';

/** One order that is to be placed. */
export interface OrderRequest {
  terms: OrderTerms;
  tag: string;
  /** Whether the tag comes from an Idempotency Key, which may have been used by another process. */
  keyed: boolean;
  /**
   * The guards, asked only when the order was not placed before: what holds now may not have held then, and an order
   * that lives is never called refused.
   * @returns the value of the order in paise, for the limit of the day.
   * @throws InputError that names the guard.
   */
  guard?: () => Promise<number>;
}

/** A request that is about to be sent for the first time. */
interface Fresh extends OrderRequest {
  value: number;
}

/** What placing needs; one `Placements` serves the whole process. */
export interface PlacementContext {
  transport: Transport;
  placements: Placements;
  /** Environment and account: the same for everybody who trades for one account. */
  scope: string;
  signal?: AbortSignal;
}

/** The outcome for an order that the service has, by its status. */
function outcomeOf(tag: string, order: OrderRecord, alreadyPlaced: boolean): Outcome {
  return statusOf(order) === 'REJECTED'
    ? { outcome: 'rejected', tag, order, alreadyPlaced, error: rejectedOrder(order, tag) }
    : { outcome: 'confirmed', tag, order, alreadyPlaced };
}

/** A key that was used for another instrument or side today is a mistake of the workflow, not the same alert. */
function usedForAnother(request: OrderRequest, order: OrderRecord): InputError | undefined {
  const side = typeof order.order_side === 'string' ? order.order_side : '';
  if (numberOf(order.ref_id) === request.terms.refId && side.endsWith(request.terms.side)) return undefined;
  if (!request.keyed) {
    return new InputError(
      `An earlier try of this execution placed another order (${orderIdOf(order)}), with another instrument or side. Nothing was sent.`,
      {
        hint: 'Look at that order. To place this one too, run the workflow anew instead of retrying the execution.',
      },
    );
  }
  return new InputError(
    `The Idempotency Key was used today for another order (${orderIdOf(order)}), with another instrument or side. Nothing was sent.`,
    {
      parameter: 'idempotencyKey',
      hint: 'Use a key that is different for every cause of an order, such as the id of the alert.',
    },
  );
}

function found(request: OrderRequest, order: OrderRecord, context: PlacementContext): Outcome {
  const mistake = usedForAnother(request, order);
  if (mistake !== undefined) return { outcome: 'refused', tag: request.tag, error: mistake };
  context.placements.placed(context.scope, request.tag, order);
  return outcomeOf(tagOf(order) || request.tag, order, true);
}

/** An order that this process placed before: as it is now, or as it was last seen when it cannot be read. */
async function placedBefore(request: OrderRequest, record: OrderRecord, context: PlacementContext): Promise<Outcome> {
  const now = await getOrder(context.transport, orderIdOf(record), context.signal).catch(() => record);
  return found(request, orderIdOf(now) === orderIdOf(record) ? now : record, context);
}

/**
 * What is known already of requests: placed by this process, sent with an outcome that is unknown, or in the day's list.
 * @returns outcomes by tag; requests that are missing there were never sent.
 * @throws BrokerageError when the list cannot be read: then nothing may be sent.
 */
async function findEarlier(
  requests: readonly OrderRequest[],
  context: PlacementContext,
): Promise<Map<string, Outcome>> {
  const { transport, placements, scope, signal } = context;
  const outcomes = new Map<string, Outcome>();
  const lost: OrderRequest[] = [];
  const open: OrderRequest[] = [];
  for (const request of requests) {
    const known = placements.get(scope, request.tag);
    if (known?.record !== undefined) outcomes.set(request.tag, await placedBefore(request, known.record, context));
    else (known === undefined ? open : lost).push(request);
  }
  if (lost.length > 0) {
    const listed = await lookUp(lost, context);
    for (const request of lost) {
      const order = listed.get(request.tag);
      outcomes.set(
        request.tag,
        order === undefined
          ? { outcome: 'unknown', tag: request.tag, error: unknownOutcome(request.tag, undefined) }
          : found(request, order, context),
      );
    }
  }
  if (open.length > 0) {
    const keyed = open.some((request) => request.keyed);
    if (keyed && placements.settlesIn() > 0) await transport.clock.sleep(placements.settlesIn(), signal);
    const list = await placements.dayList(scope, () => getOrders(transport), keyed);
    const listed = byTags(
      list,
      open.map(({ tag }) => tag),
    );
    for (const request of open) {
      const order = listed.get(request.tag);
      if (order !== undefined) outcomes.set(request.tag, found(request, order, context));
    }
  }
  return outcomes;
}

async function lookUp(requests: readonly OrderRequest[], context: PlacementContext): Promise<Map<string, OrderRecord>> {
  return await findByTags(
    context.transport,
    requests.map(({ tag }) => tag),
    (signal) => getOrders(context.transport, signal),
    undefined,
    context.signal,
  );
}

/** Sends what was never sent, and finds out what became of each. The reply may never come. */
async function send(
  requests: readonly Fresh[],
  context: PlacementContext,
  request: { endpoint: Endpoint; body: JsonInput },
): Promise<Map<string, Outcome>> {
  const { transport, placements, scope } = context;
  context.signal?.throwIfAborted();
  for (const { tag, value } of requests) placements.sending(scope, tag, value);
  // Not handed the signal: a request that may have left is waited for, so that its outcome is known.
  const attempt = await transport.call(request.endpoint, { body: request.body }).then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  const outcomes = new Map<string, Outcome>();
  if ('reply' in attempt) {
    const records = matchReply(requests, attempt.reply);
    for (const [tag, record] of records) {
      placements.placed(scope, tag, record);
      outcomes.set(tag, outcomeOf(tag, record, false));
    }
  } else if (isNo(attempt.error, requests)) {
    for (const { tag } of requests) {
      placements.notPlaced(scope, tag);
      outcomes.set(tag, noOutcome(tag, attempt.error));
    }
    return outcomes;
  }
  const rest = requests.filter(({ tag }) => !outcomes.has(tag));
  if (rest.length === 0) return outcomes;
  const listed = await lookUp(rest, context);
  const error = 'error' in attempt ? attempt.error : undefined;
  const noneOfThem = listed.size === 0 && error instanceof BrokerageError && meaningOfFailure(error) === 'rejected';
  for (const { tag } of rest) {
    const record = listed.get(tag);
    if (record !== undefined) {
      placements.placed(scope, tag, record);
      outcomes.set(tag, outcomeOf(tag, record, false));
    } else if (noneOfThem) {
      placements.notPlaced(scope, tag);
      outcomes.set(tag, noOutcome(tag, error));
    } else outcomes.set(tag, { outcome: 'unknown', tag, error: unknownOutcome(tag, error) });
  }
  return outcomes;
}

/** Statuses by which the service judges what it was sent; any other refusal comes before it looks at the orders. */
const JUDGED: readonly number[] = [400, 409, 422];

/**
 * Whether an error is a clear no to everything that was sent. When the service finds fault with one of several orders,
 * it may have taken others: then the list is asked first.
 */
function isNo(error: unknown, requests: readonly OrderRequest[]): error is BrokerageError {
  const meaning = meaningOfFailure(error);
  if (meaning !== 'rejected' || requests.length === 1) return meaning !== 'unknown';
  return error instanceof ServiceError && !JUDGED.includes(error.status);
}

function noOutcome(tag: string, error: BrokerageError): Outcome {
  return meaningOfFailure(error) === 'refused'
    ? { outcome: 'refused', tag, error }
    : { outcome: 'rejected', tag, error, alreadyPlaced: false };
}

/**
 * Which record of a reply belongs to which request: by its exact tag; where the service gives no tags back, by position
 * when number, instrument, side and quantity agree. What does not match is left to the lookup.
 */
function matchReply(requests: readonly OrderRequest[], reply: Json): Map<string, OrderRecord> {
  const single = asObject(reply);
  const records =
    requests.length === 1 && single !== undefined && single.orders === undefined
      ? [asObject(single.order) ?? single]
      : (recordsIn(reply) ?? []);
  const withId = records.filter((record) => orderIdOf(record) !== '');
  const matched = byTags(
    withId,
    requests.map(({ tag }) => tag),
  );
  if (
    matched.size === requests.length ||
    withId.length !== requests.length ||
    withId.some((record) => tagOf(record) !== '')
  )
    return matched;
  for (const [index, { tag, terms }] of requests.entries()) {
    const record = withId[index];
    const agrees =
      record !== undefined &&
      numberOf(record.ref_id) === terms.refId &&
      numberOf(record.order_qty) === terms.quantity &&
      record.order_side === `ORDER_SIDE_${terms.side}`;
    if (agrees) matched.set(tag, { ...record, tag });
  }
  return matched;
}

/**
 * Places one order, unless it was placed before: by this process, or by any other as the day's list shows.
 * @returns its outcome. Never throws for what the service or the network did; throws when the execution is stopped
 *   before anything was sent.
 */
export async function placeOrder(request: OrderRequest, context: PlacementContext): Promise<Outcome> {
  const [outcome] = await placeAll([request], context, (requests) => ({
    endpoint: endpoints.placeOrder,
    body: orderBody(requests[0]!.terms, requests[0]!.tag),
  }));
  return outcome!;
}

/**
 * Places several orders with one request (`/orders/v2/multi`); those that were placed before are left out of it.
 * @param requests with tags that differ.
 * @returns their outcomes, in order, each kept apart.
 */
export async function placeOrders(requests: readonly OrderRequest[], context: PlacementContext): Promise<Outcome[]> {
  return await placeAll(requests, context, (fresh) => ({
    endpoint: endpoints.placeOrders,
    body: { orders: fresh.map(({ terms, tag }) => orderBody(terms, tag)) },
  }));
}

async function placeAll(
  requests: readonly OrderRequest[],
  context: PlacementContext,
  request: (fresh: readonly OrderRequest[]) => { endpoint: Endpoint; body: JsonInput },
): Promise<Outcome[]> {
  const tags = requests.map(({ tag }) => tag);
  return await context.placements.alone(context.scope, tags, async () => {
    context.signal?.throwIfAborted();
    const earlier = await findEarlier(requests, context).catch((error: unknown) =>
      brokerageErrorOnly(error, context.signal),
    );
    if (earlier instanceof BrokerageError)
      return requests.map((request) => unsent(request.tag, request.keyed, earlier));
    const { fresh, refused } = await guarded(
      requests.filter(({ tag }) => !earlier.has(tag)),
      context,
    );
    const sent = fresh.length === 0 ? new Map<string, Outcome>() : await send(fresh, context, request(fresh));
    return tags.map((tag) => earlier.get(tag) ?? refused.get(tag) ?? sent.get(tag)!);
  });
}

/** Asks the guards of each order. @throws when the execution is stopped */
async function guarded(
  requests: readonly OrderRequest[],
  context: PlacementContext,
): Promise<{ fresh: Fresh[]; refused: Map<string, Outcome> }> {
  const fresh: Fresh[] = [];
  const refused = new Map<string, Outcome>();
  for (const request of requests) {
    const value = await (request.guard?.() ?? Promise.resolve(0)).catch((error: unknown) =>
      brokerageErrorOnly(error, context.signal),
    );
    if (typeof value === 'number') fresh.push({ ...request, value });
    else refused.set(request.tag, { outcome: 'refused', tag: request.tag, error: value });
  }
  return { fresh, refused };
}
