import type { Underlying } from './catalog';
import { compactDate, formatDayNumber } from '../../shared/dates';
import { decodeId, encodeId, strikeNumber, weekOf, type InstrumentIdentity } from './ids';
import { DerivativeListing, type UniverseSources } from './derivative-listing';
import { optionIdentity, InstrumentFactory } from './instrument-factory';
import { indices } from './dated-tables';
import type { DerivativeType, ExchangeCode, Instrument, Universe } from './types';

const ALL_TYPES: readonly DerivativeType[] = ['INDEX', 'STOCK', 'FUT', 'OPT'];

/** The instruments of one date. Rows are made when they are asked for, and remembered when asked for one by one. */
export class DatedUniverse implements Universe {
  readonly date: string;
  private readonly instruments = new Map<number, Instrument>();
  private readonly listing: DerivativeListing;
  private readonly rows: InstrumentFactory;
  private counted: number | undefined;

  constructor(
    private readonly sources: UniverseSources,
    day: number,
  ) {
    this.date = formatDayNumber(day);
    this.listing = new DerivativeListing(sources, day);
    this.rows = new InstrumentFactory(sources, this.listing);
  }

  get size(): number {
    if (this.counted === undefined) {
      const { scope } = this.sources;
      this.counted = scope.nse.length + scope.bse.length + scope.indices.length;
      for (const underlying of scope.underlyings) {
        this.counted += this.listing.futuresOf(underlying).length;
        for (const series of this.listing.seriesOf(underlying)) this.counted += 2 * series.strikes.length;
      }
    }
    return this.counted;
  }

  *all(exchange?: ExchangeCode, types: readonly DerivativeType[] = ALL_TYPES): Iterable<Instrument> {
    const { scope } = this.sources;
    const requested = (exchangeCode: ExchangeCode) => exchange === undefined || exchange === exchangeCode;
    if (types.includes('INDEX'))
      for (const row of scope.indices)
        if (requested((indices()[row] as { exchange: ExchangeCode }).exchange))
          yield this.rows.make({ kind: 'INDEX', row });
    if (types.includes('STOCK')) {
      if (requested('NSE')) for (const row of scope.nse) yield this.rows.make({ kind: 'NSE', row });
      if (requested('BSE')) for (const row of scope.bse) yield this.rows.make({ kind: 'BSE', row });
    }
    for (const underlying of scope.underlyings) {
      if (!requested(underlying.exchange)) continue;
      if (types.includes('FUT'))
        for (const future of this.listing.futuresOf(underlying)) yield this.rows.future(future);
      if (types.includes('OPT')) yield* this.optionsOf(underlying);
    }
  }

  private *optionsOf(underlying: Underlying): Iterable<Instrument> {
    for (const series of this.listing.seriesOf(underlying)) {
      for (const strike of series.strikes) {
        yield this.rows.option(series, strike, false);
        yield this.rows.option(series, strike, true);
      }
    }
  }

  byRefId(refId: number): Instrument | undefined {
    if (!Number.isInteger(refId) || refId < 0 || refId > 0x7fffffff) return undefined;
    const cachedInstrument = this.instruments.get(refId);
    if (cachedInstrument) return cachedInstrument;
    const identity = this.identityOf(refId);
    // A code has bits that some kinds do not use, so that several read alike: only the one that was given is known.
    return identity && this.sources.scramble.scramble(encodeId(identity)) === refId ? this.keep(identity) : undefined;
  }

  bySymbol(exchange: ExchangeCode, symbol: string): Instrument | undefined {
    const { catalog, scope } = this.sources;
    const index = catalog.indexRowOf.get(`${exchange} ${symbol}`);
    if (index !== undefined && scope.hasIndex(index)) return this.keep({ kind: 'INDEX', row: index });
    const row =
      exchange === 'NSE'
        ? catalog.equityRowOf.get(symbol)
        : exchange === 'BSE'
          ? catalog.bseRowOf.get(symbol)
          : undefined;
    if (row !== undefined && exchange !== 'MCX' && scope.hasCash(exchange, row))
      return this.keep({ kind: exchange, row });
    const identity = this.contractNamed(exchange, symbol);
    return identity && this.keep(identity);
  }

  byPlatName(exchange: ExchangeCode, name: string): Instrument | undefined {
    const [kind = '', ...rest] = name.split('_');
    const found = (kind === 'FUT' ? rest.slice(0, -1) : kind === 'OPT' ? rest.slice(0, -3) : rest).join('_');
    const asset = found.replace(/\.\w+$/, '');
    if (kind === 'FUT') return this.futures(exchange, asset).find(({ platName }) => platName === name);
    if (kind !== 'OPT') return [this.bySymbol(exchange, asset)].find((item) => item?.platName === name);
    const { ce, pe } = this.options(exchange, asset, Number(rest.at(-3)));
    return [...ce, ...pe].find(({ platName }) => platName === name);
  }

  expiries(exchange: ExchangeCode, asset: string): number[] {
    const underlying = this.sources.catalog.underlying(exchange, asset);
    return underlying ? this.listing.seriesOf(underlying).map((series) => compactDate(series.expiry)) : [];
  }

  options(exchange: ExchangeCode, asset: string, expiry: number): { ce: Instrument[]; pe: Instrument[] } {
    const underlying = this.sources.catalog.underlying(exchange, asset);
    const series =
      underlying && this.listing.seriesOf(underlying).find((series) => compactDate(series.expiry) === expiry);
    if (!series) return { ce: [], pe: [] };
    const side = (put: boolean) =>
      Array.from(series.strikes, (strike) => this.keep(optionIdentity(series, strike, put)));
    return { ce: side(false), pe: side(true) };
  }

  futures(exchange: ExchangeCode, asset: string): Instrument[] {
    const underlying = this.sources.catalog.underlying(exchange, asset);
    return underlying
      ? this.listing
          .futuresOf(underlying)
          .map(({ expiry }) => this.keep({ kind: 'FUT', underlying: underlying.code, expiry }))
      : [];
  }

  private identityOf(refId: number): InstrumentIdentity | undefined {
    const { catalog, scope, scramble } = this.sources;
    const decodedId = decodeId(scramble.restore(refId));
    if ('row' in decodedId) {
      return (decodedId.kind === 'INDEX' ? scope.hasIndex(decodedId.row) : scope.hasCash(decodedId.kind, decodedId.row))
        ? decodedId
        : undefined;
    }
    const underlying = catalog.underlyingByCode(decodedId.underlying);
    if (!underlying) return undefined;
    if (decodedId.kind === 'FUT') {
      const future = this.listing
        .futuresOf(underlying)
        .find((futureSeries) => weekOf(futureSeries.expiry) === decodedId.week);
      return future && { kind: 'FUT', underlying: underlying.code, expiry: future.expiry };
    }
    const series = this.listing.seriesOf(underlying).find((series) => weekOf(series.expiry) === decodedId.week);
    const strike = series?.strikes.find((strike) => strikeNumber(strike, underlying.strikeStep) === decodedId.strike);
    return series && strike !== undefined ? optionIdentity(series, strike, decodedId.put) : undefined;
  }

  /** The future or option with a trading symbol: the asset, the code of the expiry, then FUT or the strike and CE or PE. */
  private contractNamed(exchange: ExchangeCode, symbol: string): InstrumentIdentity | undefined {
    const shape = /^(.+?)(?:FUT|(CE|PE))$/.exec(symbol);
    if (!shape) return undefined;
    const [, body = '', type] = shape;
    for (let length = body.length - 5; length > 0; length--) {
      const underlying = this.sources.catalog.underlying(exchange, body.slice(0, length));
      if (!underlying) continue;
      const code = body.slice(length, length + 5);
      const rest = body.slice(length + 5);
      if (type === undefined) {
        const future =
          rest === ''
            ? this.listing.futuresOf(underlying).find((futureSeries) => futureSeries.code === code)
            : undefined;
        if (future) return { kind: 'FUT', underlying: underlying.code, expiry: future.expiry };
        continue;
      }
      const series = this.listing.seriesOf(underlying).find((series) => series.code === code);
      const strike = series?.strikes.find((strike) => String(strike / 100) === rest);
      if (series && strike !== undefined) return optionIdentity(series, strike, type === 'PE');
    }
    return undefined;
  }

  private keep(identity: InstrumentIdentity): Instrument {
    const refId = this.sources.scramble.scramble(encodeId(identity));
    let instrument = this.instruments.get(refId);
    if (!instrument) {
      instrument = this.rows.make(identity);
      this.instruments.set(refId, instrument);
    }
    return instrument;
  }
}
