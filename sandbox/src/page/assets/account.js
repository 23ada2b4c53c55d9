/** Orders and their life, funds, positions. */
import { ask, byId, count, fill, make, money, timeOf } from './api.js';

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

function orderRow(order) {
  const price = order.price_type === 'MARKET' ? 'at market' : `at ${money(order.price)}`;
  const kind =
    order.kind === 'REGULAR'
      ? ''
      : order.kind === 'STOPLOSS'
        ? `, stop-loss at ${money(order.trigger_price)}`
        : `, iceberg of ${count(order.leg_size)}`;
  const life = make(
    'ol',
    { className: 'life' },
    ...order.life.map((step) =>
      make('li', {
        text: `${WORDS[step.status] ?? step.status.toLowerCase()} ${timeOf(step.at)}`,
        className: BAD.has(step.status) ? 'bad' : '',
      }),
    ),
  );
  const cell = make('td', {}, life);
  if (order.reason) cell.append(make('p', { text: order.reason, className: 'sell' }));
  return make(
    'tr',
    {},
    make('td', { text: timeOf(order.at) }),
    make(
      'td',
      {},
      make('span', { text: order.side === 'BUY' ? 'Buy' : 'Sell', className: order.side.toLowerCase() }),
      ` ${count(order.quantity)} ${order.symbol} ${price}${kind}`,
    ),
    make('td', { text: `${count(order.filled_quantity)} of ${count(order.quantity)}` }),
    make('td', { text: order.filled_quantity > 0 ? money(order.average_price) : '–' }),
    cell,
    make('td', { text: order.tag }),
  );
}

function figure(name, paise) {
  return make('div', {}, make('dt', { text: name }), make('dd', { text: money(paise) }));
}

/** Asks for the account and shows it. */
export async function showAccount(phone) {
  const { orders, positions, holdings, funds } = await ask(`page/account?phone=${encodeURIComponent(phone)}`);
  byId('orders-count').textContent = orders.length > 0 ? `(${orders.length} today)` : '';
  fill(
    byId('orders'),
    orders.map(orderRow),
    'No order today. Place one from an n8n workflow, or with any other client.',
  );
  byId('funds').replaceChildren(
    figure('Available', funds.available),
    figure('Cash', funds.cash),
    figure('Blocked for orders', funds.held_for_orders),
    figure('Blocked for positions', funds.held_for_positions),
    figure('Realised today', funds.realised),
    figure('Charges today', funds.charges),
  );
  fill(
    byId('positions'),
    positions.map((position) =>
      make(
        'tr',
        {},
        make('td', { text: `${position.symbol} · ${position.product === 'CNC' ? 'delivery' : 'intraday'}` }),
        make('td', { text: count(position.quantity) }),
        make('td', { text: position.average_price > 0 ? money(position.average_price) : '–' }),
        make('td', { text: money(position.last_price) }),
        make('td', { text: money(position.profit), className: position.profit >= 0 ? 'up' : 'down' }),
      ),
    ),
    'No position today.',
  );
  fill(
    byId('holdings'),
    holdings.map((holding) =>
      make(
        'tr',
        {},
        make('td', { text: holding.symbol }),
        make('td', {
          text:
            holding.t1_quantity > 0
              ? `${count(holding.quantity)} + ${count(holding.t1_quantity)} tomorrow`
              : count(holding.quantity),
        }),
        make('td', { text: money(holding.average_price) }),
        make('td', { text: money(holding.last_price) }),
        make('td', { text: money(holding.profit), className: holding.profit >= 0 ? 'up' : 'down' }),
      ),
    ),
    'No shares yet. Shares bought for delivery appear here on the next trading day.',
  );
}
