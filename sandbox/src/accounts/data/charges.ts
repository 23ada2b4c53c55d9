/**
 * What a trade costs, by date. Rates are rupees per crore of turnover (0.1 % = 10,000 per crore); turnover is price ×
 * quantity, for options the premium. Brokerage is the sandbox's own tariff; the rest is what the law and the exchanges ask.
 */
export type ChargeSegment = 'DELIVERY' | 'INTRADAY' | 'FUTURES' | 'OPTIONS' | 'COMMODITY_FUTURES' | 'COMMODITY_OPTIONS';

interface Rates {
  /** Lower of a rate and a cap in paise, per order. */
  brokerage: { perCrore: number; cap: number };
  /** Securities or commodities transaction tax. */
  sttBuy: number;
  sttSell: number;
  /** On the intrinsic value of an option that is exercised. */
  sttExercise: number;
  /** Transaction charge with the investor protection contribution, by exchange. */
  exchange: Readonly<Partial<Record<'NSE' | 'BSE' | 'MCX', number>>>;
  /** On purchases only. */
  stamp: number;
}

export interface ChargeTable {
  effectiveFrom: string;
  source: string;
  /** SEBI turnover fee, rupees per crore. */
  sebi: number;
  /** Percent, on brokerage, exchange charge and SEBI fee. */
  gst: number;
  segments: Readonly<Record<ChargeSegment, Rates>>;
}

const DELIVERY_BROKERAGE = { perCrore: 10_000, cap: 2000 };
const INTRADAY_BROKERAGE = { perCrore: 3_000, cap: 2000 };
const FLAT_BROKERAGE = { perCrore: 1_000_000_000, cap: 2000 };

const cash = (nse: number) => ({ NSE: nse, BSE: 375 });

function table(
  effectiveFrom: string,
  source: string,
  rates: {
    cash: number;
    futures: number;
    options: number;
    sttFutures: number;
    sttOptions: number;
    sttExercise: number;
  },
): ChargeTable {
  return {
    effectiveFrom,
    source,
    sebi: 10,
    gst: 18,
    segments: {
      DELIVERY: {
        brokerage: DELIVERY_BROKERAGE,
        sttBuy: 10_000,
        sttSell: 10_000,
        sttExercise: 0,
        exchange: cash(rates.cash),
        stamp: 1_500,
      },
      INTRADAY: {
        brokerage: INTRADAY_BROKERAGE,
        sttBuy: 0,
        sttSell: 2_500,
        sttExercise: 0,
        exchange: cash(rates.cash),
        stamp: 300,
      },
      FUTURES: {
        brokerage: INTRADAY_BROKERAGE,
        sttBuy: 0,
        sttSell: rates.sttFutures,
        sttExercise: 0,
        exchange: { NSE: rates.futures, BSE: 0 },
        stamp: 200,
      },
      OPTIONS: {
        brokerage: FLAT_BROKERAGE,
        sttBuy: 0,
        sttSell: rates.sttOptions,
        sttExercise: rates.sttExercise,
        exchange: { NSE: rates.options, BSE: 3_250 },
        stamp: 300,
      },
      COMMODITY_FUTURES: {
        brokerage: INTRADAY_BROKERAGE,
        sttBuy: 0,
        sttSell: 1_000,
        sttExercise: 0,
        exchange: { MCX: 210 },
        stamp: 200,
      },
      COMMODITY_OPTIONS: {
        brokerage: FLAT_BROKERAGE,
        sttBuy: 0,
        sttSell: 5_000,
        sttExercise: 0,
        exchange: { MCX: 4_180 },
        stamp: 300,
      },
    },
  };
}

export const CHARGES: readonly ChargeTable[] = [
  table(
    '2010-01-01',
    'Rates before the uniform exchange charges of October 2024: Finance Act 2023 (STT), stamp duty rules of 2020-07-01',
    {
      cash: 322,
      futures: 188,
      options: 4_950,
      sttFutures: 1_250,
      sttOptions: 6_250,
      sttExercise: 12_500,
    },
  ),
  table(
    '2024-10-01',
    'Finance (No. 2) Act 2024 (STT); uniform exchange charges of NSE, BSE and MCX after SEBI’s circular of 2024-07-01',
    {
      cash: 307,
      futures: 183,
      options: 3_553,
      sttFutures: 2_000,
      sttOptions: 10_000,
      sttExercise: 12_500,
    },
  ),
  table('2026-04-01', 'Finance Act 2026 (STT on futures 0.05 %, on options 0.15 %)', {
    cash: 307,
    futures: 183,
    options: 3_553,
    sttFutures: 5_000,
    sttOptions: 15_000,
    sttExercise: 15_000,
  }),
];
