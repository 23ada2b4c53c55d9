import fc from 'fast-check';
import { RecordedDay, type RecordedBar } from '../../../../sandbox/src/market/recordings/recorded-day';
import type { RecordedRow } from '../../../../sandbox/src/market/recordings/types';
import { packed } from '../../../support/recorded-rows';

const whole = (max: number) => fc.integer({ min: 0, max });
/** As large as prices may be, paise. */
const MAX_PRICE = Math.floor(Number.MAX_SAFE_INTEGER / 1000);
const MAX_VOLUME = Number.MAX_SAFE_INTEGER;

/** Open, high, low and close of a bar. */
const prices = fc.tuple(whole(MAX_PRICE), whole(MAX_PRICE), whole(MAX_PRICE), whole(MAX_PRICE)).map((four) => {
  const [low, open, close, high] = four.sort((a, b) => a - b) as [number, number, number, number];
  return { open, high, low, close };
});

const bars = fc
  .array(fc.tuple(whole(600), fc.integer({ min: 1, max: 3_600 }), prices, whole(MAX_VOLUME)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => {
    let end = 0;
    return parts.map(([gap, length, four, volume]): RecordedBar => {
      const from = end + gap;
      end = from + length;
      return { from, to: end, ...four, volume };
    });
  });

const optional = (max: number) => fc.option(whole(max), { nil: undefined });
const row = fc
  .record({
    line: fc.integer({ min: 1, max: 10_000_000 }),
    symbol: fc.constantFrom('INFY', 'TCS'),
    at: fc.integer({ min: Date.parse('2010-06-01'), max: Date.parse('2033-12-31') }),
    prices,
    volume: optional(MAX_VOLUME),
    previousClose: optional(MAX_PRICE),
  })
  .map(({ prices: four, ...rest }): RecordedRow => ({ file: 'a.csv', exchange: 'NSE', ...rest, ...four }));

it('The bars of a day come out of it as they went in', () => {
  fc.assert(
    fc.property(bars, (given) => {
      const day = new RecordedDay(given, 5, undefined);
      expect(day.bars()).toEqual(given);
      expect([day.open, day.close, day.barCount]).toEqual([given[0]!.open, given.at(-1)!.close, given.length]);
      expect(day.closingAt(7)).toMatchObject({ officialClose: 7, open: given[0]!.open });
      expect(day.closingAt(7).bars()).toEqual(given);
    }),
  );
});

it('The rows of a file come out of it as they went in, those of each instrument in their order', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), whole(60_000), (given, later) => {
      const rows = packed('a.csv', given);
      rows.shift(later);
      for (const named of rows.instruments())
        expect(rows.of(named)).toEqual(
          given.filter(({ symbol }) => symbol === named.symbol).map((own) => ({ ...own, at: own.at + later })),
        );
      expect(rows.instruments()).toHaveLength(new Set(given.map(({ symbol }) => symbol)).size);
      expect(rows.length).toBe(given.length);
    }),
  );
});
