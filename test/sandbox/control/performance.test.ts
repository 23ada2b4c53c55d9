/** The session report over HTTP: what was really traded, in three formats. */
import { pdfText } from '../../support/pdf';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';

let bench: Bench;
let headers: Record<string, string>;
let refId: number;

beforeAll(async () => {
  bench = await start({ hours: 'exchange' });
  headers = {
    ...(await logIn(bench)),
    'x-n8n-execution': '41',
    'x-n8n-workflow': 'w1',
    'x-n8n-workflow-name': 'Fr%C3%BCh%20kaufen',
    'x-n8n-node': 'Buy',
  };
  ({ refId } = bench.running.sandbox.world.universe().bySymbol('NSE', 'RELIANCE')!);
  for (const side of ['BUY', 'SELL']) {
    const { status } = await bench.http.post('/orders/v2/single', marketOrder(side), { headers });
    expect(status).toBe(200);
    await bench.advance('PT10M');
  }
});
afterAll(() => bench.close());

const marketOrder = (side: string) => ({
  ...MARKET_ORDER,
  ref_id: refId,
  order_qty: 20,
  order_side: `ORDER_SIDE_${side}`,
  order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  tag: 'breakout',
});
const report = async (query = '') => await bench.http.get(`/_sandbox/performance${query}`);

it('tells the trade with its execution, its slippage, and the equity to the paisa', async () => {
  const { status, data } = await report('?phone=9000000001');
  expect(status).toBe(200);
  const { equity, round_trips: trips } = data;
  expect(trips).toHaveLength(1);
  expect(trips[0]).toMatchObject({
    symbol: 'RELIANCE',
    side: 'LONG',
    quantity: 20,
    open: false,
    tag: 'breakout',
    holding_seconds: 600,
    placed_by: { workflow: 'w1', workflow_name: 'Früh kaufen', execution: '41', node: 'Buy' },
  });
  // A market order buys at the offer and sells at the bid: half the spread each, and what it pushes.
  expect(trips[0].slippage).toBeGreaterThan(0);
  expect(data.by_workflow).toMatchObject([{ name: 'Früh kaufen', trades: 1, net: data.result }]);
  expect(equity.end - equity.start).toBe(equity.result + equity.held_before + equity.external + equity.set_by_hand);
  expect(data.curve.at(-1)).toMatchObject({ result: data.result, net_exposure: 0 });
  expect(data.market).toMatchObject({ symbol: 'NIFTY' });
  expect(data.days).toHaveLength(1);
});

it('charges are those of the account', async () => {
  const { data } = await report();
  const { clientCode } = bench.running.sandbox.users.phone('9000000001')!;
  expect(data.costs).toBe(bench.running.sandbox.world.accounts.funds(clientCode).charges);
});

it('the report comes as CSV and as PDF', async () => {
  const csv = await report('?format=csv');
  expect(csv.headers['content-type']).toContain('text/csv');
  expect(csv.data).toMatch(
    /\r\nRELIANCE,Long,20,2026-11-23 10:00,[\d.]+,2026-11-23 10:10,.*,Früh kaufen,breakout,600\r\n$/,
  );
  expect((await report('?format=csv&table=days')).data).toContain('2026-11-23,1,');
  const pdf = await bench.http.get('/_sandbox/performance?format=pdf', {
    responseType: 'arraybuffer',
    transformResponse: [(bytes: Buffer) => bytes],
  });
  const text = await pdfText(pdf.data as Buffer);
  expect(text).toContain('Performance');
  expect(text).toContain('RELIANCE');
  expect(text).toContain('1 closed trade: fewer than 30 prove nothing');
});

it('another account has none of it', async () => {
  expect((await report('?phone=9000000002')).data).toMatchObject({ result: 0, round_trips: [] });
});

it.each([
  ['?phone=1', 404, 'No account has the phone number 1'],
  ['?from=2026-11-24', 400, 'must not be after'],
  ['?from=2026-11-24&to=2026-11-25', 400, 'must not be after today'],
  ['?from=2026-02-30', 400, 'from must be a day such as'],
  ['?to=yesterday', 400, 'to must be a day such as'],
  ['?format=xml', 400, 'format must be json, csv or pdf'],
  ['?format=csv&table=all', 400, 'table must be one of trades, days'],
])('refuses %s', async (query, status, words) => {
  const reply = await report(query);
  expect(reply.status).toBe(status);
  expect(JSON.stringify(reply.data)).toContain(words);
});
