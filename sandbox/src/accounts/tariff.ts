/** Tariff of a broker: its brokerage, its charge for deliveries out of the demat account, its interest. */

/** Brokerage of an order: the lower of a rate (rupees per crore of turnover) and a cap (paise), or so much (paise) whatever its size. */
export type BrokerageRate = { perCrore: number; cap: number } | { perOrder: number };

export type TariffSegment = 'delivery' | 'intraday' | 'futures' | 'options';

export interface Tariff {
  brokerage: Readonly<Record<TariffSegment, BrokerageRate>>;
  /** For each share that leaves the demat account on a day, paise, before service tax. */
  depository: number;
  /** On a debit balance, hundredths of a percent a year. */
  interest: number;
  /** True if there are taxes, and fees of exchanges and of SEBI, beside it. */
  statutory: boolean;
}

/** The sandbox's own, without `--tariff`. */
export const USUAL_TARIFF: Tariff = {
  brokerage: {
    delivery: { perCrore: 10_000, cap: 2_000 },
    intraday: { perCrore: 3_000, cap: 2_000 },
    futures: { perCrore: 3_000, cap: 2_000 },
    options: { perOrder: 2_000 },
  },
  depository: 1_300,
  interest: 1_800,
  statutory: true,
};
