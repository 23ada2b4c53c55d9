/** A reply that drips, or is larger than it may be: it ends, in every kind of request, and an order is then unknown. */
import { gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { passDeadlines } from '../support/deadlines';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { IS_WHOLE } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inFrontOf, type Answer, type ScriptedServer, type Seen } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));
jest.mock('../../nodes/host/requestDeadline', () => jest.requireActual('../support/deadlines'));

let sandbox: TestSandbox;
let server: ScriptedServer;
let engine: Engine;
let answer: (request: Seen) => Answer | undefined = () => undefined;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  server = await inFrontOf(sandbox.url, (request) => answer(request));
  engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: server.url });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});
beforeEach(async () => {
  answer = () => undefined;
  await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
});

const at = (path: string, given: (request: Seen) => Answer): void => {
  answer = (request) => (request.url.startsWith(path) ? given(request) : undefined);
};

/** A reply that begins and never ends; its deadline passes as soon as it has begun. */
async function* drip(beginning = ' '): AsyncGenerator<string> {
  yield beginning;
  passDeadlines();
  await new Promise(() => undefined);
}
const dripping = (status = 200, beginning?: string): Answer => ({ status, body: drip(beginning) });

describe('a reply that drips', () => {
  it('a read ends at its deadline', async () => {
    at('/userinfo', () => dripping());
    const { error } = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
    expect(error?.message).toContain('did not answer completely within 30 seconds');
  });

  it('a reply of which not even the headers are complete ends at its deadline, too', async () => {
    answer = ({ url }) => {
      if (url !== '/userinfo') return undefined;
      setImmediate(passDeadlines);
      return 'nothing';
    };
    const { error } = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
    expect(error?.message).toContain('did not answer completely within 30 seconds');
  });

  it('a refusal ends at its deadline', async () => {
    at('/userinfo', () => dripping(403, '{"error":"'));
    const { error } = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
    expect(error?.message).toContain('did not answer completely within 30 seconds');
  });

  it('an order is then unknown, with its tag, and not sent again', async () => {
    at('/orders/v2/single', () => dripping());
    const before = server.seen.filter(({ url }) => url === '/orders/v2/single').length;
    const { error } = await engine.run(orderForm({ options: { tag: 'slow' } }));
    expect(error?.message).toContain('not known whether the order was placed');
    expect(error?.message).toContain('within 15 seconds');
    expect(error?.description).toMatch(/tag slow-[a-z2-7]{12}/);
    await engine.run(orderForm({ options: { tag: 'slow' } }), { retryOnFail: true });
    expect(server.seen.filter(({ url }) => url === '/orders/v2/single')).toHaveLength(before + 2);
  });

  it.each(['/totp/login', '/verifypin'])('a login ends at %s, and the request is not made', async (step) => {
    const fresh = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: server.url, deviceId: `slow ${step}` });
    at(step, () => dripping());
    const before = server.seen.filter(({ url }) => url === '/userinfo').length;
    const { error } = await fresh.run({ resource: 'session', operation: 'getUser', simplify: true });
    expect(error?.message).toContain('did not answer completely within 30 seconds');
    expect(server.seen.filter(({ url }) => url === '/userinfo')).toHaveLength(before);
  });

  it('the request that tests the credential ends at its deadline', async () => {
    const requests = Container.get(OutboundHttp).requests();
    const helper = {
      helpers: { httpRequest: async (options: IHttpRequestOptions) => await requests.request(options) },
    };
    const type = new BrokerageApi();
    const credential = { ...sandbox.credential, sandboxBaseUrl: server.url, deviceId: 'slow test' };
    const tested = await type.preAuthentication.call(helper as unknown as IHttpRequestHelper, credential);
    at('/userinfo', () => dripping());
    const request = { ...type.test.request, baseURL: server.url } as IHttpRequestOptions;
    await expect(
      requests.request(await type.authenticate({ ...credential, ...tested } as typeof credential, request)),
    ).rejects.toThrow('canceled');
  });

  it('a download ends at its deadline, while its rows are read', async () => {
    at('/bhavcopy', () => dripping(200, 'SYMBOL,SERIES,OPEN\nINFY,EQ,1\n'));
    const { error, items } = await engine.run({
      resource: 'bhavcopy',
      operation: 'download',
      fileType: 'BhavcopyCM',
      day: 'latest',
      fileFormat: 'csv',
      options: {},
    });
    expect(items).toEqual([]);
    expect(error?.message).toContain('did not answer completely within 900 seconds');
  });
});

describe('a reply that is too large', () => {
  const MB = 1_000_000;
  /** A megabyte of blanks, packed. What is packed in parts, one after the other, is unpacked as one. */
  const part = gzipSync(Buffer.alloc(MB, ' '));
  function* parts(bytes: number): Generator<Uint8Array> {
    for (let sent = 0; sent < bytes; sent += MB) yield part;
  }
  /** Packs an answer of this many bytes, all blanks: a few hundred kilobytes on the wire. */
  const packed = (status: number, bytes: number): Answer => ({
    status,
    headers: { 'content-encoding': 'gzip' },
    body: Readable.from(parts(bytes)),
  });

  it('400 MB in gzip are refused, and do not become memory', async () => {
    at('/userinfo', () => packed(200, 400 * MB));
    const before = process.memoryUsage.rss();
    let max = before;
    const watch = setInterval(() => (max = Math.max(max, process.memoryUsage.rss())), 5);
    const { error } = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
    clearInterval(watch);
    expect(error?.message).toContain('more than the 64 MB');
    expect(max - before).toBeLessThan(200 * MB);
  });

  it('the beginning of a refusal is read, and no more', async () => {
    at('/userinfo', () => packed(403, 100 * MB));
    const { error } = await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
    expect(error?.message).toContain('not allowed to do this (status 403');
  });

  it('an order is then unknown', async () => {
    at('/orders/v2/single', () => packed(200, (IS_WHOLE ? 100 : 66) * MB));
    const { error } = await engine.run(orderForm({ options: { tag: 'large' } }));
    expect(error?.message).toContain('not known whether the order was placed');
    expect(error?.description).toMatch(/tag large-[a-z2-7]{12}/);
  });

  it('a report has a larger limit, and one all the same', async () => {
    at('/report/demat', () => packed(200, (IS_WHOLE ? 210 : 66) * MB));
    const { error } = await engine.run({
      resource: 'report',
      operation: 'download',
      report: 'demat',
      from: '2026-11-01',
      to: '2026-11-10',
      options: {},
    });
    // 200 MB take seconds to unpack; that 64 MB are no limit of a report is seen sooner.
    expect([error !== undefined, /more than the \d+ MB/.exec(error?.message ?? '')?.[0]]).toEqual([
      true,
      IS_WHOLE ? 'more than the 200 MB' : undefined,
    ]);
  });
});
