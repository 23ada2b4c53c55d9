/**
 * The interface that an account has (intent orders; design: Order interfaces). It is found out by reading the day's list,
 * which can do no harm, and never by sending an order. While an account may have both, absence is believed only of both
 * lists together.
 */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import { ServiceError } from '../../base/errors';
import type { Endpoint } from '../../endpoints/endpoint';
import type { CredentialFields } from '../../session/settings';
import type { Transport } from '../../transport';
import { oneOf } from '../../values/input';
import type { BasketPlacing, Cancellations, OrderInterface, OrderPlacing, Placing } from '../api/order-api';
import { basketIdOf, isIntent, legsOf, orderIdOf } from '../model/order-record';
import { interfaceIntent } from '../api/intent/intent';
import { newestOf, type ShownLate } from '../api/latest-record';
import { interfaceV2 } from '../api/v2/v2';

/** An interface of the service. */
export type Tongue = 'intent' | 'v2';
/** What the person chose in the credential. */
export const ORDER_INTERFACES = ['automatic', 'intent', 'v2'] as const;
/** One of `ORDER_INTERFACES`. */
export type OrderInterfaceChoice = (typeof ORDER_INTERFACES)[number];

/** The choice in a credential; Automatic where an older credential has none. @throws InputError for anything else. */
export function orderInterfaceOf({ orderInterface }: CredentialFields): OrderInterfaceChoice {
  const isUnset = orderInterface === undefined || orderInterface === null || orderInterface === '';
  return isUnset ? 'automatic' : oneOf(orderInterface, ORDER_INTERFACES, 'orderInterface', 'Order Interface');
}

/** Which interface each account was found to have. One serves the whole process. */
export class KnownInterfaces {
  private readonly known = new Map<string, Tongue>();
  private readonly older = new Set<string>();

  /** @param scope environment and account (see `tradingScope`). */
  get(scope: string): Tongue | undefined {
    return this.known.get(scope);
  }

  /** Orders that the older interface shows alone: they were placed by it. */
  isOfV2(scope: string, orderId: string): boolean {
    return this.older.has(`${scope} ${orderId}`);
  }

  /** Notes that an order was placed by the older interface. */
  placedByV2(scope: string, orderId: string): void {
    this.older.add(`${scope} ${orderId}`);
  }

  /** Notes what answers; intent orders stay chosen where both do. */
  answers(scope: string, tongue: Tongue): void {
    if (tongue === 'intent' || !this.known.has(scope)) this.known.set(scope, tongue);
  }

  /** An account does not have an interface, or no longer: it is asked again, where it was thought to have it. */
  lacks(scope: string, tongue: Tongue): void {
    if (this.known.get(scope) === tongue) this.known.delete(scope);
  }
}

/** Whether an answer says clearly that the account does not have the interface. An address that is refused (403) says nothing. */
function isNotEnabled(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return error.status === 404 || (error.status === 403 && /not enabled/i.test(error.serviceText));
}

/** Which interface an endpoint belongs to, where a 403 or a 404 of it tells about the interface: not where it names an id. */
function tongueOf({ path }: Endpoint, error: ServiceError): Tongue | undefined {
  if (error.status === 404 && path.includes('{')) return undefined;
  if (path.startsWith('/sentinel/')) return 'intent';
  return path.startsWith('/orders') ? 'v2' : undefined;
}

/** The interfaces of an account as one, and how to find out which of them it uses. */
export interface AccountInterface extends OrderInterface {
  /** The transport by which orders go: what it learns of the interfaces is remembered. */
  transport: Transport;
  /**
   * The interface by which the account's orders go.
   * @throws ServiceError 403 or 404 where it has none; whatever decides nothing: an address that is refused, 429, 5xx, a
   *   reply that does not come.
   */
  tongue(signal?: AbortSignal): Promise<Tongue>;
}

/** What an account is told apart by, and what is known of it. */
export interface Account {
  choice: OrderInterfaceChoice;
  known: KnownInterfaces;
  /** Environment and account (see `tradingScope`). */
  scope: string;
}

/** The interfaces of an account, joined. @param direct with the session of that account. */
export function accountInterface(direct: Transport, account: Account): AccountInterface {
  const { choice, known, scope } = account;
  const transport = learning(direct, account);
  const speakers: Record<Tongue, OrderInterface> = {
    intent: interfaceIntent(transport),
    v2: interfaceV2(transport),
  };

  /** Reads the list of one interface. @returns false where the account clearly does not have it. */
  const answers = async (tongue: Tongue, signal?: AbortSignal): Promise<boolean> => {
    const [asked] = await Promise.allSettled([speakers[tongue].orders.list(signal)]);
    if (asked.status === 'fulfilled') {
      known.answers(scope, tongue);
      return true;
    }
    if (isNotEnabled(asked.reason)) return false;
    throw asked.reason;
  };
  const tongue = async (signal?: AbortSignal): Promise<Tongue> => {
    if (choice !== 'automatic') return choice;
    const before = known.get(scope);
    if (before !== undefined) return before;
    if (await answers('intent', signal)) return 'intent';
    await speakers.v2.orders.list(signal);
    known.answers(scope, 'v2');
    return 'v2';
  };
  const joined = { speakers, tongue, answered: (one: Tongue) => known.answers(scope, one) };
  const late = { clock: transport.clock, known, scope };
  return { transport, tongue, orders: joinedOrders(joined, late), baskets: joinedBaskets(joined) };
}

/** A transport that notes when an interface says that the account does not have it. */
function learning(direct: Transport, { known, scope }: Account): Transport {
  return {
    ...direct,
    async call(endpoint, options) {
      const [called] = await Promise.allSettled([direct.call(endpoint, options)]);
      if (called.status === 'fulfilled') return called.value;
      const { reason } = called;
      const lacking = isNotEnabled(reason) ? tongueOf(endpoint as Endpoint, reason) : undefined;
      if (lacking === undefined) throw reason;
      known.lacks(scope, lacking);
      throw lackingError(lacking, reason);
    },
  };
}

const NAMES: Readonly<Record<Tongue, string>> = {
  intent: 'intent orders',
  v2: 'the older order interface (Orders v2)',
};

/** The refusal, saying which interface the account does not have. */
function lackingError(tongue: Tongue, { status, serviceText, cause }: ServiceError): ServiceError {
  const said = serviceText === '' ? '' : ` It said: ${serviceText}`;
  return new ServiceError(
    `The account may not use this order system: it does not have ${NAMES[tongue]} (status ${status}).${said}`,
    {
      status,
      serviceText,
      hint: 'Set "Order Interface" in the credential to Automatic, or ask your broker to enable it for the account.',
      cause,
    },
  );
}

interface Joined {
  speakers: Record<Tongue, OrderInterface>;
  tongue(signal?: AbortSignal): Promise<Tongue>;
  answered(tongue: Tongue): void;
}

const other = (tongue: Tongue): Tongue => (tongue === 'intent' ? 'v2' : 'intent');

/** Whether a record of the older interface is of a basket that was placed there: then it alone shows the orders of its legs. */
function isOlderBasket(basket: BasketRecord): boolean {
  return !isIntent(basket) && legsOf(basket).some((leg) => orderIdOf(leg) !== '');
}

/**
 * What both lists hold, by id; the record of the interface that the account uses counts, unless another one tells more.
 * @throws what either list throws, but for a clear "not enabled" of one of them: part of a day must not look like all of it.
 */
async function listBoth<Rec>(
  joined: Joined,
  placingOf: (by: OrderInterface) => { list(signal?: AbortSignal): Promise<Rec[]> },
  idOf: (record: Rec) => string,
  signal?: AbortSignal,
  tellsMore: (record: Rec) => boolean = () => false,
): Promise<Rec[]> {
  const read = async (tongue: Tongue): Promise<{ records: Rec[] } | { refusal: ServiceError }> => {
    const [asked] = await Promise.allSettled([placingOf(joined.speakers[tongue]).list(signal)]);
    if (asked.status === 'fulfilled') {
      joined.answered(tongue);
      return { records: asked.value };
    }
    if (isNotEnabled(asked.reason)) return { refusal: asked.reason };
    throw asked.reason;
  };
  const [intent, v2] = await Promise.all([read('intent'), read('v2')]);
  if ('refusal' in intent && 'refusal' in v2) throw v2.refusal;
  const first = await joined.tongue(signal);
  const all = [first, other(first)].flatMap((tongue) => {
    const one = tongue === 'intent' ? intent : v2;
    return 'records' in one ? one.records : [];
  });
  const byId = new Map<string, Rec>();
  for (const record of all) if (!byId.has(idOf(record)) || tellsMore(record)) byId.set(idOf(record), record);
  return [...byId.values()];
}

/** What one that was placed is now, by the interface that its record came by. */
function rereadBy<Terms, Rec extends OrderRecord | BasketRecord>(
  joined: Joined,
  placingOf: (by: OrderInterface) => Placing<Terms, Rec>,
): Placing<Terms, Rec>['reread'] {
  return async (record, signal) =>
    await placingOf(joined.speakers[isIntent(record) ? 'intent' : 'v2']).reread(record, signal);
}

function joinedOrders(joined: Joined, late: ShownLate): OrderPlacing {
  const { speakers, tongue } = joined;
  const ordersOf = ({ orders }: OrderInterface): OrderPlacing => orders;
  const by = async (signal?: AbortSignal): Promise<OrderPlacing> => speakers[await tongue(signal)].orders;
  /** An order by one interface; its refusal where that does not have it. @throws whatever says nothing about that */
  const ask = async (
    tongueOfIt: Tongue,
    orderId: string,
    signal?: AbortSignal,
  ): Promise<OrderRecord | ServiceError> => {
    const [asked] = await Promise.allSettled([speakers[tongueOfIt].orders.get(orderId, signal)]);
    if (asked.status === 'fulfilled') return asked.value;
    if (isNotEnabled(asked.reason)) return asked.reason;
    throw asked.reason;
  };
  /** @throws the error of the interface that the account uses, where neither has the order. */
  const get = async (orderId: string, signal?: AbortSignal): Promise<OrderRecord> => {
    const first = await tongue(signal);
    const asked = await ask(first, orderId, signal);
    if (!(asked instanceof ServiceError)) return asked;
    const elsewhere = await ask(other(first), orderId, signal);
    if (elsewhere instanceof ServiceError) throw asked;
    return first === 'v2'
      ? elsewhere
      : await newestOf(elsewhere, async () => await ask('intent', orderId, signal), late, signal);
  };
  /** Those among ids that the newer interface does not show which were placed by the older one. */
  const placedByV2 = async (unseen: readonly string[], signal?: AbortSignal): Promise<string[]> => {
    if (unseen.length === 0) return [];
    const listed = await listBoth(joined, ordersOf, orderIdOf, signal);
    const older = listed.filter((order) => !isIntent(order)).map(orderIdOf);
    return unseen.filter((orderId) => older.includes(orderId));
  };
  return {
    requirePossible: async (terms, signal) => await (await by(signal)).requirePossible(terms, signal),
    place: async (wanted) => await (await by()).place(wanted),
    splits: async (signal) => await (await by(signal)).splits(signal),
    placeSeveral: async (wanted) => await (await by()).placeSeveral(wanted),
    matchReply: (wanted, reply) => matchEither(speakers, ordersOf, wanted, reply),
    list: async (signal) => await listBoth(joined, ordersOf, orderIdOf, signal),
    get,
    reread: rereadBy(joined, ordersOf),
    modify: (order, change, exchange) =>
      speakers[isIntent(order) ? 'intent' : 'v2'].orders.modify(order, change, exchange),
    cancel: async (orderId, signal) => {
      const wanted = await (await by(signal)).cancel(orderId, signal);
      const [older] = await placedByV2(wanted.unseen, signal);
      return older === undefined ? wanted : await speakers.v2.orders.cancel(older, signal);
    },
    cancelSeveral: async (orderIds, signal) => {
      const wanted = await (await by(signal)).cancelSeveral(orderIds, signal);
      const older = await placedByV2(wanted.unseen, signal);
      if (older.length === 0) return wanted;
      const rest = orderIds.filter((orderId) => !older.includes(orderId));
      const newer = rest.length === 0 ? NOTHING : await speakers.intent.orders.cancelSeveral(rest, signal);
      const v2 = await speakers.v2.orders.cancelSeveral(older, signal);
      return { ...newer, requests: [...newer.requests, ...v2.requests] };
    },
    endAll: (all) => [
      ...speakers.intent.orders.endAll(all.filter(isIntent)),
      ...speakers.v2.orders.endAll(all.filter((order) => !isIntent(order))),
    ],
    cancelExit: async (orderId, kind, signal) => await (await by(signal)).cancelExit(orderId, kind, signal),
    preview: async (orders, options) => {
      const placing = await by(options.signal);
      for (const terms of orders) await placing.requirePossible(terms, options.signal);
      return await placing.preview(orders, options);
    },
  };
}

const NOTHING: Cancellations = { requests: [], ended: [], unseen: [] };

/** A reply is read by the interface whose request it answers: intent orders name their ids as no other does. */
function matchEither<Terms, Rec extends OrderRecord | BasketRecord>(
  speakers: Record<Tongue, OrderInterface>,
  placingOf: (by: OrderInterface) => Placing<Terms, Rec>,
  ...[wanted, reply]: Parameters<Placing<Terms, Rec>['matchReply']>
): Map<string, Rec> {
  const matched = placingOf(speakers.intent).matchReply(wanted, reply);
  return matched.size > 0 ? matched : placingOf(speakers.v2).matchReply(wanted, reply);
}

function joinedBaskets(joined: Joined): BasketPlacing {
  const { speakers, tongue } = joined;
  const basketsOf = ({ baskets }: OrderInterface): BasketPlacing => baskets;
  const by = async (signal?: AbortSignal): Promise<BasketPlacing> => speakers[await tongue(signal)].baskets;
  const of = (basket: BasketRecord): BasketPlacing => speakers[isIntent(basket) ? 'intent' : 'v2'].baskets;
  return {
    requirePossible: async (terms, signal) => await (await by(signal)).requirePossible(terms, signal),
    place: async (wanted) => await (await by()).place(wanted),
    matchReply: (wanted, reply) => matchEither(speakers, basketsOf, wanted, reply),
    list: async (signal) => await listBoth(joined, basketsOf, basketIdOf, signal, isOlderBasket),
    reread: rereadBy(joined, basketsOf),
    cancel: async (basketId, exchange, signal) => {
      const placing = await by(signal);
      if (placing === speakers.v2.baskets) return await placing.cancel(basketId, exchange, signal);
      const listed = await listBoth(joined, basketsOf, basketIdOf, signal, isOlderBasket);
      const basket = listed.find((one) => basketIdOf(one) === basketId);
      return await (basket === undefined ? placing : of(basket)).cancel(basketId, exchange, signal);
    },
    modify: (basket, change) => of(basket).modify(basket, change),
    close: (basket, exchange, now) => of(basket).close(basket, exchange, now),
    end: (basket, exchange) => of(basket).end(basket, exchange),
  };
}
