/** The account: day's profit, funds, orders, positions, holdings, strategies. */
import { ask } from './api.js';
import { money, roundMoney } from './format.js';
import { byId, make, setText, show } from './dom.js';
import { showOrders } from './order-lines.js';
import { showOrderRows } from './orders.js';
import { showHoldings, showPositions, showSales } from './positions.js';
import { showStrategies } from './strategies.js';

function showProfit(paise) {
  const shown = byId('day-profit');
  const rounded = Math.round(paise / 100);
  setText(shown, `${rounded > 0 ? '+' : ''}${roundMoney(paise)}${rounded > 0 ? ' ▲' : rounded < 0 ? ' ▼' : ''}`);
  shown.className = rounded > 0 ? 'up' : rounded < 0 ? 'down' : '';
}

const figureOf = (name, paise, title) =>
  make('div', title === undefined ? {} : { title }, make('dt', { text: name }), make('dd', { text: money(paise) }));

/** Asks for the account and shows it. */
export async function showAccount(phone) {
  const account = await ask(`page/account?phone=${encodeURIComponent(phone)}`);
  const { funds } = account;
  showProfit(account.day_profit);
  show(byId('funds'), [
    figureOf('Available', funds.available),
    figureOf('Cash', funds.cash),
    figureOf('Blocked for orders', funds.held_for_orders),
    figureOf('Blocked for positions', funds.held_for_positions),
    figureOf(
      'Blocked for losses',
      funds.unrealised_loss,
      'Loss of open futures and intraday shares, which is not available. That of options shows in the positions below.',
    ),
    figureOf(
      'Realised today',
      funds.realised,
      "Before charges. Shares that you held count from their purchase here, and from yesterday's close in Net day P&L.",
    ),
    figureOf('Charges today', funds.charges),
  ]);
  showOrderRows(phone, account.orders, account.strategies);
  showPositions(phone, account.positions);
  showHoldings(account.holdings);
  showSales(phone, account.sales);
  showStrategies(phone, account.strategies);
  showOrders(account);
}
