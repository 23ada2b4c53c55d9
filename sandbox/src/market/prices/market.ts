import { activityOf, type TradingActivity } from './activity';
import { AssetCatalog } from '../reference/catalog';
import { PriceProcesses } from './price-processes';
import { barsOf, priceAt } from './bars';
import { recordedActivity } from './recorded-activity';
import type { Recordings } from '../recordings/types';
import { createCalendar, lastTrade, nightBefore, tradesIn, type DayGrid } from '../reference/calendar';
import { MINUTE, SECOND, dayOf } from '../../shared/dates';
import { depthAround } from './depth';
import { lotShift, quantityFor, type ImpactLiquidity } from './price-impact';
import { FactorExposures } from './exposures';
import { IdPermutation } from '../reference/ids';
import { hashInteger, normalOf, subKey } from '../../shared/random';
import { scopeOf, type UniverseSize } from '../reference/scope';
import { SecurityFactory } from './security-factory';
import { OptionSecurity } from './option-security';
import { CashSecurity, timeAt, type Security } from './securities';
import type { Instrument } from '../reference/types';
import type { PricingFactors, Greeks, Market } from './types';
import { DatedUniverse } from '../reference/universe';

const { abs, ceil, exp, floor, max, min, sqrt } = Math;

/** The pre-open: its length and the time between news, milliseconds, and how far its price moves, in usual daily volatilities. */
const PRE_OPEN = { length: 8 * MINUTE, step: 10 * SECOND, share: 0.35 };
/** Options move by at most so many times as much as what they are on, in percent. */
const MAX_LEVERAGE = 30;
/** Lots that those who make prices take of an option on a day, also where nobody else trades it. */
const MIN_OPTION_LOTS = 200;
/** Instruments whose price functions are kept ready. */
const HELD = 4000;

export interface MarketOptions {
  /** Any integer: another seed is another market with other ref_ids. */
  seed: number;
  universe: UniverseSize;
  /**
   * `always`: everything trades around the clock. The hours between the exchanges' sessions have a separate path, from
   * the last price of one to the first of the next; closes, end-of-day files and candles of a day or more are those of the
   * sessions. `exchange` when left out.
   */
  hours?: 'always' | 'exchange';
  /** Recordings of a real market: on its days prices and volumes are those, and other shares and indices go with them. */
  recordings?: Recordings;
}

/** Price at an instant: on which trading day, and in which of its minutes and seconds something was last traded. */
interface Moment {
  index: number;
  /** Minute and second of the last trade; null when the opening price is the last. */
  minute: number | null;
  second: number;
  /** True if it is of the night before the day. */
  night: boolean;
}

/** Time of the day of a last trade, minutes. */
const timeOf = ({ minute, second }: Pick<Moment, 'minute' | 'second'>): number =>
  minute === null ? 0 : timeAt(minute, second);

interface SecurityActivity {
  security: Security;
  activity: TradingActivity;
}

/** Option at an instant; prices in paise. */
interface OptionNow {
  /** Price of its root. */
  root: number;
  price: number;
  /** Before it is rounded to a tick. */
  exact: number;
  /** Amount that the next step of time takes off it. */
  step: number;
  /** By how much more it moves than its root, in percent of the price; not above that of the largest moves. */
  leverage: number;
}

/** Usual circumstances. */
const USUAL: PricingFactors = { underlying: 1, volatility: 1 };

/** Makes the market of a seed. It reads no clock: every answer depends on the seed, the instrument and the instant only. */
export function createMarket({ seed, universe: size, hours = 'exchange', recordings }: MarketOptions): Market {
  const always = hours === 'always';
  const { days, calendar } = createCalendar(recordings?.halts);
  const catalog = new AssetCatalog();
  const processes = new PriceProcesses(seed, catalog, days, { recordings, always });
  const securities = new SecurityFactory(
    catalog,
    processes,
    subKey(hashInteger(seed), 5),
    always,
    recordings?.straddles,
  );
  const scramble = new IdPermutation(seed);
  const exposures = new FactorExposures(catalog, scramble, (row) => processes.betaOf(row));
  const sources = { catalog, closes: processes, days, scramble, scope: scopeOf(catalog, size) };
  const universes = new Map<number, DatedUniverse>();
  const held = new Map<number, SecurityActivity>();
  /** Options as last asked for. */
  const options = new WeakMap<OptionSecurity, { second: number; otherwise: PricingFactors; option: OptionNow }>();

  function universe(at: number): DatedUniverse {
    const day = dayOf(at);
    const date = min(days.equity.at(days.equity.notBefore(day)), days.commodity.at(days.commodity.notBefore(day)));
    let found = universes.get(date);
    if (!found) {
      if (universes.size >= 3) universes.delete(universes.keys().next().value as number);
      found = new DatedUniverse(sources, date);
      universes.set(date, found);
    }
    return found;
  }

  function hold(instrument: Instrument): SecurityActivity {
    let found = held.get(instrument.refId);
    if (!found) {
      if (held.size >= HELD) held.clear();
      const security = securities.of(instrument);
      const activity = activityOf(instrument, security, catalog, processes);
      const recording = recordings?.instruments.get(`${instrument.exchange} ${instrument.symbol}`);
      found = { security, activity: recording ? recordedActivity(activity, recording, security) : activity };
      held.set(instrument.refId, found);
    }
    return found;
  }

  /** The day that an instant belongs to, or that comes next; of what has expired the last. */
  const dayIndex = (security: Security, at: number): number =>
    min(security.days.notBefore(dayOf(at)), security.lastIndex);

  /** The last trade at an instant; without a minute before the opening price of the day is known. */
  function moment(security: Security, at: number): Moment | { index: number; minute: undefined } {
    const all = security.days;
    let index = all.notBefore(dayOf(at));
    let time = at;
    if (index > security.lastIndex) {
      index = security.lastIndex;
      time = Infinity;
    }
    const grid = all.grid(index);
    const seconds = (time - grid.start) / SECOND;
    if (always) {
      const within = floor(seconds);
      if (within >= 0 && (within < grid.minutes * 60 || index === security.lastIndex)) {
        const elapsed = min(within, grid.minutes * 60 - 1);
        return { index, minute: floor(elapsed / 60), second: elapsed % 60, night: false };
      }
      const next = within < 0 ? index : index + 1;
      const elapsed = floor((at - nightBefore(all, next).start) / SECOND);
      return { index: next, minute: floor(elapsed / 60), second: elapsed % 60, night: true };
    }
    if (time < grid.openKnown) return { index, minute: undefined };
    const elapsed = min(floor(seconds), grid.minutes * 60 + 59);
    // A recorded instrument trades in its recorded minutes.
    const last = lastTrade(security.view(index).path.grid, security.segment, elapsed);
    return { index, ...last, night: false };
  }

  function price(instrument: Instrument, at: number, otherwise = USUAL): number {
    const { security } = hold(instrument);
    const dayMoment = moment(security, at);
    if (dayMoment.minute === undefined)
      return otherwise === USUAL
        ? security.last(dayMoment.index - 1)
        : closeWhere(security, dayMoment.index - 1, otherwise);
    const { underlying } = otherwise;
    const view = viewOf(security, dayMoment, otherwise);
    if (dayMoment.minute === null) return view.price((view.path.knots[0] as number) * underlying, 0);
    return priceAt(view, security, dayMoment.minute, dayMoment.second, underlying);
  }

  /** Returns the view that prices a security; where the volatility is another, one that is not kept. */
  function viewOf(
    security: Security,
    { index, night }: { index: number; night: boolean },
    { volatility }: PricingFactors,
  ) {
    return security instanceof OptionSecurity && volatility !== 1
      ? security.viewWhere(index, night, volatility)
      : security.view(index, night);
  }

  /** The close of a derivative in other circumstances. */
  function closeWhere(security: Security, index: number, otherwise: PricingFactors): number {
    const view = viewOf(security, { index, night: false }, otherwise);
    const { underlying } = otherwise;
    const { minutes } = view.path.grid;
    return view.price((view.path.knots[minutes] as number) * underlying, timeAt(minutes - 1, 59));
  }

  function close(instrument: Instrument, at: number): number {
    const { security } = hold(instrument);
    return security.close(dayIndex(security, at));
  }

  function previousClose(instrument: Instrument, at: number): number {
    const { security } = hold(instrument);
    return security.close(dayIndex(security, at) - 1);
  }

  /** Seconds of the index-th day that have begun before an instant. */
  const elapsed = (grid: DayGrid, at: number): number => max(ceil((at - grid.start) / SECOND), 0);

  function volume(instrument: Instrument, from: number, to: number): number {
    const { security, activity } = hold(instrument);
    const all = security.days;
    let sum = 0;
    const last = all.notAfter(dayOf(to));
    for (let index = all.notBefore(dayOf(from)); index <= last; index++) {
      if (index > security.lastIndex) break;
      const grid = all.grid(index);
      sum += activity.volume(index, elapsed(grid, to)) - activity.volume(index, elapsed(grid, from));
    }
    return always ? sum + nightVolume(security, activity, from, to) : sum;
  }

  /** Quantity that others trade outside of the sessions. */
  function nightVolume(security: Security, activity: TradingActivity, from: number, to: number): number {
    const all = security.days;
    const last = min(all.notAfter(dayOf(to)) + 1, security.lastIndex);
    let sum = 0;
    for (let index = all.notBefore(dayOf(from)); index <= last; index++) {
      const night = nightBefore(all, index);
      const seconds = night.minutes * 60;
      const before = (at: number) => activity.nightVolume(index, elapsed(night, at), seconds);
      sum += before(to) - before(from);
    }
    return sum;
  }

  return {
    hours: always ? 'always' : 'exchange',
    universe,
    price,
    exposure: (refId) => exposures.of(refId),
    close,
    previousClose,
    volume,
    calendar,
    closeRange(instrument, from, to) {
      const { security } = hold(instrument);
      const last = security.days.notAfter(dayOf(to - 1));
      const closes: number[] = [];
      for (let index = security.days.notBefore(dayOf(from)); index <= last; index++) closes.push(security.close(index));
      return closes.length === 0 ? null : { high: max(...closes), low: min(...closes) };
    },
    depth(instrument, at, around, levels, otherwise) {
      const { security, activity } = hold(instrument);
      const index = dayIndex(security, at);
      const limits = security instanceof CashSecurity ? security.limits(index) : { lower: 0, upper: Infinity };
      const liquidity = liquidityOf(instrument, at, otherwise);
      const tick = security.tick(index);
      const option = security instanceof OptionSecurity ? optionAt(security, at, otherwise) : undefined;
      return depthAround(instrument, at, around, levels, {
        key: security.key,
        perMinute: activity.perMinute(index, option?.root ?? 0),
        tick,
        worthless: option !== undefined,
        atBest: quantityFor(liquidity, tick / 2 / around),
        room: max(lotShift(liquidity) * around, option?.step ?? 0),
        isAbove: option && option.exact >= option.price,
        ...limits,
      });
    },
    openInterest(instrument, at) {
      const { security, activity } = hold(instrument);
      const index = dayIndex(security, at);
      return activity.openInterest(index, elapsed(security.days.grid(index), at));
    },
    liquidity: liquidityOf,
    greeks,
    auctionPrice: (instrument, at) => indicativeClose(instrument, at) ?? indicativeOpen(instrument, at),
    indicativeClose,
    bars(instrument, interval, from, to, asOf = Infinity) {
      const { security, activity } = hold(instrument);
      return barsOf(security, activity, interval, from, to, asOf);
    },
  };

  function liquidityOf(instrument: Instrument, at: number, otherwise?: PricingFactors): ImpactLiquidity {
    const { security, activity } = hold(instrument);
    const index = dayIndex(security, at);
    const { root } = security;
    const lot = instrument.lotSize;
    if (security instanceof OptionSecurity) {
      const option = optionAt(security, at, otherwise);
      const volume = max(activity.usual(index, option.root), lot * MIN_OPTION_LOTS);
      return { volume, lot, volatility: root.volatility * option.leverage, everywhere: null };
    }
    const everywhere = security instanceof CashSecurity ? activity.everywhere(index) : null;
    return { volume: max(activity.usual(index, 0), lot), lot, volatility: root.volatility, everywhere };
  }

  /** Returns an option at an instant: it lives at the price that its root has now. */
  function optionAt(security: OptionSecurity, at: number, otherwise: PricingFactors = USUAL): OptionNow {
    const second = floor(at / SECOND);
    const cachedPricing = options.get(security);
    if (cachedPricing?.second === second && cachedPricing.otherwise === otherwise) return cachedPricing.option;
    const dayMoment = moment(security, at);
    const { index } = dayMoment;
    const isOpen = dayMoment.minute !== undefined;
    const path = isOpen
      ? security.root.path(index, dayMoment.minute === null ? false : dayMoment.night)
      : security.root.path(index - 1);
    const time = !isOpen ? timeAt(path.grid.minutes - 1, 59) : timeOf(dayMoment);
    const last = path.knots[path.knots.length - 1] as number;
    const plain = isOpen
      ? dayMoment.minute === null
        ? (path.knots[0] as number)
        : path.second(dayMoment.minute, dayMoment.second)
      : last;
    const root = plain * otherwise.underlying;
    const view =
      otherwise.volatility === 1
        ? security.view(path.index, path.night)
        : security.viewWhere(path.index, path.night, otherwise.volatility);
    const [price, exact] = [view.price(root, time), view.exact!(root, time)];
    const { delta } = security.greeks(path, root, time, otherwise.volatility);
    const option = {
      root,
      price,
      exact,
      step: isOpen ? security.stepOf(path, root, time) : 0,
      leverage: min((abs(delta) * root) / price, MAX_LEVERAGE),
    };
    options.set(security, { second, otherwise, option });
    return option;
  }

  function greeks(option: Instrument, at: number, { underlying, volatility } = USUAL): Greeks {
    const { security } = hold(option);
    if (!(security instanceof OptionSecurity))
      throw new RangeError(`${option.symbol} is not an option: it has no greeks`);
    const dayMoment = moment(security, at);
    if (dayMoment.minute === undefined || dayMoment.minute === null) {
      const path = security.root.path(dayMoment.index);
      return security.greeks(path, (path.knots[0] as number) * underlying, 0, volatility);
    }
    const path = security.root.path(dayMoment.index, dayMoment.night);
    return security.greeks(
      path,
      path.second(dayMoment.minute, dayMoment.second) * underlying,
      timeOf(dayMoment),
      volatility,
    );
  }

  function indicativeClose(instrument: Instrument, at: number): number | null {
    const { security } = hold(instrument);
    const dayMoment = moment(security, at);
    const print = security.days.grid(dayMoment.index).auctionPrint;
    if (security.segment !== 'auction' || print === null || dayMoment.minute === undefined || dayMoment.minute === null)
      return null;
    const { start } = security.days.grid(dayMoment.index);
    const minute = floor((at - start) / MINUTE);
    if (tradesIn(security.days.grid(dayMoment.index), 'auction', minute) || minute > print || minute < 0) return null;
    const view = security.view(dayMoment.index);
    return view.price(view.path.second(minute, floor(((at - start) % MINUTE) / SECOND)), print);
  }

  /** The way to the opening price through the pre-open: what is still to come is drawn in steps of some seconds. */
  function indicativeOpen(instrument: Instrument, at: number): number | null {
    const { security } = hold(instrument);
    if (always || !(security instanceof CashSecurity)) return null;
    const index = security.days.notBefore(dayOf(at));
    const grid = security.days.grid(index);
    const begins = grid.openKnown - PRE_OPEN.length;
    if (grid.openKnown === grid.start || at < begins || at >= grid.openKnown) return null;
    const view = security.view(index);
    const deviation = PRE_OPEN.share * security.root.volatility * sqrt(PRE_OPEN.step / PRE_OPEN.length);
    const key = subKey(subKey(security.key, 31), grid.day);
    let toCome = 0;
    for (let step = ceil((at + 1 - begins) / PRE_OPEN.step); step * PRE_OPEN.step <= PRE_OPEN.length; step++)
      toCome += deviation * normalOf(subKey(key, step));
    return view.price(security.root.openingAt(index, at) * exp(-toCome), 0);
  }
}
