/** The instrument master (docs/service/instruments.md#instrument-master, docs/service/instruments.md#instrument-record). */
import { MAX_REPLY_BYTES } from '../values/bytes';
import { asRecord } from '../values/record';
import { readEndpoint, TIMEOUT_MS, type OpenEnumWord } from './endpoint';

/** Instrument data of an order (docs/service/orders-v2.md#order-record). */
export interface InstrumentData {
  ref_id?: number;
  plat_id?: number;
  /** `CE` or `PE`; other rows carry a placeholder. */
  option_type?: string;
  /** The exchange's own number. */
  token?: number;
  /** The trading symbol, though not in every row. */
  stock_name?: string;
  series?: string;
  /** Such as STOCK_INFY.NSECM or OPT_NIFTY_20250703_CE_2990000. */
  plat_name?: string;
  lot_size?: number;
  /** Rupees per rupee of price on one lot: for commodities of the sandbox; the live service does not say. */
  qty_multiplier?: number;
  /** The underlying of a derivative. */
  asset?: string;
  /** `NSE`, `BSE` or `MCX`. */
  exchange?: string;
  /** For example `OPT` or `STOCK`. */
  derivative_type?: string;
  display_name?: string;
}

/** One row of the master. */
export interface InstrumentRow extends InstrumentData {
  /** Differs from environment to environment. */
  ref_id: number;
  /** Paise; for options. */
  strike_price?: number;
  /** YYYYMMDD; 0 when it does not expire. */
  expiry?: number;
  /** May be padded, or a placeholder. */
  isin?: string;
  /** For example `INDEX_FO`. */
  asset_type?: string;
  /** Paise. */
  tick_size?: number;
  /** Paise. */
  underlying_prev_close?: number;
}

/** About 75,000 rows for NSE: read piece by piece (client/instruments/parser.ts), never as a whole. */
export interface InstrumentMaster {
  exchange?: string;
  /** True if the exchange trades on the requested date. */
  is_trading_on?: boolean;
  message?: string;
  refdata: InstrumentRow[] | null;
}

/** See docs/service/instruments.md#instrument-master. */
export const instrumentEndpoints = {
  /** `date` is YYYY-MM-DD; without `exchange` the service takes NSE. */
  refdata: readEndpoint<
    { path: { date: string }; query?: { exchange?: OpenEnumWord<'NSE' | 'BSE' | 'MCX'> } },
    InstrumentMaster
  >('GET', '/refdata/refdata/{date}', {
    timeoutMs: TIMEOUT_MS.long,
    deadlineMs: TIMEOUT_MS.download,
    maxBytes: MAX_REPLY_BYTES.master,
    proves: [
      {
        reply: 'instrument master',
        what: 'exchange',
        asked: ({ query }) => query?.exchange ?? 'NSE',
        answered: (reply) => [asRecord<InstrumentMaster>(reply)?.exchange],
      },
    ],
  }),
};
