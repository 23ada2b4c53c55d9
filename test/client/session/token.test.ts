import { cleanToken, isExpiring, isToken, needsRenewal, tokenExpiry } from '../../../client/session/token';

const NOW = Date.parse('2026-11-23T05:58:30+05:30');
const SIX = Date.parse('2026-11-23T06:00:00+05:30');
const jwt = (claims: object) => `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
const token = jwt({ exp: SIX / 1000 });

it('tells when a token expires, and nothing of what is no JWT', () => {
  expect(tokenExpiry(token)).toBe(SIX);
  for (const other of [
    '',
    'opaque',
    'a.b',
    'a.!.c',
    token.slice(0, token.lastIndexOf('.')),
    `${token}.more`,
    jwt({}),
    jwt({ exp: 'soon' }),
    jwt({ exp: 0 }),
    'a.bnVsbA.c',
  ])
    expect(tokenExpiry(other)).toBeUndefined();
});

describe('a token with 90 seconds left', () => {
  it.each([
    ['is about to expire', undefined, true],
    ['is about to expire where it was made hours ago', NOW - 3 * 3_600_000, true],
    ['is used to its end where it was made shortly before the daily end of all sessions', NOW - 20_000, false],
  ])('is renewed or not: %s', (_what, madeAt, expiring) => {
    expect(isExpiring(token, NOW, madeAt)).toBe(expiring);
    expect(isExpiring(token, SIX, madeAt)).toBe(true);
  });
});

it('a token that does not tell when it expires is never taken for expired', () => {
  expect(isExpiring('opaque', NOW)).toBe(false);
});

it.each([
  ['abc.def', 'abc.def'],
  ['  Bearer   abc.def\n', 'abc.def'],
  ['bearer\tabc', 'abc'],
  ['Authorization: Bearer abc.def', 'abc.def'],
  ['"abc.def"', 'abc.def'],
  ["'Bearer abc'", 'abc'],
  ['\u200babc', 'abc'],
  ['"abc', '"abc'],
  ['abc bearer def', 'abc bearer def'],
  ['bearer', ''],
  ['Bearer: abc.def', 'abc.def'],
  ['"Authorization": "Bearer abc.def",', 'abc.def'],
  ['"Authorization: Bearer abc.def"', 'abc.def'],
  ["'Authorization':'Bearer abc.def'", 'abc.def'],
  ['session_token=abc.def;', 'abc.def'],
  ['"session_token": "abc.def"', 'abc.def'],
  ['Session Token: abc.def', 'abc.def'],
  ['token = abc.def', 'abc.def'],
  ['`abc.def`', 'abc.def'],
  ['tokenabc', 'tokenabc'],
  ['bearerabc', 'bearerabc'],
  [' \n', ''],
])('cleans a pasted token: %j becomes %j', (pasted, token) => {
  expect(cleanToken(pasted)).toBe(token);
});

it.each(['a', 'abc.def-_', 'a+/==', 'eyJh.b.c~'])('%j can be a token', (text) => expect(isToken(text)).toBe(true));

it.each([
  '',
  'a b',
  '{"session_token":"abc"}',
  '"abc',
  'a"b',
  '<abc>',
  '{{token}}',
  "-H 'abc'",
  'eyJ...',
  'a,b',
  'k\u00e9y',
])('%j is not one whole token', (text) => expect(isToken(text)).toBe(false));

it('tells nothing of a token whose claims are no object', () => {
  for (const claims of ['7', '"text"', '[]', 'null', 'true'])
    expect(tokenExpiry(`a.${Buffer.from(claims).toString('base64url')}.c`)).toBeUndefined();
});

it.each([
  ['had expired when it came', SIX + 1_000, false],
  ['expired at the moment at which it came', SIX, false],
  ['has expired since it came', SIX - 3_600_000, true],
  ['has expired, and came nobody knows when', undefined, true],
])('a session whose token %s is renewed before it is used, or not', (_, madeAt, isRenewed) => {
  expect(needsRenewal(token, SIX + 2_000, madeAt)).toBe(isRenewed);
});
