import type { Assets, Underlying } from './assets';
import type { Family, TradingDays } from './calendar';
import { commodityFutures, commodityOptions, equityExpiries, listedSince } from './contracts';
import { compactDate, formatDate, parts } from './dates';
import { decode, encode, strikeNumber, weekOf, type Identity, type Scramble } from './ids';
import type { Scope } from './scope';
import { COMMODITY_OPTION_TICK, tickOf } from './securities';
import { equities, indices, type EquityRow } from './tables';
import type { ExchangeCode, Instrument, Universe } from './types';

/** Long series have strikes around the prices of this many trading days. */
const RECENT = 60;
/** Largest quantity of one order in the cash market. */
const LARGEST_QUANTITY = 100_000;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The options of one underlying and expiry. */
export interface Series {
  underlying: Underlying;
  expiry: number;
  /** Expiry of the future that they are on. */
  future: number;
  code: string;
  /** Paise, ascending. */
  strikes: Int32Array;
  /** What its options have in common. */
  common: Common;
  tick: number;
  /** Beginnings of their names. */
  symbol: string;
  platName: string;
  displayName: string;
}

type Common = Omit<Instrument, 'refId' | 'platId' | 'token' | 'symbol' | 'platName' | 'displayName' | 'derivativeType' | 'tickSize'>;

interface FutureSeries {
  underlying: Underlying;
  expiry: number;
  code: string;
}

/** 26NOV for the last expiry of a month, 26N24 for one before it. */
function expiryCode(expiry: number, last: boolean): string {
  const { year, month, date } = parts(expiry);
  const name = MONTHS[month - 1] as string;
  const yy = String(year % 100).padStart(2, '0');
  if (last) return yy + name;
  return `${yy}${month < 10 ? month : name[0]}${String(date).padStart(2, '0')}`;
}

/** Codes of expiries in ascending order. */
function expiryCodes(expiries: number[]): string[] {
  return expiries.map((expiry, i) => {
    const next = expiries[i + 1];
    return expiryCode(expiry, next === undefined || parts(next).month !== parts(expiry).month);
  });
}

export interface World {
  assets: Assets;
  days: Record<Family, TradingDays>;
  scramble: Scramble;
  scope: Scope;
}

/** The instruments of one date. Rows are made when they are asked for, and remembered when asked for one by one. */
export class DatedUniverse implements Universe {
  readonly date: string;
  private readonly kept = new Map<number, Instrument>();
  private readonly optionSeries = new Map<number, Series[]>();
  private readonly futureSeries = new Map<number, FutureSeries[]>();
  private readonly indexOf: Record<Family, number>;
  private counted: number | undefined;

  constructor(private readonly world: World, readonly day: number) {
    this.date = formatDate(day);
    this.indexOf = { equity: world.days.equity.notBefore(day), commodity: world.days.commodity.notBefore(day) };
  }

  get size(): number {
    if (this.counted === undefined) {
      const { scope } = this.world;
      this.counted = scope.nse.length + scope.bse.length + scope.indices.length;
      for (const underlying of scope.underlyings) {
        this.counted += this.futuresOf(underlying).length;
        for (const series of this.seriesOf(underlying)) this.counted += 2 * series.strikes.length;
      }
    }
    return this.counted;
  }

  *all(exchange?: ExchangeCode): Iterable<Instrument> {
    const { scope } = this.world;
    const wanted = (one: ExchangeCode) => exchange === undefined || exchange === one;
    for (const row of scope.indices) if (wanted((indices()[row] as { exchange: ExchangeCode }).exchange)) yield this.make({ kind: 'INDEX', row });
    if (wanted('NSE')) for (const row of scope.nse) yield this.make({ kind: 'NSE', row });
    if (wanted('BSE')) for (const row of scope.bse) yield this.make({ kind: 'BSE', row });
    for (const underlying of scope.underlyings) {
      if (!wanted(underlying.exchange)) continue;
      for (const future of this.futuresOf(underlying)) yield this.makeFuture(future);
      for (const series of this.seriesOf(underlying)) {
        for (const strike of series.strikes) {
          yield this.makeOption(series, strike, false);
          yield this.makeOption(series, strike, true);
        }
      }
    }
  }

  byRefId(refId: number): Instrument | undefined {
    if (!Number.isInteger(refId) || refId < 0 || refId > 0x7fffffff) return undefined;
    const kept = this.kept.get(refId);
    if (kept) return kept;
    const identity = this.identityOf(refId);
    return identity && this.keep(identity);
  }

  bySymbol(exchange: ExchangeCode, symbol: string): Instrument | undefined {
    const { assets, scope } = this.world;
    const index = assets.indexRowOf.get(`${exchange} ${symbol}`);
    if (index !== undefined && scope.hasIndex(index)) return this.keep({ kind: 'INDEX', row: index });
    const row = exchange === 'NSE' ? assets.equityRowOf.get(symbol) : exchange === 'BSE' ? assets.bseRowOf.get(symbol) : undefined;
    if (row !== undefined && exchange !== 'MCX' && scope.hasCash(exchange, row)) return this.keep({ kind: exchange, row });
    const identity = this.contractNamed(exchange, symbol);
    return identity && this.keep(identity);
  }

  expiries(exchange: ExchangeCode, asset: string): number[] {
    const underlying = this.world.assets.underlying(exchange, asset);
    return underlying ? this.seriesOf(underlying).map((series) => compactDate(series.expiry)) : [];
  }

  options(exchange: ExchangeCode, asset: string, expiry: number): { ce: Instrument[]; pe: Instrument[] } {
    const underlying = this.world.assets.underlying(exchange, asset);
    const series = underlying && this.seriesOf(underlying).find((one) => compactDate(one.expiry) === expiry);
    if (!series) return { ce: [], pe: [] };
    const side = (put: boolean) => Array.from(series.strikes, (strike) => this.keep(this.optionIdentity(series, strike, put)));
    return { ce: side(false), pe: side(true) };
  }

  futures(exchange: ExchangeCode, asset: string): Instrument[] {
    const underlying = this.world.assets.underlying(exchange, asset);
    return underlying ? this.futuresOf(underlying).map(({ expiry }) => this.keep({ kind: 'FUT', underlying: underlying.code, expiry })) : [];
  }

  private identityOf(refId: number): Identity | undefined {
    const { assets, scope, scramble } = this.world;
    const known = decode(scramble.restore(refId));
    if ('row' in known) {
      return (known.kind === 'INDEX' ? scope.hasIndex(known.row) : scope.hasCash(known.kind, known.row)) ? known : undefined;
    }
    const underlying = assets.underlyingByCode(known.underlying);
    if (!underlying) return undefined;
    if (known.kind === 'FUT') {
      const future = this.futuresOf(underlying).find((one) => weekOf(one.expiry) === known.week);
      return future && { kind: 'FUT', underlying: underlying.code, expiry: future.expiry };
    }
    const series = this.seriesOf(underlying).find((one) => weekOf(one.expiry) === known.week);
    const strike = series?.strikes.find((one) => strikeNumber(one, underlying.strikeStep) === known.strike);
    return series && strike !== undefined ? this.optionIdentity(series, strike, known.put) : undefined;
  }

  /** The future or option with a trading symbol: the asset, the code of the expiry, then FUT or the strike and CE or PE. */
  private contractNamed(exchange: ExchangeCode, symbol: string): Identity | undefined {
    const shape = /^(.+?)(?:FUT|(CE|PE))$/.exec(symbol);
    if (!shape) return undefined;
    const [, body = '', type] = shape;
    for (let length = body.length - 5; length > 0; length--) {
      const underlying = this.world.assets.underlying(exchange, body.slice(0, length));
      if (!underlying) continue;
      const code = body.slice(length, length + 5);
      const rest = body.slice(length + 5);
      if (type === undefined) {
        const future = rest === '' ? this.futuresOf(underlying).find((one) => one.code === code) : undefined;
        if (future) return { kind: 'FUT', underlying: underlying.code, expiry: future.expiry };
        continue;
      }
      const series = this.seriesOf(underlying).find((one) => one.code === code);
      const strike = series?.strikes.find((one) => String(one / 100) === rest);
      if (series && strike !== undefined) return this.optionIdentity(series, strike, type === 'PE');
    }
    return undefined;
  }

  private optionIdentity(series: Series, strike: number, put: boolean): Identity {
    const { underlying, expiry } = series;
    return { kind: 'OPT', underlying: underlying.code, expiry, strike: strikeNumber(strike, underlying.strikeStep), put };
  }

  private keep(identity: Identity): Instrument {
    const refId = this.world.scramble.scramble(encode(identity));
    let instrument = this.kept.get(refId);
    if (!instrument) {
      instrument = this.make(identity);
      this.kept.set(refId, instrument);
    }
    return instrument;
  }

  private futuresOf(underlying: Underlying): FutureSeries[] {
    let list = this.futureSeries.get(underlying.code);
    if (!list) {
      const { days, scope } = this.world;
      const expiries = underlying.commodity
        ? commodityFutures(days.commodity, underlying.commodity, this.day)
        : equityExpiries(days.equity, underlying.exchange, underlying.symbol, this.day)
            .filter((expiry) => expiry.cycle === 'month')
            .map((expiry) => expiry.day);
      list = scope.hasUnderlying(underlying) ? expiries.map((expiry) => ({ underlying, expiry, code: expiryCode(expiry, true) })) : [];
      this.futureSeries.set(underlying.code, list);
    }
    return list;
  }

  private seriesOf(underlying: Underlying): Series[] {
    let list = this.optionSeries.get(underlying.code);
    if (!list) {
      list = this.world.scope.hasUnderlying(underlying) && underlying.strikeStep > 0 ? this.makeSeries(underlying) : [];
      this.optionSeries.set(underlying.code, list);
    }
    return list;
  }

  private makeSeries(underlying: Underlying): Series[] {
    const { assets, days, scope } = this.world;
    const { root, ratio } = assets.rootOf(underlying);
    const listed = underlying.commodity
      ? commodityOptions(days.commodity, underlying.commodity, this.day).map(({ day, future }) => ({ day, future, cycle: 'month' as const }))
      : equityExpiries(days.equity, underlying.exchange, underlying.symbol, this.day).map((one) => ({ ...one, future: one.day }));
    const codes = expiryCodes(listed.map((one) => one.day));
    const today = this.indexOf[root.days.family];
    return listed.flatMap((one, position) => {
      const reach = scope.strikes(underlying, one.cycle, position);
      if (reach === null) return [];
      const since = Math.min(root.days.notBefore(listedSince(one)), today - (one.cycle === 'long' ? RECENT : 0));
      let low = Infinity;
      let high = 0;
      for (let index = since - 1; index < today; index++) {
        const close = root.close(index) * ratio;
        low = Math.min(low, close);
        high = Math.max(high, close);
      }
      const step = underlying.strikeStep * reach.every;
      const first = Math.max(Math.ceil(Math.round(low / step) - reach.count), 1);
      const last = Math.round(high / step) + reach.count;
      const strikes = Int32Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
      const code = codes[position] as string;
      const common = this.derivative(underlying, one.day);
      const tick = underlying.commodity ? Math.min(underlying.commodity.tick, COMMODITY_OPTION_TICK) : tickOf('option', this.day, 0);
      const symbol = underlying.symbol + code;
      const platName = `OPT_${underlying.symbol}_${common.expiry}`;
      const displayName = `${underlying.symbol} ${spell(one.day)}`;
      return [{ underlying, expiry: one.day, future: one.future, code, strikes, common, tick, symbol, platName, displayName }];
    });
  }

  private make(identity: Identity): Instrument {
    if ('row' in identity) return identity.kind === 'INDEX' ? this.makeIndex(identity.row) : this.makeCash(identity.kind, identity.row);
    const underlying = this.world.assets.underlyingByCode(identity.underlying) as Underlying;
    if (identity.kind === 'FUT') {
      return this.makeFuture(this.futuresOf(underlying).find((one) => one.expiry === identity.expiry) as FutureSeries);
    }
    const series = this.seriesOf(underlying).find((one) => one.expiry === identity.expiry) as Series;
    const strike = series.strikes.find((one) => strikeNumber(one, underlying.strikeStep) === identity.strike) as number;
    return this.makeOption(series, strike, identity.put);
  }

  private ids(identity: Identity): { refId: number; platId: number } {
    const code = encode(identity);
    return { refId: this.world.scramble.scramble(code), platId: (code & 0x3fffffff) + 1 };
  }

  private makeIndex(row: number): Instrument {
    const { exchange, symbol, name, token } = indices()[row] as { exchange: 'NSE' | 'BSE'; symbol: string; name: string; token: number };
    return {
      ...this.ids({ kind: 'INDEX', row }),
      token,
      exchange,
      symbol,
      stockName: symbol,
      series: 'INDEX',
      platName: `INDEX_${symbol}.${exchange}CM`,
      displayName: name,
      asset: symbol,
      assetType: 'INDEX',
      derivativeType: 'INDEX',
      optionType: 'N/A',
      strikePrice: 0,
      expiry: 0,
      isin: '',
      lotSize: 1,
      tickSize: 5,
      freezeQty: LARGEST_QUANTITY,
      bandPercent: null,
      underlyingRefId: null,
      closingAuction: false,
    };
  }

  private makeCash(exchange: 'NSE' | 'BSE', row: number): Instrument {
    const { assets, days } = this.world;
    const facts = equities()[row] as EquityRow;
    const symbol = exchange === 'NSE' ? facts.symbol : facts.bseSymbol;
    const close = assets.equityRoot(row).close(this.indexOf.equity - 1);
    const day = days.equity.at(this.indexOf.equity);
    return {
      ...this.ids({ kind: exchange, row }),
      token: exchange === 'NSE' ? facts.token : facts.bseCode,
      exchange,
      symbol,
      stockName: symbol,
      series: exchange === 'NSE' ? facts.series : facts.bseGroup,
      platName: `STOCK_${symbol}.${exchange}CM`,
      displayName: facts.name,
      asset: symbol,
      assetType: 'EQUITY',
      derivativeType: 'STOCK',
      optionType: 'N/A',
      strikePrice: 0,
      expiry: 0,
      isin: facts.isin,
      lotSize: 1,
      tickSize: tickOf('cash', day, close),
      freezeQty: LARGEST_QUANTITY,
      bandPercent: facts.band,
      underlyingRefId: null,
      closingAuction: assets.hasDerivatives(facts) && days.equity.grid(this.indexOf.equity).auctionPrint !== null,
    };
  }

  /** What all derivatives of an underlying have in common. */
  private derivative(underlying: Underlying, expiry: number): Common {
    const { assets, scramble } = this.world;
    const { exchange, symbol, kind, row } = underlying;
    const first = kind === 'COMMODITY' ? this.futuresOf(underlying)[0] : undefined;
    const of: Identity =
      kind === 'INDEX'
        ? { kind: 'INDEX', row }
        : first
          ? { kind: 'FUT', underlying: underlying.code, expiry: first.expiry }
          : { kind: exchange === 'BSE' ? 'BSE' : 'NSE', row };
    return {
      exchange,
      stockName: symbol,
      series: kind === 'COMMODITY' ? 'COM' : 'FO',
      asset: symbol,
      assetType: `${kind}_FO`,
      optionType: 'N/A',
      strikePrice: 0,
      expiry: compactDate(expiry),
      isin: '',
      lotSize: assets.lotOn(underlying, this.day),
      freezeQty: underlying.freeze,
      bandPercent: null,
      underlyingRefId: scramble.scramble(encode(of)),
      closingAuction: false,
    };
  }

  private makeFuture({ underlying, expiry, code }: FutureSeries): Instrument {
    const ids = this.ids({ kind: 'FUT', underlying: underlying.code, expiry });
    const { root } = this.world.assets.rootOf(underlying);
    const close = root.close(this.indexOf[root.days.family] - 1);
    const kind = underlying.kind === 'INDEX' ? 'index_future' : 'cash';
    const common = this.derivative(underlying, expiry);
    const name = `${underlying.symbol}${code}FUT`;
    return {
      ...ids,
      ...common,
      token: tokenOf(ids.platId),
      symbol: name,
      platName: `FUT_${underlying.symbol}_${common.expiry}`,
      displayName: `${underlying.symbol} ${spell(expiry)} FUT`,
      derivativeType: 'FUT',
      tickSize: underlying.commodity?.tick ?? tickOf(kind, this.day, close),
    };
  }

  private makeOption(series: Series, strike: number, put: boolean): Instrument {
    const ids = this.ids(this.optionIdentity(series, strike, put));
    const { exchange, stockName, series: name, asset, assetType, expiry, isin, lotSize, freezeQty, bandPercent, underlyingRefId } = series.common;
    const type = put ? 'PE' : 'CE';
    const rupees = strike / 100;
    return {
      refId: ids.refId,
      platId: ids.platId,
      token: tokenOf(ids.platId),
      exchange,
      symbol: `${series.symbol}${rupees}${type}`,
      stockName,
      series: name,
      platName: `${series.platName}_${type}_${strike}`,
      displayName: `${series.displayName} ${rupees} ${type}`,
      asset,
      assetType,
      derivativeType: 'OPT',
      optionType: type,
      strikePrice: strike,
      expiry,
      isin,
      lotSize,
      tickSize: series.tick,
      freezeQty,
      bandPercent,
      underlyingRefId,
      closingAuction: false,
    };
  }
}

/** Exchange token of a derivative, from its place among all possible ones. */
const tokenOf = (platId: number): number => 35_000 + (Math.imul(platId, 0x9e3779b1) >>> 12);

/** 24 Nov 2026. */
function spell(day: number): string {
  const { year, month, date } = parts(day);
  const name = MONTHS[month - 1] as string;
  return `${date} ${name[0]}${name.slice(1).toLowerCase()} ${year}`;
}
