/** Holdings, positions and funds (docs/service/portfolio.md). Amounts are paise. */
import { contractOf, isKnownContract, type KnownContract } from '../values/contract-value';
import { endpoints } from '../endpoints';
import type {
  FundsFields,
  HoldingFields,
  HoldingsReply,
  HoldingStats,
  PositionFields,
  PositionsReply,
  PositionStats,
} from '../endpoints/portfolio';
import { UnreadableReplyError } from '../base/errors';
import { instrumentName } from '../instruments/contract-name';
import { isDerivative } from '../instruments/symbol';
import type { Transport } from '../transport';
import { asObject, type Json, type JsonObject } from '../values/json';
import { paiseTo, type MoneyUnit } from '../values/money';
import { isKnownPrice, marketPriceIn } from '../values/market-price';
import {
  asRecord,
  numberFrom,
  recordIn,
  recordsAt,
  withoutRepeats,
  textFrom,
  textIn,
  wholeNumberFrom,
  type Unchecked,
  type WireRecord,
} from '../values/record';
import { holdingInOlderNames, positionInOlderNames, totalsInOlderNames } from './field-names';
import { fundsWithNumbers, withNumbers } from './field-numbers';
import { spelledWord } from '../values/enums';
import { isOtherPart, otherKindError, type PortfolioPart } from '../reply-kinds';

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
export function convertMoney<Record extends JsonObject>(unit: MoneyUnit, record: Record): Record {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      MONEY_KEYS.has(key) && typeof value === 'number' ? paiseTo(unit, value) : value,
    ]),
  ) as Record;
}

/** Returns the name of a position's instrument for people: `NIFTY 1 Dec 21,950 CE`. @param day YYYY-MM-DD, on which it is read */
export function positionName(position: Position, day: string): string {
  const { plat_name: platName, display_name: displayName, ref_id: refId } = position;
  const { symbol, asset, exchange } = position;
  return instrumentName(
    {
      symbol: textFrom(symbol),
      asset: textFrom(asset),
      exchange: textFrom(exchange),
      platName: textFrom(platName),
      displayName: textFrom(displayName),
      refId: textFrom(refId),
    },
    day,
  );
}

/**
 * Returns the reason for which a record's last price is invalid: figures that the service calculated from it are invalid too. Undefined if
 * the price is valid, and if the record shows none.
 */
export function whyUnpriced({ ltp }: { readonly ltp?: Json }): string | undefined {
  if (ltp === undefined) return undefined;
  const price = marketPriceIn(ltp);
  return isKnownPrice(price) ? undefined : price.none;
}

/** Returns the fields of an item that replace an invalid last price. */
export function unpricedFields(record: { readonly ltp?: Json }): JsonObject {
  const none = whyUnpriced(record);
  return none === undefined
    ? {}
    : {
        ltp: null,
        no_price_reason: `No last price: ${none}. Value and profit that the service works out from it count for nothing.`,
      };
}

/**
 * Returns how far the last price of a holding is from the previous close, percent: as the service says, or worked out where it does not.
 * @returns null if one of the two prices is none.
 */
export function dayChangePercent(holding: {
  readonly ltp?: Json;
  readonly ltp_chg?: Json;
  readonly prev_close?: Json;
}): number | null {
  const last = marketPriceIn(holding.ltp);
  if (!isKnownPrice(last)) return null;
  if (typeof holding.ltp_chg === 'number') return holding.ltp_chg;
  const before = marketPriceIn(holding.prev_close);
  return isKnownPrice(before) ? Math.round(((last - before) / before) * 10_000) / 100 : null;
}

/** Returns the shares of a holding, those of yesterday that are not settled yet among them; null if a count cannot be read. */
export function sharesIn({ qty, t1_qty: unsettled }: WireRecord<HoldingFields>): number | null {
  const counts = [qty, unsettled ?? 0].map((count) => wholeNumberFrom(count));
  return counts.reduce<number | null>((sum, count) => (sum === null || count === undefined ? null : sum + count), 0);
}

/** Totals that the service works out from last prices. */
const FROM_LAST_PRICES = [
  'current_value',
  'day_pnl',
  'day_pnl_chg',
  'total_pnl',
  'total_pnl_chg',
  'unrealised_pnl',
] as const satisfies readonly (keyof HoldingStats | keyof PositionStats)[];
/** Maximum number of instruments named in a message. */
const MAX_NAMED = 5;

/**
 * Totals as an item shows them: where something that is held has no last price, those that the service works out from it are none.
 * @param records what the totals are of.
 */
export function knownTotals(
  stats: WireRecord<HoldingStats | PositionStats>,
  records: readonly (WireRecord<HoldingFields> | WireRecord<PositionFields>)[],
): JsonObject {
  // Shares that were bought yesterday are held, and not settled yet.
  const isHeld = ({ qty, t1_qty: unsettled }: JsonObject): boolean =>
    qty !== 0 || (wholeNumberFrom(unsettled) ?? 0) !== 0;
  const unpriced = records.filter((record) => isHeld(record) && whyUnpriced(record) !== undefined);
  const [first] = unpriced;
  if (first === undefined) return stats;
  const names = unpriced.map((record) => textFrom(record.symbol) || `ref_id ${textFrom(record.ref_id)}`);
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  const shown = FROM_LAST_PRICES.filter((name) => name in stats);
  return {
    ...stats,
    ...Object.fromEntries(shown.map((name) => [name, null])),
    no_price_reason: `No last price of ${names.slice(0, MAX_NAMED).join(', ')}${more}: ${whyUnpriced(first)}. Totals that need it are not known.`,
  };
}

/** Holdings, amounts in paise. */
export interface Holdings {
  client_code: string;
  /** The totals. */
  stats: WireRecord<HoldingStats>;
  holdings: WireRecord<HoldingFields>[];
}

/** Places of a position in the reply. */
export const POSITION_SEGMENTS = ['closed', 'future', 'option', 'stock'] as const;
export type PositionSegment = (typeof POSITION_SEGMENTS)[number];

/** A position, and the list of the reply that it stood in. */
export type Position = WireRecord<PositionFields> & { segment: PositionSegment };

/** Returns the contract of a position with its value; undefined if unknown. */
export function contractIn({
  exchange,
  asset,
  lot_size: lot,
  qty_multiplier: qtyMultiplier,
}: Position): KnownContract | undefined {
  const contract = contractOf({
    exchange: textFrom(exchange),
    asset: textFrom(asset),
    lotSize: numberFrom(lot),
    qtyMultiplier,
  });
  return isKnownContract(contract) ? contract : undefined;
}

/** Unsettled trades, amounts in paise. */
export interface Positions {
  client_code: string;
  /** The totals. */
  stats: WireRecord<PositionStats>;
  positions: Position[];
}

/** The `portfolio` of a reply; empty where it is null. @throws UnreadableReplyError if it is missing, or that of the other part. */
function portfolioOf<T extends object>(
  reply: Unchecked<{ portfolio: T | null }>,
  part: PortfolioPart,
  requested: string,
): WireRecord<T> {
  const object = asRecord(reply);
  if (object?.portfolio === null) return {};
  const portfolio = asRecord<T>(object?.portfolio);
  if (portfolio === undefined)
    throw new UnreadableReplyError(`The service's answer holds no portfolio (${requested}).`);
  if (isOtherPart(portfolio as JsonObject, part))
    throw otherKindError(part === 'holdings' ? 'the positions' : 'the holdings', requested);
  return portfolio;
}

/** The paths by which a portfolio is read; each returns the same. */
export type PortfolioPaths = 'v2' | 'intent';

/**
 * Reads the holdings of the account. Lists that are null are empty; the last price is always under `ltp`.
 * @throws UnreadableReplyError if the reply holds no portfolio, or another value in place of a list; otherwise as `Transport.call`.
 */
export async function getHoldings(
  transport: Transport,
  signal?: AbortSignal,
  paths: PortfolioPaths = 'v2',
): Promise<Holdings> {
  const portfolio = await (paths === 'v2' ? olderHoldings : newerHoldings)(transport, signal);
  transport.account.require([portfolio.client_code], 'list of holdings');
  return {
    client_code: textIn(portfolio, 'client_code'),
    stats: withNumbers(recordIn(portfolio, 'holding_stats') ?? {}),
    holdings: withoutRepeats(recordsAt(portfolio, 'holdings'))
      .map(withNumbers)
      .map((holding) =>
        holding.last_traded_price !== undefined && holding.ltp === undefined
          ? { ...holding, ltp: holding.last_traded_price }
          : holding,
      ),
  };
}

type HoldingsPortfolio = NonNullable<HoldingsReply['portfolio']>;
type PositionsPortfolio = NonNullable<PositionsReply['portfolio']>;

async function olderHoldings(transport: Transport, signal?: AbortSignal): Promise<WireRecord<HoldingsPortfolio>> {
  return portfolioOf(await transport.call(endpoints.holdings, { signal }), 'holdings', 'GET /portfolio/holdings');
}

async function newerHoldings(transport: Transport, signal?: AbortSignal): Promise<WireRecord<HoldingsPortfolio>> {
  const reply = await transport.call(endpoints.intentHoldings, { signal });
  const portfolio = portfolioOf(reply, 'holdings', 'GET /sentinel/portfolio/holdings');
  return {
    client_code: portfolio.clientCode ?? portfolio.client_code ?? '',
    holding_stats: totalsInOlderNames(portfolio.holdingStats ?? portfolio.holding_stats),
    holdings: listOf(portfolio.holdings, holdingInOlderNames),
  };
}

/** Returns a list under the older names; any other value stays unchanged, and is refused where it is read. */
function listOf<T>(list: Json | undefined, renamed: (record: JsonObject) => WireRecord<T>): Json {
  if (!Array.isArray(list)) return list ?? null;
  return list.map((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? renamed(value) : value,
  );
}

/** The lists of the reply, in the order in which they are returned. */
const LISTS = [
  ['stock', 'stock_positions'],
  ['future', 'fut_positions'],
  ['option', 'opt_positions'],
  ['closed', 'close_positions'],
] as const satisfies readonly [PositionSegment, string][];

/** Reads today's trades that are not yet settled. @throws as `getHoldings`. */
export async function getPositions(
  transport: Transport,
  signal?: AbortSignal,
  paths: PortfolioPaths = 'v2',
): Promise<Positions> {
  const portfolio = await (paths === 'v2' ? olderPositions : newerPositions)(transport, signal);
  transport.account.require([portfolio.client_code], 'list of positions');
  return {
    client_code: textIn(portfolio, 'client_code'),
    stats: withNumbers(recordIn(portfolio, 'position_stats') ?? {}),
    positions: LISTS.flatMap(([segment, list]) =>
      withoutRepeats(recordsAt(portfolio, list)).map((position) => ({ ...withNumbers(position), segment })),
    ),
  };
}

async function olderPositions(transport: Transport, signal?: AbortSignal): Promise<WireRecord<PositionsPortfolio>> {
  return portfolioOf(await transport.call(endpoints.positions, { signal }), 'positions', 'GET /portfolio/positions');
}

/** One flat list becomes the lists of the older path; where those come, they are taken. */
async function newerPositions(transport: Transport, signal?: AbortSignal): Promise<WireRecord<PositionsPortfolio>> {
  const reply = await transport.call(endpoints.intentPositions, { signal });
  const portfolio = portfolioOf(reply, 'positions', 'GET /sentinel/portfolio/positions');
  const flat = portfolio.positions === undefined ? [] : listOf(portfolio.positions, positionInOlderNames);
  if (!Array.isArray(flat) && flat !== null)
    throw new UnreadableReplyError(
      "The service's answer holds no list of positions (GET /sentinel/portfolio/positions).",
    );
  const positions = recordsAt<{ positions: PositionFields[] }, 'positions'>({ positions: flat }, 'positions');
  const lists = LISTS.map(([segment, name]): [string, Json] => [
    name,
    portfolio[name] === undefined
      ? positions.filter((position) => segmentOf(position) === segment)
      : listOf(portfolio[name], positionInOlderNames),
  ]);
  return {
    client_code: portfolio.clientCode ?? portfolio.client_code ?? '',
    position_stats: totalsInOlderNames(portfolio.positionStats ?? portfolio.position_stats),
    ...Object.fromEntries(lists),
  };
}

function segmentOf(position: WireRecord<PositionFields>): PositionSegment {
  if (wholeNumberFrom(position.qty) === 0) return 'closed';
  const type = spelledWord(textFrom(position.derivative_type));
  if (type === 'FUT' || type === 'OPT') return type === 'FUT' ? 'future' : 'option';
  // A word that is not known must not make a share of a contract.
  const symbol = textFrom(position.symbol);
  return !isDerivative(symbol) ? 'stock' : symbol.endsWith('FUT') ? 'future' : 'option';
}

/** Money and margin of the account: every number is an amount in paise. @throws as `getHoldings`. */
export async function getFunds(
  transport: Transport,
  signal?: AbortSignal,
  paths: PortfolioPaths = 'v2',
): Promise<WireRecord<FundsFields>> {
  const funds = await (paths === 'v2' ? olderFunds : newerFunds)(transport, signal);
  if (funds === undefined)
    throw new UnreadableReplyError("The service's answer holds no funds (GET …/portfolio/user_funds_and_margin).");
  transport.account.require([asObject(funds)?.client_code], 'reply about funds');
  return fundsWithNumbers(funds);
}

async function olderFunds(transport: Transport, signal?: AbortSignal): Promise<WireRecord<FundsFields> | undefined> {
  return recordIn(asRecord(await transport.call(endpoints.funds, { signal })), 'port_funds_and_margin');
}

async function newerFunds(transport: Transport, signal?: AbortSignal): Promise<WireRecord<FundsFields> | undefined> {
  const reply = asRecord(await transport.call(endpoints.intentFunds, { signal }));
  const funds = asObject(reply?.portFundsAndMargin) ?? asObject(reply?.port_funds_and_margin);
  return funds && totalsInOlderNames<FundsFields>(funds);
}

/** Funds with every amount in the unit that the person chose. */
export function fundsIn(unit: MoneyUnit, funds: WireRecord<FundsFields>): WireRecord<FundsFields> {
  return Object.fromEntries(
    Object.entries(funds).map(([key, value]) => [key, typeof value === 'number' ? paiseTo(unit, value) : value]),
  );
}

/**
 * Returns the part of the margin that is blocked, in percent with two decimals: of what is blocked and what is still available together.
 * @returns null if one of them is unknown, or nothing is left to divide by
 */
export function marginUsedPercent(funds: WireRecord<FundsFields>): number | null {
  const { total_margin_blocked: blocked, net_margin_available: available } = funds;
  if (typeof blocked !== 'number' || typeof available !== 'number' || blocked + available <= 0) return null;
  return Math.round((blocked / (blocked + available)) * 10_000) / 100;
}
