/** Requests to close positions, their results, and the order that closes a position. */
import type { OrderRecord } from '../endpoints/orders';
import type { BrokerageError } from '../base/errors';
import type { MarketPrice } from '../values/market-price';
import { getLastPrice } from '../market/quotes';
import type { ChangeResult } from '../orders/changing/change-order';
import type { ServiceRequest } from '../orders/api/order-api';
import { closingGuards } from '../orders/model/guard-settings';
import type { OrderTerms, Side, TradedInstrument } from '../orders/model/order-terms';
import type { Outcome } from '../orders/placing/outcome';
import type { OrderRequest, PlacementContext } from '../orders/account/placement-context';
import { positionKey, type ClosablePosition } from './positions';

/** A position, and what of it is meant. */
export interface PositionSelection {
  position: ClosablePosition;
  /** Label that restricts closing to today's trades of orders with it; left out for the whole position. */
  label?: string;
  /** Units, with their sign, that are to be held in the end; left out for none. */
  goal?: ClosingGoal;
}

/** The position to reach in the end. */
export interface ClosingGoal {
  units: number;
  /** True if open orders count as filled; otherwise they are cancelled first. */
  countsOpen: boolean;
}

/** One position that is to be closed. */
export interface CloseRequest extends PositionSelection {
  instrument: TradedInstrument;
  /** Maximum distance of the closing price from the last price, hundredths of a percent; left out for a market order. */
  slack?: number;
  /** The order under its own tag. @param part which of the orders for this item it is. */
  request(terms: OrderTerms, part: string): OrderRequest;
  /** Called with each order at once, before the next is sent. */
  placed(outcome: Outcome): void;
}

/** An order that closed a position, or a part of it. */
export interface ClosingOrder {
  orderId: string;
  tag: string;
  /** Units. */
  quantity: number;
  filled: number;
  /** True if an earlier try had placed it. */
  alreadyPlaced: boolean;
  record: OrderRecord;
}

/** The result for one position. */
export interface ClosingResult {
  request: CloseRequest;
  /** Orders on it that lived, and what became of them. */
  cancelled: ChangeResult[];
  /** Baskets that held it, and were asked to exit. */
  baskets: { basketId: string; result: 'done' | 'open' }[];
  orders: ClosingOrder[];
  /** The request that a dry run would send to close it: the first order, and the number of orders. */
  wouldSend?: ServiceRequest;
  wouldSendOrders?: number;
  /** The state before: units held, and units that open orders would still trade; left out if unknown. */
  before?: { held: number; open: number };
  /** Units that were closed now. */
  closed: number;
  /** Remaining units, with their sign; undefined if unknown. */
  left: number | undefined;
  /** The reason for which units remain, or may remain. */
  error?: BrokerageError;
}

const NEED = { purpose: 'to close it by', hint: 'Close it at the market.' };

/**
 * Returns the order that closes a number of units.
 * @param net units, with the sign of the excess.
 * @param isCut true if further orders close more: the tag records it, so that a retry knows whether the first try was complete.
 * @throws NoPriceError if there is no last price; any error of reading it.
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
  return request(terms, closingPartOf(position, round, isCut));
}

/**
 * Returns the request for a number of units. Units that only take from what is held close, so a limit on the day's orders does not count.
 * @param net units, with the sign of the excess. @param held units, with their sign.
 */
export function asClosingRequest(input: CloseRequest, net: number, held: number): CloseRequest {
  if (smallerOfSameSign(net, held) !== net) return input;
  const request: CloseRequest['request'] = (terms, part) => {
    const requested = input.request(terms, part);
    return { ...requested, guards: closingGuards(requested.guards) };
  };
  return { ...input, request };
}

/** Returns the part of the tag that identifies one of the orders that close a position. @param isCut true if others were to follow. */
export function closingPartOf(position: ClosablePosition, round: number, isCut: boolean): string {
  return `exit ${positionKey(position)} ${round}${isCut ? ' of more' : ''}`;
}

/**
 * Returns the limit price, paise, at which a position may be closed: `slack` away from the last price, on the tick, rounded to the side on
 * which it still trades.
 */
function priceWithin(last: MarketPrice, side: Side, slack: number, { tickSize }: TradedInstrument): number {
  const exact = (last * (10_000 + (side === 'BUY' ? slack : -slack))) / 10_000;
  const onTick = side === 'BUY' ? Math.ceil(exact / tickSize) * tickSize : Math.floor(exact / tickSize) * tickSize;
  return Math.max(tickSize, onTick);
}

/** Returns the smaller of two quantities; 0 if they have different signs. */
export function smallerOfSameSign(a: number, b: number): number {
  if (Math.sign(a) !== Math.sign(b)) return 0;
  return Math.abs(a) < Math.abs(b) ? a : b;
}
