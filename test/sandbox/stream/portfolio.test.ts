import { MARKET_ORDER, logIn, start, type Bench } from '../support';
import { StreamClient } from './client';

describe('Portfolio updates on the stream', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  let token: string;
  let client: StreamClient;
  beforeEach(async () => {
    bench = await start();
    headers = await logIn(bench);
    token = headers['authorization']!.slice(7);
    client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
    client.socket.send(`subscribe ${token} direct_portfolio NOTIFICATION_DIRECT_PORTFOLIO_UPDATE`);
    while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
  });
  afterEach(async () => {
    client.socket.terminate();
    await bench.close();
  });

  it('come when a price behind a holding changes, and agree with REST', async () => {
    await bench.advance('PT10S');
    const { type, body } = await client.message();
    expect(type).toBe('PortfolioResponse');
    const { portfolio } = (await bench.http.get('/portfolio/holdings', { headers })).data;
    const reported = (
      body as {
        holdingResponse: {
          clientCode: string;
          holdingStats: Record<string, string>;
          holdings: Record<string, unknown>[];
        };
      }
    ).holdingResponse;
    expect(reported.clientCode).toBe('SBX001');
    expect(Number(reported.holdingStats['currentValue'])).toBe(portfolio.holding_stats.current_value);
    expect(reported.holdings.map(({ refId, ltp, qty }) => [Number(refId), ltp, qty])).toEqual(
      portfolio.holdings.map(({ ref_id, ltp, qty }: Record<string, number>) => [ref_id, ltp, qty]),
    );
    expect(reported.holdings[0]).toMatchObject({
      exchange: 'EXCHANGE_NSE',
      platName: expect.stringContaining('STOCK_'),
    });
  });

  it('come when a position changes, open, carried on its price and closed, and agree with REST', async () => {
    const { data } = await bench.http.get('/refdata/refdata/2026-11-23', { headers });
    const { ref_id } = data.refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_TCS.NSECM');
    const order = (order_side: string) =>
      bench.http.post(
        '/orders/v2/single',
        {
          ...MARKET_ORDER,
          ref_id,
          order_qty: 10,
          order_side,
          order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
        },
        { headers },
      );
    const figures = ['qty', 'ltp', 'avg_price', 'avg_buy_price', 'avg_sell_price', 'pnl'];
    const reported = async (list: string) => {
      const { body } = await client.message();
      const { positionResponse } = body as { positionResponse: Record<string, Record<string, unknown>[]> };
      const [position] = positionResponse[list]!;
      const camel = (name: string) => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
      return {
        refId: position!['refId'],
        side: position!['orderSide'],
        figures: figures.map((name) => Number(position![camel(name)] ?? 0)),
      };
    };
    const shown = async (list: string) => {
      const { portfolio } = (await bench.http.get('/portfolio/positions', { headers })).data;
      return figures.map((name) => portfolio[list][0][name]);
    };
    await order('ORDER_SIDE_BUY');
    await bench.advance('PT5S');
    const opened = await reported('stockPositions');
    expect(opened).toEqual({ refId: String(ref_id), side: 'ORDER_SIDE_BUY', figures: await shown('stock_positions') });
    await bench.advance('PT20S');
    const moved = await reported('stockPositions');
    expect(moved.figures).toEqual(await shown('stock_positions'));
    expect(moved.figures).not.toEqual(opened.figures);
    await order('ORDER_SIDE_SELL');
    await bench.advance('PT5S');
    expect((await reported('closePositions')).figures).toEqual(await shown('close_positions'));
  });

  it('come at most once a second, and not when nothing has changed', async () => {
    await bench.advance('PT10S');
    await bench.advance('PT0.2S');
    await bench.advance('PT0.2S');
    const frames = (await bench.http.get('/_sandbox/journal?kind=frame')).data as { topic: string }[];
    expect(frames.filter(({ topic }) => topic === 'portfolio')).toHaveLength(1);
    await bench.advance('PT2S');
    expect((await bench.http.get('/_sandbox/journal?kind=frame')).data).toHaveLength(2);
  });

  it('end with Invalid Token when the seven hours of the session are over', async () => {
    await bench.advance('PT7H');
    for (;;) if ((await client.next()) === 'Invalid Token') break;
    expect(await client.closed).toBe(1008);
  });
});
