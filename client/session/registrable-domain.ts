/** Owner of a host name, by the public suffix list (publicsuffix.org). */
import { EXCEPTIONS, SUFFIXES } from '../generated/public-suffixes';

const IP_ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** Made of the list at the first question. */
let rules: { suffixes: ReadonlySet<string>; exceptions: ReadonlySet<string> } | undefined;

/**
 * The part of a host name that one owner registers: `broker.co.in` of `api.broker.co.in`. Everything below it belongs to the same owner.
 * @param hostname as in `URL.hostname`: small letters, other scripts in ASCII.
 * @returns undefined where nobody registers it: for an IP address, a name of one label, and a name under which anybody can have another
 *   (`co.in`, `github.io`).
 */
export function registrableDomain(hostname: string): string | undefined {
  if (IP_ADDRESS.test(hostname)) return undefined;
  rules ??= { suffixes: setOf(SUFFIXES), exceptions: setOf(EXCEPTIONS) };
  const labels = hostname.replace(/\.$/, '').split('.');
  const from = (first: number): string => labels.slice(first).join('.');
  for (let first = 0; first < labels.length; first += 1) {
    if (rules.exceptions.has(from(first))) return from(first);
    if (rules.suffixes.has(from(first)) || rules.suffixes.has(`*.${from(first + 1)}`))
      return first === 0 ? undefined : from(first - 1);
  }
  // A last label outside the list is a suffix by itself.
  return labels.length < 2 ? undefined : from(labels.length - 2);
}

/** Returns true if two host names are the same, or below one name that somebody registered. */
export function haveOneOwner(hostname: string, other: string): boolean {
  const domain = registrableDomain(hostname);
  return hostname === other || (domain !== undefined && domain === registrableDomain(other));
}
