import { Type, type TSchema } from '@sinclair/typebox';
import {
  id,
  instrumentFields,
  int,
  nanoseconds,
  nullable,
  number,
  paise,
  record,
  repliesWith,
  text,
  type BrandWords,
} from './reply-parts';

/** Replies of orders and baskets (docs/service/orders-v2.md, docs/service/baskets.md). */
export function orderSchemas(words: BrandWords) {
  const { serviceWord } = words;
  const of = repliesWith(words);
  const refData = record(instrumentFields(words));
  const order = record({
    order_id: id,
    client_code: text,
    basket_id: id,
    ref_id: int,
    order_source: text,
    order_type: text,
    order_side: text,
    order_price: paise,
    order_qty: int,
    leg_size: int,
    filled_qty: int,
    avg_filled_price: paise,
    order_status: text,
    order_time: nanoseconds,
    ack_time: nullable(nanoseconds),
    filled_time: nullable(nanoseconds),
    last_modified: nullable(nanoseconds),
    updated_by: int,
    ref_data: nullable(refData),
    order_delivery_type: text,
    display_name: text,
    brokerage: Type.Null(),
    price_type: text,
    validity_type: text,
    exchange_order_id: id,
    execution_type: text,
    exchange: text,
    LTP: nullable(paise),
    duration: int,
    trigger_price: paise,
    max_prate: int,
    tag: text,
    algo_params: record({
      leg_size: int,
      duration: int,
      trigger_price: paise,
      max_prate: int,
      min_prate: int,
      benchmark_type: nullable(text),
      benchmark_price: int,
      cleanup_price: int,
    }),
  });
  const basketLeg = Type.Composite([
    order,
    record({ buy_qty: int, sell_qty: int, buy_avg: paise, sell_avg: paise, pnl: number, pnl_change: number }),
  ]);
  const basket = (orders: TSchema) =>
    record({
      basket_id: id,
      user_id: int,
      basket_name: text,
      tag: text,
      basket_status: text,
      exchange: text,
      orders,
      basket_params: record({
        order_side: text,
        order_delivery_type: text,
        price_type: text,
        entry_price: nullable(paise),
        exit_price: nullable(paise),
        stoploss_price: nullable(paise),
        momentum_trigger_price: nullable(paise),
        multiplier: int,
        entry_time: nullable(text),
        exit_time: nullable(text),
      }),
      LTP: paise,
      pnl: number,
      pnl_change: number,
      message: text,
      [`${serviceWord}_error_code`]: text,
    });
  const margin = {
    span: paise,
    exposure: paise,
    delivery_margin: paise,
    total_margin: paise,
    opt_prem: paise,
    var: paise,
    net_span: paise,
    margin_benefit: paise,
  };

  return {
    order: of(order),
    orders: of(nullable(Type.Array(order))),
    executions: of(
      nullable(
        Type.Array(
          record({
            trade_id: id,
            order_id: id,
            ref_id: int,
            order_side: text,
            order_delivery_type: text,
            qty: int,
            price: paise,
            time: nanoseconds,
          }),
        ),
      ),
    ),
    placed: of(Type.Union([Type.Array(order), record({ orders: Type.Array(order) })])),
    basket: of(basket(Type.Array(basketLeg))),
    baskets: of(nullable(Type.Array(basket(Type.Record(text, basketLeg))))),
    margin: of(
      Type.Union([
        record({
          ...margin,
          leg_margin: nullable(Type.Array(record({ ref_id: int, order_side: text, order_qty: int, margin: paise }))),
          max_quantity: int,
          message: text,
          code: text,
        }),
        record({ message: text, code: text }),
      ]),
    ),
  };
}
