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
export interface Intent {
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

/** An intent that is about to be sent for the first time. */
interface Fresh extends Intent {
  value: number;
}

/** What placing needs; one `Placements` serves the whole process. */
export interface Desk {
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
function usedForAnother(intent: Intent, order: OrderRecord): InputError | undefined {
  const side = typeof order.order_side === 'string' ? order.order_side : '';
  if (numberOf(order.ref_id) === intent.terms.refId && side.endsWith(intent.terms.side)) return undefined;
  if (!intent.keyed) {
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

function found(intent: Intent, order: OrderRecord, desk: Desk): Outcome {
  const mistake = usedForAnother(intent, order);
  if (mistake !== undefined) return { outcome: 'refused', tag: intent.tag, error: mistake };
  desk.placements.placed(desk.scope, intent.tag, order);
  return outcomeOf(tagOf(order) || intent.tag, order, true);
}

/** An order that this process placed before: as it is now, or as it was last seen when it cannot be read. */
async function placedBefore(intent: Intent, record: OrderRecord, desk: Desk): Promise<Outcome> {
  const now = await getOrder(desk.transport, orderIdOf(record), desk.signal).catch(() => record);
  return found(intent, orderIdOf(now) === orderIdOf(record) ? now : record, desk);
}

/**
 * What is known already of intents: placed by this process, sent with an outcome that is unknown, or in the day's list.
 * @returns outcomes by tag; intents that are missing there were never sent.
 * @throws BrokerageError when the list cannot be read: then nothing may be sent.
 */
async function findEarlier(intents: readonly Intent[], desk: Desk): Promise<Map<string, Outcome>> {
  const { transport, placements, scope, signal } = desk;
  const outcomes = new Map<string, Outcome>();
  const lost: Intent[] = [];
  const open: Intent[] = [];
  for (const intent of intents) {
    const known = placements.get(scope, intent.tag);
    if (known?.record !== undefined) outcomes.set(intent.tag, await placedBefore(intent, known.record, desk));
    else (known === undefined ? open : lost).push(intent);
  }
  if (lost.length > 0) {
    const listed = await lookUp(lost, desk);
    for (const intent of lost) {
      const order = listed.get(intent.tag);
      outcomes.set(
        intent.tag,
        order === undefined
          ? { outcome: 'unknown', tag: intent.tag, error: unknownOutcome(intent.tag, undefined) }
          : found(intent, order, desk),
      );
    }
  }
  if (open.length > 0) {
    const keyed = open.some((intent) => intent.keyed);
    if (keyed && placements.settlesIn() > 0) await transport.clock.sleep(placements.settlesIn(), signal);
    const list = await placements.dayList(scope, () => getOrders(transport), keyed);
    const listed = byTags(
      list,
      open.map(({ tag }) => tag),
    );
    for (const intent of open) {
      const order = listed.get(intent.tag);
      if (order !== undefined) outcomes.set(intent.tag, found(intent, order, desk));
    }
  }
  return outcomes;
}

async function lookUp(intents: readonly Intent[], desk: Desk): Promise<Map<string, OrderRecord>> {
  return await findByTags(
    desk.transport,
    intents.map(({ tag }) => tag),
    (signal) => getOrders(desk.transport, signal),
    undefined,
    desk.signal,
  );
}

/** Sends what was never sent, and finds out what became of each. The reply may never come. */
async function send(
  intents: readonly Fresh[],
  desk: Desk,
  request: { endpoint: Endpoint; body: JsonInput },
): Promise<Map<string, Outcome>> {
  const { transport, placements, scope } = desk;
  desk.signal?.throwIfAborted();
  for (const { tag, value } of intents) placements.sending(scope, tag, value);
  // Not handed the signal: a request that may have left is waited for, so that its outcome is known.
  const attempt = await transport.call(request.endpoint, { body: request.body }).then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
  const outcomes = new Map<string, Outcome>();
  if ('reply' in attempt) {
    const records = matchReply(intents, attempt.reply);
    for (const [tag, record] of records) {
      placements.placed(scope, tag, record);
      outcomes.set(tag, outcomeOf(tag, record, false));
    }
  } else if (isNo(attempt.error, intents)) {
    for (const { tag } of intents) {
      placements.notPlaced(scope, tag);
      outcomes.set(tag, noOutcome(tag, attempt.error));
    }
    return outcomes;
  }
  const rest = intents.filter(({ tag }) => !outcomes.has(tag));
  if (rest.length === 0) return outcomes;
  const listed = await lookUp(rest, desk);
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
function isNo(error: unknown, intents: readonly Intent[]): error is BrokerageError {
  const meaning = meaningOfFailure(error);
  if (meaning !== 'rejected' || intents.length === 1) return meaning !== 'unknown';
  return error instanceof ServiceError && !JUDGED.includes(error.status);
}

function noOutcome(tag: string, error: BrokerageError): Outcome {
  return meaningOfFailure(error) === 'refused'
    ? { outcome: 'refused', tag, error }
    : { outcome: 'rejected', tag, error, alreadyPlaced: false };
}

/**
 * Which record of a reply belongs to which intent: by its exact tag; where the service gives no tags back, by position
 * when number, instrument, side and quantity agree. What does not match is left to the lookup.
 */
function matchReply(intents: readonly Intent[], reply: Json): Map<string, OrderRecord> {
  const single = asObject(reply);
  const records =
    intents.length === 1 && single !== undefined && single.orders === undefined
      ? [asObject(single.order) ?? single]
      : (recordsIn(reply) ?? []);
  const withId = records.filter((record) => orderIdOf(record) !== '');
  const matched = byTags(
    withId,
    intents.map(({ tag }) => tag),
  );
  if (
    matched.size === intents.length ||
    withId.length !== intents.length ||
    withId.some((record) => tagOf(record) !== '')
  )
    return matched;
  for (const [index, { tag, terms }] of intents.entries()) {
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
export async function placeOrder(intent: Intent, desk: Desk): Promise<Outcome> {
  const [outcome] = await placeAll([intent], desk, (intents) => ({
    endpoint: endpoints.placeOrder,
    body: orderBody(intents[0]!.terms, intents[0]!.tag),
  }));
  return outcome!;
}

/**
 * Places several orders with one request (`/orders/v2/multi`); those that were placed before are left out of it.
 * @param intents with tags that differ.
 * @returns their outcomes, in order, each kept apart.
 */
export async function placeOrders(intents: readonly Intent[], desk: Desk): Promise<Outcome[]> {
  return await placeAll(intents, desk, (fresh) => ({
    endpoint: endpoints.placeOrders,
    body: { orders: fresh.map(({ terms, tag }) => orderBody(terms, tag)) },
  }));
}

async function placeAll(
  intents: readonly Intent[],
  desk: Desk,
  request: (fresh: readonly Intent[]) => { endpoint: Endpoint; body: JsonInput },
): Promise<Outcome[]> {
  const tags = intents.map(({ tag }) => tag);
  return await desk.placements.alone(desk.scope, tags, async () => {
    desk.signal?.throwIfAborted();
    const earlier = await findEarlier(intents, desk).catch((error: unknown) => brokerageErrorOnly(error, desk.signal));
    if (earlier instanceof BrokerageError) return intents.map((intent) => unsent(intent.tag, intent.keyed, earlier));
    const { fresh, refused } = await guarded(
      intents.filter(({ tag }) => !earlier.has(tag)),
      desk,
    );
    const sent = fresh.length === 0 ? new Map<string, Outcome>() : await send(fresh, desk, request(fresh));
    return tags.map((tag) => earlier.get(tag) ?? refused.get(tag) ?? sent.get(tag)!);
  });
}

/** Asks the guards of each order. @throws when the execution is stopped */
async function guarded(
  intents: readonly Intent[],
  desk: Desk,
): Promise<{ fresh: Fresh[]; refused: Map<string, Outcome> }> {
  const fresh: Fresh[] = [];
  const refused = new Map<string, Outcome>();
  for (const intent of intents) {
    const value = await (intent.guard?.() ?? Promise.resolve(0)).catch((error: unknown) =>
      brokerageErrorOnly(error, desk.signal),
    );
    if (typeof value === 'number') fresh.push({ ...intent, value });
    else refused.set(intent.tag, { outcome: 'refused', tag: intent.tag, error: value });
  }
  return { fresh, refused };
}
