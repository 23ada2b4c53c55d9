/** Changing the prices of an order. */
import { paiseOf, post } from './api.js';
import { byId, make, setText } from './dom.js';
import { report, tell } from './messages.js';

const LABELS = { price: 'Limit', trigger: 'Trigger', stop: 'Stop loss', target: 'Target' };

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

/** Asks the exchange to change one price (paise) of an order; what is refused is shown. @returns whether it was taken */
export async function modify(phone, orderId, what, price) {
  try {
    await post('page/modify', { phone, order_id: orderId, what, price });
    tell(`Modifying: ${LABELS[what].toLowerCase()} ${(price / 100).toFixed(2)}`);
    return true;
  } catch (error) {
    report(error.message);
    return false;
  }
}

/** Opens the window in which the prices of an order are typed. */
export function openModify(phone, order, title) {
  const known = prices(order);
  const form = byId('modify-form');
  setText(byId('modify-title'), `Modify: ${title}`);
  const fields = known.map(({ what, price }) =>
    make(
      'label',
      {},
      `${LABELS[what]} ₹`,
      make('input', { name: what, inputmode: 'decimal', value: (price / 100).toFixed(2), required: '' }),
    ),
  );
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
      for (const { what, price } of known) {
        const wanted = paiseOf(form.elements[what].value, LABELS[what]);
        if (wanted !== price && !(await modify(phone, order.id, what, wanted))) return;
      }
      byId('modify').close();
    } catch (error) {
      report(error.message);
    }
  };
  byId('modify').showModal();
}
