import { getPerformance as ask, type Performance } from '../../../../client/performance/performance';
import { grossOf, type RoundTrip } from '../../../../client/performance/round-trips';
import { netOf } from '../../../../client/performance/figures';
import { paiseTo, type MoneyUnit } from '../../../../client/values/money';
import { toIst } from '../../../../client/values/time';
import { accountOf } from '../../../shared/accountApi';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { portfolioSource } from '../../common/portfolioSource';
import { rangeFields, rangeOf } from '../../common/dateRangeFields';

export const getPerformance: ItemOperation = {
  name: 'Get Performance',
  action: 'Get trading performance',
  description:
    'Get the result of your trades after costs, with win rate, profit factor, drawdown, Sharpe ratio, worst day and each trade, from the tradebook and the orders of today',
  properties: [...rangeFields('today'), collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const period = await rangeOf(item);
    const service = await item.service();
    const source = await portfolioSource(item);
    const performance = await ask(
      { transport: service.transport, orders: accountOf(service).orders, ...source, signal: item.run.signal },
      period,
      service.transport.marketClock.now(),
    );
    return [item.output({ ...outputOf(performance, unit), environment: service.connection.environment })];
  },
};

/** Amounts are in the unit that the person chose. */
function outputOf({ figures, ...performance }: Performance, unit: MoneyUnit) {
  const money = <T extends number | null>(paise: T): T | number => paiseTo(unit, paise);
  const { sharpe, bestDay, worstDay } = figures;
  const day = (item: typeof bestDay) => item && { ...item, result: money(item.result) };
  const { market, notCounted, unpriced, hasAllCosts } = performance;
  return {
    from: performance.from,
    to: performance.to,
    verdict: figures.verdict,
    result: money(figures.result),
    gross: money(figures.gross),
    costs: money(figures.costs),
    costs_complete: hasAllCosts,
    complete: notCounted.length === 0 && unpriced.length === 0,
    closed: figures.closed,
    open: figures.open,
    won: figures.won,
    lost: figures.lost,
    win_rate: figures.winRate,
    profit_factor: figures.profitFactor,
    average: money(figures.average),
    average_holding_seconds: figures.averageHoldingSeconds,
    drawdown: money(figures.drawdown),
    exposure: money(figures.exposure),
    sharpe,
    best_day: day(bestDay),
    worst_day: day(worstDay),
    market: market && {
      symbol: market.symbol,
      start: money(market.start),
      end: money(market.end),
      change: market.changePercent,
    },
    days: figures.days.map((day) => ({ ...day, result: money(day.result) })),
    by_tag: figures.byTag.map((group) => ({ ...group, net: money(group.net), costs: money(group.costs) })),
    trades: performance.trips.map((trip) => tripOutput(trip, money)),
    not_counted: notCounted,
    orders_without_price: unpriced,
  };
}

function tripOutput(trip: RoundTrip, money: (paise: number) => number) {
  const { quantity, exitAt } = trip;
  return {
    symbol: trip.symbol,
    product: trip.product,
    side: trip.side,
    quantity,
    open: exitAt === undefined,
    entry_at: toIst(trip.entryAt),
    entry_price: money(trip.entryValue / quantity),
    exit_at: exitAt === undefined ? null : toIst(exitAt),
    exit_price: money(trip.exitValue / quantity),
    gross: money(grossOf(trip)),
    costs: money(trip.costs),
    net: money(netOf(trip)),
    holding_seconds: exitAt === undefined ? null : Math.round((exitAt - trip.entryAt) / 1_000),
    tag: trip.tag,
    entry_order_id: trip.entryOrderId,
    exit_order_id: trip.exitOrderId,
  };
}
