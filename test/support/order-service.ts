/**
 * The orders of the service as a small honest model, written from the specification: a journal of everything that it
 * took, a list that shows new orders late, statuses that move on, and faults at every request.
 */
import { NetworkError } from '../../client/base/errors';
import type { Http, WireRequest, WireResponse } from '../../client/base/ports';
import type { VirtualTime } from './virtual-time';

export interface JournalOrder {
  id: string;
  tag: string;
  /** The body as it came. */
  body: Record<string, unknown>;
  /** From when on the list shows it, milliseconds. */
  listedAt: number;
  /** Status from an instant on, in order. */
  life: { at: number; status: string }[];
  basket?: { id: string; name: string; params: unknown };
  /** The item of a create, for an order that was placed as an intent order: the older lists do not show it. */
  intent?: Record<string, unknown>;
}

/**
 * What goes wrong with a request. `lost`: it never arrives. `no_reply`: processed, then the connection breaks. `late`:
 * processed, and the reply takes longer than the client waits. `refused`: no connection. `cut`: processed, and the reply
 * is cut off. `partial`: processed, and the reply lacks one of several orders. A number: this status instead, not
 * processed; `{status, processed: true}`: processed all the same.
 */
export type Fault =
  'lost' | 'no_reply' | 'late' | 'refused' | 'cut' | 'partial' | number | { status: number; processed: true };

export interface OrderModelOptions {
  fault?: (request: WireRequest) => Fault | undefined;
  latency?: () => number;
  listDelay?: () => number;
  /** Statuses after PENDING with their delays; a last REJECTED comes from the risk check. */
  life?: () => { after: number; status: string }[];
  /** Refuses a body at once with 400. */
  refuse?: (body: Record<string, unknown>) => string | undefined;
  /** `{orders: [...]}` instead of a bare array for several orders. */
  multiAsObject?: boolean;
  /** Orders do not carry their tag in the reply of placing. */
  tagless?: boolean;
  /** Which order interfaces the account has now; the older one alone where it is left out. */
  has?: () => 'v2' | 'intent' | 'both';
}

export class OrderModel {
  readonly journal: JournalOrder[] = [];
  readonly requests: WireRequest[] = [];
  private made = 0;

  constructor(
    private readonly time: VirtualTime,
    private readonly options: OrderModelOptions = {},
  ) {}

  http: Http = async (request, signal) => {
    const fault = this.options.fault?.(request);
    await this.time.sleep(this.options.latency?.() ?? 20, signal);
    if (fault === 'refused') throw new NetworkError('Connection refused.', { maySent: false });
    if (fault === 'lost') throw await this.broken(1_000);
    if (typeof fault === 'number') return this.reply(fault, { error: 'fault' });
    this.requests.push(request);
    const reply = this.answer(request);
    if (fault === 'no_reply') throw await this.broken(100);
    if (fault === 'late') throw await this.broken(request.timeoutMs);
    if (fault === 'cut') return { ...reply, body: reply.body.subarray(0, Math.floor(reply.body.length / 2)) };
    if (typeof fault === 'object') return this.reply(fault.status, { error: 'fault after the work' });
    if (fault === 'partial')
      return this.reply(
        reply.status,
        withoutOne(
          JSON.parse(
            Buffer.from(reply.body)
              .toString('utf8')
              .replace(/:(\d{16,})/g, ':"$1"'),
          ),
        ),
      );
    await this.time.sleep(this.options.latency?.() ?? 20);
    return reply;
  };

  private async broken(after: number): Promise<NetworkError> {
    await this.time.sleep(after);
    return new NetworkError('The connection broke.', { maySent: true });
  }

  private reply(status: number, body: unknown): WireResponse {
    const text = JSON.stringify(body).replace(/"(order_id|basket_id|intentOrderId)":"(\d+)"/g, '"$1":$2');
    return { status, headers: {}, body: Buffer.from(text) };
  }

  statusOf(order: JournalOrder): string {
    return order.life.findLast(({ at }) => at <= this.time.now())?.status ?? 'PENDING';
  }

  private record(order: JournalOrder): Record<string, unknown> {
    const status = this.statusOf(order);
    return {
      ...order.body,
      order_id: order.id,
      order_status: `ORDER_STATUS_${status}`,
      filled_qty: status === 'FILLED' ? order.body.order_qty : 0,
      avg_filled_price: status === 'FILLED' ? (order.body.order_price ?? 10_000) : 0,
      basket_id: order.basket?.id ?? '0',
      ...(status === 'REJECTED' ? { rejection_msg: 'INSUFFICIENT_MARGIN' } : {}),
    };
  }

  private take(body: Record<string, unknown>, listDelay: number, basket?: JournalOrder['basket']): JournalOrder {
    const now = this.time.now();
    let at = now;
    const life = [
      { at, status: 'PENDING' },
      ...(this.options.life?.() ?? [{ after: 300, status: 'OPEN' }]).map(({ after, status }) => ({
        at: (at += after),
        status,
      })),
    ];
    const order: JournalOrder = {
      id: String(1_763_712_345_678_900_000n + BigInt(++this.made)),
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
    const { pathname, searchParams } = new URL(request.url);
    const body = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
    const delay = this.options.listDelay?.() ?? 1_000;
    const has = this.options.has?.() ?? 'v2';
    if (pathname.startsWith('/sentinel/'))
      return has === 'v2'
        ? this.reply(404, { error: 'not found' })
        : this.answerIntent(request.method, pathname, body, delay);
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
      return this.reply(201, this.takeBasket(body, delay));
    if (pathname === '/orders/v2/basket') return this.reply(200, this.baskets(searchParams.get('tag')));
    if (request.method === 'GET' && pathname === '/orders') {
      return this.reply(
        200,
        this.journal
          .filter(({ listedAt, basket, intent }) => listedAt <= this.time.now() && !basket && !intent)
          .map((order) => this.record(order)),
      );
    }
    return this.one(request, pathname);
  }

  /** Intent orders: an acknowledgement with records, and a list in buckets; it shows nothing of the older interface. */
  private answerIntent(method: string, pathname: string, body: Record<string, unknown>, delay: number): WireResponse {
    if (method === 'POST' && pathname === '/sentinel/orders/create') {
      const items = body.orders as Record<string, unknown>[];
      const refusal = items
        .map((item) => this.options.refuse?.({ ...item, order_qty: item.qty }))
        .find((reason) => reason !== undefined);
      if (refusal !== undefined) return this.reply(400, { error: refusal });
      const orders = items.map((item) => {
        const [tag] = item.stratTags as string[];
        const order = this.take({ tag, order_qty: item.qty, order_price: item.entryPrice }, delay);
        order.intent = item;
        return order;
      });
      const records = orders.map((order) => ({
        ...this.intentRecord(order),
        status: 'OPEN',
        rejectionMsg: '',
        ...(this.options.tagless ? { stratTags: null } : {}),
      }));
      return this.reply(201, { message: 'order creation request pushed successfully', orders: records });
    }
    if (method === 'GET' && pathname === '/sentinel/orders') {
      const shown = this.journal.filter(({ listedAt, intent }) => intent !== undefined && listedAt <= this.time.now());
      const bucket = (status: string): object[] =>
        shown.map((order) => this.intentRecord(order)).filter((record) => record.status === status);
      return this.reply(200, {
        orders: {
          open: bucket('OPEN'),
          executed: bucket('EXECUTED'),
          cancelled: bucket('CANCELLED'),
          rejected: bucket('REJECTED'),
          gtt: null,
        },
      });
    }
    return this.reply(404, { error: 'not found' });
  }

  private intentRecord(order: JournalOrder): Record<string, unknown> {
    const item = order.intent!;
    const status = this.statusOf(order);
    const legs = item.legs as { refId: number; unitQty: number }[] | undefined;
    const said: Record<string, string> = { FILLED: 'EXECUTED', CANCELLED: 'CANCELLED', REJECTED: 'REJECTED' };
    return {
      ...item,
      intentOrderId: order.id,
      status: said[status] ?? 'OPEN',
      isMulti: item.isMultiLeg,
      legs: legs?.map((leg) => ({ ...leg, orderQty: Number(item.qty) * Math.abs(leg.unitQty), filledQty: 0 })) ?? null,
      orderQty: item.qty,
      filledQty: status === 'FILLED' ? item.qty : 0,
      orderPrice: item.entryPrice,
      rejectionMsg: status === 'REJECTED' ? 'INSUFFICIENT_MARGIN' : '',
    };
  }

  private one(request: WireRequest, pathname: string): WireResponse {
    const order = this.journal.find(({ id }) => pathname.endsWith(`/${id}`));
    if (order === undefined || order.listedAt > this.time.now()) return this.reply(404, { error: 'order not found' });
    if (request.method === 'DELETE') {
      if (!['OPEN', 'PENDING', 'PARTIAL_FILLED'].includes(this.statusOf(order)))
        return this.reply(400, { error: "Can't cancel this order right now" });
      order.life = [
        ...order.life.filter(({ at }) => at <= this.time.now()),
        { at: this.time.now() + 500, status: 'CANCELLED' },
      ];
      return this.reply(200, { message: 'delete request pushed' });
    }
    if (pathname.startsWith('/orders/v2/modify/')) {
      order.body = { ...order.body, ...(JSON.parse(request.body ?? '{}') as object) };
      return this.reply(200, { message: 'update request pushed' });
    }
    return this.reply(200, this.record(order));
  }

  private takeBasket(body: Record<string, unknown>, delay: number): Record<string, unknown> {
    const basket = {
      id: String(1_863_712_345_678_900_000n + BigInt(++this.made)),
      name: String(body.basket_name),
      params: body.basket_params,
    };
    for (const leg of body.orders as Record<string, unknown>[]) this.take({ ...leg, tag: body.tag }, delay, basket);
    return this.basketRecord(basket.id);
  }

  private basketRecord(id: string): Record<string, unknown> {
    const legs = this.journal.filter(({ basket }) => basket?.id === id);
    return {
      basket_id: id,
      basket_name: legs[0]?.basket?.name,
      tag: legs[0]?.tag,
      basket_params: legs[0]?.basket?.params,
      orders: legs.map((leg) => this.record(leg)),
    };
  }

  /** The list keys legs by their ref_id (wire-facts 2: Baskets). */
  private baskets(tag: string | null): Record<string, unknown>[] {
    const shown = this.journal.filter(({ basket, listedAt }) => basket !== undefined && listedAt <= this.time.now());
    const ids = [...new Set(shown.map(({ basket }) => basket!.id))];
    const records = ids.map((id) => this.basketRecord(id)).filter((record) => tag === null || record.tag === tag);
    return records.map((record) => ({
      ...record,
      orders: Object.fromEntries((record.orders as Record<string, unknown>[]).map((leg) => [String(leg.ref_id), leg])),
    }));
  }
}

function withoutOne(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(1);
  const { orders } = value as { orders?: unknown };
  return Array.isArray(orders) ? { ...(value as object), orders: orders.slice(1) } : {};
}
