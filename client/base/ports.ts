/**
 * The ports of the client. Nothing in this folder reads a clock, sleeps, draws random numbers or opens a connection by itself, so that
 * tests can run all of it in virtual time.
 */

declare const moment: unique symbol;

/** A moment of the monotonic clock. It is no number: nothing can be added to it, and it cannot be taken for a time of day. */
export interface Moment {
  readonly [moment]: true;
}

/**
 * Time, as handed in. What names a day or a time asks the wall clock, which may be set back or forward at any moment. What waits,
 * paces, expires or measures asks the monotonic one, which nobody can set.
 */
export interface Clock {
  /** The wall clock: milliseconds since the Unix epoch. Not for measuring. */
  now(): number;
  /** Returns the current moment of the monotonic clock, or the moment `inMs` milliseconds later. */
  moment(inMs?: number): Moment;
  /** Milliseconds since a moment; negative while it is yet to come. */
  since(moment: Moment): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** One record of entries that all processes share. */
export interface SharedEntries {
  /**
   * Adds entries, and makes the record if there is none: of several callers that make it at the same moment one succeeds.
   * @returns those of the entries that were missing. @throws if another caller came first, or if it cannot be stored.
   */
  add(entries: readonly string[]): Promise<readonly string[]>;
  /** Returns the number of records; 0 if there are none. */
  count(): Promise<number>;
  /** Removes the record. */
  clear(): Promise<void>;
}

/** Uniform in [0, 1). */
export type Random = () => number;

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

/** One request as it goes on the wire; `url` is absolute, `body` is already encoded. */
export interface WireRequest {
  method: HttpMethod;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds without a byte after which the transport gives up; and those for all of it, where `deadlineMs` is not there. */
  timeoutMs: number;
  /** Milliseconds for all of it, from the first byte sent to the last one read: a reply that drips ends here. */
  deadlineMs?: number;
  /** Maximum size of a success, bytes after decompression; `MAX_REPLY_BYTES.json` if absent (client/values/bytes.ts). */
  maxBytes?: number;
  /**
   * Returns a 401 or 440 unchanged, without a new login. `'first'`: a login is made only if there is no session at all (bhavcopy, where 440
   * has other meanings).
   */
  keepSession?: true | 'first';
  /** Returns a 401 or 440 unchanged, since the request may have succeeded nevertheless; it is sent with a valid session. */
  once?: true;
}

/** One reply with its bytes untouched; header names are lower case. */
export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Sends one request, once, and returns whatever status came back. Of the body of a refusal it returns the beginning.
 * @throws NetworkError (see errors.ts) when no complete reply came in time; UnreadableReplyError when it is larger than
 *   it may be.
 */
export type Http = (request: WireRequest, signal?: AbortSignal) => Promise<WireResponse>;

/** One reply whose body arrives piece by piece; header names are lower case. */
export interface StreamedResponse {
  status: number;
  headers: Record<string, string>;
  chunks: AsyncIterable<Uint8Array>;
  /** The beginning of the body of a refusal. */
  refusal?: Uint8Array;
}

/**
 * Sends as `Http`, for large bodies: resolves when the headers are there.
 * @throws NetworkError if the reply broke off, UnreadableReplyError if it is too large: also while its chunks are read.
 */
export type HttpStream = (request: WireRequest, signal?: AbortSignal) => Promise<StreamedResponse>;

/** The part of the WHATWG WebSocket that the stream uses; the global one of Node.js 24 fits. */
export interface StreamSocket {
  readonly readyState: number;
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

/** Opens a socket; the address holds the session token and must never be logged. */
export type SocketMaker = (url: string) => StreamSocket;
