/** Figures of the sandbox's market beside those of real ones. */
import type { Bar, Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { changes, correlation, figure, kurtosis, mean, type Figure } from './figures';
import { structureOf } from './structure';

/**
 * Standard errors of the logarithm of a figure of fourteen years, as the ten seeds of CONTRIBUTING have it: kurtosis, and largest fall.
 * Three of them either way about what NIFTY had since 2021; returns without fat tails have a kurtosis of 3, and stay outside.
 */
const [KURTOSIS_ERROR, FALL_ERROR] = [0.24, 0.3];
const [LEAST, MOST] = [-3, 3];

/**
 * Sampling error of the leverage over fourteen years: of the seeds 1, 2, 3, 5, 7, 11, 13, 17, 42 and 99 the mean is −0.114 and the
 * standard deviation 0.026. Within two of them one market in 22 would be outside, though nothing is wrong with it; within three, one in
 * 370.
 */
const LEVERAGE_ERROR = 0.026;

const DAY = 86_400_000;
const { abs, exp, log, max, min, sqrt } = Math;

/** A report, with what its plots show. */
export interface Report {
  figures: Figure[];
  /** The days that were looked at, YYYY-MM-DD. */
  dates: string[];
  /** Closes of NIFTY in points, one for each of them. */
  closes: number[];
  /** Its daily returns over their deviation. */
  returns: number[];
  /** Autocorrelation of the size of its daily returns, by days. */
  clustering: number[];
  /** Mean size of NIFTY's return in each minute of the day, over that of all minutes. */
  minutes: number[];
}

const lagged = (a: readonly number[], b: readonly number[], lag: number): number =>
  correlation(a.slice(0, a.length - lag), b.slice(lag));

/**
 * Measures a market.
 * @param from,to dates (YYYY-MM-DD) between which days are counted
 * @param minuteDays number of days before `to` whose minutes are looked at
 */
export function reportOf(market: Market, from: string, to: string, minuteDays: number): Report {
  const { calendar } = market;
  const noon = (date: string): number => Date.parse(`${date}T12:00:00+05:30`);
  const universe = market.universe(noon(to));
  const find = (exchange: 'NSE' | 'BSE', symbol: string): Instrument => {
    const found = universe.bySymbol(exchange, symbol);
    if (found === undefined) throw new RangeError(`${exchange} ${symbol} is not in this universe`);
    return found;
  };
  const dates: string[] = [];
  for (let date = from; date <= to; date = calendar.nextTradingDay('NSE', date)) dates.push(date);
  const closesOf = (instrument: Instrument): number[] =>
    dates.map((date) => market.previousClose(instrument, noon(date)));
  const [nifty, sensex] = [find('NSE', 'NIFTY'), find('BSE', 'SENSEX')];
  const closes = closesOf(nifty);
  const returns = changes(closes);
  const sizes = returns.map(abs);
  const deviation = sqrt(mean(returns.map((value) => value ** 2)));
  const clustering = Array.from({ length: 40 }, (_, i) => lagged(sizes, sizes, i + 1));
  const shares = ['RELIANCE', 'INFY', 'HDFCBANK', 'SBIN', 'ITC', 'TATASTEEL'].map((symbol) => find('NSE', symbol));
  const ofShares = shares.map((share) => changes(closesOf(share)));
  const begin = noon(to) - minuteDays * DAY;
  const bars = (instrument: Instrument, interval: string, since = begin): Bar[] =>
    market.bars(instrument, interval, since, noon(to), noon(to));
  const minutely = bars(nifty, '1m');
  const minuteReturns = minutely.map((bar) => log(bar.close / bar.open));
  const other = new Map(bars(sensex, '1m').map((bar) => [bar.at, log(bar.close / bar.open)]));
  const days = shares.map((share) => bars(share, '1d', noon(to) - 4 * 365 * DAY));
  const volumeWith = (size: (bar: Bar, before: Bar) => number): number =>
    mean(
      days.map((of) =>
        correlation(
          of.slice(1).map(({ volume }) => volume),
          of.slice(1).map((bar, i) => size(bar, of[i]!)),
        ),
      ),
    );
  const minutes = shapeOfDay(minutely);
  const middle = mean(minutes.slice(120, 240));
  const known = 'customary of NSE';
  const real = (all: number, since2021: number): string => `NIFTY 2010 to August 2026 ${all}, since 2021 ${since2021}`;
  const usual = 'stylised facts (Cont, Quantitative Finance 1, 2001)';
  return {
    figures: [
      figure('NIFTY: volatility of a year, percent', deviation * sqrt(250) * 100, 11, 24, real(16.5, 14.0)),
      figure(
        'NIFTY: kurtosis of daily returns',
        kurtosis(returns),
        7.3 * exp(LEAST * KURTOSIS_ERROR),
        7.3 * exp(MOST * KURTOSIS_ERROR),
        real(16.8, 7.3),
      ),
      figure(
        'NIFTY: largest fall in a day, percent',
        -min(...returns) * 100,
        6.1 * exp(LEAST * FALL_ERROR),
        6.1 * exp(MOST * FALL_ERROR),
        real(13.9, 6.1),
      ),
      figure('NIFTY: largest rise in a day, percent', max(...returns) * 100, 3, 10, real(8.4, 4.6)),
      figure('NIFTY: autocorrelation of returns, one day', lagged(returns, returns, 1), -0.06, 0.08, real(0.01, 0.01)),
      figure('NIFTY: autocorrelation of their size, one day', clustering[0]!, 0.15, 0.35, real(0.2, 0.24)),
      figure(
        'NIFTY: return with the size of the next (leverage)',
        lagged(returns, sizes, 1),
        -0.11 - 3 * LEVERAGE_ERROR,
        -0.11 + 3 * LEVERAGE_ERROR,
        `${real(-0.05, -0.11)}; three standard errors either way`,
      ),
      figure('shares: mean kurtosis of daily returns', mean(ofShares.map(kurtosis)), 5, 12, known),
      figure(
        'shares: mean correlation with NIFTY',
        mean(ofShares.map((ofShare) => correlation(ofShare, returns))),
        0.4,
        0.8,
        usual,
      ),
      figure(
        'shares: volume with the size of the return',
        volumeWith((bar, before) => abs(log(bar.close / before.close))),
        0.26,
        0.48,
        'customary of NSE 0.26 to 0.48; six shares 2010 to August 2026 0.40 to 0.57',
      ),
      figure(
        'shares: volume with the range of the day',
        volumeWith(({ high, low }) => log(high / low)),
        0.48,
        0.79,
        'six shares, years from 2010 to August 2026 0.48 to 0.66 on average, the last 0.57 to 0.79',
      ),
      figure('NIFTY with SENSEX, days', correlation(returns, changes(closesOf(sensex))), 0.97, 1, known),
      figure(
        'NIFTY with SENSEX, minutes',
        correlation(
          minutely.map((_bar, i) => minuteReturns[i]!),
          minutely.map(({ at }) => other.get(at)!),
        ),
        0.9,
        1,
        known,
      ),
      figure(
        'INFY on NSE with INFY on BSE, days',
        correlation(ofShares[1]!, changes(closesOf(find('BSE', 'INFY')))),
        0.99,
        1,
        known,
      ),
      figure(
        'NIFTYBEES with NIFTY, days',
        correlation(returns, changes(closesOf(find('NSE', 'NIFTYBEES')))),
        0.98,
        1,
        'NIFTYBEES 2010 to November 2025 0.96, since 2021 0.98',
      ),
      figure(
        'first half hour over noon, size of minutes',
        mean(minutes.slice(0, 30)) / middle,
        1.3,
        4,
        'NIFTY in January 2021 1.9, in March 2020 2.1',
      ),
      figure(
        'last half hour over noon, size of minutes',
        mean(minutes.slice(-45, -15)) / middle,
        1,
        2.5,
        'NIFTY in January 2021 1.6, in March 2020 1.2',
      ),
      ...structureOf(market, to),
    ],
    dates,
    closes: closes.map((paise) => paise / 100),
    returns: returns.map((value) => value / deviation),
    clustering,
    minutes,
  };
}

/** Mean size of the return in each minute of the day, over that of all minutes. */
function shapeOfDay(bars: readonly Bar[]): number[] {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { at, open, close } of bars) {
    const minute = Math.floor((at % DAY) / 60_000);
    const known = sums.get(minute) ?? { sum: 0, count: 0 };
    sums.set(minute, { sum: known.sum + abs(log(close / open)), count: known.count + 1 });
  }
  const found = [...sums.entries()].sort(([a], [b]) => a - b).map(([, { sum, count }]) => sum / count);
  const all = mean(found);
  return found.map((value) => value / all);
}
