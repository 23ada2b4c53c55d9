/** The top: whether the market is open and why, its time, and how fast that runs. */
import { ask, post } from './api.js';
import { dayOf, timeOf } from './format.js';
import { byId, make, setText, show } from './dom.js';
import { report } from './messages.js';
import { setN8n } from './placed-by.js';

/** India is so far ahead of UTC, milliseconds. */
const IST_AHEAD_MS = 19_800_000;

function speedOf({ mode, speed }) {
  if (mode === 'manual' || mode === 'fastest') return mode;
  return speed === 1 ? 'real' : `${speed}x`;
}

function delayOf({ state, behind }) {
  if (state === 'displaced') return ', STOPPED';
  return behind > 0 ? `, ${behind} s behind` : '';
}

/** Shows the source of prices. */
function simulatedOf({ mirror, replay, as }) {
  if (mirror) return `PAPER · MIRROR OF ${mirror.of}${delayOf(mirror)}`;
  const service = as === 'specification' ? '' : ` · AS ${as.toUpperCase()}`;
  return `SIMULATED${replay ? ' · REPLAY' : ''}${service}`;
}

/** Asks for the state of the exchange and shows it. @returns the sandbox's time, milliseconds, and what is wrong, or an empty text */
export async function showStatus() {
  const status = await ask('page/status');
  setN8n(status.n8n);
  setText(byId('phase'), `${status.open ? '●' : '○'} ${status.phase}`);
  setText(byId('reason'), status.reason);
  setText(byId('simulated'), simulatedOf(status));
  byId('fast').hidden = !status.replay;
  // Time and prices of a live market are not moved.
  for (const part of document.querySelectorAll('[data-moves]')) part.hidden = status.mirror !== null;
  const now = byId('now');
  now.dateTime = new Date(status.now).toISOString();
  show(now, [
    make('span', { className: 'quiet', text: `${dayOf(status.now)} ` }),
    make('strong', { text: timeOf(status.now) }),
    make('span', { className: 'quiet', text: ' IST' }),
  ]);
  const speed = speedOf(status);
  for (const button of document.querySelectorAll('[data-mode]'))
    button.setAttribute('aria-pressed', String(button.dataset.mode === speed));
  return { now: Date.parse(status.now), trouble: status.trouble };
}

/** Makes the buttons of the clock work; `refresh` asks for everything again. */
export function startTop(refresh) {
  const setClock = async (body) => {
    try {
      await post('clock', body);
      await refresh();
    } catch (error) {
      report(error.message);
    }
  };
  for (const button of document.querySelectorAll('[data-mode]'))
    button.addEventListener('click', () => setClock({ mode: button.dataset.mode }));
  for (const button of document.querySelectorAll('[data-until]'))
    button.addEventListener('click', () => setClock({ until: button.dataset.until }));
  for (const button of document.querySelectorAll('[data-advance]'))
    button.addEventListener('click', () => setClock({ advance: button.dataset.advance }));
  startGoTo(setClock);
}

/** A local time of the field, which shows India's: 2026-11-23T09:15. */
const fieldTimeOf = (at) => new Date(at + IST_AHEAD_MS).toISOString().slice(0, 16);

/** Makes the dialogue work that sends the clock to a place. */
function startGoTo(setClock) {
  const [dialog, at] = [byId('goto'), byId('goto-at')];
  const go = async (body) => {
    dialog.close();
    await setClock(body);
  };
  byId('goto-open').addEventListener('click', () => {
    at.min = fieldTimeOf(Date.parse(byId('now').dateTime));
    at.value = at.min;
    dialog.showModal();
  });
  for (const button of dialog.querySelectorAll('[data-to]'))
    button.addEventListener('click', () => go({ to: button.dataset.to }));
  byId('goto-expiry-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void go({ to: 'expiry', asset: byId('goto-asset').value });
  });
  byId('goto-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void go({ set: `${at.value.slice(0, 16)}:00+05:30` });
  });
}
