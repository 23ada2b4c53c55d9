/** The parts of a backtest's page that say how much its result means: luck, the index, months, and what it rests on. */
import { INDEX } from '../control/performance';
import { MONTH_WORDS } from '../shared/dates';
import { signedRupees } from '../reports/performance/worst-day';
import type { ReportBasis } from './basis';
import { formatAmount, escapeHtml, htmlTable, withMinus } from './report-parts';
import type { BacktestReport } from './report';

export function monthsTable({ months }: ReportBasis): string {
  const rows = months.map(({ month, result, trades, market }) => {
    const [year, number] = month.split('-');
    const name = `${MONTH_WORDS[Number(number) - 1]} ${year}`;
    return `<tr><td>${name}</td>${formatAmount(result)}<td>${trades}</td><td>${market === null ? '' : `${withMinus(market)} %`}</td></tr>`;
  });
  return htmlTable(['Month', 'Result', 'Closed trades', 'Index'], rows);
}

/** The result beside holding the index, and beside a coin. */
export function luckSection({ luck, market, basis }: BacktestReport): string {
  return comparisonSections({ luck, market, basis })
    .map((sentence) => `<p>${escapeHtml(sentence)}</p>`)
    .join('');
}

/** The same in sentences. */
export function comparisonSections({
  luck,
  market,
  basis,
}: Pick<BacktestReport, 'luck' | 'market' | 'basis'>): string[] {
  const said: string[] = [];
  if (market !== null && basis.holding_index !== null)
    said.push(
      `Who had put the capital of ${signedRupees(basis.capital)} into ${market.symbol} and held it made ${signedRupees(basis.holding_index)} (${withMinus(market.change)} %), dividends and costs left out.`,
    );
  if (market === null)
    said.push(
      `There is no recording of ${INDEX[1]} for these days, so the result is not compared with it. To compare it, put candles of ${INDEX[1]} into the folder.`,
    );
  if (luck !== null)
    said.push(
      `A coin in place of the rule, at the same times and with the same costs, made between ${signedRupees(luck.low)} and ${signedRupees(luck.high)} in 90 of 100 tries, and ${signedRupees(luck.middle)} in the middle. ${luck.worse_percent} of 100 coins did worse than the workflow.`,
    );
  return said;
}

export function basisSection({ instruments, models }: ReportBasis): string {
  const origins = instruments.map(
    ({ symbol, exchange, prices, how }) =>
      `<tr><td>${escapeHtml(symbol)}</td><td class="text">${exchange}</td><td class="text">${prices}</td><td class="text">${escapeHtml(how)}</td></tr>`,
  );
  const used = [
    ['Fill', models.fill],
    ['Impact', models.impact],
    ['Latency', models.latency],
    ['Charges', models.charges],
  ].map(([name, how]) => `<tr><td>${name}</td><td class="text">${escapeHtml(how!)}</td></tr>`);
  return `<h2>What it rests on</h2>
<p>Slippage is what the prices of the trades cost against the middle of the order book when each order was placed: half of the spread, and what the account's own orders pushed. Own impact is what the result lost because the account's own orders had pushed the prices at which it traded.</p>
${origins.length === 0 ? '' : htmlTable(['Instrument', '*Exchange', '*Prices', '*How'], origins)}
${htmlTable(['Model', '*How'], used)}`;
}
