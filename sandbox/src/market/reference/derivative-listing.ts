import type { AssetCatalog, Underlying } from './catalog';
import { familyOf, type MarketFamily, type TradingDays } from './calendar';
import { commodityFutures, commodityOptions, equityExpiries, listedSince, type Expiry } from './contracts';
import { compactDate, MONTHS, dateParts } from '../../shared/dates';
import { encodeId, type InstrumentIdentity, type IdPermutation } from './ids';
import type { ListedScope } from './scope';
import { tickOf } from './ticks';
import type { Instrument } from './types';

/** Futures and options that are listed on a day. */

/** Long series have strikes around the prices of this many trading days. */
const RECENT = 60;

/** The options of one underlying and expiry. */
export interface OptionSeries {
  underlying: Underlying;
  expiry: number;
  /** Expiry of the future that they are on. */
  future: number;
  code: string;
  /** Paise, ascending. */
  strikes: Int32Array;
  /** Facts that its options share. */
  common: SeriesFields;
  tick: number;
  /** Beginnings of their names. */
  symbol: string;
  platName: string;
  displayName: string;
}

export type SeriesFields = Omit<
  Instrument,
  'refId' | 'platId' | 'token' | 'symbol' | 'stockName' | 'platName' | 'displayName' | 'derivativeType' | 'tickSize'
>;

export interface FutureSeries {
  underlying: Underlying;
  expiry: number;
  code: string;
}

/** Closes that decide strikes and ticks; the price processes know them. */
export interface ListingCloses {
  /** Unrounded close (paise) of a row of the table of equities on the index-th equity day. */
  equityClose(row: number, index: number): number;
  /** Gives the unrounded close (paise) of an underlying by the index of the day in its family. */
  closesOf(underlying: Underlying): (index: number) => number;
}

/** Sources of a universe. */
export interface UniverseSources {
  catalog: AssetCatalog;
  closes: ListingCloses;
  days: Record<MarketFamily, TradingDays>;
  scramble: IdPermutation;
  scope: ListedScope;
}

/** 26NOV for the last expiry of a month, 26N24 for one before it. */
function expiryCode(expiry: number, last: boolean): string {
  const { year, month, date } = dateParts(expiry);
  const name = MONTHS[month - 1] as string;
  const yy = String(year % 100).padStart(2, '0');
  if (last) return yy + name;
  return `${yy}${month < 10 ? month : name[0]}${String(date).padStart(2, '0')}`;
}

/** Codes of expiries in ascending order. */
function expiryCodes(expiries: number[]): string[] {
  return expiries.map((expiry, i) => {
    const next = expiries[i + 1];
    return expiryCode(expiry, next === undefined || dateParts(next).month !== dateParts(expiry).month);
  });
}

/** 24 Nov 2026. */
export function dateText(day: number): string {
  const { year, month, date } = dateParts(day);
  const name = MONTHS[month - 1] as string;
  return `${date} ${name[0]}${name.slice(1).toLowerCase()} ${year}`;
}

/** The derivatives of one day, by underlying; made when they are asked for. */
export class DerivativeListing {
  private readonly futureSeries = new Map<number, FutureSeries[]>();
  private readonly optionSeries = new Map<number, OptionSeries[]>();
  /** Index of the day, or the next one with trading, in each family. */
  readonly indexOf: Record<MarketFamily, number>;

  constructor(
    private readonly sources: UniverseSources,
    readonly day: number,
  ) {
    this.indexOf = { equity: sources.days.equity.notBefore(day), commodity: sources.days.commodity.notBefore(day) };
  }

  futuresOf(underlying: Underlying): FutureSeries[] {
    let list = this.futureSeries.get(underlying.code);
    if (!list) {
      const { days, scope } = this.sources;
      const expiries = underlying.commodity
        ? commodityFutures(days.commodity, underlying.commodity, this.day)
        : equityExpiries(days.equity, underlying.exchange, underlying.symbol, this.day)
            .filter((expiry) => expiry.cycle === 'month')
            .map((expiry) => expiry.day);
      list = scope.hasUnderlying(underlying)
        ? expiries.map((expiry) => ({ underlying, expiry, code: expiryCode(expiry, true) }))
        : [];
      this.futureSeries.set(underlying.code, list);
    }
    return list;
  }

  seriesOf(underlying: Underlying): OptionSeries[] {
    let list = this.optionSeries.get(underlying.code);
    if (!list) {
      list =
        this.sources.scope.hasUnderlying(underlying) && underlying.strikeStep > 0 ? this.makeSeries(underlying) : [];
      this.optionSeries.set(underlying.code, list);
    }
    return list;
  }

  private makeSeries(underlying: Underlying): OptionSeries[] {
    const { closes, days, scope } = this.sources;
    const closeOn = closes.closesOf(underlying);
    const family = familyOf(underlying.exchange);
    const listed = underlying.commodity
      ? commodityOptions(days.commodity, underlying.commodity, this.day).map(({ day, future }) => ({
          day,
          future,
          cycle: 'month' as const,
        }))
      : equityExpiries(days.equity, underlying.exchange, underlying.symbol, this.day).map((equityExpiry) => ({
          ...equityExpiry,
          future: equityExpiry.day,
        }));
    const codes = expiryCodes(listed.map((item) => item.day));
    const today = this.indexOf[family];
    const nearestMonth = listed.findIndex(({ cycle }) => cycle === 'month');
    return listed.flatMap((item, position) => {
      const reach = scope.strikes(underlying, item.cycle, position, position === nearestMonth);
      if (reach === null) return [];
      const since = Math.min(days[family].notBefore(listedSince(item)), today - (item.cycle === 'long' ? RECENT : 0));
      let low = Infinity;
      let high = 0;
      for (let index = since - 1; index < today; index++) {
        const close = closeOn(index);
        low = Math.min(low, close);
        high = Math.max(high, close);
      }
      const step = underlying.strikeStep * reach.every;
      const first = Math.max(Math.ceil(Math.round(low / step) - reach.count), 1);
      const last = Math.round(high / step) + reach.count;
      const strikes = Int32Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
      const code = codes[position] as string;
      const common = { ...this.common(underlying, item), ...this.settlesInto(underlying, item) };
      const tick = underlying.commodity?.optionTick ?? tickOf('option', this.day, 0);
      const symbol = underlying.symbol + code;
      const platName = `OPT_${underlying.symbol}_${common.expiry}`;
      const displayName = `${underlying.symbol} ${dateText(item.day)}`;
      return [
        {
          underlying,
          expiry: item.day,
          future: item.future,
          code,
          strikes,
          common,
          tick,
          symbol,
          platName,
          displayName,
        },
      ];
    });
  }

  /** The future that options become at their expiry: one that expires later, as all of MCX are on but those on an index. */
  private settlesInto(
    { code }: Underlying,
    { day, future }: { day: number; future: number },
  ): Pick<Instrument, 'settlesInto'> {
    const { scramble } = this.sources;
    return future > day
      ? { settlesInto: scramble.scramble(encodeId({ kind: 'FUT', underlying: code, expiry: future })) }
      : {};
  }

  /** Returns the facts that all derivatives of an underlying share. */
  common(underlying: Underlying, contract: Expiry): SeriesFields {
    const { catalog, scramble } = this.sources;
    const { exchange, symbol, kind, row } = underlying;
    const first = kind === 'COMMODITY' ? this.futuresOf(underlying)[0] : undefined;
    const of: InstrumentIdentity =
      kind === 'INDEX'
        ? { kind: 'INDEX', row }
        : first
          ? { kind: 'FUT', underlying: underlying.code, expiry: first.expiry }
          : { kind: exchange === 'BSE' ? 'BSE' : 'NSE', row };
    const lot = catalog.lotOn(underlying, this.day, contract);
    return {
      exchange,
      series: kind === 'COMMODITY' ? 'COM' : 'FO',
      asset: symbol,
      assetType: kind === 'COMMODITY' ? 'COM_FO' : `${kind}_FO`,
      optionType: 'N/A',
      strikePrice: 0,
      expiry: compactDate(contract.day),
      isin: '',
      lotSize: lot,
      lotMultiplier: underlying.commodity?.lotMultiplier ?? lot,
      freezeQty: catalog.freezeOn(underlying, this.day),
      bandPercent: null,
      underlyingRefId: scramble.scramble(encodeId(of)),
      closingAuction: false,
    };
  }
}
