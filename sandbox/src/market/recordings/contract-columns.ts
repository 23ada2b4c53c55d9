import type { AssetCatalog } from '../reference/catalog';
import { dateParts, dayOf } from '../../shared/dates';
import type { ColumnPlaces } from './column-names';
import { contractOn } from './contract-names';
import type { NamedInstrument } from './instrument-names';
import { parseTime, timeReadings } from './parse-time';

/** Columns by which a row is of a future or an option of the instrument that it names, and not of that instrument. */

/** Texts of programs for an expiry or strike that a share does not have. */
const NONE = /^(-+|0+(\.0+)?|na|n\/a|nan|nat|none|null|xx|others?|(0001|1970|1980)-01-01.*)?$/i;
const RIGHT = /^(C|P)(E|A|ALL|UT)?$/i;
/** FUTIDX, OPTSTK, Futures, NFO, F&O and what the exchange calls them today: IDF, STO. */
const KIND = /^((FUT|OPT)[A-Z]*|(NSE_|BSE_)?(FO|F&O|FNO)|NFO|BFO|DERIVATIVES?|(ID|ST)[FO]|CE|PE)$/i;
/** Minutes of India over UTC. */
const INDIA = 330;

/**
 * The contract of a row; `unnamed` where the row is of one, but does not tell which one this market has.
 * @param name of its underlying
 * @returns undefined for a row of a share or an index
 */
export function contractIn(
  catalog: AssetCatalog,
  cells: readonly string[],
  { expiry, strike, right, kind, exchange }: ColumnPlaces,
  name: string,
): NamedInstrument | 'unnamed' | undefined {
  const cell = (place: number | undefined): string => (place === undefined ? '' : (cells[place] ?? ''));
  const [date, level, side] = [cell(expiry), cell(strike), cell(right)];
  const isRight = RIGHT.test(side);
  if (NONE.test(date) && NONE.test(level) && !isRight && !KIND.test(cell(kind)) && !KIND.test(cell(exchange)))
    return undefined;
  const day = parseTime(date, undefined, INDIA);
  // Of an expiry in three numbers only the order tells the day.
  if (day === undefined || timeReadings(date) !== undefined) return 'unnamed';
  if (isRight === NONE.test(level) || (isRight && !(Number(level) > 0))) return 'unnamed';
  const market = /^B/i.test(cell(exchange)) ? 'BSE' : 'NSE';
  const type = /^C/i.test(side) ? 'CE' : 'PE';
  const option = isRight ? ({ strike: Number(level), type } as const) : undefined;
  return contractOn(catalog, { exchange: market, symbol: name }, dateParts(dayOf(day.at)), option) ?? 'unnamed';
}
