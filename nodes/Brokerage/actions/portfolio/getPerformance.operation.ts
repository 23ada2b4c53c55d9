import { getPerformance as ask, type Performance } from '../../../../client/performance/performance';
import { instrumentName } from '../../../../client/instruments/contract-name';
import { performanceSections, performanceTitle } from '../../../../client/portfolio/report/performance';
import { reportHtml } from '../../../../client/portfolio/report/html';
import { reportText } from '../../../../client/portfolio/report/text';
import { signedRupees } from '../../../../client/values/amounts';
import { grossOf, type RoundTrip } from '../../../../client/performance/round-trips';
import { instrumentsOf, netOf } from '../../../../client/performance/figures';
import { encodePng } from '../../../../client/charts/png';
import { profitChart } from '../../../../client/portfolio/profit-bars';
import { paiseTo, type MoneyUnit } from '../../../../client/values/money';
import { showDate, toIst } from '../../../../client/values/time';
import { accountOf } from '../../../shared/accountApi';
import { binaryField, binaryPropertyOf, collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { isForAgent, isSince12 } from '../../common/version';
import { portfolioSource } from '../../common/portfolioSource';
import { rangeFields, rangeOf } from '../../common/dateRangeFields';

export const getPerformance: ItemOperation = {
  name: 'Get Performance',
  action: 'Get trading performance',
  description:
    'Get the result of your trades after costs, with win rate, profit factor, drawdown, Sharpe ratio, worst day and each trade, from the tradebook and the orders of today',
  properties: [
    ...rangeFields('today'),
    collection('Options', 'options', [
      {
        displayName: 'Picture',
        name: 'picture',
        type: 'boolean',
        default: false,
        displayOptions: { show: { '@version': [{ _cnd: { gte: 1.2 } }] } },
        description:
          'Whether to draw the result of each instrument as a bar, as a picture (PNG) for an e-mail or a message',
      },
      priceUnitField,
      binaryField,
    ]),
  ],
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
    const json = {
      ...outputOf(performance, unit, isSince12(item)),
      ...(isSince12(item) ? wordsOf(performance, !isForAgent(item)) : {}),
      environment: service.connection.environment,
    };
    if (!isSince12(item) || !item.group('options').flag('picture')) return [item.output(json)];
    const { from, to, figures, trips } = performance;
    const chart = profitChart(
      {
        title: `Result after costs, ${from === to ? showDate(from) : `${showDate(from)} to ${showDate(to)}`}`,
        total: figures.result,
        empty: 'No trades in this time',
      },
      instrumentsOf(trips).map(({ symbol, net }) => ({ label: instrumentName({ symbol }, to), amount: net })),
    );
    const fileName = `result-${from}-${to}.png`;
    const file = { bytes: await encodePng(chart), fileName, mimeType: 'image/png' };
    return [await item.file({ ...json, file_name: fileName }, file, binaryPropertyOf(item))];
  },
};

/** Amounts are in the unit that the person chose. @param hasInstruments whether the result of each instrument is told */
function outputOf({ figures, ...performance }: Performance, unit: MoneyUnit, hasInstruments: boolean) {
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
    ...(hasInstruments
      ? {
          by_instrument: instrumentsOf(performance.trips).map((group) => ({
            ...group,
            net: money(group.net),
            costs: money(group.costs),
          })),
        }
      : {}),
    trades: performance.trips.map((trip) => tripOutput(trip, money)),
    not_counted: notCounted,
    orders_without_price: unpriced,
  };
}

/** Returns the result ready to send, in rupees: `html` for an e-mail where it is wanted, `text` for a message, `summary` in one sentence. */
function wordsOf(performance: Performance, hasHtml: boolean): object {
  const { figures } = performance;
  const title = performanceTitle(performance);
  const sections = performanceSections(performance);
  return {
    subject: title,
    summary: `${title}: ${signedRupees(figures.result)} after costs. ${figures.verdict}`,
    ...(hasHtml ? { html: reportHtml(title, '', sections) } : {}),
    text: reportText(title, '', sections),
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
