import { attempt } from '../../client/attempt';
import type {
  IAllExecuteFunctions,
  ICredentialDataDecryptedObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
} from 'n8n-workflow';
import { endpoints } from '../../client/endpoints';
import { BrokerageError, NetworkError, SessionError } from '../../client/base/errors';
import type { Http, HttpStream, Moment, StreamedResponse, WireRequest, WireResponse } from '../../client/base/ports';
import {
  sendInSession,
  SessionManager,
  type CredentialStore,
  type LockingStore,
  type LoginStepTask,
  type SessionUse,
} from '../../client/session/session-manager';
import {
  hasTestedSettings,
  requireFixedKinds,
  requireSameWithoutData,
  requireTestedSettings,
} from '../../client/session/fixed-fields';
import { isTradingStopped } from '../../client/orders/guards/kill-switch';
import { storedProblem } from '../../client/session/login-state';
import { sandboxNotRunning } from '../../client/session/login-errors';
import { authHeaders } from '../../client/session/auth-headers';
import {
  isCredentialId,
  readConnection,
  readState,
  secretsOf,
  type CredentialFields,
} from '../../client/session/settings';
import { withoutSecrets } from '../../client/values/redact';
import { clock } from './clock';
import { handOverRenewal, markRequest } from './credentialProofs';
import { openResponse, openWhole, type FullResponse, type SendRequest } from './request';

/** The internal name of the credential. */
export const CREDENTIAL_TYPE = 'brokerageApi';

/** The n8n functions that read and write the credential. */
export type HttpContext = Pick<IAllExecuteFunctions, 'helpers' | 'getNode' | 'logger'> & {
  getCredentials(type: string, itemIndex?: number): Promise<ICredentialDataDecryptedObject>;
};

/** Session manager of the process: executions that meet an expired session at the same moment share its renewal. */
const sessionManager = new SessionManager(clock, Math.random);

/** The context whose requests this signal ends: n8n asks the context for it, and not the request. */
function endedBy(context: HttpContext, signal: AbortSignal): IAllExecuteFunctions {
  return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as IAllExecuteFunctions;
}

/** Sends once, signed with the session in the fields. */
async function sendSigned(
  context: HttpContext,
  options: IHttpRequestOptions,
  fields: CredentialFields,
  signal?: AbortSignal,
): Promise<FullResponse> {
  return (await context.helpers.httpRequestWithAuthentication.call(
    signal === undefined ? (context as IAllExecuteFunctions) : endedBy(context, signal),
    CREDENTIAL_TYPE,
    { ...options, ignoreHttpStatusErrors: true },
    {
      preAuthenticationRetryStatusCode: [],
      credentialsDecrypted: {
        id: '',
        name: '',
        type: CREDENTIAL_TYPE,
        data: { ...fields } as ICredentialDataDecryptedObject,
      },
    },
  )) as FullResponse;
}

/** The credential that n8n calls may be of another installation than the node: neither knows what the other keeps in memory. */
const UPDATED = 'If this package was updated while n8n ran, restart n8n.';

/** Has n8n run the login step and store what it returns; the request that takes it there is not sent. */
async function renew(context: HttpContext, stored: CredentialFields, renewal: LoginStepTask): Promise<void> {
  const { baseUrl } = readConnection(stored);
  const { method, path, timeoutMs } = endpoints.sessionCheck;
  const { fields, end } = handOverRenewal(stored, renewal);
  // What n8n throws tells nothing: it may have lost what it was made of.
  await attempt(sendSigned(context, { method, url: `${baseUrl}${path}`, timeout: timeoutMs }, fields));
  const outcome = end();
  if (outcome === 'given') return;
  throw (
    outcome ??
    new NetworkError('The session could not be renewed.', {
      maySent: false,
      hint: `Open the credential and test it. ${UPDATED}`,
    })
  );
}

const LATELY_MS = 1_000;

/** An index that no item has: what the credential says where expressions find no data. */
const NO_ITEM = Number.MAX_SAFE_INTEGER;

/**
 * Returns the credential as stored now.
 * @throws InputError if a field that takes a fixed value only got one from somewhere else.
 */
async function readCredential(context: HttpContext): Promise<CredentialFields> {
  const fields: CredentialFields = await context.getCredentials(CREDENTIAL_TYPE);
  requireFixedKinds(fields);
  requireTestedSettings(fields);
  if (!hasTestedSettings(fields)) {
    const read = await attempt(context.getCredentials(CREDENTIAL_TYPE, NO_ITEM));
    requireSameWithoutData(fields, read.ok ? read.value : undefined);
  }
  // A credential that was never saved since marks exist has none: within n8n its id replaces the mark.
  const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
  return isCredentialId(readState(fields).mark) ? fields : { ...fields, mark: `credential ${id}` };
}

/**
 * The credential of the node, stored by n8n: what its login step returns, n8n writes into it.
 * @param secrets gets those of the credential, each time that it is read.
 */
export function storeOf(context: HttpContext, secrets: Set<string>): LockingStore {
  let read: { fields: CredentialFields; at: Moment } | undefined;
  return {
    readStored: async () => {
      const at = clock.moment();
      read = { fields: await readCredential(context), at };
      for (const secret of secretsOf(read.fields)) secrets.add(secret);
      return read.fields;
    },
    readLately: () => (read !== undefined && clock.since(read.at) < LATELY_MS ? read.fields : undefined),
    writeClaim: async (stored, claim) => {
      await renew(context, stored, {
        step: 'store',
        fields: { sessionToken: readState(stored).sessionToken, loginClaim: claim },
      });
      context.logger.info(
        claim === ''
          ? 'Brokerage: the claim to log in is removed from the credential.'
          : 'Brokerage: there is no living session; this process claims the login in the credential.',
      );
    },
    writeLock: async (stored, positionLock) =>
      await renew(context, stored, {
        step: 'store',
        fields: { sessionToken: readState(stored).sessionToken, positionLock },
      }),
    logIn: async (stored) => {
      const isFirst = readState(stored).sessionToken === '';
      const outcome = await attempt(renew(context, stored, { step: 'login' }));
      if (outcome.ok) return context.logger.info(`Brokerage: ${isFirst ? 'logged in' : 'the session was renewed'}.`);
      const { error } = outcome;
      context.logger.warn(
        `Brokerage: the login failed: ${error instanceof BrokerageError ? withoutSecrets(error.message, secrets) : 'no reason was given'}`,
      );
      throw error;
    },
  };
}

/**
 * Logs in while the user waits, and stores the result in the credential.
 * @param otp the entered OTP; '' to be sent one.
 * @param sendOtpAgain true to send another one while one is pending.
 * @returns `otp_sent` when an OTP is on its way to the phone, `logged_in` when there is a session.
 * @throws SessionError with the reason for a missing session.
 */
export async function logInByHand(
  context: HttpContext,
  otp: string,
  sendOtpAgain = false,
): Promise<'otp_sent' | 'logged_in'> {
  const logIn = async (stored: CredentialFields) => await renew(context, stored, { step: 'login', otp, sendOtpAgain });
  return await sessionManager.alone(storeOf(context, new Set()), logIn).then(
    () => 'logged_in' as const,
    async (error: unknown) => {
      const { loginState } = readState(await context.getCredentials(CREDENTIAL_TYPE));
      if (storedProblem(loginState)?.otpSent === true) return 'otp_sent' as const;
      throw error;
    },
  );
}

/**
 * Writes a TOTP secret into a separate field of the node's credential, the only place that needs it.
 * @throws SessionError if the field does not hold it afterwards.
 */
export async function storeTotpSecret(context: HttpContext, generatedTotpSecret: string): Promise<void> {
  await sessionManager.alone(storeOf(context, new Set()), async (stored) => {
    const { sessionToken } = readState(stored);
    await renew(context, stored, { step: 'store', fields: { sessionToken, loginClaim: '', generatedTotpSecret } });
  });
  if ((await context.getCredentials(CREDENTIAL_TYPE)).generatedTotpSecret === generatedTotpSecret) return;
  throw new SessionError('n8n did not store the new TOTP secret in the credential.', {
    hint: 'Run the operation again for another one. TOTP is unchanged.',
  });
}

/**
 * Switches *Trading Stopped* on in the credential of the node, for all processes of this n8n, while none of them logs in.
 * @throws SessionError if it is not on afterwards.
 */
export async function stopTrading(context: HttpContext, store: CredentialStore): Promise<void> {
  await sessionManager.alone(store, async (stored) => {
    const { sessionToken } = readState(stored);
    await renew(context, stored, { step: 'store', fields: { sessionToken, loginClaim: '', tradingStopped: true } });
  });
  if (isTradingStopped(await store.readStored()))
    return context.logger.warn(
      'Brokerage: trading is stopped: the credential refuses orders until you switch Trading Stopped off.',
    );
  throw new SessionError('n8n did not store in the credential that trading is stopped.', {
    hint: 'Deactivate your trading workflows by hand, now. Check that this n8n may write credentials.',
  });
}

/** Returns the client's transport over n8n's request with the credential; one store serves all of an execution. */
export function authenticatedHttp(context: HttpContext, store: CredentialStore): Http {
  return inSession(openWhole, context, store);
}

/** As `authenticatedHttp`, for bodies that are read as they arrive. */
export function authenticatedHttpStream(context: HttpContext, store: CredentialStore): HttpStream {
  return inSession(openResponse, context, store);
}

/** Sends a request with the session of the credential. @param open sends it once, and reads as much of the reply as it returns */
function inSession<Reply extends WireResponse | StreamedResponse>(
  open: (request: WireRequest, signal: AbortSignal | undefined, send: SendRequest) => Promise<Reply>,
  context: HttpContext,
  store: CredentialStore,
): (request: WireRequest, signal?: AbortSignal) => Promise<Reply> {
  return async (request, signal) =>
    await sendInSession(
      sessionManager,
      store,
      useOf(request),
      async (fields) => await open(request, signal, signing(context, fields)).catch(sandboxDown(fields)),
    );
}

const useOf = ({ method, keepSession, once }: WireRequest): SessionUse => ({ method, keepSession, once });

/** A sandbox that cannot be reached does not run: that is said, with the command that starts it. Every other error stays what it is. */
function sandboxDown(fields: CredentialFields): (error: unknown) => never {
  return (error) => {
    const { environment, baseUrl } = readConnection(fields);
    if (!(error instanceof NetworkError) || error.maySent || environment !== 'sandbox') throw error;
    const { message, hint } = sandboxNotRunning(baseUrl);
    throw new NetworkError(message, { maySent: false, hint, cause: error });
  };
}

/** Returns a function that sends a request signed with the session in the fields. */
function signing(context: HttpContext, fields: CredentialFields): SendRequest {
  return async (options, signal) => {
    // A request that cannot be signed does not get to n8n, which would log in first.
    authHeaders(fields, options.url);
    const { request, end } = markRequest(options, fields);
    const sent = await attempt(sendSigned(context, request, fields, signal));
    const wasSigned = end();
    if (sent.ok) return sent.value;
    if (!wasSigned) throw new SessionError('The request was not sent: n8n did not have it signed.', { hint: UPDATED });
    throw sent.error;
  };
}

/** The client's transport over n8n's plain request, as a credential has it while it logs in. */
export function plainHttp({ helpers }: IHttpRequestHelper): Http {
  return async (request, signal) =>
    await openWhole(
      request,
      signal,
      async (options) => (await helpers.httpRequest({ ...options, ignoreHttpStatusErrors: true })) as FullResponse,
    );
}
