import { dayOf } from '../../shared/dates';
import { parseTime } from './parse-time';
import type { NamedInstrument } from './instrument-names';
import { refuseRow } from './read-error';
import type { NamedStraddle, RecordedStraddle } from './types';

/** Finds out of the closing prices of options those that tell the volatility at the money. */

/** An option's row, unchanged from a file. */
export interface OptionCells {
  named: NamedInstrument;
  date: string;
  expiry: string;
  strike: string;
  isPut: boolean;
  close: string;
}

const PRICE = /^\d+(\.\d+)?$/;
/** Minutes of India over UTC. */
const INDIA = 330;

interface Pair extends NamedInstrument {
  day: number;
  expiry: number;
  strike: number;
  call?: number;
  put?: number;
}

/** Takes the options of one file. */
export class StraddleReader {
  private readonly pairs = new Map<string, Pair>();

  constructor(private readonly file: string) {}

  /** @param line from 1. @throws OptionError with file, line and what to do */
  add({ named, date, expiry, strike, isPut, close }: OptionCells, line: number): void {
    const pair = {
      ...named,
      day: this.day(date, line),
      expiry: this.day(expiry, line),
      strike: this.price('strike', strike, line),
    };
    const key = Object.values(pair).join(' ');
    const found: Pair = this.pairs.get(key) ?? pair;
    this.pairs.set(key, found);
    const side = isPut ? 'put' : 'call';
    if (found[side] !== undefined)
      refuseRow(this.file, line, 'this option has a row already; download the file again, or delete one of the two');
    found[side] = this.price('close', close, line);
  }

  private day(text: string, line: number): number {
    const time = parseTime(text, undefined, INDIA);
    if (time?.dateOnly !== true)
      refuseRow(this.file, line, `"${text}" is not a date such as 2025-09-11; correct or delete the line`);
    return dayOf(time.at);
  }

  private price(what: string, text: string, line: number): number {
    const paise = PRICE.test(text) ? Math.round(Number(text) * 100) : 0;
    if (paise <= 0 || !Number.isSafeInteger(paise))
      refuseRow(this.file, line, `${what} must be a price above 0, not "${text}"; correct or delete the line`);
    return paise;
  }

  /** Of each underlying, day and expiry the strike at which call and put are most alike. */
  result(): NamedStraddle[] {
    const nearest = new Map<string, NamedStraddle>();
    const apart = ({ call, put }: RecordedStraddle): number => Math.abs(call - put);
    for (const { call, put, ...pair } of this.pairs.values()) {
      if (call === undefined || put === undefined || pair.expiry <= pair.day) continue;
      const item = { ...pair, call, put };
      const key = `${pair.exchange} ${pair.symbol} ${pair.day} ${pair.expiry}`;
      const before = nearest.get(key);
      if (before === undefined || apart(item) < apart(before)) nearest.set(key, item);
    }
    return [...nearest.values()];
  }
}
