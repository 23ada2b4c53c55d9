/** Whose price it is, in whatever order a frame names instruments. */
import { expect, test } from '@jest/globals';
import type { IndexTick } from '../../../../proto/generated/messages';
import type { MarketInstrument } from '../../../../client/stream/market-data/market-data';
import { Prices } from '../../../../client/stream/market-data/prices';
import { ServiceTime } from '../../../../client/stream/market-data/service-time';
import { msToNanos } from '../../../../client/values/time';
import { VirtualClock } from '../../../support/clock';

const [A, B, C] = ['A', 'B', 'C'].map((symbol, at): MarketInstrument => ({
  refId: at + 1,
  exchange: 'NSE',
  symbol,
  kind: 'STOCK',
})) as [MarketInstrument, MarketInstrument, MarketInstrument];

function listening() {
  const clock = new VirtualClock(1_795_408_200_000);
  const candles = async (): Promise<{ rows: [] }> => await Promise.resolve({ rows: [] });
  const { signal } = new AbortController();
  const prices = new Prices({ clock, candles, time: new ServiceTime(clock), signal, fatal: () => undefined });
  const heard: string[] = [];
  const join = (instrument: MarketInstrument) =>
    prices.join(instrument, {}, (event) => {
      if (event.kind === 'tick') heard.push(`${event.tick.instrument.symbol}${event.tick.lastPrice}`);
    });
  const tick = (indexname: string, indexValue: number, exchange = 'NSE'): IndexTick => ({
    ...{ indexname, exchange, indexValue, timestamp: msToNanos(clock.now()), highIndexValue: 0, lowIndexValue: 0 },
    ...{ volume: 0, changepercent: 0, tickVolume: 0, prevClose: 0, volumeOi: 0, indicativeClosePrice: null },
  });
  const take = (...ticks: IndexTick[]): string => {
    prices.take(ticks);
    return heard.splice(0).join(' ');
  };
  return { prices, join, tick, take };
}

test('a price belongs to the instrument that its tick names, wherever in a frame it stands', () => {
  const { join, tick, take } = listening();
  for (const instrument of [A, B, C]) join(instrument);
  expect(take(tick('A', 1), tick('B', 2), tick('C', 3))).toBe('A1 B2 C3');
  expect(take(tick('C', 4), tick('B', 5), tick('X', 6), tick('A', 7))).toBe('C4 B5 A7');
  expect(take(tick('B', 8))).toBe('B8');
  expect(take(tick('B', 9, 'BSE'), tick('A', 10))).toBe('A10');
});

test('an instrument that was given back and is wanted again hears its prices', () => {
  const { prices, join, tick, take } = listening();
  const first = join(A);
  join(B);
  take(tick('A', 1), tick('B', 2));
  prices.leave(A, first);
  expect(take(tick('A', 3), tick('B', 4))).toBe('B4');
  join(A);
  expect(take(tick('A', 5), tick('B', 6))).toBe('A5 B6');
});

test('names in other letters, and without an exchange, are those that were asked for', () => {
  const { join, tick, take } = listening();
  for (const symbol of ['Nifty 50', 'INFY']) join({ ...A, refId: symbol.length, symbol });
  expect(take(tick('NIFTY 50', 1), tick(' infy ', 2, 'nse'))).toBe('Nifty 501 INFY2');
  expect(take(tick('nifty 50', 3, ''), tick('INFY', 4))).toBe('Nifty 503 INFY4');
  expect(take(tick('Nifty 50', 5, 'BSE'), tick('constructor', 6), tick('', 7))).toBe('');
});

test('a future of MCX is known by its symbol, and by the full name that it was asked for by', () => {
  const { prices, join, tick, take } = listening();
  const future = { ...A, exchange: 'MCX', symbol: 'OIL26OCTFUT', platName: 'FUT_OIL_20261019', kind: 'FUT' } as const;
  const member = join(future);
  expect(take(tick('FUT_OIL_20261019', 1, 'MCX'), tick('OIL26OCTFUT', 2, 'MCX'))).toBe('OIL26OCTFUT1 OIL26OCTFUT2');
  prices.leave(future, member);
  expect(take(tick('FUT_OIL_20261019', 3, 'MCX'), tick('OIL26OCTFUT', 4, 'MCX'))).toBe('');
});

test('who leaves while a price is told hears no more of it, and who joins then hears it once', () => {
  const { prices, join, tick, take } = listening();
  const heard: string[] = [];
  const listeners = [0, 1, 2].map((name) =>
    prices.join(A, {}, (event) => {
      if (event.kind === 'tick') heard.push(`${name}:${event.tick.lastPrice}`);
      if (name === 0) prices.leave(A, listeners[1]!);
      if (name === 0 && heard.length === 1) join(A);
    }),
  );
  expect(take(tick('A', 1))).toBe('A1');
  expect(heard).toEqual(['0:1', '2:1']);
  expect(take(tick('A', 2))).toBe('A2');
  expect(heard).toEqual(['0:1', '2:1', '0:2', '2:2']);
});
