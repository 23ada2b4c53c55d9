/** Option chains (docs/service/market-data.md#option-chain). Prices are integers in paise. */
import type { Json } from '../values/json';
import { asRecord, recordIn } from '../values/record';
import { numberToDate } from '../values/time';
import { readEndpoint } from './endpoint';

/** One option of a chain. */
export interface OptionFields {
  ref_id: number;
  inst_id?: number;
  /** Nanoseconds since the epoch, decimal text. */
  ts?: string | null;
  /** Strike price, paise. */
  sp: number;
  /** Lot size. */
  ls?: number | null;
  /** Last traded price, paise. */
  ltp?: number | null;
  /** Percent from the previous close. */
  ltpchg?: number | null;
  /** Implied volatility, a fraction: 0.2037. */
  iv?: number | null;
  delta?: number | null;
  gamma?: number | null;
  theta?: number | null;
  vega?: number | null;
  /** Open interest, units. */
  oi?: number | null;
  /** Units. */
  volume?: number | null;
  /** Open interest of the day before, units. */
  prev_oi?: number | null;
}

/** The chain of one expiry. */
export interface OptionChainFields {
  /** The underlying. */
  asset?: string;
  exchange?: string;
  /** YYYYMMDD, as a number or as text. */
  expiry?: number | string | null;
  /** Calls. */
  ce?: OptionFields[] | null;
  /** Puts. */
  pe?: OptionFields[] | null;
  /** The strike at the money, paise. */
  atm?: number | null;
  /** Price of the underlying, paise. */
  cp?: number | null;
  /** YYYYMMDD, as numbers or as texts. */
  all_expiries?: (number | string)[] | null;
}

export const optionChainEndpoints = {
  /** `expiry` is YYYYMMDD; without it the nearest. */
  optionChain: readEndpoint<
    { path: { asset: string }; query?: { exchange?: string; expiry?: string } },
    { chain: OptionChainFields; message?: string }
  >('GET', '/optionchains/{asset}', {
    proves: [
      {
        reply: 'option chain',
        what: 'underlying',
        asked: ({ path }) => path.asset,
        answered: (reply) => [chainIn(reply)?.asset],
      },
      {
        reply: 'option chain',
        what: 'exchange',
        asked: ({ query }) => query?.exchange,
        answered: (reply) => [chainIn(reply)?.exchange],
      },
      {
        reply: 'option chain',
        what: 'expiry',
        shown: (value) => numberToDate(Number(value)) ?? String(value),
        asked: ({ query }) => query?.expiry,
        answered: (reply) => [chainIn(reply)?.expiry],
        isRequired: true,
        parameter: 'expiryDate',
      },
    ],
  }),
};

const chainIn = (reply: Json) => recordIn(asRecord<{ chain: OptionChainFields }>(reply), 'chain');
