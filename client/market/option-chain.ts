/** Option chains (docs/service/market-data.md#option-chain). Prices come in paise and go out in the unit that the person chose. */
import { endpoints } from '../endpoints';
import type { OptionChainFields, OptionFields } from '../endpoints/option-chains';
import type { Transport } from '../transport';
import { UnreadableReplyError } from '../base/errors';
import { countIn } from '../values/counts';
import { plainText } from '../values/input';
import type { Json } from '../values/json';
import { rupeesText } from '../values/amounts';
import { paiseTo, type MoneyUnit } from '../values/money';
import { isKnownPrice, marketPriceIn, priceOrNull, type MarketPrice, type NoPrice } from '../values/market-price';
import { numberAt, optionalNumberAt, recordAt, recordOf, recordsAt, textIn, type WireRecord } from '../values/record';
import { compactDate, nanosToIst, numberToDate } from '../values/time';
import { isoText } from '../values/written-dates';

/** The requested chain. */
export interface OptionChainRequest {
  /** Symbol of the underlying. */
  underlying: string;
  exchange: string;
  /** YYYY-MM-DD; the nearest expiry when undefined. */
  expiry?: string;
  unit: MoneyUnit;
  signal?: AbortSignal;
}

/** A count, or a volatility; null if there is none, or it is below 0. @throws UnreadableReplyError as `optionalNumberAt` */
function notBelowZeroAt(leg: WireRecord<OptionFields>, key: 'iv' | 'oi' | 'prev_oi' | 'volume'): number | null {
  return countIn(optionalNumberAt(leg, key));
}

/** A lot; null if there is none, or it is no number of units. @throws UnreadableReplyError as `optionalNumberAt` */
function lotAt(leg: WireRecord<OptionFields>): number | null {
  const lot = optionalNumberAt(leg, 'ls');
  return lot !== null && Number.isSafeInteger(lot) && lot > 0 ? lot : null;
}

function legOf(leg: WireRecord<OptionFields>, optionType: 'CE' | 'PE', unit: MoneyUnit) {
  const interest = notBelowZeroAt(leg, 'oi');
  const previous = notBelowZeroAt(leg, 'prev_oi');
  const price = marketPriceIn(leg.ltp);
  return {
    option_type: optionType,
    strike_price: paiseTo(unit, numberAt(leg, 'sp')),
    ref_id: numberAt(leg, 'ref_id'),
    lot_size: lotAt(leg),
    last_price: paiseTo(unit, priceOrNull(price)),
    ...(isKnownPrice(price) ? {} : { no_price_reason: price.none }),
    /** Percent from the previous close. */
    change: optionalNumberAt(leg, 'ltpchg'),
    /** A fraction: 0.2037. */
    iv: notBelowZeroAt(leg, 'iv'),
    delta: optionalNumberAt(leg, 'delta'),
    gamma: optionalNumberAt(leg, 'gamma'),
    theta: optionalNumberAt(leg, 'theta'),
    vega: optionalNumberAt(leg, 'vega'),
    open_interest: interest,
    open_interest_change: interest === null || previous === null ? null : interest - previous,
    volume: notBelowZeroAt(leg, 'volume'),
    time: nanosToIst(leg.ts),
    ts: textIn(leg, 'ts'),
  };
}

/** One option of a chain, under the names of the output. */
export type OptionLeg = ReturnType<typeof legOf>;

/** One strike with both of its options; null for a missing one. */
export interface OptionStrike {
  strike_price: number;
  at_the_money: boolean;
  ce: OptionLeg | null;
  pe: OptionLeg | null;
}

/** A chain; prices are in the unit that the request names. */
export interface OptionChain {
  asset: string;
  exchange: string;
  /** YYYY-MM-DD. */
  expiry: string | null;
  /** Price of the underlying. */
  spot: number | null;
  /** The reason for a missing price of the underlying if the service's number is no price. */
  no_price_reason?: string;
  /** The strike at the money. */
  at_the_money: number | null;
  /** YYYY-MM-DD, ascending. */
  expiries: string[];
  /** Strikes, ascending. */
  strikes: OptionStrike[];
}

/** Returns the price of the underlying; undefined if the chain has no such field. */
function spotIn(chain: WireRecord<OptionChainFields>): MarketPrice | NoPrice | undefined {
  return chain.cp === undefined || chain.cp === null ? undefined : marketPriceIn(chain.cp);
}

/** Returns a date that came as a number YYYYMMDD, or as text: 20261124, 2026-11-24, 24-Nov-2026, 24NOV2026. */
function dateIn(value: Json | undefined): string | null {
  if (typeof value === 'number') return numberToDate(value);
  return typeof value === 'string' ? numberToDate(Number(compactDate(isoText(value.trim())))) : null;
}

/** A call whose delta is farther below 0 is a put, and a put whose delta is farther above it a call. */
const DELTA_NOISE = 0.01;

/** @throws UnreadableReplyError for a delta that no option has, or only one of the other side */
function requireDeltaOf(key: 'ce' | 'pe', delta: number, what: string): void {
  const towards = key === 'ce' ? delta : -delta;
  if (towards > 1 + DELTA_NOISE || towards < -1 - DELTA_NOISE)
    throw unclearChain(`its ${what} has the delta ${delta}, which no option has`);
  if (towards < -DELTA_NOISE)
    throw unclearChain(`its ${what} has the delta ${delta}, which only a ${key === 'ce' ? 'put' : 'call'} has`);
}

/**
 * The options of one side. One that comes again unchanged counts once.
 * @param refIds those that were read before; these are added
 * @throws UnreadableReplyError for an option without strike or ref_id, two options of one strike, one option at two strikes or on both
 *   sides, puts among the calls, and calls among the puts
 */
function optionsIn(
  chain: WireRecord<OptionChainFields>,
  key: 'ce' | 'pe',
  refIds: Set<number>,
): Map<number, WireRecord<OptionFields>> {
  const options = new Map<number, WireRecord<OptionFields>>();
  for (const option of recordsAt(chain, key)) {
    const [strike, refId] = [numberAt(option, 'sp'), numberAt(option, 'ref_id')];
    const before = options.get(strike);
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(option)) continue;
    const what = `${key.toUpperCase()} ${strike / 100}`;
    const isOption = [strike, refId].every((value) => Number.isSafeInteger(value) && value > 0);
    if (!isOption) throw unclearChain(`its ${what} has the ref_id ${refId}`);
    if (before !== undefined) throw unclearChain(`it has two of ${what}`);
    if (refIds.has(refId)) throw unclearChain(`two of its options have the ref_id ${refId}`);
    const delta = optionalNumberAt(option, 'delta');
    requireDeltaOf(key, delta ?? 0, what);
    refIds.add(refId);
    options.set(strike, option);
  }
  return options;
}

/** No strike is so many times the price of its underlying, or such a part of it: one of the two is in rupees, the other in paise. */
const FARTHEST_STRIKE = 20;

/** @throws UnreadableReplyError for a strike that cannot be one of an underlying with this price */
function requireStrikesNear(spot: MarketPrice | NoPrice | undefined, strikes: Iterable<number>): void {
  if (spot === undefined || !isKnownPrice(spot)) return;
  for (const strike of strikes)
    if (strike > spot * FARTHEST_STRIKE || strike * FARTHEST_STRIKE < spot)
      throw unclearChain(`its underlying is at ${rupeesText(spot)}, and it has the strike ${rupeesText(strike)}`);
}

function unclearChain(why: string): UnreadableReplyError {
  return new UnreadableReplyError(`The service's option chain contradicts itself: ${why}.`, {
    hint: 'Nothing of it was used. Try again in a minute, or choose another expiry.',
  });
}

/**
 * Returns the strike at the money. A service that names one which the chain lacks is not followed: it is the strike nearest to the price
 * of the underlying then, the lower one of two.
 */
function strikeAtTheMoney(
  chain: WireRecord<OptionChainFields>,
  spot: MarketPrice | NoPrice | undefined,
  strikes: Iterable<number>,
): number | null {
  // Of an underlying without a price no strike is at the money.
  if (spot !== undefined && !isKnownPrice(spot)) return null;
  const named = optionalNumberAt(chain, 'atm');
  const listed = [...strikes].sort((a, b) => a - b);
  if (named === null || listed.length === 0 || listed.includes(named)) return named;
  if (spot === undefined) return null;
  return listed.reduce((best, strike) => (Math.abs(strike - spot) < Math.abs(best - spot) ? strike : best));
}

/**
 * Gets the option chain of an underlying.
 * @throws UnreadableReplyError if the reply is none; otherwise as `Transport.call`.
 */
export async function getOptionChain(
  transport: Transport,
  { underlying, exchange, expiry, unit, signal }: OptionChainRequest,
): Promise<OptionChain> {
  const asset = plainText(underlying, 'underlying', { label: 'Underlying' }).toUpperCase();
  const query = { exchange, expiry: expiry === undefined ? undefined : compactDate(expiry) };
  const reply = recordOf(await transport.call(endpoints.optionChain, { path: { asset }, query, signal }), 'the reply');
  const chain = recordAt(reply, 'chain');
  const served = dateIn(chain.expiry);
  const namesExpiry = chain.expiry !== undefined && chain.expiry !== null && chain.expiry !== '';
  if (served === null && namesExpiry) throw unclearChain(`its expiry is ${JSON.stringify(chain.expiry).slice(0, 40)}`);
  const spot = spotIn(chain);
  const refIds = new Set<number>();
  const sides = { ce: optionsIn(chain, 'ce', refIds), pe: optionsIn(chain, 'pe', refIds) };
  const listed = new Set([...sides.ce.keys(), ...sides.pe.keys()]);
  requireStrikesNear(spot, listed);
  const atTheMoney = strikeAtTheMoney(chain, spot, listed);
  const strikes = new Map<number, OptionStrike>();
  for (const [key, type] of [
    ['ce', 'CE'],
    ['pe', 'PE'],
  ] as const) {
    for (const [strike, leg] of sides[key]) {
      const row = strikes.get(strike) ?? {
        strike_price: paiseTo(unit, strike),
        at_the_money: strike === atTheMoney,
        ce: null,
        pe: null,
      };
      row[key] = legOf(leg, type, unit);
      strikes.set(strike, row);
    }
  }
  const expiries = Array.isArray(chain.all_expiries)
    ? chain.all_expiries.map(dateIn).filter((date) => date !== null)
    : [];
  return {
    asset: textIn(chain, 'asset') || asset,
    exchange: textIn(chain, 'exchange') || exchange,
    expiry: served,
    spot: spot === undefined ? null : paiseTo(unit, priceOrNull(spot)),
    ...(spot === undefined || isKnownPrice(spot) ? {} : { no_price_reason: spot.none }),
    at_the_money: paiseTo(unit, atTheMoney),
    expiries: [...new Set(expiries)].sort(),
    strikes: [...strikes.entries()].sort(([a], [b]) => a - b).map(([, strike]) => strike),
  };
}

/** The ref_ids of all options of a chain. */
export function refIdsOf({ strikes }: OptionChain): number[] {
  return strikes.flatMap(({ ce, pe }) => [ce, pe]).flatMap((option) => (option === null ? [] : [option.ref_id]));
}
