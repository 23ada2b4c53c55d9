/**
 * Shared parts of the exit keepers: checks that run one after another, a read whose outage is reported, and errors that are reported
 * once.
 */
import { BrokerageError, InputError } from '../base/errors';
import type { Clock, Moment } from '../base/ports';
import type { Transport } from '../transport';
import { OutageReporter } from '../stream/connection/outage-reporter';

/** Duration of a failing read after which it is reported. */
const UNREAD_MS = 60_000;

/** Interval between reads of the portfolio while nothing happens, milliseconds. */
export const READS_EVERY_MS = 10_000;
/** Time for which the service may still show a closed position, milliseconds. */
export const SHOWN_LATE_MS = 30_000;
/** Time for which a held quantity must be missing before it counts as closed elsewhere: a list may lack it for a moment. */
export const MISSING_MS = 30_000;
/** Maximum age of the last price for an exit at a time: the market must be trading. */
export const PRICE_WITHIN_MS = 60_000;
/** Tries of one day. */
export const MAX_TRIES = 10;
/** Milliseconds until the next try, for each that was made. */
export const NEXT_TRY_MS = 5_000;

export const NOTHING_KNOWN = new InputError('It is not known how much is left.', {
  hint: "Look at the position in your broker's app.",
});

/** Returns an error to report. @throws any other */
export function expected(error: unknown): BrokerageError {
  if (error instanceof BrokerageError) return error;
  throw error;
}

/** The account could not be read for this many milliseconds; reported once for each outage. */
export interface UnreadEvent {
  what: 'unread';
  error: BrokerageError;
  forMs: number;
}

/** Of a sandbox alone: its clock waits until this is done, as it does for runs (see `Access.runsDone`). @param work never rejects */
export type HoldClock = (work: Promise<unknown>) => void;

/** An instant of the machine's clock and of the market's. */
export interface KeepingMoment {
  machine: Moment;
  /** Milliseconds since the epoch. */
  market: number;
}

/**
 * Durations of a keeper. They go by the machine's clock, which nobody can set. In a sandbox, whose days may pass in seconds, they are over
 * once they have passed on the market's clock.
 */
export class KeepingClock {
  /** Time of the newest price of the stream, milliseconds since the epoch: a clock that only goes where it is put tells no speed. */
  private heardAt = 0;

  constructor(private readonly transport: Pick<Transport, 'clock' | 'marketClock'>) {}

  /** Takes the time of a price of the stream, milliseconds since the epoch. */
  heard(at: number): void {
    this.heardAt = Math.max(this.heardAt, at);
  }

  /** The market's time, milliseconds since the epoch. */
  get now(): number {
    const { marketClock } = this.transport;
    return this.isSandbox ? Math.max(marketClock.now(), this.heardAt) : marketClock.now();
  }

  /** @param inMs milliseconds from now */
  moment(inMs = 0): KeepingMoment {
    return { machine: this.transport.clock.moment(inMs), market: this.now + inMs };
  }

  /** Returns the milliseconds since a moment, below 0 before it. */
  since({ machine, market }: KeepingMoment): number {
    const passed = this.transport.clock.since(machine);
    return this.isSandbox ? Math.max(passed, this.now - market) : passed;
  }

  private get isSandbox(): boolean {
    return this.transport.marketClock.run !== undefined;
  }
}

/** Repeats a look at the account until its signal fires. */
export class KeepingLoop {
  private wakeUp = new AbortController();
  /** Let a sandbox's clock go on, once a look is done that begins from now on. */
  private waiting: (() => void)[] = [];
  private isOver = false;
  private hasFailed = false;
  private readonly unread: OutageReporter;
  /** The errors that were told last. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal | undefined,
    private readonly holdClock?: HoldClock,
  ) {
    this.unread = new OutageReporter(clock, { afterMs: UNREAD_MS });
  }

  /** Wakes the loop after a change: the next check is at once, and a sandbox's clock waits until it is done. */
  wake(): void {
    this.wakeUp.abort();
    if (this.holdClock === undefined || this.isOver) return;
    this.holdClock(new Promise<void>((resolve) => this.waiting.push(resolve)));
  }

  /** Wakes the loop for another try that is due; not after a check that has failed, or each price would bring the next. */
  retry(): void {
    if (!this.hasFailed) this.wake();
  }

  /**
   * Runs the loop.
   * @param cycle one check.
   * @param pauseMs milliseconds until the next check; receives the result of the last one, or undefined if it failed.
   * @param goesOn true if more steps follow the check: a sandbox's clock waits for them, too.
   * @throws errors from outside of the client.
   */
  async run<T>(
    cycle: () => Promise<T>,
    pauseMs: (looked: T | undefined) => number,
    goesOn: (looked: T) => boolean = () => false,
  ): Promise<void> {
    await this.repeat(cycle, pauseMs, goesOn).finally(() => {
      this.isOver = true;
      for (const release of this.waiting.splice(0)) release();
    });
  }

  private async repeat<T>(
    cycle: () => Promise<T>,
    pauseMs: (looked: T | undefined) => number,
    goesOn: (looked: T) => boolean,
  ): Promise<void> {
    while (this.signal?.aborted !== true) {
      const waiting = this.waiting.splice(0);
      const [looked] = await Promise.allSettled([cycle()]);
      this.hasFailed = looked.status === 'rejected';
      if (looked.status === 'fulfilled' && goesOn(looked.value)) this.waiting.unshift(...waiting);
      else for (const release of waiting) release();
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
