import fc from 'fast-check';
import { mulDiv } from '../../sandbox/src/shared/money';

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Rounds half away from zero in integers without a bound. */
function inBigInts(value: number, factor: number, divisor: number): bigint {
  const product = BigInt(value) * BigInt(factor);
  const by = BigInt(divisor);
  const quotient = product / by;
  const rest = product - quotient * by;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const isUp = twice >= (by < 0n ? -by : by);
  const isNegative = product < 0n !== by < 0n;
  return isUp ? quotient + (isNegative ? -1n : 1n) : quotient;
}

const integer = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(2 ** 51, 2 ** 52, -(2 ** 52), 2 ** 53 - 1),
);

it('rounds as integers without a bound do, also where a double is no longer exact', () => {
  fc.assert(
    fc.property(
      integer,
      integer,
      integer.filter((divisor) => divisor !== 0),
      (value, factor, divisor) => {
        const exact = inBigInts(value, factor, divisor);
        if (exact > LARGEST || exact < -LARGEST) expect(() => mulDiv(value, factor, divisor)).toThrow();
        else expect(mulDiv(value, factor, divisor)).toBe(Number(exact));
      },
    ),
    { numRuns: 3_000 },
  );
});

it.each([
  [2, 0.5, 1],
  [1, 1, 0],
  [Number.NaN, 1, 1],
])('%d × %d ÷ %d is refused', (value, factor, divisor) => {
  expect(() => mulDiv(value, factor, divisor)).toThrow();
});
