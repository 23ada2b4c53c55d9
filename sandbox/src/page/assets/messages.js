/** Messages: what goes wrong, and what fills. */
import { byId, make, setText } from './dom.js';

const SHOWN_MS = 6_000;
const MAX_MESSAGES = 3;
const SETTING = 'fill-messages';

/** Shows that the sandbox cannot be asked, or does not hear its live market, until it is called with an empty text. */
export function showOutage(sentence) {
  const banner = byId('banner');
  setText(banner, sentence);
  banner.hidden = sentence === '';
}

/** True if a message is shown when an order fills; the browser remembers the choice. */
export const announcesFills = () => localStorage.getItem(SETTING) !== 'off';
export const setAnnouncesFills = (isOn) => localStorage.setItem(SETTING, isOn ? 'on' : 'off');

/** A short message that goes by itself, or when it is clicked. */
export function announce(sentence, className = '') {
  const toasts = byId('toasts');
  const toast = make('p', { text: sentence, className, onclick: () => toast.remove() });
  toasts.append(toast);
  while (toasts.children.length > MAX_MESSAGES) toasts.firstElementChild.remove();
  setTimeout(() => toast.remove(), SHOWN_MS);
}

/** Says what was refused, and why. */
export const report = (sentence) => announce(sentence, 'needs');

/** Lights a row up once; where less motion is wanted, nothing moves. */
export function flash(row) {
  if (row === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  row.animate([{ backgroundColor: 'var(--flash)' }, { backgroundColor: 'transparent' }], { duration: 1_500 });
}
