import { endpoints, type Endpoint } from '../../client/endpoints';
import type { RequestParts } from '../../client/endpoints/endpoint';
import {
  ForeignReplyError,
  InputError,
  NetworkError,
  ServiceError,
  SessionError,
  UnreadableReplyError,
} from '../../client/base/errors';
import { MarketClock } from '../../client/market-clock';
import { createLimiter } from '../../client/rate-limiter';
import { createTransport, pauseBefore, rateLimits } from '../../client/transport';
import { VirtualClock } from '../support/clock';
import { scriptedTransport } from '../support/scripted-transport';

const dropped = () => new NetworkError('dropped', { maySent: true });

it('fills the address, the headers and the body', async () => {
  const { transport, requests } = scriptedTransport([{ text: '{"message":"ok"}' }, { text: '{}' }]);
  await transport.call<RequestParts, unknown>(endpoints.currentPrice, {
    path: { instrument: 'M&M/../x?y#\u{1F600}' },
    query: { exchange: 'NSE', none: undefined },
  });
  await transport.call(endpoints.cancelOrders, {
    body: { orders: [{ order_id: '1234567890123456789' }] },
    headers: { 'X-Temp-Token': 't' },
  });
  expect(requests[0]).toMatchObject({
    method: 'GET',
    url: `${transport.baseUrl}/optionchains/M%26M%2F..%2Fx%3Fy%23%F0%9F%98%80/price?exchange=NSE`,
    headers: { 'x-device-id': 'device-1' },
  });
  expect(requests[1]).toMatchObject({
    method: 'POST',
    body: '{"orders":[{"order_id":1234567890123456789}]}',
    headers: { 'content-type': 'application/json', 'x-temp-token': 't' },
  });
});

it.each(['', '.', '..', '\ud800'])('sends nothing for the path segment %p', async (instrument) => {
  const { transport, requests } = scriptedTransport([]);
  await expect(transport.call(endpoints.currentPrice, { path: { instrument } })).rejects.toThrow(InputError);
  await expect(transport.call(endpoints.currentPrice)).rejects.toThrow('An id is missing.');
  expect(requests).toHaveLength(0);
});

describe('repeats', () => {
  it('asks again for a read after 429, 5xx and a dropped connection, with growing pauses', async () => {
    const { transport, requests, clock } = scriptedTransport([
      { status: 503 },
      dropped(),
      { status: 500 },
      { status: 429 },
      { text: '[]' },
    ]);
    expect(await transport.call(endpoints.orders)).toEqual([]);
    expect(requests).toHaveLength(5);
    expect(clock.sleeps.slice(0, 4)).toEqual([300, 600, 1200, 2400]);
  });

  it('asks again for a read that reached the service too slowly', async () => {
    const { transport, requests } = scriptedTransport([{ status: 408, text: 'Request Timeout' }, { text: '[]' }]);
    expect(await transport.call(endpoints.orders)).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it('makes no further attempt when those made took twice the timeout together', async () => {
    let sent = 0;
    const { transport, clock } = scriptedTransport([], {
      http: () => {
        sent += 1;
        clock.set(clock.now() + endpoints.orders.timeoutMs);
        return Promise.reject(dropped());
      },
    });
    await expect(transport.call(endpoints.orders)).rejects.toThrow('dropped');
    expect(sent).toBe(2);
  });

  it('gives up in the end with the last failure', async () => {
    const { transport, requests } = scriptedTransport([
      dropped(),
      dropped(),
      dropped(),
      dropped(),
      { status: 502, text: '{"error":"upstream"}' },
    ]);
    await expect(transport.call(endpoints.orders)).rejects.toMatchObject({ status: 502, serviceText: 'upstream' });
    expect(requests).toHaveLength(5);
  });

  const entries = Object.entries(endpoints as Record<string, Endpoint>);
  const writes = entries.filter(([, endpoint]) => endpoint.repeat === 'never');

  it('marks as repeatable only what places, changes and cancels nothing', () => {
    expect(writes.map(([name]) => name).sort()).toEqual(
      [
        ...[
          'sendPhoneOtp',
          'verifyPhoneOtp',
          'institutionalLogin',
          'totpLogin',
          'verifyPin',
          'logout',
          'totpGenerateSecret',
          'totpEnable',
          'totpDisable',
        ],
        ...['placeOrder', 'placeOrders', 'modifyOrder', 'cancelOrder', 'cancelOrders', 'placeBasket', 'cancelBasket'],
        ...['createIntents', 'modifyIntents', 'cancelIntents'],
      ].sort(),
    );
  });

  it.each(writes)('sends %s once, whatever happens', async (_, endpoint) => {
    const path = { order_id: '1', basket_id: '1' };
    for (const failure of [
      { status: 408 },
      { status: 429 },
      { status: 500 },
      { status: 503 },
      { status: 404 },
      dropped(),
      new NetworkError('refused', { maySent: false }),
    ]) {
      const { transport, requests } = scriptedTransport([failure]);
      await expect(
        transport.call(endpoint, { path, body: endpoint.method === 'POST' ? {} : undefined }),
      ).rejects.toThrow();
      expect(requests).toHaveLength(1);
    }
  });

  it('takes the 500 of a report for an answer, and can be told not to repeat', async () => {
    const first = scriptedTransport([{ status: 500, text: '{"message":"report generation failed, retry later"}' }]);
    await expect(first.transport.call(endpoints.reportDemat, { body: {} })).rejects.toThrow(
      /could not make the report.*report generation failed/,
    );
    const second = scriptedTransport([{ status: 503 }]);
    await expect(second.transport.call(endpoints.reportDemat, { body: {}, repeat: 'never' })).rejects.toThrow(
      ServiceError,
    );
  });

  it('waits as long as the service asks, within reason', () => {
    expect(pauseBefore(1, () => 0, '3')).toBe(3_000);
    expect(pauseBefore(1, () => 0, '9999')).toBe(30_000);
    expect(pauseBefore(20, () => 0.999, undefined)).toBeLessThanOrEqual(30_000);
    expect(pauseBefore(1, () => 0, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(200);
  });

  it('stops when it is cancelled in a pause', async () => {
    const controller = new AbortController();
    const { transport, requests } = scriptedTransport([{ status: 503 }, { text: '[]' }], {
      random: () => {
        controller.abort(new Error('cancelled by the person'));
        return 0.5;
      },
    });
    await expect(transport.call(endpoints.orders, { signal: controller.signal })).rejects.toThrow(
      'cancelled by the person',
    );
    expect(requests).toHaveLength(1);
  });

  it('asks for a read at its other path when the first is unknown', async () => {
    const { transport, requests } = scriptedTransport([
      { status: 404 },
      { text: 'null' },
      { status: 404, text: '{"error":"first"}' },
      { status: 404, text: '{"error":"second"}' },
    ]);
    expect(await transport.call(endpoints.orders)).toBeNull();
    await expect(transport.call(endpoints.order, { path: { order_id: '7' } })).rejects.toMatchObject({
      status: 404,
      serviceText: 'first',
    });
    expect(requests.map(({ url }) => url.replace(transport.baseUrl, ''))).toEqual([
      '/orders',
      '/orders/v2',
      '/orders/7',
      '/orders/v2/7',
    ]);
  });
});

describe('refusals', () => {
  it.each([
    [
      403,
      '{"error":"OMS v2 is not enabled","svc_error_code":""}',
      ServiceError,
      /may not use this order system.*OMS v2 is not enabled/,
      /move the account/,
    ],
    [
      403,
      '{"error":"OMS v2 is not enabled","svc_error_code":"OMS_DISABLED"}',
      ServiceError,
      /^(?!.*OMS_DISABLED).*may not use this order system.*OMS v2 is not enabled/,
      /move the account/,
    ],
    [
      403,
      '{"message":"request from unregistered IP address"}',
      ServiceError,
      /IP address of this machine is not registered/,
      /Check Static IP/,
    ],
    [403, '', ServiceError, /not allowed/, /Static IP/],
    [400, '{"error":"No IP addresses registered for user"}', ServiceError, /No IP address is registered/, /Register/],
    [
      400,
      '{"error":"quantity entered is not a multiple of current lots size"}',
      ServiceError,
      /not a multiple of the lot size.*quantity entered/,
      /lot size/,
    ],
    [400, '{"error":{"message":"inner text"}}', ServiceError, /refused the request.*inner text/, /^$/],
    [
      400,
      '<html><script>x</script><h1>Bad\r\nGateway</h1></html>',
      ForeignReplyError,
      /between n8n and the service.*a page for a browser.*It said: Bad Gateway$/,
      /A proxy/,
    ],
    [404, '{}', ServiceError, /nothing with this id or name/, /environment/],
    [401, '', SessionError, /does not accept the session/, /Test the credential/],
    [440, '', SessionError, /does not accept the session/, /Test the credential/],
    [302, '', ForeignReplyError, /elsewhere/, /base address/],
  ])('tell %s %s in plain words', async (status, text, type, message, hint) => {
    const { transport } = scriptedTransport([{ status, text }, { status: 503 }]);
    const failure = await transport
      .call<RequestParts, unknown>(endpoints.marginRequired, { body: {} })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(type);
    expect(failure).toMatchObject({
      status,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it('never repeat a secret that the service put in its text', async () => {
    const { transport } = scriptedTransport([
      { status: 400, text: '{"error":"bad token eyJhbGciOi.J9abc.def for PAN ABCDE1234F"}' },
    ]);
    const failure: unknown = await transport
      .call<RequestParts, unknown>(endpoints.placeOrder, { body: {} })
      .catch((error: unknown) => error);
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/eyJ|ABCDE1234F/);
  });

  it('calls a success that is no JSON unreadable', async () => {
    const { transport } = scriptedTransport([{ status: 200, text: '<html>login</html>' }]);
    await expect(transport.call(endpoints.orders)).rejects.toThrow(UnreadableReplyError);
  });
});

describe('rate limits', () => {
  it('are those of the environment', () => {
    expect(rateLimits('live').trading).toEqual({ count: 10, perMs: 1_000 });
    expect(rateLimits('uat').trading).toEqual({ count: 100, perMs: 1_000 });
    expect(rateLimits('sandbox').history).toEqual({ count: 60, perMs: 60_000 });
  });

  it('let at most the count through in any window, in order, for all transports together', async () => {
    const clock = new VirtualClock();
    const sent: { at: number; name: string }[] = [];
    const make = () =>
      createTransport({
        http: (request) => {
          sent.push({ at: clock.now(), name: request.url.split('/').at(-1)! });
          return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}') });
        },
        clock,
        random: () => 0.5,
        baseUrl: 'https://limited.example',
        deviceId: 'd',
        limits: rateLimits('live'),
      });
    const transports = [make(), make()];
    await Promise.all(
      Array.from({ length: 35 }, (_, at) =>
        transports[at % 2]!.call(endpoints.cancelOrder, { path: { order_id: String(at) } }),
      ),
    );
    expect(sent.map(({ name }) => name)).toEqual(Array.from({ length: 35 }, (_, at) => String(at)));
    for (let at = 10; at < sent.length; at++) expect(sent[at]!.at - sent[at - 10]!.at).toBeGreaterThan(1_000);
  });

  it('hold everything back for as long as a 429 asks', async () => {
    const clock = new VirtualClock();
    const limiter = createLimiter(undefined);
    limiter.hold(clock, 500);
    const from = clock.now();
    await limiter.turn(clock);
    expect(clock.now() - from).toBe(500);
  });
});

describe('streams', () => {
  it('throw a refusal as an error, and repeat before the first byte', async () => {
    const replies = [
      { status: 503, text: 'busy' },
      { status: 200, text: 'rows' },
      { status: 440, text: '' },
    ];
    const { transport } = scriptedTransport([], {
      httpStream: () => {
        const { status, text } = replies.shift()!;
        return Promise.resolve({
          status,
          headers: {},
          chunks: (async function* () {
            yield Buffer.from(text);
          })(),
        });
      },
    });
    const reply = await transport.stream(endpoints.refdata, { path: { date: '2026-11-20' } });
    let text = '';
    for await (const chunk of reply.chunks) text += Buffer.from(chunk).toString();
    expect(text).toBe('rows');
    await expect(transport.stream(endpoints.refdata, { path: { date: '2026-11-20' } })).rejects.toThrow(SessionError);
  });

  it('read the reply as a whole where nothing streams', async () => {
    const { transport } = scriptedTransport([{ text: 'abc' }]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await transport.stream(endpoints.refdata, { path: { date: '2026-11-20' } })).chunks)
      chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('abc');
  });
});

it('sends nothing that changes anything to what has not answered as a sandbox, and reads all the same', async () => {
  const clock = new VirtualClock();
  const sent: string[] = [];
  const market = new MarketClock(clock);
  const transport = createTransport({
    http: ({ url }) => {
      sent.push(url);
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('[]') });
    },
    clock,
    marketClock: market,
    random: () => 0.5,
    baseUrl: 'https://api.broker.example',
    deviceId: 'device-1',
  });
  const cancel = async () => await transport.fetch(endpoints.cancelOrders, { body: { orders: [] } });
  await transport.call(endpoints.orders);
  await expect(cancel()).rejects.toThrow(
    'Environment is Sandbox, but api.broker.example does not answer as brokerage-sandbox does.',
  );
  expect(sent).toHaveLength(1);
  market.onReply({ 'x-sandbox-time': String(clock.now()) });
  await cancel();
  expect(sent).toHaveLength(2);
});
