/** Facts on which a backtest rests: where prices come from, by which models orders met them, and how much money was at work. */
import type { PerformanceRecord } from '../reports/performance/record';
import { percent } from '../shared/money';
import { originOf, type InstrumentOrigin } from '../simulation/price-origins';
import type { ModelWords } from '../simulation/models';
import type { Sandbox } from '../simulation/sandbox';

const MINUTE_MS = 60_000;

/** A bar of the minute of a trade, paise. */
export interface TradeBar {
  open: number;
  high: number;
  low: number;
  close: number;
}

export interface MonthResult {
  /** YYYY-MM. */
  month: string;
  result: number;
  trades: number;
  /** The index's change, percent; null where it is not known. */
  market: number | null;
}

/** Money is paise. */
export interface ReportBasis {
  instruments: InstrumentOrigin[];
  models: ModelWords;
  /** Worth of the account when the first day began. */
  capital: number;
  return_percent: number;
  /** Cost to the result of the account's orders pushing the prices at which it traded; below 0 where they gained. */
  own_impact: number;
  /** The largest worth of what was open at one time. */
  largest_invested: number;
  return_on_invested_percent: number | null;
  /** The most that was blocked at one time: margin, premiums and shares that were paid. */
  largest_blocked: number;
  return_on_blocked_percent: number | null;
  /** Profit that the same capital would have made in the index; null where the index is not known. */
  holding_index: number | null;
  months: MonthResult[];
  /** The minutes in which each trade was entered and left, in the order of `round_trips`; null where there is no bar. */
  bars: { entry: TradeBar | null; exit: TradeBar | null }[];
}

/** Looks from time to time how much of the account is at work. */
export class BlockedMoney {
  /** Paise. */
  largest = 0;
  private next = 0;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly account: string,
  ) {
    sandbox.onChange(() => this.look());
  }

  private look(): void {
    const { world, instant } = this.sandbox;
    if (instant < this.next) return;
    this.next = instant + MINUTE_MS;
    const { heldForOrders, heldForPositions, invested } = world.accounts.funds(this.account);
    this.largest = Math.max(this.largest, heldForOrders + heldForPositions + Math.max(0, invested));
  }
}

/** @param blocked the most that was blocked at one time. @param ownImpact what the account's own orders cost it, paise */
export function basisOf(sandbox: Sandbox, report: PerformanceRecord, blocked: number, ownImpact: number): ReportBasis {
  const { equity, result, market, curve, round_trips: trips } = report;
  const refIds = [...new Set(trips.map(({ ref_id: refId }) => refId))];
  const traded = refIds.flatMap((refId) => sandbox.world.instrument(refId) ?? []);
  const bar = (refId: number, at: string | null): TradeBar | null =>
    at === null ? null : minuteBar(sandbox, refId, Date.parse(at));
  const invested = Math.max(0, ...curve.map(({ gross_exposure: worth }) => worth));
  return {
    instruments: traded.map((instrument) => originOf(sandbox, instrument)),
    models: sandbox.modelWords,
    capital: equity.start,
    return_percent: percent(result, equity.start),
    own_impact: ownImpact,
    largest_invested: invested,
    return_on_invested_percent: invested === 0 ? null : percent(result, invested),
    largest_blocked: blocked,
    return_on_blocked_percent: blocked === 0 ? null : percent(result, blocked),
    holding_index: market === null ? null : Math.round((equity.start * (market.end - market.start)) / market.start),
    months: monthsOf(report),
    bars: trips.map(({ ref_id: refId, entry_at: entry, exit_at: exit }) => ({
      entry: bar(refId, entry),
      exit: bar(refId, exit),
    })),
  };
}

function monthsOf({ days }: PerformanceRecord): MonthResult[] {
  const months = new Map<string, MonthResult & { from: number | null; to: number | null }>();
  for (const day of days) {
    if (day === null) continue;
    const name = day.date.slice(0, 7);
    const known = months.get(name) ?? {
      month: name,
      result: 0,
      trades: 0,
      market: null,
      from: day.index?.previous_close ?? null,
      to: null,
    };
    known.result += day.result;
    known.trades += day.trades;
    known.to = day.index?.close ?? known.to;
    months.set(name, known);
  }
  return [...months.values()].map(({ from, to, ...month }) => ({
    ...month,
    market: from === null || to === null ? null : percent(to - from, from),
  }));
}

function minuteBar({ world }: Sandbox, refId: number, at: number): TradeBar | null {
  const instrument = world.instrument(refId);
  if (instrument === undefined) return null;
  const from = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const [bar] = world.market.bars(instrument, '1m', from, from + MINUTE_MS);
  if (bar === undefined) return null;
  const { open, high, low, close } = bar;
  return { open, high, low, close };
}
