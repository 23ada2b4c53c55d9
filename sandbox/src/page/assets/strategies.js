/** Strategies and baskets: several legs that are entered and closed as one. */
import { inWords, post } from './api.js';
import { count, figure, money, timeOf } from './format.js';
import { action, byId, command, fill, make, profit } from './dom.js';
import { act } from './orders.js';
import { setCount } from './tabs.js';

const WORDS = {
  PENDING: 'received',
  OPEN: 'waiting for its entry',
  FILLED: 'held',
  CLOSED: 'closed',
  CANCELLED: 'cancelled',
  REJECTED: 'rejected',
};

function row(phone, strategy) {
  const legs = strategy.legs
    .map(({ side, quantity, name }) => `${side === 'BUY' ? 'Buy' : 'Sell'} ${count(quantity)} ${name}`)
    .join(', ');
  const verb = strategy.held ? 'Exit' : 'Cancel';
  const end = action(verb, `${verb} ${strategy.name}`, () =>
    act(() => post('page/cancel', { phone, order_id: strategy.id }), `${verb}: ${strategy.name}`),
  );
  const priceOf = (paise) => (paise === null ? '–' : figure(paise));
  return make(
    'tr',
    { 'data-key': strategy.id },
    make('td', { text: timeOf(strategy.at) }),
    make('td', {}, make('strong', { text: strategy.name }), ` ${legs}`),
    make('td', { text: `${WORDS[strategy.status]}${strategy.reason ? `: ${inWords(strategy.reason)}` : ''}` }),
    make('td', { className: 'number', text: figure(strategy.net_price) }),
    make('td', { className: 'number', text: `${priceOf(strategy.stop)} / ${priceOf(strategy.target)}` }),
    profit('td', strategy.profit, money),
    make('td', { className: 'actions' }, ...(strategy.working ? [end] : [])),
  );
}

/** Shows the strategies and baskets of an account, newest first. */
export function showStrategies(phone, strategies) {
  setCount('strategies', strategies.length);
  fill(
    byId('strategies'),
    strategies.map((strategy) => row(phone, strategy)),
    'No strategy today. In n8n, Basket: Place enters several legs as one; the example "Straddle at 9:20" shows how: ',
    command('npm start'),
  );
}
