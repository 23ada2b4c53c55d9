/**
 * Intent orders in the model of the service (docs/service/intent-orders.md): create, list, modify, cancel, and exits that
 * the fill arms. One of them fills and ends the others.
 */
import type { WireRequest, WireResponse } from '../../client/base/ports';
import { filledAt, idsIn, type JournalOrder, type OrderModel } from './order-service';

/** An exit of an intent order. Prices in paise. */
export interface ModelExit {
  kind: 'STOPLOSS' | 'TARGET_PROFIT' | 'EXIT_TIME';
  trigger: number;
  limit: number;
  /** Of an exit time, milliseconds. */
  time?: number;
  status: 'OPEN' | 'FILLED' | 'CANCELLED';
  /** Milliseconds; of one that is filled. */
  filledAt?: number;
}

type Body = Record<string, unknown>;
interface Price {
  value?: number;
  disabled?: boolean;
}
interface Configs {
  stoplossParams?: { stoplossTriggerPrice: Price; stoplossLimitPrice: Price };
  targetParams?: { targetProfitTriggerPrice: Price; targetProfitLimitPrice: Price };
  exitTime?: string;
}

/** Time after a modification in which a cancel is refused. */
const SETTLING_MS = 5_000;
const SAID: Readonly<Record<string, string>> = { FILLED: 'EXECUTED', CANCELLED: 'CANCELLED', REJECTED: 'REJECTED' };

/**
 * Reads one exit from a config: its prices or its time, null where it is switched off, undefined where the config does
 * not name it.
 */
function saidOf(
  { stoplossParams: stop, targetParams: target, exitTime }: Configs,
  kind: ModelExit['kind'],
): Pick<ModelExit, 'trigger' | 'limit' | 'time'> | null | undefined {
  if (kind === 'EXIT_TIME')
    return exitTime === undefined ? undefined : { trigger: 0, limit: 0, time: Date.parse(exitTime) };
  const [trigger, limit] =
    kind === 'STOPLOSS'
      ? [stop?.stoplossTriggerPrice, stop?.stoplossLimitPrice]
      : [target?.targetProfitTriggerPrice, target?.targetProfitLimitPrice];
  if (trigger === undefined || limit === undefined) return undefined;
  return trigger.value === undefined ? null : { trigger: trigger.value, limit: limit.value! };
}

const KINDS = ['STOPLOSS', 'TARGET_PROFIT', 'EXIT_TIME'] as const;

export class IntentPaths {
  constructor(private readonly model: OrderModel) {}

  /** Answers a request to `/sentinel`. @param delay milliseconds until the list shows what is created. */
  answer(request: WireRequest, delay: number): WireResponse {
    const { pathname, searchParams } = new URL(request.url);
    const path = `${request.method} ${pathname.replace('/sentinel/orders', '')}`;
    if (path === 'POST /create') return this.create(request, delay);
    if (path === 'POST /modify') return this.modify(request);
    if (path === 'POST /cancel') return this.cancel(request);
    if (path === 'GET ') return this.list(searchParams.get('intentOrderId')?.split(','));
    return this.model.reply(404, { error: 'not found' });
  }

  /** An acknowledgement with records: the list shows them later. */
  private create({ body }: WireRequest, delay: number): WireResponse {
    const { options } = this.model;
    const items = (JSON.parse(body ?? '{}') as { orders: Body[] }).orders;
    const refusal = items
      .map((item) => options.refuse?.({ ...item, order_qty: item.qty }))
      .find((reason) => reason !== undefined);
    if (refusal !== undefined) return this.model.reply(400, { error: refusal });
    const orders = items.map((item) => this.taken(item, delay));
    const records = orders.map((order) => ({
      ...this.record(order),
      status: 'OPEN',
      rejectionMsg: '',
      ...(options.tagless ? { stratTags: null } : {}),
    }));
    return this.model.reply(201, { message: 'order creation request pushed successfully', orders: records });
  }

  private taken(item: Body, delay: number): JournalOrder {
    const [tag] = item.stratTags as string[];
    const order = this.model.take({ tag, order_qty: item.qty, order_price: item.entryPrice }, delay);
    order.intent = item;
    order.exits = KINDS.flatMap((kind) => {
      const said = saidOf((item.exitConfig ?? {}) as Configs, kind);
      return said ? [{ kind, ...said, status: 'OPEN' as const }] : [];
    });
    const entered = order.life.find(({ status }) => status === 'FILLED')?.at;
    const after = this.model.options.exitDelay?.();
    if (entered !== undefined && after !== undefined)
      this.model.at(entered + after, () => this.fillExit(order, entered + after));
    this.awaitExitTime(order);
    return order;
  }

  /** An exit that lives fills, and ends the others. @param which the first one where it is left out; never the exit time */
  private fillExit(
    order: JournalOrder,
    at: number,
    which = order.exits!.find(({ kind, status }) => kind !== 'EXIT_TIME' && status === 'OPEN'),
  ): void {
    if (which === undefined || !order.life.some((item) => item.status === 'FILLED' && item.at <= at)) return;
    for (const exit of order.exits!.filter(({ status }) => status === 'OPEN')) exit.status = 'CANCELLED';
    Object.assign(which, { status: 'FILLED', filledAt: at });
  }

  /** The exit time fills when it comes, unless it was changed or taken off, or another exit was quicker. */
  private awaitExitTime(order: JournalOrder): void {
    const time = order.exits!.find(({ kind }) => kind === 'EXIT_TIME')?.time;
    if (time === undefined) return;
    this.model.at(time, (at) => {
      const exit = order.exits!.find((exit) => exit.time === time && exit.status === 'OPEN');
      if (exit !== undefined) this.fillExit(order, at, exit);
    });
  }

  /** The list of the day in buckets; it shows nothing of the older interface. */
  private list(only: readonly string[] | undefined): WireResponse {
    const shown = this.model.journal.filter(
      (order) => order.intent !== undefined && this.model.isListed(order) && (only?.includes(order.id) ?? true),
    );
    const bucket = (status: string): object[] =>
      shown.map((order) => this.record(order)).filter((record) => record.status === status);
    return this.model.reply(200, {
      orders: {
        open: bucket('OPEN'),
        executed: bucket('EXECUTED'),
        cancelled: bucket('CANCELLED'),
        rejected: bucket('REJECTED'),
        gtt: null,
      },
    });
  }

  private found(ids: readonly string[]): JournalOrder[] {
    return this.model.journal.filter(({ id, intent }) => intent !== undefined && ids.includes(id));
  }

  private refuse(text: string): WireResponse {
    return this.model.reply(400, { error: text });
  }

  /** One order at a time is all that the client asks for. */
  private modify(request: WireRequest): WireResponse {
    const [order] = this.found(idsIn(request.body, 'orderId'));
    if (order === undefined) return this.refuse('order not found');
    const [{ qty, entryPrice, exitConfig }] = (JSON.parse(request.body!) as { orders: [Body] }).orders;
    const isOfEntry = qty !== undefined || entryPrice !== undefined;
    const canChange = (at?: number): boolean =>
      this.model.isOpen(order, at) || (!isOfEntry && order.exits!.some(({ status }) => status === 'OPEN'));
    if (!canChange()) return this.refuse('The order cannot be modified');
    const { time } = saidOf((exitConfig ?? {}) as Configs, 'EXIT_TIME') ?? {};
    if (time !== undefined && time <= this.model.now()) return this.refuse('The exit time is past');
    this.model.change(order, 'modify', request, (at) => {
      if (!canChange(at)) return false;
      order.intent = {
        ...order.intent,
        ...(qty === undefined ? {} : { qty }),
        ...(entryPrice === undefined ? {} : { entryPrice }),
      };
      for (const kind of KINDS) this.changeExit(order, kind, saidOf((exitConfig ?? {}) as Configs, kind));
      if (time !== undefined) this.awaitExitTime(order);
      order.modifiedAt = at;
      return true;
    });
    return this.model.reply(200, { message: 'order modify request pushed successfully' });
  }

  private changeExit(order: JournalOrder, kind: ModelExit['kind'], said: ReturnType<typeof saidOf>): void {
    const exit = order.exits!.find((exit) => exit.kind === kind && exit.status === 'OPEN');
    if (said === undefined) return;
    if (said === null) {
      if (exit !== undefined) exit.status = 'CANCELLED';
    } else if (exit !== undefined) Object.assign(exit, said);
    else order.exits = [...order.exits!.filter((exit) => exit.kind !== kind), { kind, ...said, status: 'OPEN' }];
  }

  /** Takes all or none. An entry that is filled is over, but a cancel takes its exits off. */
  private cancel(request: WireRequest): WireResponse {
    const requested = (JSON.parse(request.body!) as { orders: { exitTriggerKind?: string }[] }).orders;
    const orders = this.found(idsIn(request.body, 'orderId'));
    if (orders.length < requested.length) return this.refuse('order not found');
    const { exitTriggerKind } = requested[0]!;
    const live = (order: JournalOrder): ModelExit[] =>
      order.exits!.filter(
        ({ kind, status }) => status === 'OPEN' && (exitTriggerKind === undefined || kind === exitTriggerKind),
      );
    for (const order of orders) {
      if (order.modifiedAt !== undefined && this.model.now() - order.modifiedAt < SETTLING_MS)
        return this.refuse("Can't cancel this order right now");
      if (live(order).length === 0 && (exitTriggerKind !== undefined || !this.model.isOpen(order)))
        return this.refuse('Nothing of the order is open');
    }
    for (const order of orders)
      this.model.change(order, exitTriggerKind === undefined ? 'cancel' : 'cancel exit', request, (at) => {
        if (exitTriggerKind === undefined && this.model.end(order, at)) return true;
        const exits = live(order);
        for (const exit of exits) exit.status = 'CANCELLED';
        return exitTriggerKind !== undefined && exits.length > 0;
      });
    return this.model.reply(200, { message: 'order cancellation request pushed successfully' });
  }

  private record(order: JournalOrder): Record<string, unknown> {
    const item = order.intent!;
    const status = this.model.statusOf(order);
    const legs = item.legs as { refId: number; unitQty: number }[] | undefined;
    const filled = filledAt(order, this.model.now());
    return {
      ...item,
      intentOrderId: order.id,
      status: SAID[status] ?? 'OPEN',
      isMulti: item.isMultiLeg,
      legs:
        legs?.map(({ refId, unitQty }) => {
          const units = Math.abs(unitQty);
          return { refId, unitQty, orderQty: Number(item.qty) * units, filledQty: filled * units };
        }) ?? null,
      orderQty: item.qty,
      filledQty: filled,
      orderPrice: item.entryPrice,
      rejectionMsg: status === 'REJECTED' ? 'INSUFFICIENT_MARGIN' : '',
      exitConfig: order.exits!.map(({ kind, trigger, limit, time, status: is }) => ({
        kind,
        ...(time === undefined
          ? { triggerPrice: { value: trigger }, limitPrice: { value: limit } }
          : { exitTime: new Date(time).toISOString() }),
        status: is,
        filledQty: is === 'FILLED' ? item.qty : 0,
      })),
      timestamps: { lastModifiedAt: order.modifiedAt === undefined ? null : new Date(order.modifiedAt).toISOString() },
    };
  }
}
