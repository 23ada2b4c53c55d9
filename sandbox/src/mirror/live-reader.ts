import { Secret, TOTP } from 'otpauth';
import type { MasterRow } from '../market/mirror/live-universe';
import type { LiveAnswer, LiveQuestion, MirrorQuote } from '../market/mirror/types';
import type { ExchangeCode } from '../market/reference/types';
import type { Credential } from './credential';
import { AnswerTooLarge, MAX_LIVE_REPLY_BYTES, MAX_ANSWER_MS, readText, refusalOfStream } from './outbound-policy';
import { RequestPacing } from './request-pacing';
import { isRecord, parseQuote, wholeNumber } from './parse-quote';

/** Statuses by which the service says that a session is dead. */
const DEAD = [401, 440];
/** Status that also says that there is no such file (docs/service/errors.md#situations). */
const NO_FILE = 440;
const MAX_LEVELS = 20;
/** Codes of a connection that the other side has closed. */
const CLOSED_CODES = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];
/** Requests in a second: fewer than the service allows (docs/service/limits.md#rate-limits). */
const MAX_PER_SECOND = 8;

/** The session is no longer good: another login has taken its place, or it has ended. */
export class SessionDisplaced extends Error {}

/** A request that brought no answer; its text names no secret. */
export class NoAnswer extends Error {}

/** The live side names a stream address that the session token must not go to. */
export class StreamRefused extends Error {}

/** The current price of an instrument, and its close of the day before; paise. */
export interface LivePrice {
  price: number;
  previousClose: number;
}

/**
 * Reads the live side. It has a function for each thing that is read, and none that places, changes or cancels: a request
 * leaves this process through `read`, which only reads, or through `logIn`.
 */
export class LiveReader {
  private token: string | undefined;
  private readonly pace = new RequestPacing(MAX_PER_SECOND);

  constructor(
    private readonly credential: Credential,
    private readonly now: () => number,
  ) {
    if ('token' in credential) this.token = credential.token;
  }

  /** Opens the session, once: with a token there is nothing to do. @throws SessionDisplaced, Unanswered */
  async logIn(): Promise<void> {
    const { credential } = this;
    if (this.token !== undefined || 'token' in credential) return;
    const { phone, mpin, totpSecret } = credential;
    const totp = totpOf(totpSecret, this.now());
    const first = await this.post('/totp/login', { phone, totp, otp: '' });
    const second = await this.post('/verifypin', { pin: mpin }, textOf(first, 'auth_token'));
    this.token = textOf(second, 'session_token');
  }

  /** The session token, for the stream. */
  get session(): string {
    return this.token ?? '';
  }

  /** Address of the market-data stream. */
  async streamAddress(): Promise<string> {
    const { env_info: info } = await this.read('/userinfo');
    const reported = isRecord(info) ? info['market_ws_url'] : '';
    const address = reported || `${this.credential.address.replace(/^http/, 'ws')}/apibatch/ws`;
    const refusal =
      typeof address === 'string'
        ? refusalOfStream(address, this.credential.address, this.credential.streamHosts)
        : 'is not an address';
    if (refusal === undefined) return String(address);
    throw new StreamRefused(
      `the address of the market-data stream that the live side gave ${refusal}; the session token was not sent there. ` +
        'If you know that it is the service\'s, add its host to "stream_hosts" in the file of --mirror',
    );
  }

  /** The instrument master of a date (YYYY-MM-DD) and an exchange. */
  async master(date: string, exchange: ExchangeCode): Promise<MasterRow[]> {
    const { refdata } = await this.read(`/refdata/refdata/${date}?exchange=${exchange}`, MAX_LIVE_REPLY_BYTES.master);
    return Array.isArray(refdata) ? refdata.filter(isRecord) : [];
  }

  /** The order book of an instrument, and its close of the day before; undefined where the answer is none. */
  async book(refId: number): Promise<{ quote: MirrorQuote; previousClose: number } | undefined> {
    const { orderBook: book } = await this.read(`/orderbooks/${refId}?levels=${MAX_LEVELS}`);
    if (!isRecord(book)) return undefined;
    const last = book['ltp'] ?? book['last_traded_price'];
    const quote = parseQuote(last, book['volume'], book['bid'], book['ask']);
    return quote && { quote, previousClose: wholeNumber(book['prev_close']) ?? 0 };
  }

  /** Current price of an instrument, which an index has, too. */
  async price(exchange: ExchangeCode, symbol: string): Promise<LivePrice | undefined> {
    const reply = await this.read(`/optionchains/${encodeURIComponent(symbol)}/price?exchange=${exchange}`);
    const price = wholeNumber(reply['price']);
    return price === undefined || price === 0
      ? undefined
      : { price, previousClose: wholeNumber(reply['prev_close']) ?? 0 };
  }

  /** Returns the answer to a question as it arrives; refusals too. @throws SessionDisplaced, Unanswered */
  async answer(question: LiveQuestion): Promise<LiveAnswer> {
    const headers = this.headers(this.session);
    const get = (path: string, query: string): Promise<Response> =>
      this.send(query === '' ? path : `${path}?${query}`, { method: 'GET', headers });
    const reply = await this.requestAnswer(question, get, headers);
    const text = await readText(reply, MAX_LIVE_REPLY_BYTES.passedOn).catch((error: unknown) => {
      throw new NoAnswer(`${question.kind} of the live side: ${brokenOff(error)}`);
    });
    return { status: reply.status, type: reply.headers.get('content-type') ?? 'application/json', text };
  }

  private requestAnswer(
    question: LiveQuestion,
    get: (path: string, query: string) => Promise<Response>,
    headers: Record<string, string>,
  ): Promise<Response> {
    switch (question.kind) {
      case 'chain':
        return get(`/optionchains/${encodeURIComponent(question.asset)}`, question.query);
      case 'bhavcopy':
        return get(`/bhavcopy/nse/${encodeURIComponent(question.date)}`, question.query);
      case 'candles': {
        const { body } = question;
        const more = { ...headers, 'content-type': 'application/json' };
        // Candles are asked for by POST; it changes nothing.
        return this.send('/charts/timeseries', { method: 'POST', headers: more, body });
      }
    }
  }

  /** @throws SessionDisplaced, Unanswered */
  private read(path: string, maxBytes?: number): Promise<Record<string, unknown>> {
    return this.request(path, { method: 'GET', headers: this.headers(this.session) }, maxBytes);
  }

  private post(path: '/totp/login' | '/verifypin', body: object, token = ''): Promise<Record<string, unknown>> {
    const headers = { ...this.headers(token), 'content-type': 'application/json' };
    return this.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private headers(token: string): Record<string, string> {
    const { deviceId } = this.credential;
    return { 'x-device-id': deviceId, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
  }

  private async request(
    path: string,
    request: RequestInit,
    maxBytes: number = MAX_LIVE_REPLY_BYTES.json,
  ): Promise<Record<string, unknown>> {
    const reply = await this.send(path, request);
    if (!reply.ok) {
      await reply.body?.cancel();
      throw unanswered(path, request, `status ${reply.status}`);
    }
    const text = await readText(reply, maxBytes).catch((error: unknown) => {
      throw unanswered(path, request, brokenOff(error));
    });
    const body = objectOf(text);
    if (body === undefined) throw unanswered(path, request, 'the answer is no JSON object');
    return body;
  }

  /** @throws SessionDisplaced, Unanswered where nothing came back */
  private async send(path: string, request: RequestInit): Promise<Response> {
    const ask = async (): Promise<Response> => {
      await this.pace.turn();
      const signal = AbortSignal.timeout(MAX_ANSWER_MS);
      return fetch(this.credential.address + path, { ...request, redirect: 'error', signal });
    };
    const reply = await ask()
      // A server ends a connection that was idle for some seconds, at times while it is used again.
      .catch((error: unknown) => {
        if (request.method !== 'GET' || !CLOSED_CODES.includes(codeOf(error))) throw error;
        return ask();
      })
      .catch((error: unknown) => {
        const isLate = error instanceof Error && error.name === 'TimeoutError';
        throw unanswered(path, request, isLate ? `no answer within ${MAX_ANSWER_MS / 1_000} s` : codeOf(error));
      });
    const isNoFile = reply.status === NO_FILE && path.startsWith('/bhavcopy/');
    if (DEAD.includes(reply.status) && !isNoFile)
      throw new SessionDisplaced(`${where(path, request)}: status ${reply.status}`);
    return reply;
  }
}

/** The object in a text; undefined where it holds none. */
function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The reason why an answer was not read to its end. */
function brokenOff(error: unknown): string {
  return error instanceof AnswerTooLarge
    ? `the answer was not read, as ${error.message}`
    : `the answer has broken off (${causeOf(error)})`;
}

const where = (path: string, { method }: RequestInit): string => `${method} ${path.split('?', 1)[0]} of the live side`;

const unanswered = (path: string, request: RequestInit, why: string): NoAnswer =>
  new NoAnswer(`${where(path, request)}: ${why}`);

/** A text of a reply, or of what it holds as `data`. @throws NoAnswer */
function textOf(reply: Record<string, unknown>, name: string): string {
  const value = reply[name] ?? (isRecord(reply['data']) ? reply['data'][name] : undefined);
  if (typeof value === 'string' && value !== '') return value;
  throw new NoAnswer(`the answer to the login has no ${name}`);
}

function totpOf(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}

/** The reason why an answer was not whole. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.name === 'TimeoutError'
    ? `not whole within ${MAX_ANSWER_MS / 1_000} s`
    : codeOf(error);
}

/** The code of a connection that failed, such as ECONNREFUSED, as a message may hold more than is wanted. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return String((cause as Partial<NodeJS.ErrnoException>).code ?? 'no connection');
}
