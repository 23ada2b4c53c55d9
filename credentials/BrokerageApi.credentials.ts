import { randomUUID } from 'crypto';
import type {
  ICredentialDataDecryptedObject,
  ICredentialTestRequest,
  ICredentialType,
  IDataObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { BrokerageError, SessionError } from '../client/base/errors';
import type { Http } from '../client/base/ports';
import { endpoints } from '../client/endpoints';
import { mayBeLive, sharedMarketClock } from '../client/market-clock';
import { requireFixedKinds, testedSettingsOf } from '../client/session/fixed-fields';
import { loginFields as fieldsOfLogin } from '../client/session/session-manager';
import { problemOf } from '../client/session/login-errors';
import { Sessions, sessionError } from '../client/session/sessions';
import {
  readConnection,
  readSettings,
  readState,
  secretsOf,
  type Connection,
  type CredentialFields,
} from '../client/session/settings';
import { authHeaders } from '../client/session/auth-headers';
import { withoutSecrets } from '../client/values/redact';
import { withoutSlashes } from '../client/values/trim-end';
import { clock } from '../nodes/host/clock';
import { requestDeadline } from '../nodes/host/requestDeadline';
import { takeLogin, takeMark, takeRenewal, withLogin, type RenewalUnderWay } from '../nodes/host/credentialProofs';
import { plainHttp } from '../nodes/host/http';
import { environmentFields, loginFields, storedFields, streamFields } from './fields';
import { orderFields } from './orderFields';

/** One for the process: executions that need a session at the same moment share one login. */
const sessions = new Sessions(clock, randomUUID);

/**
 * An unverified session in the test of a credential: it may have expired, or belong to values entered before. n8n takes an error of this
 * shape for a refused session: it runs the login step, which it otherwise runs only without a session, and signs the request again.
 */
class NotLookedAt extends SessionError {
  readonly response = { status: 401 };
}

/** Thrown where n8n was given what to store, and the request that brought it there is not to be sent. */
class StoreOnlyRequest extends BrokerageError {}

/**
 * The error as n8n's credential form can show it: the form has room for the message only, and n8n would take an error
 * with a status for a failed request.
 */
function forTheForm(error: unknown, credentials: CredentialFields): unknown {
  return error instanceof BrokerageError && !(error instanceof StoreOnlyRequest) && !(error instanceof NotLookedAt)
    ? new SessionError(withoutSecrets([error.message, error.hint].filter(Boolean).join(' '), secretsOf(credentials)), {
        ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
      })
    : error;
}

/** Ends the request that took a renewal through n8n. @throws always: it has no other way not to be sent. */
function given(underWay: RenewalUnderWay): never {
  underWay.outcome = 'given';
  throw new StoreOnlyRequest('The result of the login is stored.');
}

/** Tells the node that waits for a renewal. @returns the error as the form can show it, without secrets. */
function failed(underWay: RenewalUnderWay | undefined, error: unknown, credentials: CredentialFields): unknown {
  if (underWay !== undefined && !(error instanceof StoreOnlyRequest))
    underWay.outcome = error instanceof BrokerageError ? error : sessionError(problemOf(error));
  return forTheForm(error, credentials);
}

/** Returns true if a request goes to an address: the user may enter a base address with capitals or a slash at its end. */
function goesTo({ baseURL = '', url = '' }: IHttpRequestOptions, address: string): boolean {
  const joined = baseURL === '' ? url : `${withoutSlashes(baseURL)}/${url.replace(/^\/+/, '')}`;
  return URL.canParse(joined) && new URL(joined).href === new URL(address).href;
}

/**
 * Returns the request that tests a credential. It is made here, so that the caller decides nothing about its sending, such as the proxy.
 * @throws SessionError for any other request.
 */
function testRequest(credentials: CredentialFields, asked: IHttpRequestOptions): IHttpRequestOptions {
  const { method, path } = endpoints.sessionCheck;
  const url = `${readConnection(credentials).baseUrl}${path}`;
  if ((asked.method ?? 'GET') !== method || !goesTo(asked, url)) throw notOurs();
  return {
    method,
    url,
    headers: {},
    disableFollowRedirect: true,
    returnFullResponse: asked.returnFullResponse,
    // A reply that drips would keep the test for ever.
    abortSignal: requestDeadline(TEST_WITHIN_MS),
  };
}

/** The request with the stored session. @throws SessionError that says why there is none. */
function signed(credentials: CredentialFields, request: IHttpRequestOptions): IHttpRequestOptions {
  return { ...request, headers: { ...request.headers, ...authHeaders(credentials, request.url) } };
}

/**
 * Returns what a test of the credential stores of what the person entered. *Allow Live Orders* goes off where the environment is another:
 * who comes back to Live allows them again.
 */
function testedFields(credentials: CredentialFields, { environment }: Connection): IDataObject {
  // With another environment n8n leaves the switch out of what it hands over, and keeps what is stored.
  const off = environment === 'live' ? {} : { allowLiveOrders: false };
  return { ...off, testedSettings: testedSettingsOf({ ...credentials, ...off }) };
}

/** @throws InputError if another service answers at the address of a sandbox: a login, and then orders, would go to it */
async function requireSandboxAt({ environment, baseUrl }: Connection, http: Http): Promise<void> {
  if (environment !== 'sandbox' || !mayBeLive(baseUrl)) return;
  const marketClock = sharedMarketClock(baseUrl, clock);
  if (await marketClock.measure(http, baseUrl)) marketClock.requireSandbox(baseUrl);
}

/** The refusal of a request that no node of ours has made. */
function notOurs(): SessionError {
  return new SessionError('This request was not sent: no node of this package made it.', {
    hint: 'Only the nodes Brokerage and Brokerage Trigger can use this credential.',
  });
}

/**
 * Fields that earlier versions left in a credential, because an n8n before 2.34 stored all input of the login step: they are stored no
 * more.
 */
const LEFTOVERS = { renewal: undefined, sessionKept: undefined, unattended: undefined };

/** Maximum total time of the request that tests the credential, milliseconds. */
const TEST_WITHIN_MS = 30_000;

const SESSION_REFUSED =
  'The service does not accept this session token, or it was created with another Device ID. Log in again.';

/** Returns the result of a credential test for a status of the service. */
const answered = (value: number, message: string) => ({
  type: 'responseCode' as const,
  properties: { value, message },
});

/** The credential: where the service is, how to log in, and what orders may be. */
export class BrokerageApi implements ICredentialType {
  name = 'brokerageApi';

  displayName = 'Brokerage API';

  icon = { light: 'file:brokerage.svg', dark: 'file:brokerage.dark.svg' } as const;

  documentationUrl = 'https://github.com/n8n-nodes-brokerage/n8n-nodes-brokerage/blob/main/docs/login.md';

  restrictToSupportedNodes = true as const;

  properties: INodeProperties[] = [
    ...environmentFields,
    ...loginFields,
    ...orderFields,
    ...streamFields,
    ...storedFields,
  ];

  /**
   * Gives n8n a valid session, which n8n stores. The memory of a failed login (a refused MPIN, a sent code, a pending OTP) is stored as
   * well; `authenticate` then says why no request can be made.
   */
  async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
    const underWay = takeRenewal(credentials);
    const renewal = underWay?.renewal;
    if (renewal?.step === 'store') return withLogin(credentials, { ...LEFTOVERS, ...renewal.fields }, underWay);
    try {
      requireFixedKinds(credentials);
      const stored = { ...credentials, ...LEFTOVERS };
      const settings = readSettings(renewal === undefined ? stored : fieldsOfLogin(stored, renewal));
      await requireSandboxAt(settings, plainHttp(this));
      const { state } = await sessions.obtain(plainHttp(this), settings, readState(credentials));
      // Only a test of the credential has no data that expressions could take values from.
      const tested = renewal === undefined ? testedFields(credentials, settings) : {};
      const output = {
        ...LEFTOVERS,
        ...state,
        ...tested,
        loginClaim: '',
        ...(settings.method === 'otp' ? { otp: '', sendOtpAgain: false } : {}),
      };
      return withLogin(credentials, output, underWay);
    } catch (error) {
      throw failed(underWay, error, credentials);
    }
  }

  /**
   * Signs a request with the stored session: one that a node of ours has just made, or the credential's own test right after its login
   * step, which is made here. Signs nothing else, whoever asks: an older n8n (seen in 1.123 and 2.20) lets any node use any credential.
   * @throws SessionError with the reason for a missing session, or for a request that is not ours.
   */
  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    requestOptions: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    const login = takeLogin(credentials);
    const underWay = login?.underWay;
    try {
      if (underWay?.renewal.step === 'store') return given(underWay);
      if (underWay === undefined && takeMark(requestOptions, credentials)) return signed(credentials, requestOptions);
      const test = testRequest(credentials, requestOptions);
      if (login === undefined && readState(credentials).sessionToken !== '')
        throw new NotLookedAt('It is not known whether the stored session is still valid.', {
          hint: 'Save the credential again.',
        });
      const tested = signed(credentials, test);
      return underWay === undefined ? tested : given(underWay);
    } catch (error) {
      throw failed(underWay, error, credentials);
    }
  }

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{ $credentials[$credentials.environment + "BaseUrl"].trim() }}',
      url: '/userinfo',
      disableFollowRedirect: true,
    },
    rules: [
      answered(401, SESSION_REFUSED),
      answered(440, SESSION_REFUSED),
      answered(
        403,
        'Logged in, but this account may not use the order system, or the address of this machine (its static IP) is not registered with the broker.',
      ),
      answered(
        404,
        'Something answers at the base address, but it is not the brokerage service. Check the base address.',
      ),
      answered(429, 'Logged in, but the service gets too many requests from here just now. Try again in a minute.'),
    ],
  };
}
