/** Everything that really happened. */
import { ask, byId, make, timeOf } from './api.js';

const SHOWN = 200;
const kinds = new Set();
let entries = [];
let last = 0;

function line(entry) {
  const { seq, at, kind, ...rest } = entry;
  return make('li', {}, make('b', { text: kind }), ` ${timeOf(at)} `, make('span', { className: 'quiet', text: `#${seq} ${JSON.stringify(rest)}` }));
}

function draw() {
  const kind = byId('journal-kind').value;
  const wanted = entries.filter((entry) => kind === '' || entry.kind === kind).slice(-SHOWN).reverse();
  byId('journal').replaceChildren(...(wanted.length > 0 ? wanted.map(line) : [make('li', { className: 'empty', text: 'Nothing has happened yet. Log in or place an order.' })]));
}

/** Asks for what is new and shows it. */
export async function showJournal() {
  const fresh = await ask(`journal?after=${last}`);
  if (fresh.length === 0 && entries.length > 0) return;
  if (fresh.length > 0) last = fresh[fresh.length - 1].seq;
  entries = [...entries, ...fresh].slice(-2_000);
  for (const { kind } of fresh) {
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    byId('journal-kind').append(make('option', { value: kind, text: kind }));
  }
  draw();
}

/** Redraws when another kind is chosen. */
export function startJournal() {
  byId('journal-kind').addEventListener('change', draw);
}
