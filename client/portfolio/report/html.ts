/**
 * A report as HTML for an e-mail: tables with inline styles, since mail programs keep nothing else. The colours are readable on white and
 * on black; a style sheet gives dark colours to a mail program with a dark mode.
 */
import type { ReportCell, ReportSection } from './cells';

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ESCAPED[letter] ?? letter);
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const COLOURS = { gain: '#15803d', loss: '#b91c1c' } as const;
const LINE = 'border-bottom:1px solid #d1d5db';

/** Text up to so many letters stays on one line: the words of a product or a side. */
const MAX_UNBROKEN = 14;

/** For mail programs that read it; the others have the colours of each cell, and scroll a table on a phone. */
const STYLE = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  '.pr-page{background:#111827!important}.pr-page,.pr-page td,.pr-page th,.pr-page h1,.pr-page h2{color:#f3f4f6!important}',
  '.pr-page td,.pr-page th{border-color:#4b5563!important}',
  '.pr-page .pr-gain{color:#4ade80!important}.pr-page .pr-loss{color:#f87171!important}.pr-page .pr-note{color:#9ca3af!important}',
  '}',
  '@media (max-width:480px){.pr-page{padding:8px!important}.pr-page .pr-wide{display:none}.pr-page table{font-size:13px!important}}',
].join('');

type Column = ReportSection['columns'][number];

const alignmentOf = (isText = false): string => (isText ? 'left' : 'right');

/** The class attribute with these names; empty for none. */
function classOf(...names: readonly (string | false | undefined)[]): string {
  const textNames = names.filter((name) => typeof name === 'string');
  return textNames.length === 0 ? '' : ` class="${textNames.join(' ')}"`;
}

function cellOf({ text, tone }: ReportCell, { isText, isWide }: Column, isTotal: boolean): string {
  const colour = tone === undefined ? '#1f2937' : COLOURS[tone];
  const weight = isTotal ? ';font-weight:600' : '';
  const name = classOf(tone && `pr-${tone}`, isWide === true && 'pr-wide');
  const align = alignmentOf(isText);
  const nowrap = isText === true && text.length > MAX_UNBROKEN ? '' : ';white-space:nowrap';
  return `<td${name} style="padding:6px;text-align:${align};color:${colour};${LINE}${weight}${nowrap}">${escapeHtml(text)}</td>`;
}

function tableOf({ columns: given, rows, totals }: ReportSection): string {
  const columns = given.map((column, at): Column => (at === 0 ? { ...column, isText: true } : column));
  const row = (cells: readonly ReportCell[], isTotal: boolean): string =>
    `<tr>${cells.map((cell, at) => cellOf(cell, columns[at]!, isTotal)).join('')}</tr>`;
  const heads = columns.map(
    ({ label, isText, isWide }) =>
      `<th scope="col"${classOf(isWide === true && 'pr-wide')} style="padding:6px;text-align:${alignmentOf(isText)};font-weight:600;color:#4b5563;border-bottom:2px solid #9ca3af;white-space:nowrap">${escapeHtml(label)}</th>`,
  );
  const hasHead = columns.some(({ label }, at) => at > 0 && label !== '') && rows.length > 0;
  return [
    '<table role="table" cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums">',
    hasHead ? `<thead><tr>${heads.join('')}</tr></thead>` : '',
    `<tbody>${rows.map((cells) => row(cells, false)).join('')}${totals === undefined ? '' : row(totals, true)}</tbody>`,
    '</table>',
  ].join('');
}

function sectionOf(section: ReportSection): string {
  const { title, rows, totals, note } = section;
  const isEmpty = rows.length === 0 && totals === undefined;
  return [
    `<h2 style="margin:24px 0 8px;font-size:16px;color:#1f2937">${escapeHtml(title)}</h2>`,
    isEmpty ? '' : `<div style="overflow-x:auto">${tableOf(section)}</div>`,
    note === undefined
      ? ''
      : `<p class="pr-note" style="margin:8px 0 0;font-size:13px;color:#6b7280">${escapeHtml(note)}</p>`,
  ].join('');
}

/** Returns a report as a fragment of HTML for an e-mail. */
export function reportHtml(title: string, subtitle: string, sections: readonly ReportSection[]): string {
  return [
    `<style>${STYLE}</style>`,
    `<div class="pr-page" style="${FONT};color:#1f2937;background:#ffffff;padding:16px;max-width:860px;line-height:1.4">`,
    `<h1 style="margin:0;font-size:20px;color:#1f2937">${escapeHtml(title)}</h1>`,
    subtitle === ''
      ? ''
      : `<p class="pr-note" style="margin:4px 0 0;font-size:13px;color:#6b7280">${escapeHtml(subtitle)}</p>`,
    ...sections.map(sectionOf),
    '</div>',
  ].join('');
}
