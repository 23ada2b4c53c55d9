import { NetworkError, SessionError, type BrokerageError } from '../../../client/base/errors';
import {
  SessionManager,
  loginFields,
  sendInSession,
  type SessionUse,
  type CredentialStore,
} from '../../../client/session/session-manager';
import { accountOf, fingerprintLogin, readSettings, type CredentialFields } from '../../../client/session/settings';
import { VirtualTime, seededRandom } from '../../support/virtual-time';

const FIELDS = {
  environment: 'live',
  liveBaseUrl: 'https://api.broker.example',
  deviceId: 'n8n',
  loginMethod: 'totp',
  phone: '9000000001',
  mpin: '1357',
  totpSecret: 'KRSXG5CTMVRXEZLU',
};
const owner = (() => {
  const settings = readSettings(FIELDS);
  return { for: fingerprintLogin(settings), account: accountOf(settings) };
})();
const loginState = (more: object = {}): string => JSON.stringify({ ...owner, ...more });
const token = (name: string, expiresAt: number): string =>
  `${name}.${Buffer.from(JSON.stringify({ exp: Math.floor(expiresAt / 1000) })).toString('base64url')}.x`;

/** A stored credential in memory, and what was done to it. */
class Store implements CredentialStore {
  readonly claims: string[] = [];
  logins = 0;
  failing: BrokerageError | undefined;

  constructor(
    private readonly time: VirtualTime,
    public fields: CredentialFields,
  ) {}

  async readStored(): Promise<CredentialFields> {
    return { ...this.fields };
  }

  /** Credential that a test presents as read a moment ago. */
  lately: CredentialFields | undefined;

  readLately(): CredentialFields | undefined {
    return this.lately;
  }

  /** True if n8n stores what it is given. */
  stores = true;

  async writeClaim(_stored: CredentialFields, loginClaim: string): Promise<void> {
    this.claims.push(loginClaim);
    if (!this.stores) return;
    this.fields = { ...this.fields, loginClaim };
  }

  async logIn(): Promise<void> {
    this.logins += 1;
    await this.time.sleep(500);
    if (this.failing) {
      const problem = { message: this.failing.message, hint: '', final: false };
      this.fields = { ...this.fields, sessionToken: '', loginClaim: '', loginState: loginState({ problem }) };
      throw this.failing;
    }
    this.fields = {
      ...this.fields,
      sessionToken: token(`new-${this.logins}`, this.time.now() + 7 * 3_600_000),
      loginClaim: '',
      loginState: loginState(),
    };
  }
}

function setUp(fields: CredentialFields = {}): { time: VirtualTime; store: Store; manager: SessionManager } {
  const time = new VirtualTime();
  return {
    time,
    store: new Store(time, { ...FIELDS, sessionToken: '', loginClaim: '', loginState: loginState(), ...fields }),
    manager: new SessionManager(time.clock, seededRandom(1)),
  };
}

it('uses the stored session, whoever got it', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'opaque' });
  expect((await time.run(emulator.session(store))).sessionToken).toBe('opaque');
  expect([store.logins, store.claims]).toEqual([0, []]);
});

it('twenty requests that meet the same expired session share one renewal and one claim', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'dead' });
  const all = await time.run(Promise.all(Array.from({ length: 20 }, () => emulator.session(store, 'dead'))));
  expect(new Set(all.map(({ sessionToken }) => sessionToken)).size).toBe(1);
  expect([store.logins, store.claims.length]).toEqual([1, 1]);
});

it('takes a newer token that is stored by now, without a login', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'newer' });
  expect((await time.run(emulator.session(store, 'dead'))).sessionToken).toBe('newer');
  expect(store.logins).toBe(0);
});

it('renews a session before it expires, and goes on with it where that fails', async () => {
  const { time, store, manager: emulator } = setUp();
  const dying = token('dying', time.now() + 60_000);
  store.fields = { ...store.fields, sessionToken: dying };
  expect((await time.run(emulator.session(store))).sessionToken).toContain('new-1');

  const other = setUp();
  const alive = token('dying', other.time.now() + 60_000);
  other.store.fields = { ...other.store.fields, sessionToken: alive };
  other.store.failing = new SessionError('The service could not log in just now');
  expect((await other.time.run(other.manager.session(other.store))).sessionToken).toBe(alive);
});

it('does not use a session of what was entered before', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'opaque', phone: '9000000002' });
  await time.run(emulator.session(store)).catch(() => undefined);
  expect(store.logins).toBe(1);
});

it('waits for another process that logs in, and takes its session', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'dead', loginClaim: 'claim other' });
  const waiting = emulator.session(store, 'dead');
  await time.run(time.sleep(5_000));
  store.fields = { ...store.fields, sessionToken: 'from the other', loginClaim: '' };
  expect((await time.run(waiting)).sessionToken).toBe('from the other');
  expect([store.logins, store.claims]).toEqual([0, []]);
});

it('says what another process has just been refused with, instead of trying at once again', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'dead', loginClaim: 'claim other' });
  const waiting = emulator.session(store, 'dead').catch((error: unknown) => error);
  await time.run(time.sleep(5_000));
  store.fields = {
    ...store.fields,
    sessionToken: '',
    loginClaim: '',
    loginState: loginState({ problem: { message: 'The TOTP code was refused.', hint: '', final: false } }),
  };
  expect(await time.run(waiting)).toMatchObject({ message: 'The TOTP code was refused.' });
  expect(store.logins).toBe(0);
});

it('does not wait for a claim that an earlier version left', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'dead', loginClaim: '1x2y3z-7' });
  const started = time.now();
  expect((await time.run(emulator.session(store, 'dead'))).sessionToken).toContain('new-1');
  expect(time.now() - started).toBeLessThan(10_000);
});

it('says at once that n8n is too old where a claim is not stored', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'dead' });
  store.stores = false;
  await expect(time.run(emulator.session(store, 'dead'))).rejects.toThrow(/this n8n is too old: 1\.123\.81 or later/i);
  expect([store.logins, store.claims.length]).toEqual([0, 1]);
});

it('takes over from a process that ended while it logged in', async () => {
  const { time, store, manager: emulator } = setUp({ sessionToken: 'dead', loginClaim: 'claim died' });
  const started = time.now();
  expect((await time.run(emulator.session(store, 'dead'))).sessionToken).toContain('new-1');
  expect(time.now() - started).toBeGreaterThan(90_000);
});

it('throws a final problem at once, and asks nobody', async () => {
  const {
    time,
    store,
    manager: emulator,
  } = setUp({
    loginState: loginState({
      problem: { message: 'The MPIN was refused.', hint: 'Correct it', parameter: 'mpin', final: true },
    }),
  });
  await expect(time.run(emulator.session(store))).rejects.toMatchObject({
    message: 'The MPIN was refused.',
    hint: 'Correct it',
    parameter: 'mpin',
  });
  expect([store.logins, store.claims]).toEqual([0, []]);
});

it.each([
  ['nobody waits', { step: 'login' }, { unattended: true, otp: '', sendOtpAgain: false }],
  ['a person waits', { step: 'login', otp: '' }, { unattended: false, otp: '', sendOtpAgain: false }],
  [
    'a person has entered it',
    { step: 'login', otp: '123456' },
    { unattended: false, otp: '123456', sendOtpAgain: false },
  ],
  [
    'a person wants another',
    { step: 'login', otp: '', sendOtpAgain: true },
    { unattended: false, otp: '', sendOtpAgain: true },
  ],
] as const)(
  'a login starts from the stored fields, but not from an OTP that was left in them: %s',
  (_what, renewal, more) => {
    expect(loginFields({ phone: '9000000001', otp: 'left', sendOtpAgain: true, unattended: false }, renewal)).toEqual({
      phone: '9000000001',
      ...more,
    });
  },
);

describe('a change of the stored credential', () => {
  it('is made with a separate claim, which is taken back whatever comes of it', async () => {
    const { time, store, manager: emulator } = setUp();
    const seen: unknown[] = [];
    const change = async (stored: CredentialFields) => void seen.push(stored.loginClaim);
    await time.run(emulator.alone(store, change));
    expect(seen).toEqual([store.claims[0]]);
    expect(store.claims).toEqual([expect.stringMatching(/^claim /), '']);
    const fails = emulator.alone(store, async () => await Promise.reject(new SessionError('It failed.')));
    await expect(time.run(fails)).rejects.toThrow('It failed.');
    expect(store.fields.loginClaim).toBe('');
  });

  it('leaves a claim that has come meanwhile', async () => {
    const { time, store, manager: emulator } = setUp();
    const change = async () => void (store.fields = { ...store.fields, loginClaim: 'claim of another' });
    await time.run(emulator.alone(store, change));
    expect([store.fields.loginClaim, store.claims.length]).toEqual(['claim of another', 1]);
  });

  it('waits for another process that logs in', async () => {
    const { time, store, manager: emulator } = setUp({ loginClaim: 'claim other' });
    let changed = 0;
    const changing = emulator.alone(store, async () => void (changed += 1));
    await time.run(time.sleep(5_000));
    expect(changed).toBe(0);
    store.fields = { ...store.fields, loginClaim: '' };
    await time.run(changing);
    expect([changed, store.logins]).toEqual([1, 0]);
  });

  it('says in words what no error of ours has said', async () => {
    const { time, store, manager: emulator } = setUp();
    const fails = emulator.alone(store, async () => await Promise.reject(new TypeError('1357')));
    await expect(time.run(fails)).rejects.toMatchObject({
      name: 'SessionError',
      message: 'The login failed for a reason that is not known.',
    });
  });
});

describe('a login that fails', () => {
  it('takes its claim back, and no other', async () => {
    const { time, store, manager: emulator } = setUp();
    const fail = (claimOf: (mine: unknown) => unknown) => async () => {
      store.fields = { ...store.fields, loginClaim: claimOf(store.fields.loginClaim) };
      throw new SessionError('It failed.');
    };
    store.logIn = fail((mine) => mine);
    await expect(time.run(emulator.session(store))).rejects.toThrow('It failed.');
    expect(store.fields.loginClaim).toBe('');
    store.logIn = fail(() => 'claim of another');
    await expect(time.run(emulator.session(store))).rejects.toThrow('It failed.');
    expect(store.fields.loginClaim).toBe('claim of another');
  });
});

describe('requests with a session', () => {
  const request = { method: 'GET' } as const;

  it('go once more with the new session, and give up an account that is fought over', async () => {
    const { time, store, manager: emulator } = setUp({ sessionToken: 'dead' });
    const seen: string[] = [];
    const answers = [440, 401, 200];
    const http = async (use: SessionUse) =>
      await sendInSession(emulator, store, use, async (fields) => {
        seen.push(String(fields.sessionToken).split('.')[0]!);
        return { status: answers.shift() ?? 440 };
      });
    expect(await time.run(http(request))).toEqual({ status: 200 });
    expect(seen).toEqual(['dead', 'new-1', 'new-2']);
    expect(await time.run(http(request))).toEqual({ status: 440 });
    expect(seen).toHaveLength(7);
  });

  it.each([
    ['a question', 'read a moment ago', { ...request }, 'lately'],
    ['an order', 'stored now', { ...request, method: 'POST' as const }, 'stored'],
    [
      'a question whose 440 may mean something else',
      'stored now',
      { ...request, keepSession: true as const },
      'stored',
    ],
  ])('%s goes out with the session %s', async (_what, _which, made, expected) => {
    const { time, store, manager: emulator } = setUp({ sessionToken: 'stored' });
    store.lately = { ...store.fields, sessionToken: 'lately' };
    const seen: unknown[] = [];
    const http = async (use: SessionUse) =>
      await sendInSession(emulator, store, use, async ({ sessionToken }) => {
        seen.push(sessionToken);
        return { status: 200 };
      });
    await time.run(http(made));
    expect(seen).toEqual([expected]);
  });

  it('read the token again where it has ended meanwhile, without a login', async () => {
    const { time, store, manager: emulator } = setUp({ sessionToken: 'newer' });
    store.lately = { ...store.fields, sessionToken: 'ended' };
    const http = async (use: SessionUse) =>
      await sendInSession(emulator, store, use, async ({ sessionToken }) => ({
        status: sessionToken === 'newer' ? 200 : 401,
      }));
    expect(await time.run(http(request))).toEqual({ status: 200 });
    expect(store.logins).toBe(0);
  });

  it('go out with the stored token where they must not log in, even where it has ended', async () => {
    const { time, store, manager: emulator } = setUp();
    const ended = token('ended', time.now() - 1_000);
    store.fields = { ...store.fields, sessionToken: ended };
    const seen: unknown[] = [];
    const http = async (use: SessionUse) =>
      await sendInSession(emulator, store, use, async ({ sessionToken }) => {
        seen.push(sessionToken);
        return { status: 440 };
      });
    expect(await time.run(http({ ...request, keepSession: true }))).toEqual({ status: 440 });
    store.fields = { ...store.fields, phone: '9000000002' };
    await time.run(http({ ...request, keepSession: true }));
    expect([seen, store.logins, store.claims]).toEqual([[ended, ''], 0, []]);
    await time.run(http({ ...request, keepSession: 'first' }));
    expect([seen.length, store.logins]).toEqual([3, 1]);
  });

  it('were not sent when the login before them met a broken network', async () => {
    const { time, store, manager: emulator } = setUp();
    store.failing = new NetworkError('The service did not answer in time', { maySent: true });
    let sent = 0;
    const http = async (use: SessionUse) =>
      await sendInSession(emulator, store, use, async () => ({ status: (sent += 1) }));
    await expect(time.run(http({ ...request, method: 'POST' }))).rejects.toMatchObject({
      maySent: false,
      message: expect.stringContaining('did not answer in time'),
    });
    expect(sent).toBe(0);
  });

  it('keep a 440 that may mean something else, where they say so', async () => {
    const { time, store, manager: emulator } = setUp({ sessionToken: 'fine' });
    const http = async (use: SessionUse) => await sendInSession(emulator, store, use, async () => ({ status: 440 }));
    expect(await time.run(http({ ...request, keepSession: true }))).toEqual({ status: 440 });
    expect(store.logins).toBe(0);
  });
});

it('a session that had expired when it came is used, and not renewed by every request', async () => {
  const { time, store, manager } = setUp();
  store.logIn = async () => {
    store.logins += 1;
    const sessionToken = token('old', time.now() - 86_400_000);
    store.fields = { ...store.fields, sessionToken, loginClaim: '', loginState: loginState({ logins: [time.now()] }) };
    await time.sleep(500);
  };
  for (let request = 0; request < 20; request++) await time.run(manager.session(store));
  expect(store.logins).toBe(1);
});
