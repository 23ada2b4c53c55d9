/** The option chain of the shown instrument, calls on the left and puts on the right; a price opens the ticket. */
import { ask } from './api.js';
import { count, decimal, figure } from './format.js';
import { byId, fill, make, setText, show } from './dom.js';
import { openTicketFor } from './ticket.js';

const expirySelect = byId('chain-expiry');
/** Instrument of the expiries; another underlying has others. */
let shownOf = '';

const fixed = (number, digits) => decimal(number.toFixed(digits));
/** 20261124 as 24 Nov 2026. */
function dayShown(expiry) {
  const text = String(expiry);
  const date = new Date(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`);
  return date.toLocaleDateString('en-IN', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
}

/** The cells of one option, from the outermost to its price. */
function cells(leg, isInMoney, what) {
  const className = isInMoney ? 'in-money' : '';
  const cell = (text, width = '') => make('td', { text, className: `${className} ${width}`.trim() });
  if (leg === null)
    return ['wide', '', 'wide', 'wide', 'widest', 'widest', 'wide', '', ''].map((width) => cell('', width));
  const price = make('button', {
    type: 'button',
    className: 'price-button',
    text: figure(leg.ltp),
    title: `${leg.symbol}: ${leg.change > 0 ? '+' : ''}${decimal(leg.change)} %`,
    'aria-label': `Ticket for ${what} at ${figure(leg.ltp)}`,
    onclick: () => openTicketFor(leg.symbol, leg.ref_id, {}),
  });
  return [
    cell(count(leg.oi_change), 'wide'),
    cell(count(leg.oi)),
    cell(count(leg.volume), 'wide'),
    cell(fixed(100 * leg.iv, 1), 'wide'),
    cell(fixed(leg.vega, 2), 'widest'),
    cell(fixed(leg.gamma, 4), 'widest'),
    cell(fixed(leg.theta, 2), 'wide'),
    cell(fixed(leg.delta, 2)),
    make('td', { className }, price),
  ];
}

function rowOf({ strike, ce, pe }, { price, atm }) {
  return make(
    'tr',
    { 'data-key': String(strike), className: strike === atm ? 'at-money' : '' },
    ...cells(ce, strike < price, `the call of ${figure(strike)}`),
    make('td', { className: 'strike', text: decimal(strike / 100) }),
    ...cells(pe, strike > price, `the put of ${figure(strike)}`).reverse(),
  );
}

/** Shows the chain of an instrument, or of its underlying. */
export async function showChain(instrument) {
  if (instrument === undefined) return;
  const expiry = shownOf === String(instrument.ref_id) ? expirySelect.value : '';
  try {
    const chain = await ask(`page/chain?ref_id=${instrument.ref_id}&expiry=${expiry}`);
    show(
      expirySelect,
      chain.expiries.map((expiry) => make('option', { value: String(expiry), text: dayShown(expiry) })),
    );
    expirySelect.value = String(chain.expiry);
    expirySelect.disabled = false;
    const isOther = shownOf !== String(instrument.ref_id);
    shownOf = String(instrument.ref_id);
    setText(byId('chain-of'), `${chain.asset} ${figure(chain.price)}`);
    setText(byId('chain-note'), 'The strike at the money is marked. OI and volume in units.');
    fill(
      byId('chain'),
      chain.rows.map((row) => rowOf(row, chain)),
    );
    if (isOther) document.querySelector('#chain .at-money')?.scrollIntoView({ block: 'center' });
  } catch (error) {
    show(expirySelect, []);
    expirySelect.disabled = true;
    setText(byId('chain-of'), instrument.symbol);
    setText(byId('chain-note'), '');
    fill(byId('chain'), [], error.message);
  }
}

/** Makes the choice of the expiry work. */
export function startChain(refresh) {
  expirySelect.addEventListener('change', refresh);
}
