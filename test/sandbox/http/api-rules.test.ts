import type { AxiosResponse } from 'axios';
import { FIRST, MARKET_ORDER, logIn, start, type Bench } from '../support';
import { decode } from './jwt';

const ACCOUNT = `/_sandbox/accounts/${FIRST.phone}`;

describe('--rules 2026', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let refId: number;
  beforeEach(async () => {
    bench = await start({ rules: '2026' });
    headers = await logIn(bench);
    refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
  });
  afterEach(() => bench.close());

  const body = () => ({
    ...MARKET_ORDER,
    ref_id: refId,
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  });
  const item = (count: number) => ({
    orders: Array.from({ length: count }, () => ({
      refId,
      qty: 1,
      side: 'BUY',
      deliveryType: 'IDAY',
      priceType: 'MARKET',
      validityType: 'IOC',
      isMultiLeg: false,
      executionMode: 'ENTRY',
      stratTags: ['t'],
    })),
  });
  const place = () => bench.http.post('/orders/v2/single', body(), { headers });
  const orders = async () => ((await bench.http.get('/orders', { headers })).data as unknown[]).length;
  const reported = ({ status, data }: AxiosResponse) => [status, data.error];

  it('takes orders from this machine by default, and from another address only what is no order', async () => {
    const placed = await place();
    expect(placed.status).toBe(200);
    await bench.http.post(ACCOUNT, { static_ip: { primary: '203.0.113.7' } });
    const elsewhere = [403, 'The request does not come from the registered IP address'];
    const { order_id } = placed.data;
    expect(reported(await place())).toEqual(elsewhere);
    expect(reported(await bench.http.post('/sentinel/orders/create', item(1), { headers }))).toEqual(elsewhere);
    expect(reported(await bench.http.delete(`/orders/${order_id}`, { headers }))).toEqual(elsewhere);
    expect((await bench.http.get(`/orders/${order_id}`, { headers })).status).toBe(200);
    expect((await bench.http.get('/sentinel/orders', { headers })).status).toBe(200);
    expect((await bench.http.get('/ipaddress/validate', { headers })).data.is_matched).toBe(false);
  });

  it('refuses the orders of an account that has no address registered', async () => {
    await bench.http.post(ACCOUNT, { static_ip: null });
    expect(reported(await place())).toEqual([403, 'No IP addresses registered for user']);
    expect(await orders()).toBe(0);
  });

  it('takes ten orders a second on an exchange over both interfaces; a request beyond that is refused as a whole', async () => {
    for (let count = 0; count < 6; count += 1) expect((await place()).status).toBe(200);
    const over = [429, 'Too many orders: at most 10 a second on NSE'];
    expect(reported(await bench.http.post('/sentinel/orders/create', item(5), { headers }))).toEqual(over);
    await bench.advance('PT5S');
    expect(await orders()).toBe(6);
    expect((await bench.http.post('/sentinel/orders/create', item(10), { headers })).status).toBeLessThan(300);
    expect(reported(await place())).toEqual(over);
    await bench.advance('PT1S');
    expect(
      reported(await bench.http.post('/orders/v2/multi', { orders: Array(11).fill(body()) }, { headers })),
    ).toEqual(over);
    await bench.advance('PT5S');
    expect(await orders()).toBe(16);
  });

  it('counts an iceberg as one order', async () => {
    const iceberg = {
      ...body(),
      order_type: 'ORDER_TYPE_ICEBERG',
      order_qty: 20,
      price_type: 'LIMIT',
      order_price: 100_000,
      algo_params: { leg_size: 1 },
    };
    const statuses = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await bench.http.post('/orders/v2/single', iceberg, { headers })).data.error ?? 'taken');
    expect(statuses.slice(0, 10).some((statuse) => String(statuse).startsWith('Too many'))).toBe(false);
    expect(statuses[10]).toBe('Too many orders: at most 10 a second on NSE');
  });

  it('ends sessions and logins at six in the morning', async () => {
    const ends = (headers: Record<string, string>) =>
      new Date(decode(headers.authorization!.slice('Bearer '.length)).exp * 1000).toISOString().slice(0, 16);
    expect(ends(headers)).toBe('2026-11-23T11:30');
    await bench.advance('PT17H');
    const late = await logIn(bench);
    expect(ends(late)).toBe('2026-11-24T00:30');
    await bench.advance('PT3H');
    expect((await bench.http.get('/userinfo', { headers: late })).status).toBe(440);
  });
});
