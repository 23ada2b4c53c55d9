/** Candles whose closes change their unit. */
import { getCandles, type CandleType } from '../../../client/market/candles';
import { at, base, candleService, ns, points, reply } from './candle-service';

async function closes(list: [string, number | null][], type: CandleType, interval: '1m' | '1d'): Promise<unknown[]> {
  const { transport } = candleService(() =>
    reply(`{"INFY":{"close":${points(list.map(([time, value]) => [ns(time), value]))}}}`).replace('STOCK', type),
  );
  const range = { from: at('2026-11-01T09:15'), to: at('2026-11-20T15:30') };
  const { rows } = await getCandles(transport, { ...base, ...range, fields: ['close'], type, interval });
  return rows.map((row) => row.close);
}

const MINUTES: [string, number | null][] = [
  ['2026-11-19T09:15', 150_000],
  ['2026-11-19T09:16', null],
  ['2026-11-19T09:17', 1_500],
];
const days = (...values: number[]): [string, number][] =>
  values.map((value, day) => [`2026-11-${day + 10}T00:00`, value]);

it.each<[string, CandleType, '1m' | '1d', [string, number | null][]]>([
  ['within a day', 'STOCK', '1m', MINUTES],
  ['within a day, upwards', 'FUT', '1m', [['2026-11-19T09:14', 1_500], ...MINUTES.slice(0, 1)]],
  ['for one day', 'STOCK', '1d', days(150_000, 1_500, 150_100)],
  ['for some days', 'INDEX', '1d', days(1_500, 1_500, 150_000, 151_000, 1_500)],
])('closes in another unit %s are refused, with both of them (%s)', async (_, type, interval, list) => {
  await expect(closes(list, type, interval)).rejects.toThrow(
    /^The closes of INFY change their unit, rupees or paise: ₹[\d,]+\.\d\d at 2026-11-\d\d [\d:]{5}, and then ₹/,
  );
});

it.each<[string, CandleType, '1m' | '1d', [string, number | null][]]>([
  ['an option', 'OPT', '1m', MINUTES],
  ['a split of one to a hundred', 'STOCK', '1d', days(150_000, 1_500, 1_510)],
  ['two splits one after the other', 'STOCK', '1d', days(1_500_000, 30_000, 30_000, 300)],
  ['a crash to a fortieth, and back', 'STOCK', '1d', days(4_000, 100, 4_000)],
])('closes of %s are read', async (_, type, interval, list) => {
  expect(await closes(list, type, interval)).toHaveLength(
    list.filter(([, value]) => value !== null).length + (type === 'OPT' ? 1 : 0),
  );
});
