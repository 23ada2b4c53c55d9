import type { IAllExecuteFunctions, IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';
import { BrokerageError, NetworkError } from '../../client/errors';
import type { Http, HttpStream, StreamedResponse, WireRequest, WireResponse } from '../../client/seams';

export const CREDENTIAL_TYPE = 'brokerageApi';

/** The service says that a session is dead with either of these (wire facts, section 2). */
export const SESSION_DEAD = [401, 440];

/** Failures in which it is certain that not one byte of the request left. */
const NEVER_SENT: Record<string, string> = {
  ECONNREFUSED: 'The service refused the connection',
  ENOTFOUND: 'No server has the name of the service address',
  EAI_AGAIN: 'The name of the service address could not be looked up',
  EHOSTUNREACH: 'There is no way to the service address',
  ENETUNREACH: 'There is no network to the service address',
  ERR_INVALID_URL: 'The service address is not a web address',
  CERT_HAS_EXPIRED: "The certificate at the service address has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate at the service address is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate at the service address is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate at the service address cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate at the service address belongs to another name',
};

const CHECK_ADDRESS = 'Check the environment and the base address in the credential, and that the service can be reached from this machine.';

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
  response?: { status?: unknown; headers?: unknown; data?: unknown };
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

/**
 * Makes of what n8n threw either the reply that came, or the error in the client's words. The original is not kept as
 * a cause: it holds the request with its headers.
 * @throws BrokerageError of a login before the request, NetworkError otherwise.
 */
function replyOf(error: unknown): WireResponse {
  const chain: Failure[] = [];
  for (let next = error; typeof next === 'object' && next !== null && !chain.includes(next); next = (next as Failure).cause) chain.push(next);

  const login = chain.find((failure) => failure instanceof BrokerageError);
  // A failed login is certain not to have let the request itself through.
  if (login instanceof NetworkError) throw new NetworkError(login.message, { maySent: false, hint: login.hint });
  if (login) throw login;

  // Only these statuses are thrown; any other reply in a failure broke off before it was complete.
  const reply = chain.find((failure) => SESSION_DEAD.includes(Number(failure.response?.status)))?.response;
  if (reply) return wireResponse(Number(reply.status), reply.headers, reply.data);

  const code = String(chain.find((failure) => typeof failure.code === 'string')?.code ?? '');
  const atConnect = chain.some((failure) => failure.syscall === 'connect');
  const known = NEVER_SENT[code];
  if (known !== undefined) throw new NetworkError(known, { maySent: false, hint: CHECK_ADDRESS });
  if (atConnect) throw new NetworkError('The service could not be reached', { maySent: false, hint: CHECK_ADDRESS });
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') throw new NetworkError('The service did not answer in time', { maySent: true });
  if (code === 'ERR_CANCELED') throw new NetworkError('The request was cancelled while it was under way', { maySent: true });
  throw new NetworkError('The connection to the service broke before its answer was complete', { maySent: true });
}

type Context = Pick<IAllExecuteFunctions, 'helpers'>;

/** Sends with the credential: n8n signs, and on a dead session logs in once, stores the new one and sends once more. */
async function sendSigned(context: Context, request: WireRequest, options: IHttpRequestOptions): Promise<FullResponse> {
  const renewOn = request.keepSession ? [] : SESSION_DEAD;
  return (await context.helpers.httpRequestWithAuthentication.call(
    context as IAllExecuteFunctions,
    CREDENTIAL_TYPE,
    { ...options, ignoreHttpStatusErrors: { ignore: true, except: renewOn } },
    { preAuthenticationRetryStatusCode: renewOn },
  )) as FullResponse;
}

/** The client's transport over n8n's request with the credential. */
export function authenticatedHttp(context: Context): Http {
  const send = async (request: WireRequest, signal?: AbortSignal): Promise<WireResponse> => {
    try {
      const reply = await sendSigned(context, request, requestOptions(request, signal));
      return wireResponse(reply.statusCode, reply.headers, reply.body);
    } catch (error) {
      return replyOf(error);
    }
  };
  return send;
}

/** As `authenticatedHttp`, for bodies that are read as they arrive. */
export function authenticatedHttpStream(context: Context): HttpStream {
  const send = async (request: WireRequest, signal?: AbortSignal): Promise<StreamedResponse> => {
    try {
      const reply = await sendSigned(context, request, { ...requestOptions(request, signal), encoding: 'stream' });
      return { ...wireResponse(reply.statusCode, reply.headers, undefined), chunks: chunksOf(reply.body as AsyncIterable<Uint8Array>) };
    } catch (error) {
      const { body, ...reply } = replyOf(error);
      return { ...reply, chunks: oneChunk(body) };
    }
  };
  return send;
}

async function* oneChunk(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

/** The chunks of a body; a connection that breaks among them becomes the client's error. */
async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    replyOf(error);
  }
}

/** The client's transport over n8n's plain request, as a credential has it while it logs in. */
export function plainHttp({ helpers }: IHttpRequestHelper): Http {
  return async (request, signal) => {
    try {
      const reply = (await helpers.httpRequest({ ...requestOptions(request, signal), ignoreHttpStatusErrors: true })) as FullResponse;
      return wireResponse(reply.statusCode, reply.headers, reply.body);
    } catch (error) {
      return replyOf(error);
    }
  };
}
