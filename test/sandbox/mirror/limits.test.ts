import { LiveStream, type StreamListener, type LiveSubscription } from '../../../sandbox/src/mirror/live-stream';
import { RequestPacing } from '../../../sandbox/src/mirror/request-pacing';

describe('The limits of the live side', () => {
  it('lets no more requests begin in any second than are allowed, in the order in which they came', async () => {
    let now = 0;
    const pace = new RequestPacing(
      8,
      () => now,
      async (ms) => {
        now += ms;
      },
    );
    const begun: { one: number; at: number }[] = [];
    const item = async (index: number): Promise<void> => {
      await pace.turn();
      begun.push({ one: index, at: now });
      now += index % 3 === 0 ? 70 : 0;
    };
    await Promise.all(Array.from({ length: 50 }, (_, index) => item(index)));
    expect(begun.map((request) => request.one)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    for (const { at } of begun)
      expect(begun.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThan(9);
    expect(begun[49]!.at).toBeGreaterThanOrEqual(6_000);
  });

  it('subscribes to no more than a session may have, and does not lose what it has', () => {
    const stream = new LiveStream('ws://127.0.0.1:9', 'token', {} as StreamListener);
    const book = (refId: number): LiveSubscription => ({ channel: 'orderbook', refId });
    const max = 50_000 / 5;
    const requested = Array.from({ length: max }, (_, index) => stream.subscribe([book(index + 1)]));
    expect(requested.filter((isRequested) => !isRequested)).toEqual([]);
    expect(stream.subscribe([book(max + 1)])).toBe(false);
    expect(stream.subscribe([{ channel: 'greeks', refId: 1 }])).toBe(false);
    expect(stream.subscribe([book(7)])).toBe(true);
  });
});
