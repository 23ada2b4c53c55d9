/** Entries that are kept; the oldest leave first. */
export const KEPT = 200_000;

export type JournalValue =
  string | number | boolean | null | undefined | JournalValue[] | { [name: string]: JournalValue };

/** One thing that happened; `at` is milliseconds of virtual time. Never holds a token, a code or a PAN. */
export interface JournalEntry {
  seq: number;
  at: number;
  kind: string;
  data: { [name: string]: JournalValue };
}

/** Log of logins, order events, trades and frames, in order. */
export class Journal {
  private entries: JournalEntry[] = [];
  private seq = 0;
  /** Reads what was written before a restart; undefined once it has been read. */
  private earlier: (() => JournalEntry[]) | undefined;

  write(at: number, kind: string, data: JournalEntry['data']): void {
    this.entries.push({ seq: ++this.seq, at, kind, data });
    if (this.entries.length > KEPT * 1.1) this.entries = this.entries.slice(-KEPT);
  }

  /** Goes on after an entry; those up to it are read when somebody asks for them. */
  goOn(last: number, earlier: () => JournalEntry[]): void {
    this.entries = [];
    this.seq = last;
    this.earlier = earlier;
  }

  /** Entries written since then, all that are kept; without those of `goOn`. */
  since(seq: number): JournalEntry[] {
    const first = this.entries[0]?.seq ?? 1;
    return this.entries.slice(Math.max(0, seq + 1 - first));
  }

  /** Entries after a number, all kinds or one, oldest first. */
  after(seq: number, kind: string | undefined, limit: number): JournalEntry[] {
    if (this.earlier !== undefined) {
      this.entries = [...this.earlier(), ...this.entries].slice(-KEPT);
      this.earlier = undefined;
    }
    const found: JournalEntry[] = [];
    const first = Math.max(0, seq - (this.entries[0]?.seq ?? 1) + 1);
    for (let index = first; index < this.entries.length && found.length < limit; index++) {
      const entry = this.entries[index]!;
      if (kind === undefined || entry.kind === kind) found.push(entry);
    }
    return found;
  }

  get last(): number {
    return this.seq;
  }

  clear(): void {
    this.entries = [];
    this.earlier = undefined;
    this.seq = 0;
  }
}
