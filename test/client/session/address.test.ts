import { InputError, SessionError } from '../../../client/base/errors';
import { baseAddress, headerValue, hostList, streamAddress } from '../../../client/session/address';

const base = (text: string): string => baseAddress(text, 'liveBaseUrl', 'Live Base Address');

describe('base addresses', () => {
  it.each([
    ['https://api.broker.example', 'https://api.broker.example'],
    [' https://api.broker.example/ ', 'https://api.broker.example'],
    ['https://API.broker.example:8443/v3/', 'https://api.broker.example:8443/v3'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://localhost:8787/', 'http://localhost:8787'],
    ['http://[::1]:8787', 'http://[::1]:8787'],
    ['\u200bhttps://api.broker.example', 'https://api.broker.example'],
    ['https://my_broker.example', 'https://my_broker.example'],
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
    'https://https://api.broker.example',
    'https://http//api.broker.example',
    'https://\u0430pi.broker.example',
    'https://api.broker.example,',
    'https://api.broker.example/\u0430',
  ])('refuses %j', (text) => expect(() => base(text)).toThrow(InputError));

  const WHOLE = 'such as https://api.example.com.';
  it.each([
    ['', 'Live Base Address is empty.', `Enter the base address of the service, ${WHOLE}`],
    ...['api', '127.0.0.1:8787'].map((text) => [
      text,
      'Live Base Address is not an address.',
      'Enter a whole address with its beginning, such as https://api.example.com, or http://127.0.0.1:8787 of a sandbox.',
    ]),
    ...['http://127.0.0.1:8787/_sandbox/', 'http://127.0.0.1:8787/_sandbox', 'http://127.0.0.1:8787/_sandbox/docs'].map(
      (text) => [
        text,
        "Live Base Address is the address of the sandbox's page.",
        'Enter http://127.0.0.1:8787, without what comes behind it.',
      ],
    ),
    [
      'https://me@api.broker.example',
      'Live Base Address holds a user name or password.',
      'Enter only the address; phone and MPIN have separate fields.',
    ],
    [
      'https://:pw@api.broker.example',
      'Live Base Address holds a user name or password.',
      'Enter only the address; phone and MPIN have separate fields.',
    ],
    [
      'http://api.broker.example/v3',
      'Live Base Address must begin with https://, but is "http://api.broker.example".',
      'Plain http is allowed only for a service on this machine (localhost or 127.0.0.1), since your MPIN and session go there.',
    ],
    [
      'javascript:alert(1)',
      'Live Base Address must begin with https://, but is "javascript:".',
      'Plain http is allowed only for a service on this machine (localhost or 127.0.0.1), since your MPIN and session go there.',
    ],
    [
      'https://api.broker.example/v3?x=1',
      'Live Base Address must not hold a "?" or "#".',
      'Enter https://api.broker.example/v3.',
    ],
    [
      'https://api.broker.example/v3#x',
      'Live Base Address must not hold a "?" or "#".',
      'Enter https://api.broker.example/v3.',
    ],
  ])('says what is wrong with %j', (text, message, hint) => {
    expect(() => base(text)).toThrow(expect.objectContaining({ message, hint, parameter: 'liveBaseUrl' }));
  });

  it('never shows a password that an address holds', () => {
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
    ['wss://127.0.0.1/stream', home],
    ['ws://127.0.0.1:443/stream', home],
    ['ws://stream.broker.example:8787/stream', 'http://127.0.0.1:8787'],
    ['wss://stream.broker.example:8787/stream', 'http://127.0.0.1:8787'],
    ['wss://me:pw@stream.broker.example/ws', home],
    ['https://stream.broker.example/ws', home],
    ['', home],
  ])('refuses %j beside %s', (address, at) => expect(() => streamAddress(address, at)).toThrow(SessionError));

  it('trusts a further host that the credential allows, and names the field otherwise', () => {
    expect(streamAddress('wss://push.example.net/ws', home, ['push.example.net'])).toBe('wss://push.example.net/ws');
    expect(() => streamAddress('wss://push.example.net/ws', home)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Further Stream Hosts') as string }),
    );
  });

  it('trusts a further port that the credential allows, and no other one', () => {
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

describe('the error of a stream address', () => {
  const home = 'https://api.broker.example';
  it.each([
    ['no address', 'is not an address', 'Try again later. If the error stays, tell your broker.'],
    ['wss://me@stream.broker.example/ws', 'holds more than an address', 'Tell the service.'],
    ['wss://:pw@stream.broker.example/ws', 'holds more than an address', 'Tell the service.'],
    ['wss://stream.broker.example/ws#x', 'holds more than an address', 'Tell the service.'],
    ['ws://stream.broker.example/ws', 'is not encrypted (wss)', 'Tell the service.'],
    [
      'wss://push.example.net/ws',
      'is on another domain (push.example.net)',
      'If you know that push.example.net belongs to your broker, add it to "Further Stream Hosts" in the credential.',
    ],
    [
      'wss://stream.broker.example:9443/ws',
      'is on another port (9443)',
      'If you know that stream.broker.example:9443 belongs to your broker, add it so to "Further Stream Hosts" in the credential.',
    ],
  ])('is clear where %s', (address, why, hint) => {
    expect(() => streamAddress(address, home)).toThrow(
      expect.objectContaining({
        name: 'SessionError',
        message: `The stream address that the service gave ${why}; the session token was not sent there.`,
        hint,
      }),
    );
  });
});

it.each([
  ['', []],
  [' , ', []],
  ['Push.Example.net:9443, b.example\nc.example', ['push.example.net:9443', 'b.example', 'c.example']],
  ['wss://Push.example.net/oms-socket/ws?x=1; https://b.example:9443/', ['push.example.net', 'b.example:9443']],
  ['"a.example"', ['a.example']],
  ['push.example.net. [::1]:8443', ['push.example.net', '[::1]:8443']],
])('hosts of a list are read: %j', (text, hosts) => expect(hostList(text)).toEqual(hosts));

it.each([
  ['*.a.example', '"*.a.example"', /A \* matches nothing here/],
  ['b.example, *', '"*"', /A \* matches nothing here/],
  ['a.example:port', '"a.example:port"', /with a port/],
  ['wss://me:secret@a.example/ws', 'an entry with an @', /Enter hosts such as/],
  ['{{host}}', '"{{host}}"', /Enter hosts such as/],
])('a list with %s, which never matches, is refused', (text, shown, hint) =>
  expect(() => hostList(text)).toThrow(
    expect.objectContaining({
      message: `Further Stream Hosts in the credential has ${shown}, which is no name of a host.`,
      hint: expect.stringMatching(hint),
      parameter: 'streamHosts',
    }),
  ),
);

describe('header values', () => {
  it('names what is wrong with them', () => {
    expect(() => headerValue('', 'deviceId', 'Device ID')).toThrow(
      expect.objectContaining({ message: 'Device ID is empty.', parameter: 'deviceId' }),
    );
    expect(() => headerValue('a\nb', 'deviceId', 'Device ID')).toThrow(
      expect.objectContaining({
        message: 'Device ID holds a line break or another character that cannot be sent.',
        parameter: 'deviceId',
        hint: 'Copy it again, without anything around it.',
      }),
    );
    for (const value of [' ', '~', 'a b']) expect(headerValue(value, 'deviceId', 'Device ID')).toBe(value);
    for (const value of ['é', 'a\x7f', '\x1fa']) expect(() => headerValue(value, 'x', 'X')).toThrow(InputError);
  });

  it.each(['', 'a\r\nX-Evil: 1', 'a\u0000', 'tokén'])('refuses %j without showing it', (value) => {
    expect(() => headerValue(value, 'deviceId', 'Device ID')).toThrow(InputError);
  });
  it('takes printable text', () => expect(headerValue('n8n office', 'deviceId', 'Device ID')).toBe('n8n office'));
});
