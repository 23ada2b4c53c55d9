/** Fills in a model of the service, and the positions that result from them. */
import { positionKey } from '../../../client/closing/positions';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import type { Position } from '../../../client/portfolio/portfolio';
import { filledAt, type JournalOrder, type OrderModel } from '../../support/order-service';

/** One fill of one instrument by one product. */
export interface Fill {
  key: string;
  /** Milliseconds. */
  at: number;
  /** With their sign. */
  units: number;
}

/** The instruments of an order, a leg of a basket or a strategy, and what one unit of it trades of each. */
function tradedBy({ intent, body, basket }: JournalOrder): { key: string; units: number }[] {
  const said = intent ?? { ...body, ...(basket?.params as object | undefined), order_side: body.order_side };
  const product = String(said.deliveryType ?? String(said.order_delivery_type).replace('ORDER_DELIVERY_TYPE_', ''));
  const units = String(said.side ?? said.order_side).endsWith('SELL') ? -1 : 1;
  const legs = (said.legs as { refId: number; unitQty: number }[] | undefined) ?? [
    { refId: Number(said.refId ?? said.ref_id), unitQty: units },
  ];
  return legs.map(({ refId, unitQty }) => ({ key: positionKey({ refId, product }), units: unitQty }));
}

/** Everything that one order was filled with until an instant, its exits too. */
export function fillsOfOrder(order: JournalOrder, until: number): Fill[] {
  const steps: { at: number; units: number }[] = [];
  let before = 0;
  for (const { at } of order.life.filter((item) => item.at <= until)) {
    const filled = filledAt(order, at);
    if (filled > before) steps.push({ at, units: filled - before });
    before = Math.max(before, filled);
  }
  const exit = (order.exits ?? []).find((modelExit) => modelExit.filledAt !== undefined && modelExit.filledAt <= until);
  if (exit !== undefined) steps.push({ at: exit.filledAt!, units: -before });
  return steps.flatMap(({ at, units }) =>
    tradedBy(order).map((item) => ({ key: item.key, at, units: units * item.units })),
  );
}

/** Everything that was filled until an instant. */
export function fillsOf({ journal }: OrderModel, until: number): Fill[] {
  return journal.flatMap((order) => fillsOfOrder(order, until));
}

/** Units of one instrument by one product. */
export const sum = (fills: readonly Fill[], key: string): number =>
  fills.filter((fill) => fill.key === key).reduce((total, { units }) => total + units, 0);

/** The positions as the service shows them, with what was filled until an instant. */
export function shownPositions(
  model: OrderModel,
  held: readonly { instrument: TradedInstrument; product: 'IDAY' | 'CNC'; carried: number }[],
  until: number,
): Position[] {
  model.runDueEvents();
  const fills = fillsOf(model, until);
  return held.map(({ instrument: { refId, symbol, exchange, derivative }, product, carried }) => {
    const net = carried + sum(fills, positionKey({ refId, product }));
    return {
      segment: net === 0 ? 'closed' : derivative ? 'future' : 'stock',
      ref_id: refId,
      symbol,
      exchange,
      product: `ORDER_DELIVERY_TYPE_${product}`,
      order_side: net === 0 ? 'C' : net > 0 ? 'BUY' : 'SELL',
      qty: Math.abs(net),
    };
  });
}
