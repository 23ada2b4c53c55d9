/** Time before its scheduled end in which a call auction may close at random, milliseconds, by date. */
export const RANDOM_CLOSE: readonly {
  effectiveFrom: string;
  source: string;
  phase: 'PRE_OPEN' | 'CLOSING_AUCTION';
  withinMs: number;
}[] = [
  {
    effectiveFrom: '2010-01-01',
    phase: 'PRE_OPEN',
    withinMs: 60_000,
    source: 'NSE and BSE pre-open call auction: random close in the last minute',
  },
  {
    effectiveFrom: '2026-08-03',
    phase: 'CLOSING_AUCTION',
    withinMs: 120_000,
    source: 'Closing auction session: random close in the last two minutes',
  },
];
