import { priceSum } from '../../shared/money';
import type { Instrument } from '../../market/reference/types';
import type { BasketStore } from './basket-store';
import type { Basket, ExitCause, LegState, WorkingBasket } from './v2-basket-types';
import { istDay, millis } from '../../shared/time';
import type { ExchangeEvent } from '../types';
import type { NewOrder, Side } from '../../shared/orders';
import type { Exchange } from '../contract';

/** After an order of a leg was rejected, or too many traded nothing, the exit is tried again after so many milliseconds. */
const RETRY_MS = 30_000;

/**
 * So many market orders of a leg in a row that trade nothing, a time step apart, show that nothing is there within their price
 * protection: the entry is taken back, and the exit is tried again later.
 */
const MAX_FRUITLESS = 3;

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
    private readonly store: BasketStore,
    private readonly exchange: Exchange,
    private readonly instruments: Instruments,
  ) {}

  instrument(refId: number, at: number): Instrument {
    return this.instruments.get(refId, at);
  }

  lastPrice(refId: number, at: number): number {
    return this.exchange.lastPrice(this.instrument(refId, at), at);
  }

  netPrice({ legs }: Pick<Basket, 'legs'>, at: number): number {
    return legs.reduce((sum, { refId, ratio }) => sum + ratio * this.lastPrice(refId, at), 0);
  }

  /** The acknowledged basket starts to wait for its entry, which may be now. */
  accept(working: WorkingBasket, at: number): void {
    if (working.basket.entryTime === null && !this.isOpen(working.basket, at)) {
      working.stage = 'OVER';
      working.basket.reason = `MARKET_CLOSED: ${working.basket.exchange} does not trade all legs now`;
      this.store.emit(working, { type: 'rejected', reason: working.basket.reason }, at, {
        status: 'REJECTED',
        stamp: 'endedAt',
      });
      return;
    }
    working.stage = 'WAITING';
    this.store.emit(working, { type: 'accepted' }, at, { status: 'OPEN', stamp: 'acknowledgedAt' });
    this.judge(working, at);
  }

  /** The owner wants out: a basket without fills is cancelled, one with fills is exited. */
  requestExit(working: WorkingBasket, at: number): void {
    if (working.stage === 'EXITING' || working.stage === 'OVER') {
      this.store.emit(
        working,
        {
          type: 'cancel_rejected',
          reason: `it is ${working.stage === 'OVER' ? working.basket.status : 'being exited already'}`,
        },
        at,
      );
      return;
    }
    this.exit(working, 'REQUEST', 'cancelled by its owner', at);
  }

  /** Looks at prices and times, and does what follows. */
  judge(working: WorkingBasket, at: number): void {
    if (this.dayIsOver(working, at)) return;
    if (at >= working.closesAt && (working.stage === 'WAITING' || working.stage === 'ENTERING')) {
      this.exit(working, working.stage === 'WAITING' ? 'EXIT_TIME' : 'FAILED_ENTRY', 'not entered by the close', at);
    }
    if (!this.isOpen(working.basket, at)) return;
    if (working.stage === 'WAITING') this.judgeEntry(working, at);
    if (working.stage === 'HELD') this.judgeExit(working, at);
    else if (working.stage === 'ENTERING' && isDue(working.basket.exitTime, at))
      this.exit(working, 'EXIT_TIME', 'exit time', at);
    if (working.stage === 'ENTERING' || working.stage === 'EXITING') this.work(working, at);
  }

  /** Follows the orders of the legs. */
  orderChanged(event: ExchangeEvent): void {
    const { order } = event;
    const working = order.basketId === 0n ? undefined : this.store.get(order.basketId);
    const leg = working?.basket.legs.find(({ workingId }) => workingId === order.id);
    if (working === undefined || leg === undefined) return;
    const at = millis(event.at);
    if (event.type === 'trade') {
      const entry = order.side === leg.side;
      leg[entry ? 'filledQuantity' : 'exitQuantity'] += event.trade.quantity;
      leg[entry ? 'filledValue' : 'exitValue'] += priceSum(event.trade.price, event.trade.quantity);
      if (order.status === 'FILLED') leg.workingId = 0n;
      this.store.emit(working, { type: 'leg_filled', trade: event.trade }, at);
    } else if (ENDS.has(event.type)) {
      leg.workingId = 0n;
      if (event.type === 'rejected' || this.isFruitless(leg, order.side))
        this.legRejected(working, leg, order.reason, at);
    }
    this.finish(working, at);
  }

  private judgeEntry(working: WorkingBasket, at: number): void {
    const { basket } = working;
    if (isDue(basket.exitTime, at)) return this.exit(working, 'EXIT_TIME', 'not entered by its exit time', at);
    if (basket.entryTime !== null && at < basket.entryTime) return;
    const net = this.netPrice(basket, at);
    working.started ||= basket.momentumTriggerPrice === null || net >= basket.momentumTriggerPrice;
    if (!working.started || (basket.priceType === 'LIMIT' && net > basket.entryPrice)) return;
    working.stage = 'ENTERING';
    this.store.emit(working, { type: 'entry_triggered' }, at, { stamp: 'entryTriggeredAt' });
  }

  private judgeExit(working: WorkingBasket, at: number): void {
    const { basket } = working;
    const net = this.netPrice(basket, at);
    this.trail(working, net, at);
    if (isDue(basket.exitTime, at)) this.exit(working, 'EXIT_TIME', 'exit time', at);
    else if (basket.stoplossNow !== null && net <= basket.stoplossNow) {
      this.exit(working, basket.stoplossNow === basket.stoplossPrice ? 'STOPLOSS' : 'TRAILING_STOP', '', at);
    } else if (basket.targetPrice !== null && net >= basket.targetPrice) this.exit(working, 'TARGET', '', at);
  }

  /** The stop loss follows the best net price in whole steps, up only. */
  private trail(working: WorkingBasket, net: number, at: number): void {
    const { basket } = working;
    working.best = Math.max(working.best, net);
    if (basket.trailJump === null || basket.stoplossPrice === null) return;
    const steps = Math.floor((working.best - entryPrice(basket)) / basket.trailJump);
    const stop = basket.stoplossPrice + Math.max(0, steps) * basket.trailJump;
    if (stop <= basket.stoplossNow!) return;
    basket.stoplossNow = stop;
    this.store.emit(working, { type: 'trail_updated', stoplossPrice: stop }, at);
  }

  private exit(working: WorkingBasket, cause: ExitCause, reason: string, at: number): void {
    const { basket } = working;
    working.stage = 'EXITING';
    basket.exitCause = cause;
    basket.reason = reason;
    if (basket.legs.some(({ filledQuantity, workingId }) => filledQuantity > 0 || workingId !== 0n)) {
      this.store.emit(working, { type: 'exit_triggered', cause }, at, { stamp: 'exitTriggeredAt' });
    }
    this.work(working, at);
    this.finish(working, at);
  }

  /** An entry that can't be completed is taken back; an exit is tried again later. */
  private legRejected(working: WorkingBasket, { refId }: LegState, reason: string, at: number): void {
    if (working.stage === 'ENTERING') this.exit(working, 'FAILED_ENTRY', `leg ${refId}: ${reason}`, at);
    else working.retryAt = at + RETRY_MS;
  }

  /** Whether the last orders of a leg on a side traded nothing. */
  private isFruitless({ orderIds }: LegState, side: Side): boolean {
    const last = orderIds.slice(-MAX_FRUITLESS).map((id) => this.exchange.order(id));
    return last.length === MAX_FRUITLESS && last.every((item) => item?.side === side && item.filledQuantity === 0);
  }

  /** Places what is missing: market orders, bought legs first since they lower the margin of the sold ones. */
  private work(working: WorkingBasket, at: number): void {
    if (at < working.retryAt || !this.isOpen(working.basket, at)) return;
    const { basket } = working;
    const entering = working.stage === 'ENTERING';
    const side = ({ side: own }: LegState): Side => (entering ? own : own === 'BUY' ? 'SELL' : 'BUY');
    for (const first of ['BUY', 'SELL'] as const) {
      for (const leg of basket.legs) {
        if (side(leg) !== first || leg.workingId !== 0n) continue;
        const quantity = entering ? leg.quantity - leg.filledQuantity : leg.filledQuantity - leg.exitQuantity;
        if (quantity > 0 && !this.placeLeg(working, leg, first, quantity, at)) return;
      }
    }
  }

  private placeLeg(working: WorkingBasket, leg: LegState, side: Side, quantity: number, at: number): boolean {
    const placed = this.exchange.place(legOrder(working.basket, leg, side, quantity), at);
    if (!placed.ok) {
      this.legRejected(working, leg, placed.text, at);
      return false;
    }
    leg.workingId = placed.order.id;
    leg.orderIds.push(placed.order.id);
    return true;
  }

  /** Goes on once every leg is where it should be. */
  private finish(working: WorkingBasket, at: number): void {
    const { basket, stage } = working;
    if (basket.legs.some(({ workingId }) => workingId !== 0n)) return;
    if (stage === 'ENTERING' && basket.legs.every(({ quantity, filledQuantity }) => filledQuantity === quantity)) {
      working.stage = 'HELD';
      working.best = entryPrice(basket);
      this.store.emit(working, { type: 'entered' }, at, { status: 'FILLED', stamp: 'filledAt' });
    } else if (
      stage === 'EXITING' &&
      basket.legs.every(({ filledQuantity, exitQuantity }) => filledQuantity === exitQuantity)
    ) {
      this.end(working, at);
    }
  }

  private end(working: WorkingBasket, at: number): void {
    const { basket } = working;
    working.stage = 'OVER';
    const { reason } = basket;
    if (basket.exitCause === 'FAILED_ENTRY')
      this.store.emit(working, { type: 'rejected', reason }, at, { status: 'REJECTED', stamp: 'endedAt' });
    else if (basket.legs.every(({ filledQuantity }) => filledQuantity === 0)) {
      this.store.emit(working, { type: 'cancelled', reason }, at, { status: 'CANCELLED', stamp: 'endedAt' });
    } else this.store.emit(working, { type: 'closed' }, at, { status: 'CLOSED', stamp: 'endedAt' });
  }

  /** What was intraday, or has expired, is no longer there the day after. */
  private dayIsOver(working: WorkingBasket, at: number): boolean {
    const { basket } = working;
    if (working.stage === 'WAITING' || istDay(at) === istDay(millis(basket.createdAt))) return false;
    const expired = basket.legs.some(({ refId }) => !this.instruments.listed(refId, at));
    if (basket.product === 'CNC' && !expired) return false;
    basket.reason = expired ? 'a leg has expired' : 'squared off at the end of the day';
    this.end(working, at);
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

function legOrder(basket: Basket, { refId }: LegState, side: Side, quantity: number): NewOrder {
  const { account, product, tag, id, placedBy } = basket;
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
    ...(placedBy && { placedBy }),
  };
}
