/** Memory of an instrument's alert from price to price, and over a restart. */
import { describe, expect, test } from '@jest/globals';
import {
  dayOf,
  firstTick,
  isAlertDone,
  isNews,
  judgedAmount,
  knownUntil,
  needsBase,
  takeTick,
  type AlertSettings,
  type JudgedValue,
} from '../../../../client/stream/market-data/instrument-alerts';
import { DAY, MORNING, tick } from './alert-listener';

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
    expect(state).toEqual({ ...none, at: MORNING, requestedAt: 0, day: '2026-11-23' });
    expect(begun(level, tick(1_000, MORNING, 'rest'))).toEqual({
      ...{ ...none, at: 0, requestedAt: MORNING, day: '2026-11-23' },
    });
    takeTick(level, state, tick(1_001, MORNING + 2_000, 'rest'), null);
    expect(state).toMatchObject({ at: MORNING, requestedAt: MORNING + 2_000, reference: 1_001 });
    expect(knownUntil(state)).toBe(MORNING + 2_000);
    takeTick(level, state, tick(1_002, MORNING + 3_000, 'history'), null);
    expect(state).toMatchObject({ at: MORNING + 3_000, requestedAt: MORNING + 2_000 });
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
    const state = { ...begun(level, tick(1_000, MORNING + 1_000)), requestedAt: MORNING + 2_000 };
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
