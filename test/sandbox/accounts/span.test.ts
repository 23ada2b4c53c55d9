import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { derivativeMargin, type SpanExposure } from '../../../sandbox/src/accounts/span';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { CALL, FUTURE, HIGHER_CALL, INFY_CALL, INFY_FUTURE, PUT } from './support';

const DATE = '2026-11-20';
const SPOT = 2_600_000;
const margin = (exposures: SpanExposure[]) => derivativeMargin(exposures, () => SPOT, DATE);
const total = (exposures: SpanExposure[]) => margin(exposures).span + margin(exposures).exposure;
const at = (instrument: Instrument, lots: number): SpanExposure => ({
  instrument,
  quantity: lots * instrument.lotSize,
  price: instrument.derivativeType === 'FUT' ? 2_610_000 : 0,
});
const NEAR = [CALL, HIGHER_CALL, PUT, FUTURE];
const nextExpiry = (instrument: Instrument): Instrument => ({
  ...instrument,
  refId: instrument.refId + 100,
  expiry: 20261229,
});
const exposures = fc
  .uniqueArray(
    fc.record({
      instrument: fc.constantFrom(...NEAR, ...NEAR.map(nextExpiry)),
      lots: fc.integer({ min: -20, max: 20 }),
    }),
    { selector: ({ instrument }) => instrument.refId, maxLength: 6 },
  )
  .map((list) => list.map(({ instrument, lots }) => at(instrument, lots)));

describe('margin of derivatives', () => {
  test('a group never needs more SPAN than its parts, and never less than nothing', () => {
    fc.assert(
      fc.property(exposures, (group) => {
        const { span, exposure } = margin(group);
        const alone = group.reduce((sum, exposure) => sum + margin([exposure]).span, 0);
        expect(span).toBeGreaterThanOrEqual(0);
        expect(exposure).toBeGreaterThanOrEqual(0);
        expect(span).toBeLessThanOrEqual(alone + group.length);
      }),
    );
  });
  test('bought options alone need none; one more of them never raises what a group needs', () => {
    fc.assert(
      fc.property(exposures, fc.constantFrom(CALL, PUT), fc.integer({ min: 1, max: 20 }), (group, option, lots) => {
        expect(margin([at(option, lots)])).toEqual({ span: 0, exposure: 0 });
        const known = group.find(({ instrument }) => instrument === option);
        if (known && known.quantity < 0) return;
        const more = at(option, lots);
        const hedged = known
          ? group.map((exposure) =>
              exposure === known ? { ...exposure, quantity: exposure.quantity + more.quantity } : exposure,
            )
          : [...group, more];
        expect(total(hedged)).toBeLessThanOrEqual(total(group) + 1);
      }),
    );
  });
  test('is twice as much for twice the quantity', () => {
    fc.assert(
      fc.property(exposures, (group) => {
        const doubled = group.map((exposure) => ({ ...exposure, quantity: 2 * exposure.quantity }));
        expect(Math.abs(total(doubled) - 2 * total(group))).toBeLessThanOrEqual(2 * group.length + 2);
      }),
    );
  });
  test('expiries hedge each other, less a charge for the spread', () => {
    const far = { ...FUTURE, refId: 98, expiry: 20261229 };
    const pair = [at(FUTURE, 2), { ...at(far, -2), price: 2_610_000 }];
    const value = 2 * FUTURE.lotSize * 2_610_000;
    expect(margin(pair)).toEqual({ span: (value * 175) / 10_000, exposure: (value * 200) / 30_000 });
    // One more lot of either side is margined on its own.
    const more = margin([at(FUTURE, 3), pair[1]!]);
    expect(more.span).toBe((value * 175) / 10_000 + ((value / 2) * 930) / 10_000);
    expect(more.exposure).toBe((value * 200) / 30_000 + ((value / 2) * 200) / 10_000);
  });
  test('a later call hedges a sold one, never below the least for short options', () => {
    const later = { ...CALL, refId: 99, expiry: 20261229 };
    const alone = margin([at(CALL, -1)]);
    const spread = margin([at(CALL, -1), at(later, 1)]);
    expect(spread.span).toBe(0.05 * SPOT * CALL.lotSize);
    expect(spread.span).toBeLessThan(alone.span);
    expect(spread.exposure).toBe(alone.exposure);
    expect(margin([at(CALL, -1), at(HIGHER_CALL, 1)]).span).toBeLessThan(alone.span);
  });
  test('a later expiry hedges an index option no more on its last day; before February 2025 it did', () => {
    const on = (date: string) => {
      const today = { ...CALL, expiry: Number(date.replaceAll('-', '')) };
      const later = { ...CALL, refId: 99, expiry: today.expiry + 100 };
      const of = (list: SpanExposure[]) => derivativeMargin(list, () => SPOT, date).span;
      return of([at(today, -1), at(later, 1)]) < of([at(today, -1)]);
    };
    expect(['2025-01-30', '2025-01-31', '2025-02-06', '2026-11-24'].map(on)).toEqual([true, true, false, false]);
  });
  test('a future still hedges an option of the same day on its last day', () => {
    const of = (list: SpanExposure[]) => derivativeMargin(list, () => SPOT, '2026-11-24').span;
    expect(of([at(CALL, -1), at(FUTURE, 1)])).toBe(of([at(FUTURE, 1)]));
    const later = { ...at(FUTURE, 1), instrument: { ...FUTURE, expiry: 20261229 } };
    expect(of([at(CALL, -1), later])).toBe(of([at(CALL, -1)]) + of([later]));
  });
  test('underlyings and exchanges do not hedge each other', () => {
    const other = { ...FUTURE, refId: 97, asset: 'BANKNIFTY' };
    const abroad = { ...FUTURE, refId: 96, exchange: 'BSE' as const };
    for (const item of [other, abroad]) {
      const opposite = { ...at(FUTURE, -1), instrument: item };
      expect(total([at(FUTURE, 1), opposite])).toBe(2 * total([at(FUTURE, 1)]));
    }
  });
  test('the worst case may lie at a strike within the scan range', () => {
    // Sold at 26,000 and 27,000, bought twice at 26,500: nothing is owed at either end of the range, 500 points at 26,500.
    const upper = { ...HIGHER_CALL, refId: 98, strikePrice: 2_700_000 };
    const { span } = margin([at(CALL, -1), at(HIGHER_CALL, 2), at(upper, -1)]);
    const basisPoint = (SPOT / 10_000) * CALL.lotSize;
    expect(Math.abs(span - 50_000 * CALL.lotSize)).toBeLessThanOrEqual(basisPoint);
  });
  test('the least for short options is that of the calls and that of the puts together', () => {
    const far = [
      { ...CALL, strikePrice: 3_000_000 },
      { ...PUT, strikePrice: 2_200_000 },
    ];
    const least = 0.05 * SPOT * CALL.lotSize;
    expect(far.map((item) => margin([at(item, -1)]).span)).toEqual([least, least]);
    expect(margin(far.map((item) => at(item, -1))).span).toBe(2 * least);
  });
  test('the least for short options is that of every expiry', () => {
    const far = { ...CALL, strikePrice: 3_000_000 };
    const least = 0.05 * SPOT * CALL.lotSize;
    expect(margin([at(far, -1), at(nextExpiry(far), -1)]).span).toBe(2 * least);
  });
  test('the least for short options is asked where everything else is hedged, a future too', () => {
    const put = { ...PUT, strikePrice: SPOT };
    const far = { ...CALL, strikePrice: 3_000_000 };
    // The put pays what the future loses but for the Rs 9.30 that the future is dearer than the index.
    expect(margin([at(FUTURE, 1), at(put, 1)]).span).toBe(930 * FUTURE.lotSize);
    expect(margin([at(FUTURE, 1), at(put, 1), at(far, -1)]).span).toBe(0.05 * SPOT * CALL.lotSize);
  });
  test('a strike beyond the scan range is none of the moves that are looked at', () => {
    const far = { ...CALL, refId: 98, strikePrice: 3_120_000 };
    expect(margin([at(CALL, -1), at(far, 1)]).span).toBe(((SPOT * 930) / 10_000) * CALL.lotSize);
  });
  test('shares and commodities have separate ranges', () => {
    const crude = { ...at(FUTURE, 1), instrument: { ...FUTURE, exchange: 'MCX' as const, assetType: 'COMMODITY' } };
    const share = { instrument: INFY_FUTURE, quantity: 400, price: 150_000 };
    const [commodity, shares] = [FUTURE.lotSize * 2_610_000, 400 * 150_000];
    expect(margin([crude])).toEqual({ span: commodity * 0.08, exposure: commodity * 0.01 });
    expect(margin([share])).toEqual({ span: shares * 0.142, exposure: shares * 0.035 });
  });
  test('an option on a share is still hedged by a later future on its last day', () => {
    const later = { instrument: { ...INFY_FUTURE, expiry: 20261229 }, quantity: 400, price: 150_500 };
    const sold = { instrument: INFY_CALL, quantity: -400, price: 0 };
    const of = (list: SpanExposure[]) => derivativeMargin(list, () => 150_000, '2026-11-24').span;
    expect(of([sold, later])).toBeLessThan(of([sold]) + of([later]));
  });
});

describe('exposure margin of calendar spreads', () => {
  const on = (expiry: number, lots: number, price: number): SpanExposure => ({
    instrument: { ...FUTURE, refId: expiry, expiry },
    quantity: lots * FUTURE.lotSize,
    price,
  });
  const [NOVEMBER, DECEMBER, JANUARY] = [20261124, 20261229, 20270127];
  /** Returns the margin of a future that is no part of a spread: 2 % of its value. */
  const full = (price: number) => FUTURE.lotSize * price * 0.02;
  const third = (price: number) => full(price) / 3;

  test.each([
    [
      'is a third of the later leg, in whichever order the legs come',
      [on(DECEMBER, -1, 2_640_000), on(NOVEMBER, 1, 2_610_000)],
      third(2_640_000),
    ],
    [
      'two of one side are no spread',
      [on(NOVEMBER, 1, 2_610_000), on(DECEMBER, 1, 2_640_000)],
      full(2_610_000) + full(2_640_000),
    ],
    [
      'an earlier leg is one half of one spread only',
      [on(NOVEMBER, 1, 2_610_000), on(DECEMBER, -1, 2_640_000), on(JANUARY, -1, 2_670_000)],
      third(2_640_000) + full(2_670_000),
    ],
    [
      'a later leg too',
      [on(NOVEMBER, 1, 2_610_000), on(DECEMBER, -1, 2_640_000), on(JANUARY, 1, 2_670_000)],
      third(2_640_000) + full(2_670_000),
    ],
    [
      'two lots make two spreads',
      [on(NOVEMBER, 2, 2_610_000), on(DECEMBER, -1, 2_640_000), on(JANUARY, -1, 2_670_000)],
      third(2_640_000) + third(2_670_000),
    ],
  ])('%s has the exposure margin of the rules', (_what, legs, expected) => {
    expect(margin(legs).exposure).toBe(expected);
  });
});
