/**
 * A service that refuses subscriptions because the account would want too much: this is said once, and REST replaces
 * what does not come.
 */
import { describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import type { MarketEvent, MarketSubscription } from '../../../../client/stream/market-data/market-data';
import { MarketFeed } from '../../../../client/stream/market-data/market-feed';
import { logIn, start } from '../../../sandbox/support';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { MarketWorld } from './market-world';
import { Heard, instrumentOf, marketDeps } from './sandbox-market';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SAID = 'Subscription limit exceeded: 50001 of 50000';

/** A market in virtual time that refuses TCS; INFY and TCS are wanted, by one listener each. */
async function listening(subscriptionsOf: (world: MarketWorld) => readonly (readonly MarketSubscription[])[]) {
  const clock = new VirtualClock(MONDAY_TEN);
  const world = new MarketWorld(clock, 7, MONDAY_TEN, MONDAY_TEN + 40 * MINUTE);
  world.ahead = 0;
  world.refused.add('TCS');
  const closing = new AbortController();
  let isOver = false;
  const running = world.run(() => isOver);
  const feed = new MarketFeed(world.deps(), 'live', () => undefined);
  const received: MarketEvent[][] = [];
  for (const subscriptions of subscriptionsOf(world)) {
    const events: MarketEvent[] = [];
    received.push(events);
    await feed.subscribe(subscriptions, (event) => events.push(event), closing.signal);
  }
  const close = async (): Promise<void> => {
    closing.abort(new Error('closed'));
    isOver = true;
    await running;
  };
  return { clock, world, feed, heard: received, closing, close };
}

const priceOf = (world: MarketWorld, symbol: string): MarketSubscription => ({
  kind: 'tick',
  instrument: world.shareOf(symbol).instrument,
});
const sources = (events: readonly MarketEvent[]): Set<string> =>
  new Set(events.flatMap((event) => (event.kind === 'tick' ? [event.tick.source] : [])));
const refusals = (events: readonly MarketEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'refused' ? [event.said] : []));

describe('Subscriptions that the service refuses', () => {
  test('are told once, and asked for over REST alone, until the service takes them', async () => {
    const {
      clock,
      world,
      heard: received,
      close,
    } = await listening((marketWorld) => [[priceOf(marketWorld, 'INFY')], [priceOf(marketWorld, 'TCS')]]);
    const [infy, tcs] = received as [MarketEvent[], MarketEvent[]];
    await clock.sleep(2 * MINUTE);
    expect([refusals(infy), refusals(tcs)]).toEqual([[SAID], [SAID]]);
    expect(sources(infy)).toEqual(new Set(['stream']));
    expect(sources(tcs)).toEqual(new Set(['rest', 'history']));
    expect([...infy, ...tcs].filter(({ kind }) => kind === 'silent' || kind === 'source')).toEqual([]);
    world.dropAll();
    await clock.sleep(10 * SECOND);
    expect(refusals(tcs)).toEqual([SAID]);
    world.refused.clear();
    await clock.sleep(11 * MINUTE);
    tcs.length = 0;
    const { requests } = world;
    await clock.sleep(MINUTE);
    expect([sources(tcs), refusals(tcs), world.requests - requests]).toEqual([new Set(['stream']), [], 0]);
    await close();
  });

  test('are told again where the service has taken all between', async () => {
    const { clock, world, heard: received, close } = await listening((marketWorld) => [[priceOf(marketWorld, 'TCS')]]);
    const [tcs] = received as [MarketEvent[]];
    // It is refused again at each connection, and when it is asked for again: that is the same refusal.
    await clock.sleep(MINUTE);
    world.dropAll();
    await clock.sleep(15 * MINUTE);
    expect(refusals(tcs)).toEqual([SAID]);
    world.refused.clear();
    await clock.sleep(11 * MINUTE);
    world.refused.add('TCS');
    world.dropAll();
    await clock.sleep(MINUTE);
    expect(refusals(tcs)).toEqual([SAID, SAID]);
    await close();
  });

  test('are told to who comes later too, and asked for again when others give something back', async () => {
    const {
      clock,
      world,
      feed,
      heard: received,
      closing,
      close,
    } = await listening((marketWorld) => [[priceOf(marketWorld, 'TCS')]]);
    const leave = await feed.subscribe([priceOf(world, 'INFY')], () => undefined, closing.signal);
    await clock.sleep(SECOND);
    const late: MarketEvent[] = [];
    await feed.subscribe([priceOf(world, 'SBIN')], (event) => late.push(event), closing.signal);
    expect(refusals(late)).toEqual([SAID]);
    world.refused.clear();
    await clock.sleep(10 * SECOND);
    const [tcs] = received as [MarketEvent[]];
    expect(sources(tcs)).toEqual(new Set(['rest', 'history']));
    leave();
    await clock.sleep(3 * SECOND);
    expect(sources(tcs)).toContain('stream');
    await close();
  });

  test('have their closed candles read from the history', async () => {
    const {
      clock,
      heard: received,
      close,
    } = await listening((marketWorld) => [
      [{ kind: 'candle', instrument: marketWorld.shareOf('TCS').instrument, interval: '1m' }],
      [priceOf(marketWorld, 'INFY')],
    ]);
    await clock.sleep(6 * MINUTE);
    const starts = received[0]!.flatMap((event) => (event.kind === 'candle' ? [event.candle.at] : []));
    expect(starts.length).toBeGreaterThanOrEqual(4);
    expect(starts).toEqual(starts.map((_one, index) => starts[0]! + index * MINUTE));
    await close();
  });

  test('are those of the sandbox, where another program on the account wants nearly everything', async () => {
    const bench = await start();
    const headers = await logIn(bench);
    const { deps } = marketDeps(bench.running.url, headers);
    const { url, token } = await deps.access(new AbortController().signal);
    const other = new WebSocket(`${url}?token=${token}`);
    await new Promise((resolve) => other.once('open', resolve));
    for (let from = 0; from < 2_500; from += 500) {
      const chains = Array.from({ length: 500 }, (_one, at) => ({
        exchange: 'NSE',
        asset: `NONE${from + at}`,
        expiry: '20261124',
      }));
      other.send(`batch_subscribe ${token} option ${JSON.stringify(chains)}`);
    }
    // One more than all is refused: then the first command has been taken.
    const refused = new Promise<string>((resolve) =>
      other.on('message', (data, isBinary) => !isBinary && resolve(String(data))),
    );
    other.send(`batch_subscribe ${token} index {"indexes":["MORE"]} NSE`);
    expect(await refused).toBe(SAID);
    const received = new Heard();
    const closing = new AbortController();
    const feed = new MarketFeed(deps, 'sandbox', () => undefined);
    await feed.subscribe(
      [{ kind: 'tick', instrument: instrumentOf(bench.running, 'INFY') }],
      received.listener,
      closing.signal,
    );
    expect((await received.first('refused')).said).toBe(SAID);
    expect((await received.first('tick')).tick.source).toBe('rest');
    closing.abort(new Error('closed'));
    other.terminate();
    await bench.close();
  });
});
