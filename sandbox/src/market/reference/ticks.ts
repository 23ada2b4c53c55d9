import { rowsEffectiveOn, ticks, type TickKind } from './dated-tables';

const { max, round } = Math;

/** Steps of prices, from the dated table. */

/** Units of exchange-traded funds move in steps of a paisa, whatever their price. */
export const FUND_TICK = 1;

/** True if what trades like a share is a unit of a fund, by its ISIN. */
export const isFund = (isin: string): boolean => isin.startsWith('INF');

/** Series of the SME platform of NSE (EMERGE). */
const SME = new Set(['SM', 'ST', 'SZ']);

/** Returns the kind of ticks of a share, by its series on NSE or its group on BSE. */
export const shareTicks = (series: string): 'cash' | 'sme' => (SME.has(series) ? 'sme' : 'cash');

/** Step of an index: NSE gives its indices in five hundredths of a point. */
export const INDEX_TICK = { NSE: 5, BSE: 1 };

/** Rounds to the tick, but never across a price at which the tick table changes, so that a close and its tick agree. */
export function roundTick(price: number, tick: number): number {
  const rounded = round(price / tick) * tick;
  const paise = max(rounded, tick);
  if (!THRESHOLDS.some((limit) => paise < limit !== price < limit)) return paise;
  return paise < price ? paise + tick : max(paise - tick, tick);
}

const tickRows = ticks();
const THRESHOLDS = [
  ...new Set(tickRows.flatMap((row) => (row.kind === 'cash' && row.below !== null ? [row.below] : []))),
];
const tables = new Map<string, typeof tickRows>();

/** Tick (paise) of a kind of instrument whose last close is `close`, from the table in force on a day. */
export function tickOf(kind: TickKind, day: number, close: number): number {
  const name = `${kind} ${day}`;
  const rows =
    tables.get(name) ??
    rowsEffectiveOn(
      tickRows.filter((row) => row.kind === kind),
      day,
    );
  tables.set(name, rows);
  const row = rows.find(({ below }) => below === null || close < below);
  if (!row) throw new RangeError(`No tick of ${kind} is in force`);
  return row.tick;
}

/** Returns the price on a tick that is next to one, and at least a tick; paise. */
export const onTick = (price: number, tick: number): number => max(tick, round(price / tick) * tick);
