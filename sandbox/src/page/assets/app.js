/** The sandbox's page: asks the control plane once a second and shows the exchange at work. */
import { showAccount } from './account.js';
import { ask, byId, dateTimeOf, make } from './api.js';
import { showFaults, startFaults } from './faults.js';
import { showInbox } from './inbox.js';
import { showJournal, startJournal } from './journal.js';
import { choose, showMarket, startMarket } from './market.js';

const EVERY_MS = 1_000;
const account = byId('account');
let showMessages;

function report(sentence) {
  const banner = byId('banner');
  banner.textContent = sentence;
  banner.hidden = sentence === '';
}

const PHASES = {
  PRE_OPEN: 'Pre-open auction',
  OPEN: 'Market open',
  CLOSING_AUCTION: 'Closing auction',
  POST_CLOSE: 'After the close',
  CLOSED: 'Market closed',
};

async function showClock() {
  const { clock, phase } = await ask('health');
  byId('now').textContent = dateTimeOf(clock.now);
  byId('now').dateTime = new Date(clock.now).toISOString();
  const badge = byId('phase');
  const word = String(phase).toUpperCase();
  const text = PHASES[word] ?? String(phase);
  if (badge.textContent !== text) badge.textContent = text;
  badge.classList.toggle('closed', word === 'CLOSED');
  if (document.activeElement !== byId('clock-mode'))
    byId('clock-mode').value = clock.mode === 'manual' || clock.speed === 1 ? clock.mode : '60x';
  return new Date(clock.now).getTime();
}

async function refresh() {
  try {
    const now = await showClock();
    await Promise.all([
      showMarket(account.value, now),
      showAccount(account.value),
      showMessages(),
      showJournal(),
      showFaults(),
    ]);
    report('');
  } catch (error) {
    report(error instanceof TypeError ? 'The sandbox does not answer. Is it still running?' : error.message);
  }
}

async function setClock(body) {
  try {
    await ask('clock', { method: 'POST', body });
    await refresh();
  } catch (error) {
    report(error.message);
  }
}

async function start() {
  startJournal();
  startFaults(report);
  startMarket(refresh, report);
  byId('clock-mode').addEventListener('change', (event) =>
    setClock(event.target.value === '60x' ? { mode: '60x' } : { mode: event.target.value }),
  );
  for (const button of document.querySelectorAll('[data-advance]'))
    button.addEventListener('click', () => setClock({ advance: button.dataset.advance }));
  account.addEventListener('change', refresh);
  const accounts = await ask('page/accounts');
  const pans = new Map(accounts.map(({ phone, pan }) => [phone, pan]));
  showMessages = () => showInbox(account.value, pans.get(account.value));
  account.replaceChildren(
    ...accounts.map(({ phone, name }) => make('option', { value: phone, text: `${name} (${phone})` })),
  );
  const [first] = await ask('page/instruments?q=INFY');
  if (first) choose(first);
  await refresh();
  const again = async () => {
    if (!document.hidden) await refresh();
    setTimeout(again, EVERY_MS);
  };
  setTimeout(again, EVERY_MS);
}

start().catch((error) => report(error.message));
