import { readFileSync, statSync } from 'node:fs';
import { withoutSlashes } from '../shared/without-slashes';
import { OptionError } from '../shared/option-error';
import { isBaseAddress } from './outbound-policy';

/** Means by which a mirror reads the live side: with a session that somebody else has opened, or with a login to an account. */
export type Credential = {
  address: string;
  deviceId: string;
  /** Further hosts that the session token may go to for the stream, as `host` or `host:port`, in small letters. */
  streamHosts: readonly string[];
} & ({ token: string } | { phone: string; mpin: string; totpSecret: string });

const FORM =
  'it must be JSON such as {"address": "https://…", "token": "…", "device_id": "…"}, or with phone, mpin and totp_secret in place of token';
const MAX_STREAM_HOSTS = 20;
/** A host, with its port or without. */
const HOST = /^[a-z0-9.[\]-]{1,253}(:\d{1,5})?$/;
/** Rights of other users of the machine on a file. */
const OTHERS = 0o077;

/**
 * Reads the file of `--mirror`. Nothing of what it holds is in an error.
 * @throws OptionError where it cannot be read, where others may read it, and where something is missing
 */
export function readCredential(file: string): Credential {
  const wrong = (text: string): OptionError => new OptionError(`--mirror ${file}: ${text}.`);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw wrong('there is no such file');
  if (process.platform !== 'win32' && (stats.mode & OTHERS) !== 0)
    throw wrong(`others on this machine may read it: chmod 600 ${file}`);
  const values = contentOf(file);
  if (values === undefined) throw wrong(FORM);
  const text = (name: string): string => {
    const value = values[name];
    return typeof value === 'string' ? value.trim() : '';
  };
  const address = withoutSlashes(text('address'));
  if (!isBaseAddress(address))
    throw wrong('address must be that of the service, with https:// (http:// only for this machine) and no path');
  const [token, deviceId] = [text('token'), text('device_id')];
  const streamHosts = hostsIn(values['stream_hosts']);
  if (streamHosts === undefined)
    throw wrong('stream_hosts must be a list of hosts, such as ["stream.example.com", "stream.example.com:9443"]');
  const [phone, mpin, totpSecret] = [text('phone'), text('mpin'), text('totp_secret')];
  if (token !== '' && (phone !== '' || mpin !== '' || totpSecret !== ''))
    throw wrong('it holds a token and a login: keep one of them');
  if (token !== '') {
    if (deviceId === '') throw wrong('device_id is missing: the one with which the token was obtained');
    if (/\s/.test(token)) throw wrong('token must hold no blanks');
    return { address, token, deviceId, streamHosts };
  }
  if (phone === '' || mpin === '' || totpSecret === '') throw wrong(FORM);
  return { address, phone, mpin, totpSecret, deviceId: deviceId || 'brokerage-sandbox-mirror', streamHosts };
}

/** A list of hosts; empty where none is told, undefined for anything else. */
function hostsIn(value: unknown): string[] | undefined {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_STREAM_HOSTS) return undefined;
  const hosts = value.filter((host) => typeof host === 'string').map((host) => host.trim().toLowerCase());
  return hosts.length === value.length && hosts.every((host) => HOST.test(host)) ? hosts : undefined;
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
