/** Reads the day's orders and baskets for a feed, and what the replies tell of the service's clock. */
import { attempt } from '../../attempt';
import { BrokerageError, SessionError, UnreadableReplyError } from '../../base/errors';
import type { Clock, Moment } from '../../base/ports';
import { msToNanos } from '../../values/time';
import { confirmedByOrders, asAccepted } from '../reconciliation/basket-views';
import { withoutLaterTimes } from '../reconciliation/impossible-message';
import type { ListedDay, DayOrders } from '../reconciliation/types';
import type { OrderSnapshot } from '../../orders/model/order-snapshot';
import { withTimeout } from '../../abortable';

export interface DayDeps {
  clock: Clock;
  /** The day's orders. @throws BrokerageError */
  orders(signal: AbortSignal): Promise<DayOrders>;
  /** The day's baskets; undefined if the service has no such list. @throws BrokerageError */
  baskets(signal: AbortSignal): Promise<OrderSnapshot[] | undefined>;
}

/** Milliseconds; an order shows in the list up to two seconds after it was placed (docs/service/order-life.md#acknowledgement-and-result). */
export const LIST_LAG_MS = 3_000;
/** Milliseconds that the list of baskets may take; without it the orders are compared all the same. */
const BASKETS_WITHIN_MS = 4_000;
/** Milliseconds by which a time may be ahead of the clock that replies show: the service has many machines. */
const AHEAD_MS = 2 * 60_000;

export interface DayLists extends ListedDay {
  /** Baskets whose orders are not all listed yet. */
  unconfirmed: ReadonlySet<string>;
  /** True if the baskets were requested and read, or the service has no such list. */
  isWhole: boolean;
}

/** One for each feed. */
export class DayListReader {
  /** Time of the first read of the day's orders; undefined before. */
  lookedAt: Moment | undefined;
  /** A moment, and what our wall clock showed then: whatever it is set to later, our time counts from there, milliseconds. */
  private readonly first: { at: Moment; wall: number };
  private clockAhead: DayOrders['ahead'];
  /** The baskets as they were last read, and when. */
  private before: { at: Moment; baskets: ReadonlyMap<string, OrderSnapshot> } | undefined;
  private basketsFail = false;
  /** The reasons for which orders were left out of the last read. */
  private odd: readonly string[] = [];
  /** The error of the last read of the day's orders; '' if it succeeded. */
  problem = '';
  /** True if the service was found to have no list of baskets. */
  hasNoBaskets = false;

  /**
   * @param onBasketsUnread hears why the baskets could not be read; once until they can be.
   * @param onOddOrder hears why an order is left out that contradicts itself; once until the list shows it otherwise.
   * @param contradiction returns why the orders of a list cannot be those of this account, as a sentence; undefined if they can.
   * @param leaps whether the service's clock may be set ahead between two replies.
   */
  constructor(
    private readonly deps: DayDeps,
    private readonly onBasketsUnread: (reason: string) => void,
    private readonly onOddOrder: (reason: string) => void,
    private readonly contradiction: (orders: readonly OrderSnapshot[]) => string | undefined,
    private readonly leaps: boolean,
  ) {
    this.first = { at: deps.clock.moment(), wall: deps.clock.now() };
  }

  /**
   * Reads the day for the first time, with the baskets as listed.
   * @throws BrokerageError if the orders could not be read, or one contradicts itself: what it had done before would look new later.
   */
  async look(withBaskets: boolean, signal: AbortSignal): Promise<ListedDay> {
    const over = new AbortController();
    try {
      const [orders, baskets] = await Promise.all([
        this.requestOrders(signal),
        withBaskets ? this.requestBaskets(AbortSignal.any([signal, over.signal])) : undefined,
      ]);
      const [odd] = this.odd;
      if (odd !== undefined) throw new UnreadableReplyError(odd);
      this.lookedAt = this.deps.clock.moment();
      return { orders, baskets };
    } finally {
      over.abort();
    }
  }

  /**
   * The day's orders, with the baskets as far as the orders listed confirm them.
   * @returns undefined if the orders could not be read now: {@link problem} says why.
   * @throws SessionError if there can be no session.
   */
  async read(withBaskets: boolean, signal: AbortSignal): Promise<DayLists | undefined> {
    const { before } = this;
    const requestedAt = this.deps.clock.moment();
    const [orders, baskets] = await Promise.all([
      this.orders(signal),
      withBaskets ? this.requestBaskets(signal) : undefined,
    ]);
    if (orders === undefined) return undefined;
    if (baskets === undefined)
      return { orders, baskets, unconfirmed: new Set(), isWhole: withBaskets && this.hasNoBaskets };
    const restedUpon =
      before !== undefined && this.deps.clock.since(before.at) - this.deps.clock.since(requestedAt) >= LIST_LAG_MS
        ? before.baskets
        : new Map<string, OrderSnapshot>();
    const { records, unconfirmed } = confirmedByOrders(orders, baskets, restedUpon);
    return { orders, baskets: records, unconfirmed, isWhole: true };
  }

  /**
   * A moment on the service's clock, nanoseconds: at the earliest, up to a second before.
   * @returns undefined when its replies do not tell the time, or told quite another one before that instant.
   */
  instant(at: Moment): string | undefined {
    if (this.clockAhead === undefined || this.lookedAt === undefined) return undefined;
    const { min, max } = this.clockAhead;
    const agrees = min <= 0 && max >= 0;
    const isBefore = this.deps.clock.since(at) >= this.deps.clock.since(this.lookedAt);
    return agrees || isBefore ? msToNanos(Math.round(this.ourTime(at)) + min) : undefined;
  }

  /** Milliseconds since the epoch on the service's clock, as far as its replies tell it; a sandbox may live in quite another year. */
  get serviceNow(): number {
    return Math.round(this.ourTime(this.deps.clock.moment())) + (this.clockAhead?.min ?? 0);
  }

  /** The latest time that the service can show now, nanoseconds; undefined if its clock is unknown, or may be set ahead. */
  get latest(): string | undefined {
    if (this.leaps || this.clockAhead === undefined) return undefined;
    const now = Math.round(this.ourTime(this.deps.clock.moment()));
    return msToNanos(now + this.clockAhead.max + AHEAD_MS);
  }

  private ourTime(at: Moment): number {
    const { clock } = this.deps;
    return this.first.wall + clock.since(this.first.at) - clock.since(at);
  }

  private async requestOrders(signal: AbortSignal): Promise<OrderSnapshot[]> {
    const { orders, odd, ahead } = await this.deps.orders(signal);
    if (this.lookedAt !== undefined) odd.filter((reason) => !this.odd.includes(reason)).forEach(this.onOddOrder);
    this.odd = odd;
    const setBy = this.deps.clock.now() - Math.round(this.ourTime(this.deps.clock.moment()));
    this.clockAhead = closer(this.clockAhead, ahead && { min: ahead.min + setBy, max: ahead.max + setBy });
    const { latest } = this;
    return latest === undefined ? orders : orders.map((order) => withoutLaterTimes(order, latest));
  }

  private async orders(signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
    const requested = await attempt(this.requestOrders(signal));
    if (requested.ok) {
      const contradiction = this.contradiction(requested.value);
      this.problem = contradiction ?? '';
      return contradiction === undefined ? requested.value : undefined;
    }
    const { error } = requested;
    if (error instanceof SessionError && !signal.aborted) throw error;
    this.problem = error instanceof BrokerageError ? error.message : 'The request failed';
    return undefined;
  }

  /** The baskets; undefined if they could not be read: the next comparison makes it up. */
  private async requestBaskets(signal: AbortSignal): Promise<OrderSnapshot[] | undefined> {
    const requested = await withTimeout(this.deps.clock, BASKETS_WITHIN_MS, signal, async (patience) => {
      try {
        return { baskets: await this.deps.baskets(patience), reason: 'There is no list of baskets' };
      } catch (error) {
        return { reason: error instanceof BrokerageError ? error.message : 'The request failed' };
      }
    });
    if (signal.aborted) return undefined;
    const baskets = requested?.baskets;
    this.hasNoBaskets = requested !== undefined && 'baskets' in requested && baskets === undefined;
    if (baskets === undefined && !this.basketsFail)
      this.onBasketsUnread(requested?.reason ?? 'The service did not answer in time');
    this.basketsFail = baskets === undefined;
    if (baskets)
      this.before = {
        at: this.deps.clock.moment(),
        baskets: new Map(baskets.map((basket) => [basket.orderId, basket])),
      };
    return baskets;
  }
}

/** A day without the unconfirmed part of its baskets, which would be out of order: the next comparison brings it. */
export function withoutUnconfirmed({ orders, baskets, unconfirmed }: DayLists): ListedDay {
  return {
    orders: orders.filter(({ basketId }) => !unconfirmed.has(basketId)),
    baskets: baskets?.map((basket) => (unconfirmed.has(basket.orderId) ? asAccepted(basket) : basket)),
  };
}

/** Returns the service's clock from two replies: the newer one alone if they disagree, the older one if the newer shows no time. */
function closer(before: DayOrders['ahead'], now: DayOrders['ahead']): DayOrders['ahead'] {
  if (before === undefined || now === undefined) return now ?? before;
  const both = { min: Math.max(before.min, now.min), max: Math.min(before.max, now.max) };
  return both.min <= both.max ? both : now;
}
