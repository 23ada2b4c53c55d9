import { int64, int64OrNull } from '../shared/json';
import type { Order } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';

/** What the live service has been seen to show before the exchange has answered (wire facts, section 3.9). */
const GARBAGE_TIME = -6_795_364_578_871_345_152n;

/** What the records of one list have in common: each instrument is looked up once, so that all show one last price. */
export class OrderRecords {
  private readonly facts = new Map<
    number,
    { instrument: Instrument | undefined; refData: object | null; ltp: number | null }
  >();

  constructor(private readonly sandbox: Sandbox) {}

  /** The order record of the specification (Resources: Order record). `fetched` is how a later reading shows it. */
  of(order: Order, how: 'placed' | 'fetched') {
    const { instrument, refData: ref_data, ltp } = this.factsOf(order.refId);
    const market = order.priceType === 'MARKET';
    return {
      order_id: int64(order.id),
      client_code: order.account,
      basket_id: int64(order.basketId),
      ref_id: order.refId,
      order_source: order.source,
      order_type:
        how === 'fetched' && market && order.kind === 'REGULAR' ? 'ORDER_TYPE_MARKET' : `ORDER_TYPE_${order.kind}`,
      order_side: `ORDER_SIDE_${order.side}`,
      order_price: order.price,
      order_qty: order.quantity,
      leg_size: order.legSize,
      filled_qty: order.filledQuantity,
      avg_filled_price: averagePrice(order),
      order_status: `ORDER_STATUS_${order.status}`,
      order_time: int64(
        order.status === 'PENDING' && this.sandbox.dialect.pending_order_time === 'garbage'
          ? GARBAGE_TIME
          : order.createdAt,
      ),
      ack_time: int64OrNull(order.acknowledgedAt),
      filled_time: int64OrNull(order.filledAt),
      last_modified: int64OrNull(order.modifiedAt),
      updated_by: 0,
      ref_data,
      order_delivery_type: `ORDER_DELIVERY_TYPE_${order.product}`,
      display_name: instrument?.displayName ?? '',
      brokerage: null,
      price_type: order.priceType,
      validity_type: order.validity,
      exchange_order_id: int64(order.exchangeOrderId),
      execution_type: order.validity === 'IOC' ? 'STRATEGY_TYPE_IOC' : market ? 'STRATEGY_TYPE_MARKET' : '',
      exchange: instrument?.exchange ?? '',
      LTP: ltp,
      duration: 0,
      trigger_price: order.triggerPrice,
      max_prate: 0,
      tag: order.tag,
      algo_params: {
        leg_size: order.legSize,
        duration: 0,
        trigger_price: order.triggerPrice,
        max_prate: 0,
        min_prate: 0,
        benchmark_type: null,
        benchmark_price: 0,
        cleanup_price: 0,
      },
    };
  }

  private factsOf(refId: number) {
    const known = this.facts.get(refId);
    if (known !== undefined) return known;
    const { world } = this.sandbox;
    const instrument = world.instrument(refId);
    const facts = {
      instrument,
      refData: instrument === undefined ? null : refData(this.sandbox, instrument),
      ltp: instrument === undefined ? null : world.lastPrice(instrument),
    };
    this.facts.set(refId, facts);
    return facts;
  }
}

/** One order record alone. */
export const orderRecord = (sandbox: Sandbox, order: Order, how: 'placed' | 'fetched') =>
  new OrderRecords(sandbox).of(order, how);

/** Average price of what is filled, paise, rounded; 0 when nothing is. */
export function averagePrice({ filledQuantity, filledValue }: Order): number {
  return filledQuantity === 0 ? 0 : Math.round(filledValue / filledQuantity);
}

function refData({ options }: Sandbox, instrument: Instrument) {
  return {
    ref_id: instrument.refId,
    [`${options.platformWord}_id`]: instrument.platId,
    option_type: instrument.optionType,
    token: instrument.token,
    stock_name: instrument.stockName,
    series: instrument.series,
    [`${options.platformWord}_name`]: instrument.platName,
    lot_size: instrument.lotSize,
    asset: instrument.asset,
    exchange: instrument.exchange,
    derivative_type: instrument.derivativeType,
  };
}

/** Nanoseconds of a reading taken at an instant (milliseconds); the low digits tell instruments apart and are never zero. */
export function nanoseconds(at: number, salt: number): bigint {
  return BigInt(at) * 1_000_000n + BigInt(((salt * 7919) % 500_000) * 2 + 1);
}
