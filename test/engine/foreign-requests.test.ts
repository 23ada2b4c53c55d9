/**
 * Requests that are not of our nodes, in n8n's engine before it knew `restrictToSupportedNodes`: any node may use any
 * credential there. None gets a request signed, whatever it asks for.
 */
import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INodeType } from 'n8n-workflow';
import { endpoints } from '../../client/endpoints';
import { Engine } from '../support/engine';
import { IS_WHOLE } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { inFrontOf, scripted, type ScriptedServer } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

const RUNS = IS_WHOLE ? 2_000 : 75;
/** Text that nothing of ours sends. */
const MARKER = 'of-another-node';
const OTHER = 'other.foreign';

/** A node's request to n8n: by which helper, and whether it hands over the credential by itself. */
interface SeenRequest {
  helper: 'httpRequestWithAuthentication' | 'requestWithAuthentication';
  options: IHttpRequestOptions;
  /** Changes to the credential that it hands over; undefined where n8n reads the credential. */
  given?: IDataObject;
}

let asked: SeenRequest;

/** As HTTP Request, its tool, a Code node and a node that names the credential ask: with whatever the workflow says. */
const foreign: INodeType = {
  description: {
    displayName: 'Other',
    name: 'other',
    group: ['output'],
    version: 1,
    description: '',
    defaults: { name: 'Other' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'brokerageApi' }],
    properties: [],
  },
  async execute(this: IExecuteFunctions) {
    const { helper, options, given } = asked;
    const more =
      given === undefined
        ? undefined
        : {
            preAuthenticationRetryStatusCode: [401, 440],
            credentialsDecrypted: {
              id: 'credential-1',
              name: 'credential-1',
              type: 'brokerageApi',
              data: { ...(await this.getCredentials('brokerageApi')), ...given },
            },
          };
    const json = (await this.helpers[helper].call(
      this,
      'brokerageApi',
      options as never,
      more as never,
    )) as IDataObject;
    return [[{ json }]];
  },
};

let sandbox: TestSandbox;
/** The service, and a machine of somebody else: a host of theirs, or a proxy. */
let service: ScriptedServer;
let elsewhere: ScriptedServer;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  service = await inFrontOf(sandbox.url, () => undefined);
  elsewhere = await scripted(() => ({ status: 200, body: '{}' }));
  engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: service.url }, { [OTHER]: foreign });
  jest.spyOn(engine.credentials, 'isCredentialUsableByNode').mockReturnValue(true);
  expect((await engine.run({ resource: 'session', operation: 'getUser' })).error).toBeUndefined();
});
afterAll(async () => await Promise.all([service.close(), elsewhere.close(), sandbox.close()]));

async function ask(what: SeenRequest): Promise<string | undefined> {
  asked = what;
  const node = engine.node('brokerage', {}, { name: 'Other', type: OTHER });
  const run = await engine.runWorkflow({ nodes: [node], connections: {} }, { Other: [{ json: {} }] });
  return run.data.resultData.error?.message;
}

const bearer = () => [...service.seen, ...elsewhere.seen].filter(({ headers }) => headers.authorization !== undefined);
const isMarked = (request: object) => JSON.stringify(request).includes(MARKER);

const paths = Object.values(endpoints).map(({ path }) => path);
/**
 * Values that a text of a workflow, or code in a Code node, can put onto a request in the hope that they are taken for
 * a mark.
 */
const marks = fc.constantFrom<IDataObject>(
  {},
  ...['kept', 'ticket 1', 'ticket 2', '0'.repeat(32), ''].flatMap((value) => [
    { headers: { 'x-brokerage-ticket': value } },
    { headers: { 'X-Brokerage-Mark': value } },
    { [Symbol('proof of handover')]: value } as IDataObject,
    { [Symbol.for('proof of handover')]: value } as IDataObject,
    { 'proof of handover': value },
  ]),
);
const ways = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
  path: fc.oneof(
    fc.constantFrom(...paths),
    fc.constantFrom(
      '/userinfo?x=1',
      '/userinfo/',
      '/userinfo/../orders',
      '//userinfo',
      '/%75serinfo',
      '/USERINFO',
      '/',
    ),
  ),
  host: fc.constantFrom('service', 'elsewhere', 'userinfo@'),
  spelled: fc.constantFrom('url', 'uri', 'baseURL'),
  mark: marks,
  more: fc.constantFrom<IDataObject>(
    {},
    { body: { quantity: 25, marker: MARKER } },
    { qs: { marker: MARKER } },
    { ignoreHttpStatusErrors: true },
    { returnFullResponse: true, encoding: 'arraybuffer' },
    { skipSslCertificateValidation: true, rejectUnauthorized: false },
    { json: true },
  ),
  isProxied: fc.boolean(),
});
const given = fc.constantFrom<IDataObject | undefined>(
  undefined,
  {},
  { sessionToken: '' },
  { loginClaim: 'ticket 1' },
  { sessionToken: '', loginClaim: 'ticket 3' },
  { mark: 'credential credential-1' },
);

it('a foreign request gets nothing signed, whatever method, path, host, proxy, headers and credential it names', async () => {
  await fc.assert(
    fc.asyncProperty(
      ways,
      given,
      fc.constantFrom<SeenRequest['helper']>('httpRequestWithAuthentication', 'requestWithAuthentication'),
      async ({ method, path, host, spelled, mark, more, isProxied }, change, helper) => {
        const base =
          host === 'service'
            ? service.url
            : host === 'elsewhere'
              ? elsewhere.url
              : `${service.url}@${new URL(elsewhere.url).host}`;
        const before = bearer().length;
        const proxy = new URL(elsewhere.url);
        const options = {
          method,
          ...(spelled === 'baseURL' ? { baseURL: base, url: path } : { [spelled]: `${base}${path}` }),
          ...more,
          ...mark,
          headers: { 'x-marker': MARKER, ...(mark.headers as object | undefined) },
          ...(isProxied ? { proxy: { host: proxy.hostname, port: Number(proxy.port), protocol: 'http' } } : {}),
        } as unknown as IHttpRequestOptions;
        const error = await ask({ helper, options, given: change });
        expect(service.seen.filter(isMarked)).toEqual([]);
        expect(elsewhere.seen).toEqual([]);
        const isTest = error === undefined;
        if (!isTest) expect(error).toMatch(/was not sent/);
        // What a login step asks by itself, and the credential's test: nothing but who the session belongs to.
        const sent = bearer().slice(before);
        expect(sent.filter(({ method: by, url }) => by !== 'GET' || url !== '/userinfo')).toEqual(
          sent.filter(({ url }) => url === '/verifypin'),
        );
        if (isTest) expect([method, path.replace(/^\/+/, '/')]).toEqual(['GET', '/userinfo']);
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 600_000);

it('the requests of our nodes are unchanged: signed, without a trace of what marks them', async () => {
  const before = service.seen.length;
  const { error } = await engine.run({ resource: 'portfolio', operation: 'getHoldings', returnAll: true });
  expect(error).toBeUndefined();
  // The sandbox's time is asked for without a session.
  const sent = service.seen.slice(before).filter(({ url }) => url !== '/_sandbox/health');
  expect(sent.length).toBeGreaterThan(0);
  for (const { headers } of sent) {
    expect(headers.authorization).toMatch(/^Bearer ./);
    expect(Object.keys(headers).filter((name) => /ticket|mark|proof|brokerage/.test(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toMatch(/\b[\da-f]{32}\b/);
  }
});

it.each([401, 440])(
  'a request of ours that is refused with %i is signed again after one login, not again by n8n',
  async (status) => {
    let refuse = true;
    const front = await inFrontOf(sandbox.url, ({ url }) => {
      if (!url.startsWith('/portfolio') || !refuse) return undefined;
      refuse = false;
      return { status, body: '{}' };
    });
    const own = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: front.url, deviceId: `refused ${status}` });
    const { error } = await own.run({ resource: 'portfolio', operation: 'getHoldings', returnAll: true });
    await front.close();
    expect(error).toBeUndefined();
    expect(front.seen.filter(({ url }) => url.startsWith('/portfolio'))).toHaveLength(2);
  },
);
