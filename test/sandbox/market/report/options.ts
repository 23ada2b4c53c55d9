/** Prices of an index's options, beside figures of real ones: their smile, and how it moves. */
import { ist } from '../leaks/bots';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { parseCompactDate, dayOf } from '../../../../sandbox/src/shared/dates';
import { changes, correlation, deviation, figure, mean, type Figure } from './figures';

const { abs, log } = Math;
/** Days to expiry, at least, of what is looked at: near and far; and how far from the money, a fraction. */
const [NEAR, FAR, APART] = [21, 80, 0.03];
/** Trading days over which volatilities are followed. */
const FOLLOWED = 250;

/**
 * Measures the options of an index of NSE.
 * @param day a trading day of NSE, YYYY-MM-DD: the last of those that are looked at
 */
export function optionsOf(market: Market, index: Instrument, day: string): Figure[] {
  return [...shape(market, index, ist(`${day}T12:00:00`)), ...dynamics(market, index, day)];
}

/** Options of one expiry at an instant, volatilities in percent. */
interface Look {
  years: number;
  /** At the money. */
  volatility: number;
  /** By how much it falls for a rise of the strike by one in its logarithm. */
  skew: number;
}

/** Looks at the first expiry that is this many days away. */
function look(market: Market, index: Instrument, at: number, days: number): Look {
  const universe = market.universe(at);
  const away = (expiry: number): number => parseCompactDate(expiry) - dayOf(at);
  const expiry = universe.expiries('NSE', index.asset).find((expiry) => away(expiry) >= days)!;
  const { ce, pe } = universe.options('NSE', index.asset, expiry);
  const price = market.price(index, at);
  const nearest = (options: readonly Instrument[], moneyness: number): { strike: number; volatility: number } => {
    const apart = ({ strikePrice }: Instrument): number => abs(strikePrice / price - moneyness);
    const [option] = [...options].sort((a, b) => apart(a) - apart(b)) as [Instrument];
    return { strike: option.strikePrice, volatility: market.greeks(option, at).iv * 100 };
  };
  const [low, high] = [nearest(pe, 1 - APART), nearest(ce, 1 + APART)];
  return {
    years: away(expiry) / 365,
    volatility: nearest(ce, 1).volatility,
    skew: (low.volatility - high.volatility) / log(high.strike / low.strike),
  };
}

/**
 * Measures how the volatility at the money and the skew go with the index, from one afternoon to the next, and with
 * time to expiry.
 */
function dynamics(market: Market, index: Instrument, day: string): Figure[] {
  const days: string[] = [];
  for (let date = day; days.length < FOLLOWED; date = market.calendar.previousTradingDay('NSE', date))
    days.unshift(date);
  const instants = days.map((date) => ist(`${date}T15:00:00`));
  const returns = changes(instants.map((at) => market.price(index, at)));
  const [near, far] = [NEAR, FAR].map((away) => instants.map((at) => look(market, index, at, away))) as [
    Look[],
    Look[],
  ];
  const moves = (samples: readonly Look[]): number[] => changes(samples.map(({ volatility }) => volatility));
  const points = near.slice(1).map(({ volatility }, i) => volatility - near[i]!.volatility);
  const average = (samples: readonly Look[], of: 'skew' | 'years'): number => mean(samples.map((look) => look[of]));
  const together = correlation(returns, moves(near));
  // Slope of the line through the changes of the volatility, over returns.
  const slope = (correlation(returns, points) * deviation(points)) / deviation(returns);
  return [
    figure(
      "NIFTY: return with the change of its options' volatility",
      together,
      -0.9,
      -0.4,
      'stated after volatility indices (Whaley 2009)',
    ),
    figure(
      'NIFTY: that change per return, over the skew',
      -slope / average(near, 'skew'),
      0.7,
      2.3,
      'skew stickiness, 1 to 2 (Bergomi 2009)',
    ),
    figure(
      'NIFTY: changes of a quarter ahead over those of a month',
      deviation(moves(far)) / deviation(moves(near)),
      0.4,
      0.9,
      'stated: the longer, the calmer (Cont and da Fonseca 2002)',
    ),
    figure(
      'NIFTY: power of time by which the skew decays',
      log(average(far, 'skew') / average(near, 'skew')) / log(average(far, 'years') / average(near, 'years')),
      -0.7,
      -0.3,
      'about -0.5 (Gatheral 2006)',
    ),
  ];
}

/** Volatility that options of the nearest expiry show two in a hundred from the money, over that at the money. */
function shape(market: Market, index: Instrument, noon: number): Figure[] {
  const universe = market.universe(noon);
  const expiry = universe.expiries('NSE', index.asset)[0]!;
  const { ce, pe } = universe.options('NSE', index.asset, expiry);
  const price = market.price(index, noon);
  const shown = (options: readonly Instrument[], moneyness: number): number => {
    const apart = ({ strikePrice }: Instrument): number => abs(strikePrice / price - moneyness);
    return market.greeks([...options].sort((a, b) => apart(a) - apart(b))[0]!, noon).iv;
  };
  const atTheMoney = (shown(ce, 1) + shown(pe, 1)) / 2;
  const apart = (
    where: string,
    [options, moneyness]: [readonly Instrument[], number],
    [least, max]: [number, number],
    seen: string,
  ): Figure =>
    figure(
      `NIFTY: volatility of ${where}, over the money`,
      shown(options, moneyness) / atTheMoney,
      least,
      max,
      `chain of 21 August 2026, four days before expiry: ${seen}`,
    );
  return [
    apart('puts 2 % below', [pe, 0.98], [1.05, 1.8], 'NIFTY 1.47, BANKNIFTY 1.20'),
    apart('calls 2 % above', [ce, 1.02], [0.9, 1.5], 'NIFTY 1.12, BANKNIFTY 1.06'),
  ];
}
