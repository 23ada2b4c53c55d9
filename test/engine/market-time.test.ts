/** Daily times of the exchange in n8n's engine: by the sandbox's clock, which replays two days as fast as it goes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TriggerBench, is, json } from '../support/trigger-bench';

let bench: TriggerBench;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'market-time-'));
  // The 24th is a holiday.
  const rows = ['2026-11-23,26000,26200,25900,26100', '2026-11-25,26100,26150,25800,25900'];
  writeFileSync(path.join(folder, 'NIFTY.csv'), ['date,open,high,low,close', ...rows].join('\n'));
  bench = await TriggerBench.start({ hours: 'exchange', clock: 'manual', replay: folder });
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

const clock = async () => await bench.control<{ now: string; mode: string }>('GET', '/clock');
const stopped = async (): Promise<string> => {
  for (;;) {
    const { mode, now } = await clock();
    if (mode === 'manual') return now;
  }
};

it('refuses what is no time of a day', async () => {
  await expect(bench.activate({ watch: 'marketTime', marketTimes: '9h20' })).rejects.toMatchObject({
    message: expect.stringContaining('Times must be such as 09:20 or 15:10:30'),
  });
});

it('gives an example at once in the editor', async () => {
  const trigger = await bench.activate({ watch: 'marketTime', marketTimes: '09:20' }, { mode: 'manual' });
  await trigger.response.manualTriggerFunction?.();
  expect(json(await trigger.waitFor(is('marketTime')))).toMatchObject({ event: 'marketTime', environment: 'sandbox' });
  await trigger.close();
});

it('starts the workflow at each time of both days, to the millisecond, and none on the holiday between them', async () => {
  const trigger = await bench.activate({ watch: 'marketTime', marketTimes: '09:20, 15:10:30' });
  await bench.control('POST', '/clock', { until: 'alert' });
  const first = json(await trigger.waitFor(is('marketTime')));
  expect(first).toEqual({
    event: 'marketTime',
    time: '09:20:00',
    date: '2026-11-23',
    event_time_ist: '2026-11-23T09:20:00.000+05:30',
    late_seconds: 0,
    environment: 'sandbox',
  });
  expect(await stopped()).toBe('2026-11-23T09:20:00.000+05:30');
  await bench.control('POST', '/clock', { mode: 'fastest' });
  expect(await stopped()).toBe('2026-11-25T23:59:59.999+05:30');
  expect(trigger.emitted.map((emitted) => String(json(emitted).event_time_ist).slice(8, 23))).toEqual([
    '23T09:20:00.000',
    '23T15:10:30.000',
    '25T09:20:00.000',
    '25T15:10:30.000',
  ]);
  await trigger.close();
  await bench.noStreamsLeft();
});
