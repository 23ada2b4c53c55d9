import { ServiceError, SessionError, UnreadableReplyError } from '../../../client/base/errors';
import {
  checkStaticIp,
  disableTotp,
  enableTotp,
  generateTotpSecret,
  getUserInfo,
  isSessionAlive,
  logOut,
} from '../../../client/session/account';
import type { Transport } from '../../../client/transport';
import { scriptedTransport, type Scripted } from '../../support/scripted-transport';

const answers = (...replies: Scripted[]) => scriptedTransport(replies);
const text = (value: unknown): Scripted => ({ text: JSON.stringify(value) });
const refusal = (status: number, error: string): Scripted => ({ status, text: JSON.stringify({ error }) });
const stopped = () => {
  const controller = new AbortController();
  controller.abort(new Error('stopped'));
  return controller.signal;
};

it('the user comes as the service sends it, and is never anything but an object', async () => {
  expect(await getUserInfo(answers(text({ client_code: 'C1', more: 7 })).transport)).toEqual({
    client_code: 'C1',
    more: 7,
  });
  await expect(getUserInfo(answers(text(['C1'])).transport)).rejects.toThrow(UnreadableReplyError);
});

it.each([{}, { data: null }, { client_code: null }, { orders: [], count: 0 }])(
  'an answer that tells nothing of a user or an address is neither: %j',
  async (reply) => {
    const says = /tells nothing of the user/;
    await expect(getUserInfo(answers(text(reply)).transport)).rejects.toThrow(says);
    await expect(isSessionAlive(answers(text(reply)).transport)).rejects.toThrow(says);
    await expect(checkStaticIp(answers(text(reply)).transport)).rejects.toThrow(/does not say whether the address/);
  },
);

describe('the session', () => {
  it.each([401, 440])('is not valid where the service answers %i, and no login follows', async (status) => {
    const { transport, requests } = answers(refusal(status, 'session expired'));
    expect(await isSessionAlive(transport)).toBe(false);
    expect(requests).toMatchObject([{ method: 'GET', keepSession: true }]);
  });

  it('is valid where the service tells of the user', async () => {
    expect(await isSessionAlive(answers(text({ client_code: 'C1' })).transport)).toBe(true);
  });

  it('is not known where something else answers', async () => {
    await expect(isSessionAlive(answers(text([])).transport)).rejects.toThrow(UnreadableReplyError);
    await expect(isSessionAlive(answers(refusal(403, 'blocked')).transport)).rejects.toThrow(ServiceError);
  });
});

describe('the addresses of the account', () => {
  const NONE = { current_ip_address: null, primary_ip_address: null, secondary_ip_address: null };

  it('come with what is known of each', async () => {
    const reply = { is_matched: true, current_ip_address: '203.0.113.7', primary_ip_address: '203.0.113.7' };
    expect(await checkStaticIp(answers(text({ ...reply, secondary_ip_address: '' })).transport)).toEqual({
      ...reply,
      is_registered: true,
      secondary_ip_address: null,
    });
  });

  it.each([false, 'true', 1, null])('match only where the service says true, not %j', async (is_matched) => {
    expect(await checkStaticIp(answers(text({ is_matched })).transport)).toEqual({
      ...NONE,
      is_matched: false,
      is_registered: true,
    });
  });

  it('may be none: that is an answer', async () => {
    const none = refusal(400, 'No IP addresses registered for user');
    expect(await checkStaticIp(answers(none).transport)).toEqual({ ...NONE, is_matched: false, is_registered: false });
  });

  it.each([
    [400, 'invalid request'],
    [422, 'No IP addresses registered for user'],
    [404, 'no ip address'],
  ])('are not known after any other refusal (%i %s)', async (status, error) => {
    await expect(checkStaticIp(answers(refusal(status, error)).transport)).rejects.toMatchObject({ status });
  });

  it('are not known after a refusal of the session that has these words', async () => {
    await expect(checkStaticIp(answers(refusal(401, 'no ip address')).transport)).rejects.toThrow(SessionError);
  });
});

describe('logging out', () => {
  it('ends the session', async () => {
    const { transport, requests } = answers({});
    expect(await logOut(transport)).toBe(true);
    expect(requests).toMatchObject([{ method: 'POST', url: `${transport.baseUrl}/logout` }]);
  });

  it('finds none to end where it has expired, and says what else went wrong', async () => {
    expect(await logOut(answers(refusal(440, 'session expired')).transport)).toBe(false);
    await expect(logOut(answers(refusal(500, 'no')).transport)).rejects.toThrow(ServiceError);
  });
});

describe('a new TOTP secret', () => {
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

  it('comes with its picture', async () => {
    const data = { secret_key: 'KRSXG5CTMVRXEZLU', qr_image: `data:image/png;base64,${PNG.toString('base64')}` };
    const { secret, image } = await generateTotpSecret(answers(text({ data })).transport);
    expect([secret, Buffer.from(image!)]).toEqual(['KRSXG5CTMVRXEZLU', PNG]);
  });

  it.each([
    'data:image/svg+xml;base64,PHN2Zz4=',
    'x data:image/png;base64,iVBORw==',
    'data:image/png;base64,iVBORw==; x',
    'https://pictures.example/qr.png',
    '',
  ])('comes without one that is no PNG: %j', async (qr_image) => {
    const data = { secret_key: 'KRSXG5CTMVRXEZLU', qr_image };
    expect(await generateTotpSecret(answers(text({ data })).transport)).toEqual({
      secret: 'KRSXG5CTMVRXEZLU',
      image: undefined,
    });
  });

  it.each(['123456', 'ABC', 'KRSXG5CTMVRXEZL1', '<html>'])('must make codes: %j', async (secret) => {
    const { transport } = answers(text({ data: { secret_key: secret } }));
    const refused = (await generateTotpSecret(transport).catch((error: unknown) => error)) as Error;
    expect(refused.message).toMatch(/a TOTP secret that makes no codes/);
    expect(refused.message).not.toContain(secret);
  });

  it('must be there', async () => {
    const { transport } = answers(text({ data: { secret_key: '' } }));
    await expect(generateTotpSecret(transport)).rejects.toThrow(
      new UnreadableReplyError("The service's answer holds no TOTP secret (GET /totp/generate-secret)."),
    );
  });
});

const ON = { mpin: '2468', totp: '123456' };
const OFF = { mpin: '2468' };
type Change = (transport: Transport) => Promise<string>;

describe.each<[string, Change, string, object, string]>([
  ['TOTP switched on', async (by) => await enableTotp(by, ON.mpin, ON.totp), 'totp/enable', ON, 'the code or the MPIN'],
  ['TOTP switched off', async (by) => await disableTotp(by, OFF.mpin), 'totp/disable', OFF, 'the MPIN'],
])('%s', (_what, send, path, body, what) => {
  it('is sent once, after the session was seen to be valid', async () => {
    const { transport, requests } = answers(text({}), text({ message: 'Done' }));
    expect(await send(transport)).toBe('Done');
    expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'GET /userinfo',
      `POST /${path}`,
    ]);
    expect(JSON.parse(requests[1]!.body!)).toEqual(body);
  });

  it('is refused where a success says that it failed', async () => {
    const { transport, requests } = answers(text({}), text({ status: 'error', message: 'Invalid TOTP' }));
    await expect(send(transport)).rejects.toThrow(`The service refused ${what}. It said: Invalid TOTP`);
    expect(requests).toHaveLength(2);
  });

  it('is not sent with a session that has expired', async () => {
    const { transport, requests } = answers(refusal(440, 'session expired'));
    await expect(send(transport)).rejects.toThrow(SessionError);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['wrong', ` It said: wrong`],
    ['', ''],
  ])('a 401 is a refusal of what was sent, not of the session (%j)', async (error, said) => {
    const { transport, requests } = answers(text({}), refusal(401, error));
    const refused = await send(transport).catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(ServiceError);
    expect(refused).toMatchObject({
      message: `The service refused ${what}.${said}`,
      status: 401,
      serviceText: error,
      hint: 'It was sent once and is not sent again. Several wrong attempts can lock the account.',
    });
    expect(requests).toHaveLength(2);
  });

  it('any other failure passes through unchanged', async () => {
    const { transport } = answers(text({}), refusal(400, 'already so'));
    await expect(send(transport)).rejects.toMatchObject({ name: 'ServiceError', status: 400 });
  });
});

it.each([
  ['the user', getUserInfo],
  ['the session', isSessionAlive],
  ['the addresses', checkStaticIp],
  ['the end of the session', logOut],
  ['a secret', generateTotpSecret],
])('an execution that was stopped asks nothing: %s', async (_what, ask) => {
  const { transport, requests } = answers();
  await expect(ask(transport, stopped())).rejects.toThrow('stopped');
  expect(requests).toEqual([]);
});
