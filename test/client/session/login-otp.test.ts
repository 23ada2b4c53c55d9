import { MPIN } from '../../support/login-service';
import { OTP_FIELDS, Stored, TOTP_FIELDS } from '../../support/stored-credential';

describe('login by OTP', () => {
  it.each(['VERIFY_MOBILE', 'VERIFY_TOTP'])(
    'asks for the OTP at the first save and logs in at the second (next: %s), over a restart',
    async (otpFirstNext) => {
      const stored = new Stored({ ...OTP_FIELDS }, { otpFirstNext });
      expect(await stored.save()).toMatch(/An OTP was sent to your phone. Enter it/);
      stored.restart();
      expect(await stored.save({ otp: stored.service.inbox.at(-1) })).toBe('');
      expect(stored.fields.otp).toBe('');
      expect(stored.state.tempToken).toBe('');
      expect(stored.service.inbox).toHaveLength(1);
    },
  );

  it('makes new sessions from the auth token while it is valid, then asks for the next OTP', async () => {
    const stored = new Stored({ ...OTP_FIELDS });
    await stored.save();
    await stored.save({ otp: stored.service.inbox.at(-1) });
    for (const hours of [7, 14, 21]) {
      await stored.time.run(stored.time.sleep(7 * 3_600_000));
      stored.restart();
      expect([hours, await stored.save({ unattended: true })]).toEqual([hours, '']);
    }
    await stored.time.run(stored.time.sleep(7 * 3_600_000));
    expect(await stored.save({ unattended: true })).toMatch(
      /needs an OTP that only you can enter.*Open the credential/,
    );
    expect(stored.service.inbox).toHaveLength(1);
    expect(await stored.save({ unattended: false })).toMatch(/An OTP was sent/);
    expect(stored.service.inbox).toHaveLength(2);
  });

  it.each([
    ['sends', 1],
    ['silent', 0],
  ] as const)(
    'sends nothing on saving with an empty field or testing again while an OTP is on its way (first call: %s)',
    async (otpFirstCall, sent) => {
      const stored = new Stored({ ...OTP_FIELDS }, { otpFirstCall });
      await stored.save();
      for (let times = 0; times < 3; times++) {
        stored.restart();
        await stored.time.run(stored.time.sleep(60_000));
        expect(await stored.save()).toMatch(
          /An OTP is already on its way.*Enter it in the field "OTP".*"Send OTP Again"/,
        );
      }
      expect([stored.service.inbox.length, stored.service.requests.length]).toEqual([sent, 1]);
    },
  );

  it.each(['sends', 'silent'] as const)(
    'Send OTP Again sends one more, once, and is cleared (first call: %s)',
    async (otpFirstCall) => {
      const stored = new Stored({ ...OTP_FIELDS }, { otpFirstCall });
      await stored.save();
      const before = stored.service.inbox.length;
      expect(await stored.save({ sendOtpAgain: true })).toMatch(/An OTP was sent/);
      expect(stored.fields.sendOtpAgain).toBe(false);
      // n8n's Retry tests what the form shows, where the switch is still on.
      expect(await stored.save({ sendOtpAgain: true })).toMatch(/An OTP is already on its way/);
      expect(stored.service.inbox).toHaveLength(before + 1);
      expect(await stored.save({ otp: stored.service.inbox.at(-1), sendOtpAgain: true })).toBe('');
      expect([stored.fields.sendOtpAgain, stored.service.inbox.length]).toEqual([false, before + 1]);
    },
  );

  it('an OTP that has expired is replaced by the next save, and one that the service has forgotten too', async () => {
    const stored = new Stored({ ...OTP_FIELDS });
    await stored.save();
    await stored.time.run(stored.time.sleep(300_000));
    expect(await stored.save()).toMatch(/An OTP was sent/);
    expect(stored.service.inbox).toHaveLength(2);
    stored.service.forgetOtp();
    expect(await stored.save({ otp: '000000' })).toMatch(/The OTP was refused/);
    expect(await stored.save()).toMatch(/An OTP was sent/);
    expect(stored.service.inbox).toHaveLength(3);
    stored.service.forgetOtp();
    expect(await stored.save({ sendOtpAgain: true })).toMatch(/An OTP was sent/);
    expect(await stored.save({ otp: stored.service.inbox.at(-1) })).toBe('');
  });

  it('a refused OTP is sent no second time, nor is another asked for, when the service has forgotten what it belonged to', async () => {
    const stored = new Stored({ ...OTP_FIELDS });
    await stored.save();
    stored.service.forgetOtp();
    expect(await stored.save({ otp: '000000' })).toMatch(/The OTP was refused/);
    stored.restart();
    expect(await stored.save({ otp: '000000' })).toMatch(/The OTP was refused, and the same one is not sent again/);
    expect(await stored.save()).toMatch(/An OTP was sent/);
    expect(await stored.save({ otp: '000000' })).toMatch(/The OTP was refused, and the same one is not sent again/);
    expect([stored.service.otps, stored.service.inbox.length]).toEqual([['000000'], 2]);
    expect(await stored.save({ otp: stored.service.inbox.at(-1) })).toBe('');
  });

  it('an OTP to which no answer came is not called refused', async () => {
    const stored = new Stored(
      { ...OTP_FIELDS },
      { fault: ({ url }) => (url.endsWith('/verifyphoneotp') ? 'after' : undefined) },
    );
    await stored.save();
    expect(await stored.save({ otp: '000000' })).toMatch(/The connection broke/);
    expect(await stored.save({ otp: '000000' })).toMatch(/This OTP was sent before and is not sent again/);
    expect(stored.service.otps).toEqual(['000000']);
  });

  it('takes a session token below data', async () => {
    expect(await new Stored({ ...TOTP_FIELDS }, { tokenBelowData: true }).save()).toBe('');
  });

  it('never sends an OTP twice, nor a new text message within seconds', async () => {
    const stored = new Stored({ ...OTP_FIELDS });
    await stored.save();
    expect(await stored.save()).toMatch(/An OTP is already on its way/);
    expect(stored.service.inbox).toHaveLength(1);
    expect(await stored.save({ otp: '000000' })).toMatch(/The OTP was refused.*invalid otp.*Attempts left: 3/);
    expect(await stored.save({ otp: '000000' })).toMatch(
      /The OTP was refused, and the same one is not sent again.*Request OTP/,
    );
    expect(stored.service.otps).toEqual(['000000']);
    expect(await stored.save({ otp: stored.service.inbox.at(-1) })).toBe('');
  });

  it('keeps the login when only the MPIN was wrong', async () => {
    const stored = new Stored({ ...OTP_FIELDS, mpin: '1111' });
    await stored.save();
    expect(await stored.save({ otp: stored.service.inbox.at(-1) })).toMatch(/The MPIN was refused/);
    expect(await stored.save({ mpin: MPIN })).toBe('');
    expect(stored.service.inbox).toHaveLength(1);
    expect(stored.service.pins).toEqual(['1111', MPIN]);
  });
});

describe("n8n's form, left open, which saves what it knew before over what was stored", () => {
  const stale = { mark: '', sessionToken: '', authToken: '', tempToken: '', loginState: '' };

  it('an OTP is taken at the next save, once, and the session is kept', async () => {
    const stored = new Stored({ ...OTP_FIELDS });
    expect(await stored.save()).toMatch(/An OTP was sent/);
    expect(await stored.save({ ...stale, otp: '000000' })).toMatch(/The OTP was refused/);
    expect(await stored.save({ ...stale, otp: '000000' })).toMatch(
      /The OTP was refused, and the same one is not sent again.*Request OTP/,
    );
    expect(await stored.save({ ...stale, otp: stored.service.inbox[0] })).toBe('');
    expect(await stored.save({ ...stale, otp: stored.service.inbox[0] })).toBe('');
    expect(stored.service.inbox).toHaveLength(1);
    expect(stored.service.otps).toEqual(['000000', stored.service.inbox[0]]);
    expect(stored.service.logins).toBe(1);
  });

  it('a refused MPIN is not sent again', async () => {
    const stored = new Stored({ ...TOTP_FIELDS, mpin: '1111' });
    for (let times = 0; times < 4; times++) expect(await stored.save(stale)).toMatch(/The MPIN was refused/);
    expect(stored.service.pins).toEqual(['1111']);
    expect(await stored.save({ ...stale, mpin: MPIN })).toBe('');
  });
});
