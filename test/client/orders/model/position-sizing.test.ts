/** Sizes by money: never more than was said, and never a lot less than it allows. */
import fc from 'fast-check';
import { TooSmallError, unitsFor, type Sizing } from '../../../../client/orders/model/position-sizing';
import { INFY } from '../support';
import { knownPrice } from '../../../support/price';

const sizing = (given: Partial<Sizing> = {}): Sizing => ({
  money: 1_000_000,
  entry: knownPrice(150_000),
  side: 'BUY',
  instrument: INFY,
  unit: 'rupees',
  parameter: 'sizeAmount',
  label: 'Amount',
  ...given,
});

it('spends or risks no more than was said, in whole lots, and one lot more would', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 11 }),
      fc.integer({ min: 1, max: 10 ** 7 }),
      fc.option(fc.integer({ min: 1, max: 10 ** 7 }), { nil: undefined }),
      fc.constantFrom(1, 15, 65, 75),
      fc.constantFrom(1, 10, 15, 65, 75, 5_000),
      fc.constantFrom('BUY' as const, 'SELL' as const),
      (money, entry, stop, lotSize, lotMultiplier, side) => {
        const loss = stop === undefined ? entry : side === 'BUY' ? entry - stop : stop - entry;
        const given = sizing({
          money,
          entry: knownPrice(entry),
          side,
          instrument: { ...INFY, lotSize, lotMultiplier },
          ...(stop === undefined ? {} : { stop }),
        });
        if (loss <= 0) {
          expect(() => unitsFor(given)).toThrow('must be');
        } else if (money < loss * lotMultiplier) {
          expect(() => unitsFor(given)).toThrow(TooSmallError);
        } else {
          const units = unitsFor(given);
          expect(units % lotSize).toBe(0);
          expect((units / lotSize) * lotMultiplier * loss).toBeLessThanOrEqual(money);
          expect((units / lotSize + 1) * lotMultiplier * loss).toBeGreaterThan(money);
        }
      },
    ),
    { numRuns: 500 },
  );
});

it('gives no size where nothing tells what a lot is worth', () => {
  const instrument = { ...INFY, symbol: 'GOLD26DECFUT', asset: 'GOLD', exchange: 'MCX', lotMultiplier: null };
  expect(() => unitsFor(sizing({ instrument }))).toThrow(/Amount: what GOLD26DECFUT is worth cannot be told/);
});

it('names what one lot costs, or risks', () => {
  expect(() => unitsFor(sizing({ money: 100 }))).toThrow('Amount ₹1.00 comes to 0 of INFY: one costs ₹1,500.00');
  expect(() =>
    unitsFor(sizing({ money: 100, stop: 149_000, instrument: { ...INFY, lotSize: 75, lotMultiplier: 75 } })),
  ).toThrow('one lot of 75 risks ₹750.00');
  expect(() => unitsFor(sizing({ money: Number.MAX_VALUE, entry: knownPrice(1) }))).toThrow('too large');
});

it.each([
  ['BUY', 150_000, 'The stop ₹1,500.00 must be below the entry ₹1,500.00. Nothing was sent.', 'stopPrice'],
  ['SELL', 149_000, 'The stop ₹1,490.00 must be above the entry ₹1,500.00. Nothing was sent.', 'stopPrice'],
] as const)('says where the stop must be: to %s with a stop at %p', (side, stop, message, parameter) => {
  const given = sizing({ side, stop });
  expect(() => unitsFor(given)).toThrow(expect.objectContaining({ message, parameter }));
});
