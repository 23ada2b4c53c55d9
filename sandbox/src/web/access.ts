import { isIP } from 'node:net';
import { sameCode } from '../sessions/one-time-codes';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True if a Host header names this machine: a page of another site that resolves its own name to this address is kept out. Addresses are
 * let in when the sandbox listens to other machines on purpose.
 */
export function hostAllowed(header: string | undefined, listensOn: string): boolean {
  const name = nameOf(header);
  if (LOCAL_NAMES.has(name) || name === listensOn.toLowerCase()) return true;
  return !isLoopback(listensOn) && (isAddress(name) || listensOn === '0.0.0.0' || listensOn === '::');
}

/** True if a request comes from a page of this very sandbox, or from no page at all. */
export function originAllowed(origin: string | undefined, host: string | undefined): boolean {
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}

/**
 * The token that a request for the control plane brings: in its own header, or as the password that a browser asks for
 * (HTTP Basic; any user name).
 */
export function controlTokenIn(headers: {
  'x-control-token'?: string | string[] | undefined;
  authorization?: string | undefined;
}): string | undefined {
  const own = headers['x-control-token'];
  if (typeof own === 'string') return own;
  const basic = /^Basic ([\w+/=]+)$/i.exec(headers.authorization ?? '')?.[1];
  return basic === undefined
    ? undefined
    : Buffer.from(basic, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '');
}

/**
 * True if a request may use the control plane. Where a token is set, everybody sends it: who comes from this machine may be a proxy that
 * others use. Where none is, the control plane is for this machine, and the Host header must be an address or a name of it: another name
 * may be one that a page of another site resolves to this address.
 */
export function controlAllowed(
  {
    remoteAddress,
    host,
    token,
  }: { remoteAddress: string | undefined; host: string | undefined; token?: string | undefined },
  { listensOn, expected }: { listensOn: string; expected: string | undefined },
): boolean {
  if (expected !== undefined) return token !== undefined && sameCode(token, expected);
  const name = nameOf(host);
  return (
    isLoopback(remoteAddress ?? '') && (LOCAL_NAMES.has(name) || name === listensOn.toLowerCase() || isAddress(name))
  );
}

/** A Host header without its port. */
function nameOf(host: string | undefined): string {
  return (host ?? '').replace(/:\d+$/, '').toLowerCase();
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(::ffff:)?127\./.test(address);
}
