/** The market data of one credential: when it begins and ends, and what is told when something is wrong. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError, SessionError } from '../../../../client/base/errors';
import { StreamError } from '../../../../client/stream/connection/socket';
import { OUTAGE_AFTER_MS } from '../../../../client/stream/connection/outage-reporter';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { chains, depthOf, FeedBench, INFY, Listening, TCS, tickOf, ticks } from './feed-bench';
import { knownPrice } from '../../../support/price';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SUNDAY_TEN = MONDAY_TEN - 24 * 60 * MINUTE;
const CLOSED = 'The stream could not be opened';

const cut = new NetworkError('cut', { maySent: false });
const noSession = new SessionError('no session');

describe('the start', () => {
  test('is over when the stream is open; with the last who listens the stream ends', async () => {
    const bench = new FeedBench();
    const [first, second] = [await bench.listen(tickOf(INFY)), await bench.listen(tickOf(TCS))];
    first.leave();
    first.leave();
    expect([bench.last.sent.slice(-1), bench.last.isClosed, bench.ends]).toEqual([
      ['batch_unsubscribe index {"indexes":["INFY"]} NSE'],
      ...[false, 0],
    ]);
    bench.last.says(ticks({ price: 100 }, { price: 200, name: 'TCS' }));
    expect([first.takeEvents(), second.takeEvents()]).toEqual([[], ['200 stream']]);
    second.leave();
    await bench.clock.sleep(MINUTE);
    expect([bench.last.isClosed, bench.ends, bench.asked.length, bench.last.sent.length]).toEqual([true, 1, 1, 3]);
  });

  test('is given up with its signal, before it and during it', async () => {
    const bench = new FeedBench();
    const reason = new Error('stopped before');
    await expect(bench.feed.subscribe([tickOf(INFY)], () => undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(bench.asked).toEqual([]);
    bench.access = async () => await new Promise(() => undefined);
    const waiting = new Listening();
    const begun = waiting.begin(bench.feed, tickOf(INFY));
    waiting.stop();
    await expect(begun).rejects.toThrow('stopped');
    expect(bench.ends).toBe(1);
  });

  test.each([
    ['the service cannot be asked', cut],
    ['there is no session', noSession],
  ])('fails where %s', async (_case, error) => {
    const bench = new FeedBench();
    bench.access = async () => await Promise.reject(error);
    const listening = new Listening();
    await expect(listening.begin(bench.feed, tickOf(INFY))).rejects.toBe(error);
    await bench.clock.sleep(MINUTE);
    expect([bench.asked.length, bench.ends > 0, listening.takeEvents()]).toEqual([1, true, []]);
  });

  test('is that of REST where the stream does not open; who comes later hears of it, and what was told', async () => {
    const bench = new FeedBench();
    bench.opens = false;
    bench.price = async () => await Promise.resolve(knownPrice(101_000));
    const first = await bench.listen(tickOf(INFY));
    expect([first.takeEvents(), bench.clock.now()]).toEqual([[`rest: ${CLOSED}`, '101000 rest'], MONDAY_TEN]);
    const second = await bench.listen(tickOf(INFY));
    expect([second.takeEvents(), first.takeEvents()]).toEqual([[`rest: ${CLOSED}`, '101000 rest'], []]);
    first.leave();
    second.leave();
  });

  test('fails at the third attempt where REST cannot replace what is wanted', async () => {
    const bench = new FeedBench();
    bench.opens = false;
    await expect(bench.listen(depthOf(INFY))).rejects.toThrow(StreamError);
    expect([bench.connections.length, bench.ends > 0]).toEqual([3, true]);
  });

  test('goes on after a defect: that is no answer of the service', async () => {
    const bench = new FeedBench();
    const { access } = bench;
    const failures = [new TypeError('a defect')];
    bench.access = async () => (failures.length > 0 ? await Promise.reject(failures.shift()) : await access());
    const listening = await bench.listen(depthOf(INFY));
    expect([listening.takeEvents(), bench.asked.length]).toEqual([[], 2]);
    listening.leave();
  });

  test('fails where REST cannot be asked either; a defect is no such answer', async () => {
    const bench = new FeedBench();
    bench.opens = false;
    const failures = [new TypeError('a defect'), cut];
    bench.price = async () => await Promise.reject(failures.shift());
    await expect(bench.listen(tickOf(INFY))).rejects.toBe(cut);
    expect(bench.ends).toBeGreaterThan(0);
  });
});

describe('a failure that only a login by hand can end', () => {
  test.each([
    [
      'of the stream',
      (bench: FeedBench) => {
        bench.access = async () => await Promise.reject(noSession);
        bench.last.end();
      },
    ],
    [
      'of the prices in its place',
      (bench: FeedBench) => {
        bench.opens = false;
        bench.price = async () => await Promise.reject(noSession);
        bench.last.end();
      },
    ],
    [
      'of the history',
      (bench: FeedBench) => {
        bench.candles = async () => await Promise.reject(noSession);
        bench.last.says(ticks({ price: 100 }));
        bench.last.says('x'.repeat(3));
        bench.last.says(new Uint8Array(0));
        bench.last.says(ticks({ price: 100, at: MONDAY_TEN + 1 }));
      },
    ],
  ])('is told once to all who listen, and ends the feed: %s', async (_of, happens) => {
    const bench = new FeedBench();
    const all = [await bench.listen(tickOf(INFY)), await bench.listen(tickOf(TCS))];
    happens(bench);
    await bench.clock.sleep(30 * SECOND);
    const { length } = bench.asked;
    await bench.clock.sleep(MINUTE);
    expect([bench.asked.length - length, bench.ends > 0, bench.last.isClosed]).toEqual([0, true, true]);
    for (const listening of all)
      expect(listening.takeEvents().filter((text) => text.startsWith('fatal'))).toEqual(['fatal: no session']);
  });
});

describe('a stream that is lost', () => {
  test('is told when it is away for three seconds, and when it brings something again; what was between is asked for', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(tickOf(INFY));
    bench.last.says(ticks({ price: 100 }));
    bench.opens = false;
    bench.last.end();
    await bench.clock.sleep(2_999);
    expect(listening.takeEvents()).toEqual(['100 stream']);
    await bench.clock.sleep(2 * SECOND);
    expect(listening.takeEvents()).toEqual([`rest: ${CLOSED}`]);
    bench.opens = true;
    const { length } = bench.connections;
    while (bench.connections.length === length) await bench.clock.sleep(100);
    const { histories } = bench;
    bench.last.says(ticks({ price: 101, at: bench.clock.now() }));
    expect(listening.takeEvents()).toEqual(['stream: The stream is back']);
    await bench.clock.sleep(SECOND);
    expect([listening.takeEvents(), bench.histories - histories]).toEqual([['101 stream'], 1]);
    listening.leave();
  });

  test('is back too when it has been open for three seconds; one that returns sooner is not told of', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(tickOf(INFY));
    bench.last.says(ticks({ price: 100 }));
    bench.last.end();
    await bench.clock.sleep(SECOND);
    bench.last.says(ticks({ price: 100, at: MONDAY_TEN + SECOND }));
    await bench.clock.sleep(SECOND);
    expect([listening.takeEvents(), bench.connections.length]).toEqual([['100 stream', '100 stream'], 2]);
    bench.opens = false;
    bench.last.end();
    await bench.clock.sleep(4 * SECOND);
    expect(listening.takeEvents()).toEqual([`rest: ${CLOSED}`]);
    bench.opens = true;
    const { length } = bench.connections;
    while (bench.connections.length === length) await bench.clock.sleep(100);
    await bench.clock.sleep(2_800);
    expect(listening.takeEvents()).toEqual([]);
    await bench.clock.sleep(1_300);
    expect(listening.takeEvents()).toEqual(['stream: The stream is back']);
    listening.leave();
  });

  test('is an outage where REST fails too, told once after five minutes until something is had', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(tickOf(INFY));
    await bench.clock.sleep(MINUTE);
    bench.last.says(ticks({ price: 100, at: bench.clock.now() }));
    bench.opens = false;
    bench.price = async () => await Promise.reject(cut);
    bench.last.end();
    await bench.clock.sleep(OUTAGE_AFTER_MS - 1);
    expect(listening.takeEvents()).toEqual(['100 stream', `rest: ${CLOSED}`]);
    await bench.clock.sleep(OUTAGE_AFTER_MS);
    expect(listening.events).toEqual([
      { kind: 'outage', reason: `${CLOSED}; over REST: ${cut.message}`, downMs: OUTAGE_AFTER_MS },
    ]);
    listening.takeEvents();
    bench.price = async () => await Promise.resolve({ none: 'nothing has traded' });
    await bench.clock.sleep(2 * MINUTE);
    bench.price = async () => await Promise.reject(cut);
    await bench.clock.sleep(4 * MINUTE);
    expect(listening.takeEvents()).toEqual([]);
    await bench.clock.sleep(3 * MINUTE);
    expect(listening.takeEvents()).toEqual([`outage: ${CLOSED}; over REST: ${cut.message}`]);
    listening.leave();
  });
});

describe('a stream that is open', () => {
  test('is replaced when it brings no depth for two minutes of market hours', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(depthOf(INFY));
    await bench.clock.sleep(MINUTE);
    bench.last.says(ticks({ price: 100 }));
    await bench.clock.sleep(2 * MINUTE - 1);
    expect(bench.connections).toHaveLength(1);
    await bench.clock.sleep(2 * SECOND);
    expect(bench.connections).toHaveLength(2);
    listening.leave();
    const sunday = new FeedBench('live', new VirtualClock(SUNDAY_TEN));
    const other = await sunday.listen(depthOf(INFY));
    await sunday.clock.sleep(5 * MINUTE);
    expect(sunday.connections).toHaveLength(1);
    other.leave();
  });

  test('is kept while nothing of what is wanted is known to trade: REST tells of prices whether they do', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(depthOf(INFY), tickOf(TCS));
    await bench.clock.sleep(5 * MINUTE);
    expect([bench.connections.length, bench.prices]).toEqual([1, 0]);
    listening.leave();
  });

  test('says of each cause once that a frame could not be read', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(tickOf(INFY));
    const good = ticks({ price: 100 });
    bench.last.says(good);
    expect(listening.takeEvents()).toEqual(['100 stream']);
    for (const frame of [good.subarray(0, 9), new Uint8Array(0), good.subarray(0, 9)]) bench.last.says(frame);
    const reported = listening.takeEvents();
    expect([reported.length, new Set(reported).size, bench.histories]).toEqual([2, 2, 0]);
    // What the frame may have brought is looked for in the history.
    bench.last.says(ticks({ price: 101, at: MONDAY_TEN + 1 }));
    expect(bench.histories).toBe(1);
    listening.leave();
  });
});

describe('what the service refuses', () => {
  const SAID = 'Subscription limit exceeded: 50001 of 50000';

  test('is told once to each, also to who comes later, and asked for over REST, until all is taken', async () => {
    const bench = new FeedBench('sandbox');
    const listening = await bench.listen(tickOf(INFY), tickOf(TCS));
    bench.last.says(SAID);
    bench.last.says(SAID);
    bench.last.end();
    await bench.clock.sleep(SECOND);
    bench.last.says(SAID);
    const late = await bench.listen(tickOf(TCS));
    expect([listening.takeEvents(), late.takeEvents()]).toEqual([['refused'], ['refused']]);
    bench.price = async ({ symbol }) => await Promise.resolve(knownPrice(symbol === 'TCS' ? 300 : 200));
    for (let second = 1; second <= 5; second++) {
      await bench.clock.sleep(SECOND);
      bench.last.says(ticks({ price: 100, at: bench.clock.now() }));
    }
    expect([new Set(listening.takeEvents()), late.takeEvents()]).toEqual([
      new Set(['100 stream', '300 rest']),
      ['300 rest'],
    ]);
    await bench.clock.sleep(10 * MINUTE);
    bench.last.says(SAID);
    await bench.clock.sleep(10 * MINUTE + 20 * SECOND);
    late.takeEvents();
    bench.last.says(SAID);
    expect(late.takeEvents()).toEqual(['refused']);
    listening.leave();
    late.leave();
  });
});

describe('a contract', () => {
  const EVENING = Date.parse('2026-11-23T23:59:58+05:30');

  test('is told of once and given back where it has expired; others go on', async () => {
    const bench = new FeedBench('sandbox', new VirtualClock(EVENING));
    const contract = { ...INFY, expiry: '2026-11-23' };
    const listening = await bench.listen(
      ...[tickOf(contract), depthOf(contract), tickOf({ ...TCS, expiry: '2026-11-24' })],
      ...chains(1),
    );
    bench.last.sent.length = 0;
    await bench.clock.sleep(SECOND);
    expect([listening.takeEvents(), bench.last.sent]).toEqual([[], []]);
    await bench.clock.sleep(3 * SECOND);
    expect(listening.events).toEqual([{ kind: 'expired', instrument: contract }]);
    expect([listening.takeEvents(), bench.last.sent]).toEqual([
      ['expired'],
      ['batch_unsubscribe index {"indexes":["INFY"]} NSE', 'batch_unsubscribe orderbook {"instruments":[7001]}'],
    ]);
    bench.last.says(ticks({ price: 100, at: bench.clock.now() }, { price: 200, at: bench.clock.now(), name: 'TCS' }));
    expect(listening.takeEvents()).toEqual(['200 stream']);
    const late = await bench.listen(tickOf(contract), depthOf(TCS));
    await bench.clock.sleep(2 * SECOND);
    expect([listening.takeEvents(), late.takeEvents()]).toEqual([[], ['expired']]);
    bench.last.sent.length = 0;
    late.leave();
    expect(bench.last.sent).toEqual(['batch_unsubscribe orderbook {"instruments":[7002]}']);
    listening.leave();
  });
});

describe('a clock that is set', () => {
  test('begins the stream again, as a message on its way may have ended unheard', async () => {
    const bench = new FeedBench();
    const listening = await bench.listen(tickOf(INFY));
    await bench.clock.sleep(1_500);
    bench.clock.jump(60 * MINUTE);
    await bench.clock.sleep(2 * SECOND);
    expect(bench.connections).toHaveLength(2);
    await bench.clock.sleep(10 * SECOND);
    expect(bench.connections).toHaveLength(2);
    listening.leave();
  });

  test('is that of a sandbox that waits for us: the stream goes on', async () => {
    const bench = new FeedBench('sandbox');
    const { access } = bench;
    bench.access = async () => ({ ...(await access()), runsDone: async () => await Promise.resolve(0) });
    const listening = await bench.listen(tickOf(INFY));
    await bench.clock.sleep(1_500);
    bench.clock.jump(60 * MINUTE);
    await bench.clock.sleep(2 * SECOND);
    expect(bench.connections).toHaveLength(1);
    listening.leave();
  });
});

describe('a stream that is open and silent', () => {
  const bar = (at: number, price: number) => ({
    ...{ symbol: 'INFY', ts: msToNanos(at), open: price, high: price, low: price, close: price, volume: 1 },
  });

  test('is replaced though something that is wanted trades, and REST is asked at once', async () => {
    const bench = new FeedBench('sandbox');
    const listening = await bench.listen(tickOf(INFY));
    bench.last.says(ticks({ price: 100 }));
    bench.candles = async () => await Promise.resolve({ rows: [bar(MONDAY_TEN + 5 * SECOND, 101)] });
    await bench.clock.sleep(30 * SECOND);
    const reported = listening.takeEvents();
    expect(reported.slice(0, 2)).toEqual([
      ...['100 stream', 'rest: The stream is open, but brings nothing of what is traded'],
    ]);
    expect(reported).toContain('101 history');
    expect(bench.connections.length).toBeGreaterThan(1);
    listening.leave();
  });

  test('is told to who wants the one instrument that it is silent about, and to nobody who has left', async () => {
    const bench = new FeedBench('sandbox');
    const [listening, other] = [await bench.listen(tickOf(INFY)), await bench.listen(tickOf(TCS))];
    bench.last.says(ticks({ price: 100 }));
    bench.candles = async ({ symbols }) =>
      await Promise.resolve({ rows: symbols.includes('INFY') ? [bar(MONDAY_TEN + 5 * SECOND, 101)] : [] });
    for (let second = 1; second <= 25; second++) {
      await bench.clock.sleep(SECOND);
      bench.last.says(ticks({ price: 200, at: bench.clock.now(), name: 'TCS' }));
    }
    expect([listening.takeEvents().includes('silent'), new Set(other.takeEvents())]).toEqual([
      true,
      new Set(['200 stream']),
    ]);
    listening.leave();
    other.leave();
  });
});
