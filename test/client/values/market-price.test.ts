/** Numbers of the service that are prices, and the words for all others. */
import {
  candlePriceIn,
  fillPriceIn,
  givenPrice,
  isKnownPrice,
  knownMarketPrice,
  marketPriceIn,
  MAX_PRICE_PAISE,
  netPriceIn,
  netPriceOf,
  NoPriceError,
  priceOrNull,
  requirePrice,
  type MarketPrice,
} from '../../../client/values/market-price';
import { refusal } from '../../support/refusal';

const AT = Date.parse('2026-11-20T10:00:00+05:30');
const price = (paise: number): MarketPrice => requirePrice(marketPriceIn(paise), { symbol: 'INFY' });

describe('a number of the service', () => {
  test.each([
    [null, 'the service gives none'],
    [undefined, 'the service gives none'],
    ['150000', 'what the service gives is no number'],
    [NaN, 'what the service gives is no number'],
    [0, 'the service gives 0, which is no price'],
    [-5, 'the service gives a number below 0, which is no price'],
    [2 ** 31 - 1, 'the service gives 2147483647, which stands for none'],
    [Infinity, 'the service gives Infinity, which stands for none'],
    [150_000.5, 'the service gives 150000.5, which is no whole number of paise'],
  ])('is no price if it is %p, and says why', (value, none) => {
    expect(marketPriceIn(value)).toEqual({ none });
    expect(knownMarketPrice(value)).toBeUndefined();
    expect(priceOrNull(marketPriceIn(value))).toBeNull();
  });

  test.each([1, 150_000, MAX_PRICE_PAISE])('is a price if it is %p paise', (value) => {
    expect(marketPriceIn(value)).toBe(value);
    expect(knownMarketPrice(value)).toBe(value);
    expect(priceOrNull(marketPriceIn(value))).toBe(value);
    expect(isKnownPrice(marketPriceIn(value))).toBe(true);
  });

  test.each([null, 0, -1, MAX_PRICE_PAISE + 1])('is no price of a candle, a fill or a user if it is %p', (value) => {
    expect([candlePriceIn(value), fillPriceIn(value), givenPrice(value ?? undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('may have a fraction as the price of a candle or a fill, which are means', () => {
    expect([candlePriceIn(1234.5), fillPriceIn(1234.5), givenPrice(1234)]).toEqual([1234.5, 1234.5, 1234]);
  });
});

describe('the time of a price', () => {
  test.each([
    ['now', { at: AT, now: AT }, undefined],
    [
      'later than now',
      { at: AT + 1, now: AT },
      'that of the service has a time in the future, 2026-11-20T10:00:00.001+05:30',
    ],
    ['today', { at: AT, now: AT, day: '2026-11-20' }, undefined],
    ['of the day before', { at: AT, day: '2026-11-21' }, 'it was last traded on 2026-11-20'],
    ['of the day before, where no day is asked for', { at: AT, now: AT + 86_400_000 }, undefined],
    [
      'yet to come, and its day over',
      { at: AT, now: AT - 1, day: '2026-11-21' },
      'that of the service has a time in the future, 2026-11-20T10:00:00.000+05:30',
    ],
  ])('is judged where it is %s', (_, time, none) => {
    expect(marketPriceIn(150_000, time)).toEqual(none === undefined ? 150_000 : { none });
  });
});

describe('a net price', () => {
  test.each([
    [-5, -5],
    [5, 5],
    [0, undefined],
    [undefined, undefined],
    [-(MAX_PRICE_PAISE + 1), undefined],
  ])('is %p paise as %p: a credit is one, nothing is not', (paise, net) => {
    expect(netPriceIn(paise)).toBe(net);
  });

  test('is what is bought less what is sold', () => {
    expect(
      netPriceOf([
        { units: 1, price: price(300) },
        { units: -2, price: price(100) },
      ]),
    ).toBe(100);
    expect(
      netPriceOf([
        { units: -1, price: price(300) },
        { units: 1, price: price(100) },
      ]),
    ).toBe(-200);
    expect(
      netPriceOf([
        { units: 1, price: price(300) },
        { units: -3, price: price(100) },
      ]),
    ).toBeUndefined();
  });
});

describe('a required price', () => {
  test('is returned where there is one', () => {
    expect(requirePrice(marketPriceIn(5), { symbol: 'INFY' })).toBe(5);
  });

  test('is refused with its reason and that nothing was sent', () => {
    const error = refusal(() => requirePrice(marketPriceIn(0), { symbol: 'INFY' }));
    expect(error).toBeInstanceOf(NoPriceError);
    expect(error).toMatchObject({
      message: 'INFY has no last price: the service gives 0, which is no price. Nothing was sent.',
      hint: 'Try again when it has traded.',
      parameter: undefined,
    });
  });

  test('is refused with its purpose, field and remedy', () => {
    const need = { symbol: 'INFY', purpose: 'to size by', parameter: 'sizeBy', hint: 'Wait until it trades.' };
    expect(refusal(() => requirePrice(marketPriceIn(null), need))).toMatchObject({
      message: 'INFY has no last price to size by: the service gives none. Nothing was sent.',
      hint: 'Wait until it trades.',
      parameter: 'sizeBy',
    });
  });
});
