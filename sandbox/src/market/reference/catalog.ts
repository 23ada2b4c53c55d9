import {
  rowsEffectiveOn,
  commodities,
  equities,
  freezes,
  funds,
  indices,
  lots,
  underlyings,
  type CommodityRow,
  type EquityRow,
} from './dated-tables';
import type { Expiry } from './contracts';
import type { ExchangeCode } from './types';

/** Underlying of derivatives. */
export interface Underlying {
  /** Part of every ref_id of its derivatives. */
  code: number;
  exchange: ExchangeCode;
  symbol: string;
  kind: 'INDEX' | 'STOCK' | 'COMMODITY';
  /** Lot and freeze quantity where no dated table says otherwise; see lotOn and freezeOn. */
  lot: number;
  freeze: number;
  strikeStep: number;
  /** Row of the index, equity or commodity. */
  row: number;
  commodity: CommodityRow | null;
}

/** Holding of a fund: the row of an index, or a commodity. */
export type FundHolding = { index: number } | { commodity: CommodityRow };

/** Codes of the underlyings: NSE and BSE by their row, stocks on BSE after them, commodities last. */
const BSE_STOCKS = 256;
const COMMODITIES = 480;

/** True if a contract has the lot of a row on a day. */
function hasLot(row: ReturnType<typeof lots>[number], day: number, { day: expiry, cycle }: Expiry): boolean {
  const first = cycle === 'week' ? (row.weeklyFrom ?? row.monthlyFrom) : cycle === 'month' ? row.monthlyFrom : null;
  return first === null ? row.from <= day : first <= expiry;
}

/** Every stock, index, commodity and underlying of the tables, by name and code. */
export class AssetCatalog {
  readonly underlyings: readonly Underlying[];
  /** Row of a stock in the table of equities, by its symbol on NSE. */
  readonly equityRowOf: ReadonlyMap<string, number>;
  /** The same by its symbol on BSE. */
  readonly bseRowOf: ReadonlyMap<string, number>;
  /** Row of an index in the table of indices, by exchange and symbol. */
  readonly indexRowOf: ReadonlyMap<string, number>;
  /** Holding of a fund, by its symbol on NSE. */
  readonly holdingOf: ReadonlyMap<string, FundHolding>;
  private readonly byCode = new Map<number, Underlying>();
  private readonly byName = new Map<string, Underlying>();
  private readonly withDerivatives = new Set<string>();

  constructor() {
    this.equityRowOf = new Map(equities().flatMap((row, i) => (row.symbol === '' ? [] : [[row.symbol, i]])));
    this.bseRowOf = new Map(equities().flatMap((row, i) => (row.bseSymbol === '' ? [] : [[row.bseSymbol, i]])));
    this.indexRowOf = new Map(indices().map((row, i) => [`${row.exchange} ${row.symbol}`, i]));
    this.holdingOf = new Map(
      funds().flatMap(({ exchange, holds, symbols }) => {
        const holding = this.holding(exchange, holds);
        return symbols.map((symbol): [string, FundHolding] => [symbol, holding]);
      }),
    );
    this.underlyings = this.list();
    for (const underlying of this.underlyings) {
      this.byCode.set(underlying.code, underlying);
      this.byName.set(`${underlying.exchange} ${underlying.symbol}`, underlying);
    }
  }

  private holding(exchange: ExchangeCode, symbol: string): FundHolding {
    const commodity = exchange === 'MCX' ? commodities().find((row) => row.symbol === symbol) : undefined;
    if (commodity) return { commodity };
    const index = this.indexRowOf.get(`${exchange} ${symbol}`);
    if (index === undefined) throw new Error(`funds.csv: ${exchange} ${symbol} is no index and no commodity`);
    return { index };
  }

  private list(): Underlying[] {
    const own: Underlying[] = underlyings().map((row, i) => {
      if (row.kind === 'STOCK') this.withDerivatives.add(row.symbol);
      const at =
        row.kind === 'INDEX' ? this.indexRowOf.get(`${row.exchange} ${row.symbol}`) : this.equityRowOf.get(row.symbol);
      if (at === undefined) throw new Error(`underlyings.csv: ${row.symbol} is in no table of prices`);
      return { code: i, ...row, row: at, commodity: null };
    });
    const onBse = own
      .filter((underlying) => underlying.kind === 'STOCK' && (equities()[underlying.row] as EquityRow).bseSymbol !== '')
      .map((underlying): Underlying => ({
        ...underlying,
        code: BSE_STOCKS + underlying.code,
        exchange: 'BSE',
        symbol: (equities()[underlying.row] as EquityRow).bseSymbol,
      }));
    const metals = commodities().map((row, i): Underlying => ({
      code: COMMODITIES + i,
      exchange: 'MCX',
      symbol: row.symbol,
      kind: 'COMMODITY',
      lot: row.lot,
      freeze: row.freeze * row.lot,
      strikeStep: row.strikeStep,
      row: i,
      commodity: row,
    }));
    return [...own, ...onBse, ...metals];
  }

  underlyingByCode(code: number): Underlying | undefined {
    return this.byCode.get(code);
  }

  underlying(exchange: ExchangeCode, symbol: string): Underlying | undefined {
    return this.byName.get(`${exchange} ${symbol}`);
  }

  /** True if a stock has derivatives: then it has no fixed band and closes by auction. */
  hasDerivatives(row: EquityRow): boolean {
    return row.symbol !== '' && this.withDerivatives.has(row.symbol);
  }

  /**
   * Quantity of one contract on a day: weekly and monthly ones keep theirs until they expire, so that contracts of two sizes are listed
   * together after a change; longer ones change on a day.
   */
  lotOn({ exchange, symbol, lot }: Underlying, day: number, contract: Expiry): number {
    const rows = lots().filter((row) => row.exchange === exchange && row.symbol === symbol);
    return rows.findLast((row) => hasLot(row, day, contract))?.lot ?? lot;
  }

  /** Largest quantity of one order in derivatives on a day. */
  freezeOn(underlying: Underlying, day: number): number {
    const rows = freezes().filter((row) => row.exchange === underlying.exchange && row.symbol === underlying.symbol);
    return rowsEffectiveOn(rows, day)[0]?.freeze ?? underlying.freeze;
  }
}
