/**
 * Series (NSE) and groups (BSE) whose trades are settled one by one, for delivery: they take no intraday order. By date; a row
 * holds for its exchange from its day on.
 */
export const DELIVERY_SERIES: readonly {
  effectiveFrom: string;
  exchange: 'NSE' | 'BSE';
  source: string;
  series: readonly string[];
}[] = [
  {
    effectiveFrom: '2010-01-01',
    exchange: 'NSE',
    source: 'NSE, legend of series: trade for trade, physical shares, block deals, foreign institutions, partly paid',
    series: ['BE', 'BZ', 'BT', 'BL', 'IL', 'E1', 'E2', 'P1', 'P2'],
  },
  {
    effectiveFrom: '2010-01-01',
    exchange: 'BSE',
    source: 'BSE, groups of scrips: trade to trade, and companies that do not keep the listing rules',
    series: ['T', 'TS', 'XT', 'Z', 'ZP'],
  },
  {
    effectiveFrom: '2012-03-13',
    exchange: 'BSE',
    source: 'BSE SME platform, opened on 2012-03-13',
    series: ['M', 'MT', 'MS'],
  },
  {
    effectiveFrom: '2012-09-18',
    exchange: 'NSE',
    source: 'NSE EMERGE, opened on 2012-09-18',
    series: ['SM', 'ST', 'SZ'],
  },
];
