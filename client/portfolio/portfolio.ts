/** Holdings, positions and funds (specification: Holdings response, Positions response; wire-facts §2: Funds). Amounts are paise. */
import { endpoints } from '../endpoints';
import { UnreadableReplyError } from '../errors';
import type { Transport } from '../transport';
import { asList, asObject, type Json, type JsonObject } from '../values/json';
import { paiseTo, type MoneyUnit } from '../values/money';

/** Fields of holdings, positions, funds and their totals that are amounts of money. */
const MONEY_KEYS: ReadonlySet<string> = new Set([
  ...[
    'avg_price',
    'prev_close',
    'ltp',
    'last_traded_price',
    'invested_value',
    'current_value',
    'net_pnl',
    'day_pnl',
    'margin_benefit',
    'strike_price',
  ],
  ...['invested_amount', 'total_pnl', 'avg_buy_price', 'avg_sell_price', 'pnl', 'realised_pnl', 'unrealised_pnl'],
]);

/** A record with its amounts in the unit that the person chose. */
export function withMoneyIn(unit: MoneyUnit, record: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      MONEY_KEYS.has(key) && typeof value === 'number' ? paiseTo(unit, value) : value,
    ]),
  );
}

export interface Holdings {
  client_code: string;
  stats: JsonObject;
  holdings: JsonObject[];
}

/** Where a position stands in the reply. */
export const SEGMENTS = ['closed', 'future', 'option', 'stock'] as const;
export type Segment = (typeof SEGMENTS)[number];

export interface Positions {
  client_code: string;
  stats: JsonObject;
  /** Each with its `segment`. */
  positions: JsonObject[];
}

/** The `portfolio` of a reply. A reply without one is not an empty portfolio. */
function portfolioOf(reply: Json, asked: string): JsonObject {
  const object = asObject(reply);
  const portfolio = object?.portfolio;
  if (object !== undefined && portfolio === null) return {};
  const found = asObject(portfolio);
  if (found === undefined) throw new UnreadableReplyError(`The reply to ${asked} holds no portfolio.`);
  return found;
}

function recordsOf(value: Json | undefined, asked: string): JsonObject[] {
  const list = asList(value);
  const records = list?.map(asObject);
  if (records === undefined || records.includes(undefined))
    throw new UnreadableReplyError(`The reply to ${asked} holds a list that cannot be read.`);
  return records as JsonObject[];
}

const codeOf = (portfolio: JsonObject): string =>
  typeof portfolio.client_code === 'string' ? portfolio.client_code : '';

/** What is kept in the account. Lists that are null are empty. @throws see `Transport.call`; UnreadableReplyError. */
export async function getHoldings(transport: Transport, signal?: AbortSignal): Promise<Holdings> {
  const asked = 'GET /portfolio/holdings';
  const portfolio = portfolioOf(await transport.call(endpoints.holdings, { signal }), asked);
  return {
    client_code: codeOf(portfolio),
    stats: asObject(portfolio.holding_stats) ?? {},
    holdings: recordsOf(portfolio.holdings, asked).map((holding) =>
      'last_traded_price' in holding && !('ltp' in holding) ? { ...holding, ltp: holding.last_traded_price! } : holding,
    ),
  };
}

const SEGMENT_LISTS: Record<Segment, string> = {
  stock: 'stock_positions',
  future: 'fut_positions',
  option: 'opt_positions',
  closed: 'close_positions',
};

/** What was traded today and is not yet settled. @throws as `getHoldings`. */
export async function getPositions(transport: Transport, signal?: AbortSignal): Promise<Positions> {
  const asked = 'GET /portfolio/positions';
  const portfolio = portfolioOf(await transport.call(endpoints.positions, { signal }), asked);
  return {
    client_code: codeOf(portfolio),
    stats: asObject(portfolio.position_stats) ?? {},
    positions: (['stock', 'future', 'option', 'closed'] as const).flatMap((segment) =>
      recordsOf(portfolio[SEGMENT_LISTS[segment]], asked).map((position) => ({ segment, ...position })),
    ),
  };
}

/** Money and margin of the account: every number is an amount in paise. @throws as `getHoldings`. */
export async function getFunds(transport: Transport, signal?: AbortSignal): Promise<JsonObject> {
  const reply = asObject(await transport.call(endpoints.funds, { signal }));
  const funds = asObject(reply?.port_funds_and_margin);
  if (funds === undefined)
    throw new UnreadableReplyError('The reply to GET /portfolio/user_funds_and_margin holds no funds.');
  return funds;
}

/** Funds with every amount in the unit that the person chose. */
export function fundsIn(unit: MoneyUnit, funds: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(funds).map(([key, value]) => [key, typeof value === 'number' ? paiseTo(unit, value) : value]),
  );
}
