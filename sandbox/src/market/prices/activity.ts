import type { AssetCatalog, Underlying } from '../reference/catalog';
import type { PriceProcesses } from './price-processes';
import type { DayClock } from './day-clock';
import { tradesIn, type DayGrid, type HoursSegment } from '../reference/calendar';
import { normalOf, signedUniform, smoothNoise, subKey } from '../../shared/random';
import type { Security } from './securities';
import { equities, type EquityRow } from '../reference/dated-tables';
import type { Instrument } from '../reference/types';

const { abs, exp, floor, log, max, min, round, sqrt } = Math;

/** Volumes and open interest. A day's volume is spread over its seconds by a rule that needs no sum over them. */

/** Units of the underlying that a day's trading in options at the money comes to, for indices; all others far less. */
const INDEX_UNITS: Record<string, number> = {
  NIFTY: 1.6e8,
  BANKNIFTY: 4e7,
  SENSEX: 5e7,
  FINNIFTY: 4e6,
  MIDCPNIFTY: 6e6,
  BANKEX: 3e5,
};
const OTHER_INDEX_UNITS = 1e5;
const AUCTION_SHARE = 0.08;
/** Part of a day's volume that a night has, where there is trading at night. */
const NIGHT_SHARE = 0.5;
/** Part of a share's volume on NSE that BSE has. */
const BSE_SHARE = 0.06;
/** Deviation of the volume from that which the day's volatility tells: deviation of the logarithm. */
const LIVELY = 0.38;
/** Sessions shorter than this many minutes have less volume. */
const FULL_DAY = 240;
/** Open contracts over those traded in a day; options on indices change hands many times a day. */
const OPEN_SHARE = 2.5;
const OPEN_SHARE_INDEX_OPTIONS = 0.06;

interface Curve {
  /** Share of the day's volume before each minute. */
  before: Float64Array;
}

const curves = new WeakMap<DayClock, Map<HoursSegment, Curve>>();

/** The day's U: much at the open and the close, and what the closing auction takes. */
function curveOf(grid: DayGrid, clock: DayClock, segment: HoursSegment): Curve {
  let ofDay = curves.get(clock);
  if (!ofDay) curves.set(clock, (ofDay = new Map<HoursSegment, Curve>()));
  let curve = ofDay.get(segment);
  if (!curve) ofDay.set(segment, (curve = makeCurve(grid, clock, segment)));
  return curve;
}

function makeCurve(grid: DayGrid, clock: DayClock, segment: HoursSegment): Curve {
  const { minutes, auctionPrint } = grid;
  const auction = segment === 'auction' ? auctionPrint : null;
  const weights = Float64Array.from({ length: minutes }, (_, k) =>
    k === auction || !tradesIn(grid, segment, k) ? 0 : (clock.volume[k] as number),
  );
  const continuous = weights.reduce((a, b) => a + b, 0);
  const share = auction === null ? 1 : 1 - AUCTION_SHARE;
  const before = new Float64Array(minutes + 1);
  for (let k = 0; k < minutes; k++) {
    const part = k === auction ? AUCTION_SHARE : ((weights[k] as number) / continuous) * share;
    const sum = (before[k] as number) + part;
    before[k + 1] = sum > 1 - 1e-9 ? 1 : sum;
  }
  return { before };
}

/** Share of the day's volume before the start of a minute: the U, with each minute's share shaken. */
function shareBefore(curve: Curve, key: number, minute: number): number {
  const { before } = curve;
  const here = before[minute] as number;
  if (minute === 0 || minute === before.length - 1) return here;
  const free = min(here - (before[minute - 1] as number), (before[minute + 1] as number) - here);
  return here + 0.45 * free * signedUniform(subKey(key, minute));
}

/** Volumes and open interest of one instrument. */
export interface TradingActivity {
  /** Quantity traded on a day before a second counted from the start of its trading. */
  volume(index: number, second: number): number;
  /** The same of the night before a day, which has so many seconds, where there is trading at night. */
  nightVolume(index: number, second: number, seconds: number): number;
  /** Contracts × lot that are open at a second of a day; 0 for cash. */
  openInterest(index: number, second: number): number;
  /** Quantity of a usual day, by what was known before the index-th; of an option by the price of its root. */
  usual(index: number, root: number): number;
  /** The same on all exchanges together, of a share. */
  everywhere(index: number): number;
  /** Quantity of a minute of the index-th day, by which the book is thick or thin; of an option by the price of its root. */
  perMinute(index: number, root: number): number;
}

/** Years of 365 days from a day to a contract's expiry. */
const yearsTo = (security: Security, day: number): number => ((security.expiry ?? day) - day + 0.5) / 365;

export function activityOf(
  instrument: Instrument,
  security: Security,
  catalog: AssetCatalog,
  processes: PriceProcesses,
): TradingActivity {
  const { root, days, segment, key } = security;
  const derivative = instrument.derivativeType === 'FUT' || instrument.derivativeType === 'OPT';
  const underlying = derivative ? catalog.underlying(instrument.exchange, instrument.asset) : undefined;
  const lot = instrument.lotSize;
  const isOption = instrument.derivativeType === 'OPT';
  const usual = usualQuantity(instrument, security, underlying, catalog, processes);

  const held =
    instrument.derivativeType === 'OPT' && underlying?.kind === 'INDEX' ? OPEN_SHARE_INDEX_OPTIONS : OPEN_SHARE;

  /** Lots of a day by the price of the root. Traded lots go by its opening price. */
  const lotsAt = (index: number, price: number): number => {
    const day = days.at(index);
    const lively = exp(LIVELY * normalOf(subKey(subKey(key, 901), day))) * root.volatilityFactor(index) ** 1.2;
    const short = min(days.grid(index).minutes / FULL_DAY, 1);
    return max(round((usual(index, price) * lively * short) / lot), 1);
  };
  const opening = (index: number): number => (isOption ? (root.path(index).knots[0] as number) : 0);
  const dayLots = (index: number): number => lotsAt(index, opening(index));

  const volume = (index: number, second: number): number => {
    if (second <= 0) return 0;
    const grid = days.grid(index);
    const lots = dayLots(index);
    const minute = floor(second / 60);
    if (minute >= grid.minutes) return lots * lot;
    const curve = curveOf(grid, root.clock(index), segment);
    const shaken = subKey(subKey(key, 902), grid.day);
    const from = shareBefore(curve, shaken, minute);
    const part = second % 60;
    const to = part === 0 ? from : shareBefore(curve, shaken, minute + 1);
    const within = (part + 0.45 * signedUniform(subKey(shaken, 4096 + second))) / 60;
    // The closing auction trades all that it finds in one second.
    const printed = segment === 'auction' && minute === grid.auctionPrint && part > 0;
    return floor(lots * (part === 0 || printed ? to : from + (to - from) * within) + 1e-9) * lot;
  };

  /** Open lots at the end of a day. */
  const openAfter = (index: number): number => {
    const day = days.at(index);
    const age = exp(-yearsTo(security, day));
    return max(
      round((usual(index, opening(index)) * held * age * (1 + 0.3 * smoothNoise(subKey(key, 903), day / 6))) / lot),
      0,
    );
  };

  const openInterest = (index: number, second: number): number => {
    if (!derivative) return 0;
    const grid = days.grid(index);
    const curve = curveOf(grid, root.clock(index), segment);
    const minute = min(max(floor(second / 60), 0), grid.minutes);
    const before = openAfter(index - 1);
    const after = openAfter(index);
    return max(0, round(before + (after - before) * (curve.before[minute] as number))) * lot;
  };

  const nightVolume = (index: number, second: number, seconds: number): number => {
    if (second <= 0) return 0;
    const lots = floor(dayLots(index) * NIGHT_SHARE);
    if (second >= seconds) return lots * lot;
    const shaken = subKey(subKey(key, 904), index);
    return floor((lots * (second + 0.45 * signedUniform(subKey(shaken, second)))) / seconds) * lot;
  };

  const perMinute = (index: number, price: number): number => (lotsAt(index, price) * lot) / days.grid(index).minutes;

  const row = rowOf(instrument, catalog);
  const twice = row !== undefined && row.symbol !== '' && row.bseSymbol !== '';
  const everywhere = (index: number): number =>
    row === undefined ? usual(index, 0) : row.volume * (twice ? 1 + BSE_SHARE : 1);

  return { volume, nightVolume, openInterest, usual, everywhere, perMinute };
}

/** Returns the row of a share. */
function rowOf({ derivativeType, exchange, symbol }: Instrument, catalog: AssetCatalog): EquityRow | undefined {
  if (derivativeType !== 'STOCK') return undefined;
  return equities()[(exchange === 'NSE' ? catalog.equityRowOf : catalog.bseRowOf).get(symbol) as number];
}

/** Quantity of a usual day, as a function of the day and, of an option, of its root's price. */
function usualQuantity(
  instrument: Instrument,
  security: Security,
  underlying: Underlying | undefined,
  catalog: AssetCatalog,
  processes: PriceProcesses,
): (index: number, price: number) => number {
  const rows = equities();
  const { root, days } = security;
  const facts = rowOf(instrument, catalog);
  if (facts !== undefined) {
    const usual = instrument.exchange === 'BSE' && facts.symbol !== '' ? facts.volume * BSE_SHARE : facts.volume;
    return () => usual;
  }
  if (!underlying) return () => 2 * (INDEX_UNITS[instrument.symbol] ?? OTHER_INDEX_UNITS * 100);
  const months = (index: number) => yearsTo(security, days.at(index)) * 12;
  const cash =
    underlying.kind === 'INDEX'
      ? (INDEX_UNITS[underlying.symbol] ?? OTHER_INDEX_UNITS)
      : underlying.kind === 'STOCK'
        ? (rows[underlying.row] as EquityRow).volume * (underlying.exchange === 'NSE' ? 0.5 : 0.005)
        : (underlying.commodity?.volume ?? 0) * underlying.lot;
  if (instrument.derivativeType === 'FUT') {
    const share = underlying.kind === 'INDEX' ? 0.05 : 1;
    return (index) => cash * share * exp(-1.8 * floor(months(index)));
  }
  const { ratio } = processes.processOf(underlying);
  return (index, price) => {
    const years = yearsTo(security, days.at(index));
    const distance = log(instrument.strikePrice / (price * ratio)) / (root.volatility * sqrt(252 * years));
    const outside = instrument.optionType === 'CE' ? distance : -distance;
    const width = outside > 0 ? 1.2 : 0.6;
    return (
      cash * exp(-((distance / width) ** 2) / 2 - 1.5 * months(index)) +
      20 * instrument.lotSize * exp(-abs(distance) / 4)
    );
  };
}
