import { getIvHistory } from '../../../client/options/iv-history';
import { scriptedTransport } from '../../support/wire';

const NOW = Date.parse('2026-11-20T06:00:00.000Z');
const nanos = (day: string) => `${Date.parse(`${day}T03:45:00.000Z`)}000000`;
const candles = (closes: Record<string, number>) =>
  `{"market_time":"2026-11-20T06:00:00.000Z","message":"charts","result":[{"exchange":"NSE","type":"INDEX","values":[{"NIFTY":{"close":[${Object.entries(
    closes,
  )
    .map(([day, close]) => `{"ts":${nanos(day)},"v":${close}}`)
    .join(',')}]}}]}]}`;
const moment = (strike: number, CE: number, PE: number) => ({ '20261124': { [strike]: { iv_mid: { CE, PE } } } });

it('reads the IV at the money of each day, by the close of its underlying', async () => {
  const { transport, requests } = scriptedTransport([
    { text: candles({ '2026-11-17': 2_448_000, '2026-11-18': 2_456_000, '2026-11-19': 2_452_000 }) },
    {
      json: {
        result: {
          NSE: {
            NIFTY: {
              '2026-11-18T09:55:00.000Z': moment(2_455_000, 0.12, 0.14),
              '2026-11-19T09:55:00.000Z': moment(2_450_000, 0, 0.16),
            },
          },
        },
      },
    },
  ] as never);
  const found = await getIvHistory(transport, {
    underlying: { exchange: 'NSE', symbol: 'NIFTY', kind: 'INDEX', platName: 'INDEX_NIFTY.NSECM' } as never,
    expiry: '2026-11-24',
    strikes: [2_445_000, 2_450_000, 2_455_000],
    days: 2,
    now: NOW,
  });
  expect(found.map((iv) => Math.round(iv * 100) / 100)).toEqual([13, 16]);
  const { query } = JSON.parse(String(requests[1]!.body)) as { query: { time: string; strikes: number[] }[] };
  expect(query.map(({ time, strikes }) => [time, strikes])).toEqual([
    ['2026-11-18T09:55:00.000Z', [2_455_000]],
    ['2026-11-19T09:55:00.000Z', [2_450_000]],
  ]);
});
