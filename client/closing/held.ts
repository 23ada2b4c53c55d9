/** Held quantity of an instrument: position and holding together. Prices are paise, quantities units. */
import type { Product } from '../orders/model/order-terms';
import { heldPositions, whyNotClosable, type ClosablePosition, type HeldPosition } from './positions';
import type { HoldingFields } from '../endpoints/portfolio';
import { UnreadableReplyError } from '../base/errors';
import { priceSum } from '../values/contract-value';
import { asObject, type Json } from '../values/json';
import { numberFrom, numberIn, textFrom, unitsAt, type WireRecord } from '../values/record';
import type { Holdings, Position, Positions } from '../portfolio/portfolio';

/** Held quantity of one instrument in one product. */
export interface HeldQuantity {
  position: ClosablePosition;
  /** Units of a holding beside the position: settled and on their way, less the pledged ones. */
  holding: number;
  /** All of it, with its sign. */
  units: number;
  /** Units of the holding that were sold today and are taken off it, though the service may have done so already; undefined for none. */
  sold?: number;
  /** Average price of all units; undefined if the service does not say. */
  price: number | undefined;
}

/** Properties for finding an instrument's held quantity. */
interface Named {
  refId: number;
  symbol: string;
  exchange: string;
}

/** The ref_ids of a holding, its own first: a share that is listed twice is sold on either exchange. */
function refIdsOf(holding: WireRecord<HoldingFields>): number[] {
  const listed: Json[] = Object.values(asObject(holding.supported_exchanges as Json | undefined) ?? {});
  return [holding.ref_id, ...listed].map(numberFrom).filter((refId) => refId > 0);
}

/**
 * Makes sure that the lists tell what is held of an instrument: a record without a ref_id may be of it, unless its symbol is another, and a
 * holding without a count may be of any size.
 * @throws UnreadableReplyError that says that nothing was sent
 */
export function requireKnownHeld(
  { refId, symbol }: Pick<Named, 'refId' | 'symbol'>,
  positions: readonly Position[],
  { holdings }: Pick<Holdings, 'holdings'>,
): void {
  const isNamedElse = (record: { symbol?: Json }): boolean => {
    const name = textFrom(record.symbol).trim().toUpperCase();
    return name !== '' && name !== symbol.toUpperCase();
  };
  const open = positions.filter(({ segment, ref_id: id }) => segment !== 'closed' && numberFrom(id) <= 0);
  const unnamed = [...open, ...holdings.filter((holding) => refIdsOf(holding).length === 0)];
  const uncounted = holdings.filter(({ qty }) => qty === undefined || qty === null);
  const lacks = unnamed.some((record) => !isNamedElse(record))
    ? 'which instrument (ref_id) one of the entries is of'
    : uncounted.some((holding) => refIdsOf(holding).includes(refId))
      ? 'how many shares you hold'
      : undefined;
  if (lacks !== undefined)
    throw new UnreadableReplyError(
      `The service's list of what you hold does not tell ${lacks}: it may be ${symbol}. Nothing was sent.`,
      { hint: "Look in your broker's app for what you hold. Try again later." },
    );
}

/** The instruments of everything that is held, each once: those of open positions, then those of holdings. */
export function heldRefIds(
  { positions }: Pick<Positions, 'positions'>,
  { holdings }: Pick<Holdings, 'holdings'>,
): number[] {
  const open = heldPositions(positions).filter((position) => whyNotClosable(position) === undefined);
  const own = holdings.flatMap((holding) => refIdsOf(holding).slice(0, 1));
  return [...new Set([...open.map(({ refId }) => refId), ...own])];
}

/**
 * Returns the held quantities of some instruments, one entry for each product, without those that no order can close. A holding that is
 * listed on both exchanges counts once: on the exchange where it was bought today, otherwise as its own instrument, otherwise as the first
 * of them.
 * @param products only these products; all if undefined.
 *
 * Shares of a holding that were sold today appear in the positions with a minus sign. The service does not say whether the holding is
 * smaller by them already. They are subtracted, so that a sale never exceeds what is held.
 */
export function heldQuantities<T extends Named>(
  instruments: readonly T[],
  { positions }: Pick<Positions, 'positions'>,
  { holdings }: Pick<Holdings, 'holdings'>,
  products: readonly Product[] = [],
): { instrument: T; held: HeldQuantity }[] {
  const own = heldPositions(positions);
  const heldInstruments: { instrument: T; held: HeldQuantity }[] = [];
  for (const instrument of instruments)
    for (const position of own.filter(({ refId }) => refId === instrument.refId)) {
      if (whyNotClosable(position) !== undefined) continue;
      const closable = position as ClosablePosition;
      const price = priceOf(positions, closable);
      heldInstruments.push({ instrument, held: { position: closable, holding: 0, units: closable.net, price } });
    }
  for (const holding of holdings) addHolding(heldInstruments, instruments, own, holding);
  return heldInstruments.filter(
    ({ held: { position } }) => products.length === 0 || products.includes(position.product),
  );
}

/**
 * Returns the units of a share that holdings have beside a position of today, pledged ones included: on whichever exchange it was bought.
 * @param bought units that were bought today: a service may show them among those that are not settled, too
 */
export function unitsInHoldings(
  { refId }: Pick<Named, 'refId'>,
  { holdings }: Pick<Holdings, 'holdings'>,
  bought: number,
): number {
  return holdings
    .filter((holding) => refIdsOf(holding).includes(refId))
    .reduce((sum, holding) => sum + unitsAt(holding, 'qty') + Math.max(0, unitsAt(holding, 't1_qty') - bought), 0);
}

const isDelivered = ({ segment, product }: HeldPosition): boolean => segment === 'stock' && product === 'CNC';

function addHolding<T extends Named>(
  heldInstruments: { instrument: T; held: HeldQuantity }[],
  instruments: readonly T[],
  positions: readonly HeldPosition[],
  holding: WireRecord<HoldingFields>,
): void {
  const refIds = refIdsOf(holding);
  const candidates = instruments.filter(({ refId }) => refIds.includes(refId));
  const bought = heldInstruments.find(
    ({ held: { position } }) => refIds.includes(position.refId) && isDelivered(position),
  );
  const instrument = bought?.instrument ?? candidates.find(({ refId }) => refId === refIds[0]) ?? candidates[0];
  if (instrument === undefined) return;
  const quantity = (name: 'qty' | 't1_qty' | 'pledged_qty'): number => unitsAt(holding, name);
  const sold = positions.filter(
    (position) => refIds.includes(position.refId) && isDelivered(position) && (position.net ?? 0) < 0,
  );
  const soldToday = sold.reduce((sum, { net = 0 }) => sum - net, 0);
  const units = quantity('qty') + quantity('t1_qty') - quantity('pledged_qty') - soldToday;
  if (units <= 0) return;
  const price = numberIn(holding, 'avg_price') ?? undefined;
  if (bought === undefined) {
    const { refId, symbol, exchange } = instrument;
    const net = sold.find((position) => position.refId === refId)?.net ?? 0;
    const position = { refId, symbol, exchange, segment: 'stock', product: 'CNC', net } as const;
    const less = soldToday === 0 ? {} : { sold: soldToday };
    heldInstruments.push({ instrument, held: { position, holding: units, units, price: known(price), ...less } });
    return;
  }
  const { held } = bought;
  const all = held.units + units;
  const average =
    held.price === undefined || price === undefined
      ? undefined
      : (priceSum(held.price, held.units) + priceSum(price, units)) / all;
  Object.assign(held, { holding: held.holding + units, units: all, price: known(average) });
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
