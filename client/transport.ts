/**
 * Request → bytes → JSON. Repeats reads, never anything that places, changes or cancels; keeps the rate limits; turns
 * refusals into errors; returns the neutral names of the specification.
 */
import { showValue } from './values/input';
import { attempt } from './attempt';
import type { Endpoint, RateBucket, RequestParts } from './endpoints/endpoint';
import { InputError, NetworkError, type BrokerageError } from './base/errors';
import { RepliedAccount } from './one-account';
import { userEndpoints, type StaticIpReply } from './endpoints/user';
import { requireNoFault } from './reply-fault';
import { foreignReplyError, isForeign, isSessionEnded, MAX_PAGE_START_BYTES, requireAnswer } from './reply-gate';
import {
  errorOfReply,
  isAddressRefusal,
  isSuccess,
  isRefusedQuestion,
  serviceText,
  withAddresses,
  type RegisteredIpAddresses,
  REQUEST_TIMEOUT,
} from './service-errors';
import { sharedLimiter, type RateLimit } from './rate-limiter';
import type { Clock, Http, HttpStream, Random, StreamedResponse, WireRequest, WireResponse } from './base/ports';
import { MAX_REPLY_BYTES, readStart } from './values/bytes';
import { machineTime, type MarketClock, type MarketTime } from './market-clock';
import { MAX_VALUES, readJson, readJsonIfAny, writeJson } from './values/json';
import { withNeutralNames } from './values/neutral-names';
import { asRecord, type Unchecked } from './values/record';

/** Parts of one request: those that its endpoint names (`path`, `query`, `body`), and these. */
export type CallOptions<Request extends RequestParts = RequestParts> = Request & {
  /** Headers beyond those of every request; their names in any case. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** `never` where one use of a read must not be sent twice (a report sent by e-mail). */
  repeat?: 'never';
};

/** Dependencies of a transport. */
export interface TransportOptions {
  http: Http;
  /** For large replies; without it they are read as a whole. */
  httpStream?: HttpStream;
  clock: Clock;
  /** The clock of the sandbox that is asked; left out if the market's time is `clock`. */
  marketClock?: MarketClock;
  random: Random;
  /** Checked base address without a slash at its end. */
  baseUrl: string;
  /** The same `x-device-id` as at login. */
  deviceId: string;
  /** Headers that authenticate, where `http` does not add them itself. */
  authenticate?: () => Readonly<Record<string, string>>;
  /** Headers of every request beyond those that the service needs; their names in any case. */
  headers?: Readonly<Record<string, string>>;
  /** Texts to mask in the service's replies: every secret that is known by then. */
  secrets?: Iterable<string>;
  /** Limits of the environment; see `rateLimits`. */
  limits?: RateLimits;
}

/** The way to the service; every request of the client but those of the login takes it. */
export interface Transport {
  readonly baseUrl: string;
  /** The machine's time: waits and deadlines go by it. */
  readonly clock: Clock;
  /** The market's time, which defines today and now for the user. */
  readonly marketClock: MarketTime;
  /** The account that its replies are about. */
  readonly account: RepliedAccount;
  /** At most so many orders fit into one request: it would be refused as a whole. */
  readonly maxOrders: number;
  /** Waits until so many orders may be sent (*Orders per Second*). @throws the signal's reason */
  orderTurn(orders: number, signal?: AbortSignal): Promise<void>;
  /**
   * Sends a request and reads its JSON reply (see `readJson`), as the type that its endpoint declares. The reply has passed the
   * gate: it is the service's, and about what was asked (see client/reply-gate.ts).
   * @throws SessionError on 401 and 440; ServiceError on any other refusal; ForeignReplyError when somebody in between answered;
   *   NetworkError when no complete reply came; UnreadableReplyError when the reply is no JSON; MismatchedReplyError when it is
   *   about something else; InputError when the request cannot be written.
   */
  call<Request extends RequestParts, Reply>(
    endpoint: Endpoint<Request, Reply>,
    options?: CallOptions<Request>,
  ): Promise<Unchecked<Reply>>;
  /** As `call`, and returns a successful reply with its bytes untouched. */
  fetch<Request extends RequestParts>(
    endpoint: Endpoint<Request>,
    options?: CallOptions<Request>,
  ): Promise<WireResponse>;
  /** As `fetch`, and returns the bytes as they arrive. Repeats happen only before the first of them. */
  stream<Request extends RequestParts>(
    endpoint: Endpoint<Request>,
    options?: CallOptions<Request>,
  ): Promise<StreamedResponse>;
  /** The service's own text in a reply, on one line and without secrets; '' when it has none. */
  textOf(reply: WireResponse): string;
}

const VALIDATE_IP = userEndpoints.validateIp;

const SECOND = 1_000;
const MINUTE = 60_000;

/** Limits of requests by bucket, and of orders, since one request can hold several. */
export type RateLimits = Partial<Record<RateBucket | 'orders', RateLimit>>;

/**
 * The service's own limits (docs/service/limits.md#rate-limits): live 10 trading requests a second, UAT 100; history 60 a minute; and that of orders.
 * @param ordersPerSecond of this process (see `readOrdersPerSecond`).
 */
export function rateLimits(environment: 'live' | 'uat' | 'sandbox', ordersPerSecond?: number): RateLimits {
  return {
    trading: { count: environment === 'live' ? 10 : 100, perMs: SECOND },
    history: { count: 60, perMs: MINUTE },
    ...(ordersPerSecond === undefined ? {} : { orders: { count: ordersPerSecond, perMs: SECOND } }),
  };
}

const MAX_ATTEMPTS = 5;
/** After attempts that took so many times the timeout together there is no further one. */
const MAX_TIMEOUTS = 2;
const FIRST_PAUSE_MS = 400;
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * The pause before an attempt is repeated, milliseconds: doubling, half of it at random; longer when the service asks
 * for longer with `Retry-After`, though never beyond half a minute.
 */
export function pauseBefore(repeat: number, random: Random, retryAfter: string | undefined): number {
  const ceiling = Math.min(FIRST_PAUSE_MS * 2 ** (repeat - 1), MAX_RETRY_AFTER_MS);
  const requested = retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) * SECOND : 0;
  return Math.min(Math.max(ceiling / 2 + random() * (ceiling / 2), requested), MAX_RETRY_AFTER_MS);
}

/** Returns true if a request with this answer may be repeated: not if the service refused the form of the request. */
function mayRepeat(repeat: Endpoint['repeat'], status: number, text: () => string): boolean {
  if (repeat === 'never') return false;
  if (repeat === 'read' && status >= 500 && isRefusedQuestion(status, text())) return false;
  if (status === 429) return true;
  return repeat === 'read' ? status >= 500 || status === REQUEST_TIMEOUT : status >= 502 && status <= 504;
}

/** One path segment: encoded, and never one that walks up the path. */
function segment(name: string, value: string | number): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw new InputError(`${showValue(text)} cannot be an id.`, { parameter: name });
  }
  return encodeURIComponent(text);
}

/** The absolute address of a request. @throws InputError if a path parameter is missing or cannot be sent. */
function addressOf(baseUrl: string, path: string, options: Pick<CallOptions, 'path' | 'query'>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = options.path?.[name];
    if (value === undefined) throw new InputError('An id is missing.', { parameter: name });
    return segment(name, value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) query.set(name, String(value));
  return `${baseUrl}${filled}${query.size === 0 ? '' : `?${query}`}`;
}

/**
 * Makes the transport to one environment.
 * - A request of an endpoint with `repeat: 'never'` is sent once, whatever comes back. Others are sent up to five times,
 *   with growing pauses (see `mayRepeat`, `pauseBefore`), unless the attempts take too long together.
 * - To a sandbox nothing that changes anything is sent before it has answered as one.
 * - Requests wait for their turn: all transports of the process to one base address share the limits of each bucket.
 * - A reply comes out under the specification's neutral names, its long integers as text (see `readJson`).
 * - A session is not renewed here: `http` does that (see `sendInSession`).
 */
export function createTransport(transport: TransportOptions): Transport {
  const { clock, random, baseUrl } = transport;
  const limiterOf = (bucket: RateBucket | 'orders') =>
    sharedLimiter(`${baseUrl} ${bucket}`, transport.limits?.[bucket]);

  function requestOf(endpoint: Endpoint, path: string, options: CallOptions): WireRequest {
    const body = options.body === undefined ? undefined : writeJson(options.body);
    return {
      method: endpoint.method,
      url: addressOf(baseUrl, path, options),
      headers: {
        accept: '*/*',
        'x-device-id': transport.deviceId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...lowerCaseNames(transport.headers),
        ...transport.authenticate?.(),
        ...lowerCaseNames(options.headers),
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs: endpoint.timeoutMs,
      ...(endpoint.deadlineMs === undefined ? {} : { deadlineMs: endpoint.deadlineMs }),
      ...(endpoint.maxBytes === undefined ? {} : { maxBytes: endpoint.maxBytes }),
      ...(endpoint.keepSession ? { keepSession: endpoint.keepSession } : {}),
      ...(endpoint.places ? { once: true } : {}),
    };
  }

  /** Sends until there is a final reply: a success, or a refusal without a permitted retry. */
  async function sendUntilFinal<R extends { status: number; headers: Record<string, string> }>(
    endpoint: Endpoint,
    path: string,
    options: CallOptions,
    send: (request: WireRequest, signal?: AbortSignal) => Promise<R>,
    discard: (reply: R) => Promise<void>,
    textOf: (reply: R) => string,
  ): Promise<R> {
    const request = requestOf(endpoint, path, options);
    const limiter = limiterOf(endpoint.bucket);
    const repeat = options.repeat ?? endpoint.repeat;
    const attempts = repeat === 'never' ? 1 : MAX_ATTEMPTS;
    let spentMs = 0;
    for (let made = 1; ; made++) {
      await limiter.turn(clock, options.signal);
      const started = clock.moment();
      const outcome = await send(request, options.signal).catch(networkErrorOnly);
      spentMs += clock.since(started);
      const isLast = made >= attempts || spentMs >= endpoint.timeoutMs * MAX_TIMEOUTS;
      if (outcome instanceof NetworkError) {
        if (isLast || options.signal?.aborted) throw outcome;
        await clock.sleep(pauseBefore(made, random, undefined), options.signal);
        continue;
      }
      transport.marketClock?.onReply(outcome.headers);
      const pause = pauseBefore(made, random, outcome.headers['retry-after']);
      // What comes next waits as long as the service asks, whether this is repeated or not.
      if (outcome.status === 429) limiter.hold(clock, pause);
      if (isLast || !mayRepeat(repeat, outcome.status, () => textOf(outcome))) return outcome;
      await discard(outcome);
      await clock.sleep(pause, options.signal);
    }
  }

  async function withAlternative(
    endpoint: Endpoint,
    ask: (path: string) => Promise<WireResponse>,
  ): Promise<WireResponse> {
    const reply = await ask(endpoint.path);
    if (reply.status !== 404 || endpoint.alternative === undefined) return reply;
    const other = await ask(endpoint.alternative);
    return isSuccess(other.status) || isSessionEnded(other) ? other : reply;
  }

  async function fetch(endpoint: Endpoint, options: CallOptions = {}): Promise<WireResponse> {
    if (endpoint.repeat === 'never') transport.marketClock?.requireSandbox(baseUrl);
    const reply = await withAlternative(endpoint, (path) =>
      sendUntilFinal(
        endpoint,
        path,
        options,
        transport.http,
        () => Promise.resolve(),
        ({ body }) => serviceText(body),
      ),
    );
    const failure = failureOf(endpoint, reply);
    if (failure === undefined) return reply;
    throw isAddressRefusal(failure) ? withAddresses(failure, await knownAddresses()) : failure;
  }

  /** Lets a success of the service through the gate. @returns the error of anything else */
  function failureOf({ method, path, repeat }: Endpoint, reply: WireResponse): BrokerageError | undefined {
    const requested = `${method} ${path}`;
    if (isForeign(reply)) return foreignReplyError(reply, requested, transport.secrets);
    return isSuccess(reply.status) ? undefined : errorOfReply(reply, requested, transport.secrets, repeat === 'read');
  }

  /** Returns the service's view of this machine's address and of the registered ones: requested once, since it only explains an error. */
  async function knownAddresses(): Promise<RegisteredIpAddresses> {
    const requested = transport.http(requestOf(VALIDATE_IP, VALIDATE_IP.path, {}));
    const reply = await attempt(requested);
    const known = reply.ok ? asRecord<StaticIpReply>(readJsonIfAny(reply.value.body)) : undefined;
    const address = (name: keyof StaticIpReply): string => (typeof known?.[name] === 'string' ? known[name] : '');
    return {
      current: address('current_ip_address'),
      registered: [address('primary_ip_address'), address('secondary_ip_address')].filter((name) => name !== ''),
    };
  }

  async function stream(endpoint: Endpoint, options: CallOptions = {}): Promise<StreamedResponse> {
    const { httpStream } = transport;
    if (httpStream === undefined) {
      const { status, headers, body } = await fetch(endpoint, options);
      return { status, headers, chunks: oneChunk(body) };
    }
    const reply = await sendUntilFinal(
      endpoint,
      endpoint.path,
      options,
      httpStream,
      async ({ chunks }) => void (await readStart(MAX_REPLY_BYTES.refusal, chunks)),
      () => '',
    );
    const { status, headers } = reply;
    if (!isSuccess(status)) {
      const body = await readStart(MAX_REPLY_BYTES.refusal, reply.chunks);
      throw failureOf(endpoint, { status, headers, body })!;
    }
    const { start, chunks } = await peek(reply.chunks);
    const failure = failureOf(endpoint, { status, headers, body: start });
    if (failure !== undefined) throw failure;
    return { status, headers, chunks };
  }

  return {
    baseUrl,
    clock,
    account: new RepliedAccount(),
    marketClock: transport.marketClock ?? machineTime(clock),
    maxOrders: transport.limits?.orders?.count ?? Infinity,
    orderTurn: async (orders, signal) => {
      if (orders > 0) await limiterOf('orders').turn(clock, signal, orders);
    },
    fetch,
    stream,
    textOf: ({ body }) => serviceText(body, transport.secrets),
    async call(endpoint, options) {
      return jsonOf(endpoint, await fetch(endpoint as Endpoint, options), options);
    },
  };
}

/**
 * The JSON of a successful reply, which is about what was asked.
 * @param request what was asked; left out if nothing was that a reply could be about.
 * @throws UnreadableReplyError; MismatchedReplyError
 */
export function jsonOf<Request extends RequestParts, Reply>(
  endpoint: Endpoint<Request, Reply>,
  { body }: WireResponse,
  request?: Request,
): Unchecked<Reply> {
  if (endpoint.emptyReply === true && body.length === 0) return null;
  const { maxBytes = MAX_REPLY_BYTES.json } = endpoint;
  const maxValues = Math.ceil(maxBytes / MAX_REPLY_BYTES.json) * MAX_VALUES;
  const reply = withNeutralNames(readJson(body, maxValues), endpoint.nameKey);
  if (endpoint.repeat === 'read') requireNoFault(reply, `${endpoint.method} ${endpoint.path}`);
  if (request !== undefined) requireAnswer(endpoint, request, reply);
  return reply;
}

/** The beginning of a body, and all of it from there on. */
async function peek(
  body: AsyncIterable<Uint8Array>,
): Promise<{ start: Uint8Array; chunks: AsyncGenerator<Uint8Array> }> {
  const rest = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < MAX_PAGE_START_BYTES) {
    const next = await rest.next();
    if (next.done === true) break;
    read.push(next.value);
    length += next.value.length;
  }
  return { start: Buffer.concat(read).subarray(0, MAX_PAGE_START_BYTES), chunks: readOn(read, rest) };
}

async function* readOn(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function networkErrorOnly(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error;
  throw error;
}

function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function* oneChunk(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
