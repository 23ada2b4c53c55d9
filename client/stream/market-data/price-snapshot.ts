/** The prices of this moment, of instruments that a stream which is open already brings. */
import { attempt } from '../../attempt';
import type { Clock } from '../../base/ports';
import { pauseUnlessAborted, unlessAborted } from '../../abortable';
import type { MarketData, MarketEvent, MarketInstrument, MarketTick } from './market-data';

/** Milliseconds within which the stream brings the first price of an instrument that trades. */
const FIRST_PRICES_MS = 1_500;
/** Milliseconds that a price may be old: a look is no reason to have every change. */
const PACE_MS = 1_000;

/**
 * The newest price of each instrument that the stream brings within a moment; of those that are wanted by nobody else, what
 * it brings first. Where the stream is away, or refuses, there is none.
 * @returns by ref_id.
 * @throws the signal's reason.
 */
export async function streamedPrices(
  market: MarketData,
  instruments: readonly MarketInstrument[],
  clock: Clock,
  signal?: AbortSignal,
): Promise<Map<number, MarketTick>> {
  const requested = new Map(instruments.map((instrument) => [instrument.refId, instrument]));
  const prices = new Map<number, MarketTick>();
  const ended = new AbortController();
  const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  const enough = Promise.withResolvers<void>();
  let isAway = false;
  const listener = (event: MarketEvent): void => {
    if (event.kind === 'tick' && event.tick.source === 'stream') prices.set(event.tick.instrument.refId, event.tick);
    isAway ||= (event.kind === 'source' && event.now === 'rest') || event.kind === 'fatal';
    if (isAway || prices.size === requested.size) enough.resolve();
  };
  const subscriptions = [...requested.values()].map((instrument) => ({
    kind: 'tick' as const,
    instrument,
    paceMs: PACE_MS,
  }));
  const refused = market.subscribe(subscriptions, listener, either).then(
    async () => await unlessAborted(enough.promise, either),
    () => undefined,
  );
  await Promise.race([enough.promise, refused, pauseUnlessAborted(clock, FIRST_PRICES_MS, either)]);
  ended.abort(new Error('The prices are had'));
  await attempt(refused);
  signal?.throwIfAborted();
  // What was told before it was lost is not the price of this moment.
  return isAway ? new Map() : prices;
}
