import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LiveQuestion } from '../market/mirror/types';
import { instrumentNamed } from '../market/reference/instrument-named';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from './errors';
import { sessionUser } from './authentication';

/** Instruments that one request can begin to watch. */
const MAX_CANDLES_HELD = 50;
const DEEPEST = 6;
const NAMES = ['ref_id', 'refId', 'underlying_ref_id'];
const BROKER_BUSY = 503;

/**
 * Sends a request on where prices are a live market's. Its instruments are watched, and it waits until they have been seen. What only
 * the live side can answer (candles, option chains, end-of-day files) it answers, and that goes on unchanged.
 * @returns true if the request has been answered
 * @throws ApiError where the live side does not answer, and for what would move its prices
 */
export async function proxyToLive(sandbox: Sandbox, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { mirror } = sandbox;
  if (mirror === undefined) return false;
  refuseMoves(sandbox, request);
  const question = questionOf(request);
  if (question === undefined) {
    const ids = instrumentsOf(sandbox, request);
    if (ids.length > 0) await mirror.ready(ids);
    return false;
  }
  sessionUser(sandbox, request);
  const answer = await mirror.answer(question);
  if ('trouble' in answer) throw new ApiError(BROKER_BUSY, `The live side does not answer: ${answer.trouble}`);
  // As bytes, so that nothing is parsed or written again on its way.
  void reply.code(answer.status).type(answer.type).send(Buffer.from(answer.text));
  return true;
}

/** Refuses a move of prices or time by hand, which would invent some. @throws ApiError */
function refuseMoves({ options }: Sandbox, { method, routeOptions, body }: FastifyRequest): void {
  const { url } = routeOptions;
  if (method !== 'GET' && url === '/_sandbox/clock' && options.clock === 'real')
    throw new ApiError(400, 'The time is that of the live market (--mirror): it cannot be moved here');
  const moves = url === '/_sandbox/scenarios' || (url === '/_sandbox/market' && has(body, 'price'));
  if (method !== 'GET' && moves)
    throw new ApiError(400, 'Prices are those of the live market (--mirror): they cannot be moved here');
}

function has(body: unknown, name: string): boolean {
  return typeof body === 'object' && body !== null && name in body;
}

/** Returns the question of a request that only the live side can answer. */
function questionOf({ method, routeOptions, params, query, body }: FastifyRequest): LiveQuestion | undefined {
  const texts = new URLSearchParams(query as Record<string, string>).toString();
  switch (`${method} ${routeOptions.url}`) {
    case 'POST /charts/timeseries':
      return { kind: 'candles', body: JSON.stringify(body) };
    case 'GET /optionchains/:asset':
      return { kind: 'chain', asset: (params as { asset: string }).asset, query: texts };
    case 'GET /bhavcopy/nse/:date':
      return { kind: 'bhavcopy', date: (params as { date: string }).date, query: texts };
    default:
      return undefined;
  }
}

/** The ref_ids of what a request is about, named by symbol or by ref_id. */
function instrumentsOf({ world }: Sandbox, { params, query, body }: FastifyRequest): number[] {
  const { instrument = '' } = params as { instrument?: string };
  const { exchange } = query as { exchange?: string };
  const where = exchange === 'BSE' || exchange === 'MCX' ? exchange : 'NSE';
  const named = instrumentNamed(world.universe(), where, instrument);
  const ids = new Set(named === undefined ? [] : [named.refId]);
  for (const part of [params, query, body]) gather(part, ids, 0);
  return [...ids].slice(0, MAX_CANDLES_HELD);
}

/** The ref_ids anywhere in a value. */
function gather(value: unknown, ids: Set<number>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const [name, inner] of Object.entries(value)) {
    if (NAMES.includes(name) && /^\d{1,15}$/.test(String(inner))) ids.add(Number(inner));
    else gather(inner, ids, depth + 1);
  }
}
