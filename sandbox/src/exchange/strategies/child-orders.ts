import type { Instrument } from '../../market/reference/types';
import type { NewOrder, Refusal } from '../../shared/orders';
import type { IntentLeg, WorkingIntent, ChildOrder } from './types';
import type { Exchange } from '../contract';

/** Terms of an order that differ between entry and exits. */
export type ChildTerms = Pick<NewOrder, 'side' | 'validity' | 'priceType' | 'price'> & {
  of: ChildOrder['of'];
  /** Visible quantity of an iceberg; 0 for none. */
  visible: number;
};

/** A leg whose order the exchange would not take, and the reason. */
export interface LegRefusal {
  leg: IntentLeg;
  reason: string;
}

/** The orders that intent orders have at the exchange: placed in slices of the freeze quantity, and taken back. */
export class ChildOrders {
  constructor(
    private readonly exchange: Exchange,
    /** The instrument of a leg, also of one that can no longer be traded. */
    private readonly instrument: (refId: number, at: number) => Instrument,
  ) {}

  /** Places so much of a leg. @returns why the exchange would not take it; what was placed before stays */
  private place(
    working: WorkingIntent,
    legIndex: number,
    quantity: number,
    terms: ChildTerms,
    at: number,
  ): Refusal | undefined {
    const { intent } = working;
    const leg = intent.legs[legIndex]!;
    const { refId } = leg;
    const { of, visible, ...order } = terms;
    for (const slice of sliceQuantities(quantity, this.instrument(refId, at))) {
      const iceberg = visible > 0 && slice > visible;
      const placed = this.exchange.place(
        {
          ...order,
          account: intent.account,
          refId,
          kind: iceberg ? 'ICEBERG' : 'REGULAR',
          quantity: slice,
          product: intent.product,
          triggerPrice: 0,
          legSize: iceberg ? visible : 0,
          tag: intent.tag,
          source: 'ORDER_SOURCE_NORMAL',
          ...(intent.basket === undefined ? { basketId: 0n, intentId: intent.id } : { basketId: intent.id }),
          ...(intent.placedBy && { placedBy: intent.placedBy }),
        },
        at,
      );
      if (!placed.ok) return placed;
      working.children.push({
        orderId: placed.order.id,
        leg: legIndex,
        of,
        placed: slice,
        left: slice,
        cancelling: false,
      });
      leg.orderIds?.push(placed.order.id);
    }
    return undefined;
  }

  /** Places what is missing of the legs, those to buy first: they lower the margin of those to sell. @returns the first refusal */
  placeMissing(
    working: WorkingIntent,
    missingOf: (leg: IntentLeg, index: number) => number,
    termsOf: (leg: IntentLeg) => ChildTerms,
    at: number,
  ): LegRefusal | undefined {
    for (const first of ['BUY', 'SELL'] as const) {
      for (const [index, leg] of working.intent.legs.entries()) {
        const terms = termsOf(leg);
        if (terms.side !== first) continue;
        const missing = missingOf(leg, index);
        if (missing <= 0) continue;
        const refused = this.place(working, index, missing, terms, at);
        if (refused !== undefined) return { leg, reason: refused.text };
      }
    }
    return undefined;
  }

  /** Asks the exchange for orders back; one that takes no request now is asked again at the next look. */
  cancel(children: readonly ChildOrder[], at: number): void {
    for (const child of children) {
      if (!child.cancelling) child.cancelling = this.exchange.cancel(child.orderId, at).ok;
    }
  }
}

/** A quantity in slices of at most the freeze quantity, in whole lots. */
export function sliceQuantities(
  quantity: number,
  { freezeQty, lotSize }: Pick<Instrument, 'freezeQty' | 'lotSize'>,
): number[] {
  const max = Math.max(1, Math.floor(freezeQty / lotSize)) * lotSize;
  const full = Array.from({ length: Math.floor(quantity / max) }, () => max);
  return quantity % max === 0 ? full : [...full, quantity % max];
}

/** Quantity of a leg's entry or exits that is at the exchange. */
export function quantityAtExchange({ children }: WorkingIntent, leg: number, part: 'entry' | 'exit'): number {
  return children.reduce(
    (sum, child) => sum + (child.leg === leg && (child.of === 'entry') === (part === 'entry') ? child.left : 0),
    0,
  );
}

/** Quantity of a leg that is filled and not closed. */
export function openQuantity({ filledQuantity, exitQuantity }: IntentLeg): number {
  return filledQuantity - exitQuantity;
}
