/** What is to be closed, what became of it, and the order that closes it. */
import type { OrderRecord } from '../endpoints/orders';
import type { BrokerageError } from '../base/errors';
import type { MarketPrice } from '../values/market-price';
import { getLastPrice } from '../market/quotes';
import type { ChangeResult } from '../orders/changing/change-order';
import type { ServiceRequest } from '../orders/api/order-api';
import type { OrderTerms, Side, TradedInstrument } from '../orders/model/order-terms';
import type { Outcome } from '../orders/placing/outcome';
import type { OrderRequest, PlacementContext } from '../orders/account/placement-context';
import { keyOf, type ClosablePosition } from './positions';

/** A position, and what of it is meant. */
export interface PositionSelection {
  position: ClosablePosition;
  /** Only what orders with the person's own label have traded today; left out for all of it. */
  label?: string;
  /** Units, with their sign, that are to be held in the end; left out for none. */
  goal?: Goal;
}

/** What is to be held in the end. */
export interface Goal {
  units: number;
  /** Whether open orders count as if they were filled; otherwise they are cancelled first. */
  countsOpen: boolean;
}

/** One position that is to be closed. */
export interface CloseRequest extends PositionSelection {
  instrument: TradedInstrument;
  /** How far from the last price it may be closed, hundredths of a percent; left out: at the market. */
  slack?: number;
  /** The order under its own tag. @param part which of the orders for this item it is. */
  request(terms: OrderTerms, part: string): OrderRequest;
  /** Told of each order at once, before anything else is sent. */
  placed(outcome: Outcome): void;
}

/** An order that closed a position, or a part of it. */
export interface ClosingOrder {
  orderId: string;
  tag: string;
  /** Units. */
  quantity: number;
  filled: number;
  /** Whether an earlier try had placed it. */
  alreadyPlaced: boolean;
  record: OrderRecord;
}

/** What became of one position. */
export interface Closed {
  request: CloseRequest;
  /** Orders on it that lived, and what became of them. */
  cancelled: ChangeResult[];
  /** Baskets that held it, and were asked to exit. */
  baskets: { basketId: string; result: 'done' | 'open' }[];
  orders: ClosingOrder[];
  /** What a dry run would send to close it: the first order, and how many there would be. */
  wouldSend?: ServiceRequest;
  wouldSendOrders?: number;
  /** What was there first: units that were held, and that open orders would still trade; left out where nobody knows. */
  before?: { held: number; open: number };
  /** Units that were closed now. */
  closed: number;
  /** Units, with their sign, that are left of what is meant; undefined where it is not known. */
  left: number | undefined;
  /** Why something is left, or may be. */
  error?: BrokerageError;
}

const NEED = { purpose: 'to close it by', hint: 'Close it at the market.' };

/**
 * The order that closes so many units.
 * @param net units, with the sign of what is too much.
 * @param isCut whether more is to be closed by further orders: its tag tells, so that a retry knows whether the first try was done.
 * @throws NoPriceError where there is no last price; what the read of it throws.
 */
export async function requestFor(
  { position, instrument, slack, request }: CloseRequest,
  { net, round, isCut }: { net: number; round: number; isCut: boolean },
  { transport, signal }: Pick<PlacementContext, 'transport' | 'signal'>,
): Promise<OrderRequest> {
  const side = net > 0 ? ('SELL' as const) : ('BUY' as const);
  const quantity = Math.abs(net);
  const priced =
    slack === undefined
      ? { priceType: 'MARKET' as const }
      : {
          priceType: 'LIMIT' as const,
          price: priceWithin(await getLastPrice(transport, instrument, NEED, signal), side, slack, instrument),
        };
  const { product } = position;
  const terms: OrderTerms = { instrument, kind: 'REGULAR', side, quantity, product, validity: 'IOC', ...priced };
  return request(terms, partOf(position, round, isCut));
}

/** Which of the orders that close a position one is. @param isCut whether others were to follow. */
export function partOf(position: ClosablePosition, round: number, isCut: boolean): string {
  return `exit ${keyOf(position)} ${round}${isCut ? ' of more' : ''}`;
}

/**
 * The worst price, paise, at which a position may be closed: so far from the last price, on the tick, rounded so that it
 * still trades.
 */
function priceWithin(last: MarketPrice, side: Side, slack: number, { tickSize }: TradedInstrument): number {
  const exact = (last * (10_000 + (side === 'BUY' ? slack : -slack))) / 10_000;
  const onTick = side === 'BUY' ? Math.ceil(exact / tickSize) * tickSize : Math.floor(exact / tickSize) * tickSize;
  return Math.max(tickSize, onTick);
}

/** Of two quantities the smaller one; 0 where they have not the same sign. */
export function smaller(a: number, b: number): number {
  if (Math.sign(a) !== Math.sign(b)) return 0;
  return Math.abs(a) < Math.abs(b) ? a : b;
}
