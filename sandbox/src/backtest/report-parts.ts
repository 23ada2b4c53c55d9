/** What the parts of a backtest's page are written with. */
import { rupees } from '../reports/performance/worst-day';

/** A number with the minus sign that amounts have. */
export const withMinus = (value: number): string => String(value).replace('-', '−');

/** A cell with an amount of paise, whose sign is shown by more than its colour; 0 is neither a gain nor a loss. */
export function amount(paise: number): string {
  if (paise === 0) return `<td>${rupees(0)}</td>`;
  return `<td class="${paise < 0 ? 'loss' : 'gain'}">${paise < 0 ? '▼' : '▲'} ${rupees(paise)}</td>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A table that a small screen can move sideways. @param heads with `*` before those of texts */
export function table(heads: readonly string[], rows: readonly string[]): string {
  const cells = heads.map((head) =>
    head.startsWith('*') ? `<th class="text">${head.slice(1)}</th>` : `<th>${head}</th>`,
  );
  return `<div class="wide"><table><thead><tr>${cells.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
