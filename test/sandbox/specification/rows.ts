/** The rows of the specification's resource tables: what every field is, by section and name. */

/** True if a value is what a row says; 64-bit integers come as decimal text (`readJson`). */
export type Kind = (value: unknown) => boolean;

const integer: Kind = (value) => Number.isSafeInteger(value);
const long: Kind = (value) => integer(value) || (typeof value === 'string' && /^-?\d{16,19}$/.test(value));
const number: Kind = (value) => typeof value === 'number' && Number.isFinite(value);
const text: Kind = (value) => typeof value === 'string';
const filled: Kind = (value) => typeof value === 'string' && value !== '';
const flag: Kind = (value) => typeof value === 'boolean';
const object: Kind = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const list: Kind = (value) => Array.isArray(value);
const nothing: Kind = (value) => value === null;
const or =
  (...kinds: Kind[]): Kind =>
  (value) =>
    kinds.some((kind) => kind(value));
const one =
  (...words: (string | number)[]): Kind =>
  (value) =>
    words.includes(value as string);
const all =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(kind);
const like =
  (pattern: RegExp): Kind =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const dates = like(/^\d{4}-\d{2}-\d{2}/);

const EXCHANGE = one('NSE', 'BSE', 'MCX');
const SIDE = one('ORDER_SIDE_BUY', 'ORDER_SIDE_SELL');
const DELIVERY = one('ORDER_DELIVERY_TYPE_CNC', 'ORDER_DELIVERY_TYPE_IDAY');
const NAMED = like(/^(STOCK|FUT|OPT|INDEX)_/);

export const ROWS: Record<string, Record<string, Kind>> = {
  'Login response (`/sendphoneotp`)': {
    attempts_left: one(4),
    email: like(/@/),
    expiry: integer,
    flow: one('LOGIN'),
    message: filled,
    next: one('VERIFY_MOBILE'),
    phone: like(/^\d{10}$/),
    temp_token: filled,
  },
  'Verify-OTP response (`/verifyphoneotp`, `/totp/login`)': {
    auth_token: filled,
    flow: one('LOGIN'),
    message: filled,
    next: one('ENTER_MPIN'),
  },
  'Verify-PIN response (`/verifypin`)': {
    email: like(/@/),
    message: filled,
    next: one('DASHBOARD'),
    phone: like(/^\d{10}$/),
    session_token: filled,
    userId: integer,
  },
  'TOTP secret response (`/totp/generate-secret`)': {
    'data.secret_key': like(/^[A-Z2-7]{16,}$/),
    'data.qr_image': like(/^data:image\/png;base64,iVBOR/),
    message: filled,
  },
  'Instrument reference record (`refdata[]`)': {
    ref_id: integer,
    strike_price: integer,
    option_type: filled,
    token: integer,
    stock_name: filled,
    series: text,
    plat_name: NAMED,
    lot_size: integer,
    asset: filled,
    expiry: or(one(0), (value) => integer(value) && /^20\d{6}$/.test(String(value))),
    exchange: EXCHANGE,
    derivative_type: one('STOCK', 'INDEX', 'FUT', 'OPT'),
    isin: text,
    asset_type: filled,
    tick_size: integer,
    underlying_prev_close: integer,
  },
  'Order record': {
    order_id: long,
    client_code: filled,
    basket_id: long,
    ref_id: integer,
    order_source: one('ORDER_SOURCE_NORMAL'),
    order_type: one('ORDER_TYPE_REGULAR', 'ORDER_TYPE_STOPLOSS', 'ORDER_TYPE_ICEBERG', 'ORDER_TYPE_MARKET'),
    order_side: SIDE,
    order_price: integer,
    order_qty: integer,
    leg_size: integer,
    filled_qty: integer,
    avg_filled_price: integer,
    order_status: like(/^ORDER_STATUS_(PENDING|SENT|OPEN|PARTIAL_FILLED|FILLED|TRIGGERED|CANCELLED|REJECTED|EXPIRED)$/),
    order_time: long,
    ack_time: or(long, nothing),
    filled_time: or(long, nothing),
    last_modified: or(long, nothing),
    updated_by: one(0),
    ref_data: or(object, nothing),
    order_delivery_type: DELIVERY,
    display_name: filled,
    brokerage: nothing,
    price_type: one('LIMIT', 'MARKET'),
    validity_type: one('DAY', 'IOC'),
    exchange_order_id: long,
    execution_type: one('STRATEGY_TYPE_IOC', 'STRATEGY_TYPE_MARKET', ''),
    exchange: or(EXCHANGE, one('')),
    LTP: or(integer, nothing),
    duration: integer,
    trigger_price: integer,
    max_prate: integer,
    tag: text,
    algo_params: object,
    'ref_data.ref_id': integer,
    'ref_data.plat_id': integer,
    'ref_data.option_type': text,
    'ref_data.token': integer,
    'ref_data.stock_name': filled,
    'ref_data.series': text,
    'ref_data.plat_name': NAMED,
    'ref_data.lot_size': integer,
    'ref_data.asset': filled,
    'ref_data.exchange': EXCHANGE,
    'ref_data.derivative_type': filled,
    'algo_params.leg_size': integer,
    'algo_params.duration': integer,
    'algo_params.trigger_price': integer,
    'algo_params.max_prate': integer,
    'algo_params.min_prate': integer,
    // An empty text was refused by a client of the service (docs/service/orders-v2.md#order-record).
    'algo_params.benchmark_type': or(filled, nothing),
    'algo_params.benchmark_price': integer,
    'algo_params.cleanup_price': integer,
  },
  'Basket record (`/orders/v2/basket` response)': {
    basket_id: long,
    user_id: integer,
    basket_name: filled,
    tag: text,
    orders: list,
    basket_params: object,
    LTP: integer,
    pnl: number,
    pnl_change: number,
    'basket_params.entry_price': or(integer, nothing),
    'basket_params.exit_price': or(integer, nothing),
    'basket_params.stoploss_price': or(integer, nothing),
    'basket_params.momentum_trigger_price': or(integer, nothing),
  },
  'Order-book quote (`orderBook`)': {
    inst_id: integer,
    ref_id: integer,
    ts: long,
    bid: list,
    ask: list,
    ltp: integer,
    ltq: integer,
    volume: integer,
    'bid.0.p': integer,
    'bid.0.q': integer,
    'bid.0.o': integer,
    'ask.0.p': integer,
    'ask.0.q': integer,
    'ask.0.o': integer,
  },
  'Current-price record': {
    message: filled,
    exchange: EXCHANGE,
    price: integer,
    prev_close: integer,
    change: number,
    indicative_close_price: or(integer, (value) => value === undefined),
  },
  'Historical candle response': {
    market_time: like(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    message: one('charts'),
    result: all(object),
    'result.0.exchange': EXCHANGE,
    'result.0.type': one('STOCK', 'INDEX', 'OPT', 'FUT', 'CHAIN'),
    'result.0.values': all(object),
    'result.0.values.0.INFY.close': all(object),
    'result.0.values.0.INFY.close.0.ts': long,
    'result.0.values.0.INFY.close.0.v': number,
  },
  'Holdings response': {
    ref_id: integer,
    svc_name: NAMED,
    displayName: filled,
    derivative_type: one('STOCK'),
    strike_price: integer,
    lot_size: integer,
    exchange: EXCHANGE,
    asset: filled,
    symbol: filled,
    qty: integer,
    pledged_qty: integer,
    t1_qty: integer,
    avg_price: integer,
    prev_close: integer,
    ltp: integer,
    ltp_chg: number,
    invested_value: integer,
    current_value: integer,
    net_pnl: integer,
    net_pnl_chg: number,
    day_pnl: integer,
    haircut: number,
    margin_benefit: integer,
    available_to_pledge: integer,
    is_pledgeable: flag,
    supported_exchanges: object,
  },
  'Holdings response, holding_stats': {
    invested_amount: integer,
    current_value: integer,
    total_pnl: integer,
    total_pnl_chg: number,
    day_pnl: integer,
    day_pnl_chg: number,
  },
  'Positions response': {
    ref_id: integer,
    plat_name: NAMED,
    display_name: filled,
    derivative_type: one('STOCK', 'FUT', 'OPT'),
    strike_price: integer,
    lot_size: integer,
    exchange: EXCHANGE,
    asset: filled,
    symbol: filled,
    product: DELIVERY,
    order_side: one('BUY', 'SELL', 'C'),
    qty: integer,
    ltp: integer,
    avg_price: integer,
    avg_buy_price: integer,
    avg_sell_price: integer,
    pnl: integer,
    pnl_chg: number,
  },
  'Positions response, portfolio': {
    client_code: filled,
    'position_stats.realised_pnl': integer,
    'position_stats.unrealised_pnl': integer,
    'position_stats.total_pnl': integer,
    'position_stats.total_pnl_chg': number,
    stock_positions: or(list, nothing),
    fut_positions: or(list, nothing),
    opt_positions: or(list, nothing),
    close_positions: or(list, nothing),
  },
  'Report option (`res.reports[]` of `GET /report`)': {
    category: filled,
    title: filled,
    type: filled,
    downloadFileTypes: all(one('PDF', 'EXCEL')),
    actionTypes: all(one('VIEW', 'DOWNLOAD', 'EMAIL')),
    dateRangeOptions: list,
    passwordProtected: flag,
    password: text,
    minDate: dates,
    maxDate: dates,
  },
};
