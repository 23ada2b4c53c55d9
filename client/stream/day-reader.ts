/** Reads the day's orders for a feed, and what their replies tell of the service's clock. */
import { SessionError } from '../errors';
import type { Clock } from '../seams';
import { msToNanos } from '../values/time';
import type { DayOrders, OrderSnapshot } from './types';

interface DayDeps {
  clock: Clock;
  orders(signal: AbortSignal): Promise<DayOrders>;
}

export class DayReader {
  /** When the day's orders were first read, milliseconds; undefined before. */
  lookedAt: number | undefined;
  private clockAhead: DayOrders['ahead'];

  constructor(private readonly deps: DayDeps) {}

  /** @throws BrokerageError */
  async ask(signal: AbortSignal): Promise<OrderSnapshot[]> {
    const { orders, ahead } = await this.deps.orders(signal);
    this.clockAhead = closer(this.clockAhead, ahead);
    this.lookedAt ??= this.deps.clock.now();
    return orders;
  }

  /** The day's orders, or undefined when they could not be had now. @throws SessionError */
  async read(signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
    try {
      return await this.ask(signal);
    } catch (error) {
      if (error instanceof SessionError && !signal.aborted) throw error;
      return undefined;
    }
  }

  /** As `read`, and undefined too when they took longer than so many milliseconds. */
  async readWithin(ms: number, signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
    const enough = new AbortController();
    const reading = this.read(AbortSignal.any([signal, enough.signal]));
    const orders = await Promise.race([reading, pause(this.deps.clock, ms, AbortSignal.any([signal, enough.signal])).then(() => undefined)]);
    enough.abort();
    return orders;
  }

  /**
   * An instant (milliseconds) on the service's clock, nanoseconds: at the earliest, up to a second before.
   * @returns undefined when its replies do not tell the time, or told quite another one before that instant.
   */
  instant(at: number): string | undefined {
    if (this.clockAhead === undefined || this.lookedAt === undefined) return undefined;
    const { least, most } = this.clockAhead;
    const agrees = least <= 0 && most >= 0;
    return agrees || at <= this.lookedAt ? msToNanos(at + least) : undefined;
  }
}

/** Waits; false when it was cut short. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return await clock.sleep(ms, signal).then(
    () => !signal.aborted,
    () => false,
  );
}

/** What two replies say together of the service's clock; the newer one alone where they do not agree. */
function closer(before: DayOrders['ahead'], now: DayOrders['ahead']): DayOrders['ahead'] {
  if (before === undefined || now === undefined) return now;
  const both = { least: Math.max(before.least, now.least), most: Math.min(before.most, now.most) };
  return both.least <= both.most ? both : now;
}
