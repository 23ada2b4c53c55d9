import fc from 'fast-check';
import { InputError } from '../../../client/base/errors';
import {
  paiseToRupees,
  paiseToText,
  priceToPaise,
  requireOnTick,
  rupeesToPaise,
  percentToHundredths,
} from '../../../client/values/money';

function refusal(act: () => unknown): InputError {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

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

  it('refuses more than two decimals and names the nearest amounts', () => {
    expect(refusal(() => rupeesToPaise(0.1 + 0.2, 'price')).hint).toBe('The nearest amounts are 0.30 and 0.31.');
    expect(refusal(() => rupeesToPaise('1500.075', 'price')).hint).toBe('The nearest amounts are 1500.07 and 1500.08.');
    expect(refusal(() => rupeesToPaise('-1.005', 'price', { allowNegative: true })).hint).toBe(
      'The nearest amounts are -1.01 and -1.00.',
    );
  });

  it('refuses a negative amount unless it is allowed', () => {
    expect(refusal(() => rupeesToPaise(-1, 'price')).message).toContain('negative');
    expect(rupeesToPaise('-1.05', 'price', { allowNegative: true })).toBe(-105);
  });

  it('takes back every amount that it gives out, as text and as a number', () => {
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
  it('names the nearest valid prices below and above', () => {
    const error = refusal(() => requireOnTick(150007, 5, 'rupees', 'price', { label: 'Limit Price' }));
    expect(error.message).toBe('Limit Price 1500.07 is not a multiple of the tick size 0.05.');
    expect(error.hint).toBe('The nearest valid prices are 1500.05 and 1500.10.');
    expect(refusal(() => requireOnTick(150007, 5, 'paise', 'price')).hint).toBe(
      'The nearest valid prices are 150005 paise and 150010 paise.',
    );
    expect(refusal(() => requireOnTick(3, 5, 'rupees', 'price')).hint).toBe('The nearest valid price is 0.05.');
    expect(refusal(() => requireOnTick(-7, 5, 'rupees', 'price', { allowNegative: true })).hint).toBe(
      'The nearest valid prices are -0.10 and -0.05.',
    );
  });

  it('passes a price on the tick, and any price where the tick is not known', () => {
    expect(() => requireOnTick(150005, 5, 'rupees', 'price')).not.toThrow();
    expect(() => requireOnTick(150007, 0, 'rupees', 'price')).not.toThrow();
  });
});

it('takes paise as whole numbers only', () => {
  expect(priceToPaise('150005', 'paise', 'price')).toBe(150005);
  expect(refusal(() => priceToPaise(1500.05, 'paise', 'price')).message).toContain('whole number');
  expect(refusal(() => priceToPaise(-5, 'paise', 'price')).message).toContain('0 or more');
});

it('refuses a percentage beyond what is exact', () => {
  expect(() => percentToHundredths(9_007_199_254_740_991, 'percent')).toThrow('too large');
});
