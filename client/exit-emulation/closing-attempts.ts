/**
 * Attempts to close what has reached an exit: some on each day, at growing intervals, until nothing is left. What is remembered of them
 * is plain data that outlives a restart.
 */
import { attempt } from '../attempt';
import { BrokerageError, InputError } from '../base/errors';
import type { ExitReason } from './held-exits';
import type { EmulationClock, EmulationMoment } from './emulation-clock';

/** Attempts of one day. */
const MAX_ATTEMPTS = 10;
/** Milliseconds until the next attempt, for each that was made. */
export const NEXT_ATTEMPT_MS = 5_000;

/** Error of an attempt after which the rest of the quantity is unknown. */
export const REST_UNKNOWN = new InputError('It is not known how much is left.', {
  hint: "Look at the position in your broker's app.",
});

/** An exit that was reached, and the attempts to close. Stored: its field names stay. */
export interface ReachedExit {
  reason: ExitReason;
  /** YYYY-MM-DD, IST: of the attempts; empty before the first. */
  day: string;
  /** Attempts of that day that have failed. */
  tries: number;
  /** True if one of our closing orders is or may be with the service. */
  hasSent?: true;
}

/** The part of a reached exit before the first attempt. */
export const NO_ATTEMPTS = { day: '', tries: 0 } as const;

/** Result of one attempt: what was closed, or why nothing was. */
export type ClosingAttempt<T> = { closed: T; error?: undefined } | { closed?: undefined; error: BrokerageError };

/** Returns an error to report. @throws any other */
export function expectedError(error: unknown): BrokerageError {
  if (error instanceof BrokerageError) return error;
  throw error;
}

/** Paces the attempts of one trigger. A key names what is closed by one attempt. */
export class ClosingAttempts {
  private readonly nextAt = new Map<string, EmulationMoment>();

  constructor(
    private readonly clock: EmulationClock,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Returns true if an attempt may be made now. */
  isDue(key: string, { tries }: ReachedExit): boolean {
    const due = this.nextAt.get(key);
    return tries < MAX_ATTEMPTS && (due === undefined || this.clock.since(due) >= 0);
  }

  /** Returns true if an attempt has failed, and the next one may be made now. */
  isRetryDue(key: string, reached: ReachedExit): boolean {
    return this.nextAt.has(key) && this.isDue(key, reached);
  }

  /** Makes one attempt. @returns undefined if the signal has fired meanwhile. @throws errors from outside of the client */
  async attempt<T>(close: () => Promise<T>): Promise<ClosingAttempt<T> | undefined> {
    const attempted = await attempt(close());
    if (this.signal?.aborted) return undefined;
    return attempted.ok ? { closed: attempted.value } : { error: expectedError(attempted.error) };
  }

  /** Counts an attempt that has failed. @returns true if it was the last one of the day */
  countFailure(key: string, reached: ReachedExit): boolean {
    reached.tries += 1;
    this.nextAt.set(key, this.clock.moment(NEXT_ATTEMPT_MS * reached.tries));
    return reached.tries >= MAX_ATTEMPTS;
  }

  /** Forgets a key: the next attempt for it may be at once. */
  forget(key: string): void {
    this.nextAt.delete(key);
  }
}
