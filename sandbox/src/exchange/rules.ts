import type { Instrument } from '../market/reference/types';
import type { Product } from '../shared/orders';
import { istClock, istDate, istDay, millisOf } from '../shared/time';
import { DELIVERY_SERIES } from './data/delivery-series';
import type { PriceBand } from './price-bands';
import type { TradingPhase } from './trading-hours';
import type { NewOrder, Order, Refusal } from '../shared/orders';
import type { OrderChange } from './types';

/** The largest quantity any order may have, whatever the instrument. */
export const MAX_QUANTITY = 100_000_000;

/** Texts of refusals that the live service is known to give. */
export const REFUSAL_TEXT = {
  freeze: 'ORDER QTY IS GREATER THAN FREEZE QTY',
  lot: 'quantity entered is not a multiple of current lots size',
  largest: 'exceeds the maximum order quantity limit',
  band: 'PRICE_BAND_HIT',
  protection: 'LIMIT_PRICE_PROTECTION',
  cancelBusy: "Can't cancel this order right now",
  modifyBusy: "Can't modify this order right now",
} as const;

/** Instruments that exist to be looked at only. */
export function tradableRefusal(instrument: Instrument): Refusal | undefined {
  if (instrument.derivativeType !== 'INDEX') return undefined;
  return refuse(
    'NOT_TRADABLE',
    `ref_id ${instrument.refId} is the index ${instrument.symbol}, which can't be traded: trade its futures or options`,
  );
}

/** An intraday order in a series whose trades are settled one by one. @param at milliseconds */
export function productRefusal(product: Product, instrument: Instrument, at: number): Refusal | undefined {
  if (product !== 'IDAY' || instrument.derivativeType !== 'STOCK') return undefined;
  const { exchange, series, symbol } = instrument;
  const isDeliveryOnly = DELIVERY_SERIES.some(
    (row) => row.exchange === exchange && row.effectiveFrom <= istDate(at) && row.series.includes(series),
  );
  if (!isDeliveryOnly) return undefined;
  return refuse(
    'DELIVERY_ONLY',
    `${symbol} is in series ${series} of ${exchange}: trade for trade, intraday orders are not allowed`,
  );
}

/** A refusal with its code and text. */
export function refuse(code: string, text: string): Refusal {
  return { ok: false, code, text };
}

/** Fields of an order by which its figures fit together. */
export type OrderFigures = Pick<
  NewOrder,
  'kind' | 'side' | 'quantity' | 'priceType' | 'price' | 'triggerPrice' | 'legSize' | 'validity'
>;

/**
 * Rules on the order itself, refused at once (docs/service/orders-v2.md#single-order-body, docs/service/exchange-rules.md#prices,
 * docs/service/exchange-rules.md#quantities).
 * What depends on the state of the exchange or the account comes after the acknowledgement instead: see `rejection`.
 */
export function orderRefusal(order: OrderFigures, instrument: Instrument): Refusal | undefined {
  return (
    quantityRefusal(order, instrument) ??
    priceRefusal(order, instrument) ??
    kindRefusal(order) ??
    algoRefusal(order, instrument)
  );
}

function quantityRefusal({ quantity }: OrderFigures, { lotSize, exchange }: Instrument): Refusal | undefined {
  if (!Number.isSafeInteger(quantity) || quantity <= 0) {
    return refuse('INVALID_QUANTITY', `order_qty must be a whole number above 0, not ${quantity}`);
  }
  if (quantity > MAX_QUANTITY) {
    return refuse('QUANTITY_LIMIT', `order_qty ${quantity} ${REFUSAL_TEXT.largest} of ${MAX_QUANTITY}`);
  }
  if (quantity % lotSize !== 0) {
    return refuse('LOT_SIZE', `${REFUSAL_TEXT.lot}: ${quantity} is not a multiple of ${lotSize} on ${exchange}`);
  }
  return undefined;
}

function priceRefusal({ priceType, price, kind }: OrderFigures, { tickSize }: Instrument): Refusal | undefined {
  if (priceType === 'MARKET') {
    if (kind === 'STOPLOSS') {
      return refuse(
        'STOPLOSS_MARKET',
        'a stop-loss order must have price_type LIMIT: it enters the book as a limit order',
      );
    }
    return undefined;
  }
  return offTick('order_price', price, tickSize);
}

function offTick(name: string, price: number, tickSize: number): Refusal | undefined {
  if (!Number.isSafeInteger(price) || price <= 0) {
    return refuse('INVALID_PRICE', `${name} must be a whole number of paise above 0, not ${price}`);
  }
  if (price % tickSize === 0) return undefined;
  const below = Math.floor(price / tickSize) * tickSize;
  return refuse(
    'TICK_SIZE',
    `${name} ${price} is not a multiple of the tick size ${tickSize}: nearest are ${below} and ${below + tickSize}`,
  );
}

function kindRefusal(order: OrderFigures): Refusal | undefined {
  const { kind, side, price, triggerPrice, legSize, quantity, validity } = order;
  if (kind === 'STOPLOSS') {
    if (validity === 'IOC')
      return refuse('STOPLOSS_IOC', 'a stop-loss order must have validity_type DAY: it waits for its trigger');
    if (!Number.isSafeInteger(triggerPrice) || triggerPrice <= 0) {
      return refuse(
        'INVALID_TRIGGER',
        `algo_params.trigger_price must be a whole number of paise above 0, not ${triggerPrice}`,
      );
    }
    if (side === 'BUY' && triggerPrice > price) {
      return refuse(
        'TRIGGER_ABOVE_PRICE',
        `for a buy, trigger_price ${triggerPrice} must not be above order_price ${price}`,
      );
    }
    if (side === 'SELL' && triggerPrice < price) {
      return refuse(
        'TRIGGER_BELOW_PRICE',
        `for a sell, trigger_price ${triggerPrice} must not be below order_price ${price}`,
      );
    }
  } else if (triggerPrice !== 0) {
    return refuse('TRIGGER_NOT_ALLOWED', 'algo_params.trigger_price is only for ORDER_TYPE_STOPLOSS');
  }
  if (kind !== 'ICEBERG') {
    return legSize === 0 ? undefined : refuse('LEG_NOT_ALLOWED', 'algo_params.leg_size is only for ORDER_TYPE_ICEBERG');
  }
  if (validity === 'IOC')
    return refuse('ICEBERG_IOC', 'an iceberg order must have validity_type DAY: its legs come one after the other');
  if (!Number.isSafeInteger(legSize) || legSize <= 0) {
    return refuse('INVALID_LEG_SIZE', `algo_params.leg_size must be a whole number above 0, not ${legSize}`);
  }
  if (quantity <= legSize)
    return refuse('ICEBERG_LEG', `order_qty ${quantity} must exceed algo_params.leg_size ${legSize}`);
  return undefined;
}

/** Rules on the trigger and the legs that need the instrument (docs/service/exchange-rules.md#prices, docs/service/exchange-rules.md#quantities). */
function algoRefusal(
  { kind, triggerPrice, legSize }: OrderFigures,
  { tickSize, lotSize }: Instrument,
): Refusal | undefined {
  if (kind === 'STOPLOSS') return offTick('algo_params.trigger_price', triggerPrice, tickSize);
  if (kind === 'ICEBERG' && legSize % lotSize !== 0) {
    return refuse('LOT_SIZE', `${REFUSAL_TEXT.lot}: algo_params.leg_size ${legSize} is not a multiple of ${lotSize}`);
  }
  return undefined;
}

/** Returns an order after a change: figures that its kind does not have are dropped unless they are asked for. */
export function changedOrder(order: Order, change: OrderChange): Order {
  const kind = change.kind ?? order.kind;
  return {
    ...order,
    ...change,
    kind,
    // A market order has none, whatever a change says.
    price: order.priceType === 'MARKET' ? 0 : (change.price ?? order.price),
    triggerPrice: change.triggerPrice ?? (kind === 'STOPLOSS' ? order.triggerPrice : 0),
    legSize: change.legSize ?? (kind === 'ICEBERG' ? order.legSize : 0),
  };
}

/** Rules of a change (docs/service/orders-v2.md#modify-order). A stop-loss that was triggered is a limit order and judged as one. */
export function changeRefusal(order: Order, requested: Order, instrument: Instrument): Refusal | undefined {
  const isBehind = order.filledQuantity > 0 || order.status === 'TRIGGERED';
  if (requested.kind === 'STOPLOSS' && order.kind !== 'STOPLOSS' && isBehind) {
    return refuse(
      'KIND_CHANGE',
      "order_type of an order with fills or a trigger behind it can't become ORDER_TYPE_STOPLOSS: cancel it and place a stop-loss",
    );
  }
  if (requested.quantity <= order.filledQuantity) {
    return refuse(
      'BELOW_FILLED',
      `order_qty ${requested.quantity} must be above the ${order.filledQuantity} that are already filled`,
    );
  }
  const triggered = requested.kind === 'STOPLOSS' && (order.status === 'TRIGGERED' || order.filledQuantity > 0);
  return orderRefusal(triggered ? { ...requested, kind: 'REGULAR', triggerPrice: 0 } : requested, instrument);
}

/** Facts that the exchange checks when an order reaches it. */
export interface MarketConditions {
  instrument: Instrument;
  band: PriceBand;
  /** Last traded price, paise. */
  last: number;
  phase: TradingPhase['phase'];
  /** The worst limit of an option by its reference price, paise. */
  worst: number | undefined;
}

/**
 * Rules that depend on the state of the exchange (docs/service/exchange-rules.md); `limit` is the price
 * the order may trade at, also for a market order.
 */
export function stateRefusal(
  order: OrderFigures,
  limit: number,
  { instrument, band, last, phase, worst }: MarketConditions,
): Refusal | undefined {
  if (order.quantity > instrument.freezeQty)
    return refuse('FREEZE_QTY', `${REFUSAL_TEXT.freeze}: ${order.quantity} is above ${instrument.freezeQty}`);
  if (order.priceType === 'LIMIT' && (limit < band.low || limit > band.high)) {
    return refuse(
      'PRICE_BAND',
      `${REFUSAL_TEXT.band}: order_price ${limit} is outside the price band of ${band.low} to ${band.high}${limitNow(instrument, band)}`,
    );
  }
  if (worst !== undefined && order.priceType === 'LIMIT' && (order.side === 'BUY' ? limit > worst : limit < worst)) {
    return refuse(
      'PRICE_PROTECTION',
      `${REFUSAL_TEXT.protection}: order_price ${limit} is ${order.side === 'BUY' ? 'above' : 'below'} ${worst}, too far from the price of the option`,
    );
  }
  if (phase === 'OPEN') return undefined;
  if (order.kind !== 'REGULAR')
    return refuse('SESSION_KIND', 'SESSION_NOT_ALLOWED: an auction or post-close session takes regular orders only');
  if (phase !== 'POST_CLOSE') {
    return order.validity === 'IOC'
      ? refuse('SESSION_IOC', 'SESSION_NOT_ALLOWED: a call auction takes no IOC orders')
      : undefined;
  }
  const accepts = order.side === 'BUY' ? limit >= last : limit <= last;
  return accepts
    ? undefined
    : refuse('SESSION_PRICE', `SESSION_NOT_ALLOWED: after the close trading is at the closing price of ${last} only`);
}

/** The daily price limit of a commodity, and when it becomes wider. */
function limitNow({ exchange, asset }: Instrument, { daily }: PriceBand): string {
  if (daily === undefined) return '';
  const { percent, next } = daily;
  const wider =
    next === undefined
      ? 'and the last of the day'
      : next.at === undefined
        ? `and becomes ${next.percent} % once something has traded at it`
        : `and becomes ${next.percent} % at ${istClock(next.at)}, after the cooling-off period`;
  return `: the daily price limit of ${asset} on ${exchange} is ${percent} % now, ${wider}`;
}

/**
 * Refusal of an order that reaches the exchange after its day, by an instant, milliseconds. What was open in it has been closed at midnight, so that
 * an intraday order of the day before would open the opposite.
 */
export function arrivalRefusal({ product, createdAt }: Order, at: number): Refusal | undefined {
  if (product !== 'IDAY' || istDay(at) === istDay(millisOf(createdAt))) return undefined;
  return refuse(
    'INTRADAY_CLOSED',
    'INTRADAY_CLOSED: the order came to the exchange after midnight, and intraday orders are for the day on which they are placed',
  );
}
