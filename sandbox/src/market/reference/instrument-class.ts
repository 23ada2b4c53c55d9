/** Class of an instrument for taxes and charges. */
import { funds } from './dated-tables';
import { isFund } from './ticks';
import type { Instrument } from './types';

/** EQUITY_FUND: units of a fund of Indian shares. OTHER_FUND: of gold, silver, bonds, money or foreign shares. */
export type InstrumentClass = 'SHARE' | 'EQUITY_FUND' | 'OTHER_FUND' | 'FUTURE' | 'OPTION';

/** Funds of no Indian shares, by their symbols, where no table tells what they hold. */
const OTHER_FUND =
  /GOLD|SILV|LIQ|CASH|GILT|GSEC|SEC$|GS813|BBETF|BOND|SDL|MON100|MONQ50|MAFANG|MAHKTECH|MASPTOP50|HNGSNG/;
/** Farm products, on which there is no commodities transaction tax (notification 46/2013 of the Central Board of Direct Taxes). */
const FARM_PRODUCTS: ReadonlySet<string> = new Set(['CARDAMOM', 'COTTON', 'KAPAS']);

/**
 * Returns the instrument whose price settles a derivative: the future of an option that is on one, else its underlying. Of an option whose
 * future is not listed yet it is the nearest future until then.
 * @param find looks up a ref_id; undefined if nothing is listed under it
 */
export function settledBy(
  { settlesInto, underlyingRefId }: Instrument,
  find: (refId: number) => Instrument | undefined,
): Instrument | undefined {
  const future = settlesInto === undefined ? undefined : find(settlesInto);
  return future ?? (underlyingRefId === null ? undefined : find(underlyingRefId));
}

let metalFunds: ReadonlySet<string> | undefined;

/** Class of an instrument; an index, which cannot be traded, is as its shares. */
export function instrumentClassOf({ derivativeType, isin, symbol }: Instrument): InstrumentClass {
  if (derivativeType === 'FUT') return 'FUTURE';
  if (derivativeType === 'OPT') return 'OPTION';
  if (!isFund(isin)) return 'SHARE';
  metalFunds ??= new Set(
    funds()
      .filter(({ exchange }) => exchange === 'MCX')
      .flatMap(({ symbols }) => symbols),
  );
  return metalFunds.has(symbol) || OTHER_FUND.test(symbol) ? 'OTHER_FUND' : 'EQUITY_FUND';
}

/** True for contracts on a farm product: no commodities transaction tax, and a lower fee of SEBI on futures. */
export const isFarmProduct = ({ asset }: Instrument): boolean => FARM_PRODUCTS.has(asset);
