import { MARKET_ORDER, logIn, start, type Bench } from '../support';

describe('What other clients need', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let refId: number;
  beforeAll(async () => {
    bench = await start({ rateLimit: 'off' });
    headers = await logIn(bench);
    refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
  });
  afterAll(() => bench.close());

  const get = (path: string) => bench.http.get(path, { headers });
  const post = (path: string, body: unknown) => bench.http.post(path, body, { headers });
  const order = (more: Record<string, unknown> = {}) => ({
    ...MARKET_ORDER,
    ref_id: refId,
    order_qty: 10,
    tag: 'one',
    ...more,
  });
  const low = async () => {
    const { data } = await get('/optionchains/INFY/price?exchange=NSE');
    return Math.floor((data.price * 0.95) / 100) * 100;
  };
  /** The legs of a straddle, and its basket. */
  const straddle = async () => {
    const { chain } = (await get('/optionchains/NIFTY')).data;
    return [chain.ce, chain.pe].map((legs) => ({
      ref_id: legs[3].ref_id as number,
      order_qty: legs[3].ls as number,
      order_side: 'ORDER_SIDE_BUY',
    }));
  };
  const params = {
    order_side: 'ORDER_SIDE_BUY',
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    price_type: 'MARKET',
    multiplier: 1,
  };

  it('benchmark_type is null where nothing is meant', async () => {
    expect((await post('/orders/v2/single', order())).data.algo_params.benchmark_type).toBeNull();
  });

  it('expiry and all_expiries of an option chain are text', async () => {
    const { chain } = (await get('/optionchains/NIFTY')).data;
    expect(chain.expiry).toMatch(/^\d{8}$/);
    expect(chain.all_expiries.every((item: unknown) => typeof item === 'string')).toBe(true);
  });

  it('leg_margin is a list of objects, and a leg may have no order_type', async () => {
    const orders = (await straddle()).map((leg) => ({ ...leg, order_type: null, price_type: null }));
    const { status, data } = await post('/orders/v2/margin_required', {
      is_basket: true,
      with_legs: true,
      order_req: { exchange: 'NSE', orders },
    });
    expect(status).toBe(200);
    expect(data.leg_margin).toHaveLength(2);
    expect(data.leg_margin[0]).toMatchObject({ ref_id: orders[0]!.ref_id, margin: expect.any(Number) });
  });

  it('a basket has buy_qty, sell_qty, buy_avg, sell_avg, pnl and pnl_change of each leg; bytes follow a POST only', async () => {
    await bench.http.put('/_sandbox/dialect', { basket_reply: 'trailing' });
    const orders = await straddle();
    const placed = await fetch(`${bench.running.url}/orders/v2/basket`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ exchange: 'NSE', orders, basket_params: params }),
    });
    expect(await placed.text()).toMatch(/}\n{}$/);
    await bench.advance('PT5S');
    const { data } = await get('/orders/v2/basket');
    await bench.http.put('/_sandbox/dialect', { basket_reply: 'clean' });
    const [leg] = Object.values(data[0].orders) as Record<string, unknown>[];
    expect(leg).toMatchObject({ buy_qty: orders[0]!.order_qty, sell_qty: 0, sell_avg: 0 });
    expect([typeof leg!['buy_avg'], typeof leg!['pnl'], typeof leg!['pnl_change']]).toEqual([
      'number',
      'number',
      'number',
    ]);
  });

  it('PUT /orders/v2/basket/{id} changes the prices of a basket', async () => {
    const basket_params = { ...params, stoploss_price: 10, exit_price: 90_000_00 };
    const { data: placed } = await post('/orders/v2/basket', {
      exchange: 'NSE',
      orders: await straddle(),
      basket_params,
    });
    await bench.advance('PT5S');
    const changed = await bench.http.put(
      `/orders/v2/basket/${placed.basket_id}`,
      { basket_params: { stoploss_price: 20 } },
      { headers },
    );
    expect([changed.status, changed.data.message]).toEqual([200, 'basket update request pushed']);
    const { data } = await get('/orders/v2/basket');
    const found = data.find(({ basket_id }: { basket_id: string }) => basket_id === placed.basket_id);
    expect(found.basket_params).toMatchObject({ stoploss_price: 20, exit_price: 90_000_00 });
  });

  it('/orders/v2 takes live=1, executed=1 and tag=; /orders/v2/executions has the trades', async () => {
    const { data: rests } = await post(
      '/orders/v2/single',
      order({ tag: 'rests', price_type: 'LIMIT', order_price: await low() }),
    );
    const { data: fills } = await post('/orders/v2/single', order({ tag: 'fills' }));
    await bench.advance('PT3S');
    const ids = async (query: string) =>
      ((await get(`/orders/v2?${query}`)).data as { order_id: string }[]).map(({ order_id }) => order_id);
    expect(await ids('tag=rests')).toEqual([rests.order_id]);
    expect(await ids('live=1')).toEqual([rests.order_id]);
    expect(await ids('executed=1')).toContain(fills.order_id);
    expect(await ids('executed=1')).not.toContain(rests.order_id);
    const { data: executions } = await get('/orders/v2/executions');
    const own = (executions as { order_id: string; qty: number }[]).filter(
      ({ order_id }: { order_id: string }) => order_id === fills.order_id,
    );
    expect(own.reduce((sum: number, { qty }: { qty: number }) => sum + qty, 0)).toBe(10);
  });

  it('/orders/v2/cancelV2 cancels orders and baskets', async () => {
    const { data: rests } = await post('/orders/v2/single', order({ price_type: 'LIMIT', order_price: await low() }));
    await bench.advance('PT3S');
    expect((await post('/orders/v2/cancelV2', { orders: [rests.order_id], baskets: [] })).status).toBe(200);
    await bench.advance('PT3S');
    expect((await get(`/orders/${rests.order_id}`)).data.order_status).toBe('ORDER_STATUS_CANCELLED');
    const basket_params = { ...params, momentum_trigger_price: 90_000_00 };
    const { data: waits } = await post('/orders/v2/basket', {
      exchange: 'NSE',
      orders: await straddle(),
      basket_params,
    });
    await bench.advance('PT3S');
    expect((await post('/orders/v2/cancelV2', { orders: [], baskets: [waits.basket_id] })).status).toBe(200);
    await bench.advance('PT3S');
    const { data: baskets } = await get('/orders/v2/basket');
    const found = baskets.find(({ basket_id }: { basket_id: string }) => basket_id === waits.basket_id);
    expect(found.basket_status).toBe('BASKET_STATUS_CANCELLED');
    expect((await post('/orders/v2/cancelV2', {})).status).toBe(400);
  });

  it('/portfolio/v2/positions is one list with a signed net', async () => {
    const { positions } = (await get('/portfolio/v2/positions')).data;
    expect(positions.find(({ ref_id }: { ref_id: number }) => ref_id === refId)).toMatchObject({
      delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      sell_qty: 0,
      status: 'OPEN',
    });
    for (const { net_qty, buy_qty, sell_qty } of positions) expect(net_qty).toBe(buy_qty - sell_qty);
  });

  it('/public/indexes?format=csv is there without a login', async () => {
    const { status, headers: sent, data } = await bench.http.get('/public/indexes?format=csv');
    expect([status, String(sent['content-type'])]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(data).toMatch(/^EXCHANGE,INDEX_SYMBOL,PLAT_INDEX_SYMBOL,INDEX_NAME\n(.*\n)*NSE,NIFTY,NIFTY,Nifty 50\n/);
  });

  it('an idle connection is kept for longer than the pools of clients keep theirs', async () => {
    const { headers: sent } = await fetch(`${bench.running.url}/public/indexes`);
    expect(sent.get('keep-alive')).toBe('timeout=75');
  });

  it('the order book has prev_close', async () => {
    const { orderBook } = (await get(`/orderbooks/${refId}`)).data;
    const { prev_close } = (await get('/optionchains/INFY/price?exchange=NSE')).data;
    expect(orderBook.prev_close).toBe(prev_close);
  });

  it('a query of type INDEX with tick_volume is refused', async () => {
    const query = {
      exchange: 'NSE',
      type: 'INDEX',
      values: ['NIFTY'],
      fields: ['close', 'tick_volume'],
      startDate: '2026-11-20T03:45:00.000Z',
      endDate: '2026-11-23T04:30:00.000Z',
      interval: '15m',
    };
    const { status, data } = await post('/charts/timeseries', { query: [query] });
    expect([status, data.error]).toEqual([400, 'invalid field tick_volume']);
  });

  it('a query of more than ten values is refused: maximum 10 values allowed in one query', async () => {
    const shares = Array.from({ length: 11 }, () => 'INFY');
    const query = (values: string[]) => ({
      exchange: 'NSE',
      type: 'STOCK',
      values,
      fields: ['close'],
      startDate: '2026-11-20T03:45:00.000Z',
      endDate: '2026-11-20T04:30:00.000Z',
      interval: '15m',
    });
    const { status, data } = await post('/charts/timeseries', { query: [query(shares)] });
    expect([status, data.error]).toEqual([400, 'maximum 10 values allowed in one query']);
    expect((await post('/charts/timeseries', { query: [query(shares.slice(1))] })).status).toBe(200);
  });

  it('an index that is asked for as a share is answered by: ticker not found', async () => {
    const query = {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['NIFTY'],
      fields: ['close'],
      startDate: '2026-11-20T03:45:00.000Z',
      endDate: '2026-11-20T04:30:00.000Z',
      interval: '15m',
    };
    const { status, data } = await post('/charts/timeseries', { query: [query] });
    expect([status, data.error]).toEqual([404, expect.stringContaining('ticker not found')]);
    expect((await post('/charts/timeseries', { query: [{ ...query, type: 'INDEX' }] })).status).toBe(200);
  });

  it('/logout takes the token of the login too', async () => {
    const { sandbox } = bench.running;
    const authToken = sandbox.logins.codeAccepted('9000000001', headers['x-device-id']!, 'OTP', 0);
    const reply = await bench.http.post('/logout', undefined, {
      headers: { 'x-device-id': headers['x-device-id']!, authorization: `Bearer ${authToken}` },
    });
    expect(reply.status).toBe(200);
    expect((await get('/userinfo')).status).toBe(440);
  });
});
