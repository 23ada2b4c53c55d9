/**
 * Short names that people use in place of a share's symbol or its company's name, and the names of contracts on MCX that its symbols abbreviate.
 * Only names with one meaning: HDFC, ICICI, LIC or KOTAK are several companies, and get proposals instead.
 */
import { withoutLegalForm } from './companies';
import { squashName } from './index-aliases';

/** ISIN by the name without blanks and punctuation. LTIMindtree is the former name of LTM. */
const SHARES: ReadonlyMap<string, string> = new Map([
  ['BOB', 'INE028A01039'],
  ['HPCL', 'INE094A01015'],
  ['HUL', 'INE030A01027'],
  ['LT', 'INE018A01030'],
  ['LTIMINDTREE', 'INE214T01019'],
  ['POLICYBAZAAR', 'INE417T01026'],
  ['RIL', 'INE002A01018'],
  ['SBI', 'INE062A01020'],
]);

/** Symbol on MCX by the name without blanks and punctuation. */
const COMMODITIES: ReadonlyMap<string, string> = new Map([
  ['ALUMINIUMMINI', 'ALUMINI'],
  ['ALUMINUM', 'ALUMINIUM'],
  ['ALUMINUMMINI', 'ALUMINI'],
  ['COTTONCANDY', 'COTTON'],
  ['COTTONCNDY', 'COTTON'],
  ['CRUDE', 'CRUDEOIL'],
  ['CRUDEMINI', 'CRUDEOILM'],
  ['CRUDEOILMINI', 'CRUDEOILM'],
  ['ELECTRICITY', 'ELECDMBL'],
  ['GOLDMINI', 'GOLDM'],
  ['NATGAS', 'NATURALGAS'],
  ['NATURALGASMINI', 'NATGASMINI'],
  ['SILVERMICRO', 'SILVERMIC'],
  ['SILVERMINI', 'SILVERM'],
]);

/** Returns the ISIN of the share that people call so; undefined if none is. @param name capitals */
export function isinOfCommonName(name: string): string | undefined {
  return SHARES.get(squashName(withoutLegalForm(name)));
}

/** Returns the symbol on MCX of a commodity that people call so; undefined if none is. @param name capitals */
export function commodityCalled(name: string): string | undefined {
  return COMMODITIES.get(squashName(name));
}
