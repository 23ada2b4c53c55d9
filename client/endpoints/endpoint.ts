/** Definition of an endpoint of the service. Each of the other files in this folder holds one group of endpoints. */
import type { HttpMethod } from '../base/ports';
import type { Json, JsonInput } from '../values/json';
import type { NameKey } from '../values/neutral-names';

/** The counter for requests: at most 10 a second for trading, 60 a minute for history (docs/service/limits.md#rate-limits). */
export type RateBucket = 'trading' | 'history' | 'other';

/**
 * Permitted retries after a failure. `never`: the request places, changes, cancels, sends or logs in, so one request is one attempt.
 * `read`: sent again after 429, any 5xx and dropped connections. `busy`: a read whose 500 is an answer (a report without data), so sent
 * again after 429, 502–504 and dropped connections.
 */
export type RetryRule = 'never' | 'read' | 'busy';

/** Parts of a request beside its headers. The request type of an endpoint names the parts that it takes. */
export interface RequestParts {
  /** Values of the path's parameters; each is one path segment, whatever characters it holds. */
  path?: Readonly<Record<string, string | number>>;
  /** Query parameters; those that are undefined are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: JsonInput;
}

/** The request type of an endpoint that takes no part. */
export interface NoParts {
  path?: never;
  query?: never;
  body?: never;
}

/** One proof that a reply matches its request; see client/reply-gate.ts. */
export interface ReplyProof<Request> {
  /** The reply in the words of an error: "option chain". */
  reply: string;
  /** The compared property: "instrument", "expiry". */
  what: string;
  /** The requested value; undefined if the request leaves it open. If there are several, any of them is a valid answer. */
  asked(request: Request): string | number | readonly (string | number)[] | undefined;
  /** Each value that the reply gives as its subject. */
  answered(reply: Json): readonly (Json | undefined)[];
  /** True if a reply must state it. If left out, a reply may omit it. */
  isRequired?: true;
  /** Formats a value for an error; the value is shown unchanged if this is left out. */
  shown?(value: unknown): string;
  /** The node parameter that asked for it, by its internal name. */
  parameter?: string;
}

/**
 * The reason for which a reply cannot prove by itself that it matches the request. `names nothing`: it holds nothing of the question.
 * `found by its tag or id`: it may hold several, and the caller picks the right one (client/orders/api/match-reply.ts, find-by-tag.ts).
 * `proved where it is read`: a file whose rows show it (client/market/bhavcopy.ts).
 */
export type NoProof = 'names nothing' | 'found by its tag or id' | 'proved where it is read';

declare const types: unique symbol;

/**
 * One endpoint.
 * @typeParam Request its `path`, `query` and `body`.
 * @typeParam Reply the reply by the specification; see `Unchecked` for its reliability.
 */
export interface Endpoint<Request extends RequestParts = RequestParts, Reply = unknown> {
  method: HttpMethod;
  /** Path below the base address; `{name}` is a path parameter. */
  path: string;
  /** The same thing at another path: asked when the first answers 404 (docs/service/orders-v2.md#lists-of-orders). Reads only. */
  alternative?: string;
  repeat: RetryRule;
  bucket: RateBucket;
  /** Milliseconds: for the whole request, or without a byte if there is a `deadlineMs`. */
  timeoutMs: number;
  /** Milliseconds for the whole of a large download. */
  deadlineMs?: number;
  /** Maximum size of the reply, bytes after decompression; `MAX_REPLY_BYTES.json` if absent. */
  maxBytes?: number;
  /** The neutral word for platform names in its reply (docs/service/README.md#neutral-names). */
  nameKey?: NameKey;
  /** Returns a 401 or 440 unchanged, without a new login; `'first'`: a login is made only if there is no session at all. */
  keepSession?: true | 'first';
  /** A success may come without a body. */
  emptyReply?: boolean;
  /** True if it places: a 401 or 440 leads to no new login, since the request may have succeeded nevertheless. */
  places?: true;
  /**
   * The proof that its reply matches the request, or the reason for which there is none; left out only if the request asks for nothing in
   * particular.
   */
  proves?: readonly ReplyProof<Request>[] | NoProof;
  /** Types for the compiler only; never there at run time. */
  readonly [types]?: { request: Request; reply: Reply };
}

/** Properties of every endpoint beyond its method and path. */
type Manner<Request extends RequestParts> = Omit<Endpoint<Request>, 'method' | 'path' | typeof types>;

/** A word from a list in the specification. The lists are open: the service may send other words. */
export type OpenEnumWord<Known extends string> = Known | (string & {});

/** The manner of an endpoint: one with a request states the proof that the reply matches it. */
type MannerOf<Request extends RequestParts, Given> = Request extends NoParts
  ? [manner?: Given]
  : [manner: Given & { proves: NonNullable<Endpoint<Request>['proves']> }];

/** Times that requests may take, milliseconds. */
export const TIMEOUT_MS = { short: 15_000, normal: 30_000, history: 60_000, long: 180_000, download: 900_000 } as const;

/** A read: sent again when it fails. */
export function readEndpoint<Request extends RequestParts, Reply>(
  method: HttpMethod,
  path: string,
  ...[manner]: MannerOf<Request, Partial<Manner<Request>>>
): Endpoint<Request, Reply> {
  return { method, path, repeat: 'read', bucket: 'other', timeoutMs: TIMEOUT_MS.normal, ...manner };
}

/** Defines an endpoint whose effect happens once for each request: never sent again by itself. */
export function actionEndpoint<Request extends RequestParts, Reply>(
  method: HttpMethod,
  path: string,
  ...[manner]: MannerOf<Request, Partial<Omit<Manner<Request>, 'repeat'>>>
): Endpoint<Request, Reply> {
  return { method, path, repeat: 'never', bucket: 'other', timeoutMs: TIMEOUT_MS.normal, ...manner };
}

/** Defines an endpoint as `actionEndpoint`, for trading: counted with the trading requests, with a shorter timeout. */
export function tradingEndpoint<Request extends RequestParts, Reply>(
  method: HttpMethod,
  path: string,
  ...[manner]: MannerOf<Request, Pick<Manner<Request>, 'emptyReply' | 'places'>>
): Endpoint<Request, Reply> {
  return {
    ...{ method, path, repeat: 'never' as const, bucket: 'trading' as const, timeoutMs: TIMEOUT_MS.short },
    ...manner,
  };
}

/** The service took note of a request: its result comes later (docs/service/order-life.md#acknowledgement-and-result). */
export interface Acknowledgement {
  /** For example "update request pushed". */
  message?: string | null;
}
