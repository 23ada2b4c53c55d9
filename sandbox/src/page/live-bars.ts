import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { LiveQuestion, MirroredMarket } from '../market/mirror/types';
import type { Bar } from '../market/prices/types';
import type { Instrument } from '../market/reference/types';
import { parseLossless } from '../shared/json';

/** A candle of the chart; prices are paise, its time milliseconds. */
export type ChartBar = Omit<Bar, 'openInterest'>;

const PRICES = ['open', 'high', 'low', 'close'];
const VOLUME = 'tick_volume';
/** The ends of a question are whole ones of these, milliseconds: who asks again soon asks the same, and gets what is kept. */
const ROUND_MS = 60_000;
const NANOS_PER_MS = 1e6;

/** Values of candles in one field: nanoseconds, as text where a double cannot hold them, and value. */
const Points = Type.Array(Type.Object({ ts: Type.Union([Type.Integer(), Type.String()]), v: Type.Number() }));
const Reply = Type.Object({
  result: Type.Array(
    Type.Object({ values: Type.Array(Type.Record(Type.String(), Type.Record(Type.String(), Points))) }),
  ),
});

/**
 * The candles that the live side has of an instrument in [from, to); none where it does not answer, as the mirror's state then says why.
 */
export async function liveBars(
  mirror: MirroredMarket,
  instrument: Instrument,
  interval: string,
  from: number,
  to: number,
): Promise<ChartBar[]> {
  const answer = await mirror.answer(question(instrument, interval, from, to));
  if ('trouble' in answer || answer.status !== 200) return [];
  const reply = parseLossless(answer.text);
  if (!Value.Check(Reply, reply)) return [];
  const found = reply.result[0]?.values[0]?.[instrument.symbol] ?? {};
  const byTime = (name: string) => new Map((found[name] ?? []).map(({ ts, v }) => [millis(ts), v]));
  const [opens, highs, lows, volumes] = [...PRICES.slice(0, 3), VOLUME].map(byTime);
  return [...byTime('close')].flatMap(([at, close]) => {
    const [open, high, low] = [opens, highs, lows].map((values) => values?.get(at));
    if (open === undefined || high === undefined || low === undefined) return [];
    return [{ at, open, high, low, close, volume: volumes?.get(at) ?? 0 }];
  });
}

/** The live side's candles and those that the mirror has seen since, oldest first: one that both have goes on from the live side's. */
export function joinBars(live: readonly ChartBar[], seen: readonly ChartBar[]): ChartBar[] {
  const last = live.at(-1);
  if (last === undefined) return [...seen];
  const running = seen.find(({ at }) => at === last.at);
  const both = running === undefined ? last : goesOn(last, running);
  return [...live.slice(0, -1), both, ...seen.filter(({ at }) => at > last.at)];
}

const goesOn = (live: ChartBar, seen: ChartBar): ChartBar => ({
  ...live,
  high: Math.max(live.high, seen.high),
  low: Math.min(live.low, seen.low),
  close: seen.close,
  volume: Math.max(live.volume, seen.volume),
});

function question(
  { exchange, derivativeType, symbol }: Instrument,
  interval: string,
  from: number,
  to: number,
): LiveQuestion {
  const isIndex = derivativeType === 'INDEX';
  const rounded = (at: number): string => new Date(Math.ceil(at / ROUND_MS) * ROUND_MS).toISOString();
  const query = [
    {
      exchange,
      type: derivativeType,
      values: [symbol],
      fields: isIndex ? PRICES : [...PRICES, VOLUME],
      startDate: rounded(from),
      endDate: rounded(to),
      interval,
      intraDay: false,
      realTime: false,
    },
  ];
  return { kind: 'candles', body: JSON.stringify({ query }) };
}

const millis = (nanoseconds: number | string): number => Math.round(Number(nanoseconds) / NANOS_PER_MS);
