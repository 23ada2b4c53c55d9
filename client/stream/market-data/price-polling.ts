/** Asks for a price again and again, and goes on after failures. */
import { BrokerageError, SessionError } from '../../base/errors';
import type { Clock, Random } from '../../base/ports';
import type { Environment } from '../../session/settings';
import { pause } from '../../waiting';
import { pauseBeforeAttempt } from '../connection/backoff';
import { isMarketHour, isMarketTime } from '../connection/market-hours';
import { OUTAGE_AFTER_MS } from '../connection/outage';

export interface PricePollingOptions {
  clock: Clock;
  random: Random;
  environment: Environment;
  /** Milliseconds between two prices. */
  everyMs: number;
  /** Last traded price, paise. @throws BrokerageError */
  price(signal: AbortSignal): Promise<number>;
  /** A price, paise; never 0, which means that nothing has been traded yet. */
  onPrice(price: number): void;
  /** No price has come for so long (milliseconds); once for each outage. */
  onOutage(reason: string, downMs: number): void;
  /** No price is possible without the person: the polling has stopped. */
  onFatal(error: SessionError): void;
}

/** Milliseconds between two prices at weekends, when a market opens for a special session now and then, at least. */
const SELDOM_MS = 60_000;

/**
 * Resolves when the first reply is there; then goes on until the signal fires. While no market can trade nothing is asked.
 * @throws BrokerageError of the first price.
 */
export async function pollPrice(options: PricePollingOptions, signal: AbortSignal): Promise<void> {
  tell(options, await options.price(signal));
  void goOn(options, signal);
}

function tell({ onPrice }: PricePollingOptions, price: number): void {
  if (price > 0) onPrice(price);
}

async function goOn(options: PricePollingOptions, signal: AbortSignal): Promise<void> {
  const { clock, environment } = options;
  let failures = 0;
  let lastPriceAt = clock.now();
  let told = false;
  for (;;) {
    const isSpecial = isMarketHour(environment, clock.now()) && !isMarketTime(environment, clock.now());
    const everyMs = isSpecial ? Math.max(options.everyMs, SELDOM_MS) : options.everyMs;
    const pauseMs = failures === 0 ? everyMs : everyMs + pauseBeforeAttempt(failures, options.random);
    if (!(await pause(clock, pauseMs, signal))) return;
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
