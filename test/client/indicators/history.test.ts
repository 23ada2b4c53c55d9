import { monotonicBy } from '../../../client/base/monotonic';
import { barEnd, readBarHistory, type BarLength } from '../../../client/indicators/history';
import type { Transport } from '../../../client/transport';
import { istDate } from '../../../client/values/time';

const at = (text: string) => Date.parse(`${text}+05:30`);

interface CandleRequestSpan {
  startDate: string;
  endDate: string;
  interval: string;
}

/** A service that has 5-minute bars of whole days, or one bar of so many days, and records what it is asked. */
function service(now: number, options: { date?: number; perDay?: number; days?: number } = {}) {
  const requested: CandleRequestSpan[] = [];
  const slept: number[] = [];
  let time = now;
  const transport = {
    baseUrl: 'http://service',
    fetch: async (_: unknown, { body }: { body: { query: [CandleRequestSpan & { values: string[] }] } }) => {
      const [query] = body.query;
      requested.push(query);
      const points: { ts: string; v: number }[] = [];
      for (
        let day = Date.parse(query.startDate);
        day < Date.parse(query.endDate);
        day += 86_400_000 * (options.days ?? 1)
      ) {
        for (let bar = 0; bar < (options.perDay ?? 75); bar++) {
          const begins = at(`${istDate(day)}T09:15:00`) + bar * 300_000;
          if (begins <= time) points.push({ ts: `${begins}000000`, v: 100_000 + bar });
        }
      }
      const series = { open: points, high: points, low: points, close: points };
      return {
        status: 200,
        headers: options.date === undefined ? {} : { date: new Date(options.date).toUTCString() },
        body: Buffer.from(JSON.stringify({ result: [{ values: [{ INFY: series }] }] })),
      };
    },
    clock: {
      now: () => time,
      ...monotonicBy(() => time),
      sleep: async (ms: number) => {
        slept.push(ms);
        time += ms;
      },
    },
    marketClock: { now: () => time },
  } as unknown as Transport;
  const read = async (count: number, length: BarLength = '5m') =>
    await readBarHistory(transport, {
      exchange: 'NSE',
      type: 'STOCK',
      symbols: ['INFY'],
      length,
      count,
      withVolume: false,
      environment: 'live',
    });
  return { read, asked: requested, slept };
}

it.each([
  ['5m', '2026-11-20T09:15:00', '2026-11-20T09:20:00'],
  ['1h', '2026-11-20T15:15:00', '2026-11-20T16:00:00'],
  ['1d', '2026-11-20T09:15:00', '2026-11-20T16:00:00'],
  ['1w', '2026-11-16T00:00:00', '2026-11-23T00:00:00'],
  ['1w', '2026-11-22T00:00:00', '2026-11-23T00:00:00'],
  ['1mth', '2026-11-30T00:00:00', '2026-12-01T00:00:00'],
  ['1mth', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
] as const)('a bar of %s that begins at %s is over at %s', (length, begins, ends) => {
  expect(barEnd(length, at(begins), 'NSE', 'live')).toBe(at(ends));
});

it('a bar is closed only when its end has come, and the one that is forming is told apart', async () => {
  const { read, slept } = service(at('2026-11-20T10:29:59'));
  const [history] = (await read(10)).histories;
  expect(slept).toEqual([]);
  expect(history!.bars[history!.closed - 1]!.at).toBe(at('2026-11-20T10:20:00'));
  expect(history!.bars.at(-1)!.at).toBe(at('2026-11-20T10:25:00'));
});

it('waits until the history has all of a bar that has just ended', async () => {
  const { read, slept } = service(at('2026-11-20T10:30:00.500'));
  const [history] = (await read(10)).histories;
  expect(slept).toEqual([2_500]);
  expect(history!.bars[history!.closed - 1]!.at).toBe(at('2026-11-20T10:25:00'));
});

it("goes by the service's clock: where ours is ahead, a bar is not taken for closed", async () => {
  const { read } = service(at('2026-11-20T10:32:00'), { date: at('2026-11-20T10:29:50') });
  const [history] = (await read(10)).histories;
  expect(history!.bars[history!.closed - 1]!.at).toBe(at('2026-11-20T10:20:00'));
});

it('reads as far back as is needed, and all that the service has where that was too little', async () => {
  const plenty = service(at('2026-11-20T12:02:00'));
  await plenty.read(100);
  expect(plenty.asked.map(({ startDate }) => istDate(Date.parse(startDate)))).toEqual(['2026-11-06']);
  const seldom = service(at('2026-11-20T12:02:00'), { perDay: 1 });
  const [history] = (await seldom.read(100)).histories;
  expect(seldom.asked.map(({ startDate }) => istDate(Date.parse(startDate)))).toEqual([
    '2026-11-06',
    '2026-08-20',
    '2026-11-18',
  ]);
  expect(history!.bars.length).toBeLessThan(100);
});

it.each([
  ['1w', '2016-11-21'],
  ['1mth', '2016-12-01'],
  ['1d', '2016-11-20'],
] as const)(
  'all bars of %s are read from %s on: whole weeks and months, and nothing that the service no longer has',
  async (length, first) => {
    const days = { '1d': 1, '1w': 7, '1mth': 30 }[length];
    const { read, asked: requested } = service(at('2026-11-20T12:02:00'), { perDay: 1, days });
    await read(Infinity, length);
    expect(istDate(Date.parse(requested[0]!.startDate))).toBe(first);
  },
);
