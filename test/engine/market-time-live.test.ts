/** Daily times of the exchange on Live, in n8n's engine: by the machine's clock, on the days on which the service has candles. */
import type { IDataObject } from 'n8n-workflow';
import { Engine } from '../support/engine';
import type { Emitted, RunningTrigger } from '../support/engine-types';
import { sleepByRequests, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** A Friday; the Tuesday after it is a holiday. */
const START = '2026-11-20T09:00:00+05:30';
const MINUTE_MS = 60_000;

let sandbox: TestSandbox;
let engine: Engine;
let trigger: RunningTrigger | undefined;

beforeEach(async () => {
  sandbox = await testSandbox({ start: START, hours: 'exchange', rateLimit: 'off' });
  sleepByRequests(sandbox);
  engine = await Engine.start({ ...sandbox.credential, environment: 'live', liveBaseUrl: sandbox.url });
});
afterEach(async () => {
  await trigger?.close();
  trigger = undefined;
  await sandbox.close();
});

const now = () => sandbox.running.sandbox.clock.now();
/** Returns the data that n8n has stored for a trigger. */
const stored = ({ staticData }: RunningTrigger) => JSON.parse(JSON.stringify(staticData)) as IDataObject;
const json = ({ items }: Emitted) => items[0]!.json;
const timeOf = (emitted: Emitted) => json(emitted)['event_time_ist'];
const times = () => trigger!.emitted.map(timeOf);
const ist = (minute: string) => `2026-11-${minute}:00.000+05:30`;
const putClock = async (at: number) => await sandbox.control('POST', 'clock', { set: new Date(at).toISOString() });
/** Lets time pass by what sleeps, each sleep to its end. */
const passTo = async (minute: string) => {
  while (now() < Date.parse(ist(minute))) await new Promise((resolve) => setImmediate(resolve));
};
const logged = async (text: string) => {
  while (!engine.logger.lines.some((line) => line.includes(text)))
    await new Promise((resolve) => setImmediate(resolve));
};

it('starts the workflow on trading days, shortly before and after midnight too, not on Saturday, Sunday and a holiday', async () => {
  trigger = await engine.trigger({ watch: 'marketTime', marketTimes: '00:01, 09:20, 23:59' });
  const days = [20, 21, 22, 23, 24, 25];
  const all = days
    .flatMap((day) => ['00:01', '09:20', '23:59'].map((time) => ({ day, at: ist(`${day}T${time}`) })))
    .slice(1);
  const isTraded = ({ day }: { day: number }) => [20, 23, 25].includes(day);
  for (const item of all) {
    const { at } = item;
    // The hours between two times pass in a moment.
    if (now() < Date.parse(at) - 10 * MINUTE_MS) await putClock(Date.parse(at) - MINUTE_MS);
    if (isTraded(item)) await trigger.waitFor((emitted) => timeOf(emitted) === at);
    else await logged(`does not start the workflow at ${at}: there is no trading on this day`);
  }
  expect(times()).toEqual(all.filter(isTraded).map(({ at }) => at));
  expect(json(trigger.emitted[0]!)).toEqual({
    event: 'marketTime',
    time: '09:20:00',
    date: '2026-11-20',
    event_time_ist: ist('20T09:20'),
    late_seconds: 0,
    environment: 'live',
  });
});

describe('n8n that was restarted', () => {
  /** Publishes the workflow, ends n8n, and starts it again. */
  async function restartedAt(minute: string): Promise<RunningTrigger> {
    const parameters = { watch: 'marketTime', marketTimes: '09:20, 15:10' };
    const first = await engine.trigger(parameters);
    await first.close();
    await putClock(Date.parse(ist(minute)));
    return await engine.trigger(parameters, { activation: 'init', staticData: stored(first) });
  }

  it('starts the workflow for a time a minute after it, once', async () => {
    trigger = await restartedAt('20T09:21');
    const first = await trigger.waitFor((emitted) => timeOf(emitted) === ist('20T09:20'));
    expect(json(first)['late_seconds']).toBe(60);
    await trigger.close();
    trigger = await engine.trigger(
      { watch: 'marketTime', marketTimes: '09:20, 15:10' },
      { activation: 'init', staticData: stored(trigger) },
    );
    await passTo('20T09:25');
    await putClock(Date.parse(ist('20T15:09')));
    await trigger.waitFor((emitted) => timeOf(emitted) === ist('20T15:10'));
    expect(times()).toEqual([ist('20T15:10')]);
  });

  it('leaves the time out later than that', async () => {
    trigger = await restartedAt('20T09:26');
    await passTo('20T09:30');
    await putClock(Date.parse(ist('20T15:09')));
    await trigger.waitFor((emitted) => timeOf(emitted) === ist('20T15:10'));
    expect(times()).toEqual([ist('20T15:10')]);
  });
});

it('a workflow that is published a minute after a time does not start for it', async () => {
  await putClock(Date.parse(ist('20T09:21')));
  trigger = await engine.trigger({ watch: 'marketTime', marketTimes: '09:20, 15:10' });
  await passTo('20T09:25');
  await putClock(Date.parse(ist('20T15:09')));
  await trigger.waitFor((emitted) => timeOf(emitted) === ist('20T15:10'));
  expect(times()).toEqual([ist('20T15:10')]);
});

it('starts on a weekday, on a holiday the next trading day, on a day of the month, and on the first day of a week', async () => {
  const start = async (fields: IDataObject): Promise<RunningTrigger> =>
    await engine.trigger({ watch: 'marketTime', marketTimes: '10:00', ...fields } as never);
  // The 21st is a Saturday, the 24th a Tuesday and a holiday.
  const weekdays = await start({ days: 'weekdays', weekdays: ['2', '5'] });
  const ofMonth = await start({ days: 'dayOfMonth', dayOfMonth: 21 });
  const ofWeek = await start({ days: 'firstOfWeek' });
  trigger = await start({ days: 'every' });
  for (const day of [20, 23, 25, 26]) {
    const at = ist(`${day}T10:00`);
    await putClock(Date.parse(at) - MINUTE_MS);
    const isDecided = (): boolean => {
      const begun = [weekdays, ofMonth, ofWeek, trigger!].flatMap(({ emitted }) => emitted).map(timeOf);
      const left = engine.logger.lines.filter((line) => line.includes(`does not start the workflow at ${at}`));
      return begun.filter((time) => time === at).length + left.length === 4;
    };
    while (!isDecided()) await new Promise((resolve) => setImmediate(resolve));
  }
  const days = (running: RunningTrigger) => running.emitted.map((emitted) => String(timeOf(emitted)).slice(8, 10));
  expect([days(weekdays), days(ofMonth), days(ofWeek)]).toEqual([['20', '25'], ['23'], ['23']]);
  for (const running of [weekdays, ofMonth, ofWeek]) await running.close();
});
