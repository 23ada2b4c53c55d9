/** Keyboard shortcuts, and the list that tells of them. */
import { byId } from './dom.js';
import { setAnnouncesFills, announcesFills } from './messages.js';
import { ticketFor } from './ticket.js';
import { viewMarket } from './tabs.js';

const ACTIONS = {
  '/': () => {
    viewMarket();
    byId('instrument-search').focus();
  },
  b: () => ticketFor('BUY'),
  s: () => ticketFor('SELL'),
  '?': () => byId('keys').showModal(),
};

/** In a field for numbers no letter is typed: B and S work there, so that a second order needs no Esc. */
const isTyping = (element) =>
  element.matches('input, textarea, select, [contenteditable]') &&
  !element.matches('[inputmode=numeric], [inputmode=decimal]');

/** Makes the keyboard and the settings work. */
export function startKeys() {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') return event.target.blur();
    if (isTyping(event.target)) return;
    const act = ACTIONS[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  byId('keys-open').addEventListener('click', ACTIONS['?']);
  const setting = byId('fill-messages');
  setting.checked = announcesFills();
  setting.addEventListener('change', () => setAnnouncesFills(setting.checked));
}
