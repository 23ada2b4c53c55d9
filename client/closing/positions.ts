/** Positions as closing them sees them: which instrument, by which product, and how many, with their sign. */
import { isDerivative } from '../instruments/symbol';
import { netQuantityOf } from '../portfolio/net-quantity';
import type { Position, PositionSegment } from '../portfolio/portfolio';
import { PRODUCTS, type Product } from '../orders/model/order-terms';
import { numberFrom } from '../values/record';
import { showValue } from '../values/input';
import { productLabel } from '../values/labels';

/** Held quantity of one instrument in one product. */
export interface HeldPosition {
  refId: number;
  /** Symbol; '' if the service does not say. */
  symbol: string;
  /** Exchange; '' if the service does not say. */
  exchange: string;
  segment: PositionSegment;
  /** Product in the service's spelling, without its prefix: `CNC`, `IDAY`, or an unknown word. */
  product: string;
  /** Units: above 0 for a long position, below 0 for a short one. undefined if the service does not show the direction. */
  net: number | undefined;
  /** Average price of what is held, paise; left out if it is not known. */
  average?: number;
  /** The word of its side, if it is neither a purchase nor a sale: `net` is then undefined. */
  unknownSide?: string;
  /** The reason, in words that follow "because", for which the orders of the day do not tell `net`. */
  whyUnclear?: string;
}

/** A position that can be closed. */
export interface ClosablePosition extends HeldPosition {
  product: Product;
  net: number;
}

const PREFIX = 'ORDER_DELIVERY_TYPE_';

/** Returns the key of a position: instrument and product. */
export function positionKey({ refId, product }: { refId: number; product: string }): string {
  return `${refId} ${product}`;
}

/** Returns a position as errors name it: symbol, or ref_id, and product in plain words. */
export function positionLabel({ symbol, refId, product }: Pick<HeldPosition, 'symbol' | 'refId' | 'product'>): string {
  return `${symbol || `ref_id ${refId}`} (${productLabel({ product, derivative_type: isDerivative(symbol) ? 'FUT' : '' })})`;
}

/** Returns the key of a record, as `positionKey` makes it. */
export function recordKeyOf(position: Position): string {
  return positionKey({ refId: numberFrom(position.ref_id), product: productOf(position) });
}

function productOf({ product }: Position): string {
  const word = textOf(product);
  return word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word;
}

/** Returns the reason for which `net` is undefined, in words that follow "because". */
export function unclearNet({ unknownSide, whyUnclear }: Pick<HeldPosition, 'unknownSide' | 'whyUnclear'>): string {
  if (whyUnclear !== undefined) return whyUnclear;
  return unknownSide === undefined
    ? 'the service does not say for certain how many were bought or sold'
    : `the service lists it with the side ${showValue(unknownSide)}, which is not known here`;
}

const isProduct = (word: string): word is Product => PRODUCTS.some((name) => name === word);

/**
 * Returns the reason, in words that follow "because", for which a position may be another than it seems: the service lists its instrument
 * with a product that is not known here. undefined if it does not.
 */
export function unknownProductBeside(
  held: readonly HeldPosition[],
  { refId }: Pick<HeldPosition, 'refId'>,
): string | undefined {
  const other = held.find((position) => position.refId === refId && !isProduct(position.product));
  return other === undefined
    ? undefined
    : `the service lists its instrument with the product ${showValue(other.product)}, which is not known here`;
}

/** Returns the average price of a record. Of two records that are one position it is not known. */
function averageOf({ avg_price: price }: Position): Pick<HeldPosition, 'average'> {
  return typeof price === 'number' && price > 0 ? { average: price } : {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The positions of a reply, those of one instrument and product as one; closed ones are left out. Two open records of
 * one may be two parts of it, or the same twice: its net is undefined.
 */
export function heldPositions(positions: readonly Position[]): HeldPosition[] {
  const held = new Map<string, HeldPosition>();
  for (const position of positions) {
    const product = productOf(position);
    const refId = numberFrom(position.ref_id);
    const key = positionKey({ refId, product });
    const before = held.get(key);
    const own = netQuantityOf(position);
    // Two open ones may be two parts of it, or the same at two moments, or that of the day within that of all days.
    const net = before !== undefined && before.net !== 0 && own !== 0 ? undefined : own;
    const { segment, symbol, exchange } = position;
    const side = textOf(position.order_side)
      .trim()
      .replace(/^ORDER_SIDE_/, '');
    const unknownSide = net === undefined && !/(BUY|SELL)$/.test(side) && side !== '' ? side : before?.unknownSide;
    const total = before === undefined ? net : net === undefined ? undefined : (before.net ?? NaN) + net;
    held.set(key, {
      refId,
      product,
      segment: before !== undefined && before.segment !== 'closed' ? before.segment : segment,
      symbol: textOf(symbol),
      exchange: textOf(exchange),
      net: total === undefined || Number.isNaN(total) ? undefined : total,
      ...(before === undefined ? averageOf(position) : {}),
      ...(unknownSide === undefined ? {} : { unknownSide }),
    });
  }
  return [...held.values()].filter(({ net }) => net !== 0);
}

/** Returns the reason, in words, for which an order cannot close a position; undefined if it can. */
export function whyNotClosable(position: HeldPosition): string | undefined {
  const { refId, product, net, segment } = position;
  if (refId <= 0) return 'the service does not say of which instrument it is';
  if (net === undefined) return unclearNet(position);
  if (!isProduct(product)) return `its product ${showValue(product)} is not known here`;
  if (segment === 'stock' && product === 'CNC' && net < 0)
    return 'these shares were sold from the holdings: nothing of it is open';
  return undefined;
}

/** Returns true if a position may come from an earlier day, so that today's orders do not add up to it. */
export function isCarried({ segment, product }: HeldPosition): boolean {
  return segment !== 'stock' && product !== 'IDAY';
}
