import { expect, test } from '@jest/globals';
import { fixedBand } from '../../../../sandbox/src/market/reference/fixed-band';

test.each([
  ['a share of ₹1,000 keeps its percentage', 100_000, 5, 5, { low: 95_000, high: 105_000 }],
  ['what lies between ticks does not count', 101_230, 2, 5, { low: 99_210, high: 103_250 }],
  ['a share of 19 paise may move by a tick', 19, 2, 1, { low: 18, high: 20 }],
  ['a close between ticks leaves the next ones', 12, 2, 5, { low: 10, high: 15 }],
  ['no price is below a tick', 1, 5, 1, { low: 1, high: 2 }],
])('the band of a day is right: %s', (_what, previous, percent, tick, band) => {
  expect(fixedBand(previous, percent, tick)).toEqual(band);
});
