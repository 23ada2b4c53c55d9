import { logIn, start, DEVICE, FIRST, SECOND, type Bench } from '../support';
import { StreamClient } from '../stream/client';
import { share } from '../../support/sample';

let bench: Bench;
let headers: Record<string, string>;
let infy: number;
beforeAll(async () => {
  bench = await start({ rateLimit: 'off', hours: 'exchange' });
  headers = await logIn(bench);
  const { data } = await get('/refdata/refdata/2026-11-23');
  infy = data.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM').ref_id;
});
afterAll(() => bench.close());

const get = (path: string, by = headers) => bench.http.get(path, { headers: by });
const post = (path: string, body: unknown) => bench.http.post(path, body, { headers });
const bhavcopy = (date: string, type = `FO${date}`, by = headers) =>
  get(`/bhavcopy/nse/${date}?format=csv&type=${type}`, by);
const candles = (interval: string, startDate: string) =>
  post('/charts/timeseries', {
    query: [
      {
        exchange: 'NSE',
        type: 'STOCK',
        values: ['INFY'],
        fields: ['close'],
        interval,
        startDate,
        endDate: '2026-11-23T04:30:00.000Z',
      },
    ],
  });
const order = (more: Record<string, unknown>) =>
  post('/orders/v2/single', {
    ref_id: infy,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: 10,
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
    validity_type: 'DAY',
    price_type: 'LIMIT',
    order_price: 100_000,
    ...more,
  });

describe('Errors', () => {
  it('Bhavcopy not yet generated: is answered by 440', async () => {
    expect((await bhavcopy('20261123')).status).toBe(440);
  });

  it.each([
    ['future', '20261124'],
    ['invalid', '20261131'],
    ['non-trading', '20261122'],
  ])('Bhavcopy requested for a %s date: is answered by 440', async (_what, date) => {
    expect((await bhavcopy(date)).status).toBe(440);
  });

  it('Bhavcopy requested with an invalid or expired session: is answered by 440', async () => {
    expect((await bhavcopy('20261120', 'PR20261120', { ...headers, authorization: 'Bearer no' })).status).toBe(440);
    const other = await start();
    const by = await logIn(other);
    await other.advance('PT7H');
    expect((await other.http.get('/bhavcopy/nse/20261120?format=csv&type=PR20261120', { headers: by })).status).toBe(
      440,
    );
    await other.close();
  });

  it('Report requested for a window with no data: gives a server error that says so and to retry later', async () => {
    const sunday = '2026-11-22T00:00:00+05:30';
    const { status, data } = await post('/report/contract_note', {
      action_type: 'VIEW',
      export_format: 'JSON',
      from_date: sunday,
      to_date: sunday,
    });
    expect(status).toBe(500);
    expect(data.error).toMatch(/report generation failed.*retry later/i);
  });

  it.each([
    ['MCX', 'GOLD'],
    ['BSE', 'SENSEX'],
  ])(
    'Current price for a %s instrument without exchange: gives an error of the lookup on NSE',
    async (exchange, asset) => {
      const { sandbox } = bench.running;
      const symbol = exchange === 'BSE' ? asset : sandbox.world.universe().futures('MCX', asset)[0]!.symbol;
      expect((await get(`/optionchains/${symbol}/price?exchange=${exchange}`)).data.exchange).toBe(exchange);
      const { status, data } = await get(`/optionchains/${symbol}/price`);
      expect([status, data.error]).toEqual([404, expect.stringContaining('NSE')]);
    },
  );

  it('WebSocket token invalid: the socket answers Invalid Token', async () => {
    const client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=no`).open();
    expect(await client.next()).toBe('Invalid Token');
    await client.closed;
  });

  it('Cancel with ids that are not valid pending orders: is not accepted', async () => {
    expect((await post('/orders/cancel', { orders: [{ order_id: 1 }] })).status).toBe(400);
    expect((await bench.http.delete('/orders/1', { headers })).status).toBe(404);
  });

  it('totp sent as a number at /totp/login: the request fails to parse', async () => {
    const { status, data } = await bench.http.post(
      '/totp/login',
      { phone: FIRST.phone, totp: 123456, otp: '' },
      { headers: { 'x-device-id': DEVICE } },
    );
    expect([status, data.error]).toEqual([400, expect.stringContaining('totp')]);
  });

  it('Bhavcopy type suffix differing from {date}: the request fails', async () => {
    expect((await bhavcopy('20261120', 'PR20261119')).status).toBe(400);
  });
});

describe('Limits', () => {
  it.each(share(['1s', '1m', '2m', '3m', '5m', '15m', '30m', '1h'], 4, 0))(
    'Historical window of %s: is the last 3 months',
    async (interval) => {
      const short =
        { '1s': '2026-11-23T04:20:00.000Z', '1m': '2026-11-20T00:00:00.000Z' }[interval] ?? '2026-08-24T00:00:00.000Z';
      expect((await candles(interval, short)).status).toBe(200);
      expect((await candles(interval, '2026-08-22T00:00:00.000Z')).status).toBe(400);
    },
  );

  it.each(share(['1d', '1w', '1mth'], 3, 1))('Historical window of %s: is up to 10 years', async (interval) => {
    expect((await candles(interval, '2016-11-24T00:00:00.000Z')).status).toBe(200);
    expect((await candles(interval, '2016-11-20T00:00:00.000Z')).status).toBe(400);
  });

  it('Report date range: is clamped to minDate and maxDate of the report', async () => {
    const { data } = await get('/report');
    const { minDate, maxDate } = data.res.reports.find(({ type }: { type: string }) => type === 'summary');
    const reply = await post('/report/summary', {
      action_type: 'DOWNLOAD',
      export_format: 'PDF',
      from_date: '2001-01-01T00:00:00+05:30',
      to_date: '2040-01-01T00:00:00+05:30',
    });
    expect(reply.headers['content-disposition']).toContain(`${minDate.slice(0, 10)}_${maxDate.slice(0, 10)}`);
  });

  it('OTP attempts: are 4, then one fewer with each wrong OTP, then none', async () => {
    const begun = await bench.http.post('/sendphoneotp', { phone: SECOND.phone, skip_totp: false });
    const sent = await bench.http.post(
      '/sendphoneotp',
      { phone: SECOND.phone, skip_totp: true },
      { headers: { 'x-temp-token': begun.data.temp_token } },
    );
    expect([begun.data.attempts_left, sent.data.attempts_left]).toEqual([4, 4]);
    const verify = () =>
      bench.http.post(
        '/verifyphoneotp',
        { phone: SECOND.phone, otp: 'wrong' },
        { headers: { 'x-temp-token': sent.data.temp_token, 'x-device-id': DEVICE } },
      );
    for (const left of [3, 2, 1, 0]) expect((await verify()).data.attempts_left).toBe(left);
    expect((await verify()).status).toBe(403);
  });

  it('Iceberg: requires order_qty greater than leg_size', async () => {
    const iceberg = (leg_size: number) => order({ order_type: 'ORDER_TYPE_ICEBERG', algo_params: { leg_size } });
    expect([(await iceberg(10)).status, (await iceberg(11)).status, (await iceberg(5)).status]).toEqual([
      400, 400, 200,
    ]);
  });

  describe('Flexi basket', () => {
    const basket = async (more: Record<string, unknown> = {}, params: Record<string, unknown> = {}) => {
      const { chain } = (await get('/optionchains/NIFTY')).data;
      const orders = [chain.ce[0], chain.pe[0]].map(({ ref_id, ls }) => ({
        ref_id,
        order_qty: ls,
        order_side: 'ORDER_SIDE_BUY',
      }));
      const basket_params = {
        order_side: 'ORDER_SIDE_BUY',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
        price_type: 'MARKET',
        multiplier: 1,
        ...params,
      };
      return { body: { exchange: 'NSE', basket_name: 'b', tag: '', orders, basket_params, ...more }, orders };
    };

    it('is on one underlying asset', async () => {
      const { orders } = await basket();
      const { body } = await basket({
        orders: [orders[0], { ref_id: infy, order_qty: 1, order_side: 'ORDER_SIDE_BUY' }],
      });
      expect((await post('/orders/v2/basket', body)).data.error).toMatch(/all legs must have/);
    });

    it('is on one exchange', async () => {
      expect((await post('/orders/v2/basket', (await basket({ exchange: 'MCX' })).body)).data.error).toMatch(
        /all legs must be on MCX/,
      );
    });

    it('has an exit time only for intraday, 15:05 when none is given, and no modification', async () => {
      const delivery = await basket(
        {},
        { order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC', exit_time: '2026-11-23T09:00:00.000Z' },
      );
      expect((await post('/orders/v2/basket', delivery.body)).data.error).toMatch(
        /exit_time is only for intraday baskets/,
      );
      await bench.http.post('/_sandbox/accounts/9000000001', { funds: 10_000_000_000 });
      const { data } = await post('/orders/v2/basket', (await basket()).body);
      expect(data.basket_params.exit_time).toBe('2026-11-23T09:35:00.000Z');
      await bench.advance('PT5S');
      const [leg] = Object.values((await get('/orders/v2/basket')).data[0].orders) as { order_id: string }[];
      const modify = await post(`/orders/v2/modify/${leg!.order_id}`, {
        exchange: 'NSE',
        order_type: 'ORDER_TYPE_REGULAR',
        order_qty: 1,
      });
      expect(modify.status).toBe(400);
    });
  });

  it('Bhavcopy: is of completed trading days only', async () => {
    expect([(await bhavcopy('20261120')).status, (await bhavcopy('20261123')).status]).toEqual([200, 440]);
    await bench.advance('PT8H');
    headers = await logIn(bench);
    expect((await bhavcopy('20261123')).status).toBe(200);
  });
});
