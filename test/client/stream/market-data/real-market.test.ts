/** Market data over real sockets against the sandbox, which is ended in the middle. */
import { MarketFeed } from '../../../../client/stream/market-data/market-feed';
import { logIn, start, type Bench } from '../../../sandbox/support';
import { Heard, instrumentOf, marketDeps } from './sandbox-market';

const FOREVER = new AbortController().signal;

describe('Market data of the sandbox over real sockets', () => {
  let bench: Bench;
  let headers: Record<string, string>;
  const leaves: (() => void)[] = [];
  beforeEach(async () => {
    bench = await start();
    headers = await logIn(bench);
  });
  afterEach(async () => {
    for (const leave of leaves.splice(0)) leave();
    await bench.close();
  });

  it('brings ticks, candles, depth, Greeks and a chain over one socket, and asks nothing over REST', async () => {
    const { deps, requests, sockets } = marketDeps(bench.running.url, headers);
    const feed = new MarketFeed(deps, 'sandbox', () => undefined);
    const heard = new Heard();
    const share = instrumentOf(bench.running, 'INFY');
    const index = instrumentOf(bench.running, 'NIFTY');
    const { world } = bench.running.sandbox;
    const expiry = String(world.universe().expiries('NSE', 'NIFTY')[0]);
    const call = world.universe().options('NSE', 'NIFTY', Number(expiry)).ce[0]!;
    const option = { refId: call.refId, exchange: 'NSE', symbol: call.symbol, kind: 'OPT' } as const;
    leaves.push(
      await feed.subscribe(
        [
          { kind: 'tick', instrument: share },
          { kind: 'tick', instrument: index },
          { kind: 'candle', instrument: share, interval: '1m' },
          { kind: 'depth', instrument: share, levels: 3 },
          { kind: 'greeks', instrument: option },
          {
            kind: 'chain',
            exchange: 'NSE',
            asset: 'NIFTY',
            expiry: `${expiry.slice(0, 4)}-${expiry.slice(4, 6)}-${expiry.slice(6)}`,
          },
        ],
        heard.listener,
        FOREVER,
      ),
    );
    const { tick } = await heard.first('tick', (event) => event.tick.instrument.refId === share.refId);
    expect(tick).toMatchObject({ source: 'stream', lastPrice: world.lastPrice(world.instrument(share.refId)!) });
    await heard.first('tick', (event) => event.tick.instrument.refId === index.refId);
    expect((await heard.first('depth')).depth.bids).toHaveLength(3);
    expect((await heard.first('greeks')).option.refId).toBe(option.refId);
    expect((await heard.first('chain')).chain.calls.length).toBeGreaterThan(5);
    await bench.advance('PT61S');
    const { candle } = await heard.first('candle');
    expect(candle).toMatchObject({ interval: '1m', at: Date.parse('2026-11-23T10:00:00+05:30') });
    expect(sockets).toHaveLength(1);
    expect(requests).toEqual(['/userinfo']);
  });
});
