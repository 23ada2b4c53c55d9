import { formerSymbolsSource } from '../reference/dated-tables';
import { isFormer, type NamedInstrument } from './instrument-names';

/** Number of former symbols of a file that are named. */
const LISTED = 8;

/** The former symbols by which a file names shares. */
export class FormerNames {
  private readonly renamed = new Map<string, string>();

  /** Takes down a name of a file where it is the former symbol of what it was found to be. */
  add(name: string, named: NamedInstrument): void {
    if (isFormer(name, named)) this.renamed.set(name.trim(), named.symbol);
  }

  /** A sentence: `x.csv: MCDOWELL-N is UNITDSPR today, by NSE's list of …`; none where no name is a former one. */
  notes(file: string): string[] {
    const all = [...this.renamed].map(([former, symbol]) => `${former} is ${symbol} today`);
    if (all.length === 0) return [];
    const more = all.length - LISTED;
    const listed = `${all.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return [`${file}: ${listed}, by ${formerSymbolsSource()}.`];
  }
}
