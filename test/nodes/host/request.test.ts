/** The meaning of a connection's failures: a request that may have left is never called unsent. */
import { openWhole } from '../../../nodes/host/request';

const failure = (code: string, syscall?: string): Error => Object.assign(new Error(code), { code, syscall });

it.each<[string, Error, boolean]>([
  ['no server listens', failure('ECONNREFUSED', 'connect'), false],
  ['the name is unknown', failure('ENOTFOUND', 'getaddrinfo'), false],
  ['there is no way to the host', failure('EHOSTUNREACH', 'connect'), false],
  ['the certificate has expired', failure('CERT_HAS_EXPIRED'), false],
  ['the way to the host is lost while the reply is awaited', failure('EHOSTUNREACH', 'read'), true],
  ['the network is lost while the body is sent', failure('ENETUNREACH', 'write'), true],
  ['a router refuses a connection in use', failure('ECONNREFUSED', 'read'), true],
  ['the connection is reset', failure('ECONNRESET', 'read'), true],
])('tells whether a request may have left, where %s', async (_, cause, maySent) => {
  const request = { method: 'POST', url: 'https://s.example/orders', headers: {}, timeoutMs: 1_000 } as const;
  const sent = openWhole(request, undefined, async () => await Promise.reject(new Error('n8n', { cause })));
  await expect(sent).rejects.toMatchObject({ maySent });
});
