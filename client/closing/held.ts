/** What is held of an instrument, position and holding together. Prices are paise, quantities units. */
import type { Product } from '../orders/model/order-terms';
import { heldPositions, whyNotClosable, type ClosablePosition } from './positions';
import type { HoldingFields } from '../endpoints/portfolio';
import { asObject, type Json } from '../values/json';
import { numberFrom, numberIn, type WireRecord } from '../values/record';
import type { Holdings, Positions } from '../portfolio/portfolio';

/** What is held in one instrument by one product. */
export interface Held {
  position: ClosablePosition;
  /** Units of a holding beside the position: settled and on their way, less what is pledged. */
  holding: number;
  /** All of it, with its sign. */
  units: number;
  /** Average price of all of it; undefined where the service does not tell it. */
  price: number | undefined;
}

/** Whether a holding can be sold as this instrument: a share that is listed twice is sold on either exchange. */
function isHeldAs(holding: WireRecord<HoldingFields>, refId: number): boolean {
  if (numberFrom(holding.ref_id) === refId) return true;
  const listed: Json[] = Object.values(asObject(holding.supported_exchanges as Json | undefined) ?? {});
  return listed.some((value) => numberFrom(value) === refId);
}

/**
 * What is held of an instrument, one entry for each product; what no order can close is left out.
 * @param products only by these; all where there is none.
 *
 * Shares of a holding that were sold today stand in the positions with a minus. Whether the holding is smaller by them already, the service does not
 * say: they are taken off, so that never more is sold than is there.
 */
export function heldOf(
  instrument: { refId: number; symbol: string; exchange: string },
  { positions }: Pick<Positions, 'positions'>,
  { holdings }: Pick<Holdings, 'holdings'>,
  products: readonly Product[] = [],
): Held[] {
  const all = allOf(instrument, positions, holdings);
  return all.filter(({ position }) => products.length === 0 || products.includes(position.product));
}

function allOf(
  { refId, symbol, exchange }: { refId: number; symbol: string; exchange: string },
  positions: Positions['positions'],
  holdings: Holdings['holdings'],
): Held[] {
  const own = heldPositions(positions).filter((position) => position.refId === refId);
  const found: Held[] = [];
  for (const position of own) {
    if (whyNotClosable(position) !== undefined) continue;
    const closable = position as ClosablePosition;
    found.push({ position: closable, holding: 0, units: closable.net, price: priceOf(positions, closable) });
  }
  const holding = holdings.find((record) => isHeldAs(record, refId));
  if (holding === undefined) return found;
  const quantity = (name: 'qty' | 't1_qty' | 'pledged_qty'): number => numberIn(holding, name) ?? 0;
  const soldToday = own
    .filter(({ product, net = 0 }) => product === 'CNC' && net < 0)
    .reduce((sum, { net = 0 }) => sum - net, 0);
  const units = quantity('qty') + quantity('t1_qty') - quantity('pledged_qty') - soldToday;
  if (units <= 0) return found;
  const price = numberIn(holding, 'avg_price') ?? undefined;
  const bought = found.find(({ position }) => position.product === 'CNC' && position.segment === 'stock');
  if (bought === undefined) {
    const net = -soldToday;
    const position = { refId, symbol, exchange, segment: 'stock', product: 'CNC', net } as const;
    return [...found, { position, holding: units, units, price: known(price) }];
  }
  const all = bought.units + units;
  const average =
    bought.price === undefined || price === undefined
      ? undefined
      : bought.price * (bought.units / all) + price * (units / all);
  Object.assign(bought, { holding: units, units: all, price: known(average) });
  return found;
}

const known = (price: number | undefined): number | undefined =>
  price === undefined || !(price > 0) ? undefined : Math.round(price);

function priceOf(positions: Positions['positions'], { refId, product }: ClosablePosition): number | undefined {
  const record = positions.find(
    (position) =>
      numberFrom(position.ref_id) === refId &&
      position.segment !== 'closed' &&
      String(position.product).endsWith(product),
  );
  return known(record === undefined ? undefined : (numberIn(record, 'avg_price') ?? undefined));
}
