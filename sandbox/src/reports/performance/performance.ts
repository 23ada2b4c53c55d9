/** The session report: what the trades of a period earned. Exact to the paisa with the ledger (see `Equity`). */
import { mulDiv, percent } from '../../shared/money';
import { istDate, istDayEnd, istMidnight } from '../../shared/time';
import { curveOf } from './curve';
import { equityOf, type Equity } from './equity';
import { heldVerdict } from './held-verdict';
import { heldBefore, movementsOf } from './movements';
import { matchRoundTrips, roundTrips } from './round-trips';
import { mean, roundRatio, sharpe, sum, verdictOf, type SharpeEstimate } from './statistics';
import type { IndexDay } from '../../shared/index-day';
import type { CurvePoint, PositionChange, ReportedDays, PerformanceSource, RoundTrip } from './types';

export interface DayResult {
  date: string;
  result: number;
  /** Closed on that day. */
  trades: number;
  /** The index's change from close to close, percent; undefined where there is none. */
  market: number | undefined;
  /** See `IndexDay`. */
  index: IndexDay | undefined;
}

/** Earnings of the trades with one tag, or of one workflow. */
export interface GroupResult {
  name: string;
  trades: number;
  open: number;
  won: number;
  gross: number;
  costs: number;
  net: number;
  slippage: number;
}

export interface Performance extends ReportedDays {
  equity: Equity;
  gross: number;
  costs: number;
  slippage: number;
  /** Largest fall of the result below its highest; undefined where it never fell. */
  drawdown: { amount: number; percent: number; from: number; to: number } | undefined;
  trades: {
    closed: number;
    open: number;
    won: number;
    lost: number;
    /** Percent of the closed ones. */
    winRate: number | undefined;
    /** Profits ÷ losses; undefined without a loss. */
    profitFactor: number | undefined;
    average: number | undefined;
    averageHoldingMs: number | undefined;
  };
  sharpe: SharpeEstimate | undefined;
  bestDay: DayResult | undefined;
  worstDay: DayResult | undefined;
  market: { symbol: string; start: number; end: number; change: number } | undefined;
  verdict: string;
  days: DayResult[];
  byTag: GroupResult[];
  byWorkflow: GroupResult[];
  curve: CurvePoint[];
  /** Of the period's own entries. */
  roundTrips: RoundTrip[];
  /** Trips of earlier holdings. */
  held: RoundTrip[];
}

/** @param period its last day may be the one that runs. */
export function performanceOf(source: PerformanceSource, period: ReportedDays): Performance {
  const begin = istMidnight(period.from);
  const end = Math.min(source.now, istDayEnd(istMidnight(period.to)) - 1);
  const before = heldBefore(source, period);
  const movements = [...before, ...movementsOf(source, period)];
  const price = marks(source, movements);
  const pieces = matchRoundTrips(movements);
  const own = pieces.filter(({ entry }) => entry.kind !== 'held');
  const atEnd = ({ key, refId }: PositionChange): number => price(key, refId, end);
  const trips = roundTrips(own, atEnd);
  const held = roundTrips(
    pieces.filter(({ entry }) => entry.kind === 'held'),
    atEnd,
  );
  const instants = [
    ...new Set([...source.instants(begin, end), ...dayEnds(period, end), ...movements.map(({ at }) => at)]),
  ]
    .filter((at) => at >= begin && at <= end)
    .sort((a, b) => a - b);
  const curve = curveOf(own, instants, ({ entry }, at) => price(entry.key, entry.refId, at), source.market);
  const equity = equityOf(source, period, { before, movements, trips, held, price, end });
  const days = daysOf(curve, trips, period, end, source);
  const closed = trips.filter(({ exitAt }) => exitAt !== undefined);
  const nets = closed.map(({ net }) => net);
  const ordered = [...days].sort((a, b) => a.result - b.result);
  const [profits, losses] = [sum(nets.filter((net) => net > 0)), -sum(nets.filter((net) => net < 0))];
  return {
    ...period,
    equity,
    gross: sum(trips.map(({ gross }) => gross)),
    costs: sum(trips.map(({ costs }) => costs)),
    slippage: sum(trips.map(({ slippage }) => slippage ?? 0)),
    drawdown: largestDrawdown(curve, equity.start),
    trades: {
      closed: closed.length,
      open: trips.length - closed.length,
      won: nets.filter((net) => net > 0).length,
      lost: nets.filter((net) => net < 0).length,
      winRate: closed.length === 0 ? undefined : percent(nets.filter((net) => net > 0).length, closed.length),
      profitFactor: losses === 0 ? undefined : roundRatio(profits / losses),
      average: closed.length === 0 ? undefined : mulDiv(sum(nets), 1, closed.length),
      averageHoldingMs:
        closed.length === 0 ? undefined : Math.round(mean(closed.map(({ entryAt, exitAt }) => exitAt! - entryAt))),
    },
    sharpe: equity.start > 0 ? sharpe(days.map(({ result }) => result / equity.start)) : undefined,
    bestDay: ordered.at(-1),
    worstDay: ordered[0],
    market: marketOf(days, source.market),
    verdict: closed.length === 0 ? openVerdict(source, trips, end) : verdictOf(nets),
    days,
    byTag: grouped(trips, ({ entry }) => userTag(entry.tag)),
    byWorkflow: grouped(trips, ({ entry }) => entry.placedBy?.workflowName || entry.placedBy?.workflow || ''),
    curve,
    roundTrips: trips,
    held,
  };
}

/** In plain words: what trades say while all of them are open. */
function openVerdict({ instrument }: PerformanceSource, trips: readonly RoundTrip[], end: number): string {
  if (trips.length === 0) return verdictOf([]);
  const isKept = ({ side, product, refId }: RoundTrip): boolean =>
    side === 'LONG' && product === 'CNC' && instrument(refId)?.underlyingRefId === null;
  if (trips.every(isKept)) return heldVerdict(trips, end);
  return `No trade was closed. ${trips.length === 1 ? '1 is' : `${trips.length} are`} open and ${trips.length === 1 ? 'counts' : 'count'} at the last price: nothing is decided yet.`;
}

/** Letters that n8n's node puts behind a tag identify one order alone, and group nothing. */
export function userTag(tag: string): string {
  return tag.replace(/(^|-)[a-z2-7]{12}(?:[a-z2-7]{4})?$/, '');
}

/** Prices by what is matched: a share has one price, whichever exchange it was traded on (that of its first movement). */
function marks(source: PerformanceSource, movements: readonly PositionChange[]) {
  const refIds = new Map<string, number>();
  // The last instant of a day that is over has the prices with which its books were closed: the next day begins with them.
  const closes = new Map(source.accounts.closes(source.account).map((close) => [close.at, close.closes]));
  for (const { key, refId } of movements) if (!refIds.has(key)) refIds.set(key, refId);
  const known = new Map<string, number>();
  return (key: string, refId: number, at: number): number => {
    const of = refIds.get(key) ?? refId;
    const id = `${of} ${at}`;
    const price = known.get(id) ?? closes.get(at)?.[of] ?? source.price(of, at);
    known.set(id, price);
    return price;
  };
}

/** The last instant of each day. */
function dayEnds({ from }: ReportedDays, end: number): number[] {
  const ends: number[] = [];
  for (let at = istDayEnd(istMidnight(from)) - 1; at < end; at = istDayEnd(at + 1) - 1) ends.push(at);
  return [...ends, end];
}

/** Results of the days on which there was trading, or something was open. */
function daysOf(
  curve: readonly CurvePoint[],
  trips: readonly RoundTrip[],
  period: ReportedDays,
  end: number,
  { instants, market }: PerformanceSource,
): DayResult[] {
  const last = new Map<string, CurvePoint>();
  for (const point of curve) last.set(istDate(point.at), point);
  const sessions = new Set(instants(istMidnight(period.from), end).map(istDate));
  const busy = new Set(trips.flatMap(({ entryAt, exitAt }) => [entryAt, exitAt ?? entryAt]).map(istDate));
  const days: DayResult[] = [];
  let before = 0;
  for (const [date, point] of last) {
    if (sessions.has(date) || busy.has(date)) {
      const index = market?.day(date);
      days.push({
        date,
        result: point.result - before,
        trades: trips.filter(({ exitAt }) => exitAt !== undefined && istDate(exitAt) === date).length,
        market: index && percent(index.close - index.previousClose, index.previousClose),
        index,
      });
    }
    before = point.result;
  }
  return days;
}

/** Returns the result of holding the index: from the close before the first day to that of the last. */
function marketOf(days: readonly DayResult[], market: PerformanceSource['market']): Performance['market'] {
  const [start, end] = [days[0]?.index?.previousClose, days.at(-1)?.index?.close];
  if (market === undefined || start === undefined || end === undefined) return undefined;
  return { symbol: market.symbol, start, end, change: percent(end - start, start) };
}

/** @param capital what the drawdown is a part of, paise. */
function largestDrawdown(curve: readonly CurvePoint[], capital: number): Performance['drawdown'] {
  const lowest = curve.reduce<CurvePoint | undefined>(
    (worst, point) => (point.drawdown > (worst?.drawdown ?? 0) ? point : worst),
    undefined,
  );
  if (lowest === undefined) return undefined;
  const high = lowest.result + lowest.drawdown;
  const peak = curve.findLast(({ at, result }) => at < lowest.at && result === high) ?? curve[0]!;
  const amount = lowest.drawdown;
  return { amount, percent: percent(amount, capital + high), from: peak.at, to: lowest.at };
}

function grouped(trips: readonly RoundTrip[], name: (trip: RoundTrip) => string): GroupResult[] {
  const groups = new Map<string, RoundTrip[]>();
  for (const trip of trips) {
    const group = groups.get(name(trip));
    if (group) group.push(trip);
    else groups.set(name(trip), [trip]);
  }
  return [...groups]
    .map(([of, members]) => {
      const closed = members.filter(({ exitAt }) => exitAt !== undefined);
      return {
        name: of,
        trades: closed.length,
        open: members.length - closed.length,
        won: closed.filter(({ net }) => net > 0).length,
        gross: sum(members.map(({ gross }) => gross)),
        costs: sum(members.map(({ costs }) => costs)),
        net: sum(members.map(({ net }) => net)),
        slippage: sum(members.map(({ slippage }) => slippage ?? 0)),
      };
    })
    .sort((a, b) => b.net - a.net || (a.name < b.name ? -1 : 1));
}
