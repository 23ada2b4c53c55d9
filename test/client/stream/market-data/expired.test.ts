/** An instrument whose last day of trading ends while it is listened to: said once, and nothing asks for it any more. */
import { expect, test } from '@jest/globals';
import type { MarketEvent, MarketSubscription } from '../../../../client/stream/market-data/market-data';
import { MarketFeed } from '../../../../client/stream/market-data/market-feed';
import { VirtualClock } from '../../../support/clock';
import { MarketWorld } from './market-world';

const MINUTE = 60_000;
const EVENING = Date.parse('2026-11-23T23:58:00+05:30');
const MIDNIGHT = EVENING + 2 * MINUTE;

test.each([
  ['stream', []],
  ['REST, as the service refuses it', ['TCS']],
])('a contract that expires is asked for no more: its prices came from the %s', async (_source, refused) => {
  const clock = new VirtualClock(EVENING);
  const world = new MarketWorld(clock, 7, EVENING, EVENING + 30 * MINUTE);
  world.ahead = 0;
  for (const symbol of refused) world.refused.add(symbol);
  const share = world.shareOf('TCS');
  share.changes.splice(share.changes.findIndex(({ at }) => at >= MIDNIGHT));
  const contract = { ...share.instrument, expiry: '2026-11-23' };
  const closing = new AbortController();
  let isOver = false;
  const running = world.run(() => isOver);
  const feed = new MarketFeed(world.deps(), 'sandbox', () => undefined);
  const listen = async (subscriptions: readonly MarketSubscription[]): Promise<MarketEvent[]> => {
    const received: MarketEvent[] = [];
    await feed.subscribe(subscriptions, (event) => received.push(event), closing.signal);
    return received;
  };
  const ofContract: MarketSubscription[] = [
    { kind: 'tick', instrument: contract },
    { kind: 'candle', instrument: contract, interval: '1m' },
  ];
  const endings = (events: readonly MarketEvent[]) => events.filter(({ kind }) => kind === 'expired');
  const ticks = (events: readonly MarketEvent[]) => events.filter(({ kind }) => kind === 'tick').length;

  try {
    const received = await listen(ofContract);
    const other = await listen([
      { kind: 'tick', instrument: { ...world.shareOf('INFY').instrument, expiry: '2026-11-24' } },
      { kind: 'tick', instrument: world.shareOf('SBIN').instrument },
    ]);
    await clock.sleep(MINUTE);
    expect([ticks(received) > 5, endings(received)]).toEqual([true, []]);
    await clock.sleep(2 * MINUTE);
    expect(endings(received)).toEqual([{ kind: 'expired', instrument: contract }]);
    world.dropAll();
    await clock.sleep(10_000);
    const late = await listen(ofContract);
    await clock.sleep(2_000);
    expect(endings(late)).toEqual([{ kind: 'expired', instrument: contract }]);
    const [{ requests }, before, others] = [world, received.length, ticks(other)];
    await clock.sleep(10 * MINUTE);
    expect([world.requests - requests, received.length - before, endings(other)]).toEqual([0, 0, []]);
    expect(ticks(other)).toBeGreaterThan(others + 100);
  } finally {
    closing.abort(new Error('closed'));
    isOver = true;
    await running;
  }
});
