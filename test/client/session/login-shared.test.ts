import { isCredentialId, readSettings, readState } from '../../../client/session/settings';
import { MPIN } from '../../support/login-service';
import { OTP_FIELDS, Stored, TOTP_FIELDS } from '../../support/stored-credential';

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
        /needs an OTP|OTP was sent|OTP is already on its way|OTP was refused|sent before/,
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
