import type { NewOrder } from '../shared/orders';

/** An order as the event log holds it. */
export function orderToJson({ basketId, intentId: _own, ...order }: NewOrder) {
  return { ...order, basketId: basketId.toString() };
}

export function orderFromJson({ basketId, ...order }: ReturnType<typeof orderToJson>): NewOrder {
  return { ...order, basketId: BigInt(basketId) };
}
