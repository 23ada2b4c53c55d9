/** A session report as JSON: paise, instants as ISO texts of India. */
import { istText } from '../../shared/time';
import { averagePrice } from '../../market/reference/contract-value';
import { userTag, type DayResult, type Performance } from './performance';
import type { PositionChange, RoundTrip } from './types';

/** @param symbol what an instrument is called. */
export function performanceRecord(performance: Performance, symbol: (refId: number) => string) {
  const { equity, trades, drawdown, sharpe, market, curve } = performance;
  return {
    from: performance.from,
    to: performance.to,
    unit: 'paise',
    verdict: performance.verdict,
    result: equity.result,
    gross: performance.gross,
    costs: performance.costs,
    slippage: performance.slippage,
    equity: {
      start: equity.start,
      end: equity.end,
      result: equity.result,
      held_before: equity.heldBefore,
      external: equity.external,
      set_by_hand: equity.setByHand,
    },
    drawdown: drawdown === undefined ? null : { ...drawdown, from: istText(drawdown.from), to: istText(drawdown.to) },
    trades: {
      closed: trades.closed,
      open: trades.open,
      won: trades.won,
      lost: trades.lost,
      win_rate: trades.winRate ?? null,
      profit_factor: trades.profitFactor ?? null,
      average: trades.average ?? null,
      average_holding_seconds: seconds(trades.averageHoldingMs),
    },
    sharpe: sharpe ?? null,
    best_day: dayRecord(performance.bestDay),
    worst_day: dayRecord(performance.worstDay),
    market: market ?? null,
    days: performance.days.map(dayRecord),
    by_tag: performance.byTag,
    by_workflow: performance.byWorkflow.map((group) => ({ ...group })),
    round_trips: performance.roundTrips.map((trip) => tripRecord(trip, symbol)),
    held_before: performance.held.map((trip) => tripRecord(trip, symbol)),
    curve: curve.map(({ at, result, drawdown: below, netExposure, grossExposure, market: index }) => ({
      at: istText(at),
      result,
      drawdown: below,
      net_exposure: netExposure,
      gross_exposure: grossExposure,
      market: index ?? null,
    })),
  };
}

export type PerformanceRecord = ReturnType<typeof performanceRecord>;

function dayRecord(day: DayResult | undefined) {
  return day === undefined ? null : { ...day, market: day.market ?? null, index: indexRecord(day.index) };
}

function indexRecord(index: DayResult['index']) {
  if (index === undefined) return null;
  const { open, high, low, close, previousClose } = index;
  return { open, high, low, close, previous_close: previousClose };
}

function tripRecord(trip: RoundTrip, symbol: (refId: number) => string) {
  const { entry, exit, quantity } = trip;
  return {
    symbol: symbol(trip.refId),
    ref_id: trip.refId,
    product: trip.product,
    side: trip.side,
    quantity,
    open: exit === undefined,
    entry_at: istText(trip.entryAt),
    entry_price: averagePrice(entry.unit, trip.entryValue, quantity),
    exit_at: trip.exitAt === undefined ? null : istText(trip.exitAt),
    exit_price: averagePrice(entry.unit, trip.exitValue, quantity),
    settled: exit?.kind === 'settled',
    gross: trip.gross,
    costs: trip.costs,
    net: trip.net,
    slippage: trip.slippage ?? null,
    holding_seconds: trip.exitAt === undefined ? null : seconds(trip.exitAt - trip.entryAt),
    tag: userTag(entry.tag),
    entry_order_id: entry.orderId,
    exit_order_id: exit?.orderId ?? '',
    placed_by: placedByRecord(entry),
    exit_placed_by: exit === undefined ? null : placedByRecord(exit),
  };
}

function placedByRecord({ placedBy }: PositionChange) {
  if (placedBy === undefined) return null;
  const { workflow, workflowName, execution, node } = placedBy;
  return { workflow, workflow_name: workflowName, execution, node };
}

function seconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms / 1_000);
}
