import type { Family, TradingDays } from '../reference/calendar';
import { keyOf, mix, signed, under } from '../../shared/random';
import { IndexRoot, PathCache, SingleRoot, type Root } from './price-process';
import { MarketFactor } from './random-walk';
import {
  commodities,
  equities,
  freezes,
  indexMembers,
  indices,
  inForce,
  lots,
  underlyings,
  type CommodityRow,
  type EquityRow,
} from '../reference/tables';
import type { ExchangeCode } from '../reference/types';

/** What derivatives are written on. */
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

/** Codes of the underlyings: NSE and BSE by their row, stocks on BSE after them, commodities last. */
const BSE_STOCKS = 256;
const COMMODITIES = 480;

/** Days of prices that are kept ready, each of some 6 KB. */
const KEPT_PATHS = 4000;

/** Daily returns of single stocks stay this far inside their price band. */
const INSIDE_BAND = 0.98;
const DYNAMIC_BAND = 10;

/** Every stock, index and commodity of the tables, and its prices under a seed; made when first asked for. */
export class Assets {
  readonly underlyings: readonly Underlying[];
  readonly equityRowOf: ReadonlyMap<string, number>;
  readonly bseRowOf: ReadonlyMap<string, number>;
  readonly indexRowOf: ReadonlyMap<string, number>;
  private readonly byCode = new Map<number, Underlying>();
  private readonly byName = new Map<string, Underlying>();
  private readonly withDerivatives = new Set<string>();
  private readonly equityRoots = new Map<number, SingleRoot>();
  private readonly indexRoots = new Map<number, IndexRoot>();
  private readonly commodityRoots = new Map<string, SingleRoot>();
  private readonly factor: MarketFactor;
  private readonly calm: MarketFactor;
  private readonly key: number;
  private readonly paths = new PathCache(KEPT_PATHS);

  constructor(
    seed: number,
    private readonly days: Record<Family, TradingDays>,
  ) {
    this.key = mix(seed);
    this.factor = new MarketFactor(seed);
    this.calm = new MarketFactor(seed ^ 0x5bd1e995);
    this.equityRowOf = new Map(equities().flatMap((row, i) => (row.symbol === '' ? [] : [[row.symbol, i]])));
    this.bseRowOf = new Map(equities().flatMap((row, i) => (row.bseSymbol === '' ? [] : [[row.bseSymbol, i]])));
    this.indexRowOf = new Map(indices().map((row, i) => [`${row.exchange} ${row.symbol}`, i]));
    this.underlyings = this.list();
    for (const underlying of this.underlyings) {
      this.byCode.set(underlying.code, underlying);
      this.byName.set(`${underlying.exchange} ${underlying.symbol}`, underlying);
    }
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
      .filter((one) => one.kind === 'STOCK' && (equities()[one.row] as EquityRow).bseSymbol !== '')
      .map((one): Underlying => ({
        ...one,
        code: BSE_STOCKS + one.code,
        exchange: 'BSE',
        symbol: (equities()[one.row] as EquityRow).bseSymbol,
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

  /** Whether a stock has derivatives: then it has no fixed band and closes by auction. */
  hasDerivatives(row: EquityRow): boolean {
    return row.symbol !== '' && this.withDerivatives.has(row.symbol);
  }

  /** Quantity of one contract on a day. */
  lotOn(underlying: Underlying, day: number): number {
    const rows = lots().filter((row) => row.exchange === underlying.exchange && row.symbol === underlying.symbol);
    return inForce(rows, day)[0]?.lot ?? underlying.lot;
  }

  /** Largest quantity of one order in derivatives on a day. */
  freezeOn(underlying: Underlying, day: number): number {
    const rows = freezes().filter((row) => row.exchange === underlying.exchange && row.symbol === underlying.symbol);
    return inForce(rows, day)[0]?.freeze ?? underlying.freeze;
  }

  equityRoot(index: number): SingleRoot {
    let root = this.equityRoots.get(index);
    if (!root) {
      const row = equities()[index] as EquityRow;
      const key = under(this.key, keyOf(row.isin));
      const liquid = Math.min(Math.log10(row.close * row.volume) / 12, 1);
      const beta = Math.min(liquid * (1 + 0.4 * signed(keyOf(`beta ${row.isin}`))), (1.6 * row.volatility) / 0.016);
      root = new SingleRoot(
        this.days.equity,
        this.paths,
        {
          key,
          close: row.close,
          volatility: row.volatility,
          beta,
          limit: ((row.band ?? DYNAMIC_BAND) / 100) * INSIDE_BAND,
          auction: this.hasDerivatives(row),
        },
        this.factor,
      );
      this.equityRoots.set(index, root);
    }
    return root;
  }

  indexRoot(index: number): IndexRoot {
    let root = this.indexRoots.get(index);
    if (!root) {
      const row = indices()[index];
      const list = indexMembers().find((entry) => entry.index === row?.symbol);
      if (!row || !list) throw new Error(`index_members.csv: no members of index ${row?.symbol ?? index}`);
      const members = list.members.map(({ symbol, weight }) => {
        const at = this.equityRowOf.get(symbol);
        if (at === undefined) throw new Error(`index_members.csv: ${symbol} of ${row.symbol} is not in equities.csv`);
        return { root: this.equityRoot(at), weight };
      });
      root = new IndexRoot(
        this.days.equity,
        this.paths,
        under(this.key, keyOf(`index ${row.exchange} ${row.symbol}`)),
        row.close,
        members,
      );
      this.indexRoots.set(index, root);
    }
    return root;
  }

  /** The root of a commodity, shared by all its sizes, and the ratio of their prices to it. */
  commodityRoot(row: CommodityRow): { root: SingleRoot; ratio: number } {
    const main = row.follows === '' ? row : (commodities().find((other) => other.symbol === row.follows) ?? row);
    let root = this.commodityRoots.get(main.symbol);
    if (!root) {
      const nature = {
        key: under(this.key, keyOf(`commodity ${main.symbol}`)),
        close: main.close,
        volatility: main.volatility,
      };
      root = new SingleRoot(
        this.days.commodity,
        this.paths,
        { ...nature, beta: 0, limit: 0.0882, auction: false },
        this.calm,
      );
      this.commodityRoots.set(main.symbol, root);
    }
    return { root, ratio: row.close / main.close };
  }

  rootOf(underlying: Underlying): { root: Root; ratio: number } {
    if (underlying.commodity) return this.commodityRoot(underlying.commodity);
    const root = underlying.kind === 'INDEX' ? this.indexRoot(underlying.row) : this.equityRoot(underlying.row);
    return { root, ratio: 1 };
  }
}
