import type { Desk } from './instrument-book';
import { allot, equilibrium } from './auction';
import type { BookSide } from './order-book-side';
import { remaining, showable, type Live } from './working-order';
import { sweep } from './sweep';
import type { Register } from './order-store';
import { istDay } from '../shared/time';
import type { Side } from '../shared/orders';

const LEFT_OVER = {
  ioc: 'IOC: the rest did not cross and was cancelled',
  market: 'Market price protection: the rest was cancelled',
  own: 'Self-trade prevention: the rest would have met an order of the same account and was cancelled',
} as const;

/** What users traded in an instrument on a day. */
export type VolumeState = [refId: number, volume: { day: number; quantity: number }];

/** What orders do at a desk: enter, trade, rest, trigger, leave. */
export class Pit {
  private readonly userVolumes = new Map<number, { day: number; quantity: number }>();

  constructor(private readonly register: Register) {}

  /** Quantity that users traded in an instrument on the day of `at`. */
  userVolume(refId: number, at: number): number {
    const volume = this.userVolumes.get(refId);
    return volume !== undefined && volume.day === istDay(at) ? volume.quantity : 0;
  }

  /** Counts a trade in which a user took part, once. */
  count(refId: number, quantity: number, at: number): void {
    this.userVolumes.set(refId, { day: istDay(at), quantity: this.userVolume(refId, at) + quantity });
  }

  state(): VolumeState[] {
    return [...this.userVolumes].map(([refId, volume]) => [refId, { ...volume }]);
  }

  restore(volumes: VolumeState[]): void {
    for (const [refId, volume] of volumes) this.userVolumes.set(refId, { ...volume });
  }

  /** Trades an order against the other side and rests or ends what is left. */
  enter(live: Live, desk: Desk, at: number): void {
    const { order } = live;
    const swept = sweep(
      desk.against(order.side),
      live.limit,
      remaining(live),
      order.account,
      (entry, price, quantity) => {
        desk.traded(price, quantity);
        this.count(order.refId, quantity, at);
        this.register.traded(live, price, quantity, at);
        if (entry.live !== undefined) this.hit(entry.live, desk, price, quantity, at);
      },
    );
    if (swept.left === 0) return;
    if (swept.metOwn) {
      this.register.ended(live, 'CANCELLED', { type: 'unsolicited_cancel', reason: LEFT_OVER.own }, LEFT_OVER.own, at);
    } else if (order.validity === 'IOC' || order.priceType === 'MARKET') {
      const reason = order.validity === 'IOC' ? LEFT_OVER.ioc : LEFT_OVER.market;
      this.register.ended(live, 'CANCELLED', { type: 'cancelled' }, reason, at);
    } else {
      this.rest(live, desk.own(order.side));
    }
  }

  /** Puts an order at the back of the queue at its price, without trading. */
  rest(live: Live, side: BookSide): void {
    live.entry = side.add(live.limit, showable(live), 1, live);
  }

  /** Puts a stop-loss where it waits for its trigger. */
  wait(live: Live, desk: Desk): void {
    live.waiting = true;
    desk.stops.push(live);
  }

  /** A resting order was hit; its entry is already reduced. The next leg of an iceberg goes to the back. */
  hit(live: Live, desk: Desk, price: number, quantity: number, at: number): void {
    this.register.traded(live, price, quantity, at);
    if (live.entry === undefined || live.entry.quantity > 0) return;
    live.entry = undefined;
    if (remaining(live) > 0) this.rest(live, desk.own(live.order.side));
  }

  /** Sends stop-losses whose trigger the last prices reached into the book, in the order they came. */
  trigger(desk: Desk, at: number): void {
    for (;;) {
      const { low, high, stops } = desk;
      if (stops.length === 0) return desk.resetRange();
      const due = stops.filter(({ order }) => reached(order.side, order.triggerPrice, low, high));
      desk.resetRange();
      if (due.length === 0) return;
      for (const live of due) {
        this.stopWaiting(live, desk);
        this.register.triggered(live, at);
        this.enter(live, desk, at);
      }
    }
  }

  /** Takes an order out of its book. */
  withdraw(live: Live, desk: Desk): void {
    if (live.waiting) this.stopWaiting(live, desk);
    if (live.entry === undefined) return;
    desk.own(live.order.side).remove(live.entry);
    live.entry = undefined;
  }

  /**
   * Ends a call auction: all that can trades at one price. What is left keeps its place; a market order that is left
   * goes on as a limit order at that price.
   */
  uncross(desk: Desk, at: number): void {
    const found = equilibrium(desk.bids, desk.asks, desk.last);
    if (found !== undefined) {
      const { price, quantity } = found;
      for (const side of [desk.bids, desk.asks]) {
        allot(side, quantity, (entry, hit) => {
          if (entry.live !== undefined) this.hit(entry.live, desk, price, hit, at);
        });
      }
      this.count(desk.instrument.refId, quantity, at);
      desk.traded(price, quantity);
      desk.resetRange();
    }
    for (const live of desk.working()) {
      if (live.order.priceType !== 'MARKET' || live.entry === undefined) continue;
      this.withdraw(live, desk);
      live.limit = desk.last;
      this.rest(live, desk.own(live.order.side));
    }
  }

  private stopWaiting(live: Live, desk: Desk): void {
    live.waiting = false;
    desk.stops.splice(desk.stops.indexOf(live), 1);
  }
}

function reached(side: Side, trigger: number, low: number, high: number): boolean {
  return side === 'BUY' ? high >= trigger : low <= trigger;
}
