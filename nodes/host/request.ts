/** One request over n8n's HTTP: what goes out, what comes back up to a size and a deadline, and what its failures mean. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { BrokerageError, NetworkError } from '../../client/base/errors';
import type { StreamedResponse, WireRequest, WireResponse } from '../../client/base/ports';
import { isSuccess } from '../../client/service-errors';
import { MAX_REPLY_BYTES, readAll, readStart, limitBytes } from '../../client/values/bytes';
import { unlessAborted } from '../../client/abortable';
import { requestDeadline } from './requestDeadline';

/** Failures to connect, in which it is certain that not one byte of the request left. */
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

const TRY_AGAIN = 'Try again. If it stays, check the network of this machine.';
const CHECK_ADDRESS =
  'Check the environment and the base address in the credential, and that the service can be reached from this machine.';

/** Result of n8n's transport with `returnFullResponse`; with `encoding: 'stream'` the body is a stream. */
export interface FullResponse {
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

/** Converts a request of the client to n8n's options: bytes both ways, no redirect followed (it would carry the token elsewhere). */
function requestOptions(request: WireRequest, signal: AbortSignal): IHttpRequestOptions {
  return {
    method: request.method,
    url: request.url,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    encoding: 'stream',
    returnFullResponse: true,
    disableFollowRedirect: true,
    timeout: request.timeoutMs,
    abortSignal: signal,
  };
}

function headersOf(headers: unknown): Record<string, string> {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** Returns an error and its causes, outermost first. */
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
 * Converts an error of n8n to the client's. The original is not kept as a cause: it holds the request with its headers. A refusal of our
 * own (no session, another address) stays unchanged.
 */
function clientError(error: unknown): BrokerageError {
  const own = brokerageErrorIn(error);
  if (own !== undefined) return own;
  const chain = chainOf(error);
  const code = String(chain.find((failure) => typeof failure.code === 'string')?.code ?? '');
  // A connection that was made can be lost for the same reasons, after the request has left.
  const isUnderWay = chain.some(({ syscall }) => syscall === 'read' || syscall === 'write');
  const known = isUnderWay ? undefined : NEVER_SENT[code];
  if (known !== undefined) return new NetworkError(known, { maySent: false, hint: CHECK_ADDRESS });
  if (chain.some((failure) => failure.syscall === 'connect'))
    return new NetworkError('The service could not be reached', { maySent: false, hint: CHECK_ADDRESS });
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT')
    return new NetworkError('The service did not answer in time', { maySent: true, hint: TRY_AGAIN });
  if (code === 'ERR_CANCELED')
    return new NetworkError('The request was cancelled before its reply came', { maySent: true });
  return new NetworkError('The connection to the service broke before its answer was complete', {
    maySent: true,
    hint: TRY_AGAIN,
  });
}

/** Sends a request in n8n's form, once, whatever status comes back. */
export type SendRequest = (options: IHttpRequestOptions, signal: AbortSignal) => Promise<FullResponse>;

/**
 * Sends one request and returns its body as it arrives, up to its size and until its deadline, at which the request is
 * aborted. Of a refusal the body has been read.
 */
export async function openResponse(
  request: WireRequest,
  stop: AbortSignal | undefined,
  send: SendRequest,
): Promise<StreamedResponse> {
  const allMs = request.deadlineMs ?? request.timeoutMs;
  const late = requestDeadline(allMs);
  const signal = stop === undefined ? late : AbortSignal.any([stop, late]);
  const inWords = (error: unknown) => (late.aborted ? tooLate(allMs) : clientError(error));
  const { statusCode, headers, body } = await unlessAborted(
    send(requestOptions(request, signal), signal),
    signal,
  ).catch((error: unknown) => {
    throw inWords(error);
  });
  const reply = { status: statusCode, headers: headersOf(headers) };
  const chunks = chunksOf(body, signal, inWords);
  if (isSuccess(statusCode)) return { ...reply, chunks: limitBytes(request.maxBytes ?? MAX_REPLY_BYTES.json, chunks) };
  const refusal = await readStart(MAX_REPLY_BYTES.refusal, chunks);
  return { ...reply, chunks: only(refusal), refusal };
}

/** As `open`, with the whole body. */
export async function openWhole(
  request: WireRequest,
  stop: AbortSignal | undefined,
  send: SendRequest,
): Promise<WireResponse> {
  const { status, headers, chunks } = await openResponse(request, stop, send);
  return { status, headers, body: await readAll(chunks) };
}

function tooLate(ms: number): NetworkError {
  return new NetworkError(`The service did not answer completely within ${ms / 1_000} seconds`, { maySent: true });
}

/** The chunks of a body; a connection that breaks among them, or is ended, becomes the client's error. */
async function* chunksOf(
  body: unknown,
  signal: AbortSignal,
  inWords: (error: unknown) => BrokerageError,
): AsyncGenerator<Uint8Array> {
  const stream = body as AsyncIterable<Uint8Array> & { destroy(): void };
  const end = () => stream.destroy();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    yield* stream;
  } catch (error) {
    throw inWords(error);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
