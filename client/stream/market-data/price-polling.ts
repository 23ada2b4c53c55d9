/** Asks for a price again and again, and goes on after failures. */
import { BrokerageError, SessionError } from '../../errors';
import type { Clock, Random } from '../../ports';
import type { Environment } from '../../session/settings';
import { pauseBeforeAttempt } from '../connection/backoff';
import { isMarketHour, isMarketTime, OUTAGE_AFTER_MS } from '../connection/outage';

export interface PriceWatchOptions {
  clock: Clock;
  random: Random;
  environment: Environment;
  everyMs: number;
  /** Last traded price, paise. @throws BrokerageError */
  price(signal: AbortSignal): Promise<number>;
  /** A price, paise; comes for none that is 0: nothing has been traded yet. */
  onPrice(price: number): void;
  /** No price has come for so long (milliseconds); once for each outage. */
  onOutage(reason: string, downMs: number): void;
  /** No price is possible without the person: the watch has stopped. */
  onFatal(error: SessionError): void;
}

/** At weekends, when a market opens for a special session now and then, a price is asked for this often at most, milliseconds. */
const SELDOM_MS = 60_000;

/**
 * Resolves when the first reply is there; then goes on until the signal fires. While no market can trade nothing is asked.
 * @throws BrokerageError of the first price.
 */
export async function watchPrice(options: PriceWatchOptions, signal: AbortSignal): Promise<void> {
  tell(options, await options.price(signal));
  void goOn(options, signal);
}

function tell({ onPrice }: PriceWatchOptions, price: number): void {
  if (price > 0) onPrice(price);
}

async function goOn(options: PriceWatchOptions, signal: AbortSignal): Promise<void> {
  const { clock, environment } = options;
  let failures = 0;
  let lastPriceAt = clock.now();
  let told = false;
  for (;;) {
    const isSpecial = isMarketHour(environment, clock.now()) && !isMarketTime(environment, clock.now());
    const everyMs = isSpecial ? Math.max(options.everyMs, SELDOM_MS) : options.everyMs;
    const asleep = clock.sleep(
      failures === 0 ? everyMs : everyMs + pauseBeforeAttempt(failures, options.random),
      signal,
    );
    if (
      !(await asleep.then(
        () => !signal.aborted,
        () => false,
      ))
    )
      return;
    if (!isMarketTime(environment, clock.now())) {
      failures = 0;
      lastPriceAt = clock.now();
    }
    if (!isMarketHour(environment, clock.now())) continue;
    try {
      const price = await options.price(signal);
      if (signal.aborted) return;
      failures = 0;
      lastPriceAt = clock.now();
      told = false;
      tell(options, price);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SessionError) {
        options.onFatal(error);
        return;
      }
      failures += 1;
      const downMs = clock.now() - lastPriceAt;
      if (told || downMs < OUTAGE_AFTER_MS) continue;
      told = true;
      options.onOutage(error instanceof BrokerageError ? error.message : 'The price could not be had', downMs);
    }
  }
}
