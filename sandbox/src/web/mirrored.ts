import type { FastifyRequest } from 'fastify';
import type { Sandbox } from '../simulation/sandbox';

/** Instruments that one request can begin to watch. */
const MOST = 50;
const DEEPEST = 6;
const NAMES = ['ref_id', 'refId', 'underlying_ref_id'];

/** Where prices are a live market's: waits until those of the instruments that a request names have been seen. */
export async function awaitMirror({ mirror, world }: Sandbox, request: FastifyRequest): Promise<void> {
  if (mirror === undefined) return;
  const { instrument, asset } = request.params as { instrument?: string; asset?: string };
  const { exchange } = request.query as { exchange?: string };
  const where = exchange === 'BSE' || exchange === 'MCX' ? exchange : 'NSE';
  const named = [instrument, asset].flatMap((name) => world.universe().bySymbol(where, name ?? '') ?? []);
  const ids = new Set(named.map(({ refId }) => refId));
  for (const part of [request.params, request.query, request.body]) gather(part, ids, 0);
  if (ids.size > 0) await mirror.ready([...ids].slice(0, MOST));
}

/** The ref_ids anywhere in a value. */
function gather(value: unknown, ids: Set<number>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const [name, inner] of Object.entries(value)) {
    if (NAMES.includes(name) && /^\d{1,15}$/.test(String(inner))) ids.add(Number(inner));
    else gather(inner, ids, depth + 1);
  }
}
