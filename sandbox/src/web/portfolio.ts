/** The shapes of the portfolio endpoints (docs/service/portfolio.md). Money in paise. */
import type { ServiceDialect } from '../simulation/dialect';
import { multiplierByDialect } from './multiplier-by-dialect';
import { averagePrice, contractValue } from '../market/reference/contract-value';
import type { Instrument } from '../market/reference/types';
import { istDate } from '../shared/time';
import { average, mulDiv, percent } from '../shared/money';
import type { Accounts } from '../accounts/types';
import type { Sandbox } from '../simulation/sandbox';
import type { Position, Holding } from '../accounts/records';
import { dayStart, realisedToday, type DayStartDeps } from './day-start';

export interface ViewDeps extends DayStartDeps {
  accounts: DayStartDeps['accounts'] & Pick<Accounts, 'funds' | 'positions' | 'holdings' | 'trades' | 'freeQuantity'>;
  lastPrice(instrument: Instrument, at: number): number;
  /** The ref_id of the same share on each exchange that lists it. */
  listings(instrument: Instrument): Record<string, number>;
  /** The brand words of docs/service/README.md#neutral-names. */
  words: { platform: string; service: string };
  dialect: Pick<ServiceDialect, 'qty_multiplier'>;
}

export interface HoldingView {
  ref_id: number;
  displayName: string;
  derivative_type: string;
  strike_price: number;
  lot_size: number;
  exchange: string;
  asset: string;
  symbol: string;
  qty: number;
  pledged_qty: number;
  t1_qty: number;
  avg_price: number;
  prev_close: number;
  ltp: number;
  ltp_chg: number;
  invested_value: number;
  current_value: number;
  net_pnl: number;
  net_pnl_chg: number;
  day_pnl: number;
  haircut: number;
  margin_benefit: number;
  available_to_pledge: number;
  is_pledgeable: boolean;
  supported_exchanges: Record<string, number>;
}

export interface PositionView {
  ref_id: number;
  display_name: string;
  derivative_type: string;
  strike_price: number;
  lot_size: number;
  qty_multiplier: number | undefined;
  exchange: string;
  asset: string;
  symbol: string;
  product: string;
  /** BUY, SELL, or C when closed. */
  order_side: string;
  /** Without sign; the side says which way. */
  qty: number;
  ltp: number;
  avg_price: number;
  avg_buy_price: number;
  avg_sell_price: number;
  pnl: number;
  pnl_chg: number;
}

/** `portfolio` of /portfolio/holdings; each holding also has `<service word>_name`. */
export function holdingsView(deps: ViewDeps, account: string, at: number) {
  const holdings = deps.accounts.holdings(account).map((holding) => holdingView(deps, account, holding, at));
  const invested = sum(holdings, (holding) => holding.invested_value);
  const current = sum(holdings, (holding) => holding.current_value);
  const day = sum(holdings, (holding) => holding.day_pnl);
  return {
    client_code: account,
    holding_stats: {
      invested_amount: invested,
      current_value: current,
      total_pnl: current - invested,
      total_pnl_chg: percent(current - invested, invested),
      day_pnl: day,
      day_pnl_chg: percent(day, current - day),
    },
    holdings,
  };
}

function holdingView(deps: ViewDeps, account: string, holding: Holding, at: number): HoldingView {
  const instrument = known(deps, holding.refId);
  const ltp = deps.lastPrice(instrument, at);
  const previous = dayStart(deps, account, instrument, at);
  const total = holding.quantity + holding.t1Quantity;
  const value = contractValue(instrument, ltp, total);
  const net = value - holding.cost;
  const free = deps.accounts.freeQuantity(account, holding.refId);
  const brand = `${deps.words.service}_name`;
  return {
    ref_id: holding.refId,
    [brand]: instrument.platName,
    displayName: instrument.displayName,
    derivative_type: instrument.derivativeType,
    strike_price: instrument.strikePrice,
    lot_size: instrument.lotSize,
    exchange: instrument.exchange,
    asset: instrument.asset,
    symbol: instrument.symbol,
    qty: holding.quantity,
    pledged_qty: holding.pledgedQuantity,
    t1_qty: holding.t1Quantity,
    avg_price: average(holding.cost, total),
    prev_close: previous,
    ltp,
    ltp_chg: percent(ltp - previous, previous),
    invested_value: holding.cost,
    current_value: value,
    net_pnl: net,
    net_pnl_chg: percent(net, holding.cost),
    day_pnl: value - contractValue(instrument, previous, total),
    haircut: holding.haircut,
    margin_benefit: mulDiv(
      contractValue(instrument, previous, holding.pledgedQuantity),
      10_000 - Math.round(holding.haircut * 100),
      10_000,
    ),
    available_to_pledge: free,
    is_pledgeable: free > 0,
    supported_exchanges: deps.listings(instrument),
  };
}

/** `portfolio` of /portfolio/positions; each position also has `<platform word>_name`. `empty` is how an empty list is written. */
export function positionsView(deps: ViewDeps, account: string, at: number, empty: 'array' | 'null' = 'array') {
  const positions = deps.accounts.positions(account);
  const unrealised = sum(positions, (position) => unrealisedOf(deps, position, at));
  const realised = sum(positions, (position) => realisedToday(deps, account, position, at));
  const turnover = sum(positions, basis);
  const list = (requested: (instrument: Instrument, position: Position) => boolean) => {
    const views = positions
      .filter((position) => requested(known(deps, position.refId), position))
      .map((position) => positionView(deps, account, position, at));
    return views.length === 0 && empty === 'null' ? null : views;
  };
  const open = (position: Position) => position.quantity !== 0;
  return {
    client_code: account,
    position_stats: {
      realised_pnl: realised,
      unrealised_pnl: unrealised,
      total_pnl: realised + unrealised,
      total_pnl_chg: percent(realised + unrealised, turnover),
    },
    stock_positions: list(
      ({ derivativeType }, position) => open(position) && derivativeType !== 'FUT' && derivativeType !== 'OPT',
    ),
    fut_positions: list(({ derivativeType }, position) => open(position) && derivativeType === 'FUT'),
    opt_positions: list(({ derivativeType }, position) => open(position) && derivativeType === 'OPT'),
    close_positions: list((_instrument, position) => !open(position)),
  };
}

function positionView(deps: ViewDeps, account: string, position: Position, at: number): PositionView {
  const instrument = known(deps, position.refId);
  const pnl = realisedToday(deps, account, position, at) + unrealisedOf(deps, position, at);
  const averageBuy = averagePrice(instrument, position.buyValue, position.buyQuantity);
  const averageSell = averagePrice(instrument, position.sellValue, position.sellQuantity);
  const soldOut =
    position.openQuantity === 0
      ? position.quantity < 0
        ? averageSell
        : 0
      : averagePrice(instrument, position.openValue, position.openQuantity);
  const brand = `${deps.words.platform}_name`;
  return {
    ref_id: position.refId,
    [brand]: instrument.platName,
    display_name: instrument.displayName,
    derivative_type: instrument.derivativeType,
    strike_price: instrument.strikePrice,
    lot_size: instrument.lotSize,
    qty_multiplier: multiplierByDialect(deps.dialect, instrument),
    exchange: instrument.exchange,
    asset: instrument.asset,
    symbol: instrument.symbol,
    product: `ORDER_DELIVERY_TYPE_${position.product}`,
    order_side: position.quantity === 0 ? 'C' : position.quantity > 0 ? 'BUY' : 'SELL',
    qty: Math.abs(position.quantity),
    ltp: deps.lastPrice(instrument, at),
    avg_price: soldOut,
    avg_buy_price: averageBuy,
    avg_sell_price: averageSell,
    pnl,
    pnl_chg: percent(pnl, basis(position)),
  };
}

/** `port_funds_and_margin` of /portfolio/user_funds_and_margin. */
export function fundsView(deps: Pick<ViewDeps, 'accounts'>, account: string, at: number) {
  const funds = deps.accounts.funds(account);
  const today = istDate(at);
  const trades = deps.accounts.trades(account).filter(({ date }) => date === today);
  return {
    client_code: account,
    start_of_day_funds: funds.opening,
    pay_in_credit: Math.max(0, funds.added),
    pay_out_debit: Math.max(0, -funds.added),
    cash_balance: funds.cash,
    net_margin_available: funds.available + funds.collateral - funds.collateralUsed,
    total_margin_blocked: funds.heldForOrders + funds.heldForPositions,
    margin_blocked_orders: funds.heldForOrders,
    margin_blocked_positions: funds.heldForPositions,
    total_collateral: funds.collateral,
    collateral_used: funds.collateralUsed,
    realised_pnl: funds.realised,
    brokerage: sum(trades, ({ charges }) => charges.brokerage),
    total_charges: funds.charges,
  };
}

function unrealisedOf(deps: ViewDeps, position: Position, at: number): number {
  if (position.openQuantity === 0) return 0;
  const instrument = known(deps, position.refId);
  return contractValue(instrument, deps.lastPrice(instrument, at), position.openQuantity) - position.openValue;
}

/** Returns the amount against which a profit is measured: the larger side of the position. */
function basis(position: Position): number {
  return Math.max(position.buyValue, position.sellValue);
}

function known(deps: ViewDeps, refId: number): Instrument {
  const instrument = deps.accounts.instrument(refId);
  if (!instrument) throw new Error(`there is no instrument with ref_id ${refId}`);
  return instrument;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** Returns the present data for the portfolio's shapes. */
export function viewDeps({ world, options, dialect }: Sandbox): ViewDeps {
  return {
    accounts: world.accounts,
    lastPrice: (instrument) => world.lastPrice(instrument),
    previousClose: (instrument, at) => world.market.previousClose(instrument, at),
    isAlwaysOpen: options.hours === 'always',
    listings: (instrument) => world.listings(instrument),
    words: { platform: options.platformWord, service: options.serviceWord },
    dialect,
  };
}
