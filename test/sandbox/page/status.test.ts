import { expect, test } from '@jest/globals';
import { start } from '../support';

const SUNDAY = '2026-11-22T11:00:00+05:30';
const CHRISTMAS = '2026-12-25T11:00:00+05:30';
const MONDAY = '2026-11-23T11:00:00+05:30';

test.each([
  ['always', SUNDAY, 'Market open', 'open on a Sunday'],
  ['always', CHRISTMAS, 'Market open', 'open on a holiday'],
  ['always', '2026-11-23T23:00:00+05:30', 'Market open', 'outside exchange hours'],
  ['always', '2026-11-23T15:21:00+05:30', 'Market open', 'outside exchange hours'],
  ['always', MONDAY, 'Market open', 'trades around the clock'],
  ['exchange', SUNDAY, 'Market closed', /^Sunday; opens Mon, 23 Nov,? 09:15$/],
  ['exchange', CHRISTMAS, 'Market closed', /^holiday; opens Mon, 28 Dec,? 09:15$/],
  ['exchange', '2026-11-23T08:00:00+05:30', 'Market closed', 'opens at 09:15'],
  ['exchange', MONDAY, 'Market open', /^until 15:\d\d$/],
] as const)('the status with --hours %s at %s is %s, %s', async (hours, instant, phase, reason) => {
  const bench = await start({ hours, start: instant });
  const { data } = await bench.http.get('/_sandbox/page/status');
  await bench.close();
  expect(data.phase).toBe(phase);
  expect(data.reason).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
});

test('the status says that trading is halted, until it goes on', async () => {
  const bench = await start({ hours: 'exchange', start: MONDAY });
  const status = async () => (await bench.http.get('/_sandbox/page/status')).data;
  await bench.http.post('/_sandbox/market', { halt: true });
  expect(await status()).toMatchObject({ open: false, phase: 'Trading halted', reason: 'equity does not trade now' });
  await bench.http.post('/_sandbox/market', { halt: false });
  expect(await status()).toMatchObject({ open: true, phase: 'Market open' });
  await bench.close();
});
