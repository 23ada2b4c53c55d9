/** Requests the prices of a silent period until they arrive. */
import { attempt } from '../../attempt';
import { BrokerageError, SessionError } from '../../base/errors';
import { pauseUnlessAborted } from '../../abortable';
import { readMissedBars, type MissedPrices } from './price-history';
import type { WatchedInstrument, PricesDeps } from './watched-instrument';

/** It is asked for so many times at most, with growing pauses (milliseconds). */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 300;

/**
 * Reads the history of several instruments.
 * @param from milliseconds on the service's clock.
 * @returns why it could not be had, as text, where it could not.
 */
export async function backfillPrices(
  deps: PricesDeps,
  group: readonly WatchedInstrument[],
  from: number,
): Promise<MissedPrices | string> {
  const { clock, candles, time, signal } = deps;
  const instruments = group.map(({ instrument }) => instrument);
  for (let tries = 1; ; tries++) {
    const read = await attempt(readMissedBars(candles, instruments, from, time, signal));
    if (read.ok) return read.value;
    const error: unknown = read.error;
    if (error instanceof SessionError) deps.fatal(error);
    const reason = error instanceof BrokerageError ? error.message : 'The history could not be read';
    if (tries === ATTEMPTS || signal.aborted || error instanceof SessionError) return reason;
    await pauseUnlessAborted(clock, FIRST_PAUSE_MS * 2 ** (tries - 1), signal);
  }
}
