/** The result of trading as tables for an e-mail, in the user's words. Amounts are paise. */
import { quantityCell, resultCell, shareCell, textCell, type ReportSection } from './cells';
import { showDate } from '../../values/time';
import { instrumentsOf } from '../../performance/figures';
import type { Performance } from '../../performance/performance';

/** Returns a title such as `Result of your trades, 16 Nov 2026 to 20 Nov 2026`. */
export function performanceTitle({ from, to }: Pick<Performance, 'from' | 'to'>): string {
  return `Result of your trades, ${from === to ? showDate(from) : `${showDate(from)} to ${showDate(to)}`}`;
}

/** The reasons for which a trade is outside the result, in words. */
const WHY: Record<Performance['notCounted'][number]['why'], string> = {
  'held before': 'held before',
  'no price': 'without a price, as an expired contract whose settlement is not known',
  'no unit': 'it is not known what a lot is worth',
  'split or bonus': 'a split or a bonus issue has changed their number',
};

/** Returns the tables of a performance: the result and what it came from, and a row for each instrument. */
export function performanceSections(performance: Performance): ReportSection[] {
  return [resultSection(performance), instrumentSection(performance)];
}

/** Returns what is outside the result, once for each instrument and reason: `80 ITC (held before)`. */
function leftOut(notCounted: Performance['notCounted']): string[] {
  const units = new Map<string, number>();
  for (const { symbol, quantity: more, why } of notCounted) {
    const what = `${symbol} (${WHY[why]})`;
    units.set(what, (units.get(what) ?? 0) + more);
  }
  return [...units].map(([what, sum]) => `${quantityCell(sum).text} ${what}`);
}

function resultSection({ figures, market, hasAllCosts, notCounted, unpriced }: Performance): ReportSection {
  const left = leftOut(notCounted);
  const notes = [
    figures.verdict,
    ...(hasAllCosts ? [] : ['The charges of some trades are not known yet, such as those of today.']),
    ...(left.length === 0 ? [] : [`Not counted: ${left.join(', ')}.`]),
    ...(unpriced.length === 0 ? [] : ["The price of some of today's exits is not known yet."]),
  ];
  return {
    title: 'Result',
    columns: [{ label: '' }, { label: 'Result' }],
    rows: [
      [textCell('Profit before costs'), resultCell(figures.gross)],
      [textCell('Costs'), resultCell(-figures.costs)],
      [textCell('Largest fall on the way'), resultCell(-figures.drawdown)],
      ...(market === null ? [] : [[textCell(`${market.symbol} in the same time`), shareCell(market.changePercent)]]),
    ],
    totals: [textCell('Result after costs'), resultCell(figures.result)],
    note: notes.join(' '),
  };
}

function instrumentSection({ trips, figures }: Performance): ReportSection {
  const title = 'By instrument';
  const columns = ['Instrument', 'Closed trades', 'Won', 'Open', 'Costs', 'Result'].map((label) => ({ label }));
  if (trips.length === 0) return { title, columns, rows: [], note: 'There were no trades in this time.' };
  return {
    title,
    columns,
    rows: instrumentsOf(trips).map(({ symbol, trades, won, open, costs, net }) => [
      textCell(symbol),
      quantityCell(trades),
      quantityCell(won),
      quantityCell(open),
      resultCell(-costs),
      resultCell(net),
    ]),
    totals: [
      textCell('Total'),
      quantityCell(figures.closed),
      quantityCell(figures.won),
      quantityCell(figures.open),
      resultCell(-figures.costs),
      resultCell(figures.result),
    ],
  };
}
