/** Alerts of an instrument, for any path of its price: each crossing alerts once, whatever comes twice, late or after a restart. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isAlertDone,
  type AlertSettings,
  type InstrumentState,
  type JudgedValue,
} from '../../../../client/stream/market-data/instrument-alerts';
import { BASE, DAY, Listener, MORNING, path, tick } from './alert-listener';

/** Each rule with its condition in other words, for a move from a base of 1000. */
const RULES: [AlertSettings['rule'], (price: number) => boolean][] = [
  [{ kind: 'crossesAbove', level: 1_010, rearm: 0 }, (price) => price >= 1_010],
  [{ kind: 'crossesBelow', level: 990, rearm: 0 }, (price) => price <= 990],
  [{ kind: 'entersBand', low: 995, high: 1_005, rearm: 0 }, (price) => 995 <= price && price <= 1_005],
  [{ kind: 'leavesBand', low: 990, high: 1_010, rearm: 0 }, (price) => price < 990 || price > 1_010],
  ...(['previousClose', 'open', 'price'] as const).flatMap((from): (typeof RULES)[number][] => {
    const move = { kind: 'movesFrom', from, price: BASE, hundredths: 125, rearm: 0 } as const;
    return [
      [{ ...move, direction: 'up' }, (price) => price / BASE >= 1.0125],
      [{ ...move, direction: 'down' }, (price) => price / BASE <= 0.9875],
      [{ ...move, direction: 'both' }, (price) => Math.abs(price / BASE - 1) >= 0.0125],
    ];
  }),
];
const prices = fc.array(fc.integer({ min: 975, max: 1_025 }), { minLength: 2, maxLength: 60 });
const rules = fc.constantFrom(...RULES);

/** Instants when a condition begins to hold. */
function crossings(ticks: readonly JudgedValue[], holds: (price: number) => boolean): number[] {
  return ticks
    .filter((tick, index) => index > 0 && holds(tick.lastPrice) && !holds((ticks[index - 1] as JudgedValue).lastPrice))
    .map(({ at }) => at);
}

describe('for any path of prices', () => {
  test('each crossing alerts, at its price, and nothing else does', () => {
    fc.assert(
      fc.property(prices, rules, (list, [rule, holds]) => {
        const ticks = path(list);
        expect(new Listener({ rule, repeat: 'always' }).receive(ticks).alertedAt).toEqual(crossings(ticks, holds));
      }),
      { numRuns: 500 },
    );
  });

  test('a repeated or late price changes nothing', () => {
    const echoes = fc.array(fc.nat(), { maxLength: 40 });
    fc.assert(
      fc.property(prices, rules, echoes, (list, [rule, holds], late) => {
        const ticks = path(list);
        const received = ticks.flatMap((tick, index) => [
          tick,
          ...late
            .filter((echo) => echo % ticks.length <= index && echo % 7 === index % 7)
            .map((echo) => ticks[echo % ticks.length] as JudgedValue),
        ]);
        expect(new Listener({ rule, repeat: 'always' }).receive(received).alertedAt).toEqual(crossings(ticks, holds));
      }),
      { numRuns: 300 },
    );
  });

  test('REST beside the stream alerts nothing twice, also when its reply comes late', () => {
    const replies = fc.array(fc.record({ at: fc.nat(), lateBy: fc.nat({ max: 5 }) }), { maxLength: 20 });
    fc.assert(
      fc.property(prices, rules, replies, (list, [rule, holds], requested) => {
        const ticks = path(list);
        const received = ticks.flatMap((tick, index) => [
          tick,
          ...requested
            .filter(({ at, lateBy }) => (at % ticks.length) + lateBy === index)
            .map(({ at }) => ({ ...(ticks[at % ticks.length] as JudgedValue), source: 'rest' as const })),
        ]);
        expect(new Listener({ rule, repeat: 'always' }).receive(received).alertedAt).toEqual(crossings(ticks, holds));
      }),
      { numRuns: 300 },
    );
  });

  test('a restart loses no crossing and alerts none twice: stored at its end, or at the last alert when it was killed', () => {
    const stops = fc.array(fc.record({ at: fc.nat(), away: fc.nat({ max: 15 }), isKilled: fc.boolean() }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(prices, rules, stops, (list, [rule, holds], restarts) => {
        const ticks = path(list);
        const listener = new Listener({ rule, repeat: 'always' });
        let stored: InstrumentState | undefined;
        let next = 0;
        for (const { at, away, isKilled } of restarts.sort((a, b) => (a.at % ticks.length) - (b.at % ticks.length))) {
          for (; next < at % ticks.length; next++) {
            const before = listener.alertedAt.length;
            listener.receive([ticks[next] as JudgedValue]);
            // n8n stores at the first price, and with each alert.
            if (next === 0 || listener.alertedAt.length > before) stored = structuredClone(listener.state);
          }
          if (!isKilled) stored = structuredClone(listener.state);
          if (next === 0) continue;
          next = Math.min(next + away, ticks.length);
          listener.restart(stored, ticks.slice(0, next));
          stored = structuredClone(listener.state);
        }
        listener.receive(ticks.slice(next));
        expect(listener.alertedAt).toEqual(crossings(ticks, holds));
      }),
      { numRuns: 500 },
    );
  });

  test('a move from the last alert is measured from it over restarts', () => {
    fc.assert(
      fc.property(prices, fc.nat(), (list, at) => {
        const ticks = path(list);
        const settings: AlertSettings = {
          rule: { kind: 'moves', hundredths: 100, direction: 'both' },
          repeat: 'always',
        };
        const whole = new Listener(settings).receive(ticks);
        const cut = 1 + (at % ticks.length);
        const parted = new Listener(settings).receive(ticks.slice(0, cut));
        parted.restart(parted.state, ticks);
        expect(parted.alertedAt).toEqual(whole.alertedAt);
      }),
    );
  });
});

describe('how often', () => {
  const days = fc.array(prices, { minLength: 1, maxLength: 4 });
  const over = (list: number[][]) =>
    list.flatMap((item, day) => item.map((price, index) => tick(price, MORNING + day * DAY + index * 1_000)));
  const level: AlertSettings['rule'] = { kind: 'crossesAbove', level: 1_010, rearm: 0 };

  test('an alert once a day comes at the first crossing of each day; one that comes once, at the first of all', () => {
    fc.assert(
      fc.property(days, (list) => {
        const ticks = over(list);
        const all = crossings(ticks, (price) => price >= 1_010);
        const dayIn = (at: number) => Math.floor((at - MORNING) / DAY);
        const firsts = all.filter((at, index) => index === 0 || dayIn(at) !== dayIn(all[index - 1] as number));
        expect(new Listener({ rule: level, repeat: 'onceADay' }).receive(ticks).alertedAt).toEqual(firsts);
        const once = new Listener({ rule: level, repeat: 'once' }).receive(ticks);
        expect(once.alertedAt).toEqual(all.slice(0, 1));
        expect(isAlertDone({ rule: level, repeat: 'once' }, once.state)).toBe(all.length > 0);
      }),
    );
  });

  test('a day that opens beyond a move from the previous close alerts at its first price, also when yesterday ended so', () => {
    const move = {
      kind: 'movesFrom',
      from: 'previousClose',
      price: 0,
      hundredths: 500,
      direction: 'down',
      rearm: 0,
    } as const;
    const listener = new Listener({ rule: move, repeat: 'onceADay' }, ({ at }) => (at < MORNING + DAY ? 1_000 : 940));
    listener.receive(
      over([
        [1_000, 949, 940],
        [890, 900, 880],
      ]),
    );
    expect(listener.alertedAt).toEqual([MORNING + 1_000, MORNING + DAY]);
  });

  test("yesterday's price, which REST tells before a day's first trade, is no alert of today", () => {
    const move = {
      kind: 'movesFrom',
      from: 'previousClose',
      price: 0,
      hundredths: 500,
      direction: 'down',
      rearm: 0,
    } as const;
    const listener = new Listener({ rule: move, repeat: 'onceADay' }, 1_000);
    const early = MORNING + DAY - 15 * 60_000;
    listener.receive([...path([1_000, 940]), { ...tick(940, early, 'rest'), previousClose: 1_000 }]);
    expect(listener.alertedAt).toEqual([MORNING + 1_000]);
    expect(listener.state?.day).toBe('2026-11-23');
    listener.receive([{ ...tick(930, early + 1_000, 'rest'), previousClose: 1_000 }]);
    expect(listener.state?.day).toBe('2026-11-24');
  });
});

describe('a profit of the day', () => {
  const settings: AlertSettings = {
    rule: { kind: 'crossesBelow', level: -5_000, rearm: 0 },
    repeat: 'onceADay',
    isDaily: true,
  };

  test('alerts when it falls to a loss, once a day, also where the next day begins beyond it', () => {
    const listener = new Listener(settings);
    listener.receive(path([0, -4_999, -5_000, 100, -6_000]));
    listener.receive([tick(-5_100, MORNING + DAY), tick(0, MORNING + DAY + 1), tick(-5_100, MORNING + DAY + 2)]);
    expect(listener.alertedAt).toEqual([MORNING + 2_000, MORNING + DAY]);
  });

  test('does not alert on the day where it is beyond it when the workflow is published, until it gets there again', () => {
    expect(new Listener(settings).receive(path([-7_000, -5_000, -4_000, -5_000])).alertedAt).toEqual([MORNING + 3_000]);
  });
});
