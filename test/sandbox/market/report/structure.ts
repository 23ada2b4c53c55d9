/** Figures of the sandbox's market at one time beside those of real ones: nights, closes, books, options, ticks. */
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { changes, correlation, deviation, figure, mean, type Figure } from './figures';
import { optionsOf } from './options';

const DAY = 86_400_000;
const { log } = Math;
const ist = (date: string, time: string): number => Date.parse(`${date}T${time}+05:30`);
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/**
 * Measures a market around a day.
 * @param day a trading day of NSE, YYYY-MM-DD
 */
export function structureOf(market: Market, day: string): Figure[] {
  const noon = ist(day, '12:00:00');
  const universe = market.universe(noon);
  const find = (symbol: string): Instrument => {
    const found = universe.bySymbol('NSE', symbol);
    if (found === undefined) throw new RangeError(`NSE ${symbol} is not in this universe`);
    return found;
  };
  const shares = [...universe.all('NSE', ['STOCK'])].filter(({ series }) => series === 'EQ');
  return [
    figure(
      'NIFTY: deviation of nights over that of days',
      nights(market, find('NIFTY'), noon),
      0.4,
      0.75,
      'NIFTY since 2012 0.59',
    ),
    figure(
      'shares whose close is not the last price, share',
      closesApart(market, shares, day),
      0.75,
      1,
      'bhavcopy of 21 August 2026 0.84',
    ),
    ...books(market, shares, noon),
    ...optionsOf(market, find('NIFTY'), day),
    figure(
      'GOLDBEES with gold of MCX, days at 15:20',
      gold(market, find('GOLDBEES'), day),
      0.98,
      1,
      'stated; MCX closes eight hours after NSE, so closes of both go together less',
    ),
  ];
}

/** Deviation of the return from a close to the next open, over that from close to close; 500 days. */
function nights(market: Market, index: Instrument, noon: number): number {
  const bars = market.bars(index, '1d', noon - 730 * DAY, noon, noon);
  const of = (price: 'open' | 'close'): number[] => bars.slice(1).map((bar, i) => log(bar[price] / bars[i]!.close));
  return deviation(of('open')) / deviation(of('close'));
}

/** Of the shares that have no closing auction: the share whose official close is not the price of their last trade. */
function closesApart(market: Market, shares: readonly Instrument[], day: string): number {
  const evening = ist(day, '23:00:00');
  const next = ist(market.calendar.nextTradingDay('NSE', day), '08:00:00');
  const some = shares.filter((_share, i) => i % 20 === 0);
  return mean(some.map((share) => (market.previousClose(share, next) === market.price(share, evening) ? 0 : 1)));
}

/**
 * Spreads in basis points and what is shown on five levels of both sides in thousands of rupees, by liquidity: of the tenth of
 * shares that is traded most, of the middle, of the tenth that is traded least.
 */
function books(market: Market, shares: readonly Instrument[], noon: number): Figure[] {
  const traded = shares
    .map((share) => ({ share, value: market.liquidity(share, noon).volume * market.price(share, noon) }))
    .sort((a, b) => b.value - a.value)
    .map(({ share }) => share);
  const tenth = Math.floor(traded.length / 10);
  const samplesOf = (group: readonly Instrument[]): Look[] =>
    group.filter((_share, i) => i % 5 === 0).map((share) => look(market, share, noon));
  const spread = (of: readonly Look[]): number =>
    median(of.map((look) => look.spread).filter((value) => !Number.isNaN(value)));
  const shown = (of: readonly Look[]): number => median(of.map((look) => look.shown)) / 100_000;
  const [max, middle, least] = [
    samplesOf(traded.slice(0, tenth)),
    samplesOf(traded.slice(tenth * 4, tenth * 6)),
    samplesOf(traded.slice(-tenth)),
  ] as [Look[], Look[], Look[]];
  const stated = 'stated; no real data at hand';
  return [
    figure('spread of the tenth traded most, basis points', spread(max), 0.5, 8, stated),
    figure('spread in the middle, basis points', spread(middle), 2, 40, stated),
    figure('spread of the tenth traded least, basis points', spread(least), 5, 300, stated),
    figure('five levels of the tenth traded most, thousand rupees', shown(max), 1000, 50_000, stated),
    figure('five levels in the middle, thousand rupees', shown(middle), 30, 2000, stated),
    figure('five levels of the tenth traded least, thousand rupees', shown(least), 0.5, 200, stated),
  ];
}

/**
 * View of a book: its spread in basis points (NaN where a side is empty), and the value of five levels of both sides in
 * paise.
 */
interface Look {
  spread: number;
  shown: number;
}

function look(market: Market, share: Instrument, noon: number): Look {
  const { bids, asks } = market.depth(share, noon, market.price(share, noon), 5);
  const [bid = NaN, ask = NaN] = [bids[0]?.price, asks[0]?.price];
  const shown = [...bids, ...asks].reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  return { spread: ((ask - bid) / (ask + bid)) * 20_000, shown };
}

/** Correlation of the returns of a fund that holds gold with those of gold, from an afternoon to the next; so many days. */
function gold(market: Market, fund: Instrument, day: string, count = 250): number {
  const afternoons: number[] = [];
  for (let date = day; afternoons.length < count; date = market.calendar.previousTradingDay('NSE', date))
    if (market.calendar.isTradingDay('MCX', date)) afternoons.push(ist(date, '15:20:00'));
  const of = (instrument: Instrument): number[] => changes(afternoons.map((at) => market.price(instrument, at)));
  const [future] = market.universe(ist(day, '12:00:00')).futures('MCX', 'GOLD');
  return correlation(of(fund), of(future!));
}
