import { readFileSync, statSync } from 'node:fs';
import { withoutSlashes } from '../shared/addresses';
import { OptionError } from '../shared/option-error';

/** How a mirror reads the live side: with a session that somebody else has opened, or with a login of its own account. */
export type Credential = { address: string; deviceId: string } & (
  { token: string } | { phone: string; mpin: string; totpSecret: string }
);

const FORM =
  'it must be JSON such as {"address": "https://…", "token": "…", "device_id": "…"}, or with phone, mpin and totp_secret in place of token';
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];
/** What other users of the machine may do with a file. */
const OTHERS = 0o077;

/**
 * Reads the file of `--mirror`. Nothing of what it holds is in an error.
 * @throws OptionError where it cannot be read, where others may read it, and where something is missing
 */
export function readCredential(file: string): Credential {
  const wrong = (text: string): OptionError => new OptionError(`--mirror ${file}: ${text}.`);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw wrong('there is no such file');
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    throw wrong(`others on this machine may read it: chmod 600 ${file}`);
  const values = contentOf(file);
  if (values === undefined) throw wrong(FORM);
  const text = (name: string): string => {
    const value = values[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const address = withoutSlashes(text('address'));
  if (!isSafe(address, 'http'))
    throw wrong('address must be that of the service, with https:// (http:// only for this machine) and no path');
  const [token, deviceId] = [text('token'), text('device_id')];
  const [phone, mpin, totpSecret] = [text('phone'), text('mpin'), text('totp_secret')];
  if (token !== '' && (phone !== '' || mpin !== '' || totpSecret !== ''))
    throw wrong('it holds a token and a login: keep one of them');
  if (token !== '') {
    if (deviceId === '') throw wrong('device_id is missing: the one with which the token was obtained');
    if (/\s/.test(token)) throw wrong('token must hold no blanks');
    return { address, token, deviceId };
  }
  if (phone === '' || mpin === '' || totpSecret === '') throw wrong(FORM);
  return { address, phone, mpin, totpSecret, deviceId: deviceId || 'brokerage-sandbox-mirror' };
}

/** Whether an address keeps secrets on their way: encrypted, or on this machine. */
export function isSafe(address: string, kind: 'http' | 'ws'): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, pathname, search, hash, username } = new URL(address);
  const bare = kind === 'ws' || (pathname === '/' && search === '' && hash === '');
  return bare && username === '' && (protocol === `${kind}s:` || (protocol === `${kind}:` && LOCAL.includes(hostname)));
}

/** The content of a file as an object; undefined where it is none. */
function contentOf(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // The words of the parser would show a piece of the file.
    return undefined;
  }
}
