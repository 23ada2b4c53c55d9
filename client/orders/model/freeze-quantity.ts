/** The largest quantity of one order, and an order above it in parts (docs/service/exchange-rules.md#quantities). Quantities are units. */
import type { OrderRecord } from '../../endpoints/orders';
import { quantityText } from '../../values/amounts';
import { isDerivative } from '../../instruments/symbol';
import { FREEZE_QUANTITIES } from './freeze-table';
import { instrumentOf, quantityOf } from './order-record';
import type { TradedInstrument } from './order-terms';

const KNOWN = new Map(
  Object.entries(FREEZE_QUANTITIES).flatMap(([exchange, table]) =>
    table
      .trim()
      .split(/,\s*/)
      .map((entry): [string, number] => {
        const [asset, quantity] = entry.split(' ');
        return [`${exchange} ${asset}`, Number(quantity)];
      }),
  ),
);

/**
 * Returns the maximum number of units of one order, in whole lots; undefined if the exchange has no such limit, or it is unknown.
 * @param given the user's own limit, units; less than a lot counts as one lot.
 */
export function maxPerOrder(instrument: TradedInstrument, given?: number): number | undefined {
  const { lotSize } = instrument;
  const freeze = given ?? freezeOf(instrument);
  return freeze === undefined ? undefined : Math.max(1, Math.floor(freeze / lotSize)) * lotSize;
}

/**
 * Units that the exchange takes in one order: those of the service's list of the day, which changes with the exchange's circulars; else
 * those of the table. In which unit the list counts commodities is not known, and less than a lot can be no limit.
 */
function freezeOf({ exchange, asset, derivative, lotSize, freezeQuantity = 0 }: TradedInstrument): number | undefined {
  if (!derivative) return undefined;
  const isListed = (exchange === 'NSE' || exchange === 'BSE') && freezeQuantity >= lotSize;
  return isListed ? freezeQuantity : KNOWN.get(`${exchange} ${asset.toUpperCase()}`);
}

/**
 * Returns advice about an order that was rejected without a reason, if it is larger than the freeze quantity of the table.
 * @returns undefined for any other order.
 */
export function freezeAdvice(order: OrderRecord): string | undefined {
  const { exchange, asset, symbol } = instrumentOf(order);
  const freeze = isDerivative(symbol) ? KNOWN.get(`${exchange} ${asset.toUpperCase()}`) : undefined;
  if (freeze === undefined || quantityOf(order) <= freeze) return undefined;
  return `The exchange takes at most ${quantityText(freeze)} units of ${asset} in one order. "Order: Place" splits a larger one.`;
}

/** Splits a quantity into parts of at most `max` units; the last one holds the rest. */
export function slicesOf(quantity: number, max: number): number[] {
  return quantity <= max ? [quantity] : [max, ...slicesOf(quantity - max, max)];
}
