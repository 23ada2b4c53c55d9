/** A replay under the rules since April 2026: orders keep them, but sessions do not end each morning of days that pass in seconds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { orderForm } from '../support/parameters';
import { TriggerBench, is, json } from '../support/trigger-bench';

const DAYS = ['2020-03-13', '2020-03-16'];

let bench: TriggerBench;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-rules-'));
  const rows = DAYS.map((date) => `${date},10000,10200,9900,10100`);
  writeFileSync(path.join(folder, 'NIFTY.csv'), ['date,open,high,low,close', ...rows].join('\n'));
  bench = await TriggerBench.start({ hours: 'exchange', clock: 'manual', replay: folder, rules: '2026' });
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

const logins = async () => (await bench.control<{ logins: number }>('GET', '/stats')).logins;

it('starts the workflow on each day without another login, and orders keep the rules', async () => {
  const trigger = await bench.activate({ watch: 'marketTime', marketTimes: '09:20' });
  expect(await logins()).toBe(1);
  await bench.control('POST', '/clock', { mode: 'fastest' });
  for (const date of DAYS) await trigger.waitFor((emitted) => is('marketTime')(emitted) && json(emitted).date === date);
  const { error } = await bench.engine.run({ resource: 'session', operation: 'getUser' });
  expect(error).toBeUndefined();
  expect(await logins()).toBe(1);
  expect(trigger.failedExecutions).toEqual([]);
  await bench.control('POST', '/accounts/9000000001', { static_ip: { primary: '203.0.113.7' } });
  const refused = await bench.engine.run(orderForm({ priceType: 'MARKET', price: undefined } as never));
  expect(refused.error?.message).toContain('The IP address of this machine is not registered');
  await trigger.close();
});
