import { InputError, SessionError } from '../../../client/errors';
import { baseAddress, headerValue, streamAddress } from '../../../client/session/address';

const base = (text: string): string => baseAddress(text, 'liveBaseUrl', 'Live Base Address');

describe('base addresses', () => {
  it.each([
    ['https://api.broker.example', 'https://api.broker.example'],
    [' https://api.broker.example/ ', 'https://api.broker.example'],
    ['https://API.broker.example:8443/v3/', 'https://api.broker.example:8443/v3'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://localhost:8787/', 'http://localhost:8787'],
    ['http://[::1]:8787', 'http://[::1]:8787'],
  ])('takes %s', (text, checked) => expect(base(text)).toBe(checked));

  it.each([
    '',
    'api.broker.example',
    'http://api.broker.example',
    'http://localhost.broker.example',
    'http://127.0.0.1.broker.example',
    'ftp://api.broker.example',
    'https://me:secret@api.broker.example',
    'https://api.broker.example?x=1',
    'https://api.broker.example/#x',
    'javascript:alert(1)',
  ])('refuses %j', (text) => expect(() => base(text)).toThrow(InputError));

  it('never shows a password that stands in an address', () => {
    expect(() => base('https://me:hunter22@api.broker.example')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter22') as string }),
    );
    expect(() => base('http://me:hunter22@api.broker.example')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter22') as string }),
    );
  });
});

describe('stream addresses', () => {
  const home = 'https://api.broker.example';

  it.each([
    ['wss://stream.broker.example/ws', home],
    ['wss://broker.example:9443/ws?x=1', home],
    ['wss://a.b.broker.co.in/ws', 'https://api.broker.co.in'],
    ['ws://127.0.0.1:8787/stream', 'http://localhost:8787'],
  ])('trusts %s beside %s', (address, at) => expect(streamAddress(address, at)).toBe(new URL(address).toString()));

  it.each([
    ['ws://stream.broker.example/ws', home],
    ['wss://broker.example.evil.example2/ws', home],
    ['wss://evilbroker.example/ws', home],
    ['wss://other.co.in/ws', 'https://broker.co.in'],
    ['wss://evil.github.io/ws', 'https://broker.github.io'],
    ['wss://10.0.0.2/ws', 'https://10.0.0.1'],
    ['ws://127.0.0.1:8787/stream', home],
    ['wss://me:pw@stream.broker.example/ws', home],
    ['https://stream.broker.example/ws', home],
    ['', home],
  ])('refuses %j beside %s', (address, at) => expect(() => streamAddress(address, at)).toThrow(SessionError));

  it('trusts a further host that the person allows, and names the field otherwise', () => {
    expect(streamAddress('wss://push.example.net/ws', home, ['push.example.net'])).toBe('wss://push.example.net/ws');
    expect(() => streamAddress('wss://push.example.net/ws', home)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Further Stream Hosts') as string }),
    );
  });
});

describe('header values', () => {
  it.each(['', 'a\r\nX-Evil: 1', 'a\u0000', 'tokén'])('refuses %j without showing it', (value) => {
    expect(() => headerValue(value, 'deviceId', 'Device ID')).toThrow(InputError);
  });
  it('takes printable text', () => expect(headerValue('n8n office', 'deviceId', 'Device ID')).toBe('n8n office'));
});
