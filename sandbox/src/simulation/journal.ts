/** Entries that are kept; the oldest leave first. */
export const MAX_ENTRIES = 200_000;

export type JournalValue =
  string | number | boolean | null | undefined | JournalValue[] | { [name: string]: JournalValue };

/** One thing that happened; `at` is milliseconds of virtual time. Never holds a token, a code or a PAN. */
export interface JournalEntry {
  seq: number;
  at: number;
  kind: string;
  data: JournalData;
}

/** Data of an entry. It is beside the entry's number, instant and kind, and may not use their names. */
export type JournalData = { [name: string]: JournalValue } & { seq?: never; at?: never; kind?: never };

/**
 * Store of the numbers of the entries, so that a reader who knows the last one it has read misses nothing and reads nothing twice, though
 * the process was killed in between.
 */
export interface JournalNumbers {
  /** Numbers up to `seq` were taken before the repeated entry of that ordinal (from 1). Is called before it is written. */
  skipNumbers(ordinal: number, seq: number): void;
  /** Numbers up to this one may be taken. Is called before they are. */
  reserveNumbers(seq: number): void;
}

/** Number of numbers that are reserved at once. */
const RESERVED = 1_000;

/**
 * Log of logins, order events, trades and frames, in order. A restart repeats what the world brings about; what happened to
 * connections is written once, and its numbers stay empty then.
 */
export class Journal {
  private entries: JournalEntry[] = [];
  private seq = 0;
  /** Reads what was written before a restart; undefined once it has been read. */
  private readEarlier: (() => JournalEntry[]) | undefined;
  private ordinal = 0;
  /** True if numbers were taken since the last repeated entry that a restart would not take. */
  private isApart = false;
  private reserved = 0;
  /** Of entries that are being repeated: the number before each that did not come right after the one before. */
  private skipped: ReadonlyMap<number, number> = new Map();

  /** @param numbers undefined where nothing outlives the process. */
  constructor(private readonly numbers?: JournalNumbers) {}

  /** Writes what a restart brings about again. */
  write(at: number, kind: string, data: JournalData): void {
    this.ordinal += 1;
    this.seq = Math.max(this.seq, this.skipped.get(this.ordinal) ?? 0);
    if (this.isApart) this.numbers?.skipNumbers(this.ordinal, this.seq);
    this.isApart = false;
    this.push(at, kind, data);
  }

  /** Writes what happened to a connection, which ends with the process. */
  writeOnce(at: number, kind: string, data: JournalData): void {
    this.isApart = true;
    this.push(at, kind, data);
  }

  /**
   * Goes on after an entry; those up to it are read when somebody asks for them.
   * @param ordinal of the last repeated entry up to there.
   */
  goOn(last: number, ordinal: number, readEarlier: () => JournalEntry[]): void {
    this.entries = [];
    this.seq = last;
    this.ordinal = ordinal;
    this.readEarlier = readEarlier;
  }

  /** From now on entries are repeated, under the numbers that they had. @param skipped see {@link JournalNumbers}. */
  repeat(skipped: ReadonlyMap<number, number>): void {
    this.skipped = skipped;
  }

  /** All is repeated: what comes now gets numbers that nobody has read. @param reserved see {@link JournalNumbers}. */
  repeated(reserved: number): void {
    this.skipped = new Map();
    this.reserved = reserved;
    this.isApart = reserved > this.seq;
    this.seq = Math.max(this.seq, reserved);
  }

  /** Nothing more is written: a restart goes on with the next number. */
  close(): void {
    this.numbers?.reserveNumbers(this.seq);
  }

  /** Entries written since then, all that are kept; without those of `goOn`. */
  since(seq: number): JournalEntry[] {
    return this.entries.slice(this.indexAfter(seq));
  }

  /** Entries after a number, all kinds or one, oldest first. */
  after(seq: number, kind: string | undefined, limit: number): JournalEntry[] {
    if (this.readEarlier !== undefined) {
      this.entries = [...this.readEarlier(), ...this.entries].slice(-MAX_ENTRIES);
      this.readEarlier = undefined;
    }
    const entries: JournalEntry[] = [];
    for (let index = this.indexAfter(seq); index < this.entries.length && entries.length < limit; index++) {
      const entry = this.entries[index]!;
      if (kind === undefined || entry.kind === kind) entries.push(entry);
    }
    return entries;
  }

  get last(): number {
    return this.seq;
  }

  /** Number of repeated entries. */
  get lastOrdinal(): number {
    return this.ordinal;
  }

  clear(): void {
    this.entries = [];
    this.readEarlier = undefined;
    this.seq = 0;
    this.ordinal = 0;
    this.isApart = false;
    this.reserved = 0;
  }

  private push(at: number, kind: string, data: JournalData): void {
    this.seq += 1;
    if (this.numbers && this.seq > this.reserved) {
      this.reserved = this.seq + RESERVED;
      this.numbers.reserveNumbers(this.reserved);
    }
    this.entries.push({ seq: this.seq, at, kind, data });
    if (this.entries.length > MAX_ENTRIES * 1.1) this.entries = this.entries.slice(-MAX_ENTRIES);
  }

  /** Index of the first entry after a number. */
  private indexAfter(seq: number): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle]!.seq <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
