/** Prices of the stream around the close of a bar that went on when it was read. */
import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import type { MarketTick } from '../../../../client/stream/market-data/market-data';
import type { MissedBar } from '../../../../client/stream/market-data/price-history';
import { UnfinishedBar } from '../../../../client/stream/market-data/unfinished-bar';
import { tickOfPrice } from '../../../../client/stream/market-data/watched-instrument';
import { knownPrice } from '../../../support/price';
import { A, PricesBench, TEN } from './prices-bench';

/** The second from ten on, as the history shows it once these prices have been. */
const secondOf = (prices: readonly number[]): MissedBar => ({
  at: TEN,
  lengthMs: 1_000,
  open: knownPrice(prices[0]!),
  high: knownPrice(Math.max(...prices)),
  low: knownPrice(Math.min(...prices)),
  close: knownPrice(prices.at(-1)!),
  volume: null,
});

const tick = (price: number, at: number): MarketTick => tickOfPrice(A, knownPrice(price), TEN + at, 'stream');

const shown = (ticks: readonly MarketTick[]): number[] => ticks.map(({ lastPrice }) => lastPrice);

test('a price that is older than the close is told with the bar, and one that is newer is told once that is certain', () => {
  const prices = fc.uniqueArray(fc.integer({ min: 100, max: 130 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(prices, fc.nat(), fc.nat(), (all, read, heard) => {
      // The history was read after `known` prices; the stream brings those from `first` on.
      const known = 1 + (read % all.length);
      const first = heard % (known + 1);
      const bar = new UnfinishedBar(secondOf(all.slice(0, known)));
      const ticks = all.slice(first).flatMap((price, at) => shown(bar.take(tick(price, first + at))));
      const close = first < known ? [all[known - 1]] : [];
      expect([...ticks, ...shown(bar.rest())]).toEqual([...close, ...all.slice(known)]);
      expect(bar.rest()).toEqual([]);
    }),
  );
});

test('a price of the next second is newer, and so is all after it', () => {
  const bar = new UnfinishedBar(secondOf([101, 105, 103]));
  expect(shown(bar.take(tick(102, 900)))).toEqual([]);
  expect(shown(bar.take(tick(104, 1_000)))).toEqual([102, 104]);
  expect(shown(bar.take(tick(102, 1_000)))).toEqual([102]);
  expect([bar.isOver(TEN + 1_999), bar.isOver(TEN + 2_000)]).toEqual([false, true]);
});

test('a listener hears no price again that the history told; one that may be newer comes within two seconds', async () => {
  const bench = new PricesBench();
  bench.join(A);
  await bench.bring(100, -5_000);
  bench.prices.takeMissed(bench.entry(A), { bars: new Map([[A.refId, [secondOf([101, 103])]]]), requestedAt: TEN + 1 });
  expect(await bench.takeMessages()).toEqual(['101@0 history', '103@1 history']);
  bench.clock.set(TEN + 10);
  expect(await bench.bring(101, 3)).toEqual([]);
  expect(await bench.bring(103, 12)).toEqual(['103@12 stream']);
  expect(await bench.bring(102, 15)).toEqual([]);
  expect(await bench.at(1_999)).toEqual([]);
  expect(await bench.at(2_000)).toEqual(['102@15 stream']);
  expect(await bench.bring(101, 2_001)).toEqual(['101@2001 stream']);
});
