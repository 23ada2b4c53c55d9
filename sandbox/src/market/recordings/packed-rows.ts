import { NumberReader, NumberWriter } from './packed-numbers';
import { nameOf, type RecordedRow, type RecordedRows } from './types';

/** The rows of one instrument: the first one, and the others by how they differ from the one before each. */
interface Packed {
  first: RecordedRow;
  count: number;
  others: { numbers: NumberWriter; last: RecordedRow; step: number } | undefined;
}

/** Adds a number that may be missing. */
const addOptional = (numbers: NumberWriter, value: number | undefined): void =>
  numbers.add(value === undefined ? 0 : value + 1);
const optional = (numbers: NumberReader): number | undefined => {
  const value = numbers.next();
  return value === 0 ? undefined : value - 1;
};

/** The rows of a file, packed: those of a year of many files are in memory together. */
export class PackedRows implements RecordedRows {
  private readonly byName = new Map<string, Packed>();
  private count = 0;
  private later = 0;

  constructor(private readonly file: string) {}

  get length(): number {
    return this.count;
  }

  add(row: RecordedRow): void {
    this.count += 1;
    const name = nameOf(row);
    const packed = this.byName.get(name);
    if (packed === undefined) {
      this.byName.set(name, { first: row, count: 1, others: undefined });
      return;
    }
    packed.count += 1;
    packed.others ??= { numbers: new NumberWriter(), last: packed.first, step: 0 };
    const { numbers, last, step } = packed.others;
    numbers.addSigned(row.line - last.line);
    numbers.addSigned(row.at - last.at - step);
    numbers.addSigned(row.open - last.close);
    numbers.add(row.high - row.open);
    numbers.add(row.open - row.low);
    numbers.addSigned(row.close - row.open);
    addOptional(numbers, row.volume);
    addOptional(numbers, row.previousClose);
    packed.others.step = row.at - last.at;
    packed.others.last = row;
  }

  /** All rows are so much later than they say, milliseconds. */
  shift(later: number): void {
    this.later = later;
  }

  instruments(): Pick<RecordedRow, 'exchange' | 'symbol'>[] {
    return [...this.byName.values()].map(({ first: { exchange, symbol } }) => ({ exchange, symbol }));
  }

  of(instrument: Pick<RecordedRow, 'exchange' | 'symbol'>): RecordedRow[] {
    const packed = this.byName.get(nameOf(instrument));
    if (packed === undefined) return [];
    const { first, others, count } = packed;
    const { exchange, symbol } = first;
    const rows: RecordedRow[] = [{ ...first, at: first.at + this.later }];
    if (others === undefined) return rows;
    const numbers = new NumberReader(others.numbers.bytes());
    let { line, at, close } = first;
    let step = 0;
    while (rows.length < count) {
      line += numbers.nextSigned();
      step += numbers.nextSigned();
      at += step;
      const open = close + numbers.nextSigned();
      const high = open + numbers.next();
      const low = open - numbers.next();
      close = open + numbers.nextSigned();
      const volume = optional(numbers);
      const previousClose = optional(numbers);
      const { file, later } = this;
      rows.push({ file, line, exchange, symbol, at: at + later, open, high, low, close, volume, previousClose });
    }
    return rows;
  }
}
