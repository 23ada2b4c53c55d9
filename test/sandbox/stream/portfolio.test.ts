import { logIn, start, type Bench } from '../support';
import { StreamClient } from './client';

describe('Portfolio updates on the stream (specification: Events; wire facts, PortfolioResponse)', () => {
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
    const told = (body as { holdingResponse: { clientCode: string; holdingStats: Record<string, string>; holdings: Record<string, unknown>[] } }).holdingResponse;
    expect(told.clientCode).toBe('SBX001');
    expect(Number(told.holdingStats['currentValue'])).toBe(portfolio.holding_stats.current_value);
    expect(told.holdings.map(({ refId, ltp, qty }) => [Number(refId), ltp, qty])).toEqual(
      portfolio.holdings.map(({ ref_id, ltp, qty }: Record<string, number>) => [ref_id, ltp, qty]),
    );
    expect(told.holdings[0]).toMatchObject({ exchange: 'EXCHANGE_NSE', platName: expect.stringContaining('STOCK_') });
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
