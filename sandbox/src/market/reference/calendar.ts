import {
  MINUTE,
  dayNumber,
  formatDayNumber,
  minutesOfClockTime,
  parseDayNumber,
  dateParts,
  startOfDay,
  weekdayOf,
} from '../../shared/dates';
import { holidays, rowsEffectiveOn, tradingSessionRows, specialSessions } from './dated-tables';
import type { Calendar, ExchangeCode, TradingSession } from './types';

/** NSE and BSE share their trading days; MCX has its own. */
export type MarketFamily = 'equity' | 'commodity';

export const familyOf = (exchange: ExchangeCode): MarketFamily => (exchange === 'MCX' ? 'commodity' : 'equity');

/** Trading hours of an instrument: */
export type HoursSegment = 'cash' | 'auction' | 'derivative' | 'commodity' | 'always';

/** The calendar knows the days from 2010 to 2039; after the published holidays only the fixed ones are known. */
const FIRST = parseDayNumber('2010-01-01');
const LAST = parseDayNumber('2039-12-31');
/** Days that need months of history, or contracts of years ahead, are inside of this one: the days on which there is a market. */
export const FIRST_DATE = '2010-06-01';
export const LAST_DATE = '2033-12-31';
const FIXED_HOLIDAYS = ['01-26', '05-01', '08-15', '10-02', '12-25'];
const EVENING_FROM = '17:00';

/**
 * The minutes of one trading day. Minute 0 begins at `start`; prices run through `minutes` minutes. An
 * instrument trades in those that its segment allows.
 */
export interface DayGrid {
  day: number;
  /** Milliseconds since the epoch. */
  start: number;
  minutes: number;
  /** Ranges [from, to) of minutes with continuous trading. */
  continuous: Record<HoursSegment, [number, number][]>;
  /** Minute at which continuous trading ends. */
  lastMinute: Record<HoursSegment, number>;
  /** Minute in which the closing auction prints its price; null without one. */
  auctionPrint: number | null;
  /** Milliseconds: from then until `start` the last price is the opening price; equals `start` without a pre-open. */
  openKnown: number;
}

/** Hours of days with special hours, by day number. */
const special: Record<MarketFamily, ReadonlyMap<number, string>> = {
  equity: new Map(specialSessions().flatMap(({ day, hours }) => (hours === '' ? [] : [[day, hours]]))),
  commodity: new Map(specialSessions().flatMap(({ day, mcx }) => (mcx === '' ? [] : [[day, mcx]]))),
};
const closed = new Map(holidays().map((row) => [row.day, row]));
const published = Math.max(...holidays().map((row) => row.day));

function trades(family: MarketFamily, day: number): boolean {
  if (special[family].has(day)) return true;
  if (weekdayOf(day) > 5) return false;
  const holiday = closed.get(day);
  if (holiday) return family === 'commodity' && holiday.mcx === 'evening';
  const beyond = dateParts(day).year > dateParts(published).year;
  return !(beyond && FIXED_HOLIDAYS.includes(formatDayNumber(day).slice(5)));
}

/** US daylight saving: from the second Sunday of March to the first Sunday of November. */
function americanSummer(day: number): boolean {
  const { year } = dateParts(day);
  const sunday = (month: number, nth: number) => {
    const first = dayNumber(year, month, 1);
    return first + ((7 - weekdayOf(first)) % 7) + 7 * (nth - 1);
  };
  return day >= sunday(3, 2) && day < sunday(11, 1);
}

interface Phase {
  phase: TradingSession['phase'];
  from: number;
  to: number;
}

/** Halts of NSE and BSE, by day number: minutes [from, to) since midnight, ascending. */
export type HaltsByDay = ReadonlyMap<number, readonly [number, number][]>;

const NO_HALTS: HaltsByDay = new Map();

/** Continuous trading without the minutes of a halt. */
function withoutHalt(all: readonly Phase[], [begin, end]: readonly [number, number]): Phase[] {
  return all
    .flatMap((phase): Phase[] =>
      phase.phase === 'OPEN' && phase.from < end && phase.to > begin
        ? [
            { ...phase, to: begin },
            { ...phase, from: end },
          ]
        : [phase],
    )
    .filter(({ from, to }) => from < to);
}

/** The phases of a day in minutes since midnight, where nothing was halted. */
function regularPhases(segment: HoursSegment, day: number): Phase[] {
  const hours = special[segment === 'commodity' ? 'commodity' : 'equity'].get(day);
  if (hours !== undefined) {
    return hours.split(' ').map((range) => ({
      phase: 'OPEN',
      from: minutesOfClockTime(range.slice(0, 5)),
      to: minutesOfClockTime(range.slice(6)),
    }));
  }
  const market = segment === 'commodity' && !americanSummer(day) ? 'commodity_winter' : segment;
  const evening = segment === 'commodity' && closed.get(day)?.mcx === 'evening';
  return rowsEffectiveOn(
    tradingSessionRows().filter((row) => row.market === market),
    day,
  ).map((row) => ({
    phase: row.phase,
    from: minutesOfClockTime(evening ? EVENING_FROM : row.begins),
    to: minutesOfClockTime(row.ends),
  }));
}

/** Days with special hours of fewer minutes are holidays with a short session. */
const SHORTEST_DAY = 300;

/** True if NSE and BSE hold a short session on a day, such as muhurat trading: nothing expires on it. */
export function isShortDay(day: number): boolean {
  return (
    special.equity.has(day) &&
    regularPhases('derivative', day).reduce((sum, { from, to }) => sum + to - from, 0) < SHORTEST_DAY
  );
}

/** The phases of a day in minutes since midnight. A halt of NSE and BSE leaves MCX open. */
function phases(segment: HoursSegment, day: number, halts: HaltsByDay): Phase[] {
  const regular = regularPhases(segment, day);
  return segment === 'commodity' ? regular : (halts.get(day) ?? []).reduce(withoutHalt, regular);
}

/** True if a segment trades in a minute of a day. */
export function tradesIn(grid: DayGrid, segment: HoursSegment, minute: number): boolean {
  if (segment === 'auction' && minute === grid.auctionPrint) return true;
  return grid.continuous[segment].some(([from, to]) => minute >= from && minute < to);
}

/** Trading days of one family, in order, numbered from 0. */
export class TradingDays {
  private readonly grids = new Map<number, DayGrid>();

  private constructor(
    readonly family: MarketFamily,
    private readonly days: readonly number[],
    private readonly indexOfDay: Int32Array,
    private readonly halts: HaltsByDay,
    /** The same days without the halts; undefined where this is them. */
    private readonly usual?: TradingDays,
  ) {}

  /** All days of a family, without halts. */
  static of(family: MarketFamily): TradingDays {
    const days: number[] = [];
    const indexOfDay = new Int32Array(LAST - FIRST + 1).fill(-1);
    for (let day = FIRST; day <= LAST; day++) {
      if (!trades(family, day)) continue;
      indexOfDay[day - FIRST] = days.length;
      days.push(day);
    }
    return new TradingDays(family, days, indexOfDay, NO_HALTS);
  }

  /** The same days with halts. */
  with(halts: HaltsByDay): TradingDays {
    return halts.size === 0 ? this : new TradingDays(this.family, this.days, this.indexOfDay, halts, this);
  }

  get count(): number {
    return this.days.length;
  }

  /** Day number of the index-th trading day. */
  at(index: number): number {
    const day = this.days[index];
    if (day === undefined) throw new RangeError('The market is simulated from 2010 to 2039 only');
    return day;
  }

  /** Index of a trading day; -1 when it is none. */
  indexOf(day: number): number {
    return this.indexOfDay[day - FIRST] ?? -1;
  }

  /** Index of the first trading day that is not before `day`. */
  notBefore(day: number): number {
    if (day > LAST) return this.days.length;
    let next = Math.max(day, FIRST);
    while (this.indexOf(next) < 0) next++;
    return this.indexOf(next);
  }

  /** Index of the last trading day that is not after `day`; -1 when there is none. */
  notAfter(day: number): number {
    let previous = Math.min(day, LAST);
    while (previous >= FIRST && this.indexOf(previous) < 0) previous--;
    return previous < FIRST ? -1 : this.indexOf(previous);
  }

  /** The minutes of the index-th trading day. */
  grid(index: number): DayGrid {
    let grid = this.grids.get(index);
    if (!grid) {
      const day = this.at(index);
      grid = this.usual && !this.halts.has(day) ? this.usual.grid(index) : makeGrid(this.family, day, this.halts);
      this.grids.set(index, grid);
    }
    return grid;
  }
}

function makeGrid(family: MarketFamily, day: number, halts: HaltsByDay): DayGrid {
  const segments: HoursSegment[] = family === 'commodity' ? ['commodity'] : ['cash', 'auction', 'derivative'];
  const open = Object.fromEntries(
    segments.map((segment) => [segment, phases(segment, day, halts).filter((p) => p.phase === 'OPEN')]),
  );
  const all = Object.values(open).flat();
  const begin = Math.min(...all.map((p) => p.from));
  const end = Math.max(...all.map((p) => p.to));
  const ranges = (segment: HoursSegment) =>
    (open[segment] ?? []).map((p): [number, number] => [p.from - begin, p.to - begin]);
  const last = (segment: HoursSegment) => Math.max(0, ...ranges(segment).map(([, to]) => to));
  const auction =
    family === 'equity' ? phases('auction', day, halts).find((p) => p.phase === 'CLOSING_AUCTION') : undefined;
  const preOpen = family === 'equity' ? phases('cash', day, halts).find((p) => p.phase === 'PRE_OPEN') : undefined;
  const start = startOfDay(day) + begin * MINUTE;
  return {
    day,
    start,
    minutes: end - begin,
    continuous: {
      cash: ranges('cash'),
      auction: ranges('auction'),
      derivative: ranges('derivative'),
      commodity: ranges('commodity'),
      always: [[0, end - begin]],
    },
    lastMinute: {
      cash: last('cash'),
      auction: last('auction'),
      derivative: last('derivative'),
      commodity: last('commodity'),
      always: end - begin,
    },
    auctionPrint: auction ? auction.to - begin : null,
    openKnown: preOpen ? startOfDay(day) + preOpen.to * MINUTE : start,
  };
}

/** The last second of a day at or before `elapsed` in which a segment trades; minute null when there is none yet. */
export function lastTrade(
  grid: DayGrid,
  segment: HoursSegment,
  elapsed: number,
): { minute: number | null; second: number } {
  if (elapsed < 0) return { minute: null, second: 0 };
  const minute = Math.floor(elapsed / 60);
  if (tradesIn(grid, segment, minute)) return { minute, second: elapsed % 60 };
  const print =
    segment === 'auction' && grid.auctionPrint !== null && minute > grid.auctionPrint ? grid.auctionPrint : -1;
  const ends = grid.continuous[segment].filter(([, to]) => to <= minute).map(([, to]) => to - 1);
  const last = Math.max(print, ...ends);
  return last < 0 ? { minute: null, second: 0 } : { minute: last, second: 59 };
}

/** The minutes between the end of trading of the day before and the start of the index-th trading day. */
export function nightBefore(days: TradingDays, index: number): DayGrid {
  const before = days.grid(index - 1);
  const { day, start: end } = days.grid(index);
  const start = before.start + before.minutes * MINUTE;
  const minutes = (end - start) / MINUTE;
  const all: [number, number][] = [[0, minutes]];
  return {
    day,
    start,
    minutes,
    continuous: { cash: all, auction: all, derivative: all, commodity: all, always: all },
    lastMinute: { cash: minutes, auction: minutes, derivative: minutes, commodity: minutes, always: minutes },
    auctionPrint: null,
    openKnown: start,
  };
}

/** The trading days where nothing was halted, made once: they are the same in every market. */
const usual: Record<MarketFamily, TradingDays> = {
  equity: TradingDays.of('equity'),
  commodity: TradingDays.of('commodity'),
};

/** Trading days of both families and the calendar of the contract, with the halts that NSE and BSE had. */
export function createCalendar(halts: HaltsByDay = NO_HALTS): {
  days: Record<MarketFamily, TradingDays>;
  calendar: Calendar;
} {
  const days = { ...usual, equity: usual.equity.with(halts) };
  const of = (exchange: ExchangeCode) => days[familyOf(exchange)];
  /** The sessions of the day that was asked for last: it is mostly today. */
  const last = new Map<HoursSegment, { date: string; sessions: readonly TradingSession[] }>();
  const calendar: Calendar = {
    first: FIRST_DATE,
    last: LAST_DATE,
    isTradingDay: (exchange, date) => of(exchange).indexOf(parseDayNumber(date)) >= 0,
    nextTradingDay: (exchange, date) =>
      formatDayNumber(of(exchange).at(of(exchange).notBefore(parseDayNumber(date) + 1))),
    previousTradingDay: (exchange, date) =>
      formatDayNumber(of(exchange).at(of(exchange).notAfter(parseDayNumber(date) - 1))),
    sessions(exchange, derivative, date, closingAuction = true) {
      const segment: HoursSegment =
        exchange === 'MCX' ? 'commodity' : derivative ? 'derivative' : closingAuction ? 'auction' : 'cash';
      const known = last.get(segment);
      if (known?.date === date) return known.sessions;
      const day = parseDayNumber(date);
      const midnight = startOfDay(day);
      const all = of(exchange).indexOf(day) < 0 ? [] : phases(segment, day, halts);
      const sessions = all.map(({ phase, from, to }) => ({
        phase,
        from: midnight + from * MINUTE,
        to: midnight + to * MINUTE,
      }));
      last.set(segment, { date, sessions });
      return sessions;
    },
  };
  return { days, calendar };
}
