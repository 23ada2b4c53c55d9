/** Baskets of the older interface in the model of the service (specification: Basket body; wire-facts 2: Baskets). */
import type { OrderModel } from './order-service';

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

  private record(id: string): Record<string, unknown> {
    const legs = this.model.journal.filter(({ basket }) => basket?.id === id);
    return {
      basket_id: id,
      basket_name: legs[0]?.basket?.name,
      tag: legs[0]?.tag,
      basket_params: legs[0]?.basket?.params,
      orders: legs.map((leg) => this.model.record(leg)),
    };
  }

  /** The list keys legs by their ref_id (wire-facts 2: Baskets). */
  list(tag: string | null): Record<string, unknown>[] {
    const shown = this.model.journal.filter(
      ({ basket, listedAt }) => basket !== undefined && listedAt <= this.model.now(),
    );
    const ids = [...new Set(shown.map(({ basket }) => basket!.id))];
    const records = ids.map((id) => this.record(id)).filter((record) => tag === null || record.tag === tag);
    return records.map((record) => ({
      ...record,
      orders: Object.fromEntries((record.orders as Record<string, unknown>[]).map((leg) => [String(leg.ref_id), leg])),
    }));
  }
}
