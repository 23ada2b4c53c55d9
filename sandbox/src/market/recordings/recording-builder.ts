import { tradesIn, type DayGrid, type HoursSegment, type TradingDays } from '../reference/calendar';
import { dayOf, formatDayNumber, MINUTE, SECOND } from '../../shared/dates';
import { istClock } from '../../shared/time';
import { lineWord, refuseRow } from './read-error';
import { DAY_SECONDS } from './row-order';
import { RecordedDay, type RecordedBar } from './recorded-day';
import { nameOf, type Recording, type RecordedRow, type RowKind } from './types';

/** Largest distance of an official close from the last candle, as a logarithm: the one is the mean of half an hour. */
const MAX_DIFFERENCE = 0.05;

/** Seconds [from, to) of a day's trading in which a bar lies; undefined when it lies outside. */
function within(
  grid: DayGrid,
  segment: HoursSegment,
  begin: number,
  end: number,
): { from: number; to: number } | undefined {
  const first = Math.floor((begin - grid.start) / SECOND);
  const last = Math.floor((end - grid.start) / SECOND);
  if (last - first <= 60) {
    if (first < 0 || !tradesIn(grid, segment, Math.floor(first / 60))) return undefined;
    return { from: first, to: last };
  }
  const open = grid.continuous[segment].filter(([from, to]) => from * 60 < last && to * 60 > first);
  if (open.length === 0) return undefined;
  return { from: Math.max(first, open[0]![0] * 60), to: Math.min(last, open.at(-1)![1] * 60) };
}

/** The opening auction is held in so long before the session, milliseconds. */
const PRE_OPEN_MS = 15 * MINUTE;

/** Notes on a recording's rows that are not traded. */
export interface UntradedRows {
  outside: RecordedRow[];
  holidays: RecordedRow[];
  /** Candles of days with ticks. */
  behindTicks: RecordedRow[];
}

/** A day whose rows are being read. */
interface OpenDay {
  bars: RecordedBar[];
  last: RecordedRow;
  /** The last row after the session. */
  after: RecordedRow | undefined;
}

/** The recording of one instrument. @throws OptionError of a row that fits no bar */
export class RecordingBuilder {
  /** Rows of earlier files, each day with its last row. */
  private readonly days = new Map<number, { recorded: RecordedDay; last: RecordedRow }>();
  readonly left: UntradedRows = { outside: [], holidays: [], behindTicks: [] };
  /** Days with candles or ticks, and days with ticks. */
  private readonly detailed = new Set<number>();
  private readonly ticked = new Set<number>();
  /** The last prices before the sessions, by day: those of the opening auctions. */
  private readonly opens = new Map<number, number>();
  /** By the day after. */
  private readonly previousCloses = new Map<number, number>();
  interval = DAY_SECONDS;
  volumes = false;

  constructor(
    private readonly calendar: TradingDays,
    private readonly segment: HoursSegment,
  ) {}

  /** Adds the rows of a file; those of ticks come first, and those of bhavcopies last. */
  add(rows: readonly RecordedRow[], interval: number, ends: boolean, kind: RowKind): void {
    this.interval = Math.min(this.interval, interval);
    const open = new Map<number, OpenDay>();
    for (const row of rows) {
      const whole = interval === DAY_SECONDS;
      const begin = row.at - (ends && !whole ? interval * SECOND : 0);
      const day = dayOf(begin);
      const index = this.calendar.indexOf(day);
      if (index < 0) {
        this.left.holidays.push(row);
        continue;
      }
      if (row.previousClose !== undefined) this.previousCloses.set(day, row.previousClose);
      const recordedDay = this.days.get(day);
      if (recordedDay !== undefined && kind === 'bhavcopy' && this.detailed.has(day)) {
        this.close(row, day, recordedDay);
        continue;
      }
      if (kind === 'candles' && this.ticked.has(day)) {
        this.left.behindTicks.push(row);
        continue;
      }
      if (recordedDay !== undefined)
        refuseRow(
          row.file,
          row.line,
          `${nameOf(row)} on ${formatDayNumber(day)} is in ${recordedDay.last.file} too; keep one of them`,
        );
      if (!this.put(open, row, this.calendar.grid(index), day, begin, interval) && kind !== 'ticks')
        this.left.outside.push(row);
      if (kind === 'ticks') this.ticked.add(day);
      if (kind !== 'bhavcopy') this.detailed.add(day);
    }
    for (const [day, { bars, last, after }] of open) {
      const recorded = new RecordedDay(bars, after?.close ?? bars.at(-1)!.close, this.opens.get(day));
      this.days.set(day, { recorded, last });
    }
  }

  /** Takes the official close of a day with candles. */
  private close(row: RecordedRow, day: number, { recorded, last }: { recorded: RecordedDay; last: RecordedRow }): void {
    if (Math.abs(Math.log(row.close / last.close)) > MAX_DIFFERENCE)
      refuseRow(
        row.file,
        row.line,
        `${nameOf(row)} closed at ${row.close / 100} where its candles end at ${last.close / 100} (${last.file}, ${lineWord(last.file)} ${last.line}), perhaps as they are adjusted for a split; delete one of the two`,
      );
    this.days.set(day, { recorded: recorded.closingAt(row.close), last });
  }

  /** @returns true if it is within the session: ticks of auctions are not, which make no candle. */
  private put(
    open: Map<number, OpenDay>,
    row: RecordedRow,
    grid: DayGrid,
    day: number,
    begin: number,
    interval: number,
  ): boolean {
    const whole = interval === DAY_SECONDS;
    const span = whole
      ? within(grid, this.segment, grid.start, grid.start + grid.minutes * MINUTE)
      : within(grid, this.segment, begin, begin + interval * SECOND);
    let made = open.get(day);
    if (span === undefined) {
      if (made !== undefined && begin >= grid.start + grid.lastMinute[this.segment] * MINUTE) made.after = row;
      if (made === undefined && begin >= grid.start - PRE_OPEN_MS) this.opens.set(day, row.close);
      return false;
    }
    if (made === undefined) open.set(day, (made = { bars: [], last: row, after: undefined }));
    const before = made.bars.at(-1);
    if (before !== undefined && span.from < before.to)
      refuseRow(
        row.file,
        row.line,
        `its bar begins at ${istClock(begin)}, before that of ${lineWord(row.file)} ${made.last.line} is over; correct it, or say the interval in replay.json`,
      );
    if (row.volume !== undefined && row.volume > 0) this.volumes = true;
    made.bars.push({
      ...span,
      open: row.open,
      high: row.high,
      low: row.low,
      close: row.close,
      volume: row.volume ?? 0,
    });
    made.last = row;
    return true;
  }

  /**
   * @param seenOn the exchange whose prices its rows are
   * @returns undefined when none of its rows is within a session
   */
  result(named: Pick<Recording, 'exchange' | 'symbol'>, seenOn: Recording['seenOn']): Recording | undefined {
    if (this.days.size === 0) return undefined;
    const days = new Map<number, RecordedDay>(
      [...this.days].sort(([a], [b]) => a - b).map(([day, { recorded }]) => [day, recorded]),
    );
    const { exchange, symbol } = named;
    const previousClose = this.previousCloses.get(days.keys().next().value!);
    return { exchange, symbol, seenOn, days, previousClose, hasVolumes: this.volumes, interval: this.interval };
  }
}
