import { OtpForms } from '../../../client/session/otp-form';
import { readSettings, type SessionState } from '../../../client/session/settings';
import { OTP_FIELDS, TOTP_FIELDS } from '../../support/stored-credential';
import { VirtualClock } from '../../support/clock';

const STATE: SessionState = {
  mark: 'first',
  sessionToken: 'session',
  authToken: 'auth',
  tempToken: 'temp',
  loginState: '{"at":1}',
};
const totp = (more: object = {}) => readSettings({ ...TOTP_FIELDS, ...more });
const otp = (code: string, more: object = {}) => readSettings({ ...OTP_FIELDS, otp: code, ...more });
const WHOLE = { ...STATE, mark: 'second' };
const NO_LOGIN = { ...WHOLE, sessionToken: '', authToken: '' };

it('a form that shows the same secrets goes on with the login, under its mark', () => {
  const forms = new OtpForms(new VirtualClock());
  forms.remember(totp(), STATE);
  expect(forms.recall(totp(), 'second')).toEqual(WHOLE);
});

it('a corrected MPIN goes on without the login: codes that were sent are known', () => {
  const forms = new OtpForms(new VirtualClock());
  forms.remember(totp(), STATE);
  expect(forms.recall(totp({ mpin: '2468' }), 'second')).toEqual(NO_LOGIN);
});

it('another account knows nothing', () => {
  const forms = new OtpForms(new VirtualClock());
  forms.remember(totp(), STATE);
  expect(forms.recall(totp({ phone: '9000000002' }), 'second')).toBeUndefined();
});

describe('by OTP', () => {
  it('a login is for who enters the same OTP again', () => {
    const forms = new OtpForms(new VirtualClock());
    forms.remember(otp('123456'), STATE);
    expect(forms.recall(otp('123456'), 'second')).toEqual(WHOLE);
    expect(forms.recall(otp(''), 'second')).toEqual(NO_LOGIN);
    expect(forms.recall(otp('123456'), 'second')).toEqual(WHOLE);
  });

  it('another OTP has one guess', () => {
    const forms = new OtpForms(new VirtualClock());
    forms.remember(otp('123456'), STATE);
    expect(forms.recall(otp('654321'), 'second')).toEqual(NO_LOGIN);
    expect(forms.recall(otp('123456'), 'second')).toEqual(NO_LOGIN);
  });

  it('a login without one is nobody else’s', () => {
    const forms = new OtpForms(new VirtualClock());
    forms.remember(otp(''), STATE);
    expect(forms.recall(otp(''), 'second')).toEqual(NO_LOGIN);
  });

  it('the OTP of a login stays known while the session is checked without one', () => {
    const forms = new OtpForms(new VirtualClock());
    forms.remember(otp('123456'), STATE);
    forms.remember(otp(''), STATE);
    expect(forms.recall(otp('123456'), 'second')).toEqual(WHOLE);
  });
});

it('a form is waited for ten minutes', () => {
  const clock = new VirtualClock();
  const forms = new OtpForms(clock);
  const start = clock.now();
  forms.remember(totp(), STATE);
  clock.set(start + 599_999);
  expect(forms.recall(totp(), 'second')).toEqual(WHOLE);
  clock.set(start + 600_000);
  expect(forms.recall(totp(), 'second')).toBeUndefined();
  forms.remember(otp('123456', { phone: '9000000002' }), STATE);
  clock.set(start);
  expect(forms.recall(totp(), 'second')).toBeUndefined();
});
