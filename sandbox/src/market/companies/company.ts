/**
 * A company with invented figures: its character follows from the seed and its symbol and never changes. Money is paise.
 */
import { keyOf, smoothNoise, subKey, uniformOf } from '../../shared/random';
import { istDate } from '../../shared/time';
import type { CorporateAction } from '../../shared/corporate-actions';
import type { Market } from '../prices/types';
import { instrumentClassOf } from '../reference/instrument-class';
import { equities } from '../reference/dated-tables';
import type { Instrument } from '../reference/types';

/** A dividend that was paid, by its ex-date. */
export interface PaidDividend {
  /** YYYY-MM-DD. */
  date: string;
  /** Paise a share of that day. */
  perShare: number;
}

/** Sources of a company's figures. */
export interface CompanySources {
  market: Pick<Market, 'price' | 'calendar'>;
  /** Of the share, on any exchange, by ex-date. */
  actions: readonly CorporateAction[];
  /** Dividends that accounts of this world were paid, besides `actions`. */
  paid: readonly PaidDividend[];
  /** Instant (milliseconds) before which the company paid a dividend each year that no account records. */
  historyFrom: number;
}

/** Fixed traits; ratios are fractions. */
export interface CompanyTraits {
  key: number;
  fincode: number;
  /** Shares before all corporate actions. */
  shares: number;
  /** Face value before all corporate actions, paise. */
  face: number;
  priceToEarnings: number;
  /** Net profit of revenue. */
  margin: number;
  returnOnEquity: number;
  debtToEquity: number;
  payout: number;
  /** Of the consolidated figures. */
  standalone: number;
  promoters: number;
}

/** Paise. */
const FACES = [100, 200, 500, 1000];
const MIN_SHARES = 1_000_000;

/** True if an instrument is the share of a company. */
export const isCompany = (instrument: Instrument): boolean =>
  instrument.derivativeType === 'STOCK' && instrument.exchange !== 'MCX' && instrumentClassOf(instrument) === 'SHARE';

/** The vendor's number of a company, the same on each exchange. */
export const fincodeOf = ({ isin }: Instrument): number => 100_000_000 + (keyOf(isin) % 899_999_999);

/** The traits of a company. */
export function traitsOf(share: Instrument, seed: number): CompanyTraits {
  const key = subKey(keyOf(share.isin), seed);
  const draw = (part: number, low: number, high: number): number => low + (high - low) * uniformOf(subKey(key, part));
  const row = equities().find(({ isin }) => isin === share.isin);
  const price = row?.close ?? 10_000;
  const faces = FACES.filter((face) => face * 2 <= price);
  return {
    key,
    fincode: fincodeOf(share),
    shares: Math.max(MIN_SHARES, Math.round((row?.volume ?? 0) * draw(1, 250, 900))),
    face: faces[Math.floor(draw(2, 0, faces.length))] ?? 100,
    priceToEarnings: draw(3, 12, 42),
    margin: draw(4, 0.04, 0.2),
    returnOnEquity: draw(5, 0.1, 0.28),
    debtToEquity: draw(6, 0.05, 0.8),
    payout: draw(7, 0.2, 0.45),
    standalone: draw(8, 0.72, 0.96),
    promoters: draw(9, 0.25, 0.72),
  };
}

/** Price to earnings of a quarter: it wanders by a seventh around that of the company. @param index of the quarter */
export const priceToEarningsIn = ({ key, priceToEarnings }: CompanyTraits, index: number): number =>
  priceToEarnings * (1 + smoothNoise(subKey(key, 20), index / 3) / 7);

/** Splits and bonus issues that have taken effect before a day (YYYY-MM-DD) is over. */
const inForce = (actions: readonly CorporateAction[], date: string): readonly CorporateAction[] =>
  actions.filter(({ exDate, close }) => close !== undefined && exDate <= date);

/** Shares on a day: splits and bonus issues have multiplied them. */
export const sharesOn = ({ shares }: CompanyTraits, actions: readonly CorporateAction[], date: string): number =>
  Math.round(inForce(actions, date).reduce((all, { before, after }) => (all * after) / before, shares));

/** Share capital on a day, paise: a bonus issue makes capital of reserves, a split leaves it unchanged. */
export const capitalOn = (traits: CompanyTraits, actions: readonly CorporateAction[], date: string): number =>
  Math.round(
    inForce(actions, date)
      .filter(({ kind }) => kind === 'bonus')
      .reduce((all, { before, after }) => (all * after) / before, traits.shares * traits.face),
  );

/** Returns the market's price of the whole company at an instant, paise: no split changes it. */
export function marketCapAt(
  share: Instrument,
  traits: CompanyTraits,
  { market, actions }: CompanySources,
  at: number,
): number {
  return market.price(share, at) * sharesOn(traits, actions, istDate(at));
}
