import fc from 'fast-check';
import { redact, withoutSecrets } from '../../../client/values/redact';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x';

it.each([
  [`failed for ${JWT}`, 'failed for [redacted]'],
  [`wss://x/stream?token=${JWT}&a=1`, 'wss://x/stream?token=[redacted]&a=1'],
  ['Authorization: Bearer abc.def', 'Authorization: [redacted] [redacted]'],
  ['subscribe 0123456789abcdef direct_intent notification', 'subscribe [redacted] direct_intent notification'],
  ['{"pin":"1357","otp":"123456"}', '{"pin":[redacted],"otp":[redacted]}'],
  ['client ABCDE1234F has', 'client [redacted] has'],
  ['order 1234567890123456789 of RELIANCE at 1357.00', 'order 1234567890123456789 of RELIANCE at 1357.00'],
])('%s is masked or left alone', (text, clean) => {
  expect(redact(text)).toBe(clean);
});

it('masks the given secrets in every spelling, a short one only as a whole word', () => {
  expect(redact('MPIN 1357, order 91357, price 1357.00', ['1357'])).toBe(
    'MPIN [redacted], order 91357, price [redacted].00',
  );
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 40 }), fc.string(), fc.string(), (secret, before, after) => {
      fc.pre(!'[redacted]'.includes(secret));
      for (const spelling of [secret, JSON.stringify(secret).slice(1, -1)])
        expect(redact(`${before}${spelling}${after}`, [secret]).includes(spelling)).toBe(false);
    }),
  );
});

it.each([
  ['{\\"otp\\":\\"482913\\"}', '482913'],
  ['CONmpin=973164', '973164'],
  ['tot_totp_secret: KRSXG5CTMVRXEZLU', 'KRSXG5CTMVRXEZLU'],
  ['x JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP y', 'JBSWY3DPEHPK3PXP'],
])('masks what a fuzz run got out: %s', (text, secret) => {
  expect(redact(text)).not.toContain(secret);
});

it('leaves what only resembles: shopping, a long symbol, a tag', () => {
  for (const text of ['shopping=list', 'BANKNIFTY26NOV24500CE', 'slice-abcdefghijkl', 'stop: 5'])
    expect(redact(text)).toBe(text);
});

it('leaves our own words alone where only the given secrets count', () => {
  const text = 'Run "TOTP: Enable". Authorization: of ABCDE1234F';
  expect(withoutSecrets(text, ['1357', '482913'])).toBe(text);
});

it.each([
  ['base64 within other letters', `x${Buffer.from('mpin=973164').toString('base64')}`],
  ['hexadecimal', Buffer.from('{"x":"973164"}').toString('hex')],
  ['escapes of JSON', '\\u0039\\u0037\\u0033\\u0031\\u0036\\u0034'],
  ['escapes of an address', '%39%37%33%31%36%34'],
  ['blanks between', 'it is 973 164'],
  ['other digits around', '1973164005'],
])('finds a secret in %s', (_, text) => {
  expect(withoutSecrets(text, ['973164'])).toContain('[redacted]');
  expect(withoutSecrets(text, ['482913'])).toBe(text);
});

it('masks a secret of six characters within other text, in any case of letters, and a shorter one only as a whole word', () => {
  expect(withoutSecrets('xAbCdEfx', ['abcdef'])).toBe('x[redacted]x');
  expect(withoutSecrets('xABCDEx, ABCDE', ['abcde'])).toBe('xABCDEx, [redacted]');
});

it('masks each place of a secret of digits that is written with blanks', () => {
  expect(withoutSecrets('973 164 and 973-164', ['973164'])).toBe('[redacted] and [redacted]');
});

it('finds a secret in hexadecimal at an odd letter', () => {
  expect(withoutSecrets(`a${Buffer.from('x 973164').toString('hex')}`, ['973164'])).toBe('[redacted]');
});
