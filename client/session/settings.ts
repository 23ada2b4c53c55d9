/** The login part of the credential: what the person enters, checked, and what n8n keeps hidden beside it. */
import { createHash } from 'crypto';
import { InputError } from '../base/errors';
import { isNothing, oneOf, plainText } from '../values/input';
import { MAX_CREDENTIAL_FIELD_LENGTH } from '../values/length';
import { withoutInvisible } from '../values/trim-end';
import { baseAddress, headerValue } from './address';
import { cleanToken, isToken } from './token';

/** Environments of the service: Live is real money (docs/service/README.md#environments). */
const ENVIRONMENTS = ['live', 'sandbox', 'uat'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
/** Login methods. */
const LOGIN_METHODS = ['institutional', 'otp', 'sessionToken', 'totp'] as const;
export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** Display names of the environments. */
export const ENVIRONMENT_NAMES: Readonly<Record<Environment, string>> = {
  live: 'Live',
  sandbox: 'Sandbox',
  uat: 'UAT',
};

/** The credential's fields by their internal names, as n8n hands them over. */
export type CredentialFields = Readonly<Record<string, unknown>>;

/** Connection to the service: the address, and the device. */
export interface Connection {
  environment: Environment;
  /** Checked base address without a slash at its end. */
  baseUrl: string;
  deviceId: string;
}

/** Login data of an institution. A secret: `password`. */
export interface InstitutionLogin {
  exchangeClientCode: string;
  clientCode: string;
  username: string;
  password: string;
}

/** Checked login data from the user. Secrets: `mpin`, `totpSecret`, `otp`, `pastedToken`, `institution.password`. */
export interface LoginSettings extends Connection {
  method: LoginMethod;
  phone: string;
  mpin: string;
  totpSecret: string;
  /** A one-time password that the person has just entered; '' when there is none. */
  otp: string;
  /** True if the user asked for another OTP although one is pending. */
  sendOtpAgain: boolean;
  pastedToken: string;
  /** Of the method `institutional` alone. */
  institution?: InstitutionLogin;
  /** True if the user waits for this login, so that an OTP may be sent to the phone. */
  attended: boolean;
}

/** The hidden fields: n8n stores the result of a login under these names. Empty text means none. */
export interface SessionState {
  /** Tells one credential from every other, with whatever it holds (see `isCredentialId`); '' until it is saved for the first time. */
  mark: string;
  sessionToken: string;
  authToken: string;
  tempToken: string;
  /** JSON, see login-state.ts. */
  loginState: string;
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** No field is shown: any of them may hold a secret. @throws InputError that names the field. */
function requireShortFields(fields: CredentialFields): void {
  for (const [name, value] of Object.entries(fields))
    if (text(value).length > MAX_CREDENTIAL_FIELD_LENGTH)
      throw new InputError(`A field of the credential is longer than ${MAX_CREDENTIAL_FIELD_LENGTH} characters.`, {
        parameter: name,
        hint: 'Enter it again. Nothing was sent.',
      });
}

/**
 * Environment, base address and device id of a credential.
 * @throws InputError that names the credential's field.
 */
export function readConnection(fields: CredentialFields): Connection {
  requireShortFields(fields);
  const environment = oneOf(fields.environment, ENVIRONMENTS, 'environment', 'Environment');
  const name = `${environment}BaseUrl`;
  return {
    environment,
    baseUrl: baseAddress(text(fields[name]), name, `${ENVIRONMENT_NAMES[environment]} Base Address`),
    deviceId: headerValue(text(fields.deviceId).trim(), 'deviceId', 'Device ID'),
  };
}

/**
 * The login part of a credential, checked as far as it can be without the service.
 * @throws InputError that names the credential's field and never shows a secret.
 */
export function readSettings(fields: CredentialFields): LoginSettings {
  const connection = readConnection(fields);
  const attended = fields.unattended !== true;
  const method = oneOf(fields.loginMethod, LOGIN_METHODS, 'loginMethod', 'Login Method');
  if (method === 'sessionToken') {
    const pastedToken = readPastedToken(fields);
    return {
      ...connection,
      method,
      phone: '',
      mpin: '',
      totpSecret: '',
      otp: '',
      sendOtpAgain: false,
      pastedToken,
      attended,
    };
  }
  if (method === 'institutional') {
    const institution = readInstitution(fields);
    const mpin = readMpin(fields);
    return {
      ...connection,
      method,
      phone: '',
      mpin,
      totpSecret: '',
      otp: '',
      sendOtpAgain: false,
      pastedToken: '',
      institution,
      attended,
    };
  }
  const phone = plainPhone(plainText(fields.phone, 'phone', { label: 'Phone' }));
  if (!/^\+?\d{6,15}$/.test(phone)) {
    throw new InputError('Phone must be the digits of a phone number.', {
      parameter: 'phone',
      hint: 'Enter the number that is registered with your broker, such as 9000000001.',
    });
  }
  const mpin = readMpin(fields);
  const entered = text(fields.otp).trim();
  const otp = method === 'otp' && entered !== '' ? requireOtp(entered) : '';
  return {
    ...connection,
    method,
    phone,
    mpin,
    totpSecret: method === 'totp' ? totpSecretOf(fields) : '',
    otp,
    sendOtpAgain: method === 'otp' && fields.sendOtpAgain === true,
    pastedToken: '',
    attended,
  };
}

/** The pasted token. @throws InputError for what is no token, or more than one: sent, it would look like one that has expired. */
function readPastedToken(fields: CredentialFields): string {
  const cleaned = cleanToken(text(fields.pastedToken));
  const token = headerValue(isNothing(cleaned) ? '' : cleaned, 'pastedToken', 'Session Token');
  if (isToken(token)) return token;
  throw new InputError('Session Token is not one whole token.', {
    parameter: 'pastedToken',
    hint: 'Copy the token alone: without its name, brackets and quotes, and to its end. Nothing was sent.',
  });
}

/** The fields of an institutional login. @throws InputError that names the field which is empty. */
function readInstitution(fields: CredentialFields): InstitutionLogin {
  const read = (name: keyof InstitutionLogin, label: string): string => plainText(fields[name], name, { label });
  return {
    exchangeClientCode: read('exchangeClientCode', 'Exchange Client Code'),
    clientCode: read('clientCode', 'Client Code'),
    username: read('username', 'Username'),
    password: readPassword(fields),
  };
}

/** Returns a password exactly as entered, blanks included. */
function readPassword({ password }: CredentialFields): string {
  if (text(password) !== '') return text(password);
  throw new InputError('Password is empty.', {
    parameter: 'password',
    hint: 'Enter the password of the institutional login in the credential.',
  });
}

/** The institution of settings whose method is `institutional`. */
export function institutionOf({ institution }: LoginSettings): InstitutionLogin {
  if (institution === undefined) throw new Error('the settings are of another login method');
  return institution;
}

/** Digits without what nobody sees, and without blanks and dashes between them. */
const withoutSigns = (digits: string): string => withoutInvisible(digits).replace(/[\s\p{Pd}]/gu, '');

/** End of a number of a spreadsheet that became text: as a digit of the phone, its zero makes it another phone. */
const AS_NUMBER = /\.0+$/;

/**
 * A phone number without the signs between its digits, and one of a mobile phone in India without +91, 0091, 091, 91 or 0 in front: the
 * service knows it by ten digits.
 */
function plainPhone(written: string): string {
  const phone = withoutSigns(written).replace(AS_NUMBER, '').replace(/[().]/g, '');
  return /^(?:\+91|0?091|91)?0?([6-9]\d{9})$/.exec(phone)?.[1] ?? phone;
}

/** Returns an entered OTP without blanks and dashes. @throws InputError if it cannot be one; it is not shown. */
export function requireOtp(entered: string): string {
  const otp = withoutSigns(entered);
  if (!/^\d{4,10}$/.test(otp))
    throw new InputError('OTP must be the digits of the text message.', { parameter: 'otp' });
  return otp;
}

/** A number of fewer digits was an MPIN with a zero in front. */
const USUAL_MPIN_DIGITS = 4;

/** The MPIN of a credential, for what asks for it again. @throws InputError if it is not filled in. */
export function readMpin(fields: CredentialFields): string {
  const mpin = withoutInvisible(text(fields.mpin)).trim();
  if (typeof fields.mpin === 'number' && mpin.length < USUAL_MPIN_DIGITS)
    throw new InputError('MPIN is a number, which has lost the zeros in front.', {
      parameter: 'mpin',
      hint: 'Enter it as text, with all of its digits.',
    });
  if (!/^\d{1,12}$/.test(mpin)) {
    throw new InputError(mpin === '' ? 'MPIN is empty.' : 'MPIN must be digits only.', {
      parameter: 'mpin',
      hint: 'Enter the PIN with which you sign in to your broker in the credential.',
    });
  }
  return mpin;
}

/** The TOTP secret of a credential: the one that was entered, or else the one that was generated; '' where there is none. */
export function totpSecretOf(fields: CredentialFields): string {
  return text(fields.totpSecret).trim() === '' ? text(fields.generatedTotpSecret) : text(fields.totpSecret);
}

const SECRETS = [
  'mpin',
  'otp',
  'totpSecret',
  'generatedTotpSecret',
  'pastedToken',
  'password',
  'sessionToken',
  'authToken',
  'tempToken',
] as const;

/** The secrets of a credential that can be used (one that is too long is refused): what no error and no log line may hold, in whatever words the service gives it back. */
export function secretsOf(fields: CredentialFields): string[] {
  const entered = SECRETS.map((name) => text(fields[name]));
  // Each is sent without what nobody sees, an OTP also without the signs between its digits, and a token without what it was copied with.
  const forms = [...entered, ...entered.map(withoutInvisible)].map((secret) => secret.trim());
  return [...new Set([...forms, withoutSigns(text(fields.otp)), cleanToken(text(fields.pastedToken))])].filter(
    (secret) => secret !== '' && secret.length <= MAX_CREDENTIAL_FIELD_LENGTH,
  );
}

/**
 * Returns true if a login made this mark: a random UUID, which nobody else knows. Values shared in a process are stored under the mark, so
 * that a second credential with the same phone, address and device gets none of them.
 */
export function isCredentialId(mark: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(mark);
}

/** The hidden fields of a credential. */
export function readState(fields: CredentialFields): SessionState {
  return {
    mark: text(fields.mark),
    sessionToken: text(fields.sessionToken),
    authToken: text(fields.authToken),
    tempToken: text(fields.tempToken),
    loginState: text(fields.loginState),
  };
}

/** A digest from which the parts cannot be told. */
export const hashParts = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Returns the digest of all login data that the user entered, except the OTP: a change voids the session and the refusals of the former
 * data.
 */
export function fingerprintLogin(settings: LoginSettings): string {
  const { baseUrl, deviceId, method, phone, mpin, totpSecret, pastedToken, institution } = settings;
  return hashParts([baseUrl, deviceId, method, phone, mpin, totpSecret, pastedToken, ...partsOf(institution)]);
}

/** Returns the key of one credential and its content, under which the process shares values. */
export function credentialKey(fields: CredentialFields): string {
  return `${readState(fields).mark} ${fingerprintLogin(readSettings({ ...fields, otp: '' }))}`;
}

/** Returns the key of the account and device: auth and temporary tokens outlive a corrected MPIN. */
export function accountOf(settings: LoginSettings): string {
  const { baseUrl, deviceId, method, phone, institution } = settings;
  return hashParts([baseUrl, deviceId, method, phone, ...partsOf(institution).slice(0, -1)]);
}

/** The fields of an institution in a fixed order, the password last; none for the other methods. */
function partsOf(institution: InstitutionLogin | undefined): string[] {
  if (institution === undefined) return [];
  const { exchangeClientCode, clientCode, username, password } = institution;
  return [exchangeClientCode, clientCode, username, password];
}
