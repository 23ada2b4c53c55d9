import { authHeaders } from '../../../client/session/auth-headers';
import { BASE } from '../../support/login-service';
import { TOTP_FIELDS } from '../../support/stored-credential';

const signed = (more: object, url = `${BASE}/orders`) => authHeaders({ ...TOTP_FIELDS, ...more }, url);

it('a request carries the session and the device', () => {
  expect(signed({ sessionToken: 'token-1' })).toEqual({ Authorization: 'Bearer token-1', 'x-device-id': 'n8n' });
});

it.each([
  'https://evil.example/orders',
  'https://api.broker.example:8443/orders',
  'http://api.broker.example/orders',
  'https://api.broker.example.evil.example/orders',
  '/orders',
])('no session goes to %s', (url) => {
  expect(() => signed({ sessionToken: 'token-1' }, url)).toThrow(
    expect.objectContaining({
      name: 'InputError',
      message: 'A request to another address than that of the credential was not sent.',
      hint: 'The session of this credential goes to the base address of its environment only.',
    }),
  );
});

it('a session that no header can hold is not shown', () => {
  expect(() => signed({ sessionToken: 'to\nken' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('ken\n') as string, parameter: 'sessionToken' }),
  );
});

describe('without a session', () => {
  it('says how to get one', () => {
    expect(() => signed({})).toThrow(
      expect.objectContaining({
        name: 'SessionError',
        message: 'n8n is not logged in with this credential yet.',
        hint: 'Open the credential and save it: that logs in.',
        parameter: undefined,
      }),
    );
  });

  it('says why the last login brought none', () => {
    const problem = { message: 'The MPIN was refused.', hint: 'Correct it.', parameter: 'mpin', final: true };
    expect(() => signed({ loginState: JSON.stringify({ problem }) })).toThrow(
      expect.objectContaining({ message: 'The MPIN was refused.', hint: 'Correct it.', parameter: 'mpin' }),
    );
  });
});
