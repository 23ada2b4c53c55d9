/**
 * Market-wide halts: when one of the indices has moved by a stage's percentage from its previous close, trading stops for a number of
 * minutes, by the time of day (IST, first row whose `before` is later); null for the rest of the day. Shares then open by a
 * call auction of `reopening` minutes.
 */
export const CIRCUIT_BREAKERS: readonly {
  effectiveFrom: string;
  source: string;
  indices: readonly string[];
  reopening: number;
  stages: readonly { percent: number; halts: readonly { before: string; minutes: number | null }[] }[];
}[] = [
  {
    effectiveFrom: '2010-01-01',
    source: 'SEBI index-based market-wide circuit breakers (hours as revised on 2013-09-03)',
    indices: ['NIFTY', 'SENSEX'],
    reopening: 15,
    stages: [
      {
        percent: 10,
        halts: [
          { before: '13:00', minutes: 45 },
          { before: '14:30', minutes: 15 },
          { before: '24:00', minutes: 0 },
        ],
      },
      {
        percent: 15,
        halts: [
          { before: '13:00', minutes: 105 },
          { before: '14:00', minutes: 45 },
          { before: '24:00', minutes: null },
        ],
      },
      { percent: 20, halts: [{ before: '24:00', minutes: null }] },
    ],
  },
];
