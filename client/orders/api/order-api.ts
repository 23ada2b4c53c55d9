/**
 * The interface to the service's orders. The service has two: `v2` uses the paths of the specification, `intent` those of intent orders.
 * Both mean the same here. Terms go in, and records come out under the names of the specification, whatever they are called on the wire.
 */
import { attempt } from '../../attempt';
import type { BasketRecord } from '../../endpoints/baskets';
import type { Endpoint, RequestParts } from '../../endpoints/endpoint';
import { ForeignReplyError, ServiceError } from '../../base/errors';
import type { IntentExitKind } from '../../endpoints/intent-orders';
import type { MarginReply, OrderRecord } from '../../endpoints/orders';
import type { Transport } from '../../transport';
import type { Json, JsonInput } from '../../values/json';
import type { WireRecord } from '../../values/record';
import type { BasketChange, BasketTerms } from '../model/basket-terms';
import type { OrderChange, OrderTerms } from '../model/order-terms';
import type { OddRecords } from '../model/record-units';

/** A request that is written and not sent yet: placing sends it, a dry run shows it. */
export interface ServiceRequest {
  endpoint: Endpoint;
  /** Values of the path's parameters. */
  path?: Readonly<Record<string, string>>;
  body?: JsonInput;
  /** Number of orders that it counts as, if it places or changes some: a sliced order and an iceberg count as one. */
  orders?: number;
}

/** Terms, and the tag under which they are placed. */
export interface TaggedTerms<Terms> {
  terms: Terms;
  tag: string;
}

/** Places orders, or baskets, by one interface, and finds them again. */
export interface PlacingApi<Terms, Rec> {
  /**
   * Checks that the interface can place these terms. Only reads are sent.
   * @throws InputError that names the unsupported part; see `list`.
   */
  requirePossible(terms: Terms, signal?: AbortSignal): Promise<void>;
  /** The request that places one. @throws as `requirePossible` */
  place(order: TaggedTerms<Terms>): Promise<ServiceRequest>;
  /**
   * Matches the records of a reply with tags.
   * @param orders content of the request, in its order.
   * @returns only certain matches: a record with an id, and with the tag or the terms that were sent.
   */
  matchReply(orders: readonly TaggedTerms<Terms>[], reply: Json): Map<string, Rec>;
  /**
   * Returns all orders, or baskets, of the trading day. New ones appear one or two seconds late.
   * @param odd what becomes of a record that contradicts itself: by default it is refused, and the list with it.
   * @throws UnreadableReplyError if the reply is no list; see `Transport.call`.
   */
  list(signal?: AbortSignal, odd?: OddRecords): Promise<Rec[]>;
  /** Returns the current record of a placed order or basket. @throws as `list` */
  reread(record: Rec, signal?: AbortSignal): Promise<Rec>;
}

/** Places, changes and cancels orders by one interface. */
export interface OrderPlacing extends PlacingApi<OrderTerms, OrderRecord> {
  /** Returns true if the service itself splits an order above the freeze quantity. @throws as `list` */
  splits(signal?: AbortSignal): Promise<boolean>;
  /** The request that places several at once. @throws as `requirePossible` */
  placeSeveral(orders: readonly TaggedTerms<OrderTerms>[]): Promise<ServiceRequest>;
  /**
   * One order.
   * @param orderId decimal text.
   * @throws ServiceError 404 when there is none; UnreadableReplyError when the reply is not that order; see `Transport.call`.
   */
  get(orderId: string, signal?: AbortSignal): Promise<OrderRecord>;
  /** @param exchange of its instrument. @throws InputError for a change that this interface does not have. */
  modify(order: OrderRecord, change: OrderChange, exchange: string): ServiceRequest;
  /**
   * The requests that cancel orders; as few as the interface allows. Orders that have ended may be among those returned
   * as such instead: of an entry that is filled, only the exits could be taken off.
   * @param orderIds decimal texts, each once.
   * @throws as `list`
   */
  cancelSeveral(orderIds: readonly string[], signal?: AbortSignal): Promise<Cancellations>;
  /** Returns the requests of `cancelSeveral` for one order. @param orderId decimal text. */
  cancel(orderId: string, signal?: AbortSignal): Promise<Cancellations>;
  /**
   * Returns the requests that end orders completely: the open part of an entry, and every open exit, also of a filled entry. As few as the
   * interface allows.
   * @param orders as listed; none has ended.
   */
  endAll(orders: readonly OrderRecord[]): Cancellations['requests'];
  /**
   * Returns the request that removes one exit from an order, which stays.
   * @throws InputError if the interface of the order has no exits.
   */
  cancelExit(order: OrderRecord, kind: IntentExitKind): ServiceRequest;
  /** Returns true if a preview shows the number of shares that the holder has authorised for sale. @throws as `list` */
  reportsAuthorisation(signal?: AbortSignal): Promise<boolean>;
  /**
   * Margin and charges that orders of one exchange would need, paise. Nothing is placed.
   * @param withPortfolio whether what the account holds already is counted.
   * @throws ServiceError if the service refuses; see `Transport.call`.
   */
  preview(
    orders: readonly OrderTerms[],
    options: { withPortfolio: boolean; signal?: AbortSignal },
  ): Promise<WireRecord<MarginReply>>;
}

/** Cancellation requests for several orders. */
export interface Cancellations {
  requests: readonly { orderIds: readonly string[]; request: ServiceRequest }[];
  /** Orders without a request: they have ended. */
  ended: readonly OrderRecord[];
  /** Ids without a request: they are of baskets. A cancellation would take their exits off. */
  baskets: readonly string[];
  /** Ids among the requests that the interface does not list: they may be of another one. */
  unseen: readonly string[];
}

/** Places, changes and cancels baskets by one interface. */
export interface BasketPlacing extends PlacingApi<BasketTerms, BasketRecord> {
  /** @param basketId decimal text. @param exchange of its legs. @throws as `list` */
  cancel(basketId: string, exchange: string, signal?: AbortSignal): Promise<ServiceRequest>;
  /**
   * Returns the request that changes a placed basket.
   * @throws InputError if the interface cannot change baskets, or not in this way.
   */
  modify(basket: BasketRecord, change: BasketChange): ServiceRequest;
  /**
   * The request after which the service sells or buys back at the market what a basket has entered. With intent orders only
   * for one that has exits which live, and is not good till a date.
   * @param exchange of its legs. @param now milliseconds since the epoch.
   */
  close(basket: BasketRecord, exchange: string, now: number): ServiceRequest;
  /**
   * Returns the request after which nothing of a basket trades by itself. A basket that has not entered is cancelled. The older interface
   * exits one that has; with intent orders its exits are removed, and its positions stay.
   * @param exchange of its legs.
   */
  end(basket: BasketRecord, exchange: string): ServiceRequest;
}

/** An order interface of the service. */
export type OrderApiKind = 'intent' | 'v2';

/** One interface of the service, or several joined. */
export interface OrderApi {
  orders: OrderPlacing;
  baskets: BasketPlacing;
}

/** A request to an endpoint, with the parts that this endpoint takes. */
export function requestTo<Request extends RequestParts>(
  endpoint: Endpoint<Request>,
  parts: Request & Pick<ServiceRequest, 'path' | 'body' | 'orders'>,
): ServiceRequest {
  return { endpoint, ...parts };
}

const TOO_MANY_REQUESTS = 429;
/** Maximum number of times to send a change that is answered with too many requests. */
export const MAX_SENDS = 5;
/** The first pause, milliseconds: longer than the second in which the service counts. Each further one is longer by as much. */
const PAUSE_MS = 1_100;

/**
 * Sends a change, once; after a 429 again, later and later, up to five times in all, since a change or a cancellation can be repeated. It
 * ignores the signal of an execution: a request that may have left is waited for, so that its outcome is known.
 * @param mayAgain waits for its turn to be sent again, and returns true if it may. The caller has waited for the first turn.
 * @throws see `Transport.call`; any error of `mayAgain`
 */
export async function sendOrderRequest(
  transport: Transport,
  { endpoint, path, body }: ServiceRequest,
  mayAgain: () => Promise<boolean>,
): Promise<Json> {
  for (let sent = 1; ; sent++) {
    const called = await attempt(transport.call(endpoint, { path, body }));
    if (called.ok) return called.value;
    if (!isTooMany(called.error) || sent === MAX_SENDS) throw called.error;
    await transport.clock.sleep(sent * PAUSE_MS);
    if (!(await mayAgain())) throw called.error;
  }
}

function isTooMany(error: unknown): boolean {
  const isRefusal = error instanceof ServiceError || error instanceof ForeignReplyError;
  return isRefusal && error.status === TOO_MANY_REQUESTS;
}

/** A request as a dry run shows it. */
export function requestOutput({ endpoint, path = {}, body }: ServiceRequest): object {
  const filled = endpoint.path.replace(/\{(\w+)\}/g, (whole, name: string) => path[name] ?? whole);
  return { method: endpoint.method, path: filled, ...(body === undefined ? {} : { body }) };
}
