import fc from 'fast-check';
import { accountOf, fingerprintLogin, isCredentialId, readSettings, readState } from '../../../client/session/settings';
import { totpStep } from '../../../client/session/totp';
import { BASE, LoginModel, MPIN } from '../../support/login-service';
import { OTP_FIELDS, Stored, TOTP_FIELDS } from '../../support/stored-credential';

/** Another person's credential in the same n8n: it knows what its owner typed. */
const intruder = (owner: Stored, fields: Record<string, unknown>): Stored => {
  const other = new Stored(fields);
  Object.assign(other, { time: owner.time, service: owner.service, sessions: owner.sessions });
  return other;
};

describe('a second credential with the same phone, address and device', () => {
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
        /needs an OTP|OTP was sent|OTP is already on its way|OTP was refused|sent before/,
      );
      expect([other.state.sessionToken, other.state.authToken]).toEqual(['', '']);
    }
    expect(owner.service.pins).toHaveLength(pins);
    expect(await owner.save()).toBe('');
  });

  it('has a separate mark, which no login changes', async () => {
    const owner = new Stored({ ...TOTP_FIELDS });
    expect(await owner.save()).toBe('');
    const { mark } = owner.state;
    expect(isCredentialId(mark)).toBe(true);
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

describe('a second user who knows the phone, and writes what they like into the hidden fields of another credential', () => {
  const FOREIGN = 'https://foreign.example';
  const THEIR_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

  /** Entries that they change after their credential was given something, and the tokens in its memory. */
  const moved = fc.record({
    liveBaseUrl: fc.constantFrom(FOREIGN, `${BASE}:8443`, 'https://broker.example'),
    phone: fc.constantFrom(OTP_FIELDS.phone, '9000000002'),
    deviceId: fc.constantFrom('n8n', 'other'),
    otp: fc.constantFrom('', '123456'),
    sendOtpAgain: fc.boolean(),
    tokens: fc.constantFrom('kept', 'none', 'guessed'),
  });

  it('cannot have the temporary token of the owner sent to another address', async () => {
    await fc.assert(
      fc.asyncProperty(moved, async ({ tokens, ...changes }) => {
        const owner = new Stored({ ...OTP_FIELDS });
        await owner.save();
        const other = intruder(owner, { ...OTP_FIELDS, mpin: '1111' });
        await other.save();
        const temp = owner.state.tempToken;
        expect([temp === '', other.state.tempToken]).toEqual([false, temp]);

        const before = JSON.parse(other.state.loginState) as object;
        Object.assign(other.fields, changes);
        const settings = readSettings(other.fields);
        const account = accountOf(settings);
        const forged = {
          ...before,
          for: fingerprintLogin(settings),
          account,
          otpAskedAt: owner.time.clock.now(),
          ...(tokens === 'kept' ? {} : { tokens: tokens === 'none' ? [] : [account, temp.length.toString()] }),
        };
        Object.assign(other.fields, { loginState: JSON.stringify(forged) });
        const theirs = new LoginModel(owner.time);
        Object.assign(other, { service: theirs });
        await other.save();
        expect(JSON.stringify(theirs.requests)).not.toContain(temp);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['at the same address', {}],
    ['at an address of their own', { liveBaseUrl: FOREIGN }],
  ])('does not delay a login of the owner by codes that they say were sent, %s', async (_where, more) => {
    const owner = new Stored({ ...TOTP_FIELDS });
    const start = owner.time.clock.now();
    const usedSteps = Array.from({ length: 20 }, (_, ahead) => totpStep(start) + ahead);
    const other = intruder(owner, {
      ...TOTP_FIELDS,
      ...more,
      totpSecret: THEIR_SECRET,
      loginState: JSON.stringify({ usedSteps }),
    });
    const login = async ({ fields, service }: Stored) =>
      await owner.sessions.obtain(service.http, readSettings(fields), readState(fields));
    const waits = login(other);
    await owner.time.run(login(owner));
    expect(owner.time.clock.now() - start).toBeLessThan(60_000);
    expect(owner.service.logins).toBe(1);
    await owner.time.run(waits);
  });
});
