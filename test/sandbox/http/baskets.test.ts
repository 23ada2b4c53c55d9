import { logIn, start, type Bench } from '../support';
import { StreamClient } from '../stream/client';

interface Leg {
  ref_id: number;
  ls: number;
  ltp: number;
}

describe('Baskets', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let call: Leg;
  let put: Leg;
  let other: number;
  beforeAll(async () => {
    bench = await start();
    headers = await logIn(bench);
    const { chain } = (await get('/optionchains/NIFTY')).data;
    const at = chain.ce.findIndex(({ sp }: { sp: number }) => sp === chain.atm);
    call = chain.ce[at];
    put = chain.pe[at];
    other = (await get('/optionchains/BANKNIFTY')).data.chain.ce[0].ref_id;
  });
  afterAll(() => bench.close());

  const get = (path: string) => bench.http.get(path, { headers });
  const post = (path: string, data: unknown) => bench.http.post(path, data, { headers });
  const body = (params: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
    exchange: 'NSE',
    basket_name: 'straddle',
    tag: 'tag-1',
    orders: [call, put].map(({ ref_id, ls }) => ({ ref_id, order_qty: ls, order_side: 'ORDER_SIDE_BUY' })),
    basket_params: {
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      price_type: 'MARKET',
      multiplier: 1,
      ...params,
    },
    ...more,
  });

  it('answers with the basket record, lists it with its legs by ref_id, enters it, and exits it on request', async () => {
    const placed = await post('/orders/v2/basket', body());
    expect(placed.status).toBe(200);
    expect(placed.data).toMatchObject({
      basket_id: expect.stringMatching(/^\d{19}$/),
      user_id: 100001,
      basket_name: 'straddle',
      tag: 'tag-1',
      basket_params: { entry_price: null, exit_price: null, stoploss_price: null, momentum_trigger_price: null },
      LTP: expect.any(Number),
      pnl: 0,
      pnl_change: 0,
    });
    expect(placed.data.orders.map(({ ref_id }: Leg) => ref_id)).toEqual([call.ref_id, put.ref_id]);
    await bench.advance('PT5S');
    const listed = (await get('/orders/v2/basket?tag=tag-1')).data[0];
    expect(listed).toMatchObject({ basket_id: placed.data.basket_id, basket_status: 'BASKET_STATUS_FILLED' });
    expect(Object.keys(listed.orders).sort()).toEqual([call, put].map(({ ref_id }) => String(ref_id)).sort());
    expect(listed.orders[String(call.ref_id)]).toMatchObject({ basket_id: placed.data.basket_id, filled_qty: call.ls });
    const sources = (await get('/orders')).data.map(({ order_source }: { order_source: string }) => order_source);
    expect(sources).toEqual(['ORDER_SOURCE_NORMAL', 'ORDER_SOURCE_NORMAL']);
    expect((await get('/orders/v2/basket?tag=other')).data).toEqual([]);
    expect((await post(`/orders/v2/basket/${placed.data.basket_id}`, { exchange: 'NSE' })).data).toEqual({
      message: 'basket cancel request pushed',
    });
    await bench.advance('PT5S');
    expect((await get('/orders/v2/basket')).data[0].basket_status).toBe('BASKET_STATUS_CLOSED');
    expect((await post(`/orders/v2/basket/${placed.data.basket_id}`, { exchange: 'NSE' })).status).toBe(400);
    expect((await post('/orders/v2/basket/1', { exchange: 'NSE' })).status).toBe(404);
  });

  it.each([
    [
      '4: legs of another underlying',
      () =>
        body({}, { orders: [...body().orders, { ref_id: other, order_qty: call.ls, order_side: 'ORDER_SIDE_BUY' }] }),
      /all legs must have/,
    ],
    ['4: legs of another exchange', () => body({}, { exchange: 'BSE' }), /all legs must be on BSE/],
    [
      '3: an exit time of no time zone',
      () => body({ exit_time: '2026-11-23T09:00:00.000' }),
      /must be an ISO UTC timestamp/,
    ],
    [
      '3: an exit time with delivery',
      () => body({ order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC', exit_time: '2026-11-23T09:00:00.000Z' }),
      /exit_time is only for intraday baskets/,
    ],
    [
      '7: a stop loss above the limit',
      () => body({ price_type: 'LIMIT', entry_price: 10_000, stoploss_price: 10_100 }),
      /stoploss_price 10100 must be lower than/,
    ],
    [
      '7: a target below the limit',
      () => body({ price_type: 'LIMIT', entry_price: 10_000, exit_price: 9_900 }),
      /exit_price 9900 must be higher than/,
    ],
    [
      '7: a momentum trigger above the target',
      () => body({ price_type: 'LIMIT', entry_price: 10_000, exit_price: 10_100, momentum_trigger_price: 10_200 }),
      /momentum_trigger_price 10200 must be lower than exit_price/,
    ],
  ])('refuses by rule %s', async (_rule, wrong, words) => {
    const { status, data } = await post('/orders/v2/basket', wrong());
    expect([status, data]).toEqual([400, { error: expect.stringMatching(words), svc_error_code: '' }]);
  });

  it('tells its life on the stream as one strategy order with legs, and leaves trailing bytes in that dialect', async () => {
    const token = headers['authorization']!.slice(7);
    const client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
    client.socket.send(`subscribe ${token} direct_intent notification`);
    while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
    await bench.http.put('/_sandbox/dialect', { basket_reply: 'trailing' });
    const reply = await bench.http
      .post('/orders/v2/basket', body({ stoploss_price: 100, exit_price: 9_000_000 }), {
        headers,
        responseType: 'text',
        transformResponse: [(text: string) => text],
      })
      .catch((error: Error) => error);
    await bench.http.put('/_sandbox/dialect', { basket_reply: 'clean' });
    expect(reply).toBeInstanceOf(Error);
    await bench.advance('PT5S');
    const types: string[] = [];
    let last: Awaited<ReturnType<StreamClient['update']>>;
    do {
      last = await client.update();
      types.push(last.intentOrderResponseType!.replace('INTENT_ORDER_RESPONSE_TYPE_', ''));
    } while (types.at(-1) !== 'EXECUTED');
    expect(types[0]).toBe('ACCEPT');
    expect(types).toContain('FILLED');
    expect(last.intentOrderResponse).toMatchObject({
      intentOrderType: 'INTENT_ORDER_TYPE_FLEXI',
      isMulti: true,
      orderStatus: 'INTENT_ORDER_STATUS_EXECUTED',
      legs: [
        { refId: String(call.ref_id), filledQty: call.ls },
        { refId: String(put.ref_id), filledQty: put.ls },
      ],
      exitTriggers: [
        { kind: 'INTENT_EXIT_TRIGGER_KIND_STOPLOSS', triggerPrice: '100' },
        { kind: 'INTENT_EXIT_TRIGGER_KIND_TARGET_PROFIT', triggerPrice: '9000000' },
        { kind: 'INTENT_EXIT_TRIGGER_KIND_EXIT_TIME' },
      ],
    });
    client.socket.terminate();
  });
});
