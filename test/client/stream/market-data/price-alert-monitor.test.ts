/** Alerts of several instruments, and what moves of the day are measured from. */
import { describe, expect, test } from '@jest/globals';
import { NetworkError } from '../../../../client/base/errors';
import type { AlertSettings } from '../../../../client/stream/market-data/instrument-alerts';
import type { MarketInstrument, MarketTick } from '../../../../client/stream/market-data/market-data';
import { PriceAlertMonitor, type WatchStates } from '../../../../client/stream/market-data/price-alert-monitor';
import { VirtualClock } from '../../../support/clock';
import { knownPrice } from '../../../support/price';

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
  base: (day: string) => Promise<number | { none: string } | null> = async () =>
    await Promise.reject(new Error('not asked')),
  states: WatchStates = {},
  since?: number,
  countsFrom?: number,
) {
  const clock = new VirtualClock(MORNING);
  const seen = { alerts: [] as [string, number][], unknown: 0, asked: [] as string[] };
  const watch = new PriceAlertMonitor({
    clock,
    settings,
    instruments: [INFY, TCS],
    everyMs: 5_000,
    since,
    states,
    base: async ({ symbol }, day) => {
      seen.asked.push(`${symbol} ${day}`);
      return await base(day);
    },
    ...(countsFrom === undefined ? {} : { countsFrom: () => countsFrom }),
    onAlert: ({ price }, { instrument }) => seen.alerts.push([instrument.symbol, price]),
    onUnknown: () => (seen.unknown += 1),
  });
  const receive = (
    instrument: MarketInstrument,
    lastPrice: number,
    at = clock.now(),
    more: Partial<MarketTick> = {},
  ): void =>
    watch.take({
      ...{
        instrument,
        lastPrice: knownPrice(lastPrice),
        at,
        source: 'stream',
        previousClose: null,
        dayHigh: null,
        dayLow: null,
      },
      ...{ volume: null, openInterest: null, ...more },
    });
  return { clock, watch, seen, receive };
}

describe('prices of several instruments', () => {
  test('alert each for itself, and are wanted no more when it is done', () => {
    const { watch, seen, receive } = watching(level);
    for (const price of [100, 105, 100, 106]) receive(INFY, price);
    for (const price of [110, 100, 104]) receive(TCS, price);
    expect(seen.alerts).toEqual([['INFY', 105]]);
    expect(
      watch.subscriptions.map((subscription) => 'instrument' in subscription && subscription.instrument.symbol),
    ).toEqual(['TCS']);
  });

  test('say after a restart what REST told last, unless the rule remembers another price', () => {
    const requestedOf = (settings: AlertSettings): unknown => {
      const first = watching(settings);
      first.receive(INFY, 100, MORNING + 5, { source: 'rest' });
      return watching(settings, undefined, first.watch.states).watch.subscriptions[0];
    };
    expect(requestedOf(level)).toMatchObject({ requested: 100 });
    const moves: AlertSettings = { rule: { kind: 'moves', direction: 'both', points: 50 }, repeat: 'always' };
    expect(requestedOf(moves)).toMatchObject({ requested: undefined });
  });

  test('go on from what was stored, and ask for what was since', async () => {
    const first = watching(level);
    let hasAll = false;
    void first.watch.hasAll.then(() => (hasAll = true));
    first.receive(INFY, 100, MORNING + 5);
    await first.clock.sleep(1);
    expect(hasAll).toBe(false);
    const second = watching(level, undefined, JSON.parse(JSON.stringify(first.watch.states)) as WatchStates);
    expect(second.watch.subscriptions).toEqual([
      { kind: 'tick', instrument: INFY, since: MORNING + 5, everyMs: 5_000 },
      { kind: 'tick', instrument: TCS, since: undefined, everyMs: 5_000 },
    ]);
    second.receive(INFY, 107, MORNING + 60_000, { source: 'history' });
    expect(second.seen.alerts).toEqual([['INFY', 107]]);
    second.receive(TCS, 100);
    await second.watch.hasAll;
    // A process that is stopped before any price has come has missed nothing either.
    const third = watching(level, undefined, second.watch.states);
    await third.watch.hasAll;
  });

  test('are stored where a price of them was heard, and do not change with what comes after', () => {
    const { watch, receive } = watching(level, undefined, {}, MORNING - 3_000);
    receive(INFY, 100);
    const { states } = watch;
    receive(INFY, 105);
    expect(states).toEqual({ 7: expect.objectContaining({ reference: 100, count: 0 }) });
    expect(watch.subscriptions).toEqual([
      { kind: 'tick', instrument: TCS, sinceOurs: MORNING - 3_000, everyMs: 5_000 },
    ]);
  });

  test('are judged by nobody where they come late, or are of an instrument that is not watched', () => {
    const { seen, receive } = watching(level);
    receive({ ...INFY, refId: 99 }, 100);
    receive({ ...INFY, refId: 99 }, 106);
    receive(INFY, 100, MORNING + 10);
    receive(INFY, 106, MORNING + 9);
    expect(seen).toMatchObject({ alerts: [], asked: [] });
    receive(INFY, 106, MORNING + 10);
    expect(seen.alerts).toEqual([['INFY', 106]]);
  });
});

describe('a move from the open', () => {
  test('waits until the open is known, and is judged in order then', async () => {
    const { clock, seen, receive } = watching(fromOpen, async () => {
      await clock.sleep(50);
      return 100;
    });
    for (const price of [100, 101, 100, 102]) receive(INFY, price);
    expect(seen.alerts).toEqual([]);
    await clock.sleep(60);
    expect(seen.alerts).toEqual([
      ['INFY', 101],
      ['INFY', 102],
    ]);
    receive(INFY, 100);
    receive(INFY, 103);
    expect(seen.alerts).toHaveLength(3);
    expect(seen.asked).toEqual(['INFY 2026-11-23']);
  });

  test('is asked for again after five seconds where there is none yet, or it could not be read, which is said once', async () => {
    const replies = ['fails', 'fails', null, 'fails', 0, 100];
    const requestedAt: number[] = [];
    const { clock, seen, receive } = watching(fromOpen, async () => {
      requestedAt.push((clock.now() - MORNING) / 1_000);
      const reply = replies.shift();
      if (typeof reply === 'string') throw new NetworkError('No server', { maySent: false });
      return await Promise.resolve(reply ?? null);
    });
    for (let second = 0; second < 40; second++) {
      receive(INFY, second < 2 ? 100 : 102);
      await clock.sleep(1_000);
    }
    expect(seen).toMatchObject({ alerts: [['INFY', 102]], unknown: 1 });
    expect(requestedAt).toEqual([0, 5, 10, 15, 20, 25]);
  });

  test('is asked for once while the reply is on its way, for as long as that takes', async () => {
    const { clock, seen, receive } = watching(fromOpen, async () => {
      await clock.sleep(12_000);
      return 100;
    });
    for (let second = 0; second < 15; second++) {
      receive(INFY, 100 + second);
      await clock.sleep(1_000);
    }
    expect(seen).toMatchObject({ alerts: [['INFY', 101]], asked: ['INFY 2026-11-23'] });
  });

  test('is asked for of one day after the other, where the prices that wait are of several', async () => {
    const { clock, seen, receive } = watching(fromOpen, async (day) => {
      await clock.sleep(50);
      return day === '2026-11-23' ? 100 : 200;
    });
    receive(INFY, 100);
    receive(INFY, 101, MORNING + 1, { source: 'history' });
    receive(INFY, 205, MORNING + 86_400_000, { source: 'history' });
    await clock.sleep(110);
    expect(seen.asked).toEqual(['INFY 2026-11-23', 'INFY 2026-11-24']);
    expect(seen.alerts.map(([, price]) => price)).toEqual([101, 205]);
  });

  test('does not count the price of the day before, which REST tells before the first trade', async () => {
    const stored: WatchStates = {
      7: {
        armed: true,
        reference: 90,
        count: 0,
        at: MORNING - 259_200_000,
        requestedAt: 0,
        alertDay: '',
        day: '2026-11-20',
        base: 90,
      },
    };
    let open: number | null = null;
    const { clock, seen, receive } = watching(fromOpen, async () => await Promise.resolve(open), stored);
    receive(INFY, 120, MORNING - 600_000, { source: 'rest' });
    await clock.sleep(6_000);
    open = 100;
    for (const price of [100, 100]) receive(INFY, price, MORNING + 6_000);
    await clock.sleep(1);
    expect(seen.alerts).toEqual([]);
    receive(INFY, 101, MORNING + 7_000);
    expect(seen.alerts).toEqual([['INFY', 101]]);
  });

  test('is what it was before a restart, and not the previous close', () => {
    const state = { armed: true, reference: 100, count: 0, at: MORNING, requestedAt: 0, alertDay: '' };
    const stored: WatchStates = { 7: { ...state, day: '2026-11-23', base: 100 } };
    const { seen, receive } = watching(fromOpen, async () => await Promise.resolve(null), stored);
    receive(INFY, 100, MORNING + 1, { previousClose: knownPrice(50) });
    receive(INFY, 101, MORNING + 2, { previousClose: knownPrice(50) });
    expect(seen).toMatchObject({ alerts: [['INFY', 101]], asked: [] });
  });
});

describe("a fall from the day's highest", () => {
  const DAY = 86_400_000;
  const settings: AlertSettings = {
    rule: { kind: 'fallsFromHighest', since: 'day', hundredths: 200, rearm: 0 },
    repeat: 'onceADay',
  };
  test('reads the highest of the day at the first price, and begins again with the next day', async () => {
    const { clock, seen, receive } = watching(settings, async () => await Promise.resolve(1_000));
    receive(INFY, 990);
    await clock.sleep(1);
    receive(INFY, 980, MORNING + 2);
    receive(INFY, 900, MORNING + DAY);
    receive(INFY, 910, MORNING + DAY + 1);
    receive(INFY, 891, MORNING + DAY + 2);
    expect(seen.asked).toEqual(['INFY 2026-11-23']);
    expect(seen.alerts).toEqual([
      ['INFY', 980],
      ['INFY', 891],
    ]);
  });

  test('does not count the price of the day before, which REST tells before the first trade', async () => {
    let highest: number | null = 1_000;
    const { clock, seen, receive } = watching(settings, async () => await Promise.resolve(highest));
    receive(INFY, 1_000);
    receive(TCS, 1_000);
    await clock.sleep(1);
    highest = null;
    const early = MORNING + DAY - 600_000;
    for (const one of [INFY, TCS]) receive(one, 990, early, { source: 'rest' });
    await clock.sleep(6_000);
    // It opens lower: by the stream, or seen over REST.
    receive(INFY, 960, MORNING + DAY);
    highest = 962;
    receive(TCS, 960, MORNING + DAY, { source: 'rest' });
    await clock.sleep(1);
    receive(TCS, 961, MORNING + DAY + 5_000, { source: 'rest' });
    expect(seen.alerts).toEqual([]);
    receive(INFY, 940, MORNING + DAY + 6_000);
    receive(TCS, 942, MORNING + DAY + 10_000, { source: 'rest' });
    expect(seen.alerts).toEqual([
      ['INFY', 940],
      ['TCS', 942],
    ]);
  });
});

test('a move from the previous close takes it from the price, and reads it where the price tells none', async () => {
  const settings: AlertSettings = {
    rule: { kind: 'movesFrom', from: 'previousClose', price: 0, hundredths: 100, direction: 'down', rearm: 0 },
    repeat: 'always',
  };
  const { clock, seen, receive } = watching(settings, async () => await Promise.resolve(200));
  for (const price of [100, 99]) receive(INFY, price, clock.now(), { previousClose: knownPrice(100) });
  for (const price of [199, 198]) receive(TCS, price, clock.now(), { source: 'history' });
  await clock.sleep(1);
  expect(seen).toMatchObject({
    alerts: [
      ['INFY', 99],
      ['TCS', 198],
    ],
    asked: ['TCS 2026-11-23'],
  });
});

test('prices wait for the previous close in their order, until one of them tells it', async () => {
  const settings: AlertSettings = {
    rule: { kind: 'movesFrom', from: 'previousClose', price: 0, hundredths: 100, direction: 'down', rearm: 0 },
    repeat: 'always',
  };
  const { clock, seen, receive } = watching(settings, async () => await Promise.resolve(null));
  receive(INFY, 100, MORNING, { source: 'history' });
  await clock.sleep(6_000);
  receive(INFY, 99, MORNING + 1, { previousClose: knownPrice(100) });
  expect(seen).toMatchObject({ alerts: [['INFY', 99]], asked: ['INFY 2026-11-23'] });
  receive(INFY, 95, MORNING + 86_400_000, { source: 'history' });
  expect(seen.asked).toEqual(['INFY 2026-11-23', 'INFY 2026-11-24']);
});

describe('a level that is worked out for each day', () => {
  const DAY = 86_400_000;
  const passing = (from: 'previousHigh' | 'movingAverage' | 'openingRangeHigh', repeat: 'always' | 'once' = 'always') =>
    ({
      rule: { kind: 'movesFrom', from, price: 0, points: 1, direction: 'up', rearm: 0 },
      repeat,
    }) satisfies AlertSettings;

  test('must be passed, and is another one on the next day, on which the first price may be beyond it', async () => {
    const { clock, seen, receive } = watching(
      passing('previousHigh'),
      async (day) => await Promise.resolve(day === '2026-11-23' ? 100 : 110),
    );
    for (const [at, price] of [99, 100, 101, 102].entries()) receive(INFY, price, MORNING + at);
    await clock.sleep(6_000);
    expect(seen.alerts).toEqual([['INFY', 101]]);
    receive(INFY, 110, MORNING + DAY);
    receive(TCS, 111, MORNING + DAY);
    await clock.sleep(6_000);
    expect(seen.alerts).toHaveLength(1);
    receive(INFY, 120, MORNING + 2 * DAY);
    await clock.sleep(6_000);
    expect(seen.alerts.at(-1)).toEqual(['INFY', 120]);
    expect(seen.asked.filter((asked) => asked.startsWith('INFY'))).toHaveLength(3);
  });

  test('counts the first price where the watch began before the day, and no price of REST from before its trading', async () => {
    let level: number | null = null;
    const early = watching(passing('previousHigh'), async () => await Promise.resolve(level));
    early.receive(INFY, 130, MORNING - 600_000, { source: 'rest' });
    await early.clock.sleep(6_000);
    level = 100;
    early.receive(INFY, 101, MORNING);
    await early.clock.sleep(1);
    expect(early.seen.alerts).toEqual([['INFY', 101]]);
    const since = watching(passing('previousHigh'), async () => await Promise.resolve(100), {}, MORNING - DAY);
    since.receive(INFY, 102, MORNING, { source: 'history' });
    await since.clock.sleep(1);
    expect(since.seen.alerts).toEqual([['INFY', 102]]);
    const late = watching(passing('previousHigh'), async () => await Promise.resolve(100));
    late.receive(INFY, 103, MORNING);
    await late.clock.sleep(1);
    expect(late.seen.alerts).toEqual([]);
  });

  test('is crossed where it is an average: a day that begins beyond it as the day before ended is no alert', async () => {
    const { clock, seen, receive } = watching(passing('movingAverage'), async () => await Promise.resolve(100));
    receive(INFY, 105);
    await clock.sleep(6_000);
    receive(INFY, 106, MORNING + DAY);
    await clock.sleep(6_000);
    receive(INFY, 107, MORNING + 2 * DAY, { previousClose: knownPrice(106) });
    await clock.sleep(6_000);
    expect(seen.alerts).toEqual([]);
    receive(INFY, 108, MORNING + 3 * DAY, { previousClose: knownPrice(99) });
    await clock.sleep(6_000);
    expect(seen.alerts).toEqual([['INFY', 108]]);
  });

  test('judges no price in its opening range, and knows the first one after it', async () => {
    const settings = passing('openingRangeHigh');
    const made = watching(settings, async () => await Promise.resolve(100), {}, undefined, MORNING + 900_000);
    for (const price of [99, 105]) made.receive(INFY, price, MORNING + 1);
    made.receive(INFY, 101, MORNING + 900_000);
    await made.clock.sleep(1);
    expect(made.seen).toMatchObject({ alerts: [['INFY', 101]], asked: ['INFY 2026-11-23'] });
  });

  test('is said once to be none on a day, asked for no more, and never an alert', async () => {
    const { clock, seen, receive, watch } = watching(
      passing('previousHigh'),
      async () => await Promise.resolve({ none: 'no candle' }),
    );
    for (let second = 0; second < 20; second++) {
      receive(INFY, 100 + second, MORNING + second * 1_000);
      await clock.sleep(1_000);
    }
    expect(seen).toMatchObject({ alerts: [], unknown: 1, asked: ['INFY 2026-11-23'] });
    expect(watch.states).toEqual({});
  });

  test('is the same after a restart on its day', async () => {
    const first = watching(passing('previousHigh', 'once'), async () => await Promise.resolve(100));
    first.receive(INFY, 99);
    await first.clock.sleep(1);
    const states = JSON.parse(JSON.stringify(first.watch.states)) as WatchStates;
    const second = watching(passing('previousHigh', 'once'), undefined, states, MORNING);
    second.receive(INFY, 101, MORNING + 1_000, { source: 'history' });
    second.receive(INFY, 99, MORNING + 2_000);
    second.receive(INFY, 101, MORNING + 3_000);
    expect(second.seen).toMatchObject({ alerts: [['INFY', 101]], asked: [] });
  });
});
