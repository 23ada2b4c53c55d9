import { AssetCatalog } from '../reference/catalog';
import type { DerivativeType, ExchangeCode, Instrument, Universe } from '../reference/types';
import { istDay, istMidnight } from '../../shared/time';

/** The parts of a row of the live side's instrument master that were read (docs/service/instruments.md#instrument-record). */
export type MasterRow = Record<string, unknown>;

const EXCHANGES: readonly string[] = ['NSE', 'BSE', 'MCX'] satisfies ExchangeCode[];
const TYPES: readonly string[] = ['STOCK', 'INDEX', 'FUT', 'OPT'] satisfies DerivativeType[];
/** Largest quantity where the master names none. */
const MAX_QUANTITY = 100_000_000;
/** Since when shares with derivatives close by an auction. */
const CLOSING_AUCTIONS = '2026-08-03';

const catalog = new AssetCatalog();

/** An instrument of the live side, and what its master says of the day before. */
export interface LiveInstrument {
  instrument: Instrument;
  /** Paise; undefined for derivatives: the master tells the close of the underlying there. */
  previousClose: number | undefined;
}

/** The instruments of the live side on a day, under its ref_ids. */
export class LiveUniverse implements Universe {
  /** Rows that are no instruments; they are left out. */
  readonly unreadable: number;
  private readonly byId = new Map<number, LiveInstrument>();
  private readonly symbols = new Map<string, Instrument>();
  private readonly names = new Map<string, Instrument>();
  private readonly contracts = new Map<string, Instrument[]>();

  /** @param date YYYY-MM-DD. @param rows of all exchanges. */
  constructor(
    readonly date: string,
    rows: Iterable<MasterRow>,
  ) {
    let unreadable = 0;
    for (const row of rows) {
      const instrument = instrumentOf(row);
      if (instrument === undefined) unreadable += 1;
      else this.byId.set(instrument.instrument.refId, instrument);
    }
    this.unreadable = unreadable;
    for (const { instrument } of this.byId.values()) this.enter(instrument);
    for (const [name, contracts] of this.contracts) {
      contracts.sort((a, b) => a.expiry - b.expiry || a.strikePrice - b.strikePrice);
      this.complete(name, contracts);
    }
  }

  get size(): number {
    return this.byId.size;
  }

  *all(exchange?: ExchangeCode, types?: readonly DerivativeType[]): Iterable<Instrument> {
    for (const { instrument } of this.byId.values()) {
      const { exchange: where, derivativeType } = instrument;
      if ((exchange ?? where) === where && (types === undefined || types.includes(derivativeType))) yield instrument;
    }
  }

  byRefId(refId: number): Instrument | undefined {
    return this.byId.get(refId)?.instrument;
  }

  /** Close of the day before, paise; 0 where the master does not say. */
  previousClose(refId: number): number {
    return this.byId.get(refId)?.previousClose ?? 0;
  }

  bySymbol(exchange: ExchangeCode, symbol: string): Instrument | undefined {
    return this.symbols.get(`${exchange} ${symbol}`);
  }

  byPlatName(exchange: ExchangeCode, name: string): Instrument | undefined {
    return this.names.get(`${exchange} ${name}`);
  }

  expiries(exchange: ExchangeCode, asset: string): number[] {
    const options = this.of(exchange, asset).filter(({ derivativeType }) => derivativeType === 'OPT');
    return [...new Set(options.map(({ expiry }) => expiry))];
  }

  options(exchange: ExchangeCode, asset: string, expiry: number): { ce: Instrument[]; pe: Instrument[] } {
    const series = this.of(exchange, asset).filter((instrument) => instrument.expiry === expiry);
    const side = (type: 'CE' | 'PE') => series.filter(({ optionType }) => optionType === type);
    return { ce: side('CE'), pe: side('PE') };
  }

  futures(exchange: ExchangeCode, asset: string): Instrument[] {
    return this.of(exchange, asset).filter(({ derivativeType }) => derivativeType === 'FUT');
  }

  private of(exchange: ExchangeCode, asset: string): Instrument[] {
    return this.contracts.get(`${exchange} ${asset}`) ?? [];
  }

  private enter(instrument: Instrument): void {
    const { exchange, symbol, platName, asset, derivativeType } = instrument;
    this.symbols.set(`${exchange} ${symbol}`, instrument);
    this.names.set(`${exchange} ${platName}`, instrument);
    if (derivativeType !== 'FUT' && derivativeType !== 'OPT') return;
    const name = `${exchange} ${asset}`;
    const instruments = this.contracts.get(name);
    if (instruments === undefined) this.contracts.set(name, [instrument]);
    else instruments.push(instrument);
  }

  /** Returns the facts that the master lacks of the contracts on an asset, and of the asset. */
  private complete(name: string, contracts: readonly Instrument[]): void {
    const asset = this.symbols.get(name);
    const { exchange, asset: symbol } = contracts[0]!;
    const underlying = catalog.underlying(exchange, symbol);
    const freezeQty = underlying && catalog.freezeOn(underlying, istDay(istMidnight(this.date)));
    const on = asset ?? contracts.find(({ derivativeType }) => derivativeType === 'FUT');
    const futures = contracts
      .filter(({ derivativeType }) => derivativeType === 'FUT')
      .sort((a, b) => a.expiry - b.expiry);
    for (const contract of contracts) {
      contract.underlyingRefId = on?.refId ?? null;
      const future = futures.find(({ expiry }) => expiry >= contract.expiry);
      // One that expires on the same day, as on an index, is settled in cash.
      if (
        exchange === 'MCX' &&
        contract.derivativeType === 'OPT' &&
        future !== undefined &&
        future.expiry > contract.expiry
      )
        contract.settlesInto = future.refId;
      if (freezeQty !== undefined) contract.freezeQty = freezeQty;
    }
    if (asset?.derivativeType === 'STOCK') asset.closingAuction = this.date >= CLOSING_AUCTIONS;
  }
}

/** Worth of a rupee of price on one lot: as the row tells, or as the exchange's unit has it; undefined for a commodity that nobody knows. */
function multiplierOf(reported: unknown, exchange: string, asset: string, lotSize: number): number | undefined {
  if (typeof reported === 'number' && Number.isSafeInteger(reported) && reported > 0) return reported;
  return exchange === 'MCX' ? catalog.underlying(exchange, asset)?.commodity?.lotMultiplier : lotSize;
}

const SYMBOL = /^[A-Z0-9&.$_-]+$/;

/**
 * The trading symbol of a row. Where its `stock_name` is a name in words, that of a share or an index is in its platform name
 * (STOCK_INFY.NSECM), and that of a contract is its name without blanks.
 * @returns undefined where the row has none.
 */
function symbolOf(row: {
  stockName: string;
  platName: string;
  asset: string;
  isDerivative: boolean;
}): string | undefined {
  const { stockName, platName, asset, isDerivative } = row;
  if (SYMBOL.test(stockName)) return isDerivative && stockName === asset ? undefined : stockName;
  const derived = isDerivative
    ? stockName.toUpperCase().replace(/\s+/g, '')
    : (/^(?:STOCK|INDEX)_([^_.]+)/.exec(platName)?.[1] ?? '');
  return SYMBOL.test(derived) && (!isDerivative || derived !== asset) ? derived : undefined;
}

/** The instrument of a row; undefined where the row is none, or is a commodity whose contract is not known. */
function instrumentOf(row: MasterRow): LiveInstrument | undefined {
  const text = (name: string): string => (typeof row[name] === 'string' ? row[name] : '');
  const whole = (name: string): number => {
    const value = Number(row[name] ?? NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : NaN;
  };
  const [refId, lotSize, tickSize] = [whole('ref_id'), whole('lot_size'), whole('tick_size')];
  const [exchange, type, stockName] = [text('exchange'), text('derivative_type'), text('stock_name')];
  if (Number.isNaN(refId) || !(lotSize > 0) || !(tickSize > 0)) return undefined;
  if (!EXCHANGES.includes(exchange) || !TYPES.includes(type)) return undefined;
  const option = text('option_type');
  const branded = (end: string, not: string): string =>
    Object.keys(row).find((name) => name.endsWith(end) && name !== not) ?? '';
  const derivativeType = type as DerivativeType;
  const isDerivative = derivativeType === 'FUT' || derivativeType === 'OPT';
  const platName = text(branded('_name', 'stock_name'));
  const symbol = symbolOf({ stockName, platName, asset: text('asset'), isDerivative });
  if (symbol === undefined) return undefined;
  const asset = text('asset') || symbol;
  const lotMultiplier = multiplierOf(row['qty_multiplier'], exchange, asset, lotSize);
  if (lotMultiplier === undefined) return undefined;
  const instrument: Instrument = {
    refId,
    platId: whole(branded('_id', 'ref_id')) || 0,
    token: whole('token') || 0,
    exchange: exchange as ExchangeCode,
    symbol,
    stockName,
    series: text('series'),
    platName,
    displayName: symbol,
    asset,
    assetType: text('asset_type'),
    derivativeType,
    optionType: derivativeType === 'OPT' && (option === 'CE' || option === 'PE') ? option : 'N/A',
    strikePrice: whole('strike_price') || 0,
    expiry: whole('expiry') || 0,
    isin: text('isin'),
    lotSize,
    lotMultiplier,
    tickSize,
    freezeQty: MAX_QUANTITY,
    bandPercent: null,
    underlyingRefId: null,
    closingAuction: false,
  };
  const close = whole('underlying_prev_close');
  return { instrument, previousClose: isDerivative || Number.isNaN(close) ? undefined : close };
}
