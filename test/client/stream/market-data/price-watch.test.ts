/** Alerts of several instruments, and what moves of the day are measured from. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError } from '../../../../client/base/errors';
import type { AlertSettings } from '../../../../client/stream/market-data/instrument-alerts';
import type { MarketInstrument, MarketTick } from '../../../../client/stream/market-data/market-data';
import { PriceWatch, type WatchStates } from '../../../../client/stream/market-data/price-watch';
import { VirtualClock } from '../../../support/clock';

const MORNING = Date.parse('2026-11-23T09:15:00+05:30');
const INFY: MarketInstrument = { refId: 7, exchange: 'NSE', symbol: 'INFY', kind: 'STOCK' };
const TCS: MarketInstrument = { refId: 8, exchange: 'NSE', symbol: 'TCS', kind: 'STOCK' };

const fromOpen: AlertSettings = {
  rule: { kind: 'movesFrom', from: 'open', price: 0, hundredths: 100, direction: 'up', rearm: 0 },
  repeat: 'always',
};
const level: AlertSettings = { rule: { kind: 'crossesAbove', level: 105, rearm: 0 }, repeat: 'once' };

function watching(
  settings: AlertSettings,
  base: (day: string) => Promise<number | null> = async () => await Promise.reject(new Error('not asked')),
  states: WatchStates = {},
) {
  const clock = new VirtualClock(MORNING);
  const seen = { alerts: [] as [string, number][], unknown: 0, asked: [] as string[] };
  const watch = new PriceWatch({
    clock,
    settings,
    instruments: [INFY, TCS],
    everyMs: 5_000,
    since: undefined,
    states,
    base: async ({ symbol }, day) => {
      seen.asked.push(`${symbol} ${day}`);
      return await base(day);
    },
    onAlert: ({ price }, { instrument }) => seen.alerts.push([instrument.symbol, price]),
    onUnknown: () => (seen.unknown += 1),
  });
  const hear = (
    instrument: MarketInstrument,
    lastPrice: number,
    at = clock.now(),
    more: Partial<MarketTick> = {},
  ): void =>
    watch.take({
      ...{ instrument, lastPrice, at, source: 'stream', previousClose: null, dayHigh: null, dayLow: null },
      ...{ volume: null, openInterest: null, ...more },
    });
  return { clock, watch, seen, hear };
}

describe('prices of several instruments', () => {
  test('alert each for itself, and what is done is wanted no more', () => {
    const { watch, seen, hear } = watching(level);
    for (const price of [100, 105, 100, 106]) hear(INFY, price);
    for (const price of [110, 100, 104]) hear(TCS, price);
    expect(seen.alerts).toEqual([['INFY', 105]]);
    expect(watch.wants.map((want) => 'instrument' in want && want.instrument.symbol)).toEqual(['TCS']);
  });

  test('of 0 are none: they would fall to every level', () => {
    const { seen, hear } = watching({ rule: { kind: 'crossesBelow', level: 95, rearm: 0 }, repeat: 'always' });
    for (const price of [0, 100, 0, 96]) hear(INFY, price);
    expect(seen.alerts).toEqual([]);
  });

  test('go on from what was stored, and ask for what was since', async () => {
    const first = watching(level);
    let hasAll = false;
    void first.watch.hasAll.then(() => (hasAll = true));
    first.hear(INFY, 100, MORNING + 5);
    await first.clock.sleep(1);
    expect(hasAll).toBe(false);
    const second = watching(level, undefined, JSON.parse(JSON.stringify(first.watch.states)) as WatchStates);
    expect(second.watch.wants).toEqual([
      { kind: 'tick', instrument: INFY, since: MORNING + 5, everyMs: 5_000 },
      { kind: 'tick', instrument: TCS, since: undefined, everyMs: 5_000 },
    ]);
    second.hear(INFY, 107, MORNING + 60_000, { source: 'history' });
    expect(second.seen.alerts).toEqual([['INFY', 107]]);
    second.hear(TCS, 100);
    await second.watch.hasAll;
  });
});

describe('a move from the open', () => {
  test('waits until the open is known, and is judged in order then', async () => {
    const { clock, seen, hear } = watching(fromOpen, async () => {
      await clock.sleep(50);
      return 100;
    });
    for (const price of [100, 101, 100, 102]) hear(INFY, price);
    expect(seen.alerts).toEqual([]);
    await clock.sleep(60);
    expect(seen.alerts).toEqual([
      ['INFY', 101],
      ['INFY', 102],
    ]);
    hear(INFY, 100);
    hear(INFY, 103);
    expect(seen.alerts).toHaveLength(3);
    expect(seen.asked).toEqual(['INFY 2026-11-23']);
  });

  test('asks again when the open could not be read, and says so once', async () => {
    let attempts = 0;
    const { clock, seen, hear } = watching(fromOpen, async () => {
      attempts += 1;
      if (attempts < 3) throw new NetworkError('No server', { maySent: false });
      return await Promise.resolve(100);
    });
    for (let second = 0; second < 20; second++) {
      hear(INFY, second < 2 ? 100 : 102);
      await clock.sleep(1_000);
    }
    expect(seen).toMatchObject({ alerts: [['INFY', 102]], unknown: 1 });
    expect(attempts).toBe(3);
  });
});

test('a move from the previous close takes it from the price, and reads it where the price tells none', async () => {
  const settings: AlertSettings = {
    rule: { kind: 'movesFrom', from: 'previousClose', price: 0, hundredths: 100, direction: 'down', rearm: 0 },
    repeat: 'always',
  };
  const { clock, seen, hear } = watching(settings, async () => await Promise.resolve(200));
  for (const price of [100, 99]) hear(INFY, price, clock.now(), { previousClose: 100 });
  for (const price of [199, 198]) hear(TCS, price, clock.now(), { source: 'history' });
  await clock.sleep(1);
  expect(seen).toMatchObject({
    alerts: [
      ['INFY', 99],
      ['TCS', 198],
    ],
    asked: ['TCS 2026-11-23'],
  });
});
