/** Price band of instruments without a fixed one: percent of the previous close, sliding by steps. */
export const DYNAMIC_BANDS: readonly { effectiveFrom: string; source: string; percent: number; slide: number }[] = [
  {
    effectiveFrom: '2010-01-01',
    percent: 10,
    slide: 5,
    source: 'Dynamic price bands of securities with derivatives, and of futures',
  },
];
