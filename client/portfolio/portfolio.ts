/** Holdings, positions and funds (specification: Holdings response, Positions response; wire-facts §2: Funds). Amounts are paise. */
import { endpoints } from '../endpoints';
import type { FundsFields, HoldingFields, HoldingStats, PositionFields, PositionStats } from '../endpoints/portfolio';
import { UnreadableReplyError } from '../base/errors';
import type { Transport } from '../transport';
import { asObject, type JsonObject } from '../values/json';
import { paiseTo, type MoneyUnit } from '../values/money';
import { asRecord, recordIn, recordsAt, textIn, type Unchecked, type WireRecord } from '../values/record';

/** Fields of holdings, positions and their totals that are amounts of money. */
const MONEY_FIELDS = [
  'avg_buy_price',
  'avg_price',
  'avg_sell_price',
  'current_value',
  'day_pnl',
  'invested_amount',
  'invested_value',
  'last_traded_price',
  'ltp',
  'margin_benefit',
  'net_pnl',
  'pnl',
  'prev_close',
  'realised_pnl',
  'strike_price',
  'total_pnl',
  'unrealised_pnl',
] as const satisfies readonly (keyof HoldingFields | keyof HoldingStats | keyof PositionFields | keyof PositionStats)[];
const MONEY_KEYS: ReadonlySet<string> = new Set(MONEY_FIELDS);

/** A record with its amounts in the unit that the person chose. */
export function withMoneyIn<Record extends JsonObject>(unit: MoneyUnit, record: Record): Record {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      MONEY_KEYS.has(key) && typeof value === 'number' ? paiseTo(unit, value) : value,
    ]),
  ) as Record;
}

/** What is held, amounts in paise. */
export interface Holdings {
  client_code: string;
  /** The totals. */
  stats: WireRecord<HoldingStats>;
  holdings: WireRecord<HoldingFields>[];
}

/** Where a position stands in the reply. */
export const SEGMENTS = ['closed', 'future', 'option', 'stock'] as const;
export type Segment = (typeof SEGMENTS)[number];

/** A position, and the list of the reply that it stood in. */
export type Position = WireRecord<PositionFields> & { segment: Segment };

/** What was traded and is not settled, amounts in paise. */
export interface Positions {
  client_code: string;
  /** The totals. */
  stats: WireRecord<PositionStats>;
  positions: Position[];
}

/** The `portfolio` of a reply; empty where it is null. @throws UnreadableReplyError when it is missing. */
function portfolioOf<T extends object>(reply: Unchecked<{ portfolio: T | null }>, asked: string): WireRecord<T> {
  const object = asObject(reply);
  if (object !== undefined && object.portfolio === null) return {} as WireRecord<T>;
  const portfolio = asRecord<T>(object?.portfolio);
  if (portfolio === undefined) throw new UnreadableReplyError(`The reply to ${asked} holds no portfolio.`);
  return portfolio;
}

/**
 * What is kept in the account. Lists that are null are empty; the last price stands under `ltp` in any case.
 * @throws UnreadableReplyError when the reply holds no portfolio, or a list that is none; otherwise as `Transport.call`.
 */
export async function getHoldings(transport: Transport, signal?: AbortSignal): Promise<Holdings> {
  const portfolio = portfolioOf(await transport.call(endpoints.holdings, { signal }), 'GET /portfolio/holdings');
  return {
    client_code: textIn(portfolio, 'client_code'),
    stats: recordIn(portfolio, 'holding_stats') ?? {},
    holdings: recordsAt(portfolio, 'holdings').map((holding) =>
      holding.last_traded_price !== undefined && holding.ltp === undefined
        ? { ...holding, ltp: holding.last_traded_price }
        : holding,
    ),
  };
}

/** The lists of the reply, in the order in which they are given out. */
const LISTS = [
  ['stock', 'stock_positions'],
  ['future', 'fut_positions'],
  ['option', 'opt_positions'],
  ['closed', 'close_positions'],
] as const satisfies readonly [Segment, string][];

/** What was traded today and is not yet settled. @throws as `getHoldings`. */
export async function getPositions(transport: Transport, signal?: AbortSignal): Promise<Positions> {
  const portfolio = portfolioOf(await transport.call(endpoints.positions, { signal }), 'GET /portfolio/positions');
  return {
    client_code: textIn(portfolio, 'client_code'),
    stats: recordIn(portfolio, 'position_stats') ?? {},
    positions: LISTS.flatMap(([segment, list]) =>
      recordsAt(portfolio, list).map((position) => ({ segment, ...position })),
    ),
  };
}

/** Money and margin of the account: every number is an amount in paise. @throws as `getHoldings`. */
export async function getFunds(transport: Transport, signal?: AbortSignal): Promise<WireRecord<FundsFields>> {
  const funds = recordIn(asRecord(await transport.call(endpoints.funds, { signal })), 'port_funds_and_margin');
  if (funds === undefined)
    throw new UnreadableReplyError('The reply to GET /portfolio/user_funds_and_margin holds no funds.');
  return funds;
}

/** Funds with every amount in the unit that the person chose. */
export function fundsIn(unit: MoneyUnit, funds: WireRecord<FundsFields>): WireRecord<FundsFields> {
  return Object.fromEntries(
    Object.entries(funds).map(([key, value]) => [key, typeof value === 'number' ? paiseTo(unit, value) : value]),
  );
}
