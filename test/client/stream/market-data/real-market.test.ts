/** Market data over real sockets against the sandbox, which is ended in the middle. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { MarketFeed } from '../../../../client/stream/market-data/market-feed';
import { SharedMarketData } from '../../../../client/stream/market-data/shared-market-data';
import { logIn, START, start, type Bench } from '../../../sandbox/support';
import { describeWith } from '../../../support/needs';
import { WHOLE_RUN } from '../../../support/sample';
import { Heard, instrumentOf, marketDeps } from './sandbox-market';

/** An hour after the start, nearly. */
const MINUTES_LATER = Date.parse(START) + 55 * 60_000;
/** The sandbox's clock goes on by itself. */
const RUNNING = { clock: 'real', start: undefined } as const;
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

  it('brings ticks, candles, depth, Greeks and a chain over one socket, and asks for no price', async () => {
    const { deps, requests, sockets } = marketDeps(bench.running.url, headers);
    const feed = new MarketFeed(deps, 'sandbox', () => undefined);
    const received = new Heard();
    const share = instrumentOf(bench.running, 'INFY');
    const index = instrumentOf(bench.running, 'NIFTY');
    const { world } = bench.running.sandbox;
    const expiry = String(world.universe().expiries('NSE', 'NIFTY')[0]);
    const call = world.universe().options('NSE', 'NIFTY', Number(expiry)).ce[0]!;
    const option = { refId: call.refId, exchange: 'NSE', symbol: call.symbol, kind: 'OPT' } as const;
    const [oil] = [...world.universe().all('MCX', ['FUT'])];
    // Both are asked for by the full name (docs/service/instruments.md#names-for-prices), by which the stream names them.
    const { refId, symbol, platName } = oil!;
    const future = { refId, exchange: 'MCX', symbol, platName, kind: 'FUT' } as const;
    leaves.push(
      await feed.subscribe(
        [
          { kind: 'tick', instrument: future },
          { kind: 'candle', instrument: future, interval: '1m' },
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
        received.listener,
        FOREVER,
      ),
    );
    const { tick } = await received.first('tick', (event) => event.tick.instrument.refId === share.refId);
    expect(tick).toMatchObject({ source: 'stream', lastPrice: world.lastPrice(world.instrument(share.refId)!) });
    await received.first('tick', (event) => event.tick.instrument.refId === index.refId);
    await received.first('tick', (event) => event.tick.instrument.refId === future.refId);
    expect((await received.first('depth')).depth.bids).toHaveLength(3);
    expect((await received.first('greeks')).option.refId).toBe(option.refId);
    expect((await received.first('chain')).chain.calls.length).toBeGreaterThan(5);
    await bench.advance('PT61S');
    await received.first('candle', (event) => event.candle.instrument.refId === future.refId);
    const { candle } = await received.first('candle', (event) => event.candle.instrument.refId === share.refId);
    expect(candle).toMatchObject({ interval: '1m', at: Date.parse('2026-11-23T10:00:00+05:30') });
    expect(sockets).toHaveLength(1);
    // On a slow machine the market, whose clock does not move by itself, is quiet for so long that the client reads the
    // history or asks REST: it says so.
    const isAsked = received.of('source').some(({ now }) => now === 'rest');
    const others = requests.filter((path) => path !== '/charts/timeseries' && !(isAsked && path.endsWith('/price')));
    expect(others).toEqual(['/userinfo']);
  });

  it('serves two hundred listeners of fifty instruments over one socket, without a request', async () => {
    const { deps, requests, sockets } = marketDeps(bench.running.url, headers);
    const shared = new SharedMarketData();
    const shares = [...bench.running.sandbox.world.universe().all('NSE')]
      .filter(({ derivativeType }) => derivativeType === 'STOCK')
      .slice(0, 50)
      .map(({ symbol }) => instrumentOf(bench.running, symbol));
    const listeners = Array.from({ length: 200 }, () => new Heard());
    for (const [at, received] of listeners.entries()) {
      const subscriptions = [{ kind: 'tick' as const, instrument: shares[at % shares.length]! }];
      leaves.push(await shared.of('a', deps, 'sandbox').subscribe(subscriptions, received.listener, FOREVER));
    }
    for (let minutes = 0; minutes < 60; minutes++) await bench.advance('PT60S');
    for (const received of listeners) await received.first('tick', ({ tick }) => tick.at > MINUTES_LATER);
    expect([shares.length, shared.size, sockets.length, requests]).toEqual([50, 1, 1, ['/userinfo']]);
    expect(listeners.flatMap((received) => received.events.filter(({ kind }) => kind !== 'tick'))).toEqual([]);
    for (const leave of leaves.splice(0)) leave();
    expect(shared.size).toBe(0);
  });
});

/**
 * The client takes the service's clock to run as fast as its own while REST replaces the stream: the clock of the
 * sandbox must keep running.
 */
describeWith(WHOLE_RUN, 'A stream of the sandbox that ends', () => {
  let bench: Bench;
  let data: string;
  let received: Heard;
  const leaves: (() => void)[] = [];
  beforeEach(async () => {
    // What is kept in memory alone, sessions too, dies with the sandbox: the client would be told to log in.
    data = await mkdtemp(join(tmpdir(), 'real-market-'));
    bench = await start({ ...RUNNING, data });
    received = new Heard();
  });
  afterEach(async () => {
    for (const leave of leaves.splice(0)) leave();
    await bench.close();
    await rm(data, { recursive: true, force: true });
  });

  it('asks REST where every frame cuts it, and goes back to it by itself', async () => {
    const { refId } = await listen();
    const fault = { match: { stream: true }, action: 'disconnect', probability: 1 };
    expect((await bench.http.post('/_sandbox/faults', fault)).status).toBe(200);
    await movePrice(refId, 111_100);
    await received.first('source', ({ now }) => now === 'rest');
    await received.first('tick', ({ tick }) => isNear(tick.lastPrice, 111_100) && tick.source !== 'stream');
    expect((await bench.http.delete('/_sandbox/faults')).status).toBe(200);
    await received.first('source', ({ now }) => now === 'stream');
    await movePrice(refId, 122_200);
    await received.first('tick', ({ tick }) => isNear(tick.lastPrice, 122_200) && tick.source === 'stream');
    expectOneStory();
  });

  it('asks REST while the sandbox is down, and goes back to the stream when it is there again', async () => {
    const { refId } = await listen();
    const { port } = bench.running;
    await bench.close();
    await received.first('source', ({ now }) => now === 'rest');
    bench = await start({ ...RUNNING, data, port });
    await movePrice(refId, 111_100);
    await received.first('source', ({ now }) => now === 'stream');
    await received.first('tick', ({ tick }) => isNear(tick.lastPrice, 111_100));
    await movePrice(refId, 122_200);
    await received.first('tick', ({ tick }) => isNear(tick.lastPrice, 122_200) && tick.source === 'stream');
    expectOneStory();
  });

  it('ends with the reason where the sandbox comes back without the session', async () => {
    const onEnd = jest.fn();
    await listen(onEnd);
    const { port } = bench.running;
    await bench.close();
    bench = await start({ ...RUNNING, port });
    expect((await received.first('fatal')).error.message).toContain('log in');
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  /** Listens to a share until its first price. */
  async function listen(onEnd: () => void = () => undefined): Promise<MarketInstrument> {
    const { deps } = marketDeps(bench.running.url, await logIn(bench));
    const instrument = instrumentOf(bench.running, 'INFY');
    const feed = new MarketFeed(deps, 'sandbox', onEnd);
    leaves.push(await feed.subscribe([{ kind: 'tick', instrument, everyMs: 200 }], received.listener, FOREVER));
    await received.first('tick');
    return instrument;
  }

  /** True if a price is the one that was set, or what a market that runs has made of it since. */
  function isNear(price: number, set: number): boolean {
    return Math.abs(price - set) < set / 100;
  }

  async function movePrice(refId: number, price: number): Promise<void> {
    expect((await bench.http.post('/_sandbox/market', { ref_id: refId, price })).status).toBe(200);
  }

  /** It went to REST and back once, said so once each, and time never went back. */
  function expectOneStory(): void {
    expect(received.of('source').map(({ now }) => now)).toEqual(['rest', 'stream']);
    const times = received.of('tick').map(({ tick }) => tick.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }
});
