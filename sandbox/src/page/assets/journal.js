/** Everything that really happened. */
import { ask, inWords } from './api.js';
import { count, money, timeOf } from './format.js';
import { byId, make, show } from './dom.js';

const SHOWN = 200;
const kinds = new Set();
let entries = [];
let last = 0;

const STEPS = {
  begun: 'started a login',
  otp_sent: 'was sent a one-time password',
  code_accepted: 'entered the correct OTP/TOTP',
  code_refused: 'entered a wrong code',
  session_begun: 'is logged in',
  logged_out: 'logged out',
  session_expired: 'was logged out: the session expired',
  access_changed: 'may now trade from other addresses',
  unlocked: 'may log in again',
  totp_secret_made: 'got a TOTP secret',
  totp_enabled: 'switched TOTP on',
  totp_disabled: 'switched TOTP off',
};
const EVENTS = {
  received: 'received',
  sent: 'sent to the exchange',
  accepted: 'accepted by the exchange',
  rejected: 'rejected',
  modified: 'modified',
  modify_rejected: 'not modified',
  triggered: 'triggered',
  trade: 'traded',
  cancelled: 'cancelled',
  cancel_rejected: 'not cancelled',
  expired: 'expired',
  unsolicited_cancel: 'cancelled by the exchange',
};

/** Words for the events of a margin call. */
const MARGIN_CALLS = {
  called: ({ shortfall, due }) =>
    `needs ${money(shortfall)} more for its positions: pay in or close some by ${timeOf(due)}, or the broker closes them`,
  met: () => 'has enough for its positions again',
  square_off: ({ shortfall }) => `still needs ${money(shortfall)}: the broker closes positions at market`,
  nothing_left: ({ shortfall }) => `has no positions on margin left, and owes ${money(shortfall)}`,
};

const TOPICS = { orders: 'orders', portfolio: 'holdings and positions' };
/** Kinds of entries in words. */
const KINDS = {
  login: 'Login',
  order: 'Order',
  trade: 'Trade',
  day_end: 'Day end',
  basket: 'Basket',
  intent: 'Order with exits',
  scenario: 'Scenario',
  corporate_action: 'Corporate action',
  margin_call: 'Margin call',
  stream_open: 'Stream',
  subscribe: 'Stream',
  unsubscribe: 'Stream',
  frame: 'Message',
};
const nameOf = (kind) => KINDS[kind] ?? kind;

/** An entry as a sentence; undefined for a kind that has none. */
function sentence(entry) {
  const side = entry.side === 'BUY' ? 'Buy' : 'Sell';
  const what = `${side} ${count(entry.quantity ?? 0)} ${entry.instrument_name ?? ''}`.trim();
  switch (entry.kind) {
    case 'login':
      return `${entry.client_code} ${STEPS[entry.step] ?? entry.step}`;
    case 'order':
      return `${what}: ${EVENTS[entry.event] ?? entry.event}${entry.filled_quantity > 0 ? `, ${count(entry.filled_quantity)} filled` : ''}${entry.reason ? ` (${inWords(entry.reason)})` : ''}`;
    case 'trade':
      return `${entry.side === 'BUY' ? 'Bought' : 'Sold'} ${count(entry.quantity)} ${entry.instrument_name ?? ''} at ${money(entry.price)}`;
    case 'day_end':
      return `Trading day ${entry.date} closed and settled`;
    case 'stream_open':
      return `${entry.client_code}: a trigger or another program connected to the stream`;
    case 'basket':
      return `Basket ${entry.tag} ${EVENTS[entry.event] ?? entry.event.replaceAll('_', ' ')}${entry.reason ? ` (${inWords(entry.reason)})` : ''}`;
    case 'scenario':
    case 'corporate_action':
      return entry.story;
    case 'margin_call':
      return `${entry.client_code} ${MARGIN_CALLS[entry.event](entry)}`;
    case 'intent':
      return `${entry.tag ? `${entry.tag}: ` : ''}${EVENTS[entry.event] ?? entry.event.replaceAll('_', ' ')}${entry.exit ? ` (${entry.exit})` : ''}${entry.reason ? ` (${inWords(entry.reason)})` : ''}`;
    case 'unsubscribe':
      return `${entry.client_code} unsubscribed from ${TOPICS[entry.topic] ?? entry.topic}`;
    case 'subscribe':
      return `${entry.client_code} subscribed to ${TOPICS[entry.topic] ?? entry.topic}`;
    case 'frame':
      return `${entry.client_code} received a stream message`;
    default:
      return undefined;
  }
}

function line(entry) {
  const { seq, at, kind, symbol: _symbol, instrument_name: _name, ...rest } = entry;
  const words = sentence(entry);
  const facts = `#${seq} ${JSON.stringify(rest)}`;
  const heading = [make('b', { text: nameOf(kind) }), ` ${timeOf(at)} `];
  const key = { 'data-key': String(seq) };
  if (words === undefined) return make('li', key, ...heading, make('span', { className: 'quiet', text: facts }));
  return make(
    'li',
    key,
    make('details', {}, make('summary', {}, ...heading, words), make('span', { className: 'quiet', text: facts })),
  );
}

function draw() {
  const kind = byId('journal-kind').value;
  const shownEntries = entries
    .filter((entry) => kind === '' || nameOf(entry.kind) === kind)
    .slice(-SHOWN)
    .reverse();
  show(
    byId('journal'),
    shownEntries.length > 0
      ? shownEntries.map(line)
      : [
          make('li', {
            className: 'empty',
            text: 'Nothing has happened yet. Place an order with the ticket (press B).',
          }),
        ],
  );
}

/** Asks for what is new and shows it. */
export async function showJournal() {
  const fresh = await ask(`page/journal?after=${last}`);
  if (fresh.length === 0 && entries.length > 0) return;
  if (fresh.length > 0) last = fresh[fresh.length - 1].seq;
  entries = [...entries, ...fresh].slice(-2_000);
  for (const kind of fresh.map((entry) => nameOf(entry.kind))) {
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
