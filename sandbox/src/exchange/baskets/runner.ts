import type { Instrument } from '../../market/reference/types';
import type { BasketBook, LiveBasket } from './basket-store';
import type { Basket, ExitCause, LegState } from './types';
import { istDay, millis } from '../../shared/time';
import type { Exchange, ExchangeEvent } from '../types';
import type { NewOrder, Side } from '../../shared/orders';

/** After an order of a leg was rejected, the exit is tried again after so many milliseconds. */
const RETRY_MS = 30_000;

const ENDS: ReadonlySet<ExchangeEvent['type']> = new Set(['rejected', 'cancelled', 'expired', 'unsolicited_cancel']);

/** The instruments of legs, also of those that can no longer be traded. */
export interface Instruments {
  get(refId: number, at: number): Instrument;
  /** Whether it can still be traded. */
  listed(refId: number, at: number): boolean;
}

/** What baskets do: wait for their entry, enter all legs, hold, exit all legs. */
export class BasketRunner {
  constructor(
    private readonly book: BasketBook,
    private readonly exchange: Exchange,
    private readonly instruments: Instruments,
  ) {}

  lastPrice(refId: number, at: number): number {
    return this.exchange.lastPrice(this.instruments.get(refId, at), at);
  }

  netPrice({ legs }: Pick<Basket, 'legs'>, at: number): number {
    return legs.reduce((sum, { refId, ratio }) => sum + ratio * this.lastPrice(refId, at), 0);
  }

  /** The acknowledged basket starts to wait for its entry, which may be now. */
  accept(live: LiveBasket, at: number): void {
    if (live.basket.entryTime === null && !this.isOpen(live.basket, at)) {
      live.stage = 'OVER';
      live.basket.reason = `MARKET_CLOSED: ${live.basket.exchange} does not trade all legs now`;
      this.book.tell(live, { type: 'rejected', reason: live.basket.reason }, at, {
        status: 'REJECTED',
        stamp: 'endedAt',
      });
      return;
    }
    live.stage = 'WAITING';
    this.book.tell(live, { type: 'accepted' }, at, { status: 'OPEN', stamp: 'acknowledgedAt' });
    this.judge(live, at);
  }

  /** The owner wants out: a basket without fills is cancelled, one with fills is exited. */
  requestExit(live: LiveBasket, at: number): void {
    if (live.stage === 'EXITING' || live.stage === 'OVER') {
      this.book.tell(
        live,
        {
          type: 'cancel_rejected',
          reason: `it is ${live.stage === 'OVER' ? live.basket.status : 'being exited already'}`,
        },
        at,
      );
      return;
    }
    this.exit(live, 'REQUEST', 'cancelled by its owner', at);
  }

  /** Looks at prices and times, and does what follows. */
  judge(live: LiveBasket, at: number): void {
    if (this.dayIsOver(live, at)) return;
    if (at >= live.closesAt && (live.stage === 'WAITING' || live.stage === 'ENTERING')) {
      this.exit(live, live.stage === 'WAITING' ? 'EXIT_TIME' : 'FAILED_ENTRY', 'not entered by the close', at);
    }
    if (!this.isOpen(live.basket, at)) return;
    if (live.stage === 'WAITING') this.judgeEntry(live, at);
    if (live.stage === 'HELD') this.judgeExit(live, at);
    else if (live.stage === 'ENTERING' && isDue(live.basket.exitTime, at))
      this.exit(live, 'EXIT_TIME', 'exit time', at);
    if (live.stage === 'ENTERING' || live.stage === 'EXITING') this.work(live, at);
  }

  /** Follows the orders of the legs. */
  orderChanged(event: ExchangeEvent): void {
    const { order } = event;
    const live = order.basketId === 0n ? undefined : this.book.get(order.basketId);
    const leg = live?.basket.legs.find(({ workingId }) => workingId === order.id);
    if (live === undefined || leg === undefined) return;
    const at = millis(event.at);
    if (event.type === 'trade') {
      const entry = order.side === leg.side;
      leg[entry ? 'filledQuantity' : 'exitQuantity'] += event.trade.quantity;
      leg[entry ? 'filledValue' : 'exitValue'] += event.trade.quantity * event.trade.price;
      if (order.status === 'FILLED') leg.workingId = 0n;
      this.book.tell(live, { type: 'leg_filled', trade: event.trade }, at);
    } else if (ENDS.has(event.type)) {
      leg.workingId = 0n;
      if (event.type === 'rejected') this.legRejected(live, leg, order.reason, at);
    }
    this.settle(live, at);
  }

  private judgeEntry(live: LiveBasket, at: number): void {
    const { basket } = live;
    if (isDue(basket.exitTime, at)) return this.exit(live, 'EXIT_TIME', 'not entered by its exit time', at);
    if (basket.entryTime !== null && at < basket.entryTime) return;
    const net = this.netPrice(basket, at);
    live.started ||= basket.momentumTriggerPrice === null || net >= basket.momentumTriggerPrice;
    if (!live.started || (basket.priceType === 'LIMIT' && net > basket.entryPrice)) return;
    live.stage = 'ENTERING';
    this.book.tell(live, { type: 'entry_triggered' }, at, { stamp: 'entryTriggeredAt' });
  }

  private judgeExit(live: LiveBasket, at: number): void {
    const { basket } = live;
    const net = this.netPrice(basket, at);
    this.trail(live, net, at);
    if (isDue(basket.exitTime, at)) this.exit(live, 'EXIT_TIME', 'exit time', at);
    else if (basket.stoplossNow !== null && net <= basket.stoplossNow) {
      this.exit(live, basket.stoplossNow === basket.stoplossPrice ? 'STOPLOSS' : 'TRAILING_STOP', '', at);
    } else if (basket.targetPrice !== null && net >= basket.targetPrice) this.exit(live, 'TARGET', '', at);
  }

  /** The stop loss follows the best net price in whole steps, up only. */
  private trail(live: LiveBasket, net: number, at: number): void {
    const { basket } = live;
    live.best = Math.max(live.best, net);
    if (basket.trailJump === null || basket.stoplossPrice === null) return;
    const steps = Math.floor((live.best - entryPrice(basket)) / basket.trailJump);
    const stop = basket.stoplossPrice + Math.max(0, steps) * basket.trailJump;
    if (stop <= basket.stoplossNow!) return;
    basket.stoplossNow = stop;
    this.book.tell(live, { type: 'trail_updated', stoplossPrice: stop }, at);
  }

  private exit(live: LiveBasket, cause: ExitCause, reason: string, at: number): void {
    const { basket } = live;
    live.stage = 'EXITING';
    basket.exitCause = cause;
    basket.reason = reason;
    if (basket.legs.some(({ filledQuantity, workingId }) => filledQuantity > 0 || workingId !== 0n)) {
      this.book.tell(live, { type: 'exit_triggered', cause }, at, { stamp: 'exitTriggeredAt' });
    }
    this.work(live, at);
    this.settle(live, at);
  }

  /** An entry that can't be completed is taken back; an exit is tried again later. */
  private legRejected(live: LiveBasket, { refId }: LegState, reason: string, at: number): void {
    if (live.stage === 'ENTERING') this.exit(live, 'FAILED_ENTRY', `leg ${refId}: ${reason}`, at);
    else live.retryAt = at + RETRY_MS;
  }

  /** Places what is missing: market orders, bought legs first since they lower the margin of the sold ones. */
  private work(live: LiveBasket, at: number): void {
    if (at < live.retryAt || !this.isOpen(live.basket, at)) return;
    const { basket } = live;
    const entering = live.stage === 'ENTERING';
    const side = ({ side: own }: LegState): Side => (entering ? own : own === 'BUY' ? 'SELL' : 'BUY');
    for (const first of ['BUY', 'SELL'] as const) {
      for (const leg of basket.legs) {
        if (side(leg) !== first || leg.workingId !== 0n) continue;
        const quantity = entering ? leg.quantity - leg.filledQuantity : leg.filledQuantity - leg.exitQuantity;
        if (quantity > 0 && !this.placeLeg(live, leg, first, quantity, at)) return;
      }
    }
  }

  private placeLeg(live: LiveBasket, leg: LegState, side: Side, quantity: number, at: number): boolean {
    const placed = this.exchange.place(legOrder(live.basket, leg, side, quantity), at);
    if (!placed.ok) {
      this.legRejected(live, leg, placed.text, at);
      return false;
    }
    leg.workingId = placed.order.id;
    leg.orderIds.push(placed.order.id);
    return true;
  }

  /** Moves on once every leg is where it should be. */
  private settle(live: LiveBasket, at: number): void {
    const { basket, stage } = live;
    if (basket.legs.some(({ workingId }) => workingId !== 0n)) return;
    if (stage === 'ENTERING' && basket.legs.every(({ quantity, filledQuantity }) => filledQuantity === quantity)) {
      live.stage = 'HELD';
      live.best = entryPrice(basket);
      this.book.tell(live, { type: 'entered' }, at, { status: 'FILLED', stamp: 'filledAt' });
    } else if (
      stage === 'EXITING' &&
      basket.legs.every(({ filledQuantity, exitQuantity }) => filledQuantity === exitQuantity)
    ) {
      this.end(live, at);
    }
  }

  private end(live: LiveBasket, at: number): void {
    const { basket } = live;
    live.stage = 'OVER';
    const { reason } = basket;
    if (basket.exitCause === 'FAILED_ENTRY')
      this.book.tell(live, { type: 'rejected', reason }, at, { status: 'REJECTED', stamp: 'endedAt' });
    else if (basket.legs.every(({ filledQuantity }) => filledQuantity === 0)) {
      this.book.tell(live, { type: 'cancelled', reason }, at, { status: 'CANCELLED', stamp: 'endedAt' });
    } else this.book.tell(live, { type: 'closed' }, at, { status: 'CLOSED', stamp: 'endedAt' });
  }

  /** What was intraday, or has expired, is no longer there the day after. */
  private dayIsOver(live: LiveBasket, at: number): boolean {
    const { basket } = live;
    if (live.stage === 'WAITING' || istDay(at) === istDay(millis(basket.createdAt))) return false;
    const expired = basket.legs.some(({ refId }) => !this.instruments.listed(refId, at));
    if (basket.product === 'CNC' && !expired) return false;
    basket.reason = expired ? 'a leg has expired' : 'squared off at the end of the day';
    this.end(live, at);
    return true;
  }

  private isOpen({ legs }: Basket, at: number): boolean {
    return legs.every(({ refId }) => this.exchange.isOpen(this.instruments.get(refId, at), at));
  }
}

function isDue(time: number | null, at: number): boolean {
  return time !== null && at >= time;
}

/** The net price (paise for one unit) at which a basket was entered, rounded down. */
function entryPrice({ legs }: Basket): number {
  return Math.floor(
    legs.reduce((sum, { ratio, filledValue, filledQuantity }) => sum + (ratio * filledValue) / filledQuantity, 0),
  );
}

function legOrder({ account, product, tag, id }: Basket, { refId }: LegState, side: Side, quantity: number): NewOrder {
  return {
    account,
    refId,
    kind: 'REGULAR',
    side,
    quantity,
    product,
    validity: 'IOC',
    priceType: 'MARKET',
    price: 0,
    triggerPrice: 0,
    legSize: 0,
    tag,
    basketId: id,
    source: 'ORDER_SOURCE_NORMAL',
  };
}
