import { InputError } from '../../../client/base/errors';
import {
  accountOf,
  credentialKey,
  fingerprintLogin,
  isCredentialId,
  readConnection,
  readMpin,
  readSettings,
  readState,
  requireOtp,
  secretsOf,
  totpSecretOf,
} from '../../../client/session/settings';
import { BASE, MPIN, PHONE, SECRET } from '../../support/login-service';
import { OTP_FIELDS, TOTP_FIELDS } from '../../support/stored-credential';

const CONNECTION = { environment: 'live', baseUrl: BASE, deviceId: 'n8n' };

describe('the settings', () => {
  it.each(['phone', 'mpin', 'totpSecret', 'deviceId', 'liveBaseUrl', 'loginState'])(
    'are refused where %s is longer than any field, and are not shown',
    (name) => {
      const long = { ...TOTP_FIELDS, [name]: 'KRSXG5CT'.repeat(2_000) };
      expect(() => readSettings(long)).toThrow(
        expect.objectContaining({
          message: 'A field of the credential is longer than 10000 characters.',
          parameter: name,
        }) as Error,
      );
    },
  );

  it('hold the secret for TOTP, and no OTP that is left from before', () => {
    expect(readSettings({ ...TOTP_FIELDS, otp: 'left over', sendOtpAgain: true, pastedToken: 'x' })).toEqual({
      ...CONNECTION,
      method: 'totp',
      phone: PHONE,
      mpin: MPIN,
      totpSecret: SECRET,
      otp: '',
      sendOtpAgain: false,
      pastedToken: '',
      attended: true,
    });
  });

  it('hold the code for OTP, and no secret', () => {
    const given = { ...OTP_FIELDS, totpSecret: SECRET, otp: ' 123456 ', sendOtpAgain: true, unattended: true };
    expect(readSettings(given)).toEqual({
      ...CONNECTION,
      method: 'otp',
      phone: PHONE,
      mpin: MPIN,
      totpSecret: '',
      otp: '123456',
      sendOtpAgain: true,
      pastedToken: '',
      attended: false,
    });
    expect(readSettings({ ...given, sendOtpAgain: 'yes' }).sendOtpAgain).toBe(false);
  });

  it('hold nothing but the token for a pasted token', () => {
    const given = { ...OTP_FIELDS, loginMethod: 'sessionToken', pastedToken: ' Bearer abc ', otp: '1', mpin: 'x' };
    expect(readSettings({ ...given, sendOtpAgain: true, unattended: true })).toEqual({
      ...CONNECTION,
      method: 'sessionToken',
      phone: '',
      mpin: '',
      totpSecret: '',
      otp: '',
      sendOtpAgain: false,
      pastedToken: 'abc',
      attended: false,
    });
    for (const pastedToken of [' ', 'Bearer ', 'undefined', '"null"'])
      expect(() => readSettings({ ...given, pastedToken })).toThrow(
        expect.objectContaining({ message: 'Session Token is empty.', parameter: 'pastedToken' }),
      );
  });

  it.each([
    '{"session_token":"abc.def"}',
    "-H 'Authorization: Bearer abc'",
    'eyJ...',
    '{{ $env.TOKEN }}',
    '<abc>',
    'ab cd',
  ])('are refused where the pasted token is not one whole token, and do not show it: %j', (pastedToken) => {
    const given = { ...OTP_FIELDS, loginMethod: 'sessionToken', pastedToken };
    expect(() => readSettings(given)).toThrow(
      expect.objectContaining({
        message: 'Session Token is not one whole token.',
        parameter: 'pastedToken',
        hint: 'Copy the token alone: without its name, brackets and quotes, and to its end. Nothing was sent.',
      }),
    );
  });

  it.each([
    ['9000000001', '9000000001'],
    [9000000001, '9000000001'],
    ['+91 90000-00001', '9000000001'],
    ['+91-90000 00001', '9000000001'],
    ['(+91) 90000 00001', '9000000001'],
    ['+91 0 90000 00001', '9000000001'],
    ['0091 9000000001', '9000000001'],
    ['919000000001', '9000000001'],
    ['09000000001', '9000000001'],
    ['9000\u00a0000\u200b001', '9000000001'],
    ['90000\u201300001', '9000000001'],
    ['9198765432', '9198765432'],
    ['+919198765432', '9198765432'],
    ['+14155550100', '+14155550100'],
    ['911234567890', '911234567890'],
    ['0919000000001', '9000000001'],
    ['9000000001.0', '9000000001'],
    ['919000000001.00', '9000000001'],
    ['+91.90000.00001', '9000000001'],
    ['123456', '123456'],
    ['123456789012345', '123456789012345'],
  ])('hold a phone: %j', (phone, read) => expect(readSettings({ ...TOTP_FIELDS, phone }).phone).toBe(read));

  it.each(['12345', '1234567890123456', '9000000001x', 'x9000000001', '90000+00001'])(
    'are refused without a phone: %j',
    (phone) => {
      expect(() => readSettings({ ...TOTP_FIELDS, phone })).toThrow(
        expect.objectContaining({
          message: 'Phone must be the digits of a phone number.',
          parameter: 'phone',
          hint: 'Enter the number that is registered with your broker, such as 9000000001.',
        }),
      );
    },
  );

  it.each(['1', '123456789012', ' 1357 ', 1357, '0007', '0135', '\u200b0135'])('hold an MPIN: %j', (mpin) => {
    expect(readMpin({ mpin })).toBe(String(mpin).replace('\u200b', '').trim());
  });

  it.each([
    ['', 'MPIN is empty.'],
    [undefined, 'MPIN is empty.'],
    ['  ', 'MPIN is empty.'],
    ['1234567890123', 'MPIN must be digits only.'],
    ['a1357', 'MPIN must be digits only.'],
    ['1357a', 'MPIN must be digits only.'],
    ['13 57', 'MPIN must be digits only.'],
    ['\uff11\uff13\uff15\uff17', 'MPIN must be digits only.'],
  ])('are refused without an MPIN: %j', (mpin, message) => {
    expect(() => readMpin({ mpin })).toThrow(
      expect.objectContaining({
        message,
        parameter: 'mpin',
        hint: 'Enter the PIN with which you sign in to your broker in the credential.',
      }),
    );
  });

  it.each([
    ['1234', '1234'],
    ['1234567890', '1234567890'],
    ['123 456', '123456'],
    ['012-345', '012345'],
    ['\u200b123456\u00a0', '123456'],
  ])('hold an OTP: %j', (entered, otp) => {
    expect(requireOtp(entered)).toBe(otp);
    expect(readSettings({ ...OTP_FIELDS, otp: entered }).otp).toBe(otp);
  });

  it('are refused with an MPIN that was a number, and has lost a zero', () => {
    expect(() => readMpin({ mpin: 135 })).toThrow('MPIN is a number, which has lost the zeros in front.');
  });

  it.each(['123', '12345678901', '12345x', 'x12345', ''])('are refused without an OTP: %j', (otp) => {
    expect(() => requireOtp(otp)).toThrow(
      expect.objectContaining({ message: 'OTP must be the digits of the text message.', parameter: 'otp' }),
    );
  });

  it('are checked for an OTP only where it is used', () => {
    expect(() => readSettings({ ...OTP_FIELDS, otp: 'abc' })).toThrow(InputError);
    expect(() => readSettings({ ...TOTP_FIELDS, otp: 'abc' })).not.toThrow();
    expect(readSettings({ ...OTP_FIELDS, otp: '  ' }).otp).toBe('');
  });
});

it('each environment has an address, called by its name', () => {
  const all = { liveBaseUrl: 'https://live.example', uatBaseUrl: 'https://uat.example', deviceId: ' n8n ' };
  expect(readConnection({ ...all, environment: 'uat' })).toEqual({
    environment: 'uat',
    baseUrl: 'https://uat.example',
    deviceId: 'n8n',
  });
  for (const [environment, label] of [
    ['live', 'Live Base Address is empty.'],
    ['uat', 'UAT Base Address is empty.'],
    ['sandbox', 'Sandbox Base Address is empty.'],
  ])
    expect(() => readConnection({ deviceId: 'n8n', environment })).toThrow(
      expect.objectContaining({ message: label, parameter: `${environment}BaseUrl` }),
    );
});

it('an entered TOTP secret goes before a generated one', () => {
  expect(totpSecretOf({ totpSecret: 'ENTERED', generatedTotpSecret: 'MADE' })).toBe('ENTERED');
  expect(totpSecretOf({ totpSecret: '  ', generatedTotpSecret: 'MADE' })).toBe('MADE');
  expect(totpSecretOf({})).toBe('');
});

it('secrets are all that must be in no error and no log', () => {
  const all = {
    mpin: ' 1 ',
    otp: 2,
    totpSecret: '3',
    generatedTotpSecret: '4',
    pastedToken: '5',
    sessionToken: '6',
    authToken: '7',
    tempToken: '8',
  };
  expect(secretsOf({ ...all, phone: '9', deviceId: '10' })).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  expect(secretsOf({ mpin: ' ', otp: '', totpSecret: null })).toEqual([]);
  expect(secretsOf({ otp: '123 456' })).toEqual(['123 456', '123456']);
  expect(secretsOf({ pastedToken: '"session_token": "ab.cd"' })).toContain('ab.cd');
});

it('the hidden fields are read as text, and nothing where there is none', () => {
  const hidden = { mark: 'm', sessionToken: 's', authToken: 'a', tempToken: 't', loginState: '{}' };
  expect(readState({ ...hidden, mpin: '1357' })).toEqual(hidden);
  expect(readState({ mark: null, sessionToken: {} })).toEqual({
    mark: '',
    sessionToken: '',
    authToken: '',
    tempToken: '',
    loginState: '',
  });
});

it.each([
  ['0b4e9d0c-5c1a-4d8e-9b59-0a1b2c3d4e5f', true],
  ['x0b4e9d0c-5c1a-4d8e-9b59-0a1b2c3d4e5f', false],
  ['0b4e9d0c-5c1a-4d8e-9b59-0a1b2c3d4e5fx', false],
  ['0b4e9d0c-5c1a-4d8e-0a1b2c3d4e5f', false],
  ['', false],
])('a mark is a random UUID: %j %s', (mark, is) => expect(isCredentialId(mark)).toBe(is));

describe('the account and the login', () => {
  const settings = readSettings(TOTP_FIELDS);
  const others = { phone: '9000000002', deviceId: 'other', liveBaseUrl: 'https://other.example' };

  it.each(Object.entries(others))('are both others with another %s', (name, value) => {
    const other = readSettings({ ...TOTP_FIELDS, [name]: value });
    expect(accountOf(other)).not.toBe(accountOf(settings));
    expect(fingerprintLogin(other)).not.toBe(fingerprintLogin(settings));
  });

  it.each([
    ['mpin', '2468'],
    ['totpSecret', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  ])('are of the same account and another login with another %s', (name, value) => {
    const other = readSettings({ ...TOTP_FIELDS, [name]: value });
    expect(accountOf(other)).toBe(accountOf(settings));
    expect(fingerprintLogin(other)).not.toBe(fingerprintLogin(settings));
  });

  it('are another login with another pasted token', () => {
    const pasted = (pastedToken: string) =>
      fingerprintLogin(readSettings({ ...TOTP_FIELDS, loginMethod: 'sessionToken', pastedToken }));
    expect(pasted('a')).not.toBe(pasted('b'));
  });

  it('do not change with an OTP, but do with the mark of the credential', () => {
    const key = credentialKey({ ...OTP_FIELDS, mark: 'one' });
    expect(credentialKey({ ...OTP_FIELDS, mark: 'one', otp: '123456' })).toBe(key);
    expect(credentialKey({ ...OTP_FIELDS, mark: 'two' })).not.toBe(key);
    expect(credentialKey({ ...OTP_FIELDS, mark: 'one', mpin: '2468' })).not.toBe(key);
  });
});

describe('what is refused names its field as the panel does', () => {
  const institutional = {
    ...TOTP_FIELDS,
    loginMethod: 'institutional',
    exchangeClientCode: 'X1',
    clientCode: 'C1',
    username: 'me',
    password: ' secret ',
  };

  it.each([
    ['phone', 'Phone', TOTP_FIELDS],
    ['exchangeClientCode', 'Exchange Client Code', institutional],
    ['clientCode', 'Client Code', institutional],
    ['username', 'Username', institutional],
    ['password', 'Password', institutional],
    ['deviceId', 'Device ID', TOTP_FIELDS],
  ])('%s', (parameter, label, fields) => {
    for (const nothing of ['', undefined])
      expect(() => readSettings({ ...fields, [parameter]: nothing })).toThrow(
        expect.objectContaining({
          parameter,
          message: expect.stringMatching(new RegExp(`^${label} is empty`)) as string,
        }),
      );
  });

  it('a login method and an environment that are none', () => {
    for (const [parameter, label] of [
      ['loginMethod', 'Login Method'],
      ['environment', 'Environment'],
    ] as const)
      expect(() => readSettings({ ...TOTP_FIELDS, [parameter]: 'other' })).toThrow(
        expect.objectContaining({ parameter, message: expect.stringContaining(label) as string }),
      );
  });

  it('an institution has its data, a password with its blanks, and nothing of the other methods', () => {
    expect(readSettings({ ...institutional, otp: '123456', sendOtpAgain: true, pastedToken: 'x' })).toEqual({
      ...CONNECTION,
      method: 'institutional',
      phone: '',
      mpin: MPIN,
      totpSecret: '',
      otp: '',
      sendOtpAgain: false,
      pastedToken: '',
      institution: { exchangeClientCode: 'X1', clientCode: 'C1', username: 'me', password: ' secret ' },
      attended: true,
    });
  });
});
