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
import { requireFixedKinds, sealOf } from '../client/session/fixed-fields';
import { loginFields as fieldsOfLogin } from '../client/session/session-manager';
import { problemOf } from '../client/session/login-errors';
import { Sessions, sessionError } from '../client/session/sessions';
import { readSettings, readState, secretsOf, type CredentialFields } from '../client/session/settings';
import { authHeaders } from '../client/session/auth-headers';
import { withoutSecrets } from '../client/values/redact';
import { clock } from '../nodes/host/clock';
import { deadline } from '../nodes/host/deadline';
import { handover, takeTicket, ticketIn } from '../nodes/host/credentialRenewal';
import { plainHttp } from '../nodes/host/http';
import { environmentFields, loginFields, orderFields, storedFields, streamFields } from './fields';

/** One for the process: executions that need a session at the same moment share one login. */
const sessions = new Sessions(clock, randomUUID);

/** Sessions that the login step has just made or found alive, with how many requests are to be signed with each. */
const lookedAt = new Map<string, number>();

/**
 * A stored session that the login step has not looked at: it may be dead, or belong to what was entered before. n8n takes
 * an error of this shape for a refused session: it runs the login step and signs the request again.
 */
class NotLookedAt extends SessionError {
  readonly response = { status: 401 };
}

/** Thrown where n8n was given what to store, and the request that brought it there is not to be sent. */
class Given extends BrokerageError {}

/** Lets one request be signed for each time that the login step looked at the session. */
function requireLookedAt(sessionToken: string): void {
  const times = lookedAt.get(sessionToken) ?? 0;
  if (times === 0 && sessionToken !== '')
    throw new NotLookedAt('It is not known whether the stored session is still valid.', {
      hint: 'Save the credential again.',
    });
  if (times <= 1) lookedAt.delete(sessionToken);
  else lookedAt.set(sessionToken, times - 1);
}

/**
 * The error as n8n's credential form can show it: the form has room for the message only, and n8n would take an error
 * with a status for a failed request.
 */
function forTheForm(error: unknown, credentials: CredentialFields): unknown {
  return error instanceof BrokerageError && !(error instanceof NotLookedAt) && !(error instanceof Given)
    ? new SessionError(withoutSecrets([error.message, error.hint].filter(Boolean).join(' '), secretsOf(credentials)), {
        ...(error.parameter === undefined ? {} : { parameter: error.parameter }),
      })
    : error;
}

/** Ends the request that took a renewal through n8n. @throws always: it has no other way not to be sent. */
function given(ticket: string): never {
  handover.finish(ticket, 'given');
  throw new Given('The result of the login is stored.');
}

/** Tells the node that waits for a renewal. @returns the error as the form can show it, without secrets. */
function failed(ticket: string, error: unknown, credentials: CredentialFields): unknown {
  if (!(error instanceof Given))
    handover.finish(ticket, error instanceof BrokerageError ? error : sessionError(problemOf(error)));
  return forTheForm(error, credentials);
}

/**
 * What earlier versions left in a credential, because an n8n before 2.34 stored all that the login step was handed: it is stored no more.
 */
const LEFTOVERS = { renewal: undefined, sessionKept: undefined, unattended: undefined };

/** How long the request that tests the credential may take in all, milliseconds. */
const TEST_WITHIN_MS = 30_000;

const SESSION_REFUSED =
  'The service does not accept this session token, or it was created with another Device ID. Log in again.';

/** What the test of the credential says of a status of the service. */
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
   * Gives n8n a living session, which n8n stores. What must be remembered when there is none (a refused MPIN, a sent
   * code, an OTP under way) is stored as well; `authenticate` then says why no request can be made.
   */
  async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
    const ticket = ticketIn(credentials);
    const renewal = handover.renewal(ticket);
    if (renewal?.step === 'store') return { ...LEFTOVERS, ...renewal.fields };
    try {
      requireFixedKinds(credentials);
      const stored = { ...credentials, ...LEFTOVERS };
      const settings = readSettings(renewal === undefined ? stored : fieldsOfLogin(stored, renewal));
      const { state } = await sessions.obtain(plainHttp(this), settings, readState(credentials));
      if (state.sessionToken !== '') lookedAt.set(state.sessionToken, (lookedAt.get(state.sessionToken) ?? 0) + 1);
      // Only a test of the credential has no data that expressions could take values from.
      const seal = renewal === undefined ? { testedSettings: sealOf(credentials) } : {};
      return {
        ...LEFTOVERS,
        ...state,
        ...seal,
        loginClaim: '',
        ...(settings.method === 'otp' ? { otp: '', sendOtpAgain: false } : {}),
      };
    } catch (error) {
      throw failed(ticket, error, credentials);
    }
  }

  /** Signs a request with the stored session. @throws SessionError that says why there is none. */
  async authenticate(
    credentials: ICredentialDataDecryptedObject,
    requestOptions: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> {
    const { ticket, kept } = takeTicket(requestOptions);
    const renewal = handover.renewal(ticket);
    try {
      if (renewal?.step === 'store') return given(ticket);
      const { baseURL, url } = requestOptions;
      const address = baseURL === undefined ? url : `${baseURL.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
      if (!kept) requireLookedAt(readState(credentials).sessionToken);
      requestOptions.headers = { ...requestOptions.headers, ...authHeaders(credentials, address) };
      // A node brings its own; the test of the credential has none, and a reply that drips would keep it for ever.
      requestOptions.abortSignal ??= deadline(TEST_WITHIN_MS);
      return renewal === undefined ? requestOptions : given(ticket);
    } catch (error) {
      throw failed(ticket, error, credentials);
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
