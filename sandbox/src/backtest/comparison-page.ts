/** Comparison of several backtests, for people: sentences, heat maps, a table. */
import { longDate } from '../reports/document/format';
import { csvField } from '../reports/performance/document';
import { signedRupees } from '../reports/performance/worst-day';
import type { SettingsComparison, PeriodResult, TriedSettings } from './comparison';
import { formatAmount, escapeHtml, REPORT_STYLE, htmlTable, withMinus } from './report-parts';
import { choiceText, type SettingChoice } from './settings';

/** Largest number of heat maps where more than two fields were set. */
const MAX_MAPS = 12;
/** A colour at its full strength, of 255. */
const FULL = 150;
const BAD_ORDER = 0.3;

/** Returns the sentences on the comparison, and on its limits. */
export function comparisonSentences({ tried, best, in_sample_until: until, to }: SettingsComparison): string[] {
  if (best === null) return [`None of the ${tried.length} backtests has a result.`];
  const found = tried[best.best]!;
  const inside = found.in_sample!;
  const outside = found.out_of_sample;
  const sentences = [
    `Best in sample, until ${longDate(until)}: ${choiceText(found.values)}, with ${signedRupees(inside.result)}.`,
    outside === null
      ? 'No day was kept out of the choice: nothing here says what the best makes on other days. Take more days, or an earlier --in-sample.'
      : `Out of sample, from the day after until ${longDate(to)}, it made ${signedRupees(outside.result)}: place ${best.place_out_of_sample} of ${best.compared}.`,
  ];
  if (best.compared > 1) sentences.push(luckSentence(best));
  if (best.same_order !== null)
    sentences.push(
      `The order of the settings in sample and out of sample agrees by ${withMinus(best.same_order)} (1 is the same order, 0 none, −1 the reverse)${best.same_order < BAD_ORDER ? ': what was best before says little about what is best later' : ''}.`,
    );
  const wrong = tried.filter(({ failed_runs: runs }) => runs > 0).length;
  if (wrong > 0)
    sentences.push(
      `In ${wrong} of ${tried.length} backtests runs of the workflow failed: look at their reports before you compare them.`,
    );
  if (outside !== null)
    sentences.push('The days out of sample can be asked once: who chooses again by them has used them up.');
  const failed = tried.filter((settings) => settings.failed !== null).length;
  if (failed > 0)
    sentences.push(
      `${failed} of ${tried.length} backtests failed: start the same command again to try them once more.`,
    );
  return sentences;
}

function luckSentence({ compared, above_mean: above, by_luck: luck }: NonNullable<SettingsComparison['best']>): string {
  const warned = `The best of ${compared} is always partly luck: it is ${signedRupees(above)} above the mean of all in sample`;
  if (luck === 0) return `${warned}, and these days are too few to say how much of that is chance.`;
  return `${warned}; were all equally good, the best of as many would be about ${signedRupees(luck)} above it by chance alone.${above <= luck ? ' So these days do not show that it is better than the others.' : ''}`;
}

/** One page that needs nothing else; each setting leads to its own report. */
export function comparisonPage(comparison: SettingsComparison, name: string): string {
  const { tried, from, to } = comparison;
  return `<!doctype html>
<html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}: ${tried.length} backtests</title><style>${REPORT_STYLE}
.map td,.map th{text-align:center}.map td{min-width:4.5rem}.best{outline:2px solid #1b2a41;outline-offset:-2px;font-weight:600}
@media print{.map td{print-color-adjust:exact}}</style></head><body>
<h1>${escapeHtml(name)}</h1><p>${tried.length} backtests, ${longDate(from)} to ${longDate(to)}. Simulated: no order left the machine.</p>
${comparisonSentences(comparison)
  .map((sentence) => `<p class="verdict">${escapeHtml(sentence)}</p>`)
  .join('')}
${maps(comparison)}
<h2>All settings</h2>${settingsTable(comparison)}
</body></html>
`;
}

/** A heat map of two fields for each choice of the others, in sample and out of sample. */
function maps(comparison: SettingsComparison): string {
  const { settings, tried } = comparison;
  const [across, down] = [settings[0]!, settings[1]];
  const otherSettings = settings.slice(2);
  const groups = new Map<string, TriedSettings[]>();
  for (const choice of tried) {
    const rest: SettingChoice = Object.fromEntries(otherSettings.map(({ name }) => [name, choice.values[name]!]));
    const key = choiceText(rest);
    groups.set(key, [...(groups.get(key) ?? []), choice]);
  }
  const shown = [...groups].slice(0, MAX_MAPS);
  const parts: ['in_sample' | 'out_of_sample', string][] = [
    ['in_sample', 'In sample'],
    ...(tried.some((choice) => choice.out_of_sample !== null) ? ([['out_of_sample', 'Out of sample']] as const) : []),
  ] as ['in_sample' | 'out_of_sample', string][];
  const drawn = shown.flatMap(([rest, group]) =>
    parts.map(([part, title]) => {
      const scale = Math.max(1, ...tried.map((choice) => Math.abs(choice[part]?.result ?? 0)));
      const cell = (column: string, row: string | undefined): string => {
        const choice = group.find(
          ({ values }) => values[across.name] === column && (down === undefined || values[down.name] === row),
        );
        return heat(
          choice,
          choice?.[part] ?? null,
          scale,
          choice !== undefined && tried.indexOf(choice) === comparison.best?.best,
        );
      };
      const rows = (down?.values ?? [undefined]).map(
        (row) =>
          `<tr><th>${row === undefined ? '' : escapeHtml(row)}</th>${across.values.map((column) => cell(column, row)).join('')}</tr>`,
      );
      const corner =
        down === undefined ? escapeHtml(across.name) : `${escapeHtml(down.name)} ↓ ${escapeHtml(across.name)} →`;
      return `<h2>${title}${rest === '' ? '' : `, ${escapeHtml(rest)}`}</h2><div class="wide"><table class="map"><thead><tr><th>${corner}</th>${across.values.map((value) => `<th>${escapeHtml(value)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
    }),
  );
  const more = groups.size - shown.length;
  return `${drawn.join('')}${more > 0 ? `<p>${more} more maps are left out; all settings are in the table.</p>` : ''}`;
}

function heat(one: TriedSettings | undefined, part: PeriodResult | null, scale: number, isBest: boolean): string {
  if (one === undefined || part === null) return '<td>failed</td>';
  const strength = Math.round((FULL * Math.abs(part.result)) / scale)
    .toString(16)
    .padStart(2, '0');
  const colour = part.result === 0 ? 'none' : `${part.result > 0 ? '#1f6f5c' : '#b42318'}${strength}`;
  return `<td${isBest ? ' class="best"' : ''} style="background:${colour}">${whole(part.result)}</td>`;
}

/** Rupees without paise: a map is for a look. */
const whole = (paise: number): string => signedRupees(Math.round(paise / 100) * 100).slice(0, -3);

function settingsTable({ settings, tried, best }: SettingsComparison): string {
  const order = [...tried.keys()].sort(
    (a, b) => (tried[b]!.in_sample?.result ?? -Infinity) - (tried[a]!.in_sample?.result ?? -Infinity) || a - b,
  );
  const rows = order.map((index) => {
    const {
      values,
      folder,
      failed,
      in_sample: inside,
      out_of_sample: outside,
      drawdown,
      failed_runs: runs,
    } = tried[index]!;
    const named = settings.map(({ name }) => `<td>${escapeHtml(values[name]!)}</td>`).join('');
    if (failed !== null)
      return `<tr>${named}<td class="text" colspan="7">${escapeHtml(failed.slice(0, 300))}</td></tr>`;
    const cells = [
      ...(inside === null ? ['<td></td>', '<td></td>'] : [formatAmount(inside.result), `<td>${inside.trades}</td>`]),
      ...(outside === null ? ['<td></td>', '<td></td>'] : [formatAmount(outside.result), `<td>${outside.trades}</td>`]),
      `<td>${drawdown === null ? '' : signedRupees(drawdown)}</td>`,
      `<td>${runs}</td>`,
      `<td><a href="${escapeHtml(link(folder))}">report</a></td>`,
    ];
    return `<tr${index === best?.best ? ' class="best"' : ''}>${named}${cells.join('')}</tr>`;
  });
  const names = settings.map(({ name }) => escapeHtml(name));
  return htmlTable([...names, 'In sample', 'Trades', 'Out of sample', 'Trades', 'Drawdown', 'Failed runs', ''], rows);
}

/** Link to a folder's report. A folder's name contains %XX, which in an address is an encoded character. */
const link = (folder: string): string => `${folder.split('/').map(encodeURIComponent).join('/')}/report.html`;

/** Amounts in rupees, as in the other tables. */
export function comparisonCsv({ settings, tried }: SettingsComparison): string {
  const money = (paise: number | null | undefined): string => (paise == null ? '' : (paise / 100).toFixed(2));
  const heads = [
    ...settings.map(({ name }) => name),
    ...['in_sample', 'in_sample_trades', 'out_of_sample', 'out_of_sample_trades', 'result', 'drawdown', 'failed_runs'],
    ...['folder', 'failed'],
  ];
  const rows = tried.map(
    ({ values, in_sample: inside, out_of_sample: outside, all, drawdown, failed_runs: runs, folder, failed }) => [
      ...settings.map(({ name }) => values[name]!),
      money(inside?.result),
      String(inside?.trades ?? ''),
      money(outside?.result),
      String(outside?.trades ?? ''),
      money(all?.result),
      money(drawdown),
      String(runs),
      folder,
      failed ?? '',
    ],
  );
  return [heads, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}
