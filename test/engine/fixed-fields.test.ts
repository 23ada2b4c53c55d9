/** The fields of the credential that say where secrets go and what orders may be take fixed values: data of a workflow decides none. */
import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import type { IDataObject, IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';
import { BrokerageApi } from '../../credentials/BrokerageApi.credentials';
import { FIXED_CREDENTIAL_FIELDS } from '../../client/session/fixed-fields';
import { Engine } from '../support/engine';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox();
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const ask = async (credential: IDataObject, items: IDataObject[]) => {
  await engine.setCredential({ ...sandbox.credential, ...credential } as typeof sandbox.credential);
  return await engine.run(
    { resource: 'session', operation: 'getUser', simplify: true },
    { items: items.map((json) => ({ json })) },
  );
};
/** As the credential gets it from n8n. */
const helper = {
  helpers: {
    httpRequest: async (options: IHttpRequestOptions) => await Container.get(OutboundHttp).requests().request(options),
  },
} as unknown as IHttpRequestHelper;
const logins = async () => (await sandbox.control<{ logins: number }>('GET', 'stats')).logins;

it('each fixed field takes no expression in the form, and only what names the account and its secrets does', () => {
  const { properties } = new BrokerageApi();
  for (const [name, { label }] of Object.entries(FIXED_CREDENTIAL_FIELDS))
    expect(properties.find((property) => property.name === name)).toMatchObject({
      displayName: label,
      noDataExpression: true,
    });
  expect(
    properties.filter(({ type, noDataExpression }) => type !== 'hidden' && !noDataExpression).map(({ name }) => name),
  ).toEqual([
    'phone',
    'exchangeClientCode',
    'clientCode',
    'username',
    'password',
    'mpin',
    'totpSecret',
    'otp',
    'pastedToken',
  ]);
});

it.each([
  ['maxQuantity', '={{ $json.max }}', { max: 5 }, 'Largest Quantity'],
  ['maxOrderValue', '={{ $json.max }}', {}, 'Largest Order Value'],
  ['maxQuantity', '={{ $vars.NOT_THERE }}', {}, 'Largest Quantity'],
  ['maxQuantity', null, {}, 'Largest Quantity'],
  ['maxQuantity', '100', {}, 'Largest Quantity'],
  ['maxPriceDistance', '', {}, 'Largest Distance'],
  ['dryRun', '={{ $json.dry }}', {}, 'Dry Run'],
  ['dryRun', '={{ $json.dry }}', { dry: false }, 'Dry Run'],
  ['dryRun', 'false', {}, 'Dry Run'],
  ['dryRun', null, {}, 'Dry Run'],
  ['limitOrders', '={{ $json.limit === true }}', {}, 'Limit Orders'],
  ['allowLiveOrders', '={{ $json.live }}', { live: true }, 'Allow Live Orders'],
  ['allowedInstruments', '={{ $json.symbols }}', { symbols: '' }, 'Allowed Instruments'],
  ['allowedExchanges', 'NSE', {}, 'Allowed Exchanges'],
  ['allowedExchanges', ['={{ $json.exchange }}'], { exchange: 'MCX' }, 'Allowed Exchanges'],
  ['allowedProducts', ['={{ $json.product }}'], {}, 'Allowed Products'],
  ['sandboxBaseUrl', '={{ $json.url }}', { url: 'http://127.0.0.1:1' }, 'Sandbox Base Address'],
  ['environment', '={{ $json.environment }}', { environment: 'sandbox' }, 'Environment'],
  ['streamHosts', '={{ $json.host }}', { host: 'evil.example' }, 'Further Stream Hosts'],
])('%s = %j with %j is refused by its name, and nothing is sent', async (name, value, json, label) => {
  const limits = name === 'limitOrders' ? {} : { limitOrders: true };
  const live = name === 'allowLiveOrders' ? { environment: 'live', liveBaseUrl: 'https://broker.example' } : {};
  const { error } = await ask({ ...limits, ...live, [name]: value } as IDataObject, [json as IDataObject]);
  expect(error?.message).toContain(label);
  expect(error?.description).toMatch(/fixed value.*Nothing was sent/);
});

it('a value that differs from the tested one is refused; the same one is accepted, and a secret may be an expression', async () => {
  const type = new BrokerageApi();
  const credential = { ...sandbox.credential, limitOrders: true, maxQuantity: 5, deviceId: 'sealed' };
  const tested = await type.preAuthentication.call(helper, credential);
  expect((await ask({ ...credential, ...tested }, [{}])).error).toBeUndefined();
  for (const [name, value, label] of [
    ['maxQuantity', 6, 'Largest Quantity'],
    ['maxQuantity', "={{ $('Start Brokerage').first().json.max }}", 'Largest Quantity'],
    ['sandboxBaseUrl', 'http://127.0.0.1:1', 'Sandbox Base Address'],
    ['limitOrders', false, 'Limit Orders'],
  ] as const) {
    const { error } = await ask({ ...credential, ...tested, [name]: value }, [{ max: 6 }]);
    expect(error?.message).toContain(`${label}`);
  }
  const secret = await ask({ ...credential, ...tested, mpin: `={{ "${String(sandbox.credential.mpin)}" }}` }, [{}]);
  expect(secret.error).toBeUndefined();
});

it('refuses at the test of the credential, before anything is sent', async () => {
  const before = await logins();
  const credential = { ...sandbox.credential, limitOrders: true, maxQuantity: null };
  await expect(
    new BrokerageApi().preAuthentication.call(helper, credential as unknown as typeof sandbox.credential),
  ).rejects.toThrow(/Largest Quantity in the credential must be a number/);
  expect(await logins()).toBe(before);
});
