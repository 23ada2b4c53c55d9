import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { StreamClient } from '../stream/client';

/** Rows of the specification's tables that the other suites of this folder do not prove. */
describe('Single-order body', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let row: { ref_id: number; tick_size: number };
  let future: { ref_id: number; lot_size: number };
  let price: number;
  beforeAll(async () => {
    bench = await start({ rateLimit: 'off' });
    headers = await logIn(bench);
    const { data } = await get('/refdata/refdata/2026-11-23');
    row = data.refdata.find((item: { plat_name: string }) => item.plat_name === 'STOCK_INFY.NSECM');
    future = data.refdata.find(
      (item: { asset: string; derivative_type: string }) => item.asset === 'NIFTY' && item.derivative_type === 'FUT',
    );
    price = (await get('/optionchains/INFY/price')).data.price;
  });
  afterAll(() => bench.close());

  const get = (path: string) => bench.http.get(path, { headers });
  const place = (more: Record<string, unknown> = {}) =>
    bench.http.post(
      '/orders/v2/single',
      {
        ref_id: row.ref_id,
        order_type: 'ORDER_TYPE_REGULAR',
        order_qty: 10,
        order_side: 'ORDER_SIDE_BUY',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
        validity_type: 'DAY',
        price_type: 'LIMIT',
        order_price: ticks(-50),
        ...more,
      },
      { headers },
    );
  /** A price so many ticks away from the market. */
  const ticks = (count: number) => price + count * row.tick_size;
  const confirmed = async (more: Record<string, unknown>) => {
    const { status, data } = await place(more);
    expect([status, data.error]).toEqual([200, undefined]);
    await bench.advance('PT3S');
    return (await get(`/orders/${data.order_id}`)).data;
  };

  it('order_price is kept: a limit order executes at this price or better', async () => {
    const order = await confirmed({ order_price: ticks(20) });
    expect(order.order_status).toBe('ORDER_STATUS_FILLED');
    expect(order.avg_filled_price).toBeLessThanOrEqual(ticks(20));
    expect((await confirmed({})).order_status).toBe('ORDER_STATUS_OPEN');
  });

  it('validity_type IOC cancels what does not fill at once', async () => {
    expect(await confirmed({ validity_type: 'IOC' })).toMatchObject({
      order_status: 'ORDER_STATUS_CANCELLED',
      filled_qty: 0,
      execution_type: 'STRATEGY_TYPE_IOC',
    });
  });

  it('ORDER_TYPE_STOPLOSS waits for its trigger; trigger and price are as the side asks', async () => {
    const stoploss = (order_side: string, trigger: number, order_price: number) => ({
      order_type: 'ORDER_TYPE_STOPLOSS',
      order_side,
      order_price,
      algo_params: { trigger_price: trigger },
    });
    const buy = await confirmed(stoploss('ORDER_SIDE_BUY', ticks(300), ticks(310)));
    expect(buy).toMatchObject({
      order_status: 'ORDER_STATUS_OPEN',
      trigger_price: ticks(300),
      algo_params: { trigger_price: ticks(300) },
    });
    expect((await place(stoploss('ORDER_SIDE_BUY', ticks(310), ticks(300)))).data.error).toMatch(
      /must not be above order_price/,
    );
    expect((await place(stoploss('ORDER_SIDE_SELL', ticks(-310), ticks(-300)))).data.error).toMatch(
      /must not be below order_price/,
    );
    expect((await place({ order_type: 'ORDER_TYPE_STOPLOSS' })).data.error).toMatch(
      /trigger_price must be a whole number/,
    );
  });

  it('ORDER_TYPE_ICEBERG requires order_qty to exceed leg_size', async () => {
    const iceberg = (leg_size: number) => ({
      order_type: 'ORDER_TYPE_ICEBERG',
      order_qty: 40,
      algo_params: { leg_size },
    });
    expect(await confirmed(iceberg(10))).toMatchObject({ order_status: 'ORDER_STATUS_OPEN', leg_size: 10 });
    expect((await place(iceberg(40))).data.error).toMatch(/must exceed algo_params.leg_size 40/);
    expect((await place({ order_type: 'ORDER_TYPE_ICEBERG' })).data.error).toMatch(
      /leg_size must be a whole number above 0/,
    );
  });

  it('quantities are multiples of the lot, at most the freeze quantity and the largest of all', async () => {
    const derivative = {
      ref_id: future.ref_id,
      price_type: 'MARKET',
      order_price: null,
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    };
    expect((await place({ ...derivative, order_qty: future.lot_size + 1 })).data.error).toContain(
      'quantity entered is not a multiple of current lots size',
    );
    expect((await place({ order_qty: 100_000_001 })).data.error).toContain('exceeds the maximum order quantity limit');
    expect((await place({ order_qty: 0 })).status).toBe(400);
    await bench.http.post('/_sandbox/accounts/9000000001', { funds: 100_000_000_000 });
    const frozen = await place({ ...derivative, order_qty: future.lot_size * 1_000 });
    await bench.advance('PT3S');
    const reason =
      frozen.status === 400
        ? frozen.data.error
        : (await bench.http.get('/_sandbox/journal?kind=order')).data.at(-1).reason;
    expect(reason).toContain('ORDER QTY IS GREATER THAN FREEZE QTY');
  });

  it('cancel is not accepted with ids that are not valid pending orders, and none of the others is cancelled', async () => {
    const open = await confirmed({});
    const cancel = await bench.http.post(
      '/orders/cancel',
      { orders: [{ order_id: open.order_id }, { order_id: 12345 }] },
      { headers },
    );
    expect([cancel.status, cancel.data.error]).toEqual([400, expect.stringContaining('12345')]);
    await bench.advance('PT3S');
    expect((await get(`/orders/${open.order_id}`)).data.order_status).toBe('ORDER_STATUS_OPEN');
    expect((await bench.http.post('/orders/cancel', {}, { headers })).status).toBe(400);
  });

  it('modify requires exchange and order_type; a filled order is not modified', async () => {
    const filled = await confirmed({ price_type: 'MARKET', order_price: null });
    const modify = (id: string, body: unknown) => bench.http.post(`/orders/v2/modify/${id}`, body, { headers });
    expect((await modify(filled.order_id, { order_type: 'ORDER_TYPE_REGULAR' })).data.error).toContain('exchange');
    expect((await modify(filled.order_id, { exchange: 'NSE' })).data.error).toContain('order_type');
    expect(
      (await modify(filled.order_id, { exchange: 'NSE', order_type: 'ORDER_TYPE_REGULAR', order_qty: 5 })).status,
    ).toBe(400);
    expect((await modify('1', { exchange: 'NSE', order_type: 'ORDER_TYPE_REGULAR' })).status).toBe(404);
  });

  it('the stream tells a stop-loss and an iceberg with all they have, and each status change once', async () => {
    const token = headers['authorization']!.slice(7);
    const client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
    client.socket.send(`subscribe ${token} direct_intent notification`);
    while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
    const stop = await confirmed({
      order_type: 'ORDER_TYPE_STOPLOSS',
      order_price: ticks(310),
      algo_params: { trigger_price: ticks(300) },
    });
    expect((await client.update()).intentOrderResponse).toMatchObject({
      intentOrderId: stop.order_id,
      intentOrderType: 'INTENT_ORDER_TYPE_TRIGGER',
      entryConfig: {
        conditions: [{ kind: { ltpConditionKind: 'LTP_CONDITION_KIND_AT_OR_ABOVE' }, threshold: String(ticks(300)) }],
        conditionOperator: 'CONDITION_OPERATOR_AND',
      },
    });
    const iceberg = await confirmed({ order_type: 'ORDER_TYPE_ICEBERG', order_qty: 40, algo_params: { leg_size: 10 } });
    expect((await client.update()).intentOrderResponse).toMatchObject({
      intentOrderId: iceberg.order_id,
      intentOrderType: 'INTENT_ORDER_TYPE_ICEBERG',
      icebergInfo: { numberOfLegs: 4, maxQtyPerLeg: 10 },
      legs: [{ refId: String(row.ref_id), unitQty: 40, orderQty: 40 }],
    });
    await bench.http.delete(`/orders/${iceberg.order_id}`, { headers });
    await bench.advance('PT3S');
    const cancelled = await client.update();
    expect(cancelled).toMatchObject({
      intentOrderRequstType: 'INTENT_ORDER_REQUEST_TYPE_CANCEL',
      intentOrderResponse: { orderStatus: 'INTENT_ORDER_STATUS_CANCELLED' },
    });
    const order = (await get(`/orders/${iceberg.order_id}`)).data;
    expect(order.order_status).toBe('ORDER_STATUS_CANCELLED');
    const reported = (await bench.http.get('/_sandbox/journal?kind=frame')).data.filter(
      (frame: { order_id: string }) => frame.order_id === iceberg.order_id,
    );
    expect(reported.map(({ status }: { status: string }) => status)).toEqual(['OPEN', 'CANCELLED']);
    client.socket.terminate();
  });
});

describe('Dialects', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  beforeEach(async () => {
    bench = await start({
      dialect: {
        verify_status: '200',
        totp_number: 'accepted',
        empty_list: 'null',
        order_service_ws_url: 'empty',
        monthly_interval: '1mt',
        pending_order_time: 'garbage',
      },
    });
    headers = await logIn(bench);
  });
  afterEach(() => bench.close());

  it('empty lists are null, the stream address is empty and the stream is at its known path', async () => {
    for (const path of ['/orders', '/orders/v2/basket'])
      expect([path, (await bench.http.get(path, { headers })).data]).toEqual([path, null]);
    expect((await bench.http.get('/userinfo', { headers })).data.env_info.order_service_ws_url).toBe('');
    const token = headers['authorization']!.slice(7);
    const client = await new StreamClient(
      `${bench.running.url.replace('http', 'ws')}/oms-socket-latest/ws?token=${token}`,
    ).open();
    client.socket.send('subscribe wrong direct_intent notification');
    expect(await client.next()).toBe('Invalid Token');
  });

  it('holdings, positions and a chart without a point are null too', async () => {
    const other = await start({ dialect: { empty_list: 'null' }, hours: 'exchange' });
    const by = await logIn(other);
    for (const [symbol, qty] of Object.entries({ INFY: 0, RELIANCE: 0, SBIN: 0, ITC: 0 }))
      await other.http.post('/_sandbox/accounts/9000000001', { holdings: [{ symbol, qty }] });
    expect((await other.http.get('/portfolio/holdings', { headers: by })).data.portfolio.holdings).toBeNull();
    const { portfolio } = (await other.http.get('/portfolio/positions', { headers: by })).data;
    expect([portfolio.stock_positions, portfolio.fut_positions, portfolio.opt_positions]).toEqual([null, null, null]);
    const sunday = {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['INFY'],
      fields: ['close'],
      startDate: '2026-11-21T20:00:00.000Z',
      endDate: '2026-11-22T12:00:00.000Z',
      interval: '5m',
    };
    expect((await other.http.post('/charts/timeseries', { query: [sunday] }, { headers: by })).data.result).toBeNull();
    expect(
      (
        await other.http.post(
          '/charts/timeseries',
          { query: [{ ...sunday, startDate: '2026-11-20T03:45:00.000Z' }] },
          { headers: by },
        )
      ).data.result,
    ).toHaveLength(1);
    await other.close();
  });

  it("the month is 1mt, and the specification's spelling is refused by name", async () => {
    const ask = (interval: string) =>
      bench.http.post(
        '/charts/timeseries',
        {
          query: [
            {
              exchange: 'NSE',
              type: 'STOCK',
              values: ['INFY'],
              fields: ['close'],
              startDate: '2026-08-01T00:00:00.000Z',
              endDate: '2026-11-20T00:00:00.000Z',
              interval,
            },
          ],
        },
        { headers },
      );
    expect((await ask('1mt')).status).toBe(200);
    expect((await ask('1mth')).data.error).toContain('interval');
  });

  it('the time of a pending order is garbage, and right once it is not pending', async () => {
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
    const { ref_id } = data.refdata.find((item: { plat_name: string }) => item.plat_name === 'STOCK_INFY.NSECM');
    const body = {
      ...MARKET_ORDER,
      ref_id,
    };
    const placed = (await bench.http.post('/orders/v2/single', body, { headers })).data;
    expect(BigInt(placed.order_time)).toBeLessThan(0n);
    await bench.advance('PT3S');
    expect(BigInt((await bench.http.get(`/orders/${placed.order_id}`, { headers })).data.order_time)).toBeGreaterThan(
      0n,
    );
  });

  it('extra headers change nothing', async () => {
    const extra = { ...headers, 'x-app-version': '1.2.3', 'x-device-os': 'sdk', cookie: 'deviceId=another' };
    expect((await bench.http.get('/userinfo', { headers: extra })).status).toBe(200);
  });
});
