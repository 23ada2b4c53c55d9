/** Helpers for the parts of a backtest's page. */
import { signedRupees } from '../reports/performance/worst-day';

/** A number with the minus sign that amounts have. */
export const withMinus = (value: number): string => String(value).replace('-', '−');

/** A cell with an amount of paise, whose sign is shown by more than its colour; 0 is neither a gain nor a loss. */
export function formatAmount(paise: number): string {
  if (paise === 0) return `<td>${signedRupees(0)}</td>`;
  return `<td class="${paise < 0 ? 'loss' : 'gain'}">${amountText(paise)}</td>`;
}

/** The same outside of a table. */
export function amountText(paise: number): string {
  return paise === 0 ? signedRupees(0) : `${paise < 0 ? '▼' : '▲'} ${signedRupees(paise)}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A table that a small screen can move sideways. @param heads with `*` before those of texts */
export function htmlTable(heads: readonly string[], rows: readonly string[]): string {
  const cells = heads.map((head) =>
    head.startsWith('*') ? `<th class="text">${head.slice(1)}</th>` : `<th>${head}</th>`,
  );
  return `<div class="wide"><table><thead><tr>${cells.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** The looks of every page: it fits a phone and prints on A4. */
export const REPORT_STYLE = `.lead{font-size:18px;font-weight:600}.bad{border-color:#b42318}.index{color:#64748b}.end{text-anchor:end}
text.gain{fill:#1f6f5c}text.loss{fill:#b42318}text.index{fill:#64748b}
body{font:15px/1.5 system-ui,sans-serif;max-width:1180px;margin:2rem auto;padding:0 1rem;color:#1b2a41}
h1{margin:0}dl{display:flex;flex-wrap:wrap;gap:.6rem}dl div{background:#eef2f7;border-radius:6px;padding:.5rem .9rem}
dt{font-size:12px;color:#5a6b82}dd{margin:0;font-weight:600}.verdict{border-left:4px solid #b7791f;padding-left:.8rem}
.wide+.wide{margin-top:1.5rem}.wide{overflow-x:auto;font-size:13.5px}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
td,th{text-align:right;padding:.2rem .45rem;border-bottom:1px solid #d4dce6;white-space:nowrap}td.text,th.text{white-space:normal;min-width:8rem}
td:first-child,th:first-child,td.text,th.text{text-align:left}.loss{color:#b42318}.gain{color:#1f6f5c}svg{width:100%;height:auto;overflow:visible}
.trades{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:1rem}figure{margin:0;break-inside:avoid}figcaption{font-size:13px}
@media(max-width:600px){body{margin:1rem auto}dl div{flex:1 1 40%}td,th{padding:.2rem .35rem;font-size:13px}svg text{font-size:20px}.trades svg text{font-size:10px}}
@page{size:A4;margin:14mm}
@media print{body{font-size:10px;margin:0;max-width:none}.wide{overflow:visible}td,th{padding:.1rem .2rem;font-size:7.6px}dt{font-size:8px}
figcaption{font-size:8px}.trades{grid-template-columns:repeat(3,1fr);gap:.5rem}h2{break-after:avoid}tr,svg{break-inside:avoid}thead{display:table-header-group}dl div,.verdict{print-color-adjust:exact}}`;

/** "2020-03-13 09:20" of an ISO text, or its time alone where the day is that of another one. */
export function formatMinute(at: string, other = ''): string {
  const [date, time] = [at.slice(0, 10), at.slice(11, 16)];
  return date === other.slice(0, 10) ? time : `${date} ${time}`;
}
