/** The order ticket. */
import { ask, count, money, paiseOf, post } from './api.js';
import { byId, setText } from './dom.js';
import { report, tell } from './messages.js';
import { viewMarket, viewTicket } from './tabs.js';

const form = byId('ticket');
const fields = form.elements;
let instrument;
let choose;

const sideWord = () => (fields.side.value === 'BUY' ? 'Buy' : 'Sell');

function draw() {
  const { kind } = fields;
  fields.price.disabled = kind.value === 'MARKET';
  fields.trigger_price.disabled = kind.value !== 'STOPLOSS';
  const at = kind.value === 'MARKET' ? 'at market' : kind.value === 'LIMIT' ? 'at limit' : 'at stop loss';
  setText(byId('ticket-send'), instrument ? `${sideWord()} ${instrument.symbol} ${at}` : sideWord());
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
    setText(byId('ticket-note'), next.lot_size > 1 ? `Lots of ${count(next.lot_size)}` : '');
  }
  draw();
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
  fields.quantity.focus();
  fields.quantity.select();
}

/** Opens the ticket of an instrument of which a row knows only the name; `terms` are as in `openTicket`. */
export async function openTicketFor(symbol, refId, terms) {
  try {
    const found = await ask(`page/instruments?q=${encodeURIComponent(symbol)}`);
    const instrument = found.find((one) => one.ref_id === refId);
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
  const quantity = fields.quantity.value.replaceAll(',', '').trim();
  if (!/^[1-9]\d{0,8}$/.test(quantity)) throw new Error('Quantity: enter a whole number above 0');
  const price = (name, label) => (fields[name].disabled ? undefined : paiseOf(fields[name].value, label));
  return {
    ref_id: instrument.ref_id,
    side: fields.side.value,
    quantity: Number(quantity),
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
  form.addEventListener('change', draw);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = byId('ticket-send');
    try {
      const order = orderOf();
      button.disabled = true;
      await post('page/orders', { phone: phone(), ...order });
      const at = order.price === undefined ? 'at market' : `at ${money(order.price)}`;
      tell(`Sent: ${sideWord()} ${count(order.quantity)} ${instrument.symbol} ${at}`);
      setText(byId('ticket-note'), 'Sent. See Orders.');
      await refresh();
    } catch (error) {
      setText(byId('ticket-note'), error.message);
      report(error.message);
    } finally {
      button.disabled = false;
    }
  });
}
