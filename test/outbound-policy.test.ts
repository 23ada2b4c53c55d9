import fc from 'fast-check';
import { streamAddress } from '../client/session/address';
import { refusalOfStream } from '../sandbox/src/mirror/outbound-policy';

/** True if the node, and whether the mirror of the sandbox, sends a session token to a stream address. */
function answersOf(address: string, base: string, hosts: readonly string[]): { node: boolean; mirror: boolean } {
  let node = true;
  try {
    streamAddress(address, base, hosts);
  } catch {
    node = false;
  }
  return { node, mirror: refusalOfStream(address, base, hosts) === undefined };
}

const HOSTS = [
  ...['api.broker.example', 'stream.broker.example', 'broker.example', 'evilbroker.example', 'push.example.net'],
  ...['broker.co.in', 'api.broker.co.in', 'other.co.in', 'broker.github.io', 'evil.github.io', 'co.in', 'github.io'],
  ...['10.0.0.1', '10.0.0.2', '127.0.0.1', 'localhost', '[::1]', '[2001:db8::1]', 'broker', 'xn--bcher-kva.example'],
];
const host = fc.constantFrom(...HOSTS);
const port = fc.constantFrom('', ':443', ':80', ':8443', ':8787', ':9443');

describe('Where a session token may go', () => {
  it('is answered alike by the node and by the mirror', () => {
    const seen = { sent: 0, refused: 0 };
    const address = fc
      .tuple(fc.constantFrom('wss', 'ws', 'https', 'http', 'ftp'), fc.constantFrom('', 'me@', 'me:pw@', ':pw@'))
      .chain(([scheme, user]) =>
        fc
          .tuple(host, port, fc.constantFrom('', '/ws', '/ws?x=1', '/ws#x'))
          .map(([name, at, path]) => `${scheme}://${user}${name}${at}${path}`),
      );
    // Mostly addresses that differ in one thing from what is allowed.
    const near = fc.tuple(host, port).map(([name, at]) => `wss://${name}${at}/ws`);
    const usual = fc.constantFrom('https://api.broker.example', 'https://broker.co.in', 'http://127.0.0.1:8787');
    const base = fc
      .tuple(fc.constantFrom('https', 'http'), host, port)
      .map((parts) => `${parts[0]}://${parts[1]}${parts[2]}`);
    const allowed = fc.array(
      fc.tuple(host, port).map((parts) => parts.join('')),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(fc.oneof(near, address), fc.oneof(usual, base), allowed, (text, home, hosts) => {
        const { node, mirror } = answersOf(text, home, hosts);
        seen[node ? 'sent' : 'refused'] += 1;
        expect(mirror).toBe(node);
      }),
      { numRuns: 4_000 },
    );
    expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(30);
  });

  it.each([
    ['another port of this machine', 'ws://127.0.0.1:9/ws', 'http://127.0.0.1:8787', 'is on another port (9)'],
    ['another owner', 'wss://evil.github.io/ws', 'https://broker.github.io', 'is on another domain (evil.github.io)'],
    ['no encryption', 'ws://stream.broker.example/ws', 'https://api.broker.example', 'is not encrypted (wss)'],
    ['a password', 'wss://:pw@stream.broker.example', 'https://api.broker.example', 'holds more than an address'],
    ['no address', 'stream', 'https://api.broker.example', 'is not an address'],
  ])('is refused by the mirror in words for %s', (_case, address, base, words) => {
    expect(refusalOfStream(address, base, [])).toBe(words);
  });
});
