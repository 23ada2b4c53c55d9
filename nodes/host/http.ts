import type {
  IAllExecuteFunctions,
  ICredentialDataDecryptedObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
} from 'n8n-workflow';
import { endpoints } from '../../client/endpoints';
import { BrokerageError, NetworkError } from '../../client/base/errors';
import type { Http, HttpStream, StreamedResponse, WireRequest, WireResponse } from '../../client/base/ports';
import {
  SessionKeeper,
  StoredOnly,
  keptFields,
  renewalFields,
  withSession,
  type CredentialStore,
  type Renewal,
} from '../../client/session/keeper';
import { storedProblem } from '../../client/session/memory';
import { readConnection, readState, type CredentialFields } from '../../client/session/settings';
import { clock } from './clock';

/** The internal name of the credential. */
export const CREDENTIAL_TYPE = 'brokerageApi';

/** Failures in which it is certain that not one byte of the request left. */
const NEVER_SENT: Record<string, string> = {
  ECONNREFUSED: 'The service refused the connection',
  ENOTFOUND: 'No server has the name of the service address',
  EAI_AGAIN: 'The name of the service address could not be looked up',
  EHOSTUNREACH: 'There is no way to the service address',
  ENETUNREACH: 'There is no network to the service address',
  ERR_INVALID_URL: 'The service address is not a web address',
  CERT_HAS_EXPIRED: 'The certificate at the service address has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate at the service address is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate at the service address is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate at the service address cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate at the service address belongs to another name',
};

const CHECK_ADDRESS =
  'Check the environment and the base address in the credential, and that the service can be reached from this machine.';

/** What the transport of n8n gives out with `returnFullResponse` and `encoding: 'arraybuffer'`. */
interface FullResponse {
  statusCode: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** The parts of a transport failure that are looked at; the rest holds the request with its secrets and is dropped. */
interface Failure {
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

/** How a request of the client is put to n8n: bytes both ways, no redirect followed (it would carry the token elsewhere). */
function requestOptions(request: WireRequest, signal?: AbortSignal): IHttpRequestOptions {
  return {
    method: request.method,
    url: request.url,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    encoding: 'arraybuffer',
    returnFullResponse: true,
    disableFollowRedirect: true,
    timeout: request.timeoutMs,
    ...(signal ? { abortSignal: signal } : {}),
  };
}

function wireResponse(status: number, headers: unknown, body: unknown): WireResponse {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return {
    status,
    headers: Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)])),
    body: body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : ''),
  };
}

/** What was thrown, and what it was caused by, outermost first. */
function chainOf(error: unknown): Failure[] {
  const chain: Failure[] = [];
  for (
    let next = error;
    typeof next === 'object' && next !== null && !chain.includes(next);
    next = (next as Failure).cause
  )
    chain.push(next);
  return chain;
}

function brokerageErrorIn(error: unknown): BrokerageError | undefined {
  return chainOf(error).find((failure) => failure instanceof BrokerageError);
}

/**
 * What n8n threw, in the client's words. The original is not kept as a cause: it holds the request with its headers.
 * A refusal of our own (no session, another address) stays what it is.
 */
function clientError(error: unknown): BrokerageError {
  const own = brokerageErrorIn(error);
  if (own !== undefined) return own;
  const chain = chainOf(error);
  const code = String(chain.find((failure) => typeof failure.code === 'string')?.code ?? '');
  const known = NEVER_SENT[code];
  if (known !== undefined) return new NetworkError(known, { maySent: false, hint: CHECK_ADDRESS });
  if (chain.some((failure) => failure.syscall === 'connect'))
    return new NetworkError('The service could not be reached', { maySent: false, hint: CHECK_ADDRESS });
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT')
    return new NetworkError('The service did not answer in time', { maySent: true });
  if (code === 'ERR_CANCELED')
    return new NetworkError('The request was cancelled while it was under way', { maySent: true });
  return new NetworkError('The connection to the service broke before its answer was complete', { maySent: true });
}

type Context = Pick<IAllExecuteFunctions, 'helpers' | 'getCredentials'>;

/** One for the process: executions that meet a dead session at the same moment share its renewal. */
const keeper = new SessionKeeper(clock, Math.random);

/** Sends once, signed with the session in the fields. */
async function sendSigned(
  context: Context,
  options: IHttpRequestOptions,
  fields: CredentialFields,
): Promise<FullResponse> {
  return (await context.helpers.httpRequestWithAuthentication.call(
    context as IAllExecuteFunctions,
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

/** Has n8n run the login step and store what it returns; the request that takes it there is not sent. */
async function renew(context: Context, stored: CredentialFields, renewal: Renewal): Promise<void> {
  const { baseUrl } = readConnection(stored);
  const { method, path, timeoutMs } = endpoints.sessionCheck;
  const outcome = await sendSigned(
    context,
    { method, url: `${baseUrl}${path}`, timeout: timeoutMs },
    renewalFields(stored, renewal),
  ).then(
    () => undefined,
    (error: unknown) =>
      brokerageErrorIn(error) ??
      new NetworkError('The session could not be renewed.', {
        maySent: false,
        hint: 'Open the credential and test it.',
      }),
  );
  if (outcome !== undefined && !(outcome instanceof StoredOnly)) throw outcome;
}

const LATELY_MS = 1_000;

/** The credential of the node, stored by n8n: what its login step returns, n8n writes into it. */
export function storeOf(context: Context): CredentialStore {
  let read: { fields: CredentialFields; at: number } | undefined;
  return {
    readStored: async () => {
      const at = clock.now();
      read = { fields: await context.getCredentials(CREDENTIAL_TYPE), at };
      return read.fields;
    },
    readLately: () => (read !== undefined && clock.now() - read.at < LATELY_MS ? read.fields : undefined),
    writeClaim: async (stored, claim) =>
      await renew(context, stored, { step: 'claim', claim, sessionToken: readState(stored).sessionToken }),
    logIn: async (stored) => await renew(context, stored, { step: 'login' }),
  };
}

/**
 * Logs in while a person waits, and stores what comes of it in the credential.
 * @param otp the OTP that they have entered; '' to be sent one.
 * @returns `otp_sent` when an OTP is on its way to the phone, `logged_in` when there is a session.
 * @throws SessionError that says why there is none.
 */
export async function logInByHand(context: Context, otp: string): Promise<'otp_sent' | 'logged_in'> {
  const stored = await context.getCredentials(CREDENTIAL_TYPE);
  return await renew(context, stored, { step: 'login', otp }).then(
    () => 'logged_in' as const,
    async (error: unknown) => {
      const { loginState } = readState(await context.getCredentials(CREDENTIAL_TYPE));
      if (storedProblem(loginState)?.otpSent === true) return 'otp_sent' as const;
      throw error;
    },
  );
}

/** The client's transport over n8n's request with the credential, of which one store serves all of an execution. */
export function authenticatedHttp(context: Context, store: CredentialStore): Http {
  return withSession(keeper, store, async (request, fields, signal): Promise<WireResponse> => {
    try {
      const reply = await sendSigned(context, requestOptions(request, signal), keptFields(fields));
      return wireResponse(reply.statusCode, reply.headers, reply.body);
    } catch (error) {
      throw clientError(error);
    }
  });
}

/** As `authenticatedHttp`, for bodies that are read as they arrive. */
export function authenticatedHttpStream(context: Context, store: CredentialStore): HttpStream {
  return withSession(keeper, store, async (request, fields, signal): Promise<StreamedResponse> => {
    try {
      const reply = await sendSigned(
        context,
        { ...requestOptions(request, signal), encoding: 'stream' },
        keptFields(fields),
      );
      return {
        ...wireResponse(reply.statusCode, reply.headers, undefined),
        chunks: chunksOf(reply.body as AsyncIterable<Uint8Array>),
      };
    } catch (error) {
      throw clientError(error);
    }
  });
}

/** The chunks of a body; a connection that breaks among them becomes the client's error. */
async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw clientError(error);
  }
}

/** The client's transport over n8n's plain request, as a credential has it while it logs in. */
export function plainHttp({ helpers }: IHttpRequestHelper): Http {
  return async (request, signal) => {
    try {
      const reply = (await helpers.httpRequest({
        ...requestOptions(request, signal),
        ignoreHttpStatusErrors: true,
      })) as FullResponse;
      return wireResponse(reply.statusCode, reply.headers, reply.body);
    } catch (error) {
      throw clientError(error);
    }
  };
}
