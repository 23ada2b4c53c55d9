/** The watchlist: instruments with price and change, kept by the browser. */
import { ask } from './api.js';
import { changeOf, figure } from './format.js';
import { action, byId, make, setText, show } from './dom.js';
import { chosen } from './market.js';
import { openTicket } from './ticket.js';

const SETTING = 'watchlist';
// As many as fill the column of a usual screen.
const FIRST = [
  ...['NSE:NIFTY', 'NSE:BANKNIFTY', 'NSE:INFY', 'NSE:RELIANCE', 'NSE:SBIN', 'NSE:ITC', 'NSE:HDFCBANK', 'NSE:TCS'],
  ...['NSE:ICICIBANK', 'NSE:LT', 'NSE:AXISBANK', 'NSE:BHARTIARTL', 'NSE:TATASTEEL', 'NSE:KOTAKBANK'],
];
const MAX_WATCHED = 50;
let names = kept();
let quotes = [];
let choose;

const nameOf = ({ exchange, symbol }) => `${exchange}:${symbol}`;

function kept() {
  const text = localStorage.getItem(SETTING);
  if (text === null) return FIRST;
  const found = text.split(' ').filter((name) => /^[A-Z]+:[^,\s]+$/.test(name));
  return found.length > 0 ? found : FIRST;
}

function row(quote) {
  const change = changeOf(quote);
  const { symbol, index } = quote;
  const isChosen = chosen()?.ref_id === quote.ref_id;
  return make(
    'li',
    { 'data-key': nameOf(quote), className: isChosen ? 'chosen' : '' },
    make(
      'button',
      { type: 'button', className: 'watched', 'aria-pressed': String(isChosen), onclick: () => choose(quote) },
      make('span', { className: 'symbol', text: symbol }),
      make('span', { className: 'number', text: figure(quote.last_price) }),
      make('span', { className: `number change ${change.className}`, text: change.text }),
    ),
    make(
      'span',
      { className: 'hover-actions' },
      ...(index
        ? []
        : [
            action('B', `Buy ${symbol}`, () => openTicket(quote, { side: 'BUY' })),
            action('S', `Sell ${symbol}`, () => openTicket(quote, { side: 'SELL' })),
          ]),
    ),
  );
}

function draw() {
  show(byId('watchlist'), quotes.map(row));
  const current = chosen();
  const watched = current !== undefined && names.includes(nameOf(current));
  byId('watch-toggle').setAttribute('aria-pressed', String(watched));
  setText(byId('watch-toggle'), watched ? '− Watch' : '+ Watch');
}

/** Asks for the prices of the watchlist and shows them. */
export async function showWatchlist() {
  quotes = await ask(`page/quotes?names=${encodeURIComponent(names.join(','))}`);
  draw();
}

/** The instrument that is shown first: the first of the watchlist that can be traded. */
export async function firstWatched() {
  await showWatchlist();
  return quotes.find(({ index }) => !index) ?? quotes[0] ?? (await ask('page/instruments?q=INFY'))[0];
}

/** Makes the button work that adds and removes the shown instrument; `chose` is called with the instrument that is clicked. */
export function startWatchlist(chose) {
  choose = chose;
  byId('watch-toggle').addEventListener('click', async () => {
    const current = chosen();
    if (current === undefined) return;
    const name = nameOf(current);
    const rest = names.filter((other) => other !== name);
    names = rest.length < names.length ? rest : [...names, name].slice(-MAX_WATCHED);
    localStorage.setItem(SETTING, names.join(' '));
    await showWatchlist();
  });
}
