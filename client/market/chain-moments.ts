/** An option chain at given moments (docs/service/market-data.md#option-chain-at-given-moments). */
import { UnreadableReplyError } from '../base/errors';
import { endpoints } from '../endpoints';
import type { MomentField } from '../endpoints/chain-moments';
import type { Transport } from '../transport';
import { asObject, type Json, type JsonObject } from '../values/json';
import { recordOf } from '../values/record';
import { compactDate } from '../values/time';

/** Moments of one request: each holds a chain. */
const MAX_MOMENTS = 10;

/** Maximum distance between the requested moment and the service's, milliseconds. */
const MAX_DISTANCE_MS = 5 * 60_000;

/** One moment that is asked for, with the strikes that matter then. */
export interface RequestedMoment {
  /** Milliseconds since the epoch. */
  at: number;
  /** Paise; at least one. */
  strikes: readonly number[];
}

/** Values of the options of a strike; null if the service has none. */
export interface MomentPair {
  ce: number | null;
  pe: number | null;
}

/** The chain at a moment: by strike, paise. Strikes without data are missing. */
export interface ChainMoment {
  /** The moment that the service reported; the requested one if it reported none. */
  at: number;
  strikes: ReadonlyMap<number, MomentPair>;
}

export interface MomentsRequest {
  exchange: string;
  /** Symbol of the underlying. */
  asset: string;
  /** YYYY-MM-DD. */
  expiry: string;
  field: MomentField;
  moments: readonly RequestedMoment[];
  signal?: AbortSignal;
}

const CHARTS: Record<MomentField, 'Open_Interest_Change' | 'Time_Lapse_Skew'> = {
  cumulative_oi: 'Open_Interest_Change',
  iv_mid: 'Time_Lapse_Skew',
};

/**
 * Returns a chain at each of some moments, in their order. Each ten moments take one request.
 * @throws UnreadableReplyError if the reply is invalid, or shows no moment; otherwise as `Transport.call`.
 */
export async function getChainMoments(
  transport: Transport,
  { exchange, asset, expiry, field, moments, signal }: MomentsRequest,
): Promise<ChainMoment[]> {
  const chainMoments: ChainMoment[] = [];
  for (let from = 0; from < moments.length; from += MAX_MOMENTS) {
    const requestedMoments = moments.slice(from, from + MAX_MOMENTS);
    const body = {
      query: requestedMoments.map(({ at, strikes }) => ({
        exchange,
        asset,
        expiries: [compactDate(expiry)],
        minStrike: Math.min(...strikes),
        maxStrike: Math.max(...strikes),
        strikes,
        fields: [field],
        time: new Date(at).toISOString(),
      })),
    };
    const reply = recordOf(
      await transport.call(endpoints.multistrike, { query: { chart: CHARTS[field] }, body, signal }),
      'the reply',
    );
    if (reply.result === undefined)
      throw new UnreadableReplyError("The service's answer holds no result (POST /charts/multistrike).", {
        hint: 'Nothing of the answer was used. Try again later.',
      });
    const times = timesIn(within(reply.result, exchange, asset));
    for (const moment of requestedMoments) {
      const nearest = nearestTo(moment.at, times);
      const chain = nearest && within(nearest.chain, compactDate(expiry));
      chainMoments.push({ at: nearest?.at ?? moment.at, strikes: pairsIn(chain, field) });
    }
  }
  return chainMoments;
}

/** Returns the value at a path in objects; undefined if the path ends before. */
function within(value: Json, ...path: string[]): JsonObject | undefined {
  let inner: Json | undefined = value;
  for (const key of path) {
    const object: JsonObject | undefined = asObject(inner ?? null);
    inner = object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
  }
  return asObject(inner ?? null);
}

/** The chain of a moment, or of the nearest one that the service has. */
function nearestTo<T extends { at: number }>(at: number, times: readonly T[]): T | undefined {
  let nearest: T | undefined;
  for (const time of times) {
    const distance = Math.abs(time.at - at);
    if (distance <= MAX_DISTANCE_MS && (nearest === undefined || distance < Math.abs(nearest.at - at))) nearest = time;
  }
  return nearest;
}

/** Chains by their moments, which the service writes as ISO 8601. */
function timesIn(chains: JsonObject | undefined): { at: number; chain: Json }[] {
  return Object.entries(chains ?? {}).map(([time, chain]) => {
    const at = time.length > 40 ? NaN : Date.parse(time);
    if (Number.isNaN(at)) throw new UnreadableReplyError('The service gave an option chain without its time.');
    return { at, chain };
  });
}

function pairsIn(strikes: JsonObject | undefined, field: MomentField): Map<number, MomentPair> {
  const pairs = new Map<number, MomentPair>();
  for (const [strike, fields] of Object.entries(strikes ?? {})) {
    const values = within(fields, field);
    if (/^\d{1,12}$/.test(strike) && values !== undefined)
      pairs.set(Number(strike), { ce: numberOf(values.CE), pe: numberOf(values.PE) });
  }
  return pairs;
}

const numberOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
