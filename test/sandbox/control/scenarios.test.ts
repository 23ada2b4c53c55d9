/** View of a workflow on each scenario: over HTTP, from outside. */
import { logIn, start, type Bench } from '../support';
import type { Instrument } from '../../../sandbox/src/market/reference/types';

let bench: Bench;
afterEach(() => bench.close());

const open = async (options: Parameters<typeof start>[0] = {}) => {
  bench = await start({ hours: 'exchange', rateLimit: 'off', ...options });
};
const begin = async (body: object) => await bench.http.post('/_sandbox/scenarios', body);
const world = () => bench.running.sandbox.world;
const find = (symbol: string, exchange: 'NSE' | 'BSE' | 'MCX' = 'NSE') =>
  world().universe().bySymbol(exchange, symbol)!;
const last = (instrument: Instrument) => world().lastPrice(instrument);
/** Asks for a quote. @returns the service's answer */
const quote = async (session: Record<string, string>, { symbol }: Instrument) =>
  await bench.http.get(`/optionchains/${symbol}/price?exchange=NSE`, { headers: session });

async function buy(session: Record<string, string>, instrument: Instrument, more: object = {}) {
  const { data, status } = await bench.http.post(
    '/orders/v2/single',
    {
      ref_id: instrument.refId,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: instrument.lotSize,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'LIMIT',
      order_price: last(instrument),
      tag: 'scenario',
      ...more,
    },
    { headers: session },
  );
  return { data, status };
}

/** Change of a price since the first one, percent. */
const since = (first: number, instrument: Instrument) => (last(instrument) / first - 1) * 100;

it('lists what can happen, with what each takes', async () => {
  await open();
  const { data } = await bench.http.get('/_sandbox/scenarios');
  expect(data.scenarios.map(({ name }: { name: string }) => name)).toEqual([
    'flash_crash',
    'gap_up',
    'gap_down',
    'limit_up',
    'volatility_crush',
    'expiry_pinning',
    'trading_halt',
    'broker_outage',
    'margin_call',
  ]);
  expect(data.running).toEqual([]);
  expect(data.scenarios[0]).toMatchObject({ instrument: 'NIFTY', percent: { usual: 8, least: 1, most: 40 } });
});

it.each([
  [{ name: 'rain' }, 'There is no scenario rain; there are flash_crash'],
  [{ name: 'flash_crash', percent: 0 }, 'percent of flash_crash must be from 1 to 40, not 0'],
  [{ name: 'flash_crash', minutes: 1e9 }, 'minutes of flash_crash must be from 1 to 240'],
  [{ name: 'trading_halt', percent: 5 }, 'trading_halt takes no percent'],
  [{ name: 'flash_crash', symbol: 'NOTHING' }, 'There is no instrument NOTHING on NSE'],
  [{ name: 'flash_crash', ref_id: 1 }, 'There is no instrument with ref_id 1'],
  [{ name: 'limit_up', symbol: 'INFY' }, 'INFY has no fixed price band'],
  [{}, 'name is required'],
])('%j is refused, and nothing is written down', async (body, says) => {
  await open();
  const { status, data } = await begin(body);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(data)).toContain(says);
  expect((await bench.http.get('/_sandbox/journal?kind=scenario')).data).toEqual([]);
});

it('is refused where nothing trades', async () => {
  await open({ start: '2026-11-22T10:00:00.000+05:30' });
  expect((await begin({ name: 'flash_crash' })).data.error).toContain('NIFTY does not trade now');
});

it('a flash crash makes prices fall together, the book thin and wide, options dearer, and most comes back', async () => {
  await open();
  const session = await logIn(bench);
  const [nifty, infy, sensex] = [find('NIFTY'), find('INFY'), find('SENSEX', 'BSE')];
  const firsts = [nifty, infy, sensex].map(last);
  const spread = () => {
    const { bids, asks } = world().exchange.bookSnapshot(infy, bench.running.sandbox.instant, 5);
    return { ticks: asks[0]!.price - bids[0]!.price, shown: bids.reduce((sum, { quantity }) => sum + quantity, 0) };
  };
  const calm = spread();
  const reply = await begin({ name: 'flash_crash', percent: 6, minutes: 10 });
  expect(reply.data).toMatchObject({ id: 1, name: 'flash_crash', to: '2026-11-23T10:10:00.000+05:30' });
  await bench.advance('PT3M');
  expect(since(firsts[0]!, nifty)).toBeLessThan(-5.5);
  expect(since(firsts[1]!, infy)).toBeLessThan(-2);
  expect(since(firsts[2]!, sensex)).toBeLessThan(-4.5);
  expect(spread().ticks).toBeGreaterThan(calm.ticks);
  expect(spread().shown).toBeLessThan(calm.shown / 2);
  expect((await quote(session, infy)).data.price).toBe(last(infy));
  expect((await bench.http.get('/_sandbox/scenarios')).data.running).toHaveLength(1);
  await bench.advance('PT8M');
  expect(since(firsts[0]!, nifty)).toBeGreaterThan(-3);
  expect((await bench.http.get('/_sandbox/scenarios')).data.running).toEqual([]);
  const bars = world().market.bars(nifty, '1m', Date.parse('2026-11-23T10:00:00+05:30'), bench.running.sandbox.instant);
  expect(Math.min(...bars.map(({ low }) => low))).toBeLessThan(firsts[0]! * 0.945);
  const [entry] = (await bench.http.get('/_sandbox/journal?kind=scenario')).data;
  expect(entry).toMatchObject({ name: 'flash_crash', scenario_id: 1 });
});

it.each([
  ['gap_up', 4],
  ['gap_down', -4],
])('a %s makes the next day open elsewhere, and nothing before it does', async (name, percent) => {
  await open({ start: '2026-11-23T15:00:00.000+05:30' });
  const [nifty, infy] = [find('NIFTY'), find('INFY')];
  const first = last(nifty);
  expect((await begin({ name, percent: Math.abs(percent) })).data.from).toBe('2026-11-25T09:08:00.000+05:30');
  await bench.advance('PT20M');
  expect(Math.abs(since(first, nifty))).toBeLessThan(1.5);
  await bench.http.post('/_sandbox/clock', { set: '2026-11-25T09:16:00.000+05:30' });
  const { market } = world();
  const at = bench.running.sandbox.instant;
  expect((last(nifty) / market.previousClose(nifty, at) - 1) * 100).toBeGreaterThan(percent - 1.5);
  expect((last(nifty) / market.previousClose(nifty, at) - 1) * 100).toBeLessThan(percent + 1.5);
  expect(Math.sign(last(infy) / market.previousClose(infy, at) - 1)).toBe(Math.sign(percent));
});

it('limit-up keeps the price at its band, where nobody sells and a purchase waits; a new day goes on from there', async () => {
  await open();
  const session = await logIn(bench);
  const { data } = await begin({ name: 'limit_up', minutes: 1 });
  const name = data.story.split(' ')[0] as string;
  const share = find(name);
  await bench.advance('PT5M');
  const at = bench.running.sandbox.instant;
  const high =
    Math.floor((world().market.previousClose(share, at) * (100 + share.bandPercent!)) / 100 / share.tickSize) *
    share.tickSize;
  expect(last(share)).toBe(high);
  expect(world().exchange.bookSnapshot(share, at, 5).asks).toEqual([]);
  const placed = await buy(session, share, { order_price: high });
  expect(placed.status).toBe(200);
  await bench.advance('PT30M');
  const [order] = world().ordersOf('SBX001');
  expect(order).toMatchObject({ status: 'OPEN', filledQuantity: 0 });
  await bench.http.post('/_sandbox/clock', { set: '2026-11-25T11:00:00.000+05:30' });
  expect(world().market.previousClose(share, bench.running.sandbox.instant)).toBe(high);
  expect(Math.abs(since(high, share))).toBeLessThan(share.bandPercent!);
});

it('a volatility crush makes calls and puts lose; NIFTY does not move, and other underlyings keep their volatility', async () => {
  await open();
  const [nifty, bank] = [find('NIFTY'), find('BANKNIFTY')];
  const atTheMoney = (of: Instrument) => {
    const { universe, lastPrice } = { universe: world().universe(), lastPrice: last(of) };
    const { ce, pe } = universe.options('NSE', of.symbol, universe.expiries('NSE', of.symbol)[1]!);
    const near = (a: Instrument, b: Instrument) =>
      Math.abs(b.strikePrice - lastPrice) < Math.abs(a.strikePrice - lastPrice) ? b : a;
    return [ce.reduce(near), pe.reduce(near)];
  };
  const [own, other] = [atTheMoney(nifty), atTheMoney(bank)];
  const iv = (instrument: Instrument) => world().market.greeks(instrument, bench.running.sandbox.instant).iv;
  const [before, others] = [own.map(iv), other.map(iv)];
  await begin({ name: 'volatility_crush', percent: 40, minutes: 5 });
  await bench.advance('PT6M');
  own.forEach((instrument, i) => expect(iv(instrument) / before[i]!).toBeCloseTo(0.6, 1));
  other.forEach((instrument, i) => expect(iv(instrument) / others[i]!).toBeGreaterThan(0.9));
});

it('expiry pinning brings NIFTY to the strike, where it is settled next to it', async () => {
  // A Monday: its Tuesday is a holiday.
  await open();
  const nifty = find('NIFTY');
  const { data } = await begin({ name: 'expiry_pinning' });
  const strike = Number(/drawn to ([\d.]+)/.exec(data.story as string)![1]) * 100;
  await bench.advance('PT3H');
  expect(Math.abs(last(nifty) / strike - 1)).toBeLessThan(0.001);
  await bench.http.post('/_sandbox/clock', { set: '2026-11-25T10:00:00.000+05:30' });
  const close = world().market.previousClose(nifty, bench.running.sandbox.instant);
  expect(Math.abs(close / strike - 1)).toBeLessThan(0.001);
});

it('expiry pinning pins nothing on a day on which nothing expires', async () => {
  await open({ start: '2026-11-25T10:00:00.000+05:30' });
  const { status, data } = await begin({ name: 'expiry_pinning' });
  expect(status).toBe(400);
  expect(data.error).toContain('No option on NIFTY expires today: the next expiry is 20261201');
});

it('a halt refuses orders, opens shares by an auction, and lets MCX trade on', async () => {
  await open();
  const session = await logIn(bench);
  await begin({ name: 'trading_halt' });
  await bench.advance('PT6M');
  const infy = find('INFY');
  const [crude] = world().universe().futures('MCX', 'CRUDEOIL') as [Instrument];
  const at = () => bench.running.sandbox.instant;
  expect(world().exchange.isOpen(infy, at())).toBe(false);
  expect(world().exchange.isOpen(crude, at())).toBe(true);
  expect((await buy(session, infy)).status).toBe(200);
  await bench.advance('PT10S');
  expect(world().ordersOf('SBX001')[0]).toMatchObject({ status: 'REJECTED' });
  const halted = last(infy);
  await bench.advance('PT42M');
  expect(last(infy)).toBe(halted);
  const bid = Math.floor((halted * 1.03) / infy.tickSize) * infy.tickSize;
  expect((await buy(session, infy, { order_price: bid })).status).toBe(200);
  await bench.advance('PT5S');
  expect(world().ordersOf('SBX001')[1]).toMatchObject({ status: 'OPEN', filledQuantity: 0 });
  await bench.advance('PT16M');
  expect(world().ordersOf('SBX001')[1]).toMatchObject({ status: 'FILLED' });
  expect(world().exchange.isOpen(infy, at())).toBe(true);
});

it('a broker outage answers 503 to everything, streams too, while the exchange fills what it has', async () => {
  await open();
  const session = await logIn(bench);
  const infy = find('INFY');
  const low = Math.floor((last(infy) * 0.99) / infy.tickSize) * infy.tickSize;
  await buy(session, infy, { order_price: low });
  await begin({ name: 'broker_outage', percent: 4, minutes: 10 });
  expect((await buy(session, infy)).status).toBe(503);
  expect((await bench.http.get('/orders/v2', { headers: session })).status).toBe(503);
  await bench.advance('PT9M');
  expect((await bench.http.get('/userinfo', { headers: session })).status).toBe(503);
  expect((await bench.http.get('/_sandbox/health')).status).toBe(200);
  expect(world().ordersOf('SBX001')).toMatchObject([{ status: 'FILLED' }]);
  await bench.advance('PT2M');
  expect((await bench.http.get('/userinfo', { headers: session })).status).toBe(200);
});

it('is the same again from the same seed and the same commands', async () => {
  const prices: number[][] = [];
  for (let round = 0; round < 2; round++) {
    await open();
    await begin({ name: 'flash_crash' });
    const seen: number[] = [];
    for (let minute = 0; minute < 4; minute++) {
      await bench.advance('PT1M');
      seen.push(last(find('NIFTY')), last(find('INFY')));
    }
    prices.push(seen);
    if (round === 0) await bench.close();
  }
  expect(prices[0]).toEqual(prices[1]);
});
