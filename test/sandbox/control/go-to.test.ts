import { FIRST, start, totpAt, type Bench } from '../support';

/** The clock is sent to places of the calendar, and each reply tells the time and the run of the sandbox. */
let bench: Bench;
beforeEach(async () => {
  // A Monday at 10:00; 24 November is a holiday of the exchanges, and NIFTY expires on Tuesdays, else the day before.
  bench = await start();
});
afterEach(() => bench.close());

const go = async (body: object) => await bench.http.post('/_sandbox/clock', body);

it.each([
  ['open', ['2026-11-25T09:15:00.000+05:30', '2026-11-26T09:15:00.000+05:30']],
  ['close', ['2026-11-23T15:40:00.000+05:30', '2026-11-25T15:40:00.000+05:30']],
  ['trading-day', ['2026-11-25T09:00:00.000+05:30', '2026-11-26T09:00:00.000+05:30']],
  ['expiry', ['2026-12-01T09:00:00.000+05:30', '2026-12-08T09:00:00.000+05:30']],
])('goes to the next %s, and from there to the one after it', async (to, places) => {
  for (const place of places) expect((await go({ to })).data.now).toBe(place);
});

it.each([
  ['sensex', '2026-11-26T09:00:00.000+05:30'],
  [' CRUDEOIL ', '2026-12-16T09:00:00.000+05:30'],
])('goes to the next expiry day of %s', async (asset, place) => {
  expect((await go({ to: 'expiry', asset })).data.now).toBe(place);
});

it('refuses an underlying without contracts, and one with another place', async () => {
  expect((await go({ to: 'expiry', asset: 'MOON' })).data.error).toContain('No listed option or future of "MOON"');
  expect((await go({ to: 'open', asset: 'NIFTY' })).data.error).toContain('belongs to "to": "expiry"');
});

it('refuses two places at a time, and one that it does not know', async () => {
  expect((await go({ to: 'open', advance: 'PT1H' })).data.error).toContain('one of set, to and advance');
  expect((await go({ to: 'moon' })).status).toBe(400);
  expect((await go({ to: 'open', until: 'order' })).data.error).toContain('until stands alone');
});

it('each reply tells its time, and the run and day that it is of: another after a reset', async () => {
  const timeAndRunOf = async (path: string) => {
    const { headers } = await bench.http.get(path);
    return [String(headers['x-sandbox-time']), String(headers['x-sandbox-run'])] as const;
  };
  const at = Date.parse('2026-11-23T10:00:00+05:30');
  const [time, run] = await timeAndRunOf('/userinfo');
  expect([time, run]).toEqual([String(at), expect.stringMatching(/^[\da-f]{16} 2026-11-23$/)]);
  expect(await timeAndRunOf('/no-such')).toEqual([time, run]);
  await go({ advance: 'P1D' });
  const [nextTime, nextRun] = await timeAndRunOf('/_sandbox/health');
  expect([nextTime, nextRun]).toEqual([String(at + 86_400_000), run.replace('-23', '-24')]);
  await bench.http.post('/_sandbox/reset', {});
  const [, afterReset] = await timeAndRunOf('/userinfo');
  expect(afterReset).toMatch(/ 2026-11-23$/);
  expect(afterReset).not.toBe(run);
});

it('each reply tells the speed of a clock that passes by itself', async () => {
  const speedHeader = async () =>
    (await bench.http.get('/_sandbox/health')).headers['x-sandbox-speed'] as string | undefined;
  expect(await speedHeader()).toBeUndefined();
  await go({ mode: '60x' });
  expect(await speedHeader()).toBe('60');
});

it('takes a TOTP code of its time and one of the machine, each once, however far the clocks differ', async () => {
  const machine = Date.parse('2026-11-23T10:00:00+05:30');
  await go({ advance: 'P3DT7H' });
  const own = machine + (3 * 24 + 7) * 3_600_000;
  const logIn = async (at: number) =>
    await bench.http.post(
      '/totp/login',
      { phone: FIRST.phone, totp: totpAt(FIRST.secret, at), otp: '' },
      { headers: { 'x-device-id': 'd' } },
    );
  expect([(await logIn(own)).status, (await logIn(machine)).status]).toEqual([201, 201]);
  for (const at of [own, machine]) {
    const { status, data } = await logIn(at);
    expect([status, data.error]).toEqual([401, expect.stringContaining('has been used')]);
  }
  expect((await logIn(machine - 3_600_000)).data.error).not.toContain('used');
});
