/** Checks the addresses that may receive secrets: those that the user enters or the service returns. */
import { InputError, SessionError } from '../base/errors';
import { showValue } from '../values/input';
import { withoutInvisible, withoutSlashes } from '../values/trim-end';
import { haveOneOwner } from './registrable-domain';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** A name of a machine, or its number. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/** Host of an address that has its beginning twice: https://https://api.example.com. */
const SCHEME_AS_HOST = /^(?:https?|wss?)$/;
/** Paths of the sandbox beside the service: its page, and what moves its clock. */
const SANDBOX_PAGE = /^\/_sandbox(?:\/|$)/;
/** The ports that an address without one means. */
const USUAL_PORTS: Record<string, string> = { 'https:': '443', 'wss:': '443', 'http:': '80', 'ws:': '80' };

/** Returns true if a host name (as in `URL.hostname`) is this machine itself. */
function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname.toLowerCase());
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * A base address that secrets may be sent to, without a slash at its end.
 * @throws InputError when it is not an https address (http only for this machine), or holds a user name, password,
 *   query or fragment. The address is shown only where it cannot hold a password.
 */
export function baseAddress(text: string, parameter: string, label: string): string {
  const trimmed = withoutInvisible(text).trim();
  if (trimmed === '')
    throw new InputError(`${label} is empty.`, {
      parameter,
      hint: 'Enter the base address of the service, such as https://api.example.com.',
    });
  const url = parse(trimmed);
  if (url === undefined || SCHEME_AS_HOST.test(url.hostname))
    throw new InputError(`${label} is not an address.`, {
      parameter,
      hint: 'Enter a whole address with its beginning, such as https://api.example.com, or http://127.0.0.1:8787 of a sandbox.',
    });
  if (url.username !== '' || url.password !== '') {
    throw new InputError(`${label} holds a user name or password.`, {
      parameter,
      hint: 'Enter only the address; phone and MPIN have separate fields.',
    });
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new InputError(
      `${label} must begin with https://, but is ${showValue(url.origin === 'null' ? url.protocol : url.origin)}.`,
      {
        parameter,
        hint: 'Plain http is allowed only for a service on this machine (localhost or 127.0.0.1), since your MPIN and session go there.',
      },
    );
  }
  // A letter that looks like a Latin one, and a comma behind the address: the name is another one.
  if (!/^[\x20-\x7e]+$/.test(trimmed) || !HOST.test(url.hostname))
    throw new InputError(`${label} holds a sign that no address of a service has, or a letter of another alphabet.`, {
      parameter,
      hint: 'Type it again, such as https://api.example.com.',
    });
  if (url.search !== '' || url.hash !== '') {
    throw new InputError(`${label} must not hold a "?" or "#".`, {
      parameter,
      hint: `Enter ${url.origin}${url.pathname}.`,
    });
  }
  if (SANDBOX_PAGE.test(url.pathname))
    throw new InputError(`${label} is the address of the sandbox's page.`, {
      parameter,
      hint: `Enter ${url.origin}, without what comes behind it.`,
    });
  return withoutSlashes(`${url.origin}${url.pathname}`);
}

const LISTED_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/**
 * The hosts of a comma-separated list, with their ports where these are given, in small letters; of a whole address its host.
 * @throws InputError (parameter `streamHosts`) for an entry that no address can have: it would never match
 */
export function hostList(text: string): string[] {
  const hosts = withoutInvisible(text)
    .split(/[\s,;"']+/)
    .map((entry) => entry.toLowerCase().replace(/^[a-z]{2,5}:\/\//, ''))
    .map((entry) => entry.split(/[/?#]/, 1)[0]!)
    .map((entry) => entry.replace(/\.(?=$|:)/, ''))
    .filter((host) => host !== '');
  const unknown = hosts.find((host) => !LISTED_HOST.test(host));
  if (unknown === undefined) return hosts;
  // Before an @ there can be a password.
  const shown = unknown.includes('@') ? 'an entry with an @' : showValue(unknown);
  throw new InputError(`Further Stream Hosts in the credential has ${shown}, which is no name of a host.`, {
    parameter: 'streamHosts',
    hint: unknown.includes('*')
      ? 'A * matches nothing here, since your session token goes there: enter each host in full, such as stream.example.net.'
      : 'Enter hosts such as stream.example.net, or stream.example.net:9443 with a port.',
  });
}

const portOf = ({ port, protocol }: URL): string => port || (USUAL_PORTS[protocol] ?? '');

/**
 * A stream address that the service returned, checked before a session token goes there (docs/service/streams.md#connecting).
 * @param base the checked base address of the environment.
 * @param allowedHosts further hosts that the person allows in the credential, as `host` or `host:port`.
 * @throws SessionError when it is not wss (ws only between addresses of this machine), not on the registrable domain of the base
 *   address (another port of this machine is another program), on a port that is neither that of the base address nor 443, or holds
 *   a user name, password or fragment.
 */
export function streamAddress(text: string, base: string, allowedHosts: readonly string[] = []): string {
  const url = parse(text.trim());
  const home = new URL(base);
  const refuse = (why: string, hint: string): SessionError =>
    new SessionError(`The stream address that the service gave ${why}; the session token was not sent there.`, {
      hint,
    });
  if (url === undefined) throw refuse('is not an address', 'Try again later. If the error stays, tell your broker.');
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw refuse('holds more than an address', 'Tell the service.');
  const local = isLoopback(url.hostname) && isLoopback(home.hostname);
  if (url.protocol !== 'wss:' && !(url.protocol === 'ws:' && local))
    throw refuse('is not encrypted (wss)', 'Tell the service.');
  const port = portOf(url);
  if (allowedHosts.includes(`${url.hostname}:${port}`)) return url.toString();
  if (!local && !haveOneOwner(url.hostname, home.hostname) && !allowedHosts.includes(url.hostname)) {
    throw refuse(
      `is on another domain (${url.hostname})`,
      `If you know that ${url.hostname} belongs to your broker, add it to "Further Stream Hosts" in the credential.`,
    );
  }
  if (port !== portOf(home) && (local || port !== '443')) {
    throw refuse(
      `is on another port (${port})`,
      `If you know that ${url.hostname}:${port} belongs to your broker, add it so to "Further Stream Hosts" in the credential.`,
    );
  }
  return url.toString();
}

/**
 * A value that goes into a request header.
 * @throws InputError if it is empty or holds a character that a header cannot hold; the value is not shown.
 */
export function headerValue(value: string, parameter: string, label: string): string {
  if (value === '') throw new InputError(`${label} is empty.`, { parameter });
  if (!/^[\x20-\x7e]+$/.test(value)) {
    throw new InputError(`${label} holds a line break or another character that cannot be sent.`, {
      parameter,
      hint: 'Copy it again, without anything around it.',
    });
  }
  return value;
}
