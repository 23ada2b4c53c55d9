/**
 * Shared parts of the exit keepers: checks that run one after another, a read whose outage is reported, and errors that are reported
 * once.
 */
import { BrokerageError } from '../base/errors';
import type { Clock } from '../base/ports';
import { OutageReporter } from '../stream/connection/outage-reporter';

/** Duration of a failing read after which it is reported. */
const UNREAD_MS = 60_000;

/** Interval between reads of the portfolio while nothing happens, milliseconds. */
export const READS_EVERY_MS = 10_000;

/** The account could not be read for this many milliseconds; reported once for each outage. */
export interface UnreadEvent {
  what: 'unread';
  error: BrokerageError;
  forMs: number;
}

/** Repeats a look at the account until its signal fires. */
export class KeepingLoop {
  private wakeUp = new AbortController();
  private readonly unread: OutageReporter;
  /** The errors that were told last. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.unread = new OutageReporter(clock, { afterMs: UNREAD_MS });
  }

  /** Wakes the loop after a change: the next check is at once. */
  wake(): void {
    this.wakeUp.abort();
  }

  /**
   * Runs the loop.
   * @param cycle one check.
   * @param pauseMs milliseconds until the next check; receives the result of the last one, or undefined if it failed.
   * @throws errors from outside of the client.
   */
  async run<T>(cycle: () => Promise<T>, pauseMs: (looked: T | undefined) => number): Promise<void> {
    while (this.signal?.aborted !== true) {
      const [looked] = await Promise.allSettled([cycle()]);
      if (this.signal?.aborted) return;
      if (looked.status === 'rejected' && !(looked.reason instanceof BrokerageError)) throw looked.reason;
      const either = AbortSignal.any([this.wakeUp.signal, ...(this.signal ? [this.signal] : [])]);
      const pause = pauseMs(looked.status === 'fulfilled' ? looked.value : undefined);
      await this.clock.sleep(pause, either).catch(() => undefined);
      this.wakeUp = new AbortController();
    }
  }

  /** Reads, and reports a lasting failure. @throws any error of the read */
  async read<T>(read: () => Promise<T>, notify: (event: UnreadEvent) => void): Promise<T> {
    const [reading] = await Promise.allSettled([read()]);
    if (reading.status === 'fulfilled') {
      this.unread.back();
      return reading.value;
    }
    this.unread.away();
    const forMs = reading.reason instanceof BrokerageError ? this.unread.due() : undefined;
    if (forMs !== undefined) notify({ what: 'unread', error: reading.reason as BrokerageError, forMs });
    throw reading.reason;
  }

  /** Returns true if an error differs from the last one reported for `key`, and counts it as reported. */
  isNews(key: string, error: BrokerageError, isFinal: boolean): boolean {
    const said = `${isFinal} ${error.message}`;
    if (this.told.get(key) === said) return false;
    this.told.set(key, said);
    return true;
  }

  /** Forgets a reported error: the next one is reported, whichever it is. */
  forget(key: string): void {
    this.told.delete(key);
  }
}
