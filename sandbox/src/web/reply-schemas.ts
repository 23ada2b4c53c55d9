import { Type, type TSchema } from '@sinclair/typebox';
import type { SandboxOptions } from '../simulation/options';

/** Replies as the description tells them (specification: Resources; wire facts, section 2). What is sent is not made from them: a test compares both. */
const int = Type.Integer();
const text = Type.String();
const number = Type.Number();
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const paise = Type.Integer({ description: 'Paise' });
const nanoseconds = Type.Integer({ description: 'Nanoseconds since the epoch, beyond 2^53' });
const id = Type.Integer({ description: 'Up to 19 digits' });
/** An object whose fields are all there. */
const record = (fields: Record<string, TSchema>) => Type.Object(fields);

export const MESSAGE = record({ message: text });

/** The replySchemas with the brand words of a sandbox. */
export function replySchemas({ platformWord, serviceWord }: Pick<SandboxOptions, 'platformWord' | 'serviceWord'>) {
  const platformName = { [`${platformWord}_name`]: text };
  const platformId = { [`${platformWord}_id`]: int };
  const errorCode = { [`${serviceWord}_error_code`]: text };

  const error = Type.Object({ error: text, ...errorCode, attempts_left: Type.Optional(int) });

  const refData = record({
    ref_id: int,
    ...platformId,
    option_type: text,
    token: int,
    stock_name: text,
    series: text,
    ...platformName,
    lot_size: int,
    asset: text,
    exchange: text,
    derivative_type: text,
  });
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
      ...errorCode,
    });
  const instrument = record({
    ref_id: int,
    ...platformId,
    strike_price: paise,
    option_type: text,
    token: int,
    stock_name: text,
    series: text,
    ...platformName,
    lot_size: int,
    asset: text,
    expiry: Type.Integer({ description: 'YYYYMMDD; 0 for none' }),
    exchange: text,
    derivative_type: text,
    isin: text,
    asset_type: text,
    tick_size: paise,
    underlying_prev_close: paise,
  });
  const level = record({ p: paise, q: int, o: int });
  const leg = record({
    ref_id: int,
    inst_id: int,
    ts: nanoseconds,
    sp: paise,
    ls: int,
    ltp: paise,
    ltpchg: number,
    iv: Type.Number({ description: 'A fraction' }),
    delta: number,
    gamma: number,
    theta: number,
    vega: number,
    oi: int,
    volume: int,
    prev_oi: int,
  });
  const holding = record({
    ref_id: int,
    [`${serviceWord}_name`]: text,
    displayName: text,
    derivative_type: text,
    strike_price: paise,
    lot_size: int,
    exchange: text,
    asset: text,
    symbol: text,
    qty: int,
    pledged_qty: int,
    t1_qty: int,
    avg_price: paise,
    prev_close: paise,
    ltp: paise,
    ltp_chg: number,
    invested_value: paise,
    current_value: paise,
    net_pnl: paise,
    net_pnl_chg: number,
    day_pnl: paise,
    haircut: number,
    margin_benefit: paise,
    available_to_pledge: int,
    is_pledgeable: Type.Boolean(),
    supported_exchanges: Type.Record(text, int),
  });
  const position = record({
    ref_id: int,
    ...platformName,
    display_name: text,
    derivative_type: text,
    strike_price: paise,
    lot_size: int,
    exchange: text,
    asset: text,
    symbol: text,
    product: text,
    order_side: text,
    qty: int,
    ltp: paise,
    avg_price: paise,
    avg_buy_price: paise,
    avg_sell_price: paise,
    pnl: paise,
    pnl_chg: number,
  });
  const positions = nullable(Type.Array(position));
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

  /** A good reply, and that of a refusal. */
  const of = (schema: TSchema) => ({ 200: schema, '4xx': error });
  return {
    error: { '4xx': error },
    message: of(MESSAGE),
    secret: of(record({ data: record({ secret_key: text, qr_image: text }), message: text })),
    user: of(
      record({
        client_code: text,
        email: text,
        env_info: record({ market_ws_url: text, order_service_ws_url: text, user_ws_url: text }),
        message: text,
        name: text,
        phone: text,
        userId: int,
        version_info: record({ status: text, version: text }),
      }),
    ),
    address: of(
      record({
        is_matched: Type.Boolean(),
        current_ip_address: text,
        primary_ip_address: text,
        secondary_ip_address: text,
      }),
    ),
    master: of(
      record({ exchange: text, is_trading_on: Type.Boolean(), message: text, refdata: Type.Array(instrument) }),
    ),
    book: of(
      record({
        orderBook: record({
          inst_id: int,
          ref_id: int,
          ts: nanoseconds,
          bid: Type.Array(level),
          ask: Type.Array(level),
          ltp: paise,
          ltq: int,
          volume: int,
          prev_close: paise,
        }),
      }),
    ),
    price: of(
      Type.Object({
        message: text,
        exchange: text,
        price: paise,
        prev_close: paise,
        change: Type.Number({ description: 'Percent' }),
        indicative_close_price: Type.Optional(paise),
      }),
    ),
    chain: of(
      record({
        chain: record({
          asset: text,
          exchange: text,
          expiry: text,
          ce: Type.Array(leg),
          pe: Type.Array(leg),
          atm: paise,
          cp: paise,
          all_expiries: Type.Array(text),
        }),
        message: text,
      }),
    ),
    candles: of(
      record({
        market_time: text,
        message: text,
        result: nullable(
          Type.Array(
            record({
              exchange: text,
              type: text,
              values: Type.Array(
                Type.Record(text, Type.Record(text, Type.Array(record({ ts: nanoseconds, v: number })))),
              ),
            }),
          ),
        ),
      }),
    ),
    order: of(order),
    orders: of(nullable(Type.Array(order))),
    executions: of(
      record({
        executions: Type.Array(
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
      }),
    ),
    flatPositions: of(
      record({
        message: text,
        positions: Type.Array(
          record({
            ref_id: int,
            symbol: text,
            exchange: text,
            derivative_type: text,
            delivery_type: text,
            buy_qty: int,
            sell_qty: int,
            net_qty: int,
            avg_buy_price: paise,
            avg_sell_price: paise,
            ltp: paise,
            pnl: paise,
            status: text,
          }),
        ),
      }),
    ),
    placed: of(Type.Union([Type.Array(order), record({ orders: Type.Array(order) })])),
    basket: of(basket(Type.Array(basketLeg))),
    baskets: of(nullable(Type.Array(basket(Type.Record(text, basketLeg))))),
    holdings: of(
      record({
        message: text,
        portfolio: record({
          client_code: text,
          holding_stats: record({
            invested_amount: paise,
            current_value: paise,
            total_pnl: paise,
            total_pnl_chg: number,
            day_pnl: paise,
            day_pnl_chg: number,
          }),
          holdings: nullable(Type.Array(holding)),
        }),
      }),
    ),
    positions: of(
      record({
        message: text,
        portfolio: record({
          client_code: text,
          position_stats: record({
            realised_pnl: paise,
            unrealised_pnl: paise,
            total_pnl: paise,
            total_pnl_chg: number,
          }),
          stock_positions: positions,
          fut_positions: positions,
          opt_positions: positions,
          close_positions: positions,
        }),
      }),
    ),
    funds: of(
      record({
        message: text,
        port_funds_and_margin: record({
          client_code: text,
          start_of_day_funds: paise,
          pay_in_credit: paise,
          pay_out_debit: paise,
          cash_balance: paise,
          net_margin_available: paise,
          total_margin_blocked: paise,
          margin_blocked_orders: paise,
          margin_blocked_positions: paise,
          total_collateral: paise,
          collateral_used: paise,
          realised_pnl: paise,
          brokerage: paise,
          total_charges: paise,
        }),
      }),
    ),
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
    reports: of(
      record({
        message: text,
        res: record({
          categories: Type.Array(text),
          reports: Type.Array(
            record({
              category: text,
              title: text,
              type: text,
              downloadFileTypes: Type.Array(text),
              actionTypes: Type.Array(text),
              dateRangeOptions: Type.Array(text),
              passwordProtected: Type.Boolean(),
              password: text,
              minDate: text,
              maxDate: text,
            }),
          ),
        }),
      }),
    ),
  };
}
