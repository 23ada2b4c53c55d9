import { gzipSync } from 'node:zlib';
import type { MirrorQuote } from '../market/mirror/types';
import { AssetCatalog } from '../market/reference/catalog';
import type { Instrument } from '../market/reference/types';
import type { Tick } from '../market/recordings/tick-day';
import { hasTicks, TICK_HEADING, tickFile, tickRow } from '../market/recordings/ticks';
import { istDate } from '../shared/time';

/** Number of lines that are kept before they are written, as a live market never ends. */
const TOGETHER = 200;

/** The ticks of one instrument on one day that are not written yet. */
interface UnwrittenTicks {
  instrument: Instrument;
  name: string;
  /** May still be replaced by what is seen at the same instant. */
  last: Tick | undefined;
  rows: string[];
  /** The first instant and the least volume that the next tick may have. */
  from: number;
  volume: number;
}

/** Writes down what is seen of a live market while it is seen, as it cannot be asked for afterwards: ticks as `--replay` takes them. */
export class TickRecorder {
  private readonly catalog = new AssetCatalog();
  private readonly waiting = new Map<number, UnwrittenTicks>();

  /** @param append writes compressed lines at the end of a file, below a heading where it is new */
  constructor(private readonly append: (name: string, heading: Buffer, content: Buffer) => void) {}

  /** True if a replay would know an instrument: a live market may have others than ours. */
  takes({ exchange, symbol }: Instrument): boolean {
    return hasTicks(this.catalog, exchange, symbol);
  }

  /** Something was seen of an instrument. @param at milliseconds. @param quote undefined where nothing is known from then on */
  note(instrument: Instrument, at: number, quote: MirrorQuote | undefined): void {
    if (!this.takes(instrument)) return;
    const name = `${tickFile(istDate(at), instrument)}.gz`;
    const waiting = this.of(instrument, name);
    const { last, volume = 0, bids = [], asks = [] } = quote ?? {};
    const before = waiting.last;
    // Of one instant the latest holds; but a gap is not covered up.
    const isReplaced = before !== undefined && at <= before.at && before.last !== undefined && last !== undefined;
    if (!isReplaced) this.finishSecond(waiting);
    // Volume counts from the beginning of the day, also where the live side says otherwise for a moment.
    waiting.volume = Math.max(waiting.volume, volume);
    const from = isReplaced ? before.at : Math.max(at, waiting.from);
    waiting.last = { at: from, last, volume: waiting.volume, auction: undefined, bids, asks };
    if (waiting.rows.length >= TOGETHER) this.put(waiting);
  }

  /** Writes all that waits. */
  flush(): void {
    for (const waiting of this.waiting.values()) this.write(waiting);
  }

  /** Returns the lines of an instrument that wait for a file; that of a former day is written. */
  private of(instrument: Instrument, name: string): UnwrittenTicks {
    const known = this.waiting.get(instrument.refId);
    if (known?.name === name) return known;
    if (known !== undefined) this.write(known);
    const fresh: UnwrittenTicks = { instrument, name, last: undefined, rows: [], from: -Infinity, volume: 0 };
    this.waiting.set(instrument.refId, fresh);
    return fresh;
  }

  private finishSecond(waiting: UnwrittenTicks): void {
    const { instrument, last, rows } = waiting;
    if (last === undefined) return;
    rows.push(tickRow(instrument, last));
    Object.assign(waiting, { last: undefined, from: last.at + 1 });
  }

  private write(waiting: UnwrittenTicks): void {
    this.finishSecond(waiting);
    if (waiting.rows.length > 0) this.put(waiting);
  }

  private put({ name, rows }: UnwrittenTicks): void {
    this.append(name, gzipSync(`${TICK_HEADING}\n`), gzipSync(rows.map((row) => `${row}\n`).join('')));
    rows.length = 0;
  }
}
