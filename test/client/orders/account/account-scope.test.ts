/** One account has one scope of keys, however it is logged in to. */
import { ServiceError } from '../../../../client/base/errors';
import { AccountScopes } from '../../../../client/orders/account/account-scope';
import type { Transport } from '../../../../client/transport';

const byPhone = {
  environment: 'sandbox',
  sandboxBaseUrl: 'https://one.broker.example',
  loginMethod: 'totp',
  phone: '9000000001',
  deviceId: 'n8n',
};
const byToken = { ...byPhone, loginMethod: 'sessionToken', pastedToken: 'a.b.c', deviceId: 'other' };

function serving(codes: (string | undefined | Error)[]): { transport: Transport; asked: () => number } {
  let requested = 0;
  const call = async (): Promise<object> => {
    const code = codes[Math.min(requested++, codes.length - 1)];
    if (code instanceof Error) throw code;
    return { client_code: code, env_info: {} };
  };
  return { transport: { call } as unknown as Transport, asked: () => requested };
}

it('the scope is the same by phone and by a pasted token, and is asked for once for each credential', async () => {
  const { transport, asked: requested } = serving(['AB1234']);
  const scopes = new AccountScopes();
  const [phone, token] = [await scopes.of(byPhone, transport), await scopes.of(byToken, transport)];
  expect(token).toBe(phone);
  await scopes.of(byPhone, transport);
  expect(requested()).toBe(2);
});

it('the scope is another for another account of the same device, and in another environment', async () => {
  const { transport } = serving(['AB1234', 'CD5678', 'AB1234']);
  const scopes = new AccountScopes();
  const first = await scopes.of(byToken, transport);
  expect(await scopes.of({ ...byToken, pastedToken: 'd.e.f' }, transport)).not.toBe(first);
  const uat = { ...byToken, environment: 'uat', uatBaseUrl: byToken.sandboxBaseUrl };
  expect(await scopes.of(uat, transport)).not.toBe(first);
});

it('the scope is that of the credential where the service names none', async () => {
  const scopes = new AccountScopes();
  const { transport } = serving([undefined]);
  expect(await scopes.of(byPhone, transport)).toContain('9000000001');
});

it('the scope is not known by an answer that is about no user: under another one an order could be placed twice', async () => {
  const transport = { call: async () => ({}) } as unknown as Transport;
  await expect(new AccountScopes().of(byPhone, transport)).rejects.toThrow('tells nothing of the user');
});

it('a scope that could not be read is not remembered', async () => {
  const { transport } = serving([new ServiceError('x', { status: 503, serviceText: '' }), 'AB1234']);
  const scopes = new AccountScopes();
  await expect(scopes.of(byPhone, transport)).rejects.toThrow('x');
  expect(await scopes.of(byPhone, transport)).toContain('AB1234');
});

it('the scope is another at another address of the same environment', async () => {
  const { transport } = serving(['AB1234']);
  const scopes = new AccountScopes();
  const first = await scopes.of(byPhone, transport);
  expect(await scopes.of({ ...byPhone, sandboxBaseUrl: 'https://two.broker.example' }, transport)).not.toBe(first);
});

it('the scope is not what a credential of somebody else with the same phone and address was told', async () => {
  const { transport } = serving(['THEIRS', 'AB1234']);
  const scopes = new AccountScopes();
  const [theirs, own] = [
    { ...byPhone, mark: '11111111-1111-4111-8111-111111111111' },
    { ...byPhone, mark: '22222222-2222-4222-8222-222222222222' },
  ];
  expect(await scopes.of(theirs, transport)).toContain('THEIRS');
  expect(await scopes.of(own, transport)).toContain('AB1234');
  expect(await scopes.of(own, transport)).toContain('AB1234');
});
