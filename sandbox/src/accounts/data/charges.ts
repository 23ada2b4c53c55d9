/**
 * Charges of a trade, by date: one table for each of those who ask for it. Rates are rupees per crore of turnover (0.1 % = 10,000 per
 * crore); turnover is the value of the contract, for options the premium. A row without a day of its law begins with the calendar.
 */

interface Dated {
  effectiveFrom: string;
  source: string;
}

/** Securities transaction tax. */
export interface SecuritiesTax extends Dated {
  /** Of shares that are delivered, and of units of funds of Indian shares; on purchase and sale. */
  delivery: { share: { buy: number; sell: number }; fund: { buy: number; sell: number } };
  /** Of sales that are not delivered. */
  intraday: number;
  futures: number;
  options: number;
  exercise: number;
  /** Amount on which the tax on an exercised option is counted: all that is settled, or what the option is in the money. */
  exerciseOn: 'SETTLEMENT' | 'INTRINSIC';
}

const BEFORE_2012 = { share: { buy: 12_500, sell: 12_500 }, fund: { buy: 12_500, sell: 12_500 } };
const SINCE_2013 = { share: { buy: 10_000, sell: 10_000 }, fund: { buy: 0, sell: 100 } };

export const SECURITIES_TAXES: readonly SecuritiesTax[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'Finance Act 2008, in force since 2008-06-01',
    delivery: BEFORE_2012,
    intraday: 2_500,
    futures: 1_700,
    options: 1_700,
    exercise: 12_500,
    exerciseOn: 'SETTLEMENT',
  },
  {
    effectiveFrom: '2012-07-01',
    source: 'Finance Act 2012: delivery 0.1 %',
    delivery: { share: SINCE_2013.share, fund: SINCE_2013.share },
    intraday: 2_500,
    futures: 1_700,
    options: 1_700,
    exercise: 12_500,
    exerciseOn: 'SETTLEMENT',
  },
  {
    effectiveFrom: '2013-06-01',
    source: 'Finance Act 2013: futures 0.01 %, delivered units of funds of shares 0.001 % on sales only',
    delivery: SINCE_2013,
    intraday: 2_500,
    futures: 1_000,
    options: 1_700,
    exercise: 12_500,
    exerciseOn: 'SETTLEMENT',
  },
  {
    effectiveFrom: '2016-06-01',
    source: 'Finance Act 2016: options 0.05 %',
    delivery: SINCE_2013,
    intraday: 2_500,
    futures: 1_000,
    options: 5_000,
    exercise: 12_500,
    exerciseOn: 'SETTLEMENT',
  },
  {
    effectiveFrom: '2019-09-01',
    source: 'Finance (No. 2) Act 2019: exercise on the intrinsic value',
    delivery: SINCE_2013,
    intraday: 2_500,
    futures: 1_000,
    options: 5_000,
    exercise: 12_500,
    exerciseOn: 'INTRINSIC',
  },
  {
    effectiveFrom: '2023-04-01',
    source: 'Finance Act 2023: futures 0.0125 %, options 0.0625 %',
    delivery: SINCE_2013,
    intraday: 2_500,
    futures: 1_250,
    options: 6_250,
    exercise: 12_500,
    exerciseOn: 'INTRINSIC',
  },
  {
    effectiveFrom: '2024-10-01',
    source: 'Finance (No. 2) Act 2024: futures 0.02 %, options 0.1 %',
    delivery: SINCE_2013,
    intraday: 2_500,
    futures: 2_000,
    options: 10_000,
    exercise: 12_500,
    exerciseOn: 'INTRINSIC',
  },
  {
    effectiveFrom: '2026-04-01',
    source: 'Finance Act 2026: futures 0.05 %, options and their exercise 0.15 %',
    delivery: SINCE_2013,
    intraday: 2_500,
    futures: 5_000,
    options: 15_000,
    exercise: 15_000,
    exerciseOn: 'INTRINSIC',
  },
];

/** Commodities transaction tax, on sales; farm products have none. */
export interface CommoditiesTax extends Dated {
  futures: number;
  options: number;
}

export const COMMODITIES_TAXES: readonly CommoditiesTax[] = [
  { effectiveFrom: '2010-01-01', source: 'There was none', futures: 0, options: 0 },
  { effectiveFrom: '2013-07-01', source: 'Finance Act 2013', futures: 1_000, options: 5_000 },
];

/** Stamp duty. */
export interface StampDuty extends Dated {
  delivery: { buy: number; sell: number };
  intraday: { buy: number; sell: number };
  futures: { buy: number; sell: number };
  options: { buy: number; sell: number };
}

const both = (rate: number) => ({ buy: rate, sell: rate });
const buyer = (rate: number) => ({ buy: rate, sell: 0 });

export const STAMP_DUTIES: readonly StampDuty[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'Each state had rates of its own: those of Maharashtra, on both sides',
    delivery: both(1_000),
    intraday: both(200),
    futures: both(200),
    options: both(200),
  },
  {
    effectiveFrom: '2020-07-01',
    source: 'Indian Stamp Act as amended by the Finance Act 2019, one rate in all states, on purchases',
    delivery: buyer(1_500),
    intraday: buyer(300),
    futures: buyer(200),
    options: buyer(300),
  },
];

/** Tax on brokerage, exchange charge and SEBI fee: service tax with its cesses, then GST. */
export interface ServiceTax extends Dated {
  basisPoints: number;
}

export const SERVICE_TAXES: readonly ServiceTax[] = [
  { effectiveFrom: '2010-01-01', source: 'Service tax of 10 % with education cesses', basisPoints: 1_030 },
  { effectiveFrom: '2012-04-01', source: 'Finance Act 2012: 12 % with education cesses', basisPoints: 1_236 },
  { effectiveFrom: '2015-06-01', source: 'Finance Act 2015: 14 %', basisPoints: 1_400 },
  { effectiveFrom: '2015-11-15', source: 'Swachh Bharat cess of 0.5 %', basisPoints: 1_450 },
  { effectiveFrom: '2016-06-01', source: 'Krishi Kalyan cess of 0.5 %', basisPoints: 1_500 },
  { effectiveFrom: '2017-07-01', source: 'Goods and services tax', basisPoints: 1_800 },
];

/** Turnover fee of SEBI; `farmFutures` is that of futures on farm products. */
export interface SebiFee extends Dated {
  perCrore: number;
  farmFutures: number;
}

export const SEBI_FEES: readonly SebiFee[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'SEBI (Stock Brokers) Regulations: Rs 20 a crore',
    perCrore: 20,
    farmFutures: 20,
  },
  { effectiveFrom: '2017-04-01', source: 'SEBI, board of 2017-01-14: Rs 15', perCrore: 15, farmFutures: 15 },
  {
    effectiveFrom: '2019-04-01',
    source: 'SEBI, board of 2019-03-01: Rs 10; farm products Rs 1, by lists of brokers',
    perCrore: 10,
    farmFutures: 1,
  },
  { effectiveFrom: '2020-06-01', source: 'SEBI: halved for the pandemic', perCrore: 5, farmFutures: 1 },
  { effectiveFrom: '2021-04-01', source: 'SEBI: Rs 10 again', perCrore: 10, farmFutures: 1 },
];

/** Transaction charges with the contribution to the investor protection fund. */
export interface ExchangeCharges extends Dated {
  NSE: { cash: number; futures: number; options: number };
  BSE: { cash: number; futures: number; options: number };
  MCX: { cash: number; futures: number; options: number };
}

const BSE = { cash: 375, futures: 0, options: 3_250 };
const MCX_BEFORE = { cash: 0, futures: 260, options: 5_000 };

export const EXCHANGE_CHARGES: readonly ExchangeCharges[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'Usual charges of brokers’ lists of the time, lowest turnover slab',
    NSE: { cash: 325, futures: 190, options: 5_000 },
    BSE,
    MCX: MCX_BEFORE,
  },
  {
    effectiveFrom: '2021-01-01',
    source: 'NSE: 6 % more for the investor protection fund',
    NSE: { cash: 345, futures: 200, options: 5_300 },
    BSE,
    MCX: MCX_BEFORE,
  },
  {
    effectiveFrom: '2023-04-01',
    source: 'NSE, 2023-03-24: taken back; Rs 10 a crore to the investor protection fund, for options Rs 50',
    NSE: { cash: 335, futures: 200, options: 5_050 },
    BSE,
    MCX: MCX_BEFORE,
  },
  {
    effectiveFrom: '2024-04-01',
    source: 'NSE, board of 2024-03-11: 1 % less',
    NSE: { cash: 332, futures: 198, options: 5_000 },
    BSE,
    MCX: MCX_BEFORE,
  },
  {
    effectiveFrom: '2024-10-01',
    source: 'Uniform charges after SEBI’s circular of 2024-07-01',
    NSE: { cash: 307, futures: 183, options: 3_553 },
    BSE,
    MCX: { cash: 0, futures: 210, options: 4_180 },
  },
];
