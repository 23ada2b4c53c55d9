import { multiplierByDialect } from './multiplier-by-dialect';
import { stockNameByDialect } from './stock-name-by-dialect';
import type { Order } from '../shared/orders';
import type { Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';

/** Time that the live service has been seen to show before the exchange has answered (docs/service/orders-v2.md#order-record). */
const GARBAGE_TIME = -6_795_364_578_871_345_152n;

/** Parts that the records of all orders of an instrument share, as JSON texts. */
interface Facts {
  refData: string;
  displayName: string;
  exchange: string;
  ltp: string;
}

/**
 * Order records as JSON texts: a list may have tens of thousands, and `JSON.stringify` of an object takes three times as long. Those of one
 * list look each instrument up once, so that all show one last price.
 */
export class OrderRecords {
  private readonly facts = new Map<number, Facts>();

  constructor(private readonly sandbox: Sandbox) {}

  /** The order record of the specification (Resources: Order record). `fetched` is how a later reading shows it. */
  of(order: Order, how: 'placed' | 'fetched'): string {
    const { refData, displayName, exchange, ltp } = this.factsOf(order.refId);
    const isMarket = order.priceType === 'MARKET';
    const type = how === 'fetched' && isMarket && order.kind === 'REGULAR' ? 'MARKET' : order.kind;
    const isGarbage = order.status === 'PENDING' && this.sandbox.dialect.pending_order_time === 'garbage';
    const execution = order.validity === 'IOC' ? 'STRATEGY_TYPE_IOC' : isMarket ? 'STRATEGY_TYPE_MARKET' : '';
    return (
      `{"order_id":${order.id},"client_code":${quoted(order.account)},"basket_id":${order.basketId},"ref_id":${order.refId},` +
      `"order_source":"${order.source}","order_type":"ORDER_TYPE_${type}","order_side":"ORDER_SIDE_${order.side}",` +
      `"order_price":${order.price},"order_qty":${order.quantity},"leg_size":${order.legSize},` +
      `"filled_qty":${order.filledQuantity},"avg_filled_price":${averagePrice(order)},` +
      `"order_status":"ORDER_STATUS_${order.status}","order_time":${isGarbage ? GARBAGE_TIME : order.createdAt},` +
      `"ack_time":${time(order.acknowledgedAt)},"filled_time":${time(order.filledAt)},` +
      `"last_modified":${time(order.modifiedAt)},"updated_by":0,"ref_data":${refData},` +
      `"order_delivery_type":"ORDER_DELIVERY_TYPE_${order.product}","display_name":${displayName},"brokerage":null,` +
      `"price_type":"${order.priceType}","validity_type":"${order.validity}","exchange_order_id":${order.exchangeOrderId},` +
      `"execution_type":"${execution}","exchange":${exchange},"LTP":${ltp},"duration":0,` +
      `"trigger_price":${order.triggerPrice},"max_prate":0,"tag":${quoted(order.tag)},` +
      `"algo_params":{"leg_size":${order.legSize},"duration":0,"trigger_price":${order.triggerPrice},"max_prate":0,` +
      `"min_prate":0,"benchmark_type":null,"benchmark_price":0,"cleanup_price":0}}`
    );
  }

  private factsOf(refId: number): Facts {
    const cachedFacts = this.facts.get(refId);
    if (cachedFacts !== undefined) return cachedFacts;
    const { world } = this.sandbox;
    const instrument = world.instrument(refId);
    const facts = {
      refData: JSON.stringify(instrument === undefined ? null : refData(this.sandbox, instrument)),
      displayName: quoted(instrument?.displayName ?? ''),
      exchange: quoted(instrument?.exchange ?? ''),
      ltp: JSON.stringify(instrument === undefined ? null : world.lastPrice(instrument)),
    };
    this.facts.set(refId, facts);
    return facts;
  }
}

/** One order record alone, as JSON. */
export const orderRecord = (sandbox: Sandbox, order: Order, how: 'placed' | 'fetched'): string =>
  new OrderRecords(sandbox).of(order, how);

const quoted = (text: string): string => JSON.stringify(text);

/** Times that have not happened are null on the wire. */
const time = (nanoseconds: bigint): bigint | null => (nanoseconds === 0n ? null : nanoseconds);

/** Average price of what is filled, paise, rounded; 0 when nothing is. */
export function averagePrice({ filledQuantity, filledValue }: Order): number {
  return filledQuantity === 0 ? 0 : Math.round(filledValue / filledQuantity);
}

function refData({ options, dialect }: Sandbox, instrument: Instrument) {
  return {
    ref_id: instrument.refId,
    [`${options.platformWord}_id`]: instrument.platId,
    option_type: instrument.optionType,
    token: instrument.token,
    stock_name: stockNameByDialect(dialect, instrument),
    series: instrument.series,
    [`${options.platformWord}_name`]: instrument.platName,
    lot_size: instrument.lotSize,
    qty_multiplier: multiplierByDialect(dialect, instrument),
    asset: instrument.asset,
    exchange: instrument.exchange,
    derivative_type: instrument.derivativeType,
  };
}

/** Nanoseconds of a reading taken at an instant (milliseconds); the low digits tell instruments apart and are never zero. */
export function nanoseconds(at: number, salt: number): bigint {
  return BigInt(at) * 1_000_000n + BigInt(((salt * 7919) % 500_000) * 2 + 1);
}
