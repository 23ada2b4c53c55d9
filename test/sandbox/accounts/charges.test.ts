import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chargesOf, chargesAdded, exerciseTax, totalCharges } from '../../../sandbox/src/accounts/charges';
import { datedFees, type FeeModel, fixedFees, NO_FEES, percentFees } from '../../../sandbox/src/accounts/fee-models';
import { isCharge } from '../../../sandbox/src/accounts/records';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { A, accounts, CALL, fill, FUTURE, MORNING, order, prices, TCS } from './support';

const NOVEMBER = '2026-11-20';
/** Rs 1,00,000: a rate of so many rupees per crore costs as many paise. */
const LAKH = 10_000_000;
const ofBse = (instrument: Instrument): Instrument => ({ ...instrument, exchange: 'BSE' });
const CRUDE_FUTURE: Instrument = { ...FUTURE, exchange: 'MCX', asset: 'CRUDEOIL', assetType: 'COMMODITY' };
const CRUDE_CALL: Instrument = { ...CALL, exchange: 'MCX', asset: 'CRUDEOIL', assetType: 'COMMODITY' };

/** Paise on Rs 1,00,000 in November 2026; SEBI takes 10 of each, brokerage is at its cap. */
const SEGMENTS = [
  ['delivery on NSE', TCS, 'CNC', { exchange: 307, sttBuy: 10_000, sttSell: 10_000, stampBuy: 1_500 }],
  ['delivery on BSE', ofBse(TCS), 'CNC', { exchange: 375, sttBuy: 10_000, sttSell: 10_000, stampBuy: 1_500 }],
  ['intraday', TCS, 'IDAY', { exchange: 307, sttBuy: 0, sttSell: 2_500, stampBuy: 300 }],
  ['futures', FUTURE, 'CNC', { exchange: 183, sttBuy: 0, sttSell: 5_000, stampBuy: 200 }],
  ['options', CALL, 'CNC', { exchange: 3_553, sttBuy: 0, sttSell: 15_000, stampBuy: 300 }],
  ['futures on BSE', ofBse(FUTURE), 'CNC', { exchange: 0, sttBuy: 0, sttSell: 5_000, stampBuy: 200 }],
  ['options on BSE', ofBse(CALL), 'CNC', { exchange: 3_250, sttBuy: 0, sttSell: 15_000, stampBuy: 300 }],
  ['commodity futures', CRUDE_FUTURE, 'CNC', { exchange: 210, sttBuy: 0, sttSell: 1_000, stampBuy: 200 }],
  ['commodity options', CRUDE_CALL, 'CNC', { exchange: 4_180, sttBuy: 0, sttSell: 5_000, stampBuy: 300 }],
] as const;

describe('charges of each segment', () => {
  test.each([
    ['CHARGES', true],
    ['EXERCISE_TAX', true],
    ['DEPOSITORY', true],
    ['AUCTION_PENALTY', true],
    ['INTEREST', true],
    ['PURCHASE', false],
    ['DIVIDEND', false],
  ] as const)('a movement of the kind %s is a charge of the day: %s', (kind, is) => {
    expect(isCharge(kind)).toBe(is);
  });

  test.each(SEGMENTS)(
    '%s: the tax is that of a purchase and of a sale, stamp duty is on purchases only',
    (_name, instrument, product, { exchange, sttBuy, sttSell, stampBuy }) => {
      const same = { brokerage: 2_000, exchange, sebi: 10, gst: Math.round((2_000 + exchange + 10) * 0.18) };
      expect(chargesOf(instrument, product, 'BUY', LAKH, NOVEMBER)).toEqual({ ...same, stt: sttBuy, stamp: stampBuy });
      expect(chargesOf(instrument, product, 'SELL', LAKH, NOVEMBER)).toEqual({ ...same, stt: sttSell, stamp: 0 });
    },
  );

  test('another model of fees asks for its own part and for nothing else', () => {
    for (const [, instrument, product] of SEGMENTS) {
      const ask = ({ tariff }: FeeModel, value = LAKH) =>
        chargesOf(instrument, product, 'SELL', value, NOVEMBER, tariff);
      const others = { exchange: 0, sebi: 0, gst: 0, stt: 0, stamp: 0 };
      expect(ask(percentFees(0.1))).toEqual({ ...others, brokerage: 10_000 });
      expect(ask(percentFees(2.5))).toEqual({ ...others, brokerage: 250_000 });
      expect(ask(fixedFees(1_999))).toEqual({ ...others, brokerage: 1_999 });
      expect(ask(NO_FEES)).toEqual({ ...others, brokerage: 0 });
      expect(ask(fixedFees(1_999), 0)).toEqual({ ...others, brokerage: 0 });
      expect(ask(datedFees())).toEqual(chargesOf(instrument, product, 'SELL', LAKH, NOVEMBER));
    }
  });

  test('brokerage is the lower of rate and cap; options have the cap alone', () => {
    const brokerage = (instrument: Instrument, product: 'CNC' | 'IDAY') =>
      chargesOf(instrument, product, 'BUY', 1_000_000, NOVEMBER).brokerage;
    expect([brokerage(TCS, 'CNC'), brokerage(TCS, 'IDAY'), brokerage(FUTURE, 'CNC'), brokerage(CALL, 'CNC')]).toEqual([
      1_000, 300, 300, 2_000,
    ]);
  });

  test.each([
    ['2010-01-01', [325, 190, 5_000], [1_700, 1_700, 125_000]],
    ['2012-06-30', [325, 190, 5_000], [1_700, 1_700, 125_000]],
    ['2013-06-01', [325, 190, 5_000], [1_000, 1_700, 125_000]],
    ['2016-06-01', [325, 190, 5_000], [1_000, 5_000, 125_000]],
    ['2020-03-12', [325, 190, 5_000], [1_000, 5_000, 12_500]],
    ['2021-01-04', [345, 200, 5_300], [1_000, 5_000, 12_500]],
    ['2023-04-03', [335, 200, 5_050], [1_250, 6_250, 12_500]],
    ['2024-03-28', [335, 200, 5_050], [1_250, 6_250, 12_500]],
    ['2024-09-30', [332, 198, 5_000], [1_250, 6_250, 12_500]],
    ['2024-10-01', [307, 183, 3_553], [2_000, 10_000, 12_500]],
    ['2026-03-31', [307, 183, 3_553], [2_000, 10_000, 12_500]],
    ['2026-04-01', [307, 183, 3_553], [5_000, 15_000, 15_000]],
  ] as const)(
    'the exchange’s charge and the tax of a sale of shares, futures and options are right on %s',
    (date, charge, tax) => {
      const of = (instrument: Instrument) => chargesOf(instrument, 'CNC', 'SELL', LAKH, date);
      expect([of(TCS), of(FUTURE), of(CALL)].map(({ exchange }) => exchange)).toEqual(charge);
      expect([of(FUTURE).stt, of(CALL).stt, exerciseTax(CALL, LAKH, 10 * LAKH, date)]).toEqual(tax);
    },
  );

  test.each([
    ['2010-01-04', 12_500, 12_500, 1_030, 20, 1_000],
    ['2012-07-02', 10_000, 10_000, 1_236, 20, 1_000],
    ['2013-06-03', 10_000, 100, 1_236, 20, 1_000],
    ['2016-06-01', 10_000, 100, 1_500, 20, 1_000],
    ['2020-03-12', 10_000, 100, 1_800, 10, 1_000],
    ['2020-07-01', 10_000, 100, 1_800, 5, 0],
    ['2026-11-20', 10_000, 100, 1_800, 10, 0],
  ] as const)(
    'the taxes and fees of a delivered sale of shares and of funds of shares and gold are right on %s',
    (date, share, fund, service, sebi, stamp) => {
      const unit = (symbol: string): Instrument => ({ ...TCS, symbol, isin: 'INF204KB15I9' });
      const of = (instrument: Instrument) => chargesOf(instrument, 'CNC', 'SELL', LAKH, date);
      expect(
        [of(TCS), of(unit('NIFTYBEES')), of(unit('GOLDBEES')), of(unit('LIQUIDBEES'))].map(({ stt }) => stt),
      ).toEqual([share, fund, 0, 0]);
      const { brokerage, exchange, sebi: fee, gst, stamp: duty } = of(TCS);
      expect([fee, duty]).toEqual([sebi, stamp]);
      expect(gst).toBe(Math.round(((brokerage + exchange + fee) * service) / 10_000));
    },
  );

  test.each([
    ['2019-03-29', [15, 15, 15]],
    ['2019-04-01', [10, 1, 10]],
    ['2020-06-01', [5, 1, 5]],
    ['2026-11-20', [10, 1, 10]],
  ])('SEBI asks less of futures on farm products since April 2019, and not of options on them (%s)', (date, fees) => {
    const on = (contract: Instrument, asset: string) =>
      chargesOf({ ...contract, asset }, 'CNC', 'BUY', LAKH, date).sebi;
    expect([on(CRUDE_FUTURE, 'CRUDEOIL'), on(CRUDE_FUTURE, 'COTTON'), on(CRUDE_CALL, 'COTTON')]).toEqual(fees);
  });

  test('a commodity has had a tax since July 2013, and a farm product none', () => {
    const on = (asset: string, date: string) => chargesOf({ ...CRUDE_FUTURE, asset }, 'CNC', 'SELL', LAKH, date).stt;
    expect([on('GOLD', '2013-06-28'), on('GOLD', '2013-07-01'), on('COTTON', '2013-07-01')]).toEqual([0, 1_000, 0]);
  });

  test('the tax of an exercise is on options of shares and indices, not of commodities', () => {
    expect(exerciseTax(CALL, LAKH, 10 * LAKH, NOVEMBER)).toBe(15_000);
    expect(exerciseTax(CALL, LAKH, 10 * LAKH, '2024-10-01')).toBe(12_500);
    expect(exerciseTax(CRUDE_CALL, LAKH, 10 * LAKH, NOVEMBER)).toBe(0);
  });
});

test('an order costs after a fill the difference of each charge more', () => {
  const after = chargesOf(TCS, 'CNC', 'BUY', 5 * LAKH, NOVEMBER);
  const before = chargesOf(TCS, 'CNC', 'BUY', 2 * LAKH, NOVEMBER);
  const more = chargesAdded(after, before);
  for (const name of ['brokerage', 'exchange', 'sebi', 'gst', 'stt', 'stamp'] as const)
    expect([name, more[name] + before[name]]).toEqual([name, after[name]]);
  expect(before.stt).toBeGreaterThan(0);
});

test('GST of a day is its rate on all that the day’s note charges for services, rounded once', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom(TCS, FUTURE, CALL),
          fc.constantFrom('BUY' as const, 'SELL' as const),
          fc.integer({ min: 1, max: 40 }),
          fc.integer({ min: 100, max: 400_000 }),
          fc.nat({ max: 3 }),
        ),
        { minLength: 1, maxLength: 40 },
      ),
      (trades) => {
        const books = accounts(prices());
        books.open(A, { funds: 100_000_000_000, holdings: [] }, MORNING);
        for (const [instrument, side, quantity, price, id] of trades) {
          const placed = order({ refId: instrument.refId, side, quantity, price, product: 'IDAY' });
          books.trade(fill(BigInt(id), placed, quantity, price, MORNING), MORNING);
          const sum = (part: 'brokerage' | 'exchange' | 'sebi' | 'gst') =>
            books.trades(A).reduce((all, { charges }) => all + charges[part], 0);
          expect(sum('gst')).toBe(Math.round(((sum('brokerage') + sum('exchange') + sum('sebi')) * 18) / 100));
        }
      },
    ),
    { numRuns: 200 },
  );
});

describe('delivery in a share that is bought and sold on one day', () => {
  const HOLDING = [{ refId: TCS.refId, quantity: 1_000, averagePrice: 300_000, date: '2026-09-01' }];
  /** Adds up the cost of a day's trades. @param trades of [buy or sell, quantity, price in paise], each an order */
  function costs(trades: readonly (readonly ['BUY' | 'SELL', number, number])[], product: 'CNC' | 'IDAY' = 'CNC') {
    const books = accounts(prices());
    books.open(A, { funds: 100_000_000_000, holdings: HOLDING }, MORNING);
    trades.forEach(([side, quantity, price], i) =>
      books.trade(
        fill(BigInt(i), order({ refId: TCS.refId, side, quantity, price, product }), quantity, price, MORNING),
        MORNING,
      ),
    );
    const sum = (part: 'stt' | 'stamp') => books.trades(A).reduce((all, { charges }) => all + charges[part], 0);
    return {
      stt: sum('stt'),
      stamp: sum('stamp'),
      booked: books.trades(A).reduce((all, { charges }) => all + totalCharges(charges), 0),
      paid: books.funds(A).charges,
    };
  }
  const taxes = ({ stt, stamp }: ReturnType<typeof costs>) => ({ stt, stamp });

  test.each([
    ['bought, then sold', ['BUY', 'SELL']],
    ['sold from the holding, then bought back', ['SELL', 'BUY']],
  ] as const)('%s: STT and stamp duty are those of intraday trades', (_what, [first, second]) => {
    const price = { BUY: 1_000_000, SELL: 1_010_000 };
    const day = costs([
      [first, 100, price[first]],
      [second, 100, price[second]],
    ]);
    // Rs 10 lakh bought and Rs 10.1 lakh sold: 0.003 % stamp duty on the one, 0.025 % STT on the other, to the rupee.
    expect(taxes(day)).toEqual({ stt: 25_300, stamp: 3_000 });
    expect(day.paid).toBe(day.booked);
  });

  test('intraday trades are charged as such already: nothing is taken off them', () => {
    const day = costs(
      [
        ['BUY', 100, 1_000_000],
        ['SELL', 100, 1_010_000],
      ],
      'IDAY',
    );
    expect(taxes(day)).toEqual({ stt: 25_300, stamp: 3_000 });
  });

  test.each([[[100, 40, 60]], [[100, 10, 30, 60]]])(
    'the taxes of intraday trades do not depend on how many orders %j sold what was bought',
    ([bought, ...sold]) => {
      const day = costs([
        ['BUY', bought!, 1_000_000],
        ...sold.map((quantity) => ['SELL', quantity, 1_010_000] as const),
      ]);
      expect(taxes(day)).toEqual({ stt: 25_300, stamp: 3_000 });
    },
  );

  test('shares that were not sold again keep the taxes of delivery', () => {
    const day = costs([
      ['BUY', 100, 1_000_000],
      ['SELL', 40, 1_010_000],
    ]);
    // 60 of 100 are delivered: 0.1 % of Rs 6 lakh, and 0.025 % of the Rs 4.04 lakh that were sold; 0.015 and 0.003 % stamp duty.
    expect(taxes(day)).toEqual({ stt: 60_000 + 10_100, stamp: 9_000 + 1_200 });
  });

  test('shares that are not sold again pay the taxes in full', () => {
    const apart = costs([['BUY', 100, 1_000_000]]);
    expect(taxes(apart)).toEqual({ stt: 100_000, stamp: 15_000 });
  });

  test('taxes lie between those of intraday and those of delivery, whatever the orders, and are paid as booked', () => {
    const trade = fc.tuple(
      fc.constantFrom('BUY' as const, 'SELL' as const),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 2_000_000 }),
    );
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 12 }), (trades) => {
        const day = costs(trades);
        expect(day.paid).toBe(day.booked);
        expect(Math.min(day.stt, day.stamp)).toBeGreaterThanOrEqual(0);
        const each = (product: 'CNC' | 'IDAY') =>
          trades.map(([side, quantity, price]) => chargesOf(TCS, product, side, quantity * price, NOVEMBER));
        const total = (product: 'CNC' | 'IDAY', part: 'stt' | 'stamp') =>
          each(product).reduce((all, charges) => all + charges[part], 0);
        for (const part of ['stt', 'stamp'] as const) {
          // STT is rounded to the rupee.
          const rounding = part === 'stt' ? 50 : 0;
          expect(day[part]).toBeLessThanOrEqual(total('CNC', part) + rounding);
          // Each order is rounded by itself.
          expect(day[part]).toBeGreaterThanOrEqual(total('IDAY', part) - trades.length - rounding);
        }
      }),
    );
  });
});
