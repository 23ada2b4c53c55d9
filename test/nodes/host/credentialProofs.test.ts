import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import {
  handOverRenewal,
  markRequest,
  takeLogin,
  takeMark,
  takeRenewal,
  withLogin,
} from '../../../nodes/host/credentialProofs';
import { clock } from '../../support/virtual-clock';

jest.mock('../../../nodes/host/clock', () => jest.requireActual('../../support/virtual-clock'));

const FIELDS = {
  mark: 'credential one',
  environment: 'live',
  liveBaseUrl: 'https://api.broker.example',
  uatBaseUrl: 'https://uat.broker.example',
  deviceId: 'n8n',
  loginMethod: 'totp',
  phone: '9000000001',
  sessionToken: 'the token',
};
const REQUEST: IHttpRequestOptions = { method: 'POST', url: 'https://api.broker.example/orders', body: '{}' };
const MINUTE_MS = 60_000;

/** Another credential, or the same one to another place. */
const otherFields = fc.constantFrom(
  { mark: 'credential two' },
  { environment: 'uat' },
  { liveBaseUrl: 'https://api.foreign.example' },
  { liveBaseUrl: 'https://api.broker.example:8443' },
  { liveBaseUrl: 'https://api.broker.example/other' },
  { deviceId: 'other' },
  { loginMethod: 'otp' },
  { phone: '9000000002' },
);

/** Each thing that is handed over: how it is, and who takes it with which fields. */
const HANDED = {
  'a renewal': () => {
    const { fields } = handOverRenewal(FIELDS, { step: 'login', otp: '123456' });
    return {
      carrier: fields,
      take: (change: object) => takeRenewal(Object.assign({ ...fields }, change)) !== undefined,
    };
  },
  'a login': () => {
    const output = withLogin(FIELDS, { sessionToken: 'new' });
    return { carrier: output, take: (change: object) => takeLogin({ ...FIELDS, ...output, ...change }) !== undefined };
  },
  'a request': () => {
    const { request } = markRequest(REQUEST, FIELDS);
    return { carrier: request, take: (change: object) => takeMark({ ...request }, { ...FIELDS, ...change }) };
  },
};

describe.each(Object.keys(HANDED) as (keyof typeof HANDED)[])('%s', (name) => {
  it('is taken once, through the copies that n8n makes', () => {
    const { take } = HANDED[name]();
    expect([take({}), take({}), take({})]).toEqual([true, false, false]);
  });

  it('is not taken by another credential, and by nobody after one has tried', () => {
    fc.assert(
      fc.property(otherFields, (change) => {
        const { take } = HANDED[name]();
        expect([take(change), take({})]).toEqual([false, false]);
      }),
    );
  });

  it.each([
    [MINUTE_MS - 1, true],
    [MINUTE_MS, false],
    [24 * 60 * MINUTE_MS, false],
  ])('is there after %i ms: %s', async (ms, isThere) => {
    const { take } = HANDED[name]();
    await clock.sleep(ms);
    expect(take({})).toBe(isThere);
  });

  it('is carried by nothing that is written down, and every time under another key of 128 bits', () => {
    const carriers = Array.from({ length: 50 }, () => HANDED[name]().carrier);
    const keys = carriers.flatMap((carrier) =>
      Object.getOwnPropertySymbols(carrier).map((symbol) => (carrier as Record<symbol, unknown>)[symbol]),
    );
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) {
      expect(key).toMatch(/^[\da-f]{32}$/);
      expect(JSON.stringify(carriers)).not.toContain(key);
    }
    const written = JSON.parse(JSON.stringify(carriers[0])) as typeof FIELDS;
    expect([takeRenewal(written), takeLogin(written)]).toEqual([undefined, undefined]);
    expect(takeMark(written as unknown as IHttpRequestOptions, FIELDS)).toBe(false);
  });
});

it('a mark is for one method and one address', () => {
  const changes = fc.constantFrom<Partial<IHttpRequestOptions>>(
    { method: 'GET' },
    { method: undefined },
    { url: 'https://api.broker.example/orders?x=1' },
    { url: 'https://api.foreign.example/orders' },
  );
  fc.assert(
    fc.property(changes, (change) => {
      const { request } = markRequest(REQUEST, FIELDS);
      expect(takeMark({ ...request, ...change }, FIELDS)).toBe(false);
    }),
  );
});

it('a mark is off the request when it has been taken, and its maker is told', () => {
  const [used, unused] = [markRequest(REQUEST, FIELDS), markRequest(REQUEST, FIELDS)];
  expect(takeMark(used.request, FIELDS)).toBe(true);
  expect(Reflect.ownKeys(used.request)).toEqual(Reflect.ownKeys(REQUEST));
  expect([used.end(), unused.end()]).toEqual([true, false]);
  expect(takeMark(unused.request, FIELDS)).toBe(false);
});

it('a renewal is gone when its node no longer waits', () => {
  const { fields, end } = handOverRenewal(FIELDS, { step: 'login' });
  expect(fields.sessionToken).toBe('');
  expect(end()).toBeUndefined();
  expect(takeRenewal(fields)).toBeUndefined();
});
