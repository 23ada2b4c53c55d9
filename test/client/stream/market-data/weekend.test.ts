/** A price alert that is armed on Friday: nothing of the weekend starts it, and Monday's first price beyond its level does. */
import { expect, test } from '@jest/globals';
import type { MarketEvent, MarketTick } from '../../../../client/stream/market-data/market-data';
import { MarketFeed } from '../../../../client/stream/market-data/market-feed';
import { PriceAlertMonitor, type WatchStates } from '../../../../client/stream/market-data/price-alert-monitor';
import { VirtualClock } from '../../../support/clock';
import { MarketWorld } from './market-world';
import { share } from '../../../support/sample';

const LEVEL = 100_300;
const ist = (text: string): number => Date.parse(`${text}+05:30`);
const FRIDAY = ist('2026-11-20T15:25:00');
const MONDAY_OPEN = ist('2026-11-23T09:15:00');

/** Milliseconds after Monday's opening, and prices; `crossing` is the index of the first that crosses. */
const GAP = { prices: [[700, 100_500]], crossing: 0 } as const;
const LATER = {
  prices: [
    [700, 100_200],
    [9_000, 100_250],
    [21_300, 100_300],
  ],
  crossing: 2,
} as const;

const PRICES = [
  ['a gap', 'n8n is started again on Sunday', GAP, true],
  ['a later price', 'n8n runs on', LATER, false],
] as const;

test.each(share(PRICES, 2, 0))(
  "Friday's alert fires once, at Monday's first price beyond it: %s, %s",
  async (_how, _what, monday, isRestarted) => {
    const clock = new VirtualClock(FRIDAY);
    const world = new MarketWorld(clock, 7, FRIDAY, FRIDAY);
    world.ahead = 0;
    for (const { changes } of world.shares) changes.length = 1;
    const infy = world.shareOf('INFY');
    infy.changes.push({ at: FRIDAY + 60_000, price: 100_100 }, { at: FRIDAY + 240_000, price: 100_200 });
    for (const [after, price] of monday.prices) infy.changes.push({ at: MONDAY_OPEN + after, price });
    let isOver = false;
    const running = world.run(() => isOver);
    const alerts: { price: number; tick: MarketTick; reportedAt: number }[] = [];
    const gaps: MarketEvent[] = [];
    const begin = async (states: WatchStates) => {
      const closing = new AbortController();
      const watch = new PriceAlertMonitor({
        clock: world.deps().clock,
        settings: { rule: { kind: 'crossesAbove', level: LEVEL, rearm: 0 }, repeat: 'always' },
        instruments: [infy.instrument],
        states,
        since: undefined,
        everyMs: 5_000,
        base: async () => await Promise.resolve(null),
        onAlert: ({ price }, tick) => alerts.push({ price, tick, reportedAt: clock.now() }),
        onUnknown: () => undefined,
      });
      const listener = (event: MarketEvent): void => {
        if (event.kind === 'tick') watch.take(event.tick);
        if (event.kind === 'gap') gaps.push(event);
      };
      await new MarketFeed(world.deps(), 'live', () => undefined).subscribe(
        watch.subscriptions,
        listener,
        closing.signal,
      );
      return { watch, closing };
    };
    const until = async (at: number): Promise<void> => await clock.sleep(at - clock.now());

    let { watch, closing } = await begin({});
    try {
      await until(ist('2026-11-21T03:00:00'));
      world.dropAll();
      await until(ist('2026-11-22T12:00:00'));
      if (isRestarted) {
        closing.abort(new Error('stopped'));
        ({ watch, closing } = await begin(JSON.parse(JSON.stringify(watch.states)) as WatchStates));
      }
      await until(ist('2026-11-23T08:30:00'));
      world.dropAll();
      await until(MONDAY_OPEN);
      expect(alerts).toEqual([]);
      await until(MONDAY_OPEN + 120_000);
      const [after, price] = monday.prices[monday.crossing]!;
      expect(alerts).toEqual([
        {
          price,
          tick: expect.objectContaining({ at: MONDAY_OPEN + after, source: 'stream' }),
          reportedAt: expect.any(Number),
        },
      ]);
      expect(alerts[0]!.reportedAt - MONDAY_OPEN - after).toBeLessThan(1_000);
      expect(gaps).toEqual([]);
    } finally {
      closing.abort(new Error('closed'));
      isOver = true;
      await running;
    }
  },
);
