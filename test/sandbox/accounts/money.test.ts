import { describe, expect, test } from '@jest/globals';
import { average, mulDiv, percent, rupees } from '../../../sandbox/src/shared/money';

describe('money', () => {
  test('is rounded half away from zero, exact beyond 2^53 in between', () => {
    expect([mulDiv(5, 1, 2), mulDiv(-5, 1, 2), mulDiv(4, 1, 3), mulDiv(9_000_000_000_000_000, 9_999, 10_000)]).toEqual([
      3, -3, 1, 8_999_100_000_000_000,
    ]);
    expect(average(301, 2)).toBe(151);
    expect(average(1, 0)).toBe(0);
    expect(percent(-1, 3)).toBe(-33.33);
  });
  test('is written as rupees in Indian grouping', () => {
    expect([rupees(5), rupees(-123_456_789_05), rupees(100_000)]).toEqual(['0.05', '-12,34,56,789.05', '1,000.00']);
  });
});
