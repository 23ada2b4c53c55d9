/** Entries that are kept; the oldest leave first. */
const KEPT = 200_000;

export type JournalValue = string | number | boolean | null | undefined | JournalValue[] | { [name: string]: JournalValue };

/** One thing that happened; `at` is milliseconds of virtual time. Never holds a token, a code or a PAN. */
export interface JournalEntry {
  seq: number;
  at: number;
  kind: string;
  data: { [name: string]: JournalValue };
}

/** The truth: every login, order event, trade and frame, in order. */
export class Journal {
  private entries: JournalEntry[] = [];
  private seq = 0;

  write(at: number, kind: string, data: JournalEntry['data']): void {
    this.entries.push({ seq: ++this.seq, at, kind, data });
    if (this.entries.length > KEPT * 1.1) this.entries = this.entries.slice(-KEPT);
  }

  /** Entries after a number, all kinds or one, oldest first. */
  after(seq: number, kind: string | undefined, limit: number): JournalEntry[] {
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
    this.seq = 0;
  }
}
