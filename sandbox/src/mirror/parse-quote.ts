import type { MirrorQuote } from '../market/mirror/types';

type Levels = MirrorQuote['bids'];

/** Most levels of a side that are taken. */
const MAX_LEVELS = 20;

/**
 * Reads a quote of an instrument from an answer or a frame; undefined for nonsense, such as a negative price. Levels come out best first. A
 * book whose bids reach its offers is one of a call auction, or wrong: of it only price and volume are taken.
 * @param last last traded price, 0 where nothing has traded yet. @param volume of the day so far
 */
export function parseQuote(last: unknown, volume: unknown, bids: unknown, asks: unknown): MirrorQuote | undefined {
  const [price, traded] = [wholeNumber(last), wholeNumber(volume)];
  const [bought, sold] = [levels(bids), levels(asks)];
  if (price === undefined || traded === undefined || bought === undefined || sold === undefined) return undefined;
  bought.sort((a, b) => b.price - a.price);
  sold.sort((a, b) => a.price - b.price);
  const isCrossed = bought.length > 0 && sold.length > 0 && bought[0]!.price >= sold[0]!.price;
  const best = (side: Levels): Levels => (isCrossed ? [] : side.slice(0, MAX_LEVELS));
  return { last: price, volume: traded, bids: best(bought), asks: best(sold) };
}

/** Levels under either of their names; empty ones are left out. Undefined where one of them is none. */
function levels(side: unknown): Levels | undefined {
  const rows: unknown = side ?? [];
  if (!Array.isArray(rows)) return undefined;
  const depthLevels: Levels = [];
  for (const row of rows as unknown[]) {
    if (!isRecord(row)) return undefined;
    const price = wholeNumber(row['p'] ?? row['price'] ?? 0);
    const quantity = wholeNumber(row['q'] ?? row['quantity'] ?? 0);
    const orders = wholeNumber(row['o'] ?? row['num_orders'] ?? row['orders'] ?? 1);
    if (price === undefined || quantity === undefined || orders === undefined) return undefined;
    if (price > 0 && quantity > 0) depthLevels.push({ price, quantity, orders });
  }
  return depthLevels;
}

/** A whole number from 0 on; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
