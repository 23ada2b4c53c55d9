/** Option chains (docs/service/market-data.md#option-chain). Prices come in paise and go out in the unit that the person chose. */
import { endpoints } from '../endpoints';
import type { OptionChainFields, OptionFields } from '../endpoints/option-chains';
import type { Transport } from '../transport';
import { plainText } from '../values/input';
import type { Json } from '../values/json';
import { paiseTo, type MoneyUnit } from '../values/money';
import { isKnownPrice, marketPriceIn, priceOrNull, type MarketPrice, type NoPrice } from '../values/market-price';
import { numberAt, optionalNumberAt, recordAt, recordOf, recordsAt, textIn, type WireRecord } from '../values/record';
import { compactDate, nanosToIst, numberToDate } from '../values/time';

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

function legOf(leg: WireRecord<OptionFields>, optionType: 'CE' | 'PE', unit: MoneyUnit) {
  const interest = optionalNumberAt(leg, 'oi');
  const previous = optionalNumberAt(leg, 'prev_oi');
  const price = marketPriceIn(leg.ltp);
  return {
    option_type: optionType,
    strike_price: paiseTo(unit, numberAt(leg, 'sp')),
    ref_id: numberAt(leg, 'ref_id'),
    lot_size: optionalNumberAt(leg, 'ls'),
    last_price: paiseTo(unit, priceOrNull(price)),
    ...(isKnownPrice(price) ? {} : { no_price_reason: price.none }),
    /** Percent from the previous close. */
    change: optionalNumberAt(leg, 'ltpchg'),
    /** A fraction: 0.2037. */
    iv: optionalNumberAt(leg, 'iv'),
    delta: optionalNumberAt(leg, 'delta'),
    gamma: optionalNumberAt(leg, 'gamma'),
    theta: optionalNumberAt(leg, 'theta'),
    vega: optionalNumberAt(leg, 'vega'),
    open_interest: interest,
    open_interest_change: interest === null || previous === null ? null : interest - previous,
    volume: optionalNumberAt(leg, 'volume'),
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

function dateIn(value: Json | undefined): string | null {
  return typeof value === 'number' || typeof value === 'string' ? numberToDate(Number(value)) : null;
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
  const spot = spotIn(chain);
  // Of an underlying without a price no strike is at the money.
  const atTheMoney = spot !== undefined && !isKnownPrice(spot) ? null : optionalNumberAt(chain, 'atm');
  const strikes = new Map<number, OptionStrike>();
  for (const [key, type] of [
    ['ce', 'CE'],
    ['pe', 'PE'],
  ] as const) {
    for (const leg of recordsAt(chain, key)) {
      const strike = numberAt(leg, 'sp');
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
    expiries: expiries.sort(),
    strikes: [...strikes.entries()].sort(([a], [b]) => a - b).map(([, strike]) => strike),
  };
}

/** The ref_ids of all options of a chain. */
export function refIdsOf({ strikes }: OptionChain): number[] {
  return strikes.flatMap(({ ce, pe }) => [ce, pe]).flatMap((option) => (option === null ? [] : [option.ref_id]));
}
