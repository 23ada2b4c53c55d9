import { InputError, SessionError } from '../../../client/base/errors';
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
    ['wss://broker.example/ws?x=1', home],
    ['wss://stream.broker.example:8443/ws', 'https://api.broker.example:8443'],
    ['wss://stream.broker.example/ws', 'https://api.broker.example:8443'],
    ['wss://10.0.0.1/ws', 'https://10.0.0.1'],
    ['wss://broker.github.io/ws', 'https://broker.github.io'],
    ['wss://stream.broker.org.in/ws', 'https://api.broker.org.in'],
    ['wss://a.b.broker.co.in/ws', 'https://api.broker.co.in'],
    ['ws://127.0.0.1:8787/stream', 'http://localhost:8787'],
  ])('trusts %s beside %s', (address, at) => expect(streamAddress(address, at)).toBe(new URL(address).toString()));

  it.each([
    ['ws://stream.broker.example/ws', home],
    ['wss://broker.example.evil.example2/ws', home],
    ['wss://evilbroker.example/ws', home],
    ['wss://other.co.in/ws', 'https://broker.co.in'],
    ['wss://evil.github.io/ws', 'https://broker.github.io'],
    ['wss://evil.s3.ap-south-1.amazonaws.com/ws', 'https://broker.s3.ap-south-1.amazonaws.com'],
    ['wss://evil.azurefd.net/ws', 'https://broker.azurefd.net'],
    ['wss://evil.com.sg/ws', 'https://broker.com.sg'],
    ['wss://evil.k12.ma.us/ws', 'https://broker.k12.ma.us'],
    ['wss://stream.broker.example:9443/ws', home],
    ['wss://api.broker.example:9443/ws', home],
    ['ws://127.0.0.1:8788/stream', 'http://127.0.0.1:8787'],
    ['wss://127.0.0.1/stream', 'http://127.0.0.1:8787'],
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

  it('trusts a further port that the person allows, and no other one', () => {
    const given = 'wss://push.example.net:9443/ws';
    expect(streamAddress(given, home, ['push.example.net:9443'])).toBe(given);
    expect(() => streamAddress(given, home, ['push.example.net', 'push.example.net:9444'])).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('is on another port (9443)') as string,
        hint: expect.stringContaining('push.example.net:9443') as string,
      }),
    );
    expect(streamAddress('ws://127.0.0.1:9000/ws', 'http://127.0.0.1:8787', ['127.0.0.1:9000'])).toBe(
      'ws://127.0.0.1:9000/ws',
    );
  });
});

describe('header values', () => {
  it.each(['', 'a\r\nX-Evil: 1', 'a\u0000', 'tokén'])('refuses %j without showing it', (value) => {
    expect(() => headerValue(value, 'deviceId', 'Device ID')).toThrow(InputError);
  });
  it('takes printable text', () => expect(headerValue('n8n office', 'deviceId', 'Device ID')).toBe('n8n office'));
});
