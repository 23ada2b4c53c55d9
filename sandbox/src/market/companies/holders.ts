/** Holders of a company's shares, in hundredths of a percent that make a whole. */
import { smoothNoise, subKey } from '../../shared/random';
import type { CompanyTraits } from './company';
import type { Quarter } from './quarters';

/** Of all shares, 10,000. */
const ALL = 10_000;

/** Parts of what promoters do not hold; what is left is the public's. */
const PUBLIC = [
  ['fiis', 0.3],
  ['mf', 0.18],
  ['other_domestic_insti', 0.14],
] as const;

export type Holder = 'promoter' | 'fiis' | 'mf' | 'other_domestic_insti' | 'retail_other';
export type Holders = Record<Holder, number>;

/** Holders at the end of a quarter, in hundredths of a percent: 10,000 in all. */
export function holdersOn({ key, promoters }: CompanyTraits, { index }: Pick<Quarter, 'index'>): Holders {
  const drift = (part: number): number => smoothNoise(subKey(key, part), index / 4);
  const promoter = Math.round(ALL * promoters * (1 + drift(60) / 50));
  const [fiis, mf, domestic] = PUBLIC.map(([, share], at) =>
    Math.round((ALL - promoter) * share * (1 + drift(61 + at) / 5)),
  ) as [number, number, number];
  return {
    promoter,
    fiis,
    mf,
    other_domestic_insti: domestic,
    retail_other: ALL - promoter - fiis - mf - domestic,
  };
}
