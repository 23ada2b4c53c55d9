/** The highest and lowest price since an instant: which candles are read for it. */
import { getExtremeSince } from '../../../client/market/day-prices';
import { at, candleService, ns, points, reply } from './candle-service';

const INFY = { exchange: 'NSE', symbol: 'INFY', platName: '', kind: 'STOCK' } as const;
const FIELDS = ['open', 'high', 'low', 'close'];

/** A service that has candles of one price each, by interval, and gives those that begin in the range asked for. */
function service(bars: Readonly<Record<string, readonly [string, number][]>>) {
  return candleService(({ interval, startDate, endDate }) => {
    const [from, to] = [Date.parse(startDate), Date.parse(endDate)];
    const inRange = (bars[interval] ?? []).filter(([time]) => at(time) >= from && at(time) < to);
    const list = points(inRange.map(([time, price]) => [ns(time), price]));
    return reply(`{"INFY":{${FIELDS.map((field) => `"${field}":${list}`).join(',')}}}`);
  });
}

const DAY = '2026-11-20';
const BARS = {
  '1s': [
    [`${DAY}T10:00:19`, 900],
    [`${DAY}T10:00:20`, 700],
    [`${DAY}T10:00:59`, 650],
    [`${DAY}T10:01:00`, 999],
  ],
  '1m': [
    [`${DAY}T10:00`, 900],
    [`${DAY}T10:01`, 600],
    [`${DAY}T10:02`, 610],
  ],
} as const satisfies Record<string, readonly (readonly [string, number])[]>;

describe('getExtremeSince', () => {
  const highest = async (since: string, now = `${DAY}T10:03`) => {
    const { transport, queries } = service(BARS as unknown as Record<string, [string, number][]>);
    const high = await getExtremeSince(transport, INFY, 'high', { since: at(since), now: at(now) });
    return { high, intervals: queries.map(({ interval }) => interval) };
  };

  it('counts the rest of the first minute by the second, and nothing before', async () => {
    expect(await highest(`${DAY}T10:00:19.500`)).toEqual({ high: 700, intervals: ['1m', '1s'] });
    expect(await highest(`${DAY}T10:00:20`)).toMatchObject({ high: 700 });
    expect(await highest(`${DAY}T10:00:20.001`)).toMatchObject({ high: 650 });
  });

  it('reads no seconds where the instant begins a minute, is the present, or is older than the service keeps them', async () => {
    expect(await highest(`${DAY}T10:01`)).toEqual({ high: 610, intervals: ['1m'] });
    expect(await highest(`${DAY}T10:00:20`, `${DAY}T10:00:20`)).toEqual({ high: 610, intervals: ['1m'] });
    expect((await highest(`${DAY}T10:00:20`, '2026-11-27T10:00:10')).intervals).not.toContain('1s');
    expect((await highest(`${DAY}T10:00:20`, '2026-11-27T09:58')).intervals).toContain('1s');
  });
});
