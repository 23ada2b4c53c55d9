/** Prices on the tick: never worse for their owner, however they were worked out. */
import fc from 'fast-check';
import {
  roundToTick,
  priceAt,
  PRICE_ROUNDINGS,
  withoutNoise,
  type RoundingDirection,
  type TickRounding,
} from '../../../../client/orders/model/tick';
import { exactHundredths, exactPaise } from '../../../../client/values/money';
import { knownPrice } from '../../../support/price';

const TICKS = [1, 5, 10, 25, 100];
const how = (given: Partial<TickRounding> = {}): TickRounding => ({
  tickSize: 5,
  rounding: 'safe',
  upwards: -1,
  isGiven: true,
  unit: 'rupees',
  parameter: 'price',
  label: 'Limit Price',
  ...given,
});
const directions = fc.constantFrom<RoundingDirection>(1, -1);

it('a price of any number of decimals goes to the tick on the safe side, less than a tick away', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      fc.integer({ min: 2, max: 7 }),
      fc.constantFrom(...TICKS),
      directions,
      (digits, decimals, tickSize, upwards) => {
        const text = String(digits).padStart(decimals + 1, '0');
        const rupees = `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
        const price = roundToTick(exactPaise(rupees, 'rupees', 'price'), how({ tickSize, upwards }));
        expect(Math.abs(price % tickSize)).toBe(0);
        // In units of 10^-decimals rupees, exact: how much better for the owner it is.
        const better = (BigInt(price) * 10n ** BigInt(decimals - 2) - digits) * BigInt(upwards);
        // Noise of arithmetic is a millionth of a paisa: less than any digit that is looked at here.
        expect(better >= 0n).toBe(true);
        expect(better < BigInt(tickSize) * 10n ** BigInt(decimals - 2)).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

it('the noise of arithmetic moves a price by no tick, on either side', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.constantFrom(...TICKS),
      directions,
      fc.constantFrom(-1, 1),
      (ticks, tickSize, upwards, sign) => {
        const rupees = (ticks * tickSize) / 100;
        const noisy = rupees * (1 + sign * 2 * Number.EPSILON);
        const exact = exactPaise(noisy.toFixed(16).slice(0, 24), 'rupees', 'price');
        expect(roundToTick(exact, how({ tickSize, upwards }))).toBe(ticks * tickSize);
      },
    ),
  );
  expect(roundToTick(exactPaise(0.1 + 0.2, 'rupees', 'price'), how({ upwards: 1 }))).toBe(30);
  expect(withoutNoise(29_523.195)).toBe(29_523.195);
});

it('a computed stop such as 295.23195 goes down to buy, up to sell, and to the nearer tick', () => {
  const exact = exactPaise(295.23195, 'rupees', 'price');
  expect(roundToTick(exact, how({ upwards: -1 }))).toBe(29_520);
  expect(roundToTick(exact, how({ upwards: 1 }))).toBe(29_525);
  expect(roundToTick(exact, how({ upwards: -1, rounding: 'nearest' }))).toBe(29_525);
  expect(roundToTick(29_522.5, how({ upwards: -1, rounding: 'nearest' }))).toBe(29_520);
  expect(() => roundToTick(exact, how({ rounding: 'refuse' }))).toThrow(
    '₹295.23195 is not a multiple of the tick size ₹0.05',
  );
  expect(roundToTick(exact, how({ rounding: 'refuse', isGiven: false }))).toBe(29_520);
});

it('a price on the tick stays unchanged, whatever the rounding', () => {
  for (const rounding of PRICE_ROUNDINGS) expect(roundToTick(29_525, how({ rounding, upwards: 1 }))).toBe(29_525);
  expect(roundToTick(-30_003, how({ upwards: -1 }))).toBe(-30_005);
  expect(roundToTick(-30_003, how({ upwards: 1 }))).toBe(-30_000);
  // Where no tick is known, whole paise.
  expect(roundToTick(29_523.4, how({ tickSize: 0, upwards: 1 }))).toBe(29_524);
});

it('percent and points count from another price, below it where they are negative', () => {
  expect(priceAt({ percent: -150 }, knownPrice(100_000), 1)).toBe(98_500);
  expect(priceAt({ points: 400 }, knownPrice(100_000), 1)).toBe(100_400);
  expect(priceAt({ percent: exactHundredths('1.23456', 'price') }, knownPrice(100_000), 1)).toBeCloseTo(101_234.56, 6);
  expect(priceAt({ price: 7 }, knownPrice(100_000), 1)).toBe(7);
});

it.each([null, undefined, '', NaN, Infinity, '1e5', '1,000', '0x10', {}, [], true])(
  'takes no %p for a price or a percentage',
  (value) => {
    expect(() => exactPaise(value, 'rupees', 'price')).toThrow('must be a price such as');
    expect(() => exactHundredths(value, 'price')).toThrow('must be a percentage');
  },
);

it('refuses what is negative or too large, and reads paise', () => {
  expect(() => exactPaise(-1, 'rupees', 'price')).toThrow('must not be negative');
  expect(() => exactPaise('99999999999999999', 'rupees', 'price')).toThrow('too large');
  expect(exactPaise(-1.5, 'rupees', 'price', { allowNegative: true })).toBe(-150);
  expect(exactPaise('29523.195', 'paise', 'price')).toBe(29_523.195);
});

it('an error names the nearest prices that there are', () => {
  const hint = (exact: number): string => {
    try {
      roundToTick(exact, how({ rounding: 'refuse' }));
      return '';
    } catch (error) {
      return (error as { hint: string }).hint;
    }
  };
  expect(hint(29_523)).toMatch(/^The nearest prices are ₹295\.20 and ₹295\.25\. /);
  expect(hint(3)).toMatch(/^The nearest price is ₹0\.05\. /);
});

it('an error shows prices in the unit of the panel', () => {
  expect(() => roundToTick(29_523, how({ rounding: 'refuse', unit: 'paise' }))).toThrow(
    'Limit Price 29523 paise is not a multiple of the tick size 5 paise.',
  );
});
