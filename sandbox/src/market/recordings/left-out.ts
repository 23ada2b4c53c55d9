/** Counts rows of a file that are not traded, by why and by what they are of. */

/** Rows that are left out for one reason. */
export interface LeftOut {
  /** Completes "rows …": `without prices`. */
  why: string;
  /** Instruments that they are of, as the file writes them; empty where all are of the file's one instrument. */
  names: readonly string[];
  count: number;
}

/** Reason to leave out rows of a name for which this market has no share or index. */
export const NOT_HERE = 'that this market does not have';

/** Number of names that are listed, where not all are asked for. */
const LISTED = 8;

/** A sentence's part: `3 rows that this market does not have: A, B`. @param all true if every name is listed */
export function leftOutText({ why, names, count }: LeftOut, all = false): string {
  const shown = all ? names : names.slice(0, LISTED);
  const more = names.length - shown.length;
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${count} ${count === 1 ? 'row' : 'rows'} ${why}${list === '' ? '' : `: ${list}`}`;
}

/** The rows of one file that are left out. */
export class LeftOutRows {
  private readonly reasons = new Map<string, { names: Set<string>; count: number }>();
  count = 0;

  /** @param name what the row is of. @param why completes "rows …" */
  add(name: string, why: string): void {
    this.count += 1;
    const reason = this.reasons.get(why) ?? { names: new Set<string>(), count: 0 };
    this.reasons.set(why, reason);
    reason.count += 1;
    if (name !== '') reason.names.add(name);
  }

  all(): LeftOut[] {
    return [...this.reasons].map(([why, { names, count }]) => ({ why, names: [...names], count }));
  }

  /** True if all of them are of one name that this market does not have. */
  get isOneUnknownName(): boolean {
    const [{ why, names } = { why: '', names: [] }, ...others] = this.all();
    return why === NOT_HERE && names.length === 1 && others.length === 0;
  }

  /** All reasons after one another, without the numbers. */
  text(): string {
    return this.all()
      .map((reason) => leftOutText(reason).replace(/^\d+ rows? /, ''))
      .join('; ');
  }
}
