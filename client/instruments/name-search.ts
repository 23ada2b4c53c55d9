/** Searches lists of instruments for one written name. */
import { InputError } from '../base/errors';
import { dateToNumber, istDate } from '../values/time';
import { futuresRows, matchContract, type MissingContractPart } from './expiries';
import { cashRows, rootOfName, rowsOfOwnName } from './find-rows';
import type { Instrument } from './instrument';
import type { Contract } from './names/contract';
import { readContractCode, readSpacedCode } from './names/contract-codes';
import { readContractWords } from './names/contract-words';
import type { InstrumentKind } from './names/exchanges';
import type { WrittenName } from './names/written-name';
import type { InstrumentStore } from './store';

/** Ranks of errors, the best explanation last: the reading that matches the most wins. */
const RANKS: readonly MissingContractPart[] = ['underlying', 'no expiry written', 'expiry', 'strike'];

/** Looks for the readings of one name, and remembers why they were none. */
export class NameSearch {
  private expired: Instrument | undefined;
  private missing: { rank: number; error: InputError } | undefined;
  private readonly today: string;

  constructor(
    private readonly stores: readonly InstrumentStore[],
    private readonly now: number,
    private readonly parameter: string,
  ) {
    this.today = istDate(now);
  }

  /** The reason for an empty result, if more is known than that nothing has this name. */
  get failure(): InputError | undefined {
    if (this.expired === undefined) return this.missing?.error;
    return new InputError(`${this.expired.symbol} expired on ${this.expired.expiry}.`, {
      parameter: this.parameter,
      hint: 'Choose a contract that has not expired.',
    });
  }

  /** The rows of one reading, in the first exchange that has any. */
  find(name: WrittenName): { store: InstrumentStore; rows: number[] } | undefined {
    for (const store of this.stores) {
      if (name.exchange !== undefined && store.exchange !== name.exchange) continue;
      const rows = this.rowsIn(store, name);
      if (rows.length > 0) return { store, rows };
    }
    return undefined;
  }

  private rowsIn(store: InstrumentStore, name: WrittenName): number[] {
    if (name.token !== undefined)
      return store.rowsOfToken(name.token).filter((row) => store.expiry(row) === 0 && fitsName(store, row, name));
    if (name.nthFuture !== undefined && !isOfKind('FUT', name)) return [];
    if (name.nthFuture !== undefined)
      return futuresRows(store, name.text, this.now).slice(name.nthFuture - 1, name.nthFuture);
    const own = rowsOfOwnName(store, name.text);
    const alive = own.filter((row) => isUnexpired(store, row, this.today));
    if (own[0] !== undefined && alive.length === 0) this.expired ??= store.instrument(own[0]);
    const exact = alive.filter((row) => fitsName(store, row, name));
    if (exact.length > 0) return exact;
    const root = rootOfName(store, name.text);
    const cash = root === undefined ? [] : cashRows(store, root).filter((row) => fitsName(store, row, name));
    if (cash.length > 0 || name.series !== undefined || !isOfKind('FUT', name)) return cash;
    return this.contractsIn(store, name.text);
  }

  /** The rows of a contract, by every reading that exists. */
  private contractsIn(store: InstrumentStore, text: string): number[] {
    const { rows, isKnown } = this.rowsOf(store, readContracts(text));
    return rows.length > 0 || isKnown || !text.includes(' ') ? rows : this.rowsOf(store, readSpacedCode(text)).rows;
  }

  /** The rows of contracts, and whether the underlying of one of them has derivatives. */
  private rowsOf(store: InstrumentStore, contracts: readonly Contract[]): { rows: number[]; isKnown: boolean } {
    const rows = new Set<number>();
    let isKnown = false;
    for (const contract of contracts) {
      const match = matchContract(store, contract, this.today, this.parameter);
      if ('rows' in match) for (const row of match.rows) rows.add(row);
      else {
        isKnown ||= match.missing !== 'underlying';
        this.note(match.missing, match.error);
      }
    }
    return { rows: [...rows], isKnown };
  }

  private note(missing: MissingContractPart, error: InputError): void {
    const rank = RANKS.indexOf(missing);
    if (missing !== 'underlying' && rank > (this.missing?.rank ?? 0)) this.missing = { rank, error };
  }
}

/** Every contract that a text can stand for: as one code, or in words. @param text capitals */
export function readContracts(text: string): Contract[] {
  return [...(text.includes(' ') ? [] : readContractCode(text)), ...readContractWords(text)];
}

const isOfKind = (kind: InstrumentKind, { kinds }: WrittenName): boolean => kinds?.includes(kind) !== false;

function fitsName(store: InstrumentStore, row: number, name: WrittenName): boolean {
  return (name.series === undefined || store.series(row) === name.series) && isOfKind(store.kind(row), name);
}

/** Returns true if a row has not expired on a date (YYYY-MM-DD). */
export function isUnexpired(store: InstrumentStore, row: number, today: string): boolean {
  const expiry = store.expiry(row);
  return expiry === 0 || expiry >= dateToNumber(today);
}
