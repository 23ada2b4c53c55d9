import { NumberReader, NumberWriter } from './packed-numbers';

/** Prices of an instrument between two seconds of a day. */
export interface RecordedBar {
  /** Seconds from the beginning of the day's trading, the second one past the end. */
  from: number;
  to: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** 0 where the recording has no volumes. */
  volume: number;
}

/** Minimum number of bars that are packed: fewer take less room unpacked. */
const MIN_PACKED = 4;

/** One instrument on one trading day; prices are paise. Its bars are packed: a year of minutes of many shares fits in memory. */
export class RecordedDay {
  /** Price of the first bar and of the last. */
  readonly open: number;
  readonly close: number;
  readonly barCount: number;
  /** Quantity traded in all bars; 0 where the recording has no volumes. */
  readonly volume: number;
  private readonly packed: Uint8Array | readonly RecordedBar[];

  /**
   * @param bars within the session, ascending, apart from one another; at least one
   * @param officialClose what the next day calls its previous close: of rows after the session the last one, else the last bar's close
   * @param officialOpen at what it opened by the rows before the session, those of the opening auction; undefined where no file has any
   */
  constructor(
    bars: readonly RecordedBar[],
    readonly officialClose: number,
    readonly officialOpen: number | undefined,
  ) {
    this.open = bars[0]!.open;
    this.close = bars.at(-1)!.close;
    this.barCount = bars.length;
    this.volume = bars.reduce((sum, bar) => sum + bar.volume, 0);
    this.packed = bars.length < MIN_PACKED ? bars : pack(bars);
  }

  /** The same day with the close that the exchange told. */
  closingAt(officialClose: number): RecordedDay {
    return new RecordedDay(this.bars(), officialClose, this.officialOpen);
  }

  /** Unpacks the bars, each time again: whoever looks at them often keeps them. */
  bars(): readonly RecordedBar[] {
    return this.packed instanceof Uint8Array ? unpack(this.packed, this.barCount) : this.packed;
  }
}

function pack(bars: readonly RecordedBar[]): Uint8Array {
  const numbers = new NumberWriter();
  let [end, price] = [0, 0];
  for (const { from, to, open, high, low, close, volume } of bars) {
    numbers.add(from - end);
    numbers.add(to - from);
    numbers.addSigned(open - price);
    numbers.add(high - open);
    numbers.add(open - low);
    numbers.addSigned(close - open);
    numbers.add(volume);
    [end, price] = [to, close];
  }
  return numbers.bytes();
}

function unpack(bytes: Uint8Array, count: number): RecordedBar[] {
  const numbers = new NumberReader(bytes);
  const bars: RecordedBar[] = [];
  let [end, price] = [0, 0];
  for (let i = 0; i < count; i++) {
    const from = end + numbers.next();
    end = from + numbers.next();
    const open = price + numbers.nextSigned();
    const high = open + numbers.next();
    const low = open - numbers.next();
    price = open + numbers.nextSigned();
    bars.push({ from, to: end, open, high, low, close: price, volume: numbers.next() });
  }
  return bars;
}
