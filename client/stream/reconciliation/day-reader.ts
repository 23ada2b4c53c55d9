/** Reads the day's orders and baskets for a feed, and what the replies tell of the service's clock. */
import { BrokerageError, SessionError } from '../../errors';
import type { Clock } from '../../ports';
import { msToNanos } from '../../values/time';
import { borneOut, onlyAccepted } from './baskets';
import type { Day, DayOrders, OrderSnapshot } from './types';

interface DayDeps {
  clock: Clock;
  /** The day's orders. @throws BrokerageError */
  orders(signal: AbortSignal): Promise<DayOrders>;
  /** The day's baskets; undefined when the service has no such list. @throws BrokerageError */
  baskets(signal: AbortSignal): Promise<OrderSnapshot[] | undefined>;
}

/** An order shows in the list up to two seconds after it was placed (wire-facts §3.8). */
export const SETTLE_MS = 3_000;
/** The list of baskets may take so long; without it the orders are compared all the same. */
const BASKETS_WITHIN_MS = 4_000;

export interface DayRead extends Day {
  /** Baskets whose orders are not all listed yet. */
  unsure: ReadonlySet<string>;
  /** Whether the baskets were asked for and could be had, if there is such a list. */
  isWhole: boolean;
}

export class DayReader {
  /** When the day's orders were first read, milliseconds; undefined before. */
  lookedAt: number | undefined;
  private clockAhead: DayOrders['ahead'];
  /** The baskets as they were last read, and when. */
  private before: { at: number; baskets: ReadonlyMap<string, OrderSnapshot> } | undefined;
  private isFailing = false;
  /** Why the day's orders could not be had when they were last asked for; '' when they could. */
  problem = '';
  /** Whether the service has no list of baskets, as far as it was asked. */
  isAbsent = false;

  /** @param onFailure hears why the baskets could not be read; once until they can be. */
  constructor(
    private readonly deps: DayDeps,
    private readonly onFailure: (reason: string) => void,
  ) {}

  /** The first look: the baskets as they are listed. @throws BrokerageError when the orders could not be had. */
  async look(withBaskets: boolean, signal: AbortSignal): Promise<Day> {
    const over = new AbortController();
    try {
      const [orders, baskets] = await Promise.all([
        this.askOrders(signal),
        withBaskets ? this.askBaskets(AbortSignal.any([signal, over.signal])) : undefined,
      ]);
      this.lookedAt = this.deps.clock.now();
      return { orders, baskets };
    } finally {
      over.abort();
    }
  }

  /**
   * The day's orders, or undefined when they could not be had now; the baskets as far as the orders listed bear them out.
   * @throws SessionError
   */
  async read(withBaskets: boolean, signal: AbortSignal): Promise<DayRead | undefined> {
    const { before } = this;
    const askedAt = this.deps.clock.now();
    const [orders, baskets] = await Promise.all([
      this.orders(signal),
      withBaskets ? this.askBaskets(signal) : undefined,
    ]);
    if (orders === undefined) return undefined;
    if (baskets === undefined) return { orders, baskets, unsure: new Set(), isWhole: withBaskets && this.isAbsent };
    const rested =
      before !== undefined && askedAt - before.at >= SETTLE_MS ? before.baskets : new Map<string, OrderSnapshot>();
    const { records, unsure } = borneOut(orders, baskets, rested);
    return { orders, baskets: records, unsure, isWhole: true };
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

  /** Milliseconds since the epoch on the service's clock, as far as its replies tell it; a sandbox may live in quite another year. */
  get serviceNow(): number {
    return this.deps.clock.now() + (this.clockAhead?.least ?? 0);
  }

  private async askOrders(signal: AbortSignal): Promise<OrderSnapshot[]> {
    const { orders, ahead } = await this.deps.orders(signal);
    this.clockAhead = closer(this.clockAhead, ahead);
    return orders;
  }

  private async orders(signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
    const [asked] = await Promise.allSettled([this.askOrders(signal)]);
    if (asked.status === 'fulfilled') {
      this.problem = '';
      return asked.value;
    }
    const { reason } = asked;
    if (reason instanceof SessionError && !signal.aborted) throw reason;
    this.problem = reason instanceof BrokerageError ? reason.message : 'The request failed';
    return undefined;
  }

  /** The baskets; undefined when they could not be had, which disturbs nobody: the next comparison makes it up. */
  private async askBaskets(signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
    const asked = await within(this.deps.clock, BASKETS_WITHIN_MS, signal, async (patience) => {
      try {
        return { baskets: await this.deps.baskets(patience), reason: 'There is no list of baskets' };
      } catch (error) {
        return { reason: error instanceof BrokerageError ? error.message : 'The request failed' };
      }
    });
    if (signal.aborted) return undefined;
    const baskets = asked?.baskets;
    this.isAbsent = asked !== undefined && 'baskets' in asked && baskets === undefined;
    if (baskets === undefined && !this.isFailing) this.onFailure(asked?.reason ?? 'The service did not answer in time');
    this.isFailing = baskets === undefined;
    if (baskets)
      this.before = { at: this.deps.clock.now(), baskets: new Map(baskets.map((basket) => [basket.orderId, basket])) };
    return baskets;
  }
}

/** Without what is not sure of baskets: it would be out of order, and follows with the next comparison. */
export function withoutUnsure({ orders, baskets, unsure }: DayRead): Day {
  const isSure = (id: string): boolean => !unsure.has(id);
  return {
    orders: orders.filter(({ basketId }) => isSure(basketId)),
    baskets: baskets?.map((basket) => (isSure(basket.orderId) ? basket : onlyAccepted(basket))),
  };
}

/** Waits; false when it was cut short. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return await clock.sleep(ms, signal).then(
    () => !signal.aborted,
    () => false,
  );
}

/** What comes within so many milliseconds; undefined otherwise, and then its signal fires. */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  try {
    return await Promise.race([act(either), pause(clock, ms, either).then(() => undefined)]);
  } finally {
    enough.abort();
  }
}

/** What two replies say together of the service's clock; the newer one alone where they do not agree. */
function closer(before: DayOrders['ahead'], now: DayOrders['ahead']): DayOrders['ahead'] {
  if (before === undefined || now === undefined) return now;
  const both = { least: Math.max(before.least, now.least), most: Math.min(before.most, now.most) };
  return both.least <= both.most ? both : now;
}
