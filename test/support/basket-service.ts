/** Baskets of the older interface in the model of the service (docs/service/baskets.md#basket-body, docs/service/baskets.md#basket-requests). */
import type { WireRequest, WireResponse } from '../../client/base/ports';
import type { JournalOrder, OrderModel } from './order-service';

export class Baskets {
  private made = 0;

  constructor(private readonly model: OrderModel) {}

  take(body: Record<string, unknown>, delay: number): Record<string, unknown> {
    const basket = {
      id: String(1_863_712_345_678_900_000n + BigInt(++this.made)),
      name: String(body.basket_name),
      params: body.basket_params,
    };
    for (const leg of body.orders as Record<string, unknown>[])
      this.model.take({ ...leg, tag: body.tag }, delay, basket);
    return this.record(basket.id);
  }

  private legsOf(id: string): JournalOrder[] {
    return this.model.journal.filter(({ basket }) => basket?.id === id);
  }

  private statusOf(legs: readonly JournalOrder[]): string {
    if (legs.some(({ exits }) => exits !== undefined)) return 'CLOSED';
    const statuses = legs.map((leg) => this.model.statusOf(leg));
    const common = ['FILLED', 'CANCELLED', 'REJECTED', 'PENDING'].find((name) => statuses.every((is) => is === name));
    return common ?? 'OPEN';
  }

  /** Cancels what is open of a basket, and closes what it has entered (docs/service/baskets.md#basket-rules). */
  cancel(id: string, request: WireRequest): WireResponse {
    const legs = this.legsOf(id);
    if (legs.length === 0) return this.model.reply(404, { error: 'basket not found' });
    const canEnd = (): boolean => ['PENDING', 'OPEN', 'FILLED'].includes(this.statusOf(legs));
    if (!canEnd()) return this.model.reply(400, { error: 'only an open or filled basket can be cancelled or exited' });
    this.model.change({ id }, 'cancel', request, (at) => {
      if (!canEnd()) return false;
      for (const leg of legs)
        if (!this.model.end(leg, at))
          leg.exits = [{ kind: 'EXIT_TIME', trigger: 0, limit: 0, status: 'FILLED', filledAt: at }];
      return true;
    });
    return this.model.reply(200, { message: 'delete request pushed' });
  }

  private record(id: string): Record<string, unknown> {
    const legs = this.legsOf(id);
    return {
      basket_id: id,
      basket_status: `BASKET_STATUS_${this.statusOf(legs)}`,
      basket_name: legs[0]?.basket?.name,
      tag: legs[0]?.tag,
      basket_params: legs[0]?.basket?.params,
      orders: legs.map((leg) => this.model.record(leg)),
    };
  }

  /** The list keys legs by their ref_id (docs/service/baskets.md#basket-requests). */
  list(tag: string | null): Record<string, unknown>[] {
    const shown = this.model.journal.filter((order) => order.basket !== undefined && this.model.isListed(order));
    const ids = [...new Set(shown.map(({ basket }) => basket!.id))];
    const records = ids.map((id) => this.record(id)).filter((record) => tag === null || record.tag === tag);
    return records.map((record) => ({
      ...record,
      orders: Object.fromEntries((record.orders as Record<string, unknown>[]).map((leg) => [String(leg.ref_id), leg])),
    }));
  }
}
