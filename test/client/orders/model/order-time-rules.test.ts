/** Dates and times of an order, at each bound and a millisecond or a day beside it. */
import { checkBasketTimes, checkOrderTimes } from '../../../../client/orders/model/order-time-rules';
import { refusal } from '../../../support/refusal';

const NOW = Date.parse('2026-11-20T10:00:00+05:30');
const TODAY = '2026-11-20';

type Timed = Parameters<typeof checkOrderTimes>[0];
const day: Timed = { validity: 'DAY', product: 'CNC', priceType: 'LIMIT' };
const goodTill = (date?: string, more: Partial<Timed> = {}): Timed => ({
  ...day,
  validity: 'GTE',
  ...(date !== undefined && { goodTill: date }),
  ...more,
});
const at = (aheadMs: number) => ({
  now: () => NOW,
  aheadMs,
  run: undefined,
  at: (ms: number) => ms + aheadMs,
});
const LATER = 'Give a time that is yet to come; for another day, with its date: 2026-12-24 15:05.';
const exitAt = (time: number): Pick<Timed, 'exits'> => ({ exits: { time } });

it.each<[string, Timed, boolean]>([
  ['nothing of its own', day, false],
  ['good till today', goodTill(TODAY), false],
  ['good till a year from now', goodTill('2027-11-21'), false],
  ['a derivative, whose expiry the service knows', goodTill('2029-01-01'), true],
  ['an intraday order until today', goodTill(TODAY, { product: 'IDAY' }), false],
  ['an entry that is about to come', { ...day, entryTime: NOW + 1 }, false],
  ['an exit that is about to come', { ...day, ...exitAt(NOW + 1) }, false],
  ['an exit half a minute after the entry', { ...day, entryTime: NOW + 1, ...exitAt(NOW + 30_001) }, false],
])('takes %s', (_, terms, derivative) => {
  expect(() => checkOrderTimes(terms, derivative, at(0))).not.toThrow();
});

it.each<[string, string, string, Timed]>([
  ['goodTillDate', 'The validity Good Till Date needs a date.', 'Add Good Till Date.', goodTill()],
  ['goodTillDate', 'Good Till Date 19 Nov 2026 is in the past.', LATER, goodTill('2026-11-19')],
  ['goodTillDate', 'Good Till Date of a share is one year from now at most.', '', goodTill('2027-11-22')],
  [
    'priceType',
    'An order that is good till a date needs a limit price.',
    'Choose the price type Limit.',
    goodTill(TODAY, { priceType: 'MARKET' }),
  ],
  [
    'product',
    'An intraday order cannot last beyond today.',
    'Choose the product Delivery (CNC).',
    goodTill('2026-11-21', { product: 'IDAY' }),
  ],
  ['entryTime', 'Entry Time 10:00 has passed: it is 10:00 IST on 20 Nov 2026.', LATER, { ...day, entryTime: NOW }],
  [
    'exitTime',
    'An order that is good till a date cannot have an exit time.',
    '',
    goodTill(TODAY, exitAt(NOW + 60_000)),
  ],
  [
    'exitTime',
    'Exit Time 19 Nov 2026 at 15:10 has passed: it is 10:00 IST on 20 Nov 2026.',
    LATER,
    { ...day, ...exitAt(Date.parse('2026-11-19T15:10:00+05:30')) },
  ],
  [
    'exitTime',
    'The exit time must be at least 30 seconds after the entry time.',
    '',
    { ...day, entryTime: NOW + 1, ...exitAt(NOW + 30_000) },
  ],
])('refuses with %s: %s', (parameter, sentence, hint, terms) => {
  const error = refusal(() => checkOrderTimes(terms, false, at(0)));
  expect({ ...error, message: error.message }).toMatchObject({ parameter, message: `${sentence} Nothing was sent.` });
  expect(error.hint ?? '').toBe(hint);
});

it.each([
  [7 * 3_600_000, "The sandbox's clock is 7 hours ahead of this machine's"],
  [-36 * 3_600_000, "The sandbox's clock is 36 hours behind this machine's"],
  [90 * 1_000, "The sandbox's clock is 2 minutes ahead of this machine's"],
])('says of a time that is over how far the clocks are apart: %d ms', (aheadMs, sentence) => {
  for (const terms of [{ ...day, entryTime: NOW }, { ...day, ...exitAt(NOW) }, goodTill('2026-11-19')]) {
    const { hint } = refusal(() => checkOrderTimes(terms, false, at(aheadMs)));
    expect(hint).toContain(sentence);
    expect(hint).toMatch(/there it is \d{1,2} Nov 2026 at \d\d:\d\d IST\. Give a time after that\.$/);
  }
});

describe('a basket', () => {
  it.each([
    ['without times', {}],
    ['good till today', { goodTill: TODAY }],
    ['with an entry and an exit to come', { entryTime: NOW + 1, exitTime: NOW + 2 }],
  ])('is taken %s', (_, terms) => expect(() => checkBasketTimes(terms, at(0))).not.toThrow());

  it.each([
    ['goodTillDate', 'Good Till Date 19 Nov 2026 is in the past.', { goodTill: '2026-11-19' }],
    ['entryTime', 'Entry Time 10:00 has passed: it is 10:00 IST on 20 Nov 2026.', { entryTime: NOW }],
    ['exitTime', 'Exit Time 10:00 has passed: it is 10:00 IST on 20 Nov 2026.', { exitTime: NOW }],
    ['exitTime', 'The exit time must be after the entry time.', { entryTime: NOW + 1, exitTime: NOW + 1 }],
  ])('is refused with %s: %s', (parameter, sentence, terms) => {
    const error = refusal(() => checkBasketTimes(terms, at(0)));
    expect({ ...error, message: error.message }).toMatchObject({ parameter, message: `${sentence} Nothing was sent.` });
  });

  it('is told of a clock that differs', () =>
    expect(refusal(() => checkBasketTimes({ entryTime: NOW }, at(3_600_000))).hint).toContain(
      "ahead of this machine's",
    ));
});
