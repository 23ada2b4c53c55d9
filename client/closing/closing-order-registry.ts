import type { Clock, Moment } from '../base/ports';

/** A day's orders are listed for a day. */
const KEPT_MS = 24 * 3_600_000;
/** Time after an order during which the service may show a position without it. */
const LATE_MS = 60_000;

interface ClosingOrders {
  tags: { tag: string; at: Moment }[];
  /** Units that were held beside what the orders of the day have traded, when the last order was sent. */
  beside: number | undefined;
}

/**
 * The orders by which this process closed positions, by account and position. One serves the whole process. A position is
 * not closed again before the day's list shows all of them, as it may be the one that was closed.
 */
export class ClosingOrderRegistry {
  private readonly sent = new Map<string, ClosingOrders>();

  constructor(private readonly clock: Clock) {}

  /**
   * Notes a tag before anything is sent under it.
   * @param position its key.
   * @param beside units held apart from the trades of the day's orders: from an earlier day, or by a basket. undefined if unknown.
   */
  add(scope: string, position: string, tag: string, beside: number | undefined): void {
    const key = `${scope}\n${position}`;
    const tags = (this.sent.get(key)?.tags ?? []).filter(
      (item) => item.tag !== tag && this.clock.since(item.at) < KEPT_MS,
    );
    this.sent.set(key, {
      tags: [...tags, { tag, at: this.clock.moment() }],
      beside: this.besideOf(scope, position) ?? beside,
    });
  }

  /** The tags of a position, of the last 24 hours. */
  tagsOf(scope: string, position: string): string[] {
    const { tags = [] } = this.sent.get(`${scope}\n${position}`) ?? {};
    return tags.filter(({ at }) => this.clock.since(at) < KEPT_MS).map(({ tag }) => tag);
  }

  /**
   * Returns the units held apart from the day's orders when an order was sent a moment ago; undefined if none was sent, or if the number is
   * unknown.
   */
  besideOf(scope: string, position: string): number | undefined {
    const sent = this.sent.get(`${scope}\n${position}`);
    const last = sent?.tags.at(-1)?.at;
    return last !== undefined && this.clock.since(last) < LATE_MS ? sent?.beside : undefined;
  }
}
