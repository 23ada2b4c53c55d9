import { randomUUID } from 'crypto';
import { BrokerageError, NetworkError } from '../../../client/base/errors';
import { Sessions } from '../../../client/session/sessions';
import { isMark, readSettings, readState, type SessionState } from '../../../client/session/settings';
import { signedHeaders } from '../../../client/session/sign';
import { BASE, LoginModel, MPIN, PHONE, SECRET, type LoginModelOptions } from '../../support/login-service';
import { VirtualTime } from '../../support/virtual-time';

const TOTP_FIELDS = {
  environment: 'live',
  liveBaseUrl: BASE,
  deviceId: 'n8n',
  loginMethod: 'totp',
  phone: PHONE,
  mpin: MPIN,
  totpSecret: SECRET,
};
const OTP_FIELDS = { ...TOTP_FIELDS, loginMethod: 'otp', totpSecret: '', otp: '' };

/** A credential as n8n keeps it: what a login returns is stored, and the next call starts from it. */
class Stored {
  readonly time: VirtualTime;
  readonly service: LoginModel;
  sessions: Sessions;

  constructor(
    public fields: Record<string, unknown>,
    options: LoginModelOptions & { clockOffBy?: number } = {},
  ) {
    this.time = new VirtualTime();
    this.service = new LoginModel(this.time, options);
    this.clock = this.time.clockOffBy(options.clockOffBy ?? 0);
    this.sessions = new Sessions(this.clock, randomUUID);
  }
  private readonly clock;

  restart(): void {
    this.sessions = new Sessions(this.clock, randomUUID);
  }

  /** Saves the credential: n8n tests it. @returns what the person reads; '' when it works. */
  async save(changes: Record<string, unknown> = {}): Promise<string> {
    Object.assign(this.fields, changes);
    try {
      const settings = readSettings(this.fields);
      const outcome = await this.time.run(this.sessions.obtain(this.service.http, settings, readState(this.fields)));
      Object.assign(this.fields, outcome.state, settings.method === 'otp' ? { otp: '', sendOtpAgain: false } : {});
      const headers = signedHeaders(this.fields, `${BASE}/userinfo`);
      const reply = await this.time.run(
        this.service.http({ method: 'GET', url: `${BASE}/userinfo`, headers, timeoutMs: 1000 }),
      );
      return reply.status === 200 ? '' : `status ${reply.status}`;
    } catch (error) {
      if (error instanceof BrokerageError) return `${error.message} ${error.hint}`;
      throw error;
    }
  }

  get state(): SessionState {
    return readState(this.fields);
  }
}

describe('login by TOTP', () => {
  it('logs in once and keeps the session while it lives', async () => {
    const one = new Stored({ ...TOTP_FIELDS });
    expect(await one.save()).toBe('');
    expect(await one.save()).toBe('');
    one.restart();
    expect(await one.save()).toBe('');
    expect(one.service.logins).toBe(1);
  });

  it('logs in again when the session is dead, with a code that was never sent', async () => {
    const one = new Stored({ ...TOTP_FIELDS });
    for (let times = 0; times < 5; times++) {
      expect(await one.save()).toBe('');
      one.service.kill();
      one.restart();
    }
    expect(one.service.logins).toBe(5);
    expect(new Set(one.service.codes).size).toBe(one.service.codes.length);
  });

  it('never sends a code twice, from two credentials of one account neither', async () => {
    const one = new Stored({ ...TOTP_FIELDS });
    expect(await one.save()).toBe('');
    one.fields = { ...TOTP_FIELDS, mpin: '1111' };
    expect(await one.save()).toMatch(/The MPIN was refused/);
    expect(one.service.codes).toHaveLength(2);
    expect(new Set(one.service.codes).size).toBe(2);
  });

  it('renews a session that is about to die', async () => {
    const one = new Stored({ ...TOTP_FIELDS });
    await one.save();
    await one.time.run(one.time.sleep(7 * 3_600_000 - 60_000));
    expect(await one.save()).toBe('');
    expect(one.service.logins).toBe(2);
  });

  it('sends a refused MPIN once, until the credential changes, over restarts', async () => {
    const one = new Stored({ ...TOTP_FIELDS, mpin: '1111' });
    for (let times = 0; times < 4; times++) {
      expect(await one.save()).toMatch(/The MPIN was refused.*wrong mpin.*Attempts left: 3.*Correct the MPIN/);
      one.restart();
    }
    expect(one.service.pins).toEqual(['1111']);
    expect(await one.save({ mpin: MPIN })).toBe('');
  });

  it('says that the secret is wrong, and stops after the second refusal', async () => {
    const one = new Stored({ ...TOTP_FIELDS, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' });
    expect(await one.save()).toMatch(/TOTP code was refused.*invalid totp.*Check the TOTP Secret/);
    expect(await one.save()).toMatch(/No further attempt/);
    expect(await one.save()).toMatch(/No further attempt/);
    expect(one.service.codes).toHaveLength(2);
    expect(await one.save({ totpSecret: SECRET })).toBe('');
  });

  it('says by how much the clock is wrong', async () => {
    const one = new Stored({ ...TOTP_FIELDS }, { clockOffBy: 93_000 });
    expect(await one.save()).toMatch(/clock of this machine is 9[234] seconds ahead of the service's/);
    const other = new Stored({ ...TOTP_FIELDS }, { clockOffBy: -3_600_000 });
    expect(await other.save()).toMatch(/3600 seconds behind/);
  });

  it('remembers a code whose reply was lost', async () => {
    let lose = true;
    const one = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (lose && url.endsWith('/totp/login') ? 'after' : undefined) },
    );
    expect(await one.save()).toMatch(/connection broke/);
    lose = false;
    one.restart();
    expect(await one.save()).toBe('');
    expect(new Set(one.service.codes).size).toBe(2);
  });

  it('tells a busy and a broken service from a refusal', async () => {
    let status = 429;
    const one = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (status > 0 && url.endsWith('/verifypin') ? status : undefined) },
    );
    expect(await one.save()).toMatch(/too many requests/);
    status = 503;
    expect(await one.save()).toMatch(/could not log in just now \(status 503\)/);
    status = 0;
    expect(await one.save()).toBe('');
  });

  it.each(['after', 503] as const)(
    'sends an MPIN whose answer was lost (%s) again only when a person asks for it',
    async (fault) => {
      let lose = true;
      const one = new Stored(
        { ...TOTP_FIELDS, mpin: '1111' },
        { fault: ({ url }) => (lose && url.endsWith('/verifypin') ? fault : undefined) },
      );
      expect(await one.save({ unattended: true })).toMatch(/connection broke|status 503/);
      lose = false;
      const sent = (): number => one.service.requests.filter(({ url }) => url.endsWith('/verifypin')).length;
      expect(sent()).toBe(1);
      for (let times = 0; times < 3; times++) {
        one.restart();
        expect(await one.save({ unattended: true })).toMatch(
          /MPIN was sent, but no answer came.*not sent again without you.*save it/,
        );
      }
      expect(sent()).toBe(1);
      expect(one.service.codes).toHaveLength(1);
      expect(await one.save({ unattended: false })).toMatch(/The MPIN was refused/);
      expect(sent()).toBe(2);
      expect(await one.save({ mpin: MPIN, unattended: true })).toBe('');
    },
  );

  it('goes on unattended after a lost answer with an MPIN that has been accepted before', async () => {
    let lose = false;
    const one = new Stored(
      { ...TOTP_FIELDS },
      { fault: ({ url }) => (lose && url.endsWith('/verifypin') ? 'after' : undefined) },
    );
    expect(await one.save()).toBe('');
    one.service.kill();
    lose = true;
    expect(await one.save({ unattended: true })).toMatch(/connection broke/);
    lose = false;
    expect(await one.save({ unattended: true })).toBe('');
  });

  it('takes 200 and 201 for verified', async () => {
    for (const verifyStatus of [200, 201])
      expect(await new Stored({ ...TOTP_FIELDS }, { verifyStatus }).save()).toBe('');
  });

  it('backs off from an account that somebody else logs in to all the time', async () => {
    const one = new Stored({ ...TOTP_FIELDS });
    for (let times = 0; times < 20; times++) {
      await one.save();
      one.service.kill();
    }
    expect(await one.save()).toMatch(/something else logs in to this account.*No login is tried before 2026-/);
    expect(one.service.logins).toBe(8);
    await one.time.run(one.time.sleep(300_000));
    expect(await one.save()).toBe('');
  });
});

describe('login by OTP', () => {
  it.each(['VERIFY_MOBILE', 'VERIFY_TOTP'])(
    'asks for the OTP at the first save and logs in at the second (next: %s), over a restart',
    async (otpFirstNext) => {
      const one = new Stored({ ...OTP_FIELDS }, { otpFirstNext });
      expect(await one.save()).toMatch(/An OTP was sent to your phone. Enter it/);
      one.restart();
      expect(await one.save({ otp: one.service.inbox.at(-1) })).toBe('');
      expect(one.fields.otp).toBe('');
      expect(one.state.tempToken).toBe('');
      expect(one.service.inbox).toHaveLength(1);
    },
  );

  it('makes new sessions from the auth token for as long as it lives, then asks for the next OTP', async () => {
    const one = new Stored({ ...OTP_FIELDS });
    await one.save();
    await one.save({ otp: one.service.inbox.at(-1) });
    for (const hours of [7, 14, 21]) {
      await one.time.run(one.time.sleep(7 * 3_600_000));
      one.restart();
      expect([hours, await one.save({ unattended: true })]).toEqual([hours, '']);
    }
    await one.time.run(one.time.sleep(7 * 3_600_000));
    expect(await one.save({ unattended: true })).toMatch(/needs an OTP that only you can enter.*Open the credential/);
    expect(one.service.inbox).toHaveLength(1);
    expect(await one.save({ unattended: false })).toMatch(/An OTP was sent/);
    expect(one.service.inbox).toHaveLength(2);
  });

  it.each([
    ['sends', 1],
    ['silent', 0],
  ] as const)(
    'while an OTP is under way, saving with an empty field or testing again sends nothing (first call: %s)',
    async (otpFirstCall, sent) => {
      const one = new Stored({ ...OTP_FIELDS }, { otpFirstCall });
      await one.save();
      for (let times = 0; times < 3; times++) {
        one.restart();
        await one.time.run(one.time.sleep(60_000));
        expect(await one.save()).toMatch(/An OTP is under way.*Enter it in the field "OTP".*"Send OTP Again"/);
      }
      expect([one.service.inbox.length, one.service.requests.length]).toEqual([sent, 1]);
    },
  );

  it.each(['sends', 'silent'] as const)(
    'Send OTP Again sends one more, once, and is cleared (first call: %s)',
    async (otpFirstCall) => {
      const one = new Stored({ ...OTP_FIELDS }, { otpFirstCall });
      await one.save();
      const before = one.service.inbox.length;
      expect(await one.save({ sendOtpAgain: true })).toMatch(/An OTP was sent/);
      expect(one.fields.sendOtpAgain).toBe(false);
      // n8n's Retry tests what the form shows, where the switch is still on.
      expect(await one.save({ sendOtpAgain: true })).toMatch(/An OTP is under way/);
      expect(one.service.inbox).toHaveLength(before + 1);
      expect(await one.save({ otp: one.service.inbox.at(-1), sendOtpAgain: true })).toBe('');
      expect([one.fields.sendOtpAgain, one.service.inbox.length]).toEqual([false, before + 1]);
    },
  );

  it('an OTP whose life is over is replaced by the next save, and one that the service has forgotten too', async () => {
    const one = new Stored({ ...OTP_FIELDS });
    await one.save();
    await one.time.run(one.time.sleep(300_000));
    expect(await one.save()).toMatch(/An OTP was sent/);
    expect(one.service.inbox).toHaveLength(2);
    one.service.forgetOtp();
    expect(await one.save({ otp: '000000' })).toMatch(/The OTP was refused/);
    expect(await one.save()).toMatch(/An OTP was sent/);
    expect(one.service.inbox).toHaveLength(3);
    one.service.forgetOtp();
    expect(await one.save({ sendOtpAgain: true })).toMatch(/An OTP was sent/);
    expect(await one.save({ otp: one.service.inbox.at(-1) })).toBe('');
  });

  it('takes a session token below data', async () => {
    expect(await new Stored({ ...TOTP_FIELDS }, { tokenBelowData: true }).save()).toBe('');
  });

  it('never sends an OTP twice, and not a new text message within seconds', async () => {
    const one = new Stored({ ...OTP_FIELDS });
    await one.save();
    expect(await one.save()).toMatch(/An OTP is under way/);
    expect(one.service.inbox).toHaveLength(1);
    expect(await one.save({ otp: '000000' })).toMatch(/The OTP was refused.*invalid otp.*Attempts left: 3/);
    expect(await one.save({ otp: '000000' })).toMatch(/sent before and is not sent again/);
    expect(one.service.otps).toEqual(['000000']);
    expect(await one.save({ otp: one.service.inbox.at(-1) })).toBe('');
  });

  it('keeps the login when only the MPIN was wrong', async () => {
    const one = new Stored({ ...OTP_FIELDS, mpin: '1111' });
    await one.save();
    expect(await one.save({ otp: one.service.inbox.at(-1) })).toMatch(/The MPIN was refused/);
    expect(await one.save({ mpin: MPIN })).toBe('');
    expect(one.service.inbox).toHaveLength(1);
    expect(one.service.pins).toEqual(['1111', MPIN]);
  });
});

describe("n8n's form, left open, which saves what it knew before over what was stored", () => {
  const stale = { mark: '', sessionToken: '', authToken: '', tempToken: '', loginState: '' };

  it('an OTP is taken at the next save, once, and the session is kept', async () => {
    const one = new Stored({ ...OTP_FIELDS });
    expect(await one.save()).toMatch(/An OTP was sent/);
    expect(await one.save({ ...stale, otp: '000000' })).toMatch(/The OTP was refused/);
    expect(await one.save({ ...stale, otp: '000000' })).toMatch(/sent before and is not sent again/);
    expect(await one.save({ ...stale, otp: one.service.inbox[0] })).toBe('');
    expect(await one.save({ ...stale, otp: one.service.inbox[0] })).toBe('');
    expect(one.service.inbox).toHaveLength(1);
    expect(one.service.otps).toEqual(['000000', one.service.inbox[0]]);
    expect(one.service.logins).toBe(1);
  });

  it('a refused MPIN is not sent again', async () => {
    const one = new Stored({ ...TOTP_FIELDS, mpin: '1111' });
    for (let times = 0; times < 4; times++) expect(await one.save(stale)).toMatch(/The MPIN was refused/);
    expect(one.service.pins).toEqual(['1111']);
    expect(await one.save({ ...stale, mpin: MPIN })).toBe('');
  });
});

describe('a second credential with the same phone, address and device', () => {
  /** Another person's credential in the same n8n: it knows what its owner typed. */
  const intruder = (owner: Stored, fields: Record<string, unknown>): Stored => {
    const other = new Stored(fields);
    Object.assign(other, { time: owner.time, service: owner.service, sessions: owner.sessions });
    return other;
  };

  it.each([
    ['the same MPIN', MPIN, ''],
    ['the same MPIN and a guessed OTP', MPIN, '000000'],
    ['another MPIN', '1111', ''],
    ['another MPIN and a guessed OTP', '1111', '000000'],
  ])('is not served by an OTP that its owner entered, and sends no MPIN (%s)', async (_what, mpin, otp) => {
    const owner = new Stored({ ...OTP_FIELDS });
    await owner.save();
    expect(await owner.save({ otp: owner.service.inbox.at(-1) })).toBe('');
    const pins = owner.service.pins.length;
    const other = intruder(owner, { ...OTP_FIELDS, mpin, otp });
    for (const unattended of [true, false, true]) {
      expect(await other.save({ unattended })).toMatch(
        /needs an OTP|OTP was sent|OTP is under way|OTP was refused|sent before/,
      );
      expect([other.state.sessionToken, other.state.authToken]).toEqual(['', '']);
    }
    expect(owner.service.pins).toHaveLength(pins);
    expect(await owner.save()).toBe('');
  });

  it('has a mark of its own, which no login changes', async () => {
    const owner = new Stored({ ...TOTP_FIELDS });
    expect(await owner.save()).toBe('');
    const { mark } = owner.state;
    expect(isMark(mark)).toBe(true);
    owner.service.kill();
    expect(await owner.save()).toBe('');
    expect(owner.state.mark).toBe(mark);
    const other = intruder(owner, { ...TOTP_FIELDS });
    expect(await other.save()).toBe('');
    expect(other.state.mark).not.toBe(mark);
    for (const chosen of ['', 'credential 1', mark.toUpperCase()])
      expect(await other.save({ mark: chosen }).then(() => other.state.mark)).not.toBe(chosen);
  });

  it('logs in after it, not at the same moment, with another code', async () => {
    const owner = new Stored({ ...TOTP_FIELDS });
    const other = intruder(owner, { ...TOTP_FIELDS, deviceId: 'other' });
    const [first, second] = await owner.time.run(
      Promise.all(
        [owner, other].map(async ({ fields }) =>
          owner.sessions.obtain(owner.service.http, readSettings(fields), readState(fields)),
        ),
      ),
    );
    expect([first?.problem, second?.problem]).toEqual([undefined, undefined]);
    expect(new Set(owner.service.codes).size).toBe(2);
  });
});

describe('a pasted session token', () => {
  const fields = { environment: 'live', liveBaseUrl: BASE, deviceId: 'n8n', loginMethod: 'sessionToken' };

  it('is used as it is, and never renewed', async () => {
    const maker = new Stored({ ...TOTP_FIELDS });
    await maker.save();
    const one = new Stored({ ...fields, pastedToken: `Bearer ${maker.state.sessionToken}\n` });
    one.service.session = maker.service.session;
    expect(await one.save()).toBe('');
    one.service.kill();
    expect(await one.save()).toMatch(/no longer accepts the pasted session token/);
    expect(one.service.logins).toBe(0);
  });

  it('is refused when it holds a line break or has expired', async () => {
    expect(await new Stored({ ...fields, pastedToken: 'abc\r\nX: y' }).save()).toMatch(/cannot be sent/);
    const expired = `a.${Buffer.from(JSON.stringify({ exp: 1_700_000_000 })).toString('base64url')}.c`;
    expect(await new Stored({ ...fields, pastedToken: expired }).save()).toMatch(/expired at 2023-11-14/);
  });
});

describe('what is refused before anything is sent', () => {
  it.each([
    [{ mpin: '' }, /MPIN is empty/],
    [{ mpin: '12a4' }, /MPIN must be digits/],
    [{ phone: 'me@x' }, /Phone must be/],
    [{ totpSecret: '' }, /TOTP Secret cannot be used: it is empty/],
    [{ liveBaseUrl: 'http://api.broker.example' }, /must begin with https/],
    [{ deviceId: 'a\nb' }, /Device ID holds a line break/],
    [{ environment: 'prod' }, /Environment must be one of/],
  ])('%j', async (changes, said) => {
    const one = new Stored({ ...TOTP_FIELDS, ...changes });
    expect(await one.save()).toMatch(said);
    expect(one.service.requests).toHaveLength(0);
  });

  it('a request to another host never gets the session', () => {
    expect(() => signedHeaders({ ...TOTP_FIELDS, sessionToken: 'x' }, 'https://evil.example/userinfo')).toThrow(
      /another address/,
    );
  });
});

describe('what is wrong is called by its name', () => {
  it('an unknown phone', async () => {
    expect(await new Stored({ ...TOTP_FIELDS, phone: '9111111111' }).save()).toMatch(/does not know the phone/);
  });

  it.each(['123456', '123 456'])('a code in place of the TOTP secret (%s)', async (totpSecret) => {
    const one = new Stored({ ...TOTP_FIELDS, totpSecret });
    expect(await one.save()).toMatch(/six-digit code.*is not the secret/);
    expect(one.service.requests).toEqual([]);
  });

  it.each([404, 405])('another service at the address (status %i)', async (status) => {
    expect(await new Stored({ ...TOTP_FIELDS }, { fault: () => status }).save()).toMatch(
      /Something answers at https:.*, but it is not the brokerage service/,
    );
  });

  it('a sandbox that does not run', async () => {
    const one = new Stored({ ...TOTP_FIELDS, environment: 'sandbox', sandboxBaseUrl: 'http://127.0.0.1:8787' });
    one.service.http = async () =>
      await Promise.reject(new NetworkError('The service refused the connection', { maySent: false }));
    expect(await one.save()).toMatch(/sandbox does not run at http:\/\/127\.0\.0\.1:8787.*npx brokerage-sandbox/);
  });

  it('without the MPIN or the OTP that the service gives back in its refusal', async () => {
    const one = new Stored({ ...TOTP_FIELDS, mpin: '9753' }, { echo: true });
    const said = await one.save();
    expect(said).toMatch(/The MPIN was refused/);
    expect(said).not.toContain('9753');
  });
});

it('shows no secret in anything that a person reads', async () => {
  const one = new Stored({ ...TOTP_FIELDS, mpin: '9753', totpSecret: SECRET }, {});
  const texts = [
    await one.save(),
    await one.save({ mpin: MPIN, totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    await one.save({ totpSecret: '' }),
  ];
  for (const text of texts)
    for (const secret of ['9753', MPIN, SECRET, 'JBSWY3DPEHPK3PXP', ...one.service.codes])
      expect(text).not.toContain(secret);
});
