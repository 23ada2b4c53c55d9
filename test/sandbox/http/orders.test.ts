import { createHash } from 'node:crypto';
import { MARKET_ORDER, logIn, logInByOtp, start, type Bench } from '../support';

interface Row {
  ref_id: number;
  plat_name: string;
  derivative_type: string;
  tick_size: number;
}

describe('Orders', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let infy: Row;
  beforeAll(async () => {
    bench = await start();
    headers = await logIn(bench);
    infy = await instrument('STOCK_INFY.NSECM');
  });
  afterAll(() => bench.close());

  async function instrument(name: string): Promise<Row> {
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23?exchange=NSE', { headers });
    return (data.refdata as Row[]).find((row) => row.plat_name === name)!;
  }

  const body = (more: Record<string, unknown> = {}) => ({
    ...MARKET_ORDER,
    ref_id: infy.ref_id,
    order_qty: 10,
    tag: 'test',
    ...more,
  });
  const post = (path: string, data: unknown, by = headers) => bench.http.post(path, data, { headers: by });
  const get = (path: string, by = headers) => bench.http.get(path, { headers: by });
  /** A price far below the market, on tick. */
  const passive = async () => {
    const { data } = await get('/optionchains/INFY/price?exchange=NSE');
    return Math.floor((data.price * 0.95) / infy.tick_size) * infy.tick_size;
  };

  it('answers a placement with the record of a pending order, every field of the specification', async () => {
    const { status, data } = await post('/orders/v2/single', body());
    expect(status).toBe(200);
    expect(data).toEqual({
      order_id: expect.stringMatching(/^\d{19}$/),
      client_code: 'SBX001',
      basket_id: 0,
      ref_id: infy.ref_id,
      order_source: 'ORDER_SOURCE_NORMAL',
      order_type: 'ORDER_TYPE_REGULAR',
      order_side: 'ORDER_SIDE_BUY',
      order_price: 0,
      order_qty: 10,
      leg_size: 0,
      filled_qty: 0,
      avg_filled_price: 0,
      order_status: 'ORDER_STATUS_PENDING',
      order_time: expect.stringMatching(/^\d{19}$/),
      ack_time: null,
      filled_time: null,
      last_modified: null,
      updated_by: 0,
      ref_data: {
        ref_id: infy.ref_id,
        plat_id: expect.any(Number),
        option_type: expect.any(String),
        token: expect.any(Number),
        stock_name: expect.any(String),
        series: 'EQ',
        plat_name: 'STOCK_INFY.NSECM',
        lot_size: 1,
        asset: 'INFY',
        exchange: 'NSE',
        derivative_type: 'STOCK',
      },
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      display_name: expect.any(String),
      brokerage: null,
      price_type: 'MARKET',
      validity_type: 'DAY',
      exchange_order_id: 0,
      execution_type: 'STRATEGY_TYPE_MARKET',
      exchange: 'NSE',
      LTP: expect.any(Number),
      duration: 0,
      trigger_price: 0,
      max_prate: 0,
      tag: 'test',
      algo_params: {
        leg_size: 0,
        duration: 0,
        trigger_price: 0,
        max_prate: 0,
        min_prate: 0,
        benchmark_type: null,
        benchmark_price: 0,
        cleanup_price: 0,
      },
    });
  });

  it('shows it filled, by its id and in the list, once its time has come; also below /orders/v2', async () => {
    const { data: placed } = await post('/orders/v2/single', body({ tag: 'filled' }));
    expect((await get('/orders')).data.map((order: { order_id: string }) => order.order_id)).not.toContain(
      placed.order_id,
    );
    await bench.advance('PT3S');
    const filled = (await get(`/orders/${placed.order_id}`)).data;
    expect(filled).toMatchObject({
      order_status: 'ORDER_STATUS_FILLED',
      filled_qty: 10,
      order_type: 'ORDER_TYPE_MARKET',
    });
    expect(filled.avg_filled_price).toBeGreaterThan(0);
    expect(filled.exchange_order_id).toMatch(/^\d{19}$/);
    expect((await get(`/orders/v2/${placed.order_id}`)).data).toEqual(filled);
    for (const path of ['/orders', '/orders/v2']) {
      expect((await get(path)).data.find((order: { order_id: string }) => order.order_id === placed.order_id)).toEqual(
        filled,
      );
    }
  });

  it('is not shown to another account', async () => {
    const { data: placed } = await post('/orders/v2/single', body());
    const other = await logInByOtp(bench);
    expect((await get(`/orders/${placed.order_id}`, other)).status).toBe(404);
    expect((await bench.http.delete(`/orders/${placed.order_id}`, { headers: other })).status).toBe(404);
    expect((await post('/orders/cancel', { order_ids: [1] }, other)).status).toBe(400);
    expect((await get('/orders', other)).data).toEqual([]);
  });

  it('cancels by DELETE and by both bodies of /orders/cancel, with ids as JSON integers of 19 digits', async () => {
    const order_price = await passive();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await post('/orders/v2/single', body({ price_type: 'LIMIT', order_price }))).data.order_id);
    await bench.advance('PT2S');
    const [first, second, third] = ids as [string, string, string];
    const json = (text: string) =>
      bench.http.post('/orders/cancel', text, { headers: { ...headers, 'content-type': 'application/json' } });
    expect((await bench.http.delete(`/orders/${first}`, { headers })).data).toEqual({
      message: 'delete request pushed',
    });
    expect((await json(`{"orders":[{"order_id":${second}}]}`)).data).toEqual({ message: 'delete request pushed' });
    expect((await json(`{"order_ids":[${third}]}`)).data).toEqual({ message: 'delete request pushed' });
    await bench.advance('PT2S');
    for (const id of ids) expect((await get(`/orders/${id}`)).data.order_status).toBe('ORDER_STATUS_CANCELLED');
    const again = await json(`{"order_ids":[${third}]}`);
    expect(again.status).toBe(400);
    expect(again.data).toEqual({ error: expect.stringContaining('CANCELLED'), svc_error_code: '' });
  });

  it('refuses a cancel while a modification is in flight', async () => {
    const order_price = await passive();
    const { data } = await post('/orders/v2/single', body({ price_type: 'LIMIT', order_price }));
    await bench.advance('PT2S');
    const change = {
      exchange: 'NSE',
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: 20,
      order_price: order_price - infy.tick_size,
    };
    for (const exchange of ['BSE', 'XYZ'])
      expect((await post(`/orders/v2/modify/${data.order_id}`, { ...change, exchange })).status).toBe(400);
    expect((await post(`/orders/v2/modify/${data.order_id}`, change)).data).toEqual({
      message: 'update request pushed',
    });
    const refused = await bench.http.delete(`/orders/${data.order_id}`, { headers });
    expect(refused.status).toBe(400);
    expect(refused.data.error).toContain("Can't cancel this order right now");
    await bench.advance('PT2S');
    expect((await get(`/orders/${data.order_id}`)).data).toMatchObject({
      order_qty: 20,
      order_price: change.order_price,
    });
    expect((await bench.http.delete(`/orders/${data.order_id}`, { headers })).status).toBe(200);
  });

  it.each([
    ['order_side', { order_side: 'BUY' }],
    ['order_qty', { order_qty: '10' }],
    ['ref_id', { ref_id: undefined }],
    ['order_price', { price_type: 'LIMIT', order_price: 150_007.5 }],
    ['validity_type', { validity_type: 'GTC' }],
  ])('refuses a body whose %s breaks the schema, naming the field', async (field, more) => {
    const { status, data } = await post('/orders/v2/single', body(more));
    expect(status).toBe(400);
    expect(data.error).toContain(field);
    expect(data.svc_error_code).toBe('');
  });

  it('refuses an off-tick price and an unknown instrument at once, and takes explicit nulls and an exchange', async () => {
    const price = await passive();
    const refused = async (more: Record<string, unknown>) => (await post('/orders/v2/single', body(more))).data;
    expect(await refused({ price_type: 'LIMIT', order_price: price + 1 })).toEqual({
      error: expect.stringMatching(/tick/i),
      svc_error_code: '',
    });
    expect(await refused({ ref_id: 1 })).toEqual({ error: expect.stringContaining('ref_id 1'), svc_error_code: '' });
    const nulls = { order_price: null, algo_params: null, tag: null, exchange: 'NSE', algo_id: null };
    expect((await post('/orders/v2/single', body(nulls))).status).toBe(200);
  });

  it('answers 200 and then rejects an order that the account cannot pay', async () => {
    const { status, data } = await post('/orders/v2/single', body({ order_qty: 50_000 }));
    expect(status).toBe(200);
    await bench.advance('PT3S');
    expect((await get(`/orders/${data.order_id}`)).data.order_status).toBe('ORDER_STATUS_REJECTED');
  });

  it('keeps every character of a tag, wherever the record is', async () => {
    const tag = '"1\\2"\n\u2028₹{}';
    const { data: placed } = await post('/orders/v2/single', body({ tag }));
    const { data: several } = await post('/orders/v2/multi', { orders: [body({ tag })] });
    await bench.advance('PT3S');
    const { data: listed } = await get(`/orders?tag=${encodeURIComponent(tag)}`);
    const { data: item } = await get(`/orders/${placed.order_id}`);
    expect([placed, ...several, ...listed, item].map((order) => order.tag)).toEqual([tag, tag, tag, tag, tag]);
  });

  it('places several orders or none; the reply is an array, or an object in that dialect', async () => {
    const { data: before } = await bench.http.get('/_sandbox/stats');
    const wrong = await post('/orders/v2/multi', { orders: [body(), body({ order_qty: 0 })] });
    expect([wrong.status, wrong.data.error]).toEqual([400, expect.stringContaining('orders[1]')]);
    expect((await bench.http.get('/_sandbox/stats')).data.orders_received).toBe(before.orders_received);
    const { data } = await post('/orders/v2/multi', { orders: [body({ tag: 'a' }), body({ tag: 'b' })] });
    expect(data.map((order: { tag: string }) => order.tag)).toEqual(['a', 'b']);
    await bench.http.put('/_sandbox/dialect', { multi_response: 'object' });
    expect((await post('/orders/v2/multi', { orders: [body()] })).data.orders).toHaveLength(1);
    await bench.http.put('/_sandbox/dialect', { multi_response: 'array' });
  });

  it('wants a session, and an account that may use the order system', async () => {
    expect((await post('/orders/v2/single', body(), {})).status).toBe(401);
    await bench.http.post('/_sandbox/accounts/9000000001', { order_system: false });
    expect((await post('/orders/v2/single', body())).data.error).toBe('OMS v2 is not enabled');
    await bench.http.post('/_sandbox/accounts/9000000001', { order_system: true });
  });

  it('writes the same journal, byte for byte, for the same seed and requests', async () => {
    const once = async () => {
      const other = await start({ seed: 11 });
      const by = await logIn(other);
      const { data } = await other.http.get('/refdata/refdata/2026-11-23', { headers: by });
      const { ref_id } = (data.refdata as Row[]).find((row) => row.plat_name === 'STOCK_INFY.NSECM')!;
      for (const order_qty of [5, 7, 9000])
        await other.http.post('/orders/v2/single', body({ ref_id, order_qty }), { headers: by });
      await other.advance('PT10S');
      const journal = JSON.stringify((await other.http.get('/_sandbox/journal')).data);
      await other.close();
      return journal;
    };
    const first = await once();
    expect(first).toContain('"trade_id"');
    expect(
      createHash('sha256')
        .update(await once())
        .digest('hex'),
    ).toBe(createHash('sha256').update(first).digest('hex'));
  });
});
