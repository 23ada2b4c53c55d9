/**
 * Shared parts of the exit emulators: checks that run one after another, a read whose outage is reported, and errors that are reported
 * once.
 */
import { attempt } from '../attempt';
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

/** Of a sandbox alone: its clock waits until this is done, as it does for runs (see `Access.runsDone`). @param work never rejects */
export type HoldClock = (work: Promise<unknown>) => void;

/** Repeats a look at the account until its signal fires. */
export class EmulationLoop {
  private wakeUp = new AbortController();
  /** Let a sandbox's clock go on, once a look is done that begins from now on. */
  private waiting: (() => void)[] = [];
  private isOver = false;
  private hasFailed = false;
  private readonly unread: OutageReporter;
  /** The errors that were told last. */
  private readonly reported = new Map<string, string>();

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

  /** Wakes the loop for an attempt that is due; not after a check that has failed, or each price would bring the next. */
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
      const looked = await attempt(cycle());
      this.hasFailed = !looked.ok;
      if (looked.ok && goesOn(looked.value)) this.waiting.unshift(...waiting);
      else for (const release of waiting) release();
      if (this.signal?.aborted) return;
      if (!looked.ok && !(looked.error instanceof BrokerageError)) throw looked.error;
      const either = AbortSignal.any([this.wakeUp.signal, ...(this.signal ? [this.signal] : [])]);
      const pause = pauseMs(looked.ok ? looked.value : undefined);
      await this.clock.sleep(pause, either).catch(() => undefined);
      this.wakeUp = new AbortController();
    }
  }

  /** Reads, and reports a lasting failure. @throws any error of the read */
  async read<T>(read: () => Promise<T>, notify: (event: UnreadEvent) => void): Promise<T> {
    const reading = await attempt(read());
    if (reading.ok) {
      this.unread.back();
      return reading.value;
    }
    this.unread.away();
    const forMs = reading.error instanceof BrokerageError ? this.unread.due() : undefined;
    if (forMs !== undefined) notify({ what: 'unread', error: reading.error as BrokerageError, forMs });
    throw reading.error;
  }

  /** Returns true if an error differs from the last one reported for `key`, and counts it as reported. */
  isNews(key: string, error: BrokerageError, isFinal: boolean): boolean {
    const said = `${isFinal} ${error.message}`;
    if (this.reported.get(key) === said) return false;
    this.reported.set(key, said);
    return true;
  }

  /** Forgets a reported error: the next one is reported, whichever it is. */
  forget(key: string): void {
    this.reported.delete(key);
  }
}
