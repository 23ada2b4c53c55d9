/** The scenario margin_call as a workflow sees it: funds, order list and stream, from outside. */
import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { StreamClient } from '../stream/client';
import type { Instrument } from '../../../sandbox/src/market/reference/types';

let bench: Bench;
let session: Record<string, string>;
let stream: StreamClient | undefined;
beforeEach(async () => {
  bench = await start({ hours: 'exchange', rateLimit: 'off' });
  session = await logIn(bench);
});
afterEach(async () => {
  stream?.socket.terminate();
  stream = undefined;
  await bench.close();
});

const world = () => bench.running.sandbox.world;
const begin = async (body: object) => await bench.http.post('/_sandbox/scenarios', body);
const future = (asset = 'NIFTY') => world().universe().futures('NSE', asset)[0]!;
const funds = async () =>
  (await bench.http.get('/portfolio/user_funds_and_margin', { headers: session })).data.port_funds_and_margin;
const orders = async (): Promise<Record<string, unknown>[]> =>
  (await bench.http.get('/orders', { headers: session })).data;
const calls = async (): Promise<string[]> =>
  (await bench.http.get('/_sandbox/journal?kind=margin_call')).data.map(({ event }: { event: string }) => event);

async function trade({ refId, lotSize }: Instrument, side: 'BUY' | 'SELL', lots: number) {
  const { status } = await bench.http.post(
    '/orders/v2/single',
    {
      ...MARKET_ORDER,
      ref_id: refId,
      order_qty: lots * lotSize,
      order_side: `ORDER_SIDE_${side}`,
      tag: 'mine',
    },
    { headers: session },
  );
  expect(status).toBe(200);
  await bench.advance('PT5S');
}

/** Leaves an account little beside its margin. */
const leave = async (paise: number) =>
  expect((await bench.http.post('/_sandbox/accounts/9000000001', { funds: paise })).status).toBe(200);

async function subscribe(): Promise<StreamClient> {
  const token = session['authorization']!.slice(7);
  const url = (await bench.http.get('/userinfo', { headers: session })).data.env_info.order_service_ws_url;
  stream = await new StreamClient(`${url}?token=${token}`).open();
  stream.socket.send(`subscribe ${token} direct_intent notification`);
  while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
  return stream;
}

it.each(['BUY', 'SELL'] as const)(
  'the market moves against the future of a %s, and the broker closes it',
  async (side) => {
    await trade(future(), side, 20);
    await leave(2_000_000);
    const client = await subscribe();
    const { data, status } = await begin({ name: 'margin_call' });
    expect(status).toBe(200);
    expect(data.story).toMatch(side === 'BUY' ? /^NIFTY falls by/ : /^NIFTY rises by/);
    await bench.advance('PT30M');
    expect((await calls()).slice(0, 2)).toEqual(['called', 'square_off']);
    const closing = side === 'BUY' ? 'ORDER_SIDE_SELL' : 'ORDER_SIDE_BUY';
    const forced = (await orders()).filter(({ order_source }) => order_source === 'ORDER_SOURCE_MARGIN_SQUARE_OFF');
    expect(forced[0]).toMatchObject({
      order_side: closing,
      ref_id: future().refId,
      order_status: 'ORDER_STATUS_FILLED',
    });
    const update = await client.update();
    expect(update.intentOrderResponse).toMatchObject({ orderSide: closing });
    expect(world().accounts.marginPositions('SBX001')).toEqual([]);
  },
);

it('a sold option is closed too', async () => {
  const universe = world().universe();
  const expiry = universe.expiries('NSE', 'NIFTY')[1]!;
  const spot = world().lastPrice(universe.bySymbol('NSE', 'NIFTY')!);
  const put = universe.options('NSE', 'NIFTY', expiry).pe.findLast(({ strikePrice }) => strikePrice < spot * 0.98)!;
  await trade(put, 'SELL', 10);
  await leave(1_000_000);
  const { data } = await begin({ name: 'margin_call', minutes: 5 });
  expect(data.story).toMatch(/^NIFTY falls by/);
  await bench.advance('PT30M');
  expect((await calls()).slice(0, 2)).toEqual(['called', 'square_off']);
});

it('funds show the loss before it is realised', async () => {
  await trade(future(), 'BUY', 20);
  await leave(30_000_000);
  const before = (await funds()).net_margin_available;
  const nifty = world().universe().bySymbol('NSE', 'NIFTY')!;
  await bench.http.post('/_sandbox/market', {
    ref_id: nifty.refId,
    price: Math.round(world().lastPrice(nifty) * 0.995),
  });
  await bench.advance('PT2S');
  expect((await funds()).net_margin_available).toBeLessThan(before - 2_000_000);
  expect((await funds()).realised_pnl).toBe(0);
});

it('is refused where nobody is on margin, elsewhere than the position is, and where there is too much money', async () => {
  expect((await begin({ name: 'margin_call' })).data.error).toContain('an intraday position: open one first');
  expect((await begin({ name: 'margin_call', symbol: 'INFY' })).data.error).toContain('open one first');
  await trade(future(), 'BUY', 1);
  expect((await begin({ name: 'margin_call', symbol: 'INFY' })).data.error).toContain('open one first');
  expect((await begin({ name: 'margin_call' })).data.error).toContain('too much money for a margin call');
  expect((await begin({ name: 'margin_call', percent: 3 })).data.error).toContain('takes no percent');
  expect((await bench.http.get('/_sandbox/journal?kind=scenario')).data).toEqual([]);
});
