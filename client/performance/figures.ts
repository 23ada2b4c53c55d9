/** Statistics of round trips, and their confidence. Amounts are paise. */
import { rupeesText, signedRupees } from '../values/amounts';
import { istDate } from '../values/time';
import { grossOf, type RoundTrip } from './round-trips';

/** Trading days in a year, by which a daily figure becomes a yearly one. */
const DAYS_A_YEAR = 252;
/** With fewer closed trades no average is told from luck. */
const MIN_TRADES = 30;
/** Standard errors beyond which chance explains less than one result in twenty. */
const SURE = 2;

export interface PerformanceDay {
  date: string;
  /** Result of the trades closed on that day, after costs. */
  result: number;
  trades: number;
}

export interface PerformanceFigures {
  result: number;
  gross: number;
  costs: number;
  /** Worth of what is open, without signs. */
  exposure: number;
  /** Largest fall of the result, trade by trade, below its highest. */
  drawdown: number;
  closed: number;
  open: number;
  won: number;
  lost: number;
  /** Percent; null without a closed trade. */
  winRate: number | null;
  /** Profits ÷ losses; null without a loss. */
  profitFactor: number | null;
  average: number | null;
  averageHoldingSeconds: number | null;
  /** Of a year, by daily results, with its standard error (Lo 2002); null for fewer than two days that differ. */
  sharpe: { value: number; error: number; days: number } | null;
  days: PerformanceDay[];
  bestDay: PerformanceDay | null;
  worstDay: PerformanceDay | null;
  byTag: (TripGroup & { tag: string })[];
  verdict: string;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1));
}

/** Profit after costs, paise. */
export const netOf = (trip: RoundTrip): number => grossOf(trip) - trip.costs;

/** @param dates trading days of the period, YYYY-MM-DD: one without a trade counts as 0. */
export function figuresOf(trips: readonly RoundTrip[], dates: readonly string[]): PerformanceFigures {
  const closed = trips.filter((trip) => trip.exitAt !== undefined).sort((a, b) => a.exitAt! - b.exitAt!);
  const nets = closed.map(netOf);
  const profits = sum(nets.filter((net) => net > 0));
  const losses = -sum(nets.filter((net) => net < 0));
  const days = daysOf(closed, dates);
  const ordered = [...days].sort((a, b) => a.result - b.result);
  return {
    result: sum(trips.map(netOf)),
    gross: sum(trips.map(grossOf)),
    costs: sum(trips.map(({ costs }) => costs)),
    exposure: sum(trips.filter(({ exitAt }) => exitAt === undefined).map(({ exitValue }) => exitValue)),
    drawdown: largestFall(nets),
    closed: closed.length,
    open: trips.length - closed.length,
    won: nets.filter((net) => net > 0).length,
    lost: nets.filter((net) => net < 0).length,
    winRate: nets.length === 0 ? null : Math.round((nets.filter((net) => net > 0).length * 10_000) / nets.length) / 100,
    profitFactor: losses === 0 ? null : rounded(profits / losses),
    average: nets.length === 0 ? null : Math.round(mean(nets)),
    averageHoldingSeconds:
      closed.length === 0 ? null : Math.round(mean(closed.map(({ entryAt, exitAt }) => exitAt! - entryAt)) / 1_000),
    sharpe: sharpeOf(days.map(({ result }) => result)),
    days,
    bestDay: ordered.at(-1) ?? null,
    worstDay: ordered[0] ?? null,
    byTag: tagsOf(trips),
    verdict: closed.length === 0 && trips.length > 0 ? openVerdict(trips) : verdictOf(nets),
  };
}

function daysOf(closed: readonly RoundTrip[], dates: readonly string[]): PerformanceDay[] {
  const days = new Map(dates.map((date): [string, PerformanceDay] => [date, { date, result: 0, trades: 0 }]));
  for (const trip of closed) {
    const date = istDate(trip.exitAt!);
    const day = days.get(date) ?? { date, result: 0, trades: 0 };
    days.set(date, { date, result: day.result + netOf(trip), trades: day.trades + 1 });
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

function largestFall(nets: readonly number[]): number {
  let [result, highest, fall] = [0, 0, 0];
  for (const net of nets) {
    result += net;
    highest = Math.max(highest, result);
    fall = Math.max(fall, highest - result);
  }
  return fall;
}

function sharpeOf(results: readonly number[]): PerformanceFigures['sharpe'] {
  const spread = deviation(results);
  if (spread === 0) return null;
  const daily = mean(results) / spread;
  const year = Math.sqrt(DAYS_A_YEAR);
  const error = Math.sqrt((1 + daily ** 2 / 2) / results.length);
  return { value: rounded(daily * year), error: rounded(error * year), days: results.length };
}

/** Round trips that belong together, with their sums in paise. */
export interface TripGroup {
  /** Closed ones. */
  trades: number;
  open: number;
  /** Closed ones that earned something. */
  won: number;
  /** After costs; open ones at their last price. */
  net: number;
  costs: number;
}

/** Sums up the round trips of each name, such as a tag, in the order in which the names come. */
function groupsOf(trips: readonly RoundTrip[], nameOf: (trip: RoundTrip) => string): [string, TripGroup][] {
  return [...Map.groupBy(trips, nameOf)].map(([name, members]) => {
    const closed = members.filter(({ exitAt }) => exitAt !== undefined);
    return [
      name,
      {
        trades: closed.length,
        open: members.length - closed.length,
        won: closed.filter((trip) => netOf(trip) > 0).length,
        net: sum(members.map(netOf)),
        costs: sum(members.map(({ costs }) => costs)),
      },
    ];
  });
}

const tagsOf = (trips: readonly RoundTrip[]): PerformanceFigures['byTag'] =>
  groupsOf(trips, ({ tag }) => tag).map(([tag, group]) => ({ tag, ...group }));

/** Returns what was earned in each instrument, the most first. */
export function instrumentsOf(trips: readonly RoundTrip[]): (TripGroup & { symbol: string })[] {
  return groupsOf(trips, ({ symbol }) => symbol)
    .map(([symbol, group]) => ({ symbol, ...group }))
    .sort((a, b) => b.net - a.net);
}

/** Says in words what trades are worth while all of them are open. */
function openVerdict(trips: readonly RoundTrip[]): string {
  const [count, counts] = trips.length === 1 ? ['1 is', 'it counts'] : [`${trips.length} are`, 'they count'];
  return `No trade was closed. ${count} open, and ${counts} at the last price, after costs: ${signedRupees(sum(trips.map(netOf)))} so far. Nothing is decided yet.`;
}

function verdictOf(nets: readonly number[]): string {
  const count = nets.length;
  if (count === 0) return 'No trade was closed: there is nothing to judge.';
  const trades = count === 1 ? '1 closed trade' : `${count} closed trades`;
  if (count < MIN_TRADES) return `${trades}: fewer than ${MIN_TRADES} prove nothing. This could be pure luck.`;
  const average = mean(nets);
  const error = deviation(nets) / Math.sqrt(count);
  const reported = `${trades} ${average < 0 ? 'lost' : 'made'} ${rupeesText(Math.abs(Math.round(average)))} each on average, give or take ${rupeesText(Math.round(SURE * error))}`;
  if (Math.abs(average) <= SURE * error) return `${reported}: this can well be luck.`;
  return `${reported}: luck alone seldom makes such a ${average > 0 ? 'profit' : 'loss'} (1 time in 20). That holds only if the rules were made before these days were looked at, and for days like these.`;
}
