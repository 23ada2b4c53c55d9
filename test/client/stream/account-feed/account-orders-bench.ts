/** The orders of an account against a service that a test sets, with one stop-loss order in its lists and messages. */
import { NetworkError } from '../../../../client/base/errors';
import { AccountOrders, type ListComparison } from '../../../../client/stream/account-feed/account-orders';
import { type OrdersEvent } from '../../../../client/stream/reconciliation/orders-event';
import { readDayOrders } from '../../../../client/orders/model/order-record';
import type { OrderSnapshot } from '../../../../client/orders/model/order-snapshot';
import { VirtualClock } from '../../../support/clock';
import { instant } from '../basket-fixture';
import { FOREVER } from '../listening';
import { updateOf } from '../wire';

export const CREATED = '1795165545000000000';
const EVERY_MS = 30_000;
export const NO_LINE = new NetworkError('The line is down.', { maySent: false });

/** The service as an account sees it, and all that the account tells, in order. */
export class Service {
  readonly clock = new VirtualClock(Number(instant(0).slice(0, -6)));
  readonly events: OrdersEvent[] = [];
  listed: OrderSnapshot[] = [];
  baskets: OrderSnapshot[] | undefined = [];
  /** Reason why the lists cannot be read. `basketsFault` is the reason for that of baskets alone. */
  fault: Error | undefined;
  basketsFault: Error | undefined;
  /** Number of times that the baskets were asked for. */
  asked = 0;
  private compared = 0;
  readonly account: AccountOrders;

  /** @param isLive whether the service has a clock that nobody sets, which its replies show */
  constructor(followsBaskets = true, isLive = false) {
    const deps = {
      clock: this.clock,
      orders: async () => {
        if (this.fault) throw this.fault;
        return await Promise.resolve({ orders: this.listed, odd: [], ahead: isLive ? { min: 0, max: 0 } : undefined });
      },
      baskets: async () => {
        this.asked += 1;
        const fault = this.fault ?? this.basketsFault;
        if (fault) throw fault;
        return await Promise.resolve(this.baskets);
      },
    };
    this.account = new AccountOrders(deps, followsBaskets, (event) => this.events.push(event), !isLive);
  }

  /** Events since the last call, each with the types of what it made. */
  get news(): string[] {
    return this.events.splice(0).map((event) => {
      if (!('events' in event)) return event.type;
      const types = event.events.map(({ type, recovered }) => (recovered ? `${type} recovered` : type));
      return [event.type, ...types].join(' ');
    });
  }

  /** Compares, half a minute after the comparison before, as a feed does. */
  async compare(isFirst = false): Promise<ListComparison> {
    if (this.compared > 0) await this.clock.sleep(EVERY_MS);
    this.compared += 1;
    const result = await this.account.compare(isFirst, FOREVER);
    if (typeof result === 'string') throw new Error(result);
    return result;
  }

  /** A comparison after which the connection is kept; says whether the baskets were asked for. */
  async kept(): Promise<boolean> {
    const before = this.asked;
    (await this.compare()).keep();
    return this.asked > before;
  }
}

/** A stop-loss order as the list shows it. */
export function stopLoss(status: string, filled = 0, created = CREATED): OrderSnapshot[] {
  return readDayOrders([
    {
      ...{ order_id: '5', ref_id: 7, order_qty: 10, order_price: 100, price_type: 'LIMIT', filled_qty: filled },
      ...{ order_type: 'ORDER_TYPE_STOPLOSS', order_status: `ORDER_STATUS_${status}`, order_time: created },
    },
  ]);
}

export const message = (
  response: number,
  request: number,
  orderStatus: number,
  more: object = {},
): ReturnType<typeof updateOf> =>
  updateOf(
    {
      ...{ intentOrderId: '5', orderStatus, refId: 7, orderQty: 10, orderPrice: 100, priceType: 1, intentOrderType: 2 },
      ...more,
    },
    [response, request],
  );
export const accepted = message(1, 1, 1);
export const triggered = message(4, 1, 1);
export const cancelled = message(9, 1, 5);

/** An account that has looked at the order, and has heard nothing since. */
export async function looking(status = 'OPEN', followsBaskets = true): Promise<Service> {
  const service = new Service(followsBaskets);
  service.listed = stopLoss(status);
  await service.account.look(FOREVER);
  service.events.length = 0;
  return service;
}
