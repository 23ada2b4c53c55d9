import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MARKET_ORDER, logIn, start, type Bench } from '../support';

let bench: Bench;
let headers: Record<string, string>;
beforeAll(async () => {
  bench = await start();
  headers = await logIn(bench);
});
afterAll(() => bench.close());

const get = async (path: string) => (await bench.http.get(path, { headers })).data;

async function refId(symbol: string): Promise<number> {
  const { refdata } = await get('/refdata/refdata/2026-11-23?exchange=NSE');
  return refdata.find(
    (row: { stock_name: string; derivative_type: string }) =>
      row.stock_name === symbol && row.derivative_type === 'STOCK',
  ).ref_id;
}

describe('Portfolio', () => {
  test('the opening holdings and cash are in paise', async () => {
    const { message, portfolio } = await get('/portfolio/holdings');
    expect(message).toBe('holdings');
    expect(portfolio.client_code).toBe('SBX001');
    expect(
      portfolio.holdings.map(({ symbol, qty, t1_qty }: { symbol: string; qty: number; t1_qty: number }) => [
        symbol,
        qty,
        t1_qty,
      ]),
    ).toEqual([
      ['INFY', 100, 0],
      ['RELIANCE', 60, 0],
      ['SBIN', 250, 0],
      ['ITC', 400, 0],
    ]);
    const infy = portfolio.holdings[0];
    expect(infy).toMatchObject({
      svc_name: 'STOCK_INFY.NSECM',
      invested_value: infy.avg_price * 100,
      current_value: infy.ltp * 100,
      is_pledgeable: true,
      available_to_pledge: 100,
    });
    expect(infy.supported_exchanges).toMatchObject({ NSE: infy.ref_id });
    expect(await get('/portfolio/user_funds_and_margin')).toMatchObject({
      port_funds_and_margin: {
        start_of_day_funds: 1_000_000_000,
        net_margin_available: 1_000_000_000,
        total_margin_blocked: 0,
        brokerage: 0,
      },
    });
  });

  test('a filled order is a position and paid for', async () => {
    const infy = await refId('INFY');
    const order = {
      ...MARKET_ORDER,
      ref_id: infy,
      order_qty: 10,
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      order_price: 0,
    };
    expect((await bench.http.post('/orders/v2/single', order, { headers })).status).toBe(200);
    await bench.advance('PT10S');
    const { portfolio } = await get('/portfolio/positions');
    expect(portfolio.stock_positions).toEqual([
      expect.objectContaining({
        ref_id: infy,
        plat_name: 'STOCK_INFY.NSECM',
        order_side: 'BUY',
        qty: 10,
        product: 'ORDER_DELIVERY_TYPE_IDAY',
      }),
    ]);
    const [position] = portfolio.stock_positions;
    expect(position.pnl).toBe((position.ltp - position.avg_price) * 10);
    expect(portfolio.position_stats).toMatchObject({
      realised_pnl: 0,
      unrealised_pnl: position.pnl,
      total_pnl: position.pnl,
    });
    const { port_funds_and_margin: funds } = await get('/portfolio/user_funds_and_margin');
    expect(funds.total_margin_blocked).toBe(Math.round((position.ltp * 10) / 5));
    const loss = Math.max(0, -position.pnl);
    expect(funds.net_margin_available).toBe(1_000_000_000 - funds.total_margin_blocked - loss - funds.total_charges);
  });

  test('the margin calculator refuses inside a 200', async () => {
    const order = {
      ref_id: await refId('INFY'),
      request_type: 'ORDER_REQUEST_NEW',
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: 5,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'LIMIT',
      order_price: 150_000,
    };
    const ask = (item: object, more = {}) =>
      bench.http.post(
        '/orders/v2/margin_required',
        {
          with_portfolio: true,
          with_legs: true,
          is_basket: false,
          order_req: { exchange: 'NSE', orders: [item] },
          ...more,
        },
        { headers },
      );
    const reply = await ask(order);
    expect([reply.status, reply.data]).toEqual([
      200,
      expect.objectContaining({
        delivery_margin: 750_000,
        total_margin: 750_000,
        leg_margin: [expect.objectContaining({ order_side: 'ORDER_SIDE_BUY', margin: 750_000 })],
        message: '',
        code: '',
      }),
    ]);
    expect(Object.keys(reply.data).sort()).toEqual(
      [
        'code',
        'delivery_margin',
        'exposure',
        'leg_margin',
        'margin_benefit',
        'max_quantity',
        'message',
        'net_span',
        'opt_prem',
        'span',
        'total_margin',
        'var',
      ].sort(),
    );
    const large = await ask({ ...order, order_qty: 90_000 });
    expect([large.status, large.data.code]).toEqual([200, 'INSUFFICIENT_MARGIN']);
    const offTick = await ask({ ...order, order_price: 150_001 });
    expect([offTick.status, Object.keys(offTick.data).sort()]).toEqual([200, ['code', 'message']]);
    expect((await ask(order, { order_req: {} })).status).toBe(400);
  });

  test('an empty list is an array, or null in the dialect', async () => {
    const none = await get('/portfolio/positions');
    expect(none.portfolio.fut_positions).toEqual([]);
    await bench.http.put('/_sandbox/dialect', { empty_list: 'null' });
    expect((await get('/portfolio/positions')).portfolio.fut_positions).toBeNull();
    await bench.http.put('/_sandbox/dialect', { empty_list: 'array' });
  });

  test('an expired session is answered by 440, a missing one by 401', async () => {
    expect((await bench.http.get('/portfolio/holdings')).status).toBe(401);
    await bench.advance('PT1M');
    const newer = await logIn(bench);
    expect((await bench.http.get('/portfolio/holdings', { headers })).status).toBe(440);
    headers = newer;
  });
});
