/**
 * The daily login that the rules since April 2026 ask for (docs/rules-2026.md): sessions and logins end at 06:00. A published trigger
 * logs in by itself where the credential can; where it cannot, a failed execution asks the person hours before the market opens.
 */
import { Engine } from '../support/engine';
import type { RunningTrigger } from '../support/engine-types';
import { share } from '../support/sample';
import { sleepByRequests, testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

/** Monday, shortly before sessions end. */
const START = '2026-11-23T05:54:00+05:30';
/** Soon after they have ended, three hours before the pre-open. */
const AFTER = Date.parse('2026-11-23T06:03:00+05:30');
const SECOND_ACCOUNT = { phone: '9000000002', mpin: '2468' };

let sandbox: TestSandbox;
let engine: Engine;
let trigger: RunningTrigger | undefined;

beforeEach(async () => {
  sandbox = await testSandbox({ start: START, rules: '2026', rateLimit: 'off' });
  sleepByRequests(sandbox);
});
afterEach(async () => {
  await trigger?.close();
  trigger = undefined;
  await sandbox.close();
});

const now = () => sandbox.running.sandbox.clock.now();
const logins = async () => (await sandbox.control<{ logins: number }>('GET', 'stats')).logins;
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

const WATCHES = [
  ['order events', { watch: 'orders', events: ['fill'] }],
  ['a portfolio alert', { watch: 'portfolioAlert', figure: 'dayPnl', condition: 'crossesBelow', amount: -5000 }],
] as const;

it.each(share(WATCHES, 2, 0))(
  'the daily login by TOTP happens by itself for a trigger on %s',
  async (_name, parameters) => {
    engine = await Engine.start(sandbox.credential);
    trigger = await engine.trigger(parameters as never);
    const before = await logins();
    while (now() < AFTER) await turn();
    const { items } = await engine.run({ resource: 'session', operation: 'check' });
    expect(items[0]?.json).toMatchObject({ alive: true });
    // A session is renewed two minutes before it ends; that one ends at 06:00, too, and is used to its end.
    const made = (await logins()) - before;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(2);
    expect(trigger.failedExecutions).toEqual([]);
  },
);

it.each(share(WATCHES, 2, 1))(
  'the daily login by OTP asks for the code in time, once, by a trigger on %s',
  async (_name, parameters) => {
    engine = await Engine.start({ ...sandbox.credential, ...SECOND_ACCOUNT, totpSecret: '', loginMethod: 'otp' });
    const messages = async () =>
      await sandbox.control<{ text: string }[]>('GET', `inbox?phone=${SECOND_ACCOUNT.phone}`);
    await engine.run({ resource: 'session', operation: 'requestOtp' });
    const otp = /\d{4,8}/.exec((await messages())[0]!.text)![0];
    const verified = await engine.run({ resource: 'session', operation: 'logInWithOtp', otp });
    expect(verified.error).toBeUndefined();
    trigger = await engine.trigger(parameters as never);
    while (now() < AFTER) await turn();
    expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
      expect.stringContaining('The login has ended, and a new one needs an OTP that only you can enter'),
    ]);
    // No OTP was sent: the person asks for it, and the trigger is back.
    expect(await messages()).toHaveLength(1);
  },
);
