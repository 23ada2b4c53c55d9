import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { logIn, start, type Bench } from '../support';

const ACCOUNT = 'SBX001';
const at = (text: string) => `${text}+05:30`;
const day = (date: string) => at(`${date}T00:00:00`);

/** Wednesday 2026-11-18, from before the pre-open to the evening, and the two mornings after it. */
describe('a day from end to end', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  beforeAll(async () => {
    bench = await start({ hours: 'exchange', start: at('2026-11-18T08:55:00.000'), rateLimit: 'off' });
    headers = await logIn(bench);
  });
  afterAll(() => bench.close());

  const world = () => bench.running.sandbox.world;
  const nse = (symbol: string): Instrument => world().universe().bySymbol('NSE', symbol)!;
  const get = async (path: string) => (await bench.http.get(path, { headers })).data;
  const funds = async () => (await get('/portfolio/user_funds_and_margin')).port_funds_and_margin;
  const positions = async () => (await get('/portfolio/positions')).portfolio;
  const holdings = async () =>
    (await get('/portfolio/holdings')).portfolio.holdings as { symbol: string; qty: number; t1_qty: number }[];
  const until = async (instant: string) => {
    const reply = await bench.http.post('/_sandbox/clock', { set: instant });
    expect(reply.status).toBe(200);
  };
  const place = async (symbol: string, side: 'BUY' | 'SELL', quantity: number, product: 'CNC' | 'IDAY', price = 0) => {
    const body = {
      ref_id: nse(symbol).refId,
      order_type: 'ORDER_TYPE_REGULAR',
      order_qty: quantity,
      order_side: `ORDER_SIDE_${side}`,
      order_delivery_type: `ORDER_DELIVERY_TYPE_${product}`,
      validity_type: 'DAY',
      price_type: price === 0 ? 'MARKET' : 'LIMIT',
      order_price: price,
    };
    const { status, data } = await bench.http.post('/orders/v2/single', body, { headers });
    expect([status, data.error]).toEqual([200, undefined]);
    return String(data.order_id);
  };
  const order = async (id: string) => get(`/orders/${id}`);
  const report = async (type: string, body: object) => {
    const { status, data } = await bench.http.post(`/report/${type}`, { action_type: 'VIEW', ...body }, { headers });
    expect([type, status, data.error]).toEqual([type, 200, undefined]);
    return data.res;
  };

  let resting: string;
  let settledCash = 0;

  test('orders wait before and in the pre-open, and cash is held for them to the paisa', async () => {
    const { tickSize } = nse('TCS');
    const limit = Math.floor((world().lastPrice(nse('TCS')) * 0.97) / tickSize) * tickSize;
    await until(at('2026-11-18T09:02:00.000'));
    resting = await place('TCS', 'BUY', 10, 'CNC', limit);
    await bench.advance('PT3S');
    expect((await order(resting)).order_status).toBe('ORDER_STATUS_OPEN');
    expect(await funds()).toMatchObject({
      start_of_day_funds: 1_000_000_000,
      total_margin_blocked: 10 * limit,
      net_margin_available: 1_000_000_000 - 10 * limit,
    });
  });

  test('trading goes on: delivery bought, holdings sold, intraday opened, a future and an option carried', async () => {
    await until(at('2026-11-18T10:00:00.000'));
    const future = world().universe().bySymbol('NSE', 'NIFTY26NOVFUT')!;
    const expiry = world()
      .universe()
      .expiries('NSE', 'NIFTY')
      .find((expiry) => expiry > 20261120)!;
    const { ce } = world().universe().options('NSE', 'NIFTY', expiry);
    const spot = world().lastPrice(nse('NIFTY'));
    const call = ce.find(({ strikePrice }) => strikePrice > spot)!;
    const ids = [
      await place('HDFCBANK', 'BUY', 50, 'CNC'),
      await place('ITC', 'SELL', 100, 'CNC'),
      await place('INFY', 'BUY', 40, 'IDAY'),
      await place('SBIN', 'SELL', 30, 'IDAY'),
      await place(future.symbol, 'BUY', future.lotSize, 'CNC'),
      await place(call.symbol, 'BUY', call.lotSize, 'CNC'),
    ];
    await bench.advance('PT30S');
    for (const id of ids) expect((await order(id)).order_status).toBe('ORDER_STATUS_FILLED');
    const { stock_positions, fut_positions, opt_positions, position_stats } = await positions();
    expect(stock_positions).toHaveLength(4);
    expect([fut_positions.length, opt_positions.length]).toEqual([1, 1]);
    expect(position_stats.total_pnl).toBe(
      [...stock_positions, ...fut_positions, ...opt_positions].reduce((sum, { pnl }) => sum + pnl, 0),
    );
    expect((await holdings()).find(({ symbol }) => symbol === 'ITC')).toMatchObject({ qty: 300 });
  });

  test('intraday positions are closed at the stop time, and none can be opened', async () => {
    await until(at('2026-11-18T15:09:50.000'));
    expect(
      (await positions()).stock_positions.filter(
        ({ product }: { product: string }) => product === 'ORDER_DELIVERY_TYPE_IDAY',
      ),
    ).toHaveLength(2);
    await until(at('2026-11-18T15:14:00.000'));
    const late = await place('INFY', 'BUY', 1, 'IDAY');
    await until(at('2026-11-18T15:14:55.000'));
    const { stock_positions, close_positions } = await positions();
    expect(
      stock_positions.map(({ symbol, product }: { symbol: string; product: string }) => [symbol, product]),
    ).toEqual([
      ['HDFCBANK', 'ORDER_DELIVERY_TYPE_CNC'],
      ['ITC', 'ORDER_DELIVERY_TYPE_CNC'],
    ]);
    expect(close_positions.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(['INFY', 'SBIN']);
    expect((await order(late)).order_status).toBe('ORDER_STATUS_REJECTED');
    const forced = (await get('/orders')).filter(
      ({ order_source }: { order_source: string }) => order_source !== 'ORDER_SOURCE_NORMAL',
    );
    expect(
      forced
        .map(({ order_side, order_qty }: { order_side: string; order_qty: number }) => [order_side, order_qty])
        .sort(),
    ).toEqual([
      ['ORDER_SIDE_BUY', 30],
      ['ORDER_SIDE_SELL', 40],
    ]);
  });

  test('a resting order expires at the close and gives its cash back', async () => {
    await until(at('2026-11-18T16:30:00.000'));
    headers = await logIn(bench);
    expect((await order(resting)).order_status).toBe('ORDER_STATUS_EXPIRED');
    expect((await funds()).margin_blocked_orders).toBe(0);
  });

  test('statements of the next morning reconcile to the paisa', async () => {
    const before = world().accounts.funds(ACCOUNT);
    const trades = world()
      .accounts.trades(ACCOUNT)
      .filter(({ date }) => date === '2026-11-18');
    await until(at('2026-11-19T08:00:00.000'));
    headers = await logIn(bench);

    const stats = await funds();
    const ledger = await report('summary', { from_date: day('2026-11-18'), to_date: day('2026-11-18') });
    expect(ledger.summary.opening_balance).toBe(1_000_000_000);
    expect(ledger.summary.closing_balance).toBe(stats.start_of_day_funds);
    expect(stats.cash_balance).toBe(stats.start_of_day_funds);

    const close = world().accounts.closes(ACCOUNT).at(-1)!;
    expect(close.date).toBe('2026-11-18');
    const { funds: ended } = close;
    expect(ended.cash).toBe(ended.opening + ended.added + ended.realised - ended.charges - ended.invested);
    // The delivery of a sale costs Rs 13 and GST at the end of the day.
    expect([ended.charges, ended.heldForOrders]).toEqual([before.charges + 1_534, 0]);

    const note = await report('contract_note', { from_date: day('2026-11-18'), to_date: day('2026-11-18') });
    const bought = trades
      .filter(({ trade }) => trade.side === 'BUY')
      .reduce((sum, { trade }) => sum + trade.price * trade.quantity, 0);
    const sold = trades
      .filter(({ trade }) => trade.side === 'SELL')
      .reduce((sum, { trade }) => sum + trade.price * trade.quantity, 0);
    const receivable = ledger.summary.closing_balance - ledger.summary.opening_balance + 1_534;
    expect(note.summary).toEqual({ trades: trades.length, bought, sold, charges: before.charges, receivable });

    const profit = await report('profit_loss', { from_date: day('2026-11-18'), to_date: day('2026-11-18') });
    expect(profit.summary).toMatchObject({
      gross: ended.realised,
      charges: ended.charges,
      net: ended.realised - ended.charges,
    });

    const open = await report('open_positions', { date: day('2026-11-18') });
    expect(open.sections[0].rows.map(({ side }: { side: string }) => side)).toEqual(['Long', 'Long']);
    expect((await positions()).stock_positions).toEqual([]);
    expect((await positions()).fut_positions).toHaveLength(1);

    expect((await holdings()).map(({ symbol, qty, t1_qty }) => [symbol, qty, t1_qty])).toEqual([
      ['INFY', 100, 0],
      ['RELIANCE', 60, 0],
      ['SBIN', 250, 0],
      ['ITC', 300, 0],
      ['HDFCBANK', 0, 50],
    ]);
    settledCash = ledger.summary.closing_balance;
  });

  test('purchases are settled the morning after that; a quiet day moved nothing but the futures’ mark to market', async () => {
    await until(at('2026-11-20T08:00:00.000'));
    headers = await logIn(bench);
    expect((await holdings()).find(({ symbol }) => symbol === 'HDFCBANK')).toMatchObject({ qty: 50, t1_qty: 0 });
    const profit = await report('profit_loss', { from_date: day('2026-11-19'), to_date: day('2026-11-19') });
    expect((await funds()).start_of_day_funds).toBe(settledCash + profit.summary.net);
    const demat = await report('demat', { from_date: day('2026-11-18'), to_date: day('2026-11-19') });
    expect(
      demat.sections[0].rows.map(
        ({ company, credit, debit }: { company: string; credit: number | null; debit: number | null }) => [
          company.slice(0, 3),
          credit,
          debit,
        ],
      ),
    ).toEqual([
      ['ITC', null, 100],
      ['HDF', 50, null],
    ]);
  });
});
