/**
 * The orders of the service as a small honest model, written from the specification: a journal of everything that it
 * took, a list that shows new orders late, statuses that move on, and faults at every request.
 */
import { NetworkError } from '../../client/base/errors';
import type { Http, WireRequest, WireResponse } from '../../client/base/ports';
import { Baskets } from './basket-service';
import { IntentPaths, type ModelExit } from './intent-service';
import type { VirtualTime } from './virtual-time';

export interface JournalOrder {
  id: string;
  tag: string;
  /** Received body. */
  body: Record<string, unknown>;
  /** From when on the list shows it, milliseconds. */
  listedAt: number;
  /** Status from an instant on, in order. */
  life: { at: number; status: string; filled?: number }[];
  basket?: { id: string; name: string; params: unknown };
  /** The item of a create, for an order that was placed as an intent order: the older lists do not show it. */
  intent?: Record<string, unknown>;
  /** The exits of an intent order. */
  exits?: ModelExit[];
  /** Instant when a modification last happened, milliseconds; unset before the first. */
  modifiedAt?: number;
}

/** A change that the service has taken: it is acknowledged first, and happens later, or not at all. */
export interface TakenChange {
  orderId: string;
  /** The header `x-call` of the request: who asked for it. */
  call: string | undefined;
  what: 'cancel' | 'cancel exit' | 'modify';
  /** True if it happened; undefined while it is in progress. */
  happened?: boolean;
}

/**
 * Fault of a request. `lost`: it never arrives. `no_reply`: processed, then the connection breaks. `late`: processed,
 * and the reply takes longer than the client waits. `refused`: no connection. `cut`: processed, and the reply is cut
 * off. `partial`: processed, and the reply lacks one of several orders. `reversed`: its lists are reversed. `unpriced`:
 * what has filled is told without its price. `other`: one order is told as another one. A number: this status instead,
 * not processed; `{status, processed}`: processed all the same, or not, with a body and headers of somebody else where
 * they are there.
 */
export type Fault =
  | 'lost'
  | 'no_reply'
  | 'late'
  | 'refused'
  | 'cut'
  | 'partial'
  | 'reversed'
  | 'unpriced'
  | 'other'
  | number
  | { status: number; processed: boolean; text?: string; headers?: Record<string, string> };

/** Every fault of a request that is for one order. */
export const FAULTS: readonly Fault[] = [
  'lost',
  'no_reply',
  'late',
  'refused',
  'cut',
  429,
  500,
  503,
  408,
  { status: 500, processed: true },
  { status: 502, processed: true },
  { status: 408, processed: true },
  { status: 202, processed: true },
];

/** Faults in the meaning of an answer, whatever was asked: the request is processed. */
export const MEANING_FAULTS = ['reversed', 'unpriced', 'other'] as const;
type MeaningFault = (typeof MEANING_FAULTS)[number];

/** Statuses by which something between a client and the service answers in its place; 429 may be the service's. */
const GATEWAY_STATUSES: readonly number[] = [302, 401, 403, 404, 407, 409, 410, 422, 425, 429, 440, 451, 499];
/**
 * Bodies of a gateway's replies: an error in the service's form that gives no reason, in another form, a page, and
 * nothing.
 */
const GATEWAY_BODIES: readonly { text: string; headers?: Record<string, string> }[] = [
  { text: '{"error":"fault","svc_error_code":""}' },
  { text: '{"message":"Forbidden"}' },
  { text: '<html><title>Just a moment...</title></html>', headers: { 'content-type': 'text/html; charset=utf-8' } },
  { text: '<!DOCTYPE html><p>Denied', headers: { 'retry-after': '3' } },
  { text: '' },
];

/** Every such answer, to what was taken and to what was not. */
export const GATEWAY_FAULTS: readonly Extract<Fault, object>[] = GATEWAY_STATUSES.flatMap((status) =>
  GATEWAY_BODIES.flatMap((body) => [true, false].map((processed) => ({ status, processed, ...body }))),
);

/** Answers to an order that was taken which say nothing of it: a page that is a success, and the reply to another order. */
export const ODD_SUCCESSES: readonly Extract<Fault, object>[] = [
  { status: 200, processed: true, text: '<html>Welcome</html>' },
  { status: 201, processed: true, text: '{"order_id":1763712345678900999,"ref_id":1,"order_qty":10,"tag":"other"}' },
  {
    status: 201,
    processed: true,
    text: '{"orders":[{"intentOrderId":99,"refId":1,"orderQty":10,"stratTags":["other"]}]}',
  },
  { status: 200, processed: true, text: '{"order_id":1763712345678900998,"basket_id":77}' },
];

/** Each 429, in the service's form and in others, to what was taken and to what was not. */
export const BUSY_FAULTS = GATEWAY_FAULTS.filter(({ status }) => status === 429);

/** Pages in place of the answer to a read. */
export const PAGE_FAULTS: readonly Extract<Fault, object>[] = [200, 401, 403, 404, 407, 440, 511].map((status) => ({
  status,
  processed: false,
  text: '<html>Sign in</html>',
  headers: { 'content-type': 'text/html' },
}));

export interface OrderModelOptions {
  fault?: (request: WireRequest) => Fault | undefined;
  latency?: () => number;
  listDelay?: () => number;
  /** Statuses after PENDING with their delays, and units filled by then; a last REJECTED comes from the risk check. */
  life?: (body: Record<string, unknown>) => { after: number; status: string; filled?: number }[];
  /** Refuses a body at once with 400. */
  refuse?: (body: Record<string, unknown>) => string | undefined;
  /** `{orders: [...]}` instead of a bare array for several orders. */
  multiAsObject?: boolean;
  /** Orders do not carry their tag in the reply of placing. */
  tagless?: boolean;
  /** Returns the order interfaces that the account has now; the older one alone where it is left out. */
  has?: () => 'v2' | 'intent' | 'both';
  /** Milliseconds from the acknowledgement of a change to the change. */
  changeDelay?: (what: TakenChange['what']) => number;
  /** Milliseconds from the fill to that of an exit; undefined where none fills. */
  exitDelay?: () => number | undefined;
}

const CHANGE_DELAY_MS: Readonly<Record<TakenChange['what'], number>> = { cancel: 500, 'cancel exit': 0, modify: 0 };
const OPEN_STATUSES: readonly string[] = ['OPEN', 'PENDING', 'PARTIAL_FILLED'];

export class OrderModel {
  readonly journal: JournalOrder[] = [];
  readonly requests: WireRequest[] = [];
  readonly changes: TakenChange[] = [];
  /** Events to come, each at an instant in milliseconds. */
  private due: { at: number; happen: (at: number) => void }[] = [];
  private readonly intents = new IntentPaths(this);
  private readonly baskets = new Baskets(this);

  constructor(
    private readonly time: VirtualTime,
    readonly options: OrderModelOptions = {},
  ) {}

  now = (): number => this.time.now();

  http: Http = async (request, signal) => {
    const fault = this.options.fault?.(request);
    await this.time.sleep(this.options.latency?.() ?? 20, signal);
    if (fault === 'refused') throw new NetworkError('Connection refused.', { maySent: false });
    if (fault === 'lost') throw await this.broken(1_000);
    if (typeof fault === 'number') return this.reply(fault, { error: 'fault' });
    if (typeof fault === 'object' && !fault.processed) return instead(fault);
    this.requests.push(request);
    const reply = this.answer(request);
    if (fault === 'no_reply') throw await this.broken(100);
    if (fault === 'late') throw await this.broken(request.timeoutMs);
    if (fault === 'cut') return { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length / 2)) };
    // What was refused is not told as taken.
    const isRefused = reply.status >= 300;
    if (typeof fault === 'object' && !(isRefused && fault.status < 300)) return instead(fault);
    if (fault === 'partial') return this.reply(reply.status, withoutOne(readBody(reply)));
    // The id in the reply of placing is the only one that there is.
    const meaning = MEANING_FAULTS.find((name) => name === fault && (name !== 'other' || request.method === 'GET'));
    if (meaning !== undefined && reply.body.length > 0)
      return this.reply(reply.status, meant(meaning, readBody(reply)));
    await this.time.sleep(this.options.latency?.() ?? 20);
    return reply;
  };

  private async broken(after: number): Promise<NetworkError> {
    await this.time.sleep(after);
    return new NetworkError('The connection broke.', { maySent: true });
  }

  reply(status: number, body: unknown): WireResponse {
    const text = JSON.stringify(body).replace(/"(order_id|basket_id|intentOrderId)":"(\d+)"/g, '"$1":$2');
    return { status, headers: {}, body: Buffer.from(text) };
  }

  /** Status now, with everything that was due before. */
  statusOf(order: JournalOrder): string {
    this.settle();
    return statusAt(order, this.time.now());
  }

  /** Lets happen what is due, in its order. */
  settle(): void {
    const ready = this.due.filter(({ at }) => at <= this.time.now()).sort((a, b) => a.at - b.at);
    this.due = this.due.filter(({ at }) => at > this.time.now());
    for (const { at, happen } of ready) happen(at);
  }

  /** Something that happens at an instant, milliseconds. */
  at(instant: number, happen: (at: number) => void): void {
    this.due.push({ at: instant, happen });
  }

  /** Takes a change. @param happen whether it happens, at its instant. */
  change(
    order: Pick<JournalOrder, 'id'>,
    what: TakenChange['what'],
    { headers }: WireRequest,
    happen: (at: number) => boolean,
  ): void {
    const taken: TakenChange = { orderId: order.id, call: headers['x-call'], what };
    this.changes.push(taken);
    const delay = this.options.changeDelay?.(what) ?? CHANGE_DELAY_MS[what];
    this.at(this.time.now() + delay, (at) => (taken.happened = happen(at)));
  }

  /** True if the entry can still be changed or cancelled. */
  isOpen(order: JournalOrder, at = this.time.now()): boolean {
    return OPEN_STATUSES.includes(statusAt(order, at));
  }

  /** Ends an entry that is still open then. @returns whether it was. */
  end(order: JournalOrder, at: number): boolean {
    if (!this.isOpen(order, at)) return false;
    order.life = [...order.life.filter((item) => item.at <= at), { at, status: 'CANCELLED' }];
    for (const exit of order.exits ?? []) exit.status = 'CANCELLED';
    return true;
  }

  record(order: JournalOrder): Record<string, unknown> {
    const status = this.statusOf(order);
    return {
      ...order.body,
      order_id: order.id,
      order_status: `ORDER_STATUS_${status}`,
      last_modified: String(order.modifiedAt ?? 0),
      filled_qty: filledAt(order, this.time.now()),
      avg_filled_price: status === 'FILLED' ? (order.body.order_price ?? 10_000) : 0,
      basket_id: order.basket?.id ?? '0',
      ...(status === 'REJECTED' ? { rejection_msg: 'INSUFFICIENT_MARGIN' } : {}),
    };
  }

  take(body: Record<string, unknown>, listDelay: number, basket?: JournalOrder['basket']): JournalOrder {
    const now = this.time.now();
    let at = now;
    const life = [
      { at, status: 'PENDING' },
      ...(this.options.life?.(body) ?? [{ after: 300, status: 'OPEN' }]).map(({ after, ...rest }) => ({
        at: (at += after),
        ...rest,
      })),
    ];
    const order: JournalOrder = {
      id: String(1_763_712_345_678_900_000n + BigInt(this.journal.length + 1)),
      tag: String(body.tag ?? ''),
      body,
      listedAt: now + listDelay,
      life,
      ...(basket ? { basket } : {}),
    };
    this.journal.push(order);
    return order;
  }

  private placed(order: JournalOrder): Record<string, unknown> {
    const record = { ...this.record(order), order_status: 'ORDER_STATUS_PENDING' } as Record<string, unknown>;
    delete record.rejection_msg;
    if (this.options.tagless) delete record.tag;
    return record;
  }

  private answer(request: WireRequest): WireResponse {
    this.settle();
    const { pathname, searchParams } = new URL(request.url);
    const body = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
    const delay = this.options.listDelay?.() ?? 1_000;
    const has = this.options.has?.() ?? 'v2';
    if (pathname.startsWith('/sentinel/'))
      return has === 'v2' ? this.reply(404, { error: 'not found' }) : this.intents.answer(request, delay);
    if (has === 'intent') return this.reply(403, { error: 'OMS v2 is not enabled' });
    if (request.method === 'POST' && pathname === '/orders/v2/single') {
      const refusal = this.options.refuse?.(body);
      return refusal === undefined
        ? this.reply(201, this.placed(this.take(body, delay)))
        : this.reply(400, { error: refusal });
    }
    if (request.method === 'POST' && pathname === '/orders/v2/multi') {
      const orders = body.orders as Record<string, unknown>[];
      const refusal = orders.map((order) => this.options.refuse?.(order)).find((reason) => reason !== undefined);
      if (refusal !== undefined) return this.reply(400, { error: refusal });
      const records = orders.map((order) => this.placed(this.take(order, delay)));
      return this.reply(200, this.options.multiAsObject ? { orders: records } : records);
    }
    if (request.method === 'POST' && pathname === '/orders/v2/basket')
      return this.reply(201, this.baskets.take(body, delay));
    if (pathname === '/orders/v2/basket') return this.reply(200, this.baskets.list(searchParams.get('tag')));
    if (pathname.startsWith('/orders/v2/basket/')) return this.baskets.cancel(pathname.split('/').at(-1)!, request);
    if (request.method === 'GET' && pathname === '/orders') {
      return this.reply(
        200,
        this.journal
          .filter(({ listedAt, basket, intent }) => listedAt <= this.time.now() && !basket && !intent)
          .map((order) => this.record(order)),
      );
    }
    if (request.method === 'POST' && pathname === '/orders/cancel') {
      const ids = idsIn(request.body, 'order_id');
      const found = this.journal.filter(({ id, intent }) => intent === undefined && ids.includes(id));
      return found.length < ids.length ? this.reply(404, { error: 'order not found' }) : this.cancel(found, request);
    }
    return this.one(request, pathname);
  }

  private one(request: WireRequest, pathname: string): WireResponse {
    const order = this.journal.find(({ id, intent }) => intent === undefined && pathname.endsWith(`/${id}`));
    if (order === undefined || order.listedAt > this.time.now()) return this.reply(404, { error: 'order not found' });
    if (request.method === 'DELETE') return this.cancel([order], request);
    if (pathname.startsWith('/orders/v2/modify/')) {
      if (!this.isOpen(order)) return this.reply(400, { error: 'The order cannot be modified' });
      const changed = JSON.parse(request.body ?? '{}') as object;
      this.change(order, 'modify', request, (at) => {
        if (!this.isOpen(order, at)) return false;
        order.body = { ...order.body, ...changed };
        order.modifiedAt = at;
        return true;
      });
      return this.reply(200, { message: 'update request pushed' });
    }
    return this.reply(200, this.record(order));
  }

  /** Takes all or none. */
  private cancel(orders: readonly JournalOrder[], request: WireRequest): WireResponse {
    if (!orders.every((order) => this.isOpen(order)))
      return this.reply(400, { error: "Can't cancel this order right now" });
    for (const order of orders) this.change(order, 'cancel', request, (at) => this.end(order, at));
    return this.reply(200, { message: 'delete request pushed' });
  }
}

/** The reply that a fault gives in place of the service's. */
function instead(fault: Extract<Fault, object>): WireResponse {
  const { status, text = '{"error":"fault after the work"}', headers = {} } = fault;
  return { status, headers, body: Buffer.from(text) };
}

function statusAt({ life }: JournalOrder, instant: number): string {
  return life.findLast(({ at }) => at <= instant)?.status ?? 'PENDING';
}

/** Units filled by an instant: all of what is FILLED, and what a life says of others. */
export function filledAt({ life, body, intent }: JournalOrder, instant: number): number {
  const past = life.filter(({ at }) => at <= instant);
  if (past.at(-1)?.status === 'FILLED') return Number(intent?.qty ?? body.order_qty);
  return Math.max(0, ...past.map(({ filled = 0 }) => filled));
}

/** The ids of a body, which are larger than a double is exact. */
export function idsIn(body: string | undefined, name: string): string[] {
  return [...(body ?? '').matchAll(new RegExp(`"${name}":"?(\\d+)"?`, 'g'))].map(([, id]) => id!);
}

/** A body with its long ids as texts, which `OrderModel.reply` writes as numbers again. */
function readBody({ body }: WireResponse): unknown {
  return JSON.parse(
    Buffer.from(body)
      .toString('utf8')
      .replace(/:(\d{16,})/g, ':"$1"'),
  );
}

const PRICES = ['avg_filled_price', 'filledPrice'];

/** An answer whose meaning is another one. */
function meant(fault: MeaningFault, value: unknown): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((item) => (fault === 'other' ? item : meant(fault, item)));
    return fault === 'reversed' ? inner.reverse() : inner;
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  if (fault === 'other') return 'order_id' in record ? { ...record, order_id: '1763712345678900997' } : record;
  return Object.fromEntries(
    Object.entries(record).map(([name, item]) => [
      name,
      fault === 'unpriced' && PRICES.includes(name) ? 0 : meant(fault, item),
    ]),
  );
}

function withoutOne(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(1);
  const { orders } = value as { orders?: unknown };
  return Array.isArray(orders) ? { ...(value as object), orders: orders.slice(1) } : {};
}
