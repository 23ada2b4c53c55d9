/** A report as text, for a message that shows no tables: one line for each row. */
import type { ReportCell, ReportSection } from './cells';

/** The cells that say something, each with its column's name where it is a number; "not known" where there would be nothing else. */
function lineOf(cells: readonly ReportCell[], columns: ReportSection['columns']): string {
  const [first, ...others] = cells;
  const said = others.flatMap(({ text }, at) => {
    const { label = '', isText } = columns[at + 1] ?? {};
    if (text === '' || text === '–') return [];
    return [isText === true || label === '' || label === '%' || cells.length === 2 ? text : `${label} ${text}`];
  });
  return `${first?.text ?? ''}: ${said.join(', ') || 'not known'}`;
}

function sectionText({ title, columns, rows, totals, note }: ReportSection): string {
  return [
    title,
    ...rows.map((cells) => lineOf(cells, columns)),
    ...(totals === undefined ? [] : [lineOf(totals, columns)]),
    ...(note === undefined ? [] : [note]),
  ].join('\n');
}

/** The report, its parts divided by an empty line. */
export function reportText(title: string, subtitle: string, sections: readonly ReportSection[]): string {
  return [subtitle === '' ? title : `${title}\n${subtitle}`, ...sections.map(sectionText)].join('\n\n');
}
