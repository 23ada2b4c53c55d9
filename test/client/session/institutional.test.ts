import type { WireRequest, WireResponse } from '../../../client/base/ports';
import { tradingScope } from '../../../client/orders/model/tags';
import { fingerprintLogin, readSettings, secretsOf } from '../../../client/session/settings';
import { MPIN } from '../../support/login-service';
import { Stored, TOTP_FIELDS } from '../../support/stored-credential';

const INSTITUTION = { exchangeClientCode: 'EX1', clientCode: 'CL1', username: 'desk', password: ' pass word ' };
const FIELDS = { ...TOTP_FIELDS, ...INSTITUTION, loginMethod: 'institutional', phone: '', totpSecret: '' };

const reply = (status: number, body: object): WireResponse => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});

/** @returns the bodies sent to `/login-insti`. */
function institutional(stored: Stored, answer: (body: object) => WireResponse | Promise<WireResponse>): object[] {
  const sent: object[] = [];
  const { http } = stored.service;
  stored.service.http = async (request: WireRequest, signal) => {
    if (request.url.endsWith('/verifypin')) return reply(200, { session_token: 'session' });
    if (request.url.endsWith('/userinfo')) return reply(200, { env_info: {} });
    if (!request.url.endsWith('/login-insti')) return await http(request, signal);
    const body = JSON.parse(request.body ?? '') as object;
    sent.push(body);
    return await answer(body);
  };
  return sent;
}

describe('the login of an institution', () => {
  it('sends codes, name and password once, then the MPIN, and needs no phone', async () => {
    const stored = new Stored({ ...FIELDS });
    const sent = institutional(stored, () => reply(200, { auth_token: 'auth' }));
    expect(await stored.save()).toBe('');
    expect(sent).toEqual([
      { exchange_client_code: 'EX1', client_code: 'CL1', username: 'desk', password: ' pass word ' },
    ]);
    expect(stored.state.sessionToken).toBe('session');
  });

  it.each(['exchangeClientCode', 'clientCode', 'username', 'password', 'mpin'])(
    '%s must be filled in',
    async (name) => {
      const stored = new Stored({ ...FIELDS, [name]: '' });
      const sent = institutional(stored, () => reply(200, { auth_token: 'auth' }));
      expect(await stored.save()).toMatch(/is empty/);
      expect(sent).toEqual([]);
    },
  );

  it('a refused password is never sent again until the credential changes, and is not shown', async () => {
    const stored = new Stored({ ...FIELDS, password: 'hunter-22' });
    const sent = institutional(stored, () => reply(401, { error: 'wrong password hunter-22' }));
    const said = await stored.save();
    expect(said).toMatch(/institutional login was refused/);
    expect(said).not.toContain('hunter-22');
    stored.restart();
    await stored.save();
    expect(sent).toHaveLength(1);
    await stored.save({ password: 'other-33' });
    expect(sent).toHaveLength(2);
  });

  it('a password whose answer was lost is not sent again unattended', async () => {
    const stored = new Stored({ ...FIELDS });
    const sent = institutional(stored, () => {
      throw new Error('gone');
    });
    await stored.save();
    expect(await stored.save({ unattended: true })).toMatch(/password was sent, but no answer came/);
    expect(sent).toHaveLength(1);
    await stored.save({ unattended: false });
    expect(sent).toHaveLength(2);
  });

  it('a page with 403 is no refused password', async () => {
    const stored = new Stored({ ...FIELDS });
    institutional(stored, () => ({ status: 403, headers: {}, body: Buffer.from('<html>no</html>') }));
    expect(await stored.save()).toMatch(/The password was not refused/);
  });

  it('each of its fields belongs to the session, and the account is the client code', () => {
    const base = readSettings(FIELDS);
    for (const name of Object.keys(INSTITUTION))
      expect(fingerprintLogin(readSettings({ ...FIELDS, [name]: 'changed' }))).not.toBe(fingerprintLogin(base));
    expect(tradingScope({ ...FIELDS, phone: '9000000001' })).toMatch(/client CL1$/);
    expect(secretsOf(FIELDS)).toEqual([MPIN, 'pass word']);
  });
});
