/**
 * The orders of the service as a small honest model, written from the specification: a journal of everything that it
 * took, a list that shows new orders late, statuses that move on, and faults at every request.
 */
import { NetworkError } from '../../client/base/errors';
import type { Http, WireRequest, WireResponse } from '../../client/base/ports';
import { Baskets } from './basket-service';
import { distort, MEANING_FAULTS, replyInstead, withoutFirst, type Fault } from './order-service-faults';
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
  isCarriedOut?: boolean;
}

export interface OrderModelOptions {
  fault?: (request: WireRequest) => Fault | undefined;
  latency?: () => number;
  listDelay?: () => number;
  /** Returns true for an order that the lists of the day lack now, although it is there. */
  hides?: (order: JournalOrder) => boolean;
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
    if (typeof fault === 'object' && !fault.processed) return replyInstead(fault);
    this.requests.push(request);
    const reply = this.answer(request);
    if (fault === 'no_reply') throw await this.broken(100);
    if (fault === 'late') throw await this.broken(request.timeoutMs);
    if (fault === 'cut') return { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length / 2)) };
    // What was refused is not told as taken.
    const isRefused = reply.status >= 300;
    if (typeof fault === 'object' && !(isRefused && fault.status < 300)) return replyInstead(fault);
    if (fault === 'partial') return this.reply(reply.status, withoutFirst(readBody(reply)));
    // The id in the reply of placing is the only one that there is.
    const meaning = MEANING_FAULTS.find((name) => name === fault && (name !== 'other' || request.method === 'GET'));
    if (meaning !== undefined && reply.body.length > 0)
      return this.reply(reply.status, distort(meaning, readBody(reply)));
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
    this.runDueEvents();
    return statusAt(order, this.time.now());
  }

  /** True if the lists of the day show it now. */
  isListed(order: JournalOrder): boolean {
    return order.listedAt <= this.time.now() && this.options.hides?.(order) !== true;
  }

  /** Lets happen what is due, in its order. */
  runDueEvents(): void {
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
    this.at(this.time.now() + delay, (at) => (taken.isCarriedOut = happen(at)));
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
    this.runDueEvents();
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
          .filter((order) => this.isListed(order) && !order.basket && !order.intent)
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
