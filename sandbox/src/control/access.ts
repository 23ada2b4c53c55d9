import { isIP } from 'node:net';
import { sameCode } from '../sessions/codes';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a Host header names this machine: a page of another site that resolves its own name to this address is kept
 * out. Addresses are let in when the sandbox listens to other machines on purpose.
 */
export function hostAllowed(header: string | undefined, listensOn: string): boolean {
  const name = (header ?? '').replace(/:\d+$/, '').toLowerCase();
  if (LOCAL_NAMES.has(name) || name === listensOn.toLowerCase()) return true;
  return !isLoopback(listensOn) && (isIP(name.replace(/^\[|\]$/g, '')) !== 0 || listensOn === '0.0.0.0' || listensOn === '::');
}

/** Whether a request comes from a page of this very sandbox, or from no page at all. */
export function originAllowed(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

/** The control plane is for this machine, and for others that send its token. */
export function controlAllowed(remoteAddress: string | undefined, token: string | string[] | undefined, expected: string | undefined): boolean {
  if (expected !== undefined && typeof token === 'string') return sameCode(token, expected);
  return isLoopback(remoteAddress ?? '');
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(::ffff:)?127\./.test(address);
}
