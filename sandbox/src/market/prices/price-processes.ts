import type { AssetCatalog, FundHolding, Underlying } from '../reference/catalog';
import type { MarketFamily, HoursSegment, TradingDays } from '../reference/calendar';
import type { Recordings } from '../recordings/types';
import { IndexDrivenFactor } from './index-driven-factor';
import { RecordedPriceProcess } from './recorded-process';
import type { ListingCloses } from '../reference/derivative-listing';
import { keyOf, hashInteger, signedUniform, subKey } from '../../shared/random';
import { AssetPriceProcess } from './asset-process';
import { FundPriceProcess } from './fund-process';
import { IndexPriceProcess } from './index-process';
import { PathCache, type PriceProcess } from './price-process';
import { MarketFactor } from './market-factor';
import {
  BASE_DATE,
  commodities,
  equities,
  indexMembers,
  indices,
  type CommodityRow,
  type EquityRow,
} from '../reference/dated-tables';

/** Days of prices that are kept ready, each of some 6 KB. */
const KEPT_PATHS = 4000;

/** Daily returns of single stocks stay this far inside their price band. */
const INSIDE_BAND = 0.98;
/** Stocks with derivatives have no fixed band; they move no further than this in a day, percent. */
const DYNAMIC_BAND = 20;

/** Indices that the whole market goes with where they were recorded, the broadest first. */
const LEADERS = ['NSE NIFTY', 'BSE SENSEX', 'NSE BANKNIFTY'];

/** Further sources of prices. */
export interface PriceSources {
  /** Recordings of a real market. */
  recordings?: Recordings | undefined;
  /** True if everything trades around the clock; by the exchanges' hours when left out. */
  always?: boolean;
}

/** The price process of every stock, index and commodity under a seed; each is made when it is first asked for. */
export class PriceProcesses implements ListingCloses {
  private readonly equityProcesses = new Map<number, AssetPriceProcess>();
  private readonly fundProcesses = new Map<number, FundPriceProcess>();
  private readonly indexProcesses = new Map<number, IndexPriceProcess>();
  private readonly recordedProcesses = new Map<string, RecordedPriceProcess>();
  private readonly commodityProcesses = new Map<string, AssetPriceProcess>();
  private readonly factor: MarketFactor;
  private readonly leaderName: string | undefined;
  /**
   * Process without the leading index: the market without it, and the last day before it does. From the closes of that day all others are
   * counted, so that no level tells what the index is going to do.
   */
  private readonly unled: { processes: PriceProcesses; index: number } | undefined;
  private readonly calm: MarketFactor;
  private readonly key: number;
  private readonly paths = new PathCache(KEPT_PATHS);
  private readonly recordings: Recordings | undefined;
  private readonly always: boolean;

  constructor(
    seed: number,
    private readonly catalog: AssetCatalog,
    private readonly days: Record<MarketFamily, TradingDays>,
    { recordings, always = false }: PriceSources = {},
  ) {
    this.key = hashInteger(seed);
    this.recordings = recordings;
    this.always = always;
    const leader = LEADERS.find((name) => recordings?.instruments.has(name));
    this.leaderName = leader;
    if (leader !== undefined) {
      const [first] = recordings!.instruments.get(leader)!.days.keys();
      const index = days.equity.indexOf(first!) - 1;
      this.unled = { processes: new PriceProcesses(seed, catalog, days), index };
    }
    this.factor =
      leader === undefined
        ? new MarketFactor(seed, days.equity)
        : new IndexDrivenFactor(seed, days.equity, () => this.leader(leader));
    this.calm = new MarketFactor(seed ^ 0x5bd1e995, days.commodity);
  }

  equityClose(row: number, index: number): number {
    return this.equityProcess(row).close(index);
  }

  closesOf(underlying: Underlying): (index: number) => number {
    const { root, ratio } = this.processOf(underlying);
    return (index) => root.close(index) * ratio;
  }

  /** Returns the strength with which the share in a row follows the market: move of its logarithm for one of the market's. */
  betaOf(row: number): number {
    return this.madeUpEquity(row).shares.shared / this.factor.volatility;
  }

  /** The index that leads all shares, and how strongly its members follow the factor on average. */
  private leader(name: string): { process: RecordedPriceProcess; beta: number } {
    const row = this.catalog.indexRowOf.get(name)!;
    const { members } = this.madeUpIndex(row);
    const beta =
      members.reduce((sum, { root, weight }) => sum + weight * root.shares.shared, 0) / this.factor.volatility;
    return { process: this.indexProcess(row) as RecordedPriceProcess, beta };
  }

  /** Returns the recorded process of an instrument where it was recorded. */
  private orRecorded<T extends PriceProcess>(
    name: string,
    madeUp: () => T,
    segment: HoursSegment,
  ): T | RecordedPriceProcess {
    const recording = this.recordings?.instruments.get(name);
    if (recording === undefined) return madeUp();
    let root = this.recordedProcesses.get(name);
    if (!root) {
      const key = subKey(this.key, keyOf(`recorded ${name}`));
      const usual = madeUp();
      const { days, paths, factor } = this;
      root = new RecordedPriceProcess({
        days: days.equity,
        cache: paths,
        madeUp: usual,
        recording,
        key,
        clockKey: subKey(this.key, keyOf('recorded minutes')),
        segment,
        follows: name === this.leaderName ? undefined : { factor, correlation: usual.together },
      });
      this.recordedProcesses.set(name, root);
    }
    return root;
  }

  equityProcess(index: number): PriceProcess {
    const row = equities()[index] as EquityRow;
    const segment = this.catalog.hasDerivatives(row) ? 'auction' : 'cash';
    const name = row.symbol === '' ? `BSE ${row.bseSymbol}` : `NSE ${row.symbol}`;
    const holding = this.catalog.holdingOf.get(row.symbol);
    return holding
      ? this.orRecorded(name, () => this.madeUpFund(index, holding), segment)
      : this.orRecorded(name, () => this.madeUpEquity(index), segment);
  }

  /** The exchange whose prices the process of a share has: NSE where it trades there, unless those of BSE were recorded. */
  exchangeOf(index: number): 'NSE' | 'BSE' {
    const { symbol } = equities()[index] as EquityRow;
    return symbol === '' ? 'BSE' : (this.recordings?.instruments.get(`NSE ${symbol}`)?.seenOn ?? 'NSE');
  }

  indexProcess(index: number): PriceProcess {
    const row = indices()[index];
    const name = `${row?.exchange} ${row?.symbol}`;
    return this.orRecorded(name, () => this.madeUpIndex(index), 'auction');
  }

  private madeUpEquity(index: number): AssetPriceProcess {
    let root = this.equityProcesses.get(index);
    if (!root) {
      const row = equities()[index] as EquityRow;
      const key = subKey(this.key, keyOf(row.isin));
      const liquid = Math.min(Math.log10(row.close * row.volume) / 12, 1);
      const beta = Math.min(
        liquid * (1 + 0.4 * signedUniform(keyOf(`beta ${row.isin}`))),
        (1.6 * row.volatility) / 0.016,
      );
      root = new AssetPriceProcess(
        this.days.equity,
        this.paths,
        {
          key,
          close: this.unled?.processes.madeUpEquity(index).close(this.unled.index) ?? row.close,
          base: this.unled?.index,
          volatility: row.volatility,
          beta,
          limit: ((row.band ?? DYNAMIC_BAND) / 100) * INSIDE_BAND,
          auction: this.catalog.hasDerivatives(row),
        },
        this.factor,
      );
      this.equityProcesses.set(index, root);
    }
    return root;
  }

  private madeUpFund(index: number, holding: FundHolding): FundPriceProcess {
    let root = this.fundProcesses.get(index);
    if (!root) {
      const row = equities()[index] as EquityRow;
      const { unled } = this;
      const days = this.days.equity;
      root = new FundPriceProcess(
        days,
        this.paths,
        {
          key: subKey(this.key, keyOf(`fund ${row.isin}`)),
          close: unled?.processes.equityProcess(index).close(unled.index) ?? row.close,
          base: unled?.index ?? days.notAfter(BASE_DATE),
          holds: 'index' in holding ? this.indexProcess(holding.index) : this.commodityProcess(holding.commodity).root,
          preOpen: !this.always,
        },
        this.factor,
      );
      this.fundProcesses.set(index, root);
    }
    return root;
  }

  private madeUpIndex(index: number): IndexPriceProcess {
    let root = this.indexProcesses.get(index);
    if (!root) {
      const row = indices()[index];
      const list = indexMembers().find((entry) => entry.index === row?.symbol);
      if (!row || !list) throw new Error(`index_members.csv: no members of index ${row?.symbol ?? index}`);
      const members = list.members.map(({ symbol, weight }) => {
        const at = this.catalog.equityRowOf.get(symbol);
        if (at === undefined) throw new Error(`index_members.csv: ${symbol} of ${row.symbol} is not in equities.csv`);
        return { root: this.madeUpEquity(at), weight };
      });
      const { unled } = this;
      const close = unled?.processes.madeUpIndex(index).close(unled.index) ?? row.close;
      root = new IndexPriceProcess(this.days.equity, this.paths, this.factor, close, members, unled?.index);
      this.indexProcesses.set(index, root);
    }
    return root;
  }

  /** The root of a commodity, shared by all its sizes, and the ratio of their prices to it. */
  commodityProcess(row: CommodityRow): { root: AssetPriceProcess; ratio: number } {
    const main = row.follows === '' ? row : (commodities().find((other) => other.symbol === row.follows) ?? row);
    let root = this.commodityProcesses.get(main.symbol);
    if (!root) {
      const nature = {
        key: subKey(this.key, keyOf(`commodity ${main.symbol}`)),
        close: main.close,
        volatility: main.volatility,
      };
      root = new AssetPriceProcess(
        this.days.commodity,
        this.paths,
        { ...nature, beta: 0, limit: 0.0882, auction: false },
        this.calm,
      );
      this.commodityProcesses.set(main.symbol, root);
    }
    return { root, ratio: row.close / main.close };
  }

  processOf(underlying: Underlying): { root: PriceProcess; ratio: number } {
    if (underlying.commodity) return this.commodityProcess(underlying.commodity);
    const root = underlying.kind === 'INDEX' ? this.indexProcess(underlying.row) : this.equityProcess(underlying.row);
    return { root, ratio: 1 };
  }
}
