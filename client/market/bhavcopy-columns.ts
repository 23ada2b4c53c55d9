/** Columns of the exchange's end-of-day files, in the formats of past and present. */
import { UnreadableReplyError } from '../base/errors';
import { monthNumber } from '../values/time';

type ColumnKind = 'number' | 'date' | 'text';

const NUMBERS = new Set(
  [
    // Current format (UDiFF) of all markets
    'StrkPric OpnPric HghPric LwPric ClsPric LastPric PrvsClsgPric UndrlygPric SttlmPric OpnIntrst ChngInOpnIntrst TtlTradgVol TtlTrfVal TtlNbOfTxsExctd NewBrdLotQty',
    // Cash market before it, and security-wise with delivery
    'OPEN HIGH LOW CLOSE LAST PREVCLOSE TOTTRDQTY TOTTRDVAL TOTALTRADES',
    'PREV_CLOSE OPEN_PRICE HIGH_PRICE LOW_PRICE LAST_PRICE CLOSE_PRICE AVG_PRICE TTL_TRD_QNTY TURNOVER_LACS NO_OF_TRADES DELIV_QTY DELIV_PER',
    // Derivatives before it, daily reports of futures and of options
    'STRIKE_PR SETTLE_PR CONTRACTS VAL_INLAKH OPEN_INT CHG_IN_OI STR_PRICE HI_PRICE LO_PRICE OPEN_INT* TRD_QTY NO_OF_CONT NO_OF_TRADE NOTION_VAL PR_VAL TRD_VAL UNDRLNG_ST',
    // The same of today: fo281125.csv, op281125.csv
    'PREVIOUS_S CLOSE_PRIC SETTLEMENT NET_CHANGE OI_NO_CON TRADED_QUA TRD_NO_CON TRADED_VAL NOTIONAL_V PREMIUM_TR',
    // Price data and price range
    'PREV_CL_PR NET_TRDVAL NET_TRDQTY TRADES HI_52_WK LO_52_WK',
  ]
    .join(' ')
    .split(' ')
    .map((name) => name.toUpperCase()),
);
const DATES = new Set(
  'TradDt BizDt XpryDt FininstrmActlXpryDt TIMESTAMP DATE1 EXPIRY_DT EXP_DATE'
    .split(' ')
    .map((name) => name.toUpperCase()),
);

/** Columns of text that tell what a row is about: a file without any column that is known here is none of the exchange's. */
const NAMES = new Set('TCKRSYMB FININSTRMID SYMBOL SECURITY CONTRACT_D'.split(' '));

/** Returns the type of a column; text if unknown. */
function kindOf(name: string): ColumnKind {
  const upper = name.toUpperCase();
  return NUMBERS.has(upper) ? 'number' : DATES.has(upper) ? 'date' : 'text';
}

const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
/** Maximum number of digits of a decimal number that a double keeps exactly. */
const MAX_DIGITS = 15;
/** Below it the double nearest to an amount with two decimals is less than a paisa away. */
const MAX_AMOUNT = 2 ** 46;

/** A value of a row: a number, text, a date as YYYY-MM-DD, or null for nothing. */
export type BhavcopyCell = string | number | null;

/** Text without the blanks around it. */
function trimmed(cell: string): string {
  const { length } = cell;
  return length > 0 && (cell.charCodeAt(0) <= 0x20 || cell.charCodeAt(length - 1) <= 0x20) ? cell.trim() : cell;
}

/** A number with commas at the thousands or at lakhs and crores. */
const GROUPED = /^-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/;

/**
 * Returns a number as written, also `.35` and `1,23,456.70`; null for an empty cell and for "-". Other text stays text. A number of more than
 * 15 digits becomes the nearest double if that is less than a paisa away; otherwise it stays text.
 */
export function numberCell(cell: string): BhavcopyCell {
  const written = trimmed(cell);
  const text = written.includes(',') && GROUPED.test(written) ? written.replaceAll(',', '') : written;
  const { length } = text;
  if (length === 0 || text === '-') return null;
  const negative = text.charCodeAt(0) === 0x2d;
  let digits = 0;
  let value = 0;
  let decimals = -1;
  for (let at = negative ? 1 : 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      value = value * 10 + code - 0x30;
      if (value > 0) digits++;
      if (decimals >= 0) decimals++;
    } else if (code === 0x2e && decimals < 0) decimals = 0;
    else return text;
  }
  if (decimals === 0 || decimals >= POWERS.length || (negative && length === 1)) return text;
  if (digits > MAX_DIGITS) return decimals > 0 && Math.abs(Number(text)) < MAX_AMOUNT ? Number(text) : text;
  // Both sides are exact, so the quotient is the double nearest to the decimal.
  const number = decimals > 0 ? value / POWERS[decimals]! : value;
  return negative && number !== 0 ? -number : number;
}

/** 23/11/2026 and 23-11-2026: the day first. */
const NUMBERED_DAY = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;
/** 21-Aug-2026, 01-APR-2021, 28-Nov-25, 28 Nov 2025. */
const NAMED_DAY = /^(\d{1,2})([- ])([A-Za-z]{3})\2(\d{4}|\d{2})$/;
/** 20251128, 2025-11-28T00:00:00. */
const YEAR_FIRST = /^(20\d{2})(-?)(\d{2})\2(\d{2})(?:T00:00:00)?$/;

/** A date as YYYY-MM-DD, from the forms in which the exchange writes a day; null for nothing; anything else stays text. */
export function dateCell(cell: string): BhavcopyCell {
  const text = trimmed(cell);
  if (text === '' || text === '-') return null;
  const first = YEAR_FIRST.exec(text);
  if (first !== null) return dayCell(text, first[1]!, Number(first[3]), first[4]!);
  const numbers = NUMBERED_DAY.exec(text);
  if (numbers !== null) return dayCell(text, numbers[4]!, Number(numbers[3]), numbers[1]!);
  const named = NAMED_DAY.exec(text);
  if (named === null) return text;
  return dayCell(text, named[4]!.padStart(4, '20'), monthNumber(named[3]!), named[1]!);
}

/** A day that there is; else the text. */
function dayCell(text: string, year: string, month: number, day: string): string {
  const iso = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const read = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(iso) ? iso : text;
}

function textCell(cell: string): BhavcopyCell {
  return trimmed(cell);
}

const READERS: Record<ColumnKind, (cell: string) => BhavcopyCell> = {
  number: numberCell,
  date: dateCell,
  text: textCell,
};

/** A record of the file by the names of its columns. */
export type BhavcopyRow = Record<string, BhavcopyCell>;

/** Filter for rows in which each of these columns (names and values in any case) holds exactly this. */
export type RowFilter = Readonly<Record<string, string | number>>;

/** Names of the columns of a day's prices, in the formats of past and present. */
const HIGHS = ['HGHPRIC', 'HIGH', 'HIGH_PRICE', 'HI_PRICE'];
const LOWS = ['LWPRIC', 'LOW', 'LOW_PRICE', 'LO_PRICE'];
const OTHER_PRICES = [
  ...['OPNPRIC', 'CLSPRIC', 'LASTPRIC', 'OPEN', 'CLOSE', 'LAST'],
  ...['OPEN_PRICE', 'CLOSE_PRICE', 'LAST_PRICE', 'CLOSE_PRIC'],
];

/** Turns the records of one file, whose first is its header, into typed rows. */
export class BhavcopyRowReader {
  /** Names of the columns, as in the file, without blanks; unnamed ones (a trailing comma) are left out. */
  readonly columns: string[] = [];
  /** Columns of the filter that the file does not have. */
  readonly missing: string[];
  /** True if it has a column that the exchange's files have. */
  readonly isKnown: boolean;
  /** Names of the columns of the day's prices, and of the highest and the lowest among them, as in the file. */
  private readonly prices: readonly string[];
  private readonly high: string | undefined;
  private readonly low: string | undefined;
  private readonly width: number;
  private readonly positions: number[] = [];
  private rows = 0;
  private readonly readers: ((cell: string) => BhavcopyCell)[] = [];
  /** Positions of the columns of numbers: a row in which nothing is in any of them is a title or a separator. */
  private readonly numbers: number[] = [];
  private readonly template: BhavcopyRow;
  private readonly conditions: { position: number; reader: (cell: string) => BhavcopyCell; value: string }[] = [];

  /** @throws UnreadableReplyError if a column comes twice */
  constructor(header: readonly string[], filter: RowFilter = {}) {
    header.forEach((raw, position) => {
      const name = raw.trim();
      if (name === '' || name === '__proto__') return;
      this.columns.push(name);
      this.positions.push(position);
      this.readers.push(READERS[kindOf(name)]);
      if (kindOf(name) === 'number') this.numbers.push(position);
    });
    const twice = this.columns.find((name, at) => this.indexOf(name) !== at);
    if (twice !== undefined)
      throw new UnreadableReplyError(`The end-of-day file has the column ${twice} twice: one would hide the other.`, {
        hint: 'Use Download File to look at it.',
      });
    const among = (names: readonly string[]): string[] =>
      this.columns.filter((name) => names.includes(name.toUpperCase()));
    this.prices = among([...HIGHS, ...LOWS, ...OTHER_PRICES]);
    [this.high] = among(HIGHS);
    [this.low] = among(LOWS);
    this.width = header.length;
    this.isKnown = this.columns.some((name) => kindOf(name) !== 'text' || NAMES.has(name.toUpperCase()));
    // Every row is a copy of one shape: adding its columns one by one would take several times as long.
    this.template = Object.fromEntries(this.columns.map((name) => [name, null]));
    this.missing = Object.keys(filter).filter((name) => this.indexOf(name) < 0);
    for (const [name, value] of Object.entries(filter)) {
      const at = this.indexOf(name);
      if (at >= 0)
        this.conditions.push({
          position: this.positions[at]!,
          reader: this.readers[at]!,
          value: String(value).trim().toUpperCase(),
        });
    }
  }

  private indexOf(name: string): number {
    const upper = name.trim().toUpperCase();
    return this.columns.findIndex((column) => column.toUpperCase() === upper);
  }

  /**
   * The row of a record; undefined if the filter leaves it out, and for titles, separators and lines of commas. Prices that contradict each
   * other are null, and `no_price_reason` says why.
   * @throws UnreadableReplyError for a row that is cut off, or has more values than columns, which may then be under the wrong names
   */
  row(cells: readonly string[]): BhavcopyRow | undefined {
    this.rows += 1;
    const isShort = cells.length <= (this.positions.at(-1) ?? 0);
    const isTitle = isShort && cells.filter((cell) => trimmed(cell) !== '').length < 2;
    if (
      (isShort && !isTitle) ||
      (cells.length > this.width && cells.slice(this.width).some((cell) => trimmed(cell) !== ''))
    )
      throw new UnreadableReplyError(
        `Row ${this.rows} of the end-of-day file has ${cells.length} values for ${this.width} columns: the file is cut off or damaged.`,
        { hint: 'Try again later, or use Download File to look at it.' },
      );
    if (this.numbers.length > 0 && this.numbers.every((position) => trimmed(cells[position] ?? '') === ''))
      return undefined;
    for (const { position, reader, value } of this.conditions)
      if (!matches(cells[position] ?? '', reader, value)) return undefined;
    const row = { ...this.template };
    const { columns, positions, readers } = this;
    for (let at = 0; at < columns.length; at++) row[columns[at]!] = readers[at]!(cells[positions[at]!] ?? '');
    const why = this.whyNotPrices(row);
    if (why !== undefined)
      for (const [name, value] of [
        ...this.prices.map((name) => [name, null] as const),
        ['no_price_reason', why] as const,
      ])
        row[name] = value;
    return row;
  }

  /** Returns why the prices of a row cannot be; undefined if they can. 0 is none: the contract has not traded. */
  private whyNotPrices(row: BhavcopyRow): string | undefined {
    for (const name of this.prices) if (Number(row[name]) < 0) return `No prices: ${name} is ${row[name]}.`;
    const [high, low] = [this.high, this.low].map((name) => (name === undefined ? 0 : Number(row[name]))) as [
      number,
      number,
    ];
    return high > 0 && low > high ? `No prices: the low ${low} is above the high ${high}.` : undefined;
  }
}

function matches(cell: string, reader: (cell: string) => BhavcopyCell, value: string): boolean {
  if (trimmed(cell).toUpperCase() === value) return true;
  const typed = reader(cell);
  return (
    typed !== null &&
    (String(typed).toUpperCase() === value || (typeof typed === 'number' && value !== '' && typed === Number(value)))
  );
}
