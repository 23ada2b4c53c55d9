import fc from 'fast-check';
import {
  exactHundredths,
  exactPaise,
  paiseTo,
  paiseToRupees,
  paiseToText,
  priceToPaise,
  requireOnTick,
  rupeesToPaise,
  percentToHundredths,
  showMoney,
} from '../../../client/values/money';
import { refusal } from '../../support/refusal';

describe('rupees to paise', () => {
  it.each([
    ['1500.05', 150005],
    [1500.05, 150005],
    [0.29, 29],
    [1.15, 115],
    ['  12 ', 1200],
    ['12.5', 1250],
    ['007.10', 710],
    ['3.1000', 310],
    [0, 0],
    ['90071992547409.90', 9007199254740990],
  ])('%p is %p paise', (rupees, paise) => {
    expect(rupeesToPaise(rupees, 'price')).toBe(paise);
  });

  it.each([
    '',
    ' ',
    'abc',
    '0x10',
    '1e3',
    '1e20',
    1e21,
    NaN,
    Infinity,
    -Infinity,
    -0,
    '-0',
    '-0.00',
    null,
    undefined,
    true,
    [],
    {},
    '1,000',
    '₹10',
    '10.',
    '.5',
    '+5',
    '١٢',
    '90071992547409.92',
  ])('refuses %p and names the parameter', (value) => {
    const error = refusal(() => rupeesToPaise(value, 'price', { label: 'Limit Price' }));
    expect(error.parameter).toBe('price');
    expect(error.message).toMatch(/^Limit Price /);
  });

  it('says what was wanted, and what came', () => {
    expect(refusal(() => rupeesToPaise('1,000', 'price', { label: 'Limit Price' }))).toMatchObject({
      message: 'Limit Price must be an amount in rupees such as 1500.05, but is "1,000".',
      hint: 'Enter digits with at most two decimals, without separators, currency sign or exponent.',
    });
    expect(refusal(() => rupeesToPaise('90071992547409.91', 'price'))).toMatchObject({
      message: 'price "90071992547409.91" is too large.',
      parameter: 'price',
    });
    expect(refusal(() => rupeesToPaise(-1, 'price'))).toMatchObject({
      message: 'price must not be negative, but is -1.',
      parameter: 'price',
    });
    expect(refusal(() => rupeesToPaise(0.001, 'price'))).toMatchObject({
      message: 'price 0.001 has more than two decimals.',
      parameter: 'price',
    });
  });

  it('refuses more than two decimals and names the nearest amounts', () => {
    expect(refusal(() => rupeesToPaise(0.1 + 0.2, 'price')).hint).toBe('The nearest amounts are ₹0.30 and ₹0.31.');
    expect(refusal(() => rupeesToPaise('1500.075', 'price')).hint).toBe(
      'The nearest amounts are ₹1,500.07 and ₹1,500.08.',
    );
    expect(refusal(() => rupeesToPaise('-1.005', 'price', { allowNegative: true })).hint).toBe(
      'The nearest amounts are −₹1.01 and −₹1.00.',
    );
  });

  it('refuses a negative amount unless it is allowed', () => {
    expect(refusal(() => rupeesToPaise(-1, 'price')).message).toContain('negative');
    expect(rupeesToPaise('-1.05', 'price', { allowNegative: true })).toBe(-105);
  });

  it('reads back every amount that it returns, as text and as a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e14, max: 1e14 }), (paise) => {
        expect(rupeesToPaise(paiseToText(paise), 'p', { allowNegative: true })).toBe(paise === 0 ? 0 : paise);
        expect(rupeesToPaise(paiseToRupees(paise), 'p', { allowNegative: true })).toBe(paise);
        expect(Number(paiseToText(paise))).toBe(paiseToRupees(paise));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('ticks', () => {
  it('names the nearest prices below and above', () => {
    const error = refusal(() => requireOnTick(150007, 5, 'rupees', 'price', { label: 'Limit Price' }));
    expect(error.message).toBe('Limit Price ₹1,500.07 is not a multiple of the tick size ₹0.05.');
    expect(error.hint).toBe('The nearest prices are ₹1,500.05 and ₹1,500.10.');
    expect(refusal(() => requireOnTick(150007, 5, 'paise', 'price')).hint).toBe(
      'The nearest prices are 1,50,005 paise and 1,50,010 paise.',
    );
    expect(refusal(() => requireOnTick(3, 5, 'rupees', 'price')).hint).toBe('The nearest price is ₹0.05.');
    expect(refusal(() => requireOnTick(-7, 5, 'rupees', 'price', { allowNegative: true })).hint).toBe(
      'The nearest prices are −₹0.10 and −₹0.05.',
    );
  });

  it('passes a price on the tick, and any price where the tick is not known', () => {
    expect(() => requireOnTick(150005, 5, 'rupees', 'price')).not.toThrow();
    expect(() => requireOnTick(150007, 0, 'rupees', 'price')).not.toThrow();
  });
});

it('takes paise as whole numbers only, negative ones where they are allowed', () => {
  expect(priceToPaise('150005', 'paise', 'price')).toBe(150005);
  expect(refusal(() => priceToPaise(1500.05, 'paise', 'price', { label: 'Price' }))).toMatchObject({
    message: 'Price (paise) must be a whole number, but is 1500.05.',
    parameter: 'price',
  });
  expect(refusal(() => priceToPaise(-5, 'paise', 'price')).message).toContain('0 or more');
  expect(priceToPaise(-5, 'paise', 'price', { allowNegative: true })).toBe(-5);
  expect(priceToPaise(-5, 'rupees', 'price', { allowNegative: true })).toBe(-500);
  expect(refusal(() => priceToPaise(-5, 'rupees', 'price', { label: 'Price' })).message).toMatch(/^Price must not be/);
});

describe('a price between two paise', () => {
  it.each([
    ['295.23195', 'rupees', 29523.195],
    ['295.2', 'rupees', 29520],
    [295, 'rupees', 29500],
    ['0.005', 'rupees', 0.5],
    ['29523.195', 'paise', 29523.195],
    [7, 'paise', 7],
    ['90071992547409.91', 'rupees', 9007199254740991],
  ] as const)('%p in %s is %p paise', (price, unit, paise) => {
    expect(exactPaise(price, unit, 'price')).toBe(paise);
  });

  it('is negative only where that is allowed', () => {
    expect(exactPaise('-1.055', 'rupees', 'price', { allowNegative: true })).toBe(-105.5);
    expect(refusal(() => exactPaise(-1, 'paise', 'price', { label: 'Price' }))).toMatchObject({
      message: 'Price must not be negative, but is -1.',
      parameter: 'price',
    });
  });

  it('is refused where it is no price, or too large to be exact', () => {
    expect(refusal(() => exactPaise('1,5', 'rupees', 'price', { label: 'Price' }))).toMatchObject({
      message: 'Price must be a price such as 1500.05, but is "1,5".',
      parameter: 'price',
      hint: 'Enter digits, without separators, currency sign or exponent.',
    });
    expect(refusal(() => exactPaise('90071992547409.92', 'rupees', 'price', { label: 'Price' }))).toMatchObject({
      message: 'Price "90071992547409.92" is too large.',
      parameter: 'price',
    });
  });
});

describe('a percentage', () => {
  it('is taken in hundredths, and with any number of decimals where that is wanted', () => {
    expect([percentToHundredths('2.5', 'percent'), percentToHundredths('0.05', 'percent')]).toEqual([250, 5]);
    expect(percentToHundredths('90071992547409.91', 'percent')).toBe(9_007_199_254_740_991);
    expect(exactHundredths('1.2345', 'percent')).toBe(123.45);
    expect(exactHundredths('-1.2345', 'percent', { allowNegative: true })).toBe(-123.45);
  });

  it.each(['2.5%', ' 2.5 % ', '2.50%'])('takes %j with its sign', (value) => {
    expect(percentToHundredths(value, 'percent')).toBe(250);
    expect(exactHundredths(value, 'percent')).toBe(250);
  });
  it.each(['%', '2.5%%', '%2.5', '2.5 percent', '1,000%'])('refuses %j', (value) => {
    expect(refusal(() => percentToHundredths(value, 'percent')).message).toContain('must be a percentage');
    expect(refusal(() => exactHundredths(value, 'percent')).message).toContain('must be a percentage');
  });
  it.each(['x', -1, '1.005'])('is refused with a sentence: %p', (value) => {
    expect(refusal(() => percentToHundredths(value, 'percent', 'Slippage'))).toMatchObject({
      message: `Slippage must be a percentage with at most two decimals, but is ${JSON.stringify(value)}.`,
      parameter: 'percent',
    });
  });

  it('is refused beyond what is exact', () => {
    expect(refusal(() => percentToHundredths(9_007_199_254_740_991, 'percent', 'Slippage'))).toMatchObject({
      message: 'Slippage 9007199254740991 is too large.',
      parameter: 'percent',
    });
  });

  it('is refused with any number of decimals where it is none, or negative', () => {
    expect(refusal(() => exactHundredths('x', 'percent', { label: 'Move' }))).toMatchObject({
      message: 'Move must be a percentage such as 2.5, but is "x".',
      parameter: 'percent',
    });
    expect(refusal(() => exactHundredths(-1, 'percent', { label: 'Move' })).message).toBe(
      'Move must not be negative, but is -1.',
    );
  });
});

it('returns amounts in the unit that is chosen', () => {
  expect([paiseTo('rupees', 150005), paiseTo('paise', 150005)]).toEqual([1500.05, 150005]);
  expect([paiseTo('rupees', null), paiseTo('rupees', undefined)]).toEqual([null, undefined]);
  expect([showMoney('rupees', 5), showMoney('paise', 5)]).toEqual(['₹0.05', '5 paise']);
  expect([showMoney('rupees', 1_22_450_000), showMoney('rupees', -30_000)]).toEqual(['₹12,24,500.00', '−₹300.00']);
  expect(paiseToRupees(150005.5)).toBe(1500.055);
  expect([-5, 0, 12, 150005].map(paiseToText)).toEqual(['-0.05', '0.00', '0.12', '1500.05']);
});
