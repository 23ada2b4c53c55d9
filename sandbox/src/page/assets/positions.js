/** Positions and holdings, with buttons to trade them. */
import { post } from './api.js';
import { count, figure, money, PRODUCTS } from './format.js';
import { action, byId, fill, make, profit, show } from './dom.js';
import { act } from './orders.js';
import { setCount } from './tabs.js';
import { openTicketFor } from './ticket.js';

function positionRow(phone, position) {
  const { symbol, name, ref_id: refId, product, open_quantity: open } = position;
  const trade = (text, side) => action(text, `${text} ${name}`, () => openTicketFor(symbol, refId, { side, product }));
  const exit = action('Exit', `Exit ${name} ${PRODUCTS[product]}`, () =>
    act(() => post('page/exit', { phone, ref_id: refId, product }), `Closing at market: ${name}`),
  );
  return make(
    'tr',
    { 'data-key': `${refId} ${product}`, className: open === 0 ? 'closed' : '' },
    make('td', {}, make('strong', { text: name, title: symbol })),
    make('td', { text: PRODUCTS[product] }),
    make('td', { className: 'number', 'data-label': 'Qty', text: count(position.quantity) }),
    make('td', {
      className: 'number',
      'data-label': 'Average',
      text: position.average_price > 0 ? figure(position.average_price) : '–',
    }),
    make('td', { className: 'number', 'data-label': 'LTP', text: figure(position.last_price) }),
    profit('td', position.profit, money),
    make('td', { className: 'actions' }, trade('Buy', 'BUY'), trade('Sell', 'SELL'), ...(open === 0 ? [] : [exit])),
  );
}

/** The sum of the profits below the rows; none below one row. */
function totalRow(rows, columns) {
  if (rows.length < 2) return [];
  const sum = rows.reduce((total, row) => total + row.profit, 0);
  return [
    make(
      'tr',
      { className: 'total', 'data-key': 'total' },
      make('td', { text: 'Total', colspan: String(columns) }),
      profit('td', sum, money),
      make('td', {}),
    ),
  ];
}

/** Shows the positions of an account. */
export function showPositions(phone, positions) {
  setCount('positions', positions.filter(({ open_quantity: open }) => open !== 0).length);
  fill(
    byId('positions'),
    [...positions.map((position) => positionRow(phone, position)), ...totalRow(positions, 5)],
    'No position today. Press B for a buy ticket: what it buys appears here, and Exit closes it.',
  );
}

function holdingRow(holding) {
  const { symbol, ref_id: refId, quantity, t1_quantity: later } = holding;
  return make(
    'tr',
    { 'data-key': String(refId) },
    make('td', {}, make('strong', { text: symbol })),
    make('td', {
      className: 'number',
      'data-label': 'Qty',
      text: later > 0 ? `${count(quantity)} + ${count(later)} tomorrow` : count(quantity),
    }),
    make('td', { className: 'number', 'data-label': 'Average', text: figure(holding.average_price) }),
    make('td', { className: 'number', 'data-label': 'LTP', text: figure(holding.last_price) }),
    profit('td', holding.profit, money),
    make(
      'td',
      { className: 'actions' },
      action('Buy', `Buy ${symbol}`, () => openTicketFor(symbol, refId, { side: 'BUY', product: 'CNC' })),
      action('Sell', `Sell ${symbol}`, () => openTicketFor(symbol, refId, { side: 'SELL', product: 'CNC', quantity })),
    ),
  );
}

/** Shows the holdings of an account. */
export function showHoldings(holdings) {
  setCount('holdings', holdings.length);
  fill(
    byId('holdings'),
    [...holdings.map(holdingRow), ...totalRow(holdings, 4)],
    'No shares yet. Buy with the product Delivery: the shares appear here on the next trading day (+1d above).',
  );
}

/** Words for each state of an account's sales, and the commands of its buttons: what the holder does in the broker's app. */
const SALES = {
  ddpi: ['DDPI signed: held shares can be sold at any time.', [['Practise without DDPI', 'unauthorised']]],
  unauthorised: [
    'No sale of held shares is authorised at the depository: each is rejected.',
    [
      ['Authorise for today', 'authorised_today'],
      ['Sign a DDPI', 'ddpi'],
    ],
  ],
  authorised_today: [
    'Sales of held shares are authorised for today.',
    [
      ['Take back', 'unauthorised'],
      ['Sign a DDPI', 'ddpi'],
    ],
  ],
};

/** Shows whether the shares of an account may be sold, with what its holder can do about it. */
export function showSales(phone, sales) {
  const [text, ways] = SALES[sales];
  show(byId('sales'), [
    text,
    ...ways.map(([label, next]) =>
      action(label, label, () => act(() => post(`accounts/${phone}`, { sales: next }), SALES[next][0])),
    ),
  ]);
}
