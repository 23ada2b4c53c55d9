/** Positions as closing them sees them: which instrument, by which product, and how many, with their sign. */
import { netOf } from '../portfolio/net-quantity';
import type { Position, PositionSegment } from '../portfolio/portfolio';
import { PRODUCTS, type Product } from '../orders/model/order-terms';
import { numberFrom } from '../values/record';

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

/** Returns the key of a record, as `positionKey` makes it. */
export function recordKeyOf(position: Position): string {
  return positionKey({ refId: numberFrom(position.ref_id), product: productOf(position) });
}

function productOf({ product }: Position): string {
  const word = textOf(product);
  return word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word;
}

/** The reason for which `net` is undefined, in words that follow "because". */
export const UNCLEAR_NET = 'the service does not say for certain how many were bought or sold';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The positions of a reply, those of one instrument and product as one; closed ones are left out. A record that comes twice may be one
 * position or two: its net is undefined.
 */
export function heldPositions(positions: readonly Position[]): HeldPosition[] {
  const held = new Map<string, HeldPosition>();
  const seen = new Set<string>();
  for (const position of positions) {
    const product = productOf(position);
    const refId = numberFrom(position.ref_id);
    const key = positionKey({ refId, product });
    const record = JSON.stringify(position);
    const net = seen.has(record) && netOf(position) !== 0 ? undefined : netOf(position);
    seen.add(record);
    const before = held.get(key);
    const { segment, symbol, exchange } = position;
    const total = before === undefined ? net : net === undefined ? undefined : (before.net ?? NaN) + net;
    held.set(key, {
      refId,
      product,
      segment: before !== undefined && before.segment !== 'closed' ? before.segment : segment,
      symbol: textOf(symbol),
      exchange: textOf(exchange),
      net: total === undefined || Number.isNaN(total) ? undefined : total,
    });
  }
  return [...held.values()].filter(({ net }) => net !== 0);
}

/** Returns the reason, in words, for which an order cannot close a position; undefined if it can. */
export function whyNotClosable({ refId, product, net, segment }: HeldPosition): string | undefined {
  if (refId <= 0) return 'the service does not say of which instrument it is';
  if (net === undefined) return UNCLEAR_NET;
  if (!PRODUCTS.some((name) => name === product)) return `its product "${product}" is not known here`;
  if (segment === 'stock' && product === 'CNC' && net < 0)
    return 'these shares were sold from the holdings: nothing of it is open';
  return undefined;
}

/** Returns true if a position may come from an earlier day, so that today's orders do not add up to it. */
export function isCarried({ segment, product }: HeldPosition): boolean {
  return segment !== 'stock' && product !== 'IDAY';
}
