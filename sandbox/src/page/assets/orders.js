/** The orders of the day and their life. */
import { inWords, post } from './api.js';
import { count, figure, money, PRODUCTS, timeOf } from './format.js';
import { action, byId, command, fill, make } from './dom.js';
import { flash, report, announce, announcesFills } from './messages.js';
import { openModify, prices } from './modify.js';
import { placedBy } from './placed-by.js';
import { setCount } from './tabs.js';

const WORDS = {
  PENDING: 'received',
  SENT: 'sent',
  OPEN: 'open',
  PARTIAL_FILLED: 'partly filled',
  FILLED: 'filled',
  TRIGGERED: 'triggered',
  CANCELLED: 'cancelled',
  REJECTED: 'rejected',
  EXPIRED: 'expired',
};
const BAD = new Set(['REJECTED', 'EXPIRED']);
const EXITS = { stop: 'Stop loss', target: 'Target', time: 'Exit time', request: 'Exit' };
/** Filled quantity of each order of the account when it was last shown, by its identifier. */
let filled = new Map();
/** Exits whose fills have been told. */
let closed = new Set();
let filledOf;

const sideOf = ({ side }) => (side === 'BUY' ? 'Buy' : 'Sell');

function termsOf(order) {
  const price = order.price_type === 'MARKET' ? 'at market' : `@ ${figure(order.price)}`;
  if (order.kind === 'STOPLOSS') return `${price}, stop loss at ${figure(order.trigger_price)}`;
  return order.kind === 'ICEBERG' ? `${price}, iceberg of ${count(order.leg_size)}` : price;
}

function lifeOf(order) {
  const steps = order.life.map((step) =>
    make('li', {
      text: `${WORDS[step.status] ?? step.status.toLowerCase()} ${timeOf(step.at)}`,
      className: BAD.has(step.status) ? 'bad' : '',
    }),
  );
  const exits = order.exits
    .filter(({ trigger, slot }) => trigger > 0 || slot === 'time')
    .map(({ slot, trigger, at, status, jump }) => {
      const value = slot === 'time' ? timeOf(at) : figure(trigger);
      return make('li', {
        className: 'exit',
        text: `${EXITS[slot]} ${value}${jump > 0 ? ', trailing' : ''}: ${status === 'OPEN' ? 'waiting' : status.toLowerCase()}`,
      });
    });
  return make('ol', { className: 'life' }, ...steps, ...exits);
}

/** Does something with an order; what is refused is shown. */
export async function act(work, done) {
  try {
    await work();
    announce(done);
  } catch (error) {
    report(error.message);
  }
}

function row(phone, order) {
  const what = `${sideOf(order)} ${count(order.quantity)} ${order.name}`;
  const status = make('td', {}, lifeOf(order));
  if (order.reason) status.append(make('p', { text: inWords(order.reason), title: order.reason, className: 'reason' }));
  const cancel = (text, label) =>
    action(text, label, () => act(() => post('page/cancel', { phone, order_id: order.id }), `Cancelling: ${what}`));
  const modify =
    prices(order).length > 0 ? [action('Modify', `Modify: ${what}`, () => openModify(phone, order, what))] : [];
  const actions = order.working
    ? [...modify, cancel('Cancel', `Cancel: ${what}`)]
    : order.exits_alive
      ? [...modify, cancel('Cancel exits', `Cancel the exits of: ${what}`)]
      : [];
  return make(
    'tr',
    { 'data-key': order.id },
    make('td', { text: timeOf(order.at) }),
    make(
      'td',
      {},
      make('strong', { text: what, title: order.symbol }),
      ` ${termsOf(order)}, ${PRODUCTS[order.product]}`,
    ),
    make('td', {
      className: 'number',
      'data-label': 'Filled',
      text: `${count(order.filled_quantity)}/${count(order.quantity)}`,
    }),
    make('td', {
      className: 'number',
      'data-label': 'Average',
      text: order.filled_quantity > 0 ? money(order.average_price) : '–',
    }),
    status,
    make('td', { className: 'tag' }, ...placedBy(order)),
    make('td', { className: 'actions' }, ...actions),
  );
}

/** A sentence for each exit of an order that has filled. */
function doneExits({ exits, name, quantity, at }) {
  return exits
    .filter(({ status }) => status === 'FILLED')
    .map(({ slot }) => `${EXITS[slot]} filled: ${count(quantity)} ${name}, ordered at ${timeOf(at)}`);
}

/** Tells of what has filled since it was last shown. */
function reportFills(phone, orders) {
  const known = filledOf === phone;
  for (const order of orders) {
    if (!known || order.filled_quantity <= (filled.get(order.id) ?? 0)) continue;
    flash(document.querySelector(`#orders [data-key="${order.id}"]`));
    const part = order.filled_quantity < order.quantity ? ` of ${count(order.quantity)}` : '';
    if (announcesFills())
      announce(
        `Filled: ${sideOf(order)} ${count(order.filled_quantity)}${part} ${order.name} at ${money(order.average_price)}`,
      );
  }
  filled = new Map(orders.map((order) => [order.id, order.filled_quantity]));
  const done = new Set(orders.flatMap((order) => doneExits(order)));
  for (const exit of done) if (known && announcesFills() && !closed.has(exit)) announce(exit);
  closed = done;
  filledOf = phone;
}

/** Shows the orders of an account, newest first. Those of its strategies are shown beside them, under Strategies. */
export function showOrderRows(phone, orders, strategies) {
  setCount('orders', orders.length);
  fill(
    byId('orders'),
    orders.map((order) => row(phone, order)),
    strategies.length === 0
      ? 'No order today. Place one with the ticket (press B), or from a workflow in n8n: '
      : 'No order today beside the legs under Strategies. Place one with the ticket (press B), or from a workflow in n8n: ',
    command('npm start'),
    ' starts the sandbox together with an n8n and its examples.',
  );
  reportFills(phone, orders);
}
