import type { AssetCatalog } from '../reference/catalog';
import { decodeId, type IdPermutation } from '../reference/ids';
import { isFund } from '../reference/ticks';
import { equities, indexMembers, indices, type EquityRow } from '../reference/dated-tables';

/** Factors with which an instrument's price moves. */
export interface FactorExposure {
  /** Asset that is priced: the same for a share on both exchanges, its own for every derivative. */
  asset: string;
  /** Move of the logarithm of its price for one of the whole market's; 0 for what has members, commodities and derivatives. */
  beta: number;
  /** Members of an index or a fund; the weights sum to 1. */
  members: readonly { of: FactorExposure; weight: number }[];
}

/** Funds of metals and of money do not go with shares. */
const OTHER_FUND = /GOLD|SILVER|LIQ|GILT|GSEC|SDL|BOND/;

const NONE: readonly { of: FactorExposure; weight: number }[] = [];

/** Exposures of all instruments. */
export class FactorExposures {
  private readonly exposures = new Map<string, FactorExposure>();

  /** @param betaOf how strongly the share in a row follows the market */
  constructor(
    private readonly catalog: AssetCatalog,
    private readonly scramble: IdPermutation,
    private readonly betaOf: (row: number) => number,
  ) {}

  of(refId: number): FactorExposure {
    const identity = decodeId(this.scramble.restore(refId));
    if (!('row' in identity)) return { asset: `contract ${refId}`, beta: 0, members: NONE };
    return identity.kind === 'INDEX' ? this.index(identity.row) : this.share(identity.row);
  }

  private share(row: number): FactorExposure {
    return this.keep(`share ${row}`, (asset) => {
      const { symbol, name, isin } = equities()[row] as EquityRow;
      const held = this.catalog.holdingOf.get(symbol);
      if (held && 'index' in held) return { asset, beta: 0, members: [{ of: this.index(held.index), weight: 1 }] };
      const apart = isFund(isin) && OTHER_FUND.test(`${symbol} ${name}`);
      return { asset, beta: apart ? 0 : this.betaOf(row), members: NONE };
    });
  }

  private index(row: number): FactorExposure {
    return this.keep(`index ${row}`, (asset) => {
      const members = indexMembers().find(({ index }) => index === indices()[row]?.symbol)?.members ?? [];
      const sum = members.reduce((total, { weight }) => total + weight, 0);
      return {
        asset,
        beta: 0,
        members: members.map(({ symbol, weight }) => ({
          of: this.share(this.catalog.equityRowOf.get(symbol)!),
          weight: weight / sum,
        })),
      };
    });
  }

  private keep(asset: string, make: (asset: string) => FactorExposure): FactorExposure {
    let found = this.exposures.get(asset);
    if (found === undefined) {
      found = make(asset);
      this.exposures.set(asset, found);
    }
    return found;
  }
}
