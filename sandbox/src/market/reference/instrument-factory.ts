import { familyOf } from './calendar';
import type { Underlying } from './catalog';
import { encodeId, IdPermutation, strikeNumber, type InstrumentIdentity } from './ids';
import {
  dateText,
  type FutureSeries,
  type DerivativeListing,
  type OptionSeries,
  type UniverseSources,
} from './derivative-listing';
import { equities, indices, type EquityRow } from './dated-tables';
import { FUND_TICK, INDEX_TICK, isFund, shareTicks, tickOf } from './ticks';
import type { Instrument } from './types';

/** Largest quantity of one order in the cash market. */
const MAX_QUANTITY = 100_000;

/** Exchange tokens of derivatives: the same under every seed, above those of shares and indices, no two alike. */
const tokens = new IdPermutation(0);
const FIRST_TOKEN = 1_000_000;
const tokenOf = (platId: number): number => FIRST_TOKEN + tokens.scramble(platId - 1);

/** The identity of an option of a series. */
export function optionIdentity({ underlying, expiry }: OptionSeries, strike: number, put: boolean): InstrumentIdentity {
  return { kind: 'OPT', underlying: underlying.code, expiry, strike: strikeNumber(strike, underlying.strikeStep), put };
}

/** Makes the instruments of one day. */
export class InstrumentFactory {
  constructor(
    private readonly sources: UniverseSources,
    private readonly listing: DerivativeListing,
  ) {}

  make(identity: InstrumentIdentity): Instrument {
    if ('row' in identity)
      return identity.kind === 'INDEX' ? this.index(identity.row) : this.cash(identity.kind, identity.row);
    const underlying = this.sources.catalog.underlyingByCode(identity.underlying) as Underlying;
    if (identity.kind === 'FUT') {
      return this.future(
        this.listing
          .futuresOf(underlying)
          .find((futureSeries) => futureSeries.expiry === identity.expiry) as FutureSeries,
      );
    }
    const series = this.listing
      .seriesOf(underlying)
      .find((series) => series.expiry === identity.expiry) as OptionSeries;
    const strike = series.strikes.find(
      (strike) => strikeNumber(strike, underlying.strikeStep) === identity.strike,
    ) as number;
    return this.option(series, strike, identity.put);
  }

  private ids(identity: InstrumentIdentity): { refId: number; platId: number } {
    const code = encodeId(identity);
    return { refId: this.sources.scramble.scramble(code), platId: code + 1 };
  }

  private index(row: number): Instrument {
    const { exchange, symbol, name, token } = indices()[row] as {
      exchange: 'NSE' | 'BSE';
      symbol: string;
      name: string;
      token: number;
    };
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
      lotMultiplier: 1,
      tickSize: INDEX_TICK[exchange],
      freezeQty: MAX_QUANTITY,
      bandPercent: null,
      underlyingRefId: null,
      closingAuction: false,
    };
  }

  private cash(exchange: 'NSE' | 'BSE', row: number): Instrument {
    const { catalog, closes, days } = this.sources;
    const facts = equities()[row] as EquityRow;
    const symbol = exchange === 'NSE' ? facts.symbol : facts.bseSymbol;
    const series = exchange === 'NSE' ? facts.series : facts.bseGroup;
    const close = closes.equityClose(row, this.listing.indexOf.equity - 1);
    const day = days.equity.at(this.listing.indexOf.equity);
    return {
      ...this.ids({ kind: exchange, row }),
      token: exchange === 'NSE' ? facts.token : facts.bseCode,
      exchange,
      symbol,
      stockName: symbol,
      series,
      platName: `STOCK_${symbol}.${exchange}CM`,
      displayName: facts.name,
      asset: symbol,
      assetType: 'EQUITY',
      derivativeType: 'STOCK',
      optionType: 'N/A',
      strikePrice: 0,
      expiry: 0,
      isin: facts.isin,
      lotSize: facts.lot,
      lotMultiplier: facts.lot,
      tickSize: isFund(facts.isin) ? FUND_TICK : tickOf(shareTicks(series), day, close),
      freezeQty: MAX_QUANTITY,
      bandPercent: facts.band,
      underlyingRefId: null,
      closingAuction:
        catalog.hasDerivatives(facts) && days.equity.grid(this.listing.indexOf.equity).auctionPrint !== null,
    };
  }

  future({ underlying, expiry, code }: FutureSeries): Instrument {
    const ids = this.ids({ kind: 'FUT', underlying: underlying.code, expiry });
    const index = this.listing.indexOf[familyOf(underlying.exchange)] - 1;
    const close = this.sources.closes.closesOf(underlying)(index);
    const kind = underlying.kind === 'INDEX' ? 'index_future' : 'cash';
    const common = this.listing.common(underlying, { day: expiry, cycle: 'month' });
    const name = `${underlying.symbol}${code}FUT`;
    return {
      ...ids,
      ...common,
      token: tokenOf(ids.platId),
      symbol: name,
      stockName: name,
      platName: `FUT_${underlying.symbol}_${common.expiry}`,
      displayName: `${underlying.symbol} ${dateText(expiry)} FUT`,
      derivativeType: 'FUT',
      tickSize: underlying.commodity?.tick ?? tickOf(kind, this.listing.day, close),
    };
  }

  option(series: OptionSeries, strike: number, put: boolean): Instrument {
    const ids = this.ids(optionIdentity(series, strike, put));
    const {
      exchange,
      series: name,
      asset,
      assetType,
      expiry,
      isin,
      lotSize,
      lotMultiplier,
      freezeQty,
      bandPercent,
      underlyingRefId,
      settlesInto,
    } = series.common;
    const type = put ? 'PE' : 'CE';
    const rupees = strike / 100;
    const symbol = `${series.symbol}${rupees}${type}`;
    return {
      refId: ids.refId,
      platId: ids.platId,
      token: tokenOf(ids.platId),
      exchange,
      symbol,
      stockName: symbol,
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
      lotMultiplier,
      tickSize: series.tick,
      freezeQty,
      bandPercent,
      underlyingRefId,
      ...(settlesInto !== undefined && { settlesInto }),
      closingAuction: false,
    };
  }
}
