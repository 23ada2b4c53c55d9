/** A right reply of another endpoint: it is never an account without positions, a report, a chain without interest, or an acknowledgement. */
import { UnreadableReplyError } from '../../client/base/errors';
import { getChainMoments } from '../../client/market/chain-moments';
import { readTradebook } from '../../client/performance/fills';
import { getHoldings, getPositions } from '../../client/portfolio/portfolio';
import { knownKind } from '../../client/reply-kinds';
import { reportKinds, reportsWith, type ReportName } from '../../client/reports/kinds';
import { emailReport, isWithoutData, viewReport } from '../../client/reports/reports';
import type { Transport } from '../../client/transport';
import { scriptedTransport } from '../support/wire';

/** Replies of other endpoints that have little to say. */
const OTHERS: readonly object[] = [
  { orders: [], count: 0 },
  { orders: { open: null, executed: [] } },
  { baskets: null },
  { message: 'positions', portfolio: { client_code: 'C', position_stats: {}, stock_positions: null } },
  { message: '', portfolio: null },
  { message: 'funds and margin', port_funds_and_margin: { brokerage: 1 } },
  { portFundsAndMargin: {} },
  { chain: { asset: 'NIFTY', ce: [], pe: [] }, message: 'option chains' },
  { exchange: 'NSE', is_trading_on: true, message: 'refdata', refdata: [] },
  { orderBook: { ref_id: 1 } },
  { message: 'current price', exchange: 'NSE', price: 100, prev_close: 99 },
  { total_margin: 5, message: '', code: 1 },
  { code: 1, marginInfo: {} },
  { message: 'user info', env_info: {} },
  { message: 'charts', result: [] },
  { message: 'corporate actions', result: { corporate_actions: [] } },
  { message: 'update request pushed' },
  { order_id: '5', order_status: 'ORDER_STATUS_PENDING' },
  { basket_id: '5', basket_name: 'Mine', orders: [] },
];
const datesFor = (name: ReportName) =>
  reportKinds[name].dates === 'single' ? { date: '2026-04-30' } : { from: '2026-04-01', to: '2026-04-30' };

it.each(OTHERS.map((other) => [other]))('%j is no report, and no e-mail of one', async (other) => {
  for (const name of reportsWith('view')) {
    if (
      /orderbook|tradebook/.test(reportKinds[name].endpoint.path) &&
      /order|basket/.test(knownKind(other as never) ?? '')
    )
      continue;
    const { transport } = scriptedTransport([{ json: other }]);
    await expect(viewReport(transport, name, datesFor(name))).rejects.toThrow(/with .+, which is something else/);
  }
  for (const name of reportsWith('email')) {
    const { transport } = scriptedTransport([{ json: other }]);
    await expect(emailReport(transport, name, datesFor(name), 'PDF')).rejects.toThrow(/does not say whether/);
  }
});

it.each<object>([
  { message: 'ok' },
  { status: 'success', data: {} },
  { message: 'Report', success: true, code: 200, data: null },
])('%j holds nothing of a report', async (reply) => {
  const { transport } = scriptedTransport([{ json: reply }]);
  await expect(viewReport(transport, 'ledger', datesFor('ledger'))).rejects.toThrow(/something that is not a report/);
});

it.each(['No data', 'no records found for the range'])(
  'the message "%s" alone means that there is no data',
  async (message) => {
    const { transport } = scriptedTransport([{ json: { message, data: null } }]);
    const refused: unknown = await viewReport(transport, 'ledger', datesFor('ledger')).catch((error: unknown) => error);
    expect([refused instanceof UnreadableReplyError, isWithoutData(refused)]).toEqual([true, true]);
  },
);

it('orders are rows of a tradebook, as some brokers write it', async () => {
  const rows = [
    { order_id: '5', order_status: 'FILLED', date: '2026-04-02', symbol: 'INFY', side: 'BUY', qty: 1, price: 10 },
  ];
  const { transport } = scriptedTransport([{ json: rows }]);
  const report = await viewReport(transport, 'tradebook', datesFor('tradebook'));
  expect(readTradebook(report).fills).toHaveLength(1);
});

type ReadCall = (transport: Transport, paths: 'v2' | 'intent') => Promise<unknown>;
const positions: ReadCall = async (transport, paths) => await getPositions(transport, undefined, paths);
const holdings: ReadCall = async (transport, paths) => await getHoldings(transport, undefined, paths);
const HELD = [
  { holdings: null },
  { holdings: [], holding_stats: {} },
  { holdingStats: {}, holdings: [{ refId: 1, quantity: 5 }] },
];
const OPEN = [
  { position_stats: {}, stock_positions: null },
  { positionStats: {}, positions: [] },
  { close_positions: [{ ref_id: 1, qty: 5 }] },
];

it.each([
  ...HELD.map((portfolio) => ['positions', 'the holdings', portfolio, positions] as const),
  ...OPEN.map((portfolio) => ['holdings', 'the positions', portfolio, holdings] as const),
])('no list of %s comes of %s: %j', async (_part, other, portfolio, read) => {
  for (const paths of ['v2', 'intent'] as const) {
    const { transport } = scriptedTransport([
      { json: { portfolio: { client_code: 'C', clientCode: 'C', ...portfolio } } },
    ]);
    await expect(read(transport, paths)).rejects.toThrow(`with ${other}, which is something else`);
  }
});

it('a portfolio with both parts has each', async () => {
  const json = { portfolio: { client_code: 'C', holdings: [], stock_positions: [] } };
  for (const read of [positions, holdings]) {
    const { transport } = scriptedTransport([{ json }]);
    await expect(read(transport, 'v2')).resolves.toMatchObject({ client_code: 'C' });
  }
});

it.each<object>([{ orders: [], count: 0 }, { message: 'ok' }, { data: [] }])(
  'an option chain at given moments does not come of %j',
  async (json) => {
    const { transport } = scriptedTransport([{ json }]);
    const moments = [{ at: Date.parse('2026-11-20T05:00:00Z'), strikes: [1] }];
    const asked = { exchange: 'NSE', asset: 'NIFTY', expiry: '2026-11-24', field: 'cumulative_oi' as const, moments };
    await expect(getChainMoments(transport, asked)).rejects.toThrow('holds no result');
  },
);
