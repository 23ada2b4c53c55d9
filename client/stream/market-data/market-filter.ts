/** Filter of market data: limits on the figures of an update. A limit on a missing figure excludes the update. */
import type { ClosedCandle, MarketEvent, MarketOption, MarketTick } from './market-data';
import type { MarketPrice } from '../../values/market-price';
import { HUNDREDTHS } from './alert-rules';

/** Figures of an update, as far as it has them. */
export interface MarketFigures {
  /** Paise. */
  price: number | null;
  /** Percent from the previous close; of a candle from its open. */
  change: number | null;
  volume: number | null;
  /** Implied volatility, percent. */
  iv: number | null;
  delta: number | null;
  openInterest: number | null;
}

export const MARKET_FIGURES = ['price', 'change', 'volume', 'iv', 'delta', 'openInterest'] as const;
export type MarketFigure = (typeof MARKET_FIGURES)[number];

export interface FigureLimit {
  figure: MarketFigure;
  min: number;
  max: number;
}

/** Returns true if an update is within all limits. */
export function isWithin(limits: readonly FigureLimit[], figures: MarketFigures): boolean {
  return limits.every(({ figure, min, max }) => {
    const value = figures[figure];
    return value !== null && value >= min && value <= max;
  });
}

/** Returns the figures of a price. */
export function figuresOfTick({ lastPrice, previousClose, volume, openInterest }: MarketTick): MarketFigures {
  const change = changeOf(lastPrice, previousClose);
  return { price: lastPrice, change, volume, iv: null, delta: null, openInterest };
}

/** Returns the figures of a candle: its close, and its own volume. */
export function figuresOfCandle({ close, open, volume }: ClosedCandle): MarketFigures {
  return { price: close, change: changeOf(close, open), volume, iv: null, delta: null, openInterest: null };
}

/** Returns the figures of a market depth. */
export function figuresOfDepth({ depth }: Extract<MarketEvent, { kind: 'depth' }>): MarketFigures {
  return { price: depth.lastPrice, change: null, volume: depth.volume, iv: null, delta: null, openInterest: null };
}

/** Returns the figures of an option. */
export function figuresOfOption({ lastPrice, change, volume, iv, delta, openInterest }: MarketOption): MarketFigures {
  return { price: lastPrice, change, volume, iv: iv === null ? null : iv * 100, delta, openInterest };
}

/** Percent with two decimals; null without a price, or one to measure from. */
export function changeOf(price: MarketPrice | null, from: MarketPrice | null): number | null {
  return price === null || from === null ? null : Math.round(((price - from) / from) * HUNDREDTHS) / 100;
}
