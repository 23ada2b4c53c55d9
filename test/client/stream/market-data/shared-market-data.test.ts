/** Sharing of a credential's market data: who shares it, and as whom the service is asked. */
import { describe, expect, test } from '@jest/globals';
import { InputError, NetworkError, SessionError } from '../../../../client/base/errors';
import { SharedMarketData } from '../../../../client/stream/market-data/shared-market-data';
import { VirtualClock } from '../../../support/clock';
import { MONDAY_TEN } from '../../../support/still-market';
import { chains, FeedService, INFY, Listening, TCS, tickOf, ticks } from './feed-bench';

const SECOND = 1_000;
const cut = new NetworkError('cut', { maySent: false });
const noSession = new SessionError('no session');

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
    expect([left, stopped, greedy, twice].map(({ asked: requested }) => requested.length)).toEqual([1, 0, 0, 1]);
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
    expect([first.takeEvents(), shared.size]).toEqual([['fatal: no session'], 0]);
    const second = await joined(shared, next);
    first.leave();
    expect([shared.size, next.last.isClosed]).toEqual([1, false]);
    second.leave();
    expect(shared.size).toBe(0);
  });
});
