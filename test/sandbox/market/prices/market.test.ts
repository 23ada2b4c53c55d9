import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Bar } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';

const ist = (text: string) => Date.parse(`${text}+05:30`);
const FRIDAY = ist('2026-11-20T11:00:00');
const market = createMarket({ seed: 7, universe: 'demo' });
const universe = market.universe(FRIDAY);

const of = (exchange: 'NSE' | 'BSE' | 'MCX', symbol: string): Instrument => {
  const found = universe.bySymbol(exchange, symbol);
  if (!found) throw new Error(`${exchange} ${symbol} is not in the universe`);
  return found;
};
const [nearest = 0] = universe.expiries('NSE', 'NIFTY');
const chain = universe.options('NSE', 'NIFTY', nearest);
const atm = (side: Instrument[]) => side[Math.floor(side.length / 2)] as Instrument;
const samples: Instrument[] = [
  of('NSE', 'RELIANCE'),
  of('BSE', 'RELIANCE'),
  of('NSE', 'NIFTY'),
  of('BSE', 'SENSEX'),
  universe.futures('NSE', 'NIFTY')[0] as Instrument,
  universe.futures('MCX', 'CRUDEOIL')[0] as Instrument,
  atm(chain.ce),
  atm(chain.pe),
];
const anyone = fc.constantFrom(...samples);

/** One bar made of others, as anybody would add them up. */
function join(bars: Bar[]): Omit<Bar, 'at'> {
  return {
    open: bars[0]?.open ?? NaN,
    high: Math.max(...bars.map((bar) => bar.high)),
    low: Math.min(...bars.map((bar) => bar.low)),
    close: bars.at(-1)?.close ?? NaN,
    volume: bars.reduce((sum, bar) => sum + bar.volume, 0),
    openInterest: bars.at(-1)?.openInterest ?? NaN,
  };
}
const shape = ({ at: _at, ...rest }: Bar) => rest;

describe('Prices', () => {
  it('depend on seed, instrument and time only', () => {
    const again = createMarket({ seed: 7, universe: 'demo' });
    fc.assert(
      fc.property(anyone, fc.integer({ min: -400 * 86400, max: 400 }), (instrument, seconds) => {
        const at = FRIDAY + seconds * 1000;
        expect(again.price(instrument, at)).toBe(market.price(instrument, at));
        expect(again.previousClose(instrument, at)).toBe(market.previousClose(instrument, at));
        expect(again.depth(instrument, at, 10_000, 5)).toEqual(market.depth(instrument, at, 10_000, 5));
      }),
      { numRuns: 60 },
    );
  });

  it('differ from seed to seed', () => {
    const other = createMarket({ seed: 8, universe: 'demo' });
    const differing = samples.filter(
      (instrument) => other.price(instrument, FRIDAY) !== market.price(instrument, FRIDAY),
    );
    expect(differing.length).toBeGreaterThan(6);
  });

  it.each(samples.map((instrument) => [instrument.symbol, instrument.exchange, instrument] as const))(
    'the bars of all intervals of %s on %s agree',
    (_symbol, _exchange, instrument) => {
      const from = ist('2026-11-18T00:00:00');
      const to = ist('2026-11-21T00:00:00');
      const minutes = market.bars(instrument, '1m', from, to);
      for (const [interval, length] of [
        ['2m', 2],
        ['3m', 3],
        ['5m', 5],
        ['15m', 15],
        ['30m', 30],
        ['1h', 60],
      ] as const) {
        const bars = market.bars(instrument, interval, from, to);
        const inside = (bar: Bar) =>
          minutes.filter((minute) => minute.at >= bar.at && minute.at < bar.at + length * 60_000);
        expect(bars.map(shape)).toEqual(bars.map((bar) => join(inside(bar))));
        expect(bars.reduce((sum, bar) => sum + bar.volume, 0)).toBe(minutes.reduce((sum, bar) => sum + bar.volume, 0));
      }
      const days = market.bars(instrument, '1d', from, to);
      for (const day of days)
        expect(shape(day)).toEqual(
          join(minutes.filter((minute) => minute.at >= day.at && minute.at < day.at + 86_400_000)),
        );
      expect(days).toHaveLength(3);
      const [some] = minutes;
      const seconds = market.bars(instrument, '1s', some?.at ?? 0, (some?.at ?? 0) + 60_000);
      expect(join(seconds)).toEqual(shape(some as Bar));
    },
  );

  it('are inside their bar, and the running bar closes at the present price', () => {
    fc.assert(
      fc.property(
        anyone,
        fc.integer({ min: 0, max: 373 * 60 }),
        fc.constantFrom('1m', '5m', '1h', '1d'),
        (instrument, seconds, interval) => {
          const at = ist('2026-11-20T09:15:00') + seconds * 1000;
          const price = market.price(instrument, at);
          const bar = market.bars(instrument, interval, at - 86_400_000, at + 1, at + 1).at(-1) as Bar;
          expect(bar.close).toBe(price);
          expect(price).toBeGreaterThanOrEqual(bar.low);
          expect(price).toBeLessThanOrEqual(bar.high);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('have the close of the day before as previous close, all night and until the open is known', () => {
    for (const instrument of samples) {
      const bars = market.bars(instrument, '1d', ist('2026-11-12T00:00:00'), ist('2026-11-21T00:00:00'));
      bars.slice(1).forEach((bar, i) => {
        expect(market.previousClose(instrument, bar.at)).toBe(bars[i]?.close);
        expect(market.price(instrument, bar.at - 60 * 60_000)).toBe(bars[i]?.close);
      });
    }
  });
});

describe('Universe', () => {
  it('finds every instrument by ref_id and by symbol, no two with the same', () => {
    const all = [...universe.all()];
    const isFound = (instrument: Instrument) =>
      isDeepStrictEqual(universe.byRefId(instrument.refId), instrument) &&
      universe.bySymbol(instrument.exchange, instrument.symbol)?.refId === instrument.refId;
    expect(all.filter((instrument) => !isFound(instrument))).toEqual([]);
    expect(new Set(all.map(({ refId }) => refId)).size).toBe(universe.size);
    expect(all).toHaveLength(universe.size);
    expect(universe.size).toBeGreaterThan(2500);
  });

  it('gives other ref_ids under another seed, the same ones on the next day', () => {
    const other = createMarket({ seed: 8, universe: 'demo' }).universe(FRIDAY);
    const tomorrow = market.universe(FRIDAY + 3 * 86_400_000);
    expect(other.bySymbol('NSE', 'INFY')?.refId).not.toBe(of('NSE', 'INFY').refId);
    expect(tomorrow.bySymbol('NSE', 'INFY')?.refId).toBe(of('NSE', 'INFY').refId);
    expect(tomorrow.date).toBe('2026-11-23');
  });
});
