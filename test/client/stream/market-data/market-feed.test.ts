/** The market data of one credential: when it begins and ends, what is told when something is wrong, and who shares it. */
import { describe, expect, test } from '@jest/globals';
import { InputError, NetworkError, SessionError } from '../../../../client/base/errors';
import { StreamError } from '../../../../client/stream/connection/socket';
import { SharedMarketData } from '../../../../client/stream/market-data/shared-market-data';
import { OUTAGE_AFTER_MS } from '../../../../client/stream/connection/outage';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { depthOf, FeedBench, FeedService, INFY, Listening, TCS, tickOf, ticks } from './feed-bench';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SUNDAY_TEN = MONDAY_TEN - 24 * 60 * MINUTE;
const CLOSED = 'The stream could not be opened';
const chains = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...({ kind: 'chain', exchange: 'NSE', asset: `A${at}`, expiry: '2026-11-24' } as const),
  }));

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
    expect([bench.asked.length, bench.ends > 0, listening.told()]).toEqual([1, true, []]);
  });

  test('is that of REST where the stream does not open; who comes later hears of it, and what was told', async () => {
    const bench = new FeedBench();
    bench.opens = false;
    bench.price = async () => await Promise.resolve(101_000);
    const first = await bench.listen(tickOf(INFY));
    expect(first.told()).toEqual([`rest: ${CLOSED}`, '101000 rest']);
    const second = await bench.listen(tickOf(INFY));
    expect([second.told(), first.told()]).toEqual([[`rest: ${CLOSED}`, '101000 rest'], []]);
    first.leave();
    second.leave();
  });

  test('fails at the third attempt where REST cannot stand in for what is wanted', async () => {
    const bench = new FeedBench();
    bench.opens = false;
    await expect(bench.listen(depthOf(INFY))).rejects.toThrow(StreamError);
    expect([bench.connections.length, bench.ends > 0]).toEqual([3, true]);
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

describe('what nothing helps against but the person', () => {
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
  ])('is told once to all who listen, and ends it: %s', async (_of, happens) => {
    const bench = new FeedBench();
    const all = [await bench.listen(tickOf(INFY)), await bench.listen(tickOf(TCS))];
    happens(bench);
    await bench.clock.sleep(30 * SECOND);
    const { length } = bench.asked;
    await bench.clock.sleep(MINUTE);
    expect([bench.asked.length - length, bench.ends > 0, bench.last.isClosed]).toEqual([0, true, true]);
    for (const one of all) expect(one.told().filter((text) => text.startsWith('fatal'))).toEqual(['fatal: no session']);
  });
});

describe('a stream that is lost', () => {
  test('is told when it is away for three seconds, and when it brings something again; what was between is asked for', async () => {
    const bench = new FeedBench();
    const one = await bench.listen(tickOf(INFY));
    bench.last.says(ticks({ price: 100 }));
    bench.opens = false;
    bench.last.end();
    await bench.clock.sleep(2_999);
    expect(one.told()).toEqual(['100 stream']);
    await bench.clock.sleep(2 * SECOND);
    expect(one.told()).toEqual([`rest: ${CLOSED}`]);
    bench.opens = true;
    const { length } = bench.connections;
    while (bench.connections.length === length) await bench.clock.sleep(100);
    const { histories } = bench;
    bench.last.says(ticks({ price: 101, at: bench.clock.now() }));
    expect(one.told()).toEqual(['stream: The stream is back']);
    await bench.clock.sleep(SECOND);
    expect([one.told(), bench.histories - histories]).toEqual([['101 stream'], 1]);
    one.leave();
  });

  test('is back too when it has been open for three seconds; one that returns sooner is not told of', async () => {
    const bench = new FeedBench();
    const one = await bench.listen(tickOf(INFY));
    bench.last.says(ticks({ price: 100 }));
    bench.last.end();
    await bench.clock.sleep(SECOND);
    bench.last.says(ticks({ price: 100, at: MONDAY_TEN + SECOND }));
    await bench.clock.sleep(SECOND);
    expect([one.told(), bench.connections.length]).toEqual([['100 stream', '100 stream'], 2]);
    bench.opens = false;
    bench.last.end();
    await bench.clock.sleep(4 * SECOND);
    expect(one.told()).toEqual([`rest: ${CLOSED}`]);
    bench.opens = true;
    const { length } = bench.connections;
    while (bench.connections.length === length) await bench.clock.sleep(100);
    await bench.clock.sleep(2_800);
    expect(one.told()).toEqual([]);
    await bench.clock.sleep(1_300);
    expect(one.told()).toEqual(['stream: The stream is back']);
    one.leave();
  });

  test('is an outage where REST fails too, told once after five minutes until something is had', async () => {
    const bench = new FeedBench();
    const one = await bench.listen(tickOf(INFY));
    bench.last.says(ticks({ price: 100 }));
    bench.opens = false;
    bench.price = async () => await Promise.reject(cut);
    bench.last.end();
    await bench.clock.sleep(OUTAGE_AFTER_MS - 1);
    expect(one.told()).toEqual(['100 stream', `rest: ${CLOSED}`]);
    await bench.clock.sleep(OUTAGE_AFTER_MS);
    expect(one.events).toEqual([{ kind: 'outage', reason: CLOSED, downMs: OUTAGE_AFTER_MS }]);
    one.told();
    bench.price = async () => await Promise.resolve(0);
    await bench.clock.sleep(2 * MINUTE);
    bench.price = async () => await Promise.reject(cut);
    await bench.clock.sleep(4 * MINUTE);
    expect(one.told()).toEqual([]);
    await bench.clock.sleep(3 * MINUTE);
    expect(one.told()).toEqual([`outage: ${CLOSED}`]);
    one.leave();
  });
});

describe('a stream that is open', () => {
  test('is replaced when it brings no depth for two minutes of market hours', async () => {
    const bench = new FeedBench();
    const one = await bench.listen(depthOf(INFY));
    await bench.clock.sleep(MINUTE);
    bench.last.says(ticks({ price: 100 }));
    await bench.clock.sleep(2 * MINUTE - 1);
    expect(bench.connections).toHaveLength(1);
    await bench.clock.sleep(2 * SECOND);
    expect(bench.connections).toHaveLength(2);
    one.leave();
    const sunday = new FeedBench('live', new VirtualClock(SUNDAY_TEN));
    const other = await sunday.listen(depthOf(INFY));
    await sunday.clock.sleep(5 * MINUTE);
    expect(sunday.connections).toHaveLength(1);
    other.leave();
  });

  test('is kept while nothing of what is wanted is known to trade: of prices REST tells whether they do', async () => {
    const bench = new FeedBench();
    const one = await bench.listen(depthOf(INFY), tickOf(TCS));
    await bench.clock.sleep(5 * MINUTE);
    expect(bench.connections).toHaveLength(1);
    one.leave();
  });

  test('says of each cause once that a frame could not be read', async () => {
    const bench = new FeedBench();
    const one = await bench.listen(depthOf(INFY));
    const good = ticks({ price: 100 });
    for (const frame of [good.subarray(0, 9), new Uint8Array(0), good.subarray(0, 9)]) bench.last.says(frame);
    const told = one.told();
    expect([told.length, new Set(told).size]).toEqual([2, 2]);
    one.leave();
  });
});

describe('a credential', () => {
  const joined = async (shared: SharedMarketData, service: FeedService): Promise<Listening> =>
    await new Listening().begin(shared.of('a', service.deps, 'live'), tickOf(INFY));
  const servicesOf = (count: number): FeedService[] => {
    const clock = new VirtualClock(MONDAY_TEN);
    return Array.from({ length: count }, () => new FeedService(clock));
  };

  test('has one stream, as long as somebody listens; another has its own', async () => {
    const service = new FeedService();
    const shared = new SharedMarketData();
    const market = (key: string) => shared.of(key, service.deps, 'live');
    expect([shared.size, shared.opened('a')]).toEqual([0, undefined]);
    const first = await new Listening().begin(market('a'), tickOf(INFY));
    const second = await new Listening().begin(market('a'), tickOf(TCS));
    const look = await new Listening().begin(shared.opened('a')!, tickOf(TCS));
    const other = await new Listening().begin(market('b'), tickOf(TCS));
    expect([shared.size, service.connections.length]).toEqual([2, 2]);
    first.leave();
    second.leave();
    expect(service.connections.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    look.leave();
    other.leave();
    expect([shared.size, shared.opened('a'), service.connections.every(({ isClosed }) => isClosed)]).toEqual([
      ...[0, undefined, true],
    ]);
    const again = await new Listening().begin(market('a'), tickOf(INFY));
    expect([shared.size, service.connections.length]).toEqual([1, 3]);
    again.leave();
  });

  test('is asked for as those who listen say, whoever began', async () => {
    const [founder, other] = servicesOf(2) as [FeedService, FeedService];
    const shared = new SharedMarketData();
    const [first, second] = [await joined(shared, founder), await joined(shared, other)];
    expect([founder.asked.length, other.asked.length]).toEqual([1, 0]);
    first.leave();
    founder.last.end();
    await founder.clock.sleep(SECOND);
    expect([founder.asked.length, other.asked.length, founder.connections.length, other.connections.length]).toEqual([
      ...[1, 1, 1, 1],
    ]);
    other.last.says(ticks({ price: 100 }));
    other.opens = false;
    other.last.end();
    await founder.clock.sleep(10 * SECOND);
    expect([founder.prices + founder.histories, other.prices > 0, other.histories > 0]).toEqual([0, true, true]);
    second.leave();
  });

  test('is not asked for as those say who have left, given up, or wanted too much; one may have brought the same twice', async () => {
    const [left, stopped, greedy, twice] = servicesOf(4) as [FeedService, FeedService, FeedService, FeedService];
    const shared = new SharedMarketData();
    const [first, second] = [await joined(shared, left), await joined(shared, stopped)];
    await expect(new Listening().begin(shared.of('a', greedy.deps, 'live'), ...chains(2_501))).rejects.toThrow(
      InputError,
    );
    expect(shared.size).toBe(1);
    const market = shared.of('a', twice.deps, 'live');
    const [third, fourth] = [
      await new Listening().begin(market, tickOf(INFY)),
      await new Listening().begin(market, tickOf(INFY)),
    ];
    first.leave();
    second.stop();
    third.leave();
    left.last.end();
    await left.clock.sleep(SECOND);
    expect([left, stopped, greedy, twice].map(({ asked }) => asked.length)).toEqual([1, 0, 0, 1]);
    fourth.leave();
    expect(shared.size).toBe(0);
  });

  test('has no stream where nothing could be begun', async () => {
    const [greedy, failing] = servicesOf(2) as [FeedService, FeedService];
    const shared = new SharedMarketData();
    await expect(new Listening().begin(shared.of('a', greedy.deps, 'live'), ...chains(2_501))).rejects.toThrow(
      InputError,
    );
    expect([shared.size, greedy.asked.length]).toEqual([0, 0]);
    failing.access = async () => await Promise.reject(cut);
    await expect(joined(shared, failing)).rejects.toBe(cut);
    expect(shared.size).toBe(0);
  });

  test('has another stream after one that nothing helped against; who leaves that takes nothing from this', async () => {
    const [dead, next] = servicesOf(2) as [FeedService, FeedService];
    const shared = new SharedMarketData();
    const first = await joined(shared, dead);
    dead.access = async () => await Promise.reject(noSession);
    dead.last.end();
    await dead.clock.sleep(SECOND);
    expect([first.told(), shared.size]).toEqual([['fatal: no session'], 0]);
    const second = await joined(shared, next);
    first.leave();
    expect([shared.size, next.last.isClosed]).toEqual([1, false]);
    second.leave();
    expect(shared.size).toBe(0);
  });
});
