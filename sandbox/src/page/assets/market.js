/** The chosen instrument: its price, chart and market depth; and moving its price. */
import { ask, post } from './api.js';
import { changeOf, count, figure, money, paiseOf } from './format.js';
import { byId, fill, make, setText } from './dom.js';
import { showChart } from './chart.js';
import { report, announce } from './messages.js';
import { showLinesOf } from './order-lines.js';
import { openTicket, showCost, showTicket } from './ticket.js';

const NOT_FOUND = 404;
let current;
let latest;

/** The instrument whose market is shown; undefined before the first. */
export const chosen = () => current;

/** Its last price, paise; 0 before it is known. */
export const lastPrice = () => latest?.last_price ?? 0;

/** Chooses the instrument whose market is shown. */
export function choose(instrument) {
  current = instrument;
  latest = undefined;
  setText(byId('instrument-symbol'), instrument.symbol);
  setText(byId('instrument-name'), instrument.label);
  showTicket(instrument);
  showLinesOf(instrument);
}

function depthRow(bid, offer, largest) {
  const cells = (level, direction) => {
    const share = level ? Math.round((100 * level.quantity) / largest) : 0;
    const own = level?.own > 0 ? make('span', { className: 'own', text: count(level.own), title: 'Your orders' }) : '';
    const bar = `linear-gradient(to ${direction}, var(--depth) ${share}%, transparent ${share}%)`;
    // Who clicks a bid sells to it, who clicks an offer buys.
    const [side, verb] = level === bid ? ['SELL', 'Sell'] : ['BUY', 'Buy'];
    const price = level
      ? make('button', {
          type: 'button',
          className: 'price-button',
          text: figure(level.price),
          'aria-label': `${verb} at ${figure(level.price)}`,
          onclick: () => openTicket(current, { side, price: level.price }),
        })
      : '';
    return [
      make('td', { className: 'number', style: `background:${bar}` }, own, level ? ` ${count(level.quantity)}` : ''),
      make('td', { className: 'number' }, price),
    ];
  };
  const isOwn = bid?.own > 0 || offer?.own > 0;
  return make('tr', { className: isOwn ? 'with-own' : '' }, ...cells(bid, 'left'), ...cells(offer, 'right').reverse());
}

function showDepth({ index, symbol, bids, asks }) {
  const levels = Math.max(bids.length, asks.length);
  const largest = Math.max(1, ...[...bids, ...asks].map(({ quantity }) => quantity));
  fill(
    byId('ladder'),
    Array.from({ length: levels }, (_, at) => depthRow(bids[at], asks[at], largest)),
    index
      ? `${symbol} is an index: it has no market depth. Its futures and options have.`
      : 'No bids or offers right now.',
  );
}

/** Returns the market of an instrument; undefined where it is not listed any more. */
async function marketOf(refId, phone) {
  try {
    const market = await ask(`page/market?ref_id=${refId}&phone=${encodeURIComponent(phone)}`);
    return market.listed ? market : undefined;
  } catch (error) {
    if (error.status === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Asks for the market of the chosen instrument and shows it. A contract that has expired is left for the instrument that `another` gives.
 * @param now the sandbox's time, milliseconds
 */
export async function showMarket(phone, now, another) {
  if (!current) return;
  const { ref_id: refId, symbol, derivative } = current;
  const market = await marketOf(refId, phone);
  if (current.ref_id !== refId) return;
  if (market === undefined) {
    choose(await another());
    return announce(
      `${symbol} ${derivative ? 'has expired' : 'is not traded any more'}. If you held it, its result is under Performance.`,
    );
  }
  latest = market;
  const change = changeOf(market);
  setText(byId('last-price'), market.index ? figure(market.last_price) : money(market.last_price));
  setText(byId('price-change'), change.text);
  byId('price-change').className = change.className;
  setText(byId('trading'), market.halted ? 'halted' : market.trading || market.index ? '' : 'not trading now');
  showDepth(market);
  showCost(phone, market.last_price, now);
  await showChart(market, now);
  return market;
}

async function move(refId, price, refresh) {
  try {
    await post('market', { ref_id: refId, price });
    await refresh();
  } catch (error) {
    report(error.message);
  }
}

/** Makes the form work that moves the price. */
export function startMarket({ refresh }) {
  for (const button of document.querySelectorAll('[data-move]'))
    button.addEventListener('click', () => {
      if (latest === undefined) return;
      const { tick_size: tick, last_price: last } = latest;
      const price = last * (1 + Number(button.dataset.move) / 100);
      return move(latest.ref_id, Math.max(tick, Math.round(price / tick) * tick), refresh);
    });
  byId('move').addEventListener('submit', (event) => {
    event.preventDefault();
    try {
      const price = paiseOf(new FormData(event.target).get('price'), 'Price');
      event.target.reset();
      return move(current.ref_id, price, refresh);
    } catch (error) {
      report(error.message);
    }
  });
}
