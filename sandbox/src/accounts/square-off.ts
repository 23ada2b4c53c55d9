/**
 * Intraday square-off (docs/service/exchange-rules.md#sessions: intraday positions are squared off by the broker). At the stop time of a
 * market open intraday orders are cancelled and positions closed at market; what the book could not take is tried again.
 */
import { SQUARE_OFF } from './data/margins';
import type { NewOrder, Order, Side } from '../shared/orders';
import type { Calendar, ExchangeCode, Instrument } from '../market/reference/types';
import { effectiveOn } from '../shared/effective-date';
import { istDate, istInstant } from '../shared/time';
import { isDerivative } from './span';
import type { Accounts } from './types';

/** Source of an order that the broker places to close an intraday position. */
export const SQUARE_OFF_SOURCE = 'ORDER_SOURCE_INTRADAY_SQUARE_OFF';

const SQUARE_OFF_REASON = 'Intraday square-off: the broker cancels orders that wait before it closes the position';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** After the stop time: again when cancels have come through, then until the position is flat. */
const TRIES = [0, 5_000, 30_000, 60_000, 120_000, 180_000, 240_000];
const WORKING = new Set<Order['status']>(['PENDING', 'SENT', 'OPEN', 'PARTIAL_FILLED', 'TRIGGERED']);
const MAX_HOLIDAY_DAYS = 15;

type Sessions = Pick<Calendar, 'sessions'>;
type Market = Pick<Instrument, 'exchange' | 'closingAuction'> & { derivative: boolean };

const MARKETS: readonly Market[] = (['NSE', 'BSE'] as ExchangeCode[])
  .flatMap((exchange): Market[] => [
    { exchange, derivative: false, closingAuction: false },
    { exchange, derivative: false, closingAuction: true },
    { exchange, derivative: true, closingAuction: false },
  ])
  .concat({ exchange: 'MCX', derivative: true, closingAuction: false });

/** The instant (milliseconds) of the day of `at` from which intraday positions are squared off; undefined on a holiday. */
export function intradayStop(calendar: Sessions, instrument: Instrument, at: number): number | undefined {
  return stopOf(calendar, { ...instrument, derivative: isDerivative(instrument) }, istDate(at));
}

function stopOf(
  calendar: Sessions,
  { exchange, derivative, closingAuction }: Market,
  date: string,
): number | undefined {
  const table = effectiveOn(SQUARE_OFF, date);
  const open = calendar.sessions(exchange, derivative, date, closingAuction).findLast(({ phase }) => phase === 'OPEN');
  const minutes =
    exchange === 'MCX' ? table.commodity : derivative ? table.derivative : closingAuction ? table.auction : table.cash;
  return open && open.to - minutes * MINUTE;
}

/** Methods of the exchange that squaring off needs. */
export interface SquareOffExchange {
  /** Orders of an account that its list shows by then; at `Infinity` all that work. */
  orders(account: string, at: number): Order[];
  place(order: NewOrder, at: number): unknown;
  cancel(orderId: bigint, at: number): unknown;
  /** True if an instrument trades continuously at an instant. */
  isOpen(instrument: Instrument, at: number): boolean;
}

export interface SquareOffDeps {
  accounts: Pick<Accounts, 'ids' | 'squareOffs' | 'instrument'>;
  exchange: SquareOffExchange & {
    /** Ends an order at once, wherever it is on its way, and gives the reason. */
    expel(orderId: bigint, reason: string, at: number): unknown;
  };
  calendar: Sessions;
}

/** True if an order may still trade. */
export function isWorking({ status }: Pick<Order, 'status'>): boolean {
  return WORKING.has(status);
}

/** The orders by which the broker closes a position at market, in pieces that the exchange takes. */
export function closingOrders(
  { freezeQty, lotSize }: Pick<Instrument, 'freezeQty' | 'lotSize'>,
  position: Pick<NewOrder, 'account' | 'refId' | 'side' | 'product'>,
  quantity: number,
  source: string,
): NewOrder[] {
  const max = Math.max(1, Math.floor(freezeQty / lotSize)) * lotSize;
  const orders: NewOrder[] = [];
  for (let left = quantity; left > 0; left -= max) {
    orders.push({
      ...position,
      quantity: Math.min(left, max),
      kind: 'REGULAR',
      validity: 'IOC',
      priceType: 'MARKET',
      price: 0,
      triggerPrice: 0,
      legSize: 0,
      tag: '',
      basketId: 0n,
      source,
    });
  }
  return orders;
}

/** Takes part in virtual time after `from` (milliseconds); it remembers nothing but how far it has come. */
export class SquareOff {
  private due: number | undefined;

  constructor(
    private readonly deps: SquareOffDeps,
    from: number,
  ) {
    this.due = this.after(from);
  }

  nextDue(): number | undefined {
    return this.due;
  }

  run(at: number): void {
    this.due = this.after(at);
    const working = this.cancelOrders(at);
    for (const { account, refId, side, quantity } of this.deps.accounts.squareOffs()) {
      const instrument = this.deps.accounts.instrument(refId);
      if (!instrument || !this.stopped(instrument, at) || !this.deps.exchange.isOpen(instrument, at)) continue;
      const position = { account, refId, side, product: 'IDAY' as const };
      const quantities = working.get(`${account} ${refId}`);
      // At the stop itself all wait for the cancels. At later tries only the broker's own orders are left, which close already.
      if (quantities !== undefined && this.isStop(instrument, at)) continue;
      const rest = quantity - (quantities?.[side] ?? 0);
      for (const order of closingOrders(instrument, position, rest, SQUARE_OFF_SOURCE))
        this.deps.exchange.place(order, at);
    }
  }

  /**
   * Cancels open intraday orders at the stop, and at later tries ends at once what was placed since; returns the quantities (by account and
   * ref_id) that may still trade.
   */
  private cancelOrders(at: number): Map<string, Record<Side, number>> {
    const { accounts, exchange } = this.deps;
    const working = new Map<string, Record<Side, number>>();
    for (const account of accounts.ids()) {
      // Those count, too, that are so new that the account's list does not show them yet.
      for (const order of exchange.orders(account, Infinity)) {
        const instrument = order.product === 'IDAY' && isWorking(order) ? accounts.instrument(order.refId) : undefined;
        if (!instrument || !this.stopped(instrument, at)) continue;
        const isOwn = order.source === SQUARE_OFF_SOURCE;
        if (!isOwn && !this.isStop(instrument, at)) {
          exchange.expel(order.id, SQUARE_OFF_REASON, at);
          continue;
        }
        const key = `${account} ${order.refId}`;
        const quantities = working.get(key) ?? { BUY: 0, SELL: 0 };
        quantities[order.side] += order.quantity - order.filledQuantity;
        working.set(key, quantities);
        if (!isOwn) exchange.cancel(order.id, at);
      }
    }
    return working;
  }

  /** True if an instant is the stop itself, at which cancels are only sent. */
  private isStop(instrument: Instrument, at: number): boolean {
    return at === intradayStop(this.deps.calendar, instrument, at);
  }

  private stopped(instrument: Instrument, at: number): boolean {
    const stop = intradayStop(this.deps.calendar, instrument, at);
    return stop !== undefined && stop <= at;
  }

  /** The first instant after another one at which there is something to do. */
  private after(at: number): number | undefined {
    for (let day = 0; day <= MAX_HOLIDAY_DAYS; day += 1) {
      const date = istDate(istInstant(istDate(at), '12:00') + day * DAY);
      const due = MARKETS.flatMap((market) => {
        const stop = stopOf(this.deps.calendar, market, date);
        return stop === undefined ? [] : TRIES.map((later) => stop + later);
      }).filter((instant) => instant > at);
      if (due.length > 0) return Math.min(...due);
    }
    return undefined;
  }
}
