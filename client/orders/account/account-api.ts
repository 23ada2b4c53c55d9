/**
 * The interface that an account has (docs/service/README.md#generations). It is found out by reading the day's list,
 * which can do no harm, and never by sending an order. While an account may have both, absence is believed only of both
 * lists together.
 */
import { attempt } from '../../attempt';
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { ServiceError } from '../../base/errors';
import type { Endpoint } from '../../endpoints/endpoint';
import type { CredentialFields } from '../../session/settings';
import type { Transport } from '../../transport';
import { oneOf } from '../../values/input';
import type { BasketPlacing, Cancellations, OrderApi, OrderApiKind, OrderPlacing, PlacingApi } from '../api/order-api';
import { basketIdOf, legsOf } from '../model/basket-record';
import { isIntent, orderIdOf } from '../model/order-record';
import type { OddRecords } from '../model/record-units';
import { intentApi } from '../api/intent/intent';
import { readLatest, type LaggingRead } from '../api/latest-record';
import { v2Api } from '../api/v2/v2';

/** The user's choice in the credential. */
export const ORDER_INTERFACES = ['automatic', 'intent', 'v2'] as const;
/** One of `ORDER_INTERFACES`. */
export type OrderInterfaceChoice = (typeof ORDER_INTERFACES)[number];

/** The choice in a credential; Automatic where an older credential has none. @throws InputError for anything else. */
export function orderInterfaceOf({ orderInterface }: CredentialFields): OrderInterfaceChoice {
  const isUnset = orderInterface === undefined || orderInterface === null || orderInterface === '';
  return isUnset ? 'automatic' : oneOf(orderInterface, ORDER_INTERFACES, 'orderInterface', 'Order Interface');
}

/** Maximum number of orders whose interface is remembered: of one that is not, the service is asked. */
const MAX_PLACED_ORDERS = 50_000;

/** Order interface of each account, as found. One instance serves the whole process. */
export class KnownOrderApis {
  private readonly apisByOrder = new Map<string, OrderApiKind>();
  /** Interface that placed an order, by scope and id; the newest. */
  private readonly placedBy = new Map<string, OrderApiKind>();

  /** @param scope environment and account (see `tradingScope`). */
  get(scope: string): OrderApiKind | undefined {
    return this.apisByOrder.get(scope);
  }

  /** Returns the interface that is known to have placed an order; undefined if none is. */
  placedWith(scope: string, orderId: string): OrderApiKind | undefined {
    return this.placedBy.get(`${scope} ${orderId}`);
  }

  /** Notes which interface placed an order. */
  notePlaced(scope: string, orderId: string, apiKind: OrderApiKind): void {
    if (this.placedBy.size >= MAX_PLACED_ORDERS) this.placedBy.clear();
    this.placedBy.set(`${scope} ${orderId}`, apiKind);
  }

  /** Notes what answers; intent orders stay chosen where both do. */
  answers(scope: string, apiKind: OrderApiKind): void {
    if (apiKind === 'intent' || !this.apisByOrder.has(scope)) this.apisByOrder.set(scope, apiKind);
  }

  /** Notes that an account does not have an interface, or no longer: it is checked again. */
  lacks(scope: string, apiKind: OrderApiKind): void {
    if (this.apisByOrder.get(scope) === apiKind) this.apisByOrder.delete(scope);
  }
}

/** Returns true if an answer clearly says that the account does not have the interface. A refused address (403) does not. */
function isNotEnabled(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return error.status === 404 || (error.status === 403 && /not enabled/i.test(error.serviceText));
}

/** Returns the interface of an endpoint if a 403 or a 404 of it concerns the interface: not if the path has an id. */
function apiOf({ path }: Endpoint, error: ServiceError): OrderApiKind | undefined {
  if (error.status === 404 && path.includes('{')) return undefined;
  if (path.startsWith('/sentinel/')) return 'intent';
  return path.startsWith('/orders') ? 'v2' : undefined;
}

/** The interfaces of an account as one, and how to find out which of them it uses. */
export interface AccountApi extends OrderApi {
  /** Transport of orders; it remembers each answer about the interfaces. */
  transport: Transport;
  /**
   * Returns the interface of the account's orders.
   * @throws ServiceError 403 or 404 if it has none; any undecided answer: a refused address, 429, 5xx, a missing reply.
   */
  apiKind(signal?: AbortSignal): Promise<OrderApiKind>;
}

/** Identity of an account, and the knowledge about it. */
export interface Account {
  choice: OrderInterfaceChoice;
  known: KnownOrderApis;
  /** Environment and account (see `tradingScope`). */
  scope: string;
}

/** The interfaces of an account, joined. @param direct with the session of that account. */
export function openAccountApi(direct: Transport, account: Account): AccountApi {
  const { choice, known, scope } = account;
  const transport = learning(direct, account);
  const apis: Record<OrderApiKind, OrderApi> = {
    intent: intentApi(transport),
    v2: v2Api(transport),
  };

  /** Reads the list of one interface. @returns false if the account clearly does not have it. */
  const answers = async (apiKind: OrderApiKind, signal?: AbortSignal): Promise<boolean> => {
    const requested = await attempt(apis[apiKind].orders.list(signal, 'marked'));
    if (requested.ok) {
      known.answers(scope, apiKind);
      return true;
    }
    if (isNotEnabled(requested.error)) return false;
    throw requested.error;
  };
  const kind = async (signal?: AbortSignal): Promise<OrderApiKind> => {
    if (choice !== 'automatic') return choice;
    const before = known.get(scope);
    if (before !== undefined) return before;
    if (await answers('intent', signal)) return 'intent';
    await apis.v2.orders.list(signal, 'marked');
    known.answers(scope, 'v2');
    return 'v2';
  };
  const joined = { apis, apiKind: kind, answered: (apiKind: OrderApiKind) => known.answers(scope, apiKind) };
  const late = { clock: transport.clock, known, scope };
  return { transport, apiKind: kind, orders: joinedOrders(joined, late), baskets: joinedBaskets(joined) };
}

/** A transport that notes when an interface says that the account does not have it. */
function learning(direct: Transport, { known, scope }: Account): Transport {
  return {
    ...direct,
    async call(endpoint, options) {
      const called = await attempt(direct.call(endpoint, options));
      if (called.ok) return called.value;
      const { error } = called;
      if (!isNotEnabled(error)) throw error;
      const lacking = apiOf(endpoint as Endpoint, error);
      if (lacking === undefined) throw error;
      known.lacks(scope, lacking);
      throw lackingError(lacking, error);
    },
  };
}

const NAMES: Readonly<Record<OrderApiKind, string>> = {
  intent: 'intent orders',
  v2: 'the older order interface (Orders v2)',
};

/** The refusal, saying which interface the account does not have. */
function lackingError(apiKind: OrderApiKind, { status, serviceText, cause }: ServiceError): ServiceError {
  const said = serviceText === '' ? '' : ` It said: ${serviceText}`;
  return new ServiceError(
    `The account may not use this order system: it does not have ${NAMES[apiKind]} (status ${status}).${said}`,
    {
      status,
      serviceText,
      hint: 'Set "Order Interface" in the credential to Automatic, or ask your broker to enable it for the account.',
      cause,
    },
  );
}

interface JoinedApis {
  apis: Record<OrderApiKind, OrderApi>;
  apiKind(signal?: AbortSignal): Promise<OrderApiKind>;
  answered(apiKind: OrderApiKind): void;
}

const other = (apiKind: OrderApiKind): OrderApiKind => (apiKind === 'intent' ? 'v2' : 'intent');

/** Returns true if a record of the older interface is of a basket that was placed there: then it alone shows the orders of its legs. */
function isOlderBasket(basket: BasketRecord): boolean {
  return !isIntent(basket) && legsOf(basket).some((leg) => orderIdOf(leg) !== '');
}

/**
 * Returns the union of both lists by id. The record of the account's own interface counts, unless another one has more.
 * @throws any error of either list, except a clear "not enabled" of one of them: part of a day must not look like all of it.
 */
async function listBoth<Rec>(
  joined: JoinedApis,
  listOf: (by: OrderApi) => Promise<Rec[]>,
  idOf: (record: Rec) => string,
  signal?: AbortSignal,
  isMoreDetailed: (record: Rec) => boolean = () => false,
): Promise<Rec[]> {
  const read = async (apiKind: OrderApiKind): Promise<{ records: Rec[] } | { refusal: ServiceError }> => {
    const requested = await attempt(listOf(joined.apis[apiKind]));
    if (requested.ok) {
      joined.answered(apiKind);
      return { records: requested.value };
    }
    if (isNotEnabled(requested.error)) return { refusal: requested.error };
    throw requested.error;
  };
  const [intent, v2] = await Promise.all([read('intent'), read('v2')]);
  if ('refusal' in intent && 'refusal' in v2) throw v2.refusal;
  const first = await joined.apiKind(signal);
  const all = [first, other(first)].flatMap((apiKind) => {
    const item = apiKind === 'intent' ? intent : v2;
    return 'records' in item ? item.records : [];
  });
  const byId = new Map<string, Rec>();
  for (const record of all) if (!byId.has(idOf(record)) || isMoreDetailed(record)) byId.set(idOf(record), record);
  return [...byId.values()];
}

/** Returns the current record of a placed order or basket, by the interface that its record came by. */
function rereadBy<Terms, Rec extends OrderRecord | BasketRecord>(
  joined: JoinedApis,
  placingOf: (by: OrderApi) => PlacingApi<Terms, Rec>,
): PlacingApi<Terms, Rec>['reread'] {
  return async (record, signal) =>
    await placingOf(joined.apis[isIntent(record) ? 'intent' : 'v2']).reread(record, signal);
}

function joinedOrders(joined: JoinedApis, late: LaggingRead & { known: KnownOrderApis }): OrderPlacing {
  const { apis, apiKind } = joined;
  const ordersOf = ({ orders }: OrderApi): OrderPlacing => orders;
  const by = async (signal?: AbortSignal): Promise<OrderPlacing> => apis[await apiKind(signal)].orders;
  /** An order by one interface; its refusal where that does not have it. @throws whatever says nothing about that */
  const ask = async (
    apiKindOf: OrderApiKind,
    orderId: string,
    signal?: AbortSignal,
  ): Promise<OrderRecord | ServiceError> => {
    const requested = await attempt(apis[apiKindOf].orders.get(orderId, signal));
    if (requested.ok) return requested.value;
    if (isNotEnabled(requested.error)) return requested.error;
    throw requested.error;
  };
  /** @throws the error of the interface that the account uses, where neither has the order. */
  const get = async (orderId: string, signal?: AbortSignal): Promise<OrderRecord> => {
    const first = await apiKind(signal);
    const requested = await ask(first, orderId, signal);
    if (!(requested instanceof ServiceError)) return requested;
    const elsewhere = await ask(other(first), orderId, signal);
    if (elsewhere instanceof ServiceError) throw requested;
    return first === 'v2'
      ? elsewhere
      : await readLatest(elsewhere, async () => await ask('intent', orderId, signal), late, signal);
  };
  /** Returns those of the ids missing in the newer interface that the older one placed. */
  const placedByV2 = async (unseen: readonly string[], signal?: AbortSignal): Promise<string[]> => {
    if (unseen.length === 0) return [];
    const listed = await listBoth(joined, ({ orders }) => orders.list(signal, 'marked'), orderIdOf, signal);
    const older = listed.filter((order) => !isIntent(order)).map(orderIdOf);
    return unseen.filter((orderId) => older.includes(orderId));
  };
  return {
    requirePossible: async (terms, signal) => await (await by(signal)).requirePossible(terms, signal),
    place: async (requested) => await (await by()).place(requested),
    splits: async (signal) => await (await by(signal)).splits(signal),
    placeSeveral: async (requested) => await (await by()).placeSeveral(requested),
    matchReply: (requested, reply) => {
      const matched = matchEither(apis, ordersOf, requested, reply);
      for (const order of matched.values())
        if (isIntent(order)) late.known.notePlaced(late.scope, orderIdOf(order), 'intent');
      return matched;
    },
    list: async (signal, odd) => await listBoth(joined, ({ orders }) => orders.list(signal, odd), orderIdOf, signal),
    get,
    reread: rereadBy(joined, ordersOf),
    modify: (order, change, exchange) => apis[isIntent(order) ? 'intent' : 'v2'].orders.modify(order, change, exchange),
    cancel: async (orderId, signal) => {
      const requested = await (await by(signal)).cancel(orderId, signal);
      const [older] = await placedByV2(requested.unseen, signal);
      return older === undefined ? requested : await apis.v2.orders.cancel(older, signal);
    },
    cancelSeveral: async (orderIds, signal) => {
      const requested = await (await by(signal)).cancelSeveral(orderIds, signal);
      const older = await placedByV2(requested.unseen, signal);
      if (older.length === 0) return requested;
      const rest = orderIds.filter((orderId) => !older.includes(orderId));
      const newer = rest.length === 0 ? NOTHING : await apis.intent.orders.cancelSeveral(rest, signal);
      const v2 = await apis.v2.orders.cancelSeveral(older, signal);
      return { ...newer, requests: [...newer.requests, ...v2.requests] };
    },
    endAll: (all) => [
      ...apis.intent.orders.endAll(all.filter(isIntent)),
      ...apis.v2.orders.endAll(all.filter((order) => !isIntent(order))),
    ],
    cancelExit: (order, exitKind) => apis[isIntent(order) ? 'intent' : 'v2'].orders.cancelExit(order, exitKind),
    reportsAuthorisation: async (signal) => await (await by(signal)).reportsAuthorisation(signal),
    preview: async (orders, options) => {
      const placing = await by(options.signal);
      for (const terms of orders) await placing.requirePossible(terms, options.signal);
      return await placing.preview(orders, options);
    },
  };
}

const NOTHING: Cancellations = { requests: [], ended: [], baskets: [], unseen: [] };

/** A reply is read by the interface whose request it answers: intent orders name their ids as no other does. */
function matchEither<Terms, Rec extends OrderRecord | BasketRecord>(
  apis: Record<OrderApiKind, OrderApi>,
  placingOf: (by: OrderApi) => PlacingApi<Terms, Rec>,
  ...[expected, reply]: Parameters<PlacingApi<Terms, Rec>['matchReply']>
): Map<string, Rec> {
  const matched = placingOf(apis.intent).matchReply(expected, reply);
  return matched.size > 0 ? matched : placingOf(apis.v2).matchReply(expected, reply);
}

function joinedBaskets(joined: JoinedApis): BasketPlacing {
  const { apis, apiKind } = joined;
  const basketsOf = ({ baskets }: OrderApi): BasketPlacing => baskets;
  const by = async (signal?: AbortSignal): Promise<BasketPlacing> => apis[await apiKind(signal)].baskets;
  const allBaskets = async (signal?: AbortSignal, odd?: OddRecords): Promise<BasketRecord[]> =>
    await listBoth(joined, ({ baskets }) => baskets.list(signal, odd), basketIdOf, signal, isOlderBasket);
  const of = (basket: BasketRecord): BasketPlacing => apis[isIntent(basket) ? 'intent' : 'v2'].baskets;
  return {
    requirePossible: async (terms, signal) => await (await by(signal)).requirePossible(terms, signal),
    place: async (requested) => await (await by()).place(requested),
    matchReply: (requested, reply) => matchEither(apis, basketsOf, requested, reply),
    list: allBaskets,
    reread: rereadBy(joined, basketsOf),
    cancel: async (basketId, exchange, signal) => {
      const placing = await by(signal);
      if (placing === apis.v2.baskets) return await placing.cancel(basketId, exchange, signal);
      const listed = await allBaskets(signal);
      const basket = listed.find((basketRecord) => basketIdOf(basketRecord) === basketId);
      return await (basket === undefined ? placing : of(basket)).cancel(basketId, exchange, signal);
    },
    modify: (basket, change) => of(basket).modify(basket, change),
    close: (basket, exchange, now) => of(basket).close(basket, exchange, now),
    end: (basket, exchange) => of(basket).end(basket, exchange),
  };
}
