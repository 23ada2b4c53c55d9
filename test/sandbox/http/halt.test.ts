/** Nothing of the market is told of the time since a halt began: whoever knew it could trade on it in the auction after the halt. */
import { expect, test } from '@jest/globals';
import { logIn, start } from '../support';

interface Listed {
  ref_id: number;
  plat_name: string;
}

test('candles, option chain and chart stand still in a halt, and go on after it', async () => {
  const bench = await start({ hours: 'exchange', start: '2026-11-20T11:00:00+05:30' });
  const headers = await logIn(bench);
  const candles = async (type: string, symbol: string, exchange = 'NSE') => {
    const query = {
      ...{ exchange, type, values: [symbol], fields: ['close', 'cumulative_volume'], interval: '1m', intraDay: false },
      ...{ startDate: '2026-11-20T05:00:00.000Z', endDate: '2026-11-20T10:00:00.000Z', realTime: false },
    };
    return (await bench.http.post('/charts/timeseries', { query: [query] }, { headers })).data.result as unknown;
  };
  const chain = async () => {
    const { data } = await bench.http.get('/optionchains/NIFTY?exchange=NSE', { headers });
    return JSON.stringify(data, (name, value: unknown) => (/^(ts|inst_id)$/.test(name) ? undefined : value));
  };
  const listed = (await bench.http.get('/refdata/refdata/2026-11-20?exchange=NSE', { headers })).data
    .refdata as Listed[];
  const { ref_id: refId } = listed.find(({ plat_name: name }) => name === 'STOCK_INFY.NSECM')!;
  const bars = async () => (await bench.http.get(`/_sandbox/page/bars?ref_id=${refId}&interval=1m`)).data as unknown;
  const shown = async () => [
    await candles('STOCK', 'INFY'),
    await candles('INDEX', 'NIFTY'),
    await chain(),
    await bars(),
  ];
  await bench.http.post('/_sandbox/market', { halt: true });
  const before = await shown();
  for (const seen of before) expect(JSON.stringify(seen).length).toBeGreaterThan(200);
  await bench.advance('PT20M');
  expect(await shown()).toEqual(before);
  await bench.http.post('/_sandbox/market', { halt: false });
  await bench.advance('PT1M');
  const after = await shown();
  after.forEach((seen, at) => expect(seen).not.toEqual(before[at]));
  await bench.close();
});
