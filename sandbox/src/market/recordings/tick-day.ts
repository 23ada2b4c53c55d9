import { SECOND } from '../../shared/dates';

/** Ticks: what was seen of an instrument, moment by moment, with its book. Prices are paise, instants milliseconds since the epoch. */

/** Orders of others at one price. */
export interface TickLevel {
  price: number;
  quantity: number;
  orders: number;
}

/** State of an instrument from an instant on. */
export interface Tick {
  at: number;
  /** Last traded price; undefined where nothing was known from then on. */
  last: number | undefined;
  /** Quantity traded on the day until then. */
  volume: number;
  /** Price that an auction would make; undefined where none is held. */
  auction: number | undefined;
  /** Best first. */
  bids: readonly TickLevel[];
  asks: readonly TickLevel[];
}

/** A tick as a file has it: its levels are read when somebody looks, since a day of them fills hundreds of megabytes. */
export interface WrittenTick extends Omit<Tick, 'bids' | 'asks'> {
  bids: string;
  asks: string;
}

/** Summary of the ticks of a span. */
export interface TickBar {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** Levels as a file writes them: `1500.05x120x3 1500.00x80x1`, rupees, quantity, orders. */
export const levelsText = (levels: readonly TickLevel[]): string =>
  levels.map(({ price, quantity, orders }) => `${(price / 100).toFixed(2)}x${quantity}x${orders}`).join(' ');

/** Signs between and in the numbers of a level. */
const [DOT, TIMES, BLANK, ZERO, NINE] = ['.', 'x', ' ', '0', '9'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
];

/** Reads levels, sign by sign, as a day of one instrument has a million of them; undefined where the text is none. */
export function levelsOf(text: string): TickLevel[] | undefined {
  const levels: TickLevel[] = [];
  const numbers: number[] = [];
  let [value, digits, decimals] = [0, 0, -1];
  for (let i = 0; i < text.length || digits + numbers.length > 0; i++) {
    const sign = i < text.length ? text.charCodeAt(i) : BLANK;
    if (sign >= ZERO && sign <= NINE) {
      value = value * 10 + sign - ZERO;
      digits += 1;
      if (decimals >= 0) decimals += 1;
      continue;
    }
    if (digits === 0 || decimals === 0 || decimals > 2) return undefined;
    if (sign === DOT && numbers.length === 0 && decimals < 0) {
      decimals = 0;
      continue;
    }
    if (sign !== (numbers.length < 2 ? TIMES : BLANK)) return undefined;
    // Rupees, with up to two decimals.
    numbers.push(numbers.length === 0 ? value * 10 ** (2 - Math.max(decimals, 0)) : value);
    [value, digits, decimals] = [0, 0, -1];
    if (numbers.length < 3) continue;
    const [price, quantity, orders] = numbers as [number, number, number];
    levels.push({ price, quantity, orders });
    numbers.length = 0;
  }
  return levels;
}

/** The ticks of one instrument on one day. */
export class TickDay {
  private readonly added: WrittenTick[] = [];

  /**
   * @param day its number
   * @param ofBars makes the ticks of a day's candles, with which no book was seen; undefined where ticks are added
   */
  constructor(
    readonly exchange: string,
    readonly symbol: string,
    readonly day: number,
    private readonly ofBars?: () => readonly WrittenTick[],
  ) {}

  /** True if these are prices of candles, with which no book was seen. */
  get isOfBars(): boolean {
    return this.ofBars !== undefined;
  }

  private get ticks(): readonly WrittenTick[] {
    return this.ofBars?.() ?? this.added;
  }

  get last(): WrittenTick | undefined {
    return this.ticks.at(-1);
  }

  /** True if it was seen more often than once a second. */
  get isWithinSeconds(): boolean {
    return this.ticks.some(({ at }) => at % SECOND !== 0);
  }

  /** The last price that was seen; undefined where none was. */
  get close(): number | undefined {
    return this.ticks.findLast(({ last }) => last !== undefined)?.last;
  }

  /** Adds a tick; its instant is after those before it. */
  add(tick: WrittenTick): void {
    this.added.push(tick);
  }

  /** Returns the last tick by an instant; undefined before the first tick. */
  at(at: number): Tick | undefined {
    const { ticks } = this;
    const tick = ticks[indexAt(ticks, at)];
    return tick && { ...tick, bids: levelsOf(tick.bids)!, asks: levelsOf(tick.asks)! };
  }

  /** The last price that was known by an instant; undefined before the first. */
  priceAt(at: number): number | undefined {
    const { ticks } = this;
    for (let index = indexAt(ticks, at); index >= 0; index--) {
      const { last } = ticks[index]!;
      if (last !== undefined) return last;
    }
    return undefined;
  }

  /** Quantity traded from the first tick to an instant. */
  volumeAt(at: number): number {
    const { ticks } = this;
    const tick = ticks[indexAt(ticks, at)];
    return tick === undefined ? 0 : tick.volume - ticks[0]!.volume;
  }

  /** True if nothing was known at the end of a span, or for some time within it. */
  isUnknown(from: number, to: number): boolean {
    const { ticks } = this;
    const last = indexAt(ticks, to);
    if (last < 0) return true;
    return ticks.slice(Math.max(indexAt(ticks, from), 0), last + 1).some((tick) => tick.last === undefined);
  }

  /** The ticks in [from, to) at which trading went on. */
  traded(from: number, to: number): WrittenTick[] {
    const { ticks } = this;
    return ticks
      .slice(indexAt(ticks, from - 1) + 1, indexAt(ticks, to - 1) + 1)
      .filter(({ last, auction }) => last !== undefined && auction === undefined);
  }

  /** Returns the summary of the ticks in [from, to); undefined where nothing was traded in them. */
  bar(from: number, to: number): TickBar | undefined {
    const prices = this.traded(from, to).map(({ last }) => last!);
    if (prices.length === 0) return undefined;
    const [high, low] = [prices.reduce((a, b) => Math.max(a, b)), prices.reduce((a, b) => Math.min(a, b))];
    return { open: prices[0]!, high, low, close: prices.at(-1)! };
  }
}

/** Index of the last tick at or before an instant; -1 before the first. */
function indexAt(ticks: readonly WrittenTick[], at: number): number {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ticks[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
