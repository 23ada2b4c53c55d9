/** How far from the last price a market order may trade: by kind of instrument and last price (paise, first row above it). */
export interface ProtectionRow {
  effective_from: string;
  value: { kind: 'OPT' | 'OTHER'; below: number; percent: number }[];
  source: string;
}

/** Market-price protection; the rest of a market order beyond it is cancelled. */
export const MARKET_PROTECTION: ProtectionRow[] = [
  {
    effective_from: '2020-01-01',
    value: [
      { kind: 'OTHER', below: 10_000, percent: 2 },
      { kind: 'OTHER', below: 50_000, percent: 1 },
      { kind: 'OTHER', below: Number.MAX_SAFE_INTEGER, percent: 0.5 },
      { kind: 'OPT', below: 1_000, percent: 5 },
      { kind: 'OPT', below: 10_000, percent: 3 },
      { kind: 'OPT', below: 50_000, percent: 2 },
      { kind: 'OPT', below: Number.MAX_SAFE_INTEGER, percent: 1 },
    ],
    source: 'Notices of brokers on market price protection for orders through an interface',
  },
];
