/** The result of trading as tables for an e-mail, in the user's words. Amounts are paise. */
import { quantityCell, resultCell, signedPercentCell, textCell, type ReportSection } from './cells';
import { instrumentName } from '../../instruments/contract-name';
import { showDate } from '../../values/time';
import { instrumentsOf, type PerformanceFigures, type TripGroup } from '../../performance/figures';
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

/** Returns the tables of a performance: the result and what it came from, a row for each instrument and, where orders had tags, one for each tag. */
export function performanceSections(performance: Performance): ReportSection[] {
  const { trips, figures, from, to } = performance;
  const byInstrument = instrumentsOf(trips).map(({ symbol, ...group }): NamedGroup => [
    instrumentName({ symbol }, to),
    group,
  ]);
  const byTag = figures.byTag.map(({ tag, ...group }): NamedGroup => [tag === '' ? 'Without a tag' : tag, group]);
  const note =
    from === to ? undefined : 'The tags of today alone are known: what was traded before counts as without a tag.';
  return [
    resultSection(performance),
    trips.length === 0
      ? { ...groupSection('By instrument', 'Instrument', [], figures), note: 'There were no trades in this time.' }
      : groupSection('By instrument', 'Instrument', byInstrument, figures),
    ...(figures.byTag.some(({ tag }) => tag !== '')
      ? [{ ...groupSection('By tag', 'Tag', byTag, figures), ...(note === undefined ? {} : { note }) }]
      : []),
  ];
}

/** Returns what is outside the result, once for each instrument and reason: `80 ITC (held before)`. */
function leftOut({ notCounted, to }: Pick<Performance, 'notCounted' | 'to'>): string[] {
  const units = new Map<string, number>();
  for (const { symbol, quantity: more, why } of notCounted) {
    const what = `${instrumentName({ symbol }, to)} (${WHY[why]})`;
    units.set(what, (units.get(what) ?? 0) + more);
  }
  return [...units].map(([what, sum]) => `${quantityCell(sum).text} ${what}`);
}

function resultSection(performance: Performance): ReportSection {
  const { figures, market, hasAllCosts, unpriced } = performance;
  const left = leftOut(performance);
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
      ...(market === null
        ? []
        : [[textCell(`${market.symbol} in the same time`), signedPercentCell(market.changePercent)]]),
    ],
    totals: [textCell('Result after costs'), resultCell(figures.result)],
    note: notes.join(' '),
  };
}

type NamedGroup = [name: string, group: TripGroup];

/** Returns a row for each group of trades, and their sum; without a sum where there is no group. */
function groupSection(
  title: string,
  heading: string,
  groups: readonly NamedGroup[],
  { closed, won, open, costs, result: net }: PerformanceFigures,
): ReportSection {
  const row = (name: string, group: TripGroup) => [
    textCell(name),
    quantityCell(group.trades),
    quantityCell(group.won),
    quantityCell(group.open),
    resultCell(-group.costs),
    resultCell(group.net),
  ];
  return {
    title,
    columns: [heading, 'Closed trades', 'Won', 'Open', 'Costs', 'Result'].map((label) => ({ label })),
    rows: groups.map(([name, group]) => row(name, group)),
    ...(groups.length === 0 ? {} : { totals: row('Total', { trades: closed, won, open, costs, net }) }),
  };
}
