/** How the account has done: figures of the day, and its trades. */
import { count, figure, money, shortTimeOf } from './api.js';
import { byId, fill, make, profit, show } from './dom.js';

const figureOf = (name, value) => make('div', {}, make('dt', { text: name }), value);

function row(trade) {
  return make(
    'tr',
    { 'data-key': trade.id },
    make('td', { text: shortTimeOf(trade.at) }),
    make('td', {}, make('strong', { text: `${trade.side === 'BUY' ? 'Bought' : 'Sold'} ${trade.symbol}` })),
    make('td', { className: 'number', 'data-label': 'Quantity', text: count(trade.quantity) }),
    make('td', { className: 'number', 'data-label': 'Price', text: figure(trade.price) }),
    make('td', { className: 'number', 'data-label': 'Charges', text: figure(trade.charges) }),
  );
}

/** Shows the figures of the day and the trades of an account. */
export function showPerformance({ day_profit: day, funds, trades }) {
  show(byId('performance-figures'), [
    figureOf('Day P&L', profit('dd', day, money)),
    figureOf('Realised', profit('dd', funds.realised, money)),
    figureOf('Unrealised', profit('dd', day - funds.realised, money)),
    figureOf('Charges', make('dd', { text: money(funds.charges) })),
    figureOf('Day P&L after charges', profit('dd', day - funds.charges, money)),
  ]);
  fill(byId('trades'), trades.map(row), 'No trades yet. Press B for a buy ticket.');
}
