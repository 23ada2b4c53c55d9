/** The order ticket. */
import { ask, inWords, post } from './api.js';
import { count, dayOf, figure, money, paiseOf, quantityOf } from './format.js';
import { byId, setText } from './dom.js';
import { report, announce } from './messages.js';
import { viewMarket, viewTicket } from './tabs.js';

const form = byId('ticket');
const fields = form.elements;
/** After the last key the cost is asked for in so many milliseconds. */
const PREVIEW_AFTER_MS = 250;
/** Interval at which, and time for which, the outcome of an order is looked for. */
const OUTCOME_EVERY_MS = 500;
const OUTCOME_TURNS = 10;
let instrument;
let choose;
let phoneOf;
let waiting;
let previews = 0;
/** The account and the price that the shown cost is of. */
let costOf = '';
/** The account and the day (IST) that the shown outcome is of. */
let noteOf = '';

const sideWord = () => (fields.side.value === 'BUY' ? 'Buy' : 'Sell');

function draw() {
  const { kind } = fields;
  fields.price.disabled = kind.value === 'MARKET';
  fields.trigger_price.disabled = kind.value !== 'STOPLOSS';
  const at = kind.value === 'MARKET' ? 'at market' : kind.value === 'LIMIT' ? 'at limit' : 'at stop loss';
  setText(byId('ticket-send'), instrument ? `${sideWord()} ${instrument.symbol} ${at}` : sideWord());
}

/** Shows the quantity in lots, and the cost and requirement of the order; a note where it cannot be said yet. */
async function preview() {
  clearTimeout(waiting);
  const asked = ++previews;
  const cost = byId('ticket-cost');
  if (form.hidden || instrument === undefined) return;
  let order;
  try {
    order = orderOf();
  } catch {
    setText(cost, instrument.lot_size > 1 ? `Lots of ${count(instrument.lot_size)}` : '');
    return;
  }
  const lots = order.quantity / instrument.lot_size;
  const inLots =
    instrument.lot_size === 1
      ? ''
      : `${figure(lots * 100).replace(/\.00$/, '')} ${lots === 1 ? 'lot' : 'lots'} of ${count(instrument.lot_size)}. `;
  try {
    const { margin, charges, available } = await post('page/preview', { phone: phoneOf(), ...order });
    if (asked !== previews) return;
    const lacks = margin + charges > available ? ` Available: ${money(available)}.` : '';
    setText(cost, `${inLots}Takes ${money(margin)}, charges ${money(charges)}.${lacks}`);
  } catch (error) {
    if (asked === previews) setText(cost, `${inLots}${error.message}`);
  }
}

/** Previews once nothing is typed for a moment. */
function previewSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(preview, PREVIEW_AFTER_MS);
}

/**
 * Shows the cost again where the price or the account is another. What became of an order is not shown on another day or to another account.
 * @param price paise @param now the sandbox's time, milliseconds
 */
export function showCost(phone, price, now) {
  const cost = `${phone} ${price}`;
  if (cost !== costOf) previewSoon();
  costOf = cost;
  const day = `${phone} ${dayOf(now)}`;
  if (day !== noteOf) note('');
  noteOf = day;
}

/** Says below the button what became of an order. */
function note(sentence, className = 'quiet') {
  const line = byId('ticket-note');
  line.className = `${className} note`;
  setText(line, sentence);
  // A low window shows no more than the button.
  if (sentence !== '') line.scrollIntoView({ block: 'nearest' });
}
const refuse = (sentence) => note(sentence, 'needs');

/** Says what became of an order: filled, open, or rejected with the reason; nothing once the ticket is of something else. */
async function reportOutcome(orderId, phone, refId) {
  for (let turn = 0; turn < OUTCOME_TURNS; turn++) {
    const { orders } = await ask(`page/account?phone=${encodeURIComponent(phone)}`);
    if (phone !== phoneOf() || refId !== instrument.ref_id) return;
    const order = orders.find(({ id }) => id === orderId);
    const status = order?.life.at(-1)?.status;
    if (status === 'FILLED') return note(`Filled: ${count(order.filled_quantity)} at ${money(order.average_price)}.`);
    if (status === 'REJECTED') {
      return refuse(`Rejected. ${order.reason ? inWords(order.reason) : 'The exchange gives no reason'}.`);
    }
    if (status === 'OPEN') note('Accepted: it waits in the market. See Orders.');
    await new Promise((done) => setTimeout(done, OUTCOME_EVERY_MS));
  }
}

/** Prepares the ticket for an instrument; an index has none. */
export function showTicket(next) {
  const isOther = instrument?.ref_id !== next.ref_id;
  instrument = next;
  const none = byId('ticket-none');
  form.hidden = next.index;
  none.hidden = !next.index;
  if (next.index)
    setText(
      none,
      `${next.symbol} is an index and cannot be bought. Search for its futures or options: ${next.symbol} FUT.`,
    );
  if (isOther) {
    form.reset();
    fields.quantity.value = String(next.lot_size);
    fields.product.options[1].textContent = next.derivative ? 'Overnight' : 'Delivery';
    note('');
  }
  draw();
  previewSoon();
}

/** Opens the ticket of an instrument, filled in as given: side, quantity, product, price (paise). */
export function openTicket(next, { side, quantity, product, price } = {}) {
  viewMarket();
  if (instrument?.ref_id !== next.ref_id) choose(next);
  if (next.index) return;
  viewTicket();
  if (side) fields.side.value = side;
  if (quantity) fields.quantity.value = String(quantity);
  if (product) fields.product.value = product;
  if (price) {
    fields.kind.value = 'LIMIT';
    fields.price.value = (price / 100).toFixed(2);
  }
  draw();
  previewSoon();
  fields.quantity.focus();
  fields.quantity.select();
}

/** Opens the ticket of an instrument that a row knows only by name; `terms` are as in `openTicket`. */
export async function openTicketFor(symbol, refId, terms) {
  try {
    const found = await ask(`page/instruments?q=${encodeURIComponent(symbol)}`);
    const instrument = found.find((item) => item.ref_id === refId);
    if (instrument === undefined) report(`${symbol} cannot be traded any more.`);
    else openTicket(instrument, terms);
  } catch (error) {
    report(error.message);
  }
}

/** Opens the ticket of the instrument that is shown. */
export function ticketFor(side) {
  if (instrument !== undefined) openTicket(instrument, { side });
}

function orderOf() {
  const quantity = quantityOf(fields.quantity.value);
  const price = (name, label) => (fields[name].disabled ? undefined : paiseOf(fields[name].value, label));
  return {
    ref_id: instrument.ref_id,
    side: fields.side.value,
    quantity,
    product: fields.product.value,
    kind: fields.kind.value,
    price: price('price', 'Price'),
    trigger_price: price('trigger_price', 'Trigger'),
    stop: price('stop', 'Stop loss'),
    target: price('target', 'Target'),
  };
}

/** Makes the ticket work; `chooses` shows the market of an instrument. */
export function startTicket({ refresh, phone, choose: chooses }) {
  choose = chooses;
  phoneOf = phone;
  form.addEventListener('change', draw);
  form.addEventListener('input', () => {
    note('');
    previewSoon();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = byId('ticket-send');
    try {
      const order = orderOf();
      button.disabled = true;
      const by = phone();
      const { order_id: id } = await post('page/orders', { phone: by, ...order });
      const at = order.price === undefined ? 'at market' : `at ${money(order.price)}`;
      announce(`Sent: ${sideWord()} ${count(order.quantity)} ${instrument.symbol} ${at}`);
      note('Sent. See Orders.');
      await refresh();
      button.disabled = false;
      await reportOutcome(id, by, order.ref_id);
    } catch (error) {
      refuse(error.message);
    } finally {
      button.disabled = false;
    }
  });
}
