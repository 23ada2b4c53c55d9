/** Changing the quantity and the prices of an order. */
import { post } from './api.js';
import { count, paiseOf, quantityOf } from './format.js';
import { byId, make, setText } from './dom.js';
import { report, announce } from './messages.js';

const LABELS = { quantity: 'Quantity', price: 'Limit', trigger: 'Trigger', stop: 'Stop loss', target: 'Target' };

/** The prices of an order that can be changed, in paise: `{ what, price }`. */
export function prices(order) {
  const found = [];
  const add = (what, price) => price > 0 && found.push({ what, price });
  const waits = order.kind === 'STOPLOSS' && order.life.at(-1)?.status !== 'TRIGGERED';
  if (order.working) add(waits ? 'trigger' : 'price', waits ? order.trigger_price : order.price);
  if (!order.exits_alive) return found;
  for (const { slot, status, trigger } of order.exits)
    if (status === 'OPEN' && (slot === 'stop' || slot === 'target')) add(slot, trigger);
  return found;
}

/** Asks the exchange to change one price (paise) or the quantity of an order; what is refused is shown. @returns whether it was taken */
export async function modify(phone, orderId, what, value) {
  try {
    await post('page/modify', { phone, order_id: orderId, what, value });
    const shown = what === 'quantity' ? count(value) : (value / 100).toFixed(2);
    announce(`Modifying: ${LABELS[what].toLowerCase()} ${shown}`);
    return true;
  } catch (error) {
    report(error.message);
    return false;
  }
}

/** Returns the fields of an order that can be changed, and their inputs. */
function changeable(order) {
  const quantity = order.working && order.kind !== 'ICEBERG' ? [{ what: 'quantity', value: order.quantity }] : [];
  return [...quantity, ...prices(order).map(({ what, price }) => ({ what, value: price }))];
}

/** Opens the window in which the quantity and the prices of an order are typed. */
export function openModify(phone, order, title) {
  const known = changeable(order);
  const form = byId('modify-form');
  setText(byId('modify-title'), `Modify: ${title}`);
  const fields = known.map(({ what, value }) => {
    const isQuantity = what === 'quantity';
    return make(
      'label',
      {},
      isQuantity ? LABELS[what] : `${LABELS[what]} ₹`,
      make('input', {
        name: what,
        inputmode: isQuantity ? 'numeric' : 'decimal',
        value: isQuantity ? String(value) : (value / 100).toFixed(2),
        required: '',
      }),
    );
  });
  const buttons = make(
    'p',
    { className: 'row' },
    make('button', { className: 'primary', text: 'Modify' }),
    make('button', { type: 'button', text: 'Close', onclick: () => byId('modify').close() }),
  );
  form.replaceChildren(...fields, buttons);
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      for (const { what, value } of known) {
        const typed = form.elements[what].value;
        const newValue = what === 'quantity' ? quantityOf(typed) : paiseOf(typed, LABELS[what]);
        if (newValue !== value && !(await modify(phone, order.id, what, newValue))) return;
      }
      byId('modify').close();
    } catch (error) {
      report(error.message);
    }
  };
  byId('modify').showModal();
}
