import { describe, expect, test } from '@jest/globals';
import { chargesOf, difference, exerciseTax } from '../../../sandbox/src/accounts/charges';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { CALL, FUTURE, TCS } from './support';

const NOVEMBER = '2026-11-20';
/** Rs 1,00,000: a rate of so many rupees per crore costs as many paise. */
const LAKH = 10_000_000;
const ON_BSE: Instrument = { ...TCS, exchange: 'BSE' };
const CRUDE_FUTURE: Instrument = { ...FUTURE, exchange: 'MCX', asset: 'CRUDEOIL', assetType: 'COMMODITY' };
const CRUDE_CALL: Instrument = { ...CALL, exchange: 'MCX', asset: 'CRUDEOIL', assetType: 'COMMODITY' };

/** Paise on Rs 1,00,000 in November 2026; SEBI takes 10 of each, brokerage is at its cap. */
const SEGMENTS = [
  ['delivery on NSE', TCS, 'CNC', { exchange: 307, sttBuy: 10_000, sttSell: 10_000, stampBuy: 1_500 }],
  ['delivery on BSE', ON_BSE, 'CNC', { exchange: 375, sttBuy: 10_000, sttSell: 10_000, stampBuy: 1_500 }],
  ['intraday', TCS, 'IDAY', { exchange: 307, sttBuy: 0, sttSell: 2_500, stampBuy: 300 }],
  ['futures', FUTURE, 'CNC', { exchange: 183, sttBuy: 0, sttSell: 5_000, stampBuy: 200 }],
  ['options', CALL, 'CNC', { exchange: 3_553, sttBuy: 0, sttSell: 15_000, stampBuy: 300 }],
  ['commodity futures', CRUDE_FUTURE, 'CNC', { exchange: 210, sttBuy: 0, sttSell: 1_000, stampBuy: 200 }],
  ['commodity options', CRUDE_CALL, 'CNC', { exchange: 4_180, sttBuy: 0, sttSell: 5_000, stampBuy: 300 }],
] as const;

describe('charges of each segment (exchange rules, Settlement)', () => {
  test.each(SEGMENTS)(
    '%s: the tax of a purchase and of a sale, stamp duty on purchases only',
    (_name, instrument, product, { exchange, sttBuy, sttSell, stampBuy }) => {
      const same = { brokerage: 2_000, exchange, sebi: 10, gst: Math.round((2_000 + exchange + 10) * 0.18) };
      expect(chargesOf(instrument, product, 'BUY', LAKH, NOVEMBER)).toEqual({ ...same, stt: sttBuy, stamp: stampBuy });
      expect(chargesOf(instrument, product, 'SELL', LAKH, NOVEMBER)).toEqual({ ...same, stt: sttSell, stamp: 0 });
    },
  );

  test('brokerage is the lower of rate and cap; options have the cap alone', () => {
    const brokerage = (instrument: Instrument, product: 'CNC' | 'IDAY') =>
      chargesOf(instrument, product, 'BUY', 1_000_000, NOVEMBER).brokerage;
    expect([brokerage(TCS, 'CNC'), brokerage(TCS, 'IDAY'), brokerage(FUTURE, 'CNC'), brokerage(CALL, 'CNC')]).toEqual([
      1_000, 300, 300, 2_000,
    ]);
  });

  test('the tax of an exercise is on options of shares and indices, not of commodities', () => {
    expect(exerciseTax(CALL, LAKH, NOVEMBER)).toBe(15_000);
    expect(exerciseTax(CALL, LAKH, '2024-10-01')).toBe(12_500);
    expect(exerciseTax(CRUDE_CALL, LAKH, NOVEMBER)).toBe(0);
  });
});

test('what an order costs more after a fill is the difference of each charge', () => {
  const after = chargesOf(TCS, 'CNC', 'BUY', 5 * LAKH, NOVEMBER);
  const before = chargesOf(TCS, 'CNC', 'BUY', 2 * LAKH, NOVEMBER);
  const more = difference(after, before);
  for (const name of ['brokerage', 'exchange', 'sebi', 'gst', 'stt', 'stamp'] as const)
    expect([name, more[name] + before[name]]).toEqual([name, after[name]]);
  expect(before.stt).toBeGreaterThan(0);
});
