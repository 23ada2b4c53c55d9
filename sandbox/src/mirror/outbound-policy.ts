/**
 * Hosts to which a mirror sends its session token, and the part of an answer that it reads. The node keeps the same rules in its own words
 * (client/session/address.ts, client/values/bytes.ts); test/outbound-policy.test.ts asks both the same questions.
 */
import { getDomain } from 'tldts';

const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];
/** The ports that an address without one means. */
const USUAL_PORTS: Record<string, string> = { 'https:': '443', 'wss:': '443', 'http:': '80', 'ws:': '80' };
const MB = 1_000_000;

/** The largest answers that are read, bytes after decompression. */
export const MAX_LIVE_REPLY_BYTES = {
  json: 64 * MB,
  /** A whole exchange's instruments. */
  master: 500 * MB,
  /** Size of an answer to a question that is passed on: candles, option chains, end-of-day files. */
  passedOn: 256 * MB,
} as const;

/** Milliseconds that an answer may take, to its last byte. */
export const MAX_ANSWER_MS = 15_000;

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

const portOf = ({ port, protocol }: URL): string => port || (USUAL_PORTS[protocol] ?? '');

/** True if an address is a base address that keeps secrets on their way: encrypted, or on this machine, and nothing but an origin. */
export function isBaseAddress(address: string): boolean {
  const url = parse(address);
  if (url === undefined) return false;
  const isEncrypted = url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.includes(url.hostname));
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isEncrypted && isBare && url.password === '';
}

/** True if two hosts are one, or below one name that somebody registered (public suffix list, private names too). */
function haveOneOwner(hostname: string, other: string): boolean {
  if (hostname === other) return true;
  const domain = getDomain(hostname, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(other, { allowPrivateDomains: true });
}

/**
 * The reason why the session token must not go to a stream address; undefined where it may.
 * @param address as the service reported it. @param base the address of the service, as the user wrote it.
 * @param streamHosts further hosts that the user allows, as `host` or `host:port`.
 */
export function refusalOfStream(address: string, base: string, streamHosts: readonly string[]): string | undefined {
  const url = parse(address);
  const home = new URL(base);
  if (url === undefined) return 'is not an address';
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'holds more than an address';
  const isLocal = LOCAL.includes(url.hostname) && LOCAL.includes(home.hostname);
  if (url.protocol !== 'wss:' && !(url.protocol === 'ws:' && isLocal)) return 'is not encrypted (wss)';
  const port = portOf(url);
  if (streamHosts.includes(`${url.hostname}:${port}`)) return undefined;
  if (!isLocal && !haveOneOwner(url.hostname, home.hostname) && !streamHosts.includes(url.hostname))
    return `is on another domain (${url.hostname})`;
  if (port !== portOf(home) && (isLocal || port !== '443')) return `is on another port (${port})`;
  return undefined;
}

/** An answer with more than is read of it. */
export class AnswerTooLarge extends Error {}

const tooLarge = (maxBytes: number): AnswerTooLarge => new AnswerTooLarge(`it is larger than ${maxBytes / MB} MB`);

/**
 * Reads an answer as text, and no more of it than is allowed.
 * @param maxBytes after decompression. @throws AnswerTooLarge, with the rest unread
 */
export async function readText(reply: Response, maxBytes: number): Promise<string> {
  if (Number(reply.headers.get('content-length')) > maxBytes) {
    await reply.body?.cancel();
    throw tooLarge(maxBytes);
  }
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of reply.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
