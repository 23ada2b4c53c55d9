/** Alerts of an instrument, for any path of its price: each crossing alerts once, whatever comes twice, late or after a restart. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  dayOf,
  isAlertDone,
  judgedAmount,
  knownUntil,
  firstTick,
  isNews,
  needsBase,
  takeTick,
  type AlertSettings,
  type InstrumentState,
  type JudgedValue,
} from '../../../../client/stream/market-data/instrument-alerts';

const MORNING = Date.parse('2026-11-23T09:15:00+05:30');
const DAY = 86_400_000;
const BASE = 1_000;

const tick = (lastPrice: number, at: number, source: JudgedValue['source'] = 'stream'): JudgedValue => ({
  lastPrice,
  at,
  source,
  previousClose: null,
});

/** Prices, one each second. */
const path = (prices: readonly number[]): JudgedValue[] =>
  prices.map((price, index) => tick(price, MORNING + index * 1_000));

/** A listener who hears one price after the other, and can be stopped. */
class Listener {
  readonly alertedAt: number[] = [];
  state: InstrumentState | undefined;

  constructor(
    private readonly settings: AlertSettings,
    private readonly base: number | ((tick: JudgedValue) => number) = BASE,
  ) {}

  receive(ticks: readonly JudgedValue[]): this {
    for (const tick of ticks) {
      const base = typeof this.base === 'number' ? this.base : this.base(tick);
      if (this.state === undefined) this.state = firstTick(this.settings, tick, base);
      else if (isNews(this.state, tick) && takeTick(this.settings, this.state, tick, base))
        this.alertedAt.push(tick.at);
    }
    return this;
  }

  /** Goes on with what it had stored then, and hears what was since. */
  restart(stored: InstrumentState | undefined, ticks: readonly JudgedValue[]): void {
    this.state = JSON.parse(JSON.stringify(stored ?? null)) ?? undefined;
    const since = knownUntil(this.state) ?? -Infinity;
    this.receive(ticks.filter(({ at }) => at > since).map((tick) => ({ ...tick, source: 'history' as const })));
  }
}

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

describe('a turn from the highest or lowest', () => {
  const turn = (since: 'publication' | 'day' | 'entry'): AlertSettings => ({
    rule: { kind: 'fallsFromHighest', since, hundredths: 200, rearm: 0 },
    repeat: 'always',
  });
  it('asks for the highest before the first price, once, unless it counts from then', () => {
    const first = firstTick(turn('entry'), tick(10_000, 1_000), 10_400);
    expect(first).toMatchObject({ reference: 10_400, armed: false, base: null });
    const next = tick(10_000, 2_000);
    expect([needsBase(turn('entry'), undefined, next), needsBase(turn('entry'), first, next)]).toEqual([true, false]);
    expect(needsBase(turn('publication'), undefined, next)).toBe(false);
  });
  it("begins again with each day's first price, where it is the day's", () => {
    const settings = turn('day');
    const state = firstTick(settings, tick(10_000, 1_000), 10_400);
    expect(state).toMatchObject({ reference: 10_400, armed: false });
    const morning = 1_000 + DAY;
    expect(needsBase(settings, state, tick(9_000, morning))).toBe(false);
    expect(takeTick(settings, state, tick(9_000, morning), null)).toBeUndefined();
    expect(takeTick(settings, state, tick(9_100, morning + 1), null)).toBeUndefined();
    expect(takeTick(settings, state, tick(8_918, morning + 2), null)).toMatchObject({ from: 9_100, price: 8_918 });
    // A day that has fallen so far before it is looked at alerts at once.
    const rest = tick(8_500, morning + DAY, 'rest');
    expect(needsBase(settings, state, rest)).toBe(true);
    expect(takeTick(settings, state, rest, 8_900)).toMatchObject({ from: 8_900, price: 8_500 });
    expect(needsBase(settings, state, tick(8_500, morning + DAY + 1, 'rest'))).toBe(false);
  });
  it('goes on with the highest over a new day', () => {
    const settings = turn('publication');
    const state = firstTick(settings, tick(10_000, 1_000), null);
    expect(takeTick(settings, state, tick(10_500, 2_000), null)).toBeUndefined();
    const nextDay = 2_000 + 86_400_000;
    expect(takeTick(settings, state, tick(10_290, nextDay), null)).toMatchObject({ from: 10_500, price: 10_290 });
  });
});

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

test('an amount is judged also when our clock has been set back', () => {
  const settings: AlertSettings = { rule: { kind: 'crossesBelow', level: -500, rearm: 0 }, repeat: 'always' };
  const state = firstTick(settings, judgedAmount(0, undefined, MORNING + 60_000), null);
  const judged = judgedAmount(-600, state, MORNING);
  expect(judged).toEqual({ lastPrice: -600, at: MORNING + 60_000, source: 'rest', previousClose: null });
  expect(takeTick(settings, state, judged, null)?.price).toBe(-600);
  expect(judgedAmount(-700, state, MORNING + 70_000).at).toBe(MORNING + 70_000);
});

describe('what an alert remembers', () => {
  const level: AlertSettings = { rule: { kind: 'crossesAbove', level: 1_010, rearm: 0 }, repeat: 'always' };
  const begun = (settings: AlertSettings, marketTick: JudgedValue, base: number | null = null) =>
    firstTick(settings, marketTick, base);

  test('is the time of a price of the stream, and for one over REST when it was asked for', () => {
    const none = { armed: true, reference: 1_000, count: 0, alertDay: '', base: null };
    const state = begun(level, tick(1_000, MORNING));
    expect(state).toEqual({ ...none, at: MORNING, askedAt: 0, day: '2026-11-23' });
    expect(begun(level, tick(1_000, MORNING, 'rest'))).toEqual({
      ...{ ...none, at: 0, askedAt: MORNING, day: '2026-11-23' },
    });
    takeTick(level, state, tick(1_001, MORNING + 2_000, 'rest'), null);
    expect(state).toMatchObject({ at: MORNING, askedAt: MORNING + 2_000, reference: 1_001 });
    expect(knownUntil(state)).toBe(MORNING + 2_000);
    takeTick(level, state, tick(1_002, MORNING + 3_000, 'history'), null);
    expect(state).toMatchObject({ at: MORNING + 3_000, askedAt: MORNING + 2_000 });
    expect(knownUntil(state)).toBe(MORNING + 3_000);
  });

  test('is no time for nothing, nor for an alert before an update', () => {
    expect(knownUntil(undefined)).toBeUndefined();
    expect(knownUntil({ ...begun(level, tick(1_000, MORNING)), at: 0 })).toBeUndefined();
  });

  test.each<[JudgedValue['source'], number, boolean]>([
    ['stream', 999, false],
    ['stream', 1_000, true],
    ['stream', 1_999, true],
    ['history', 1_999, false],
    ['history', 2_000, true],
    ['rest', 1_999, false],
    ['rest', 2_000, true],
  ])('tells whether a price of %s, %d ms after the first, is news', (source, ms, isNewer) => {
    // The stream told a price at 1,000 ms; REST was asked at 2,000 ms.
    const state = { ...begun(level, tick(1_000, MORNING + 1_000)), askedAt: MORNING + 2_000 };
    expect(isNews(state, tick(1_001, MORNING + ms, source))).toBe(isNewer);
    expect(isNews(undefined, tick(1_001, MORNING + ms, source))).toBe(true);
  });

  test.each<[string, JudgedValue, string]>([
    ['another price over REST', tick(999, MORNING + DAY, 'rest'), '2026-11-24'],
    ['the same price over REST', tick(1_000, MORNING + DAY, 'rest'), '2026-11-23'],
    [
      'the same, and the same close before',
      { ...tick(1_000, MORNING + DAY, 'rest'), previousClose: 900 },
      '2026-11-23',
    ],
    [
      'the same, and another close before',
      { ...tick(1_000, MORNING + DAY, 'rest'), previousClose: 1_000 },
      '2026-11-24',
    ],
    ['the same price of the stream', tick(1_000, MORNING + DAY), '2026-11-24'],
  ])('belongs to a day: %s', (_, marketTick, day) => {
    const fromClose: AlertSettings = {
      rule: { kind: 'movesFrom', from: 'previousClose', price: 0, hundredths: 5_000, direction: 'up', rearm: 0 },
      repeat: 'always',
    };
    const state = begun(fromClose, tick(1_000, MORNING), 900);
    takeTick(fromClose, state, marketTick, 900);
    expect(state.day).toBe(day);
    expect(dayOf(undefined, marketTick)).toBe('2026-11-24');
  });

  test('is what a move was measured from, of a day or of a price', () => {
    const move = { kind: 'movesFrom', price: 1_000, hundredths: 100, direction: 'up', rearm: 0 } as const;
    const shown = (rule: AlertSettings['rule'], base: number | null) => {
      const settings: AlertSettings = { rule, repeat: 'always' };
      const state = begun(settings, tick(950, MORNING), base);
      const first = state.base;
      const alert = takeTick(settings, state, tick(1_050, MORNING + 1), base);
      return {
        first,
        then: state.base,
        alert: alert?.base,
        needsBase: needsBase(settings, state, tick(1_050, MORNING + 2)),
      };
    };
    expect(shown({ ...move, from: 'open' }, 990)).toEqual({ first: 990, then: 990, alert: 990, needsBase: true });
    expect(shown({ ...move, from: 'price' }, null)).toEqual({
      first: null,
      then: null,
      alert: 1_000,
      needsBase: false,
    });
    expect(shown(level.rule, null)).toEqual({ first: null, then: null, alert: null, needsBase: false });
  });

  test('counts the alerts that came; one that is not wanted again moves nothing', () => {
    const settings: AlertSettings = { rule: { kind: 'moves', hundredths: 100, direction: 'up' }, repeat: 'onceADay' };
    const state = begun(settings, tick(1_000, MORNING));
    const alertAt = (price: number, at: number) => takeTick(settings, state, tick(price, at), null);
    expect(alertAt(1_010, MORNING + 1)).toMatchObject({ price: 1_010, from: 1_000, count: 1, base: null });
    // Within the day nothing alerts, and the next day is measured from the last alert that came.
    expect(alertAt(1_100, MORNING + 2)).toBeUndefined();
    expect(state).toMatchObject({ count: 1, reference: 1_010, alertDay: '2026-11-23' });
    expect(alertAt(1_021, MORNING + DAY)).toMatchObject({ from: 1_010, count: 2 });
    const levels: AlertSettings = { ...level, repeat: 'once' };
    const other = begun(levels, tick(1_000, MORNING));
    for (const price of [1_010, 1_000, 1_020]) takeTick(levels, other, tick(price, MORNING + 1), null);
    expect(other).toMatchObject({ count: 1, reference: 1_020 });
    expect([isAlertDone(levels, other), isAlertDone(level, other), isAlertDone(levels, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('has no day before an update: the first price of a day is no alert of a day that began', () => {
    const settings: AlertSettings = { ...level, isDaily: true };
    const state = { ...begun(settings, tick(1_020, MORNING)), day: '' };
    expect(takeTick(settings, state, tick(1_020, MORNING + 1), null)).toBeUndefined();
    expect(takeTick(settings, state, tick(1_020, MORNING + DAY), null)).toMatchObject({ count: 1 });
  });
});
