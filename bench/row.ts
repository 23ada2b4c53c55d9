/** A row of the bench: the same work done by several sides on the same data. */

export interface Side {
  /** The name in the table. */
  name: string;
  /** `ours`, what it is compared with, or what the machine can do at best (the limit). */
  role: 'ours' | 'alternative' | 'limit';
  /** Runs one round of the work; the result is ignored. */
  run(): Promise<unknown> | unknown;
  /** With the real data this side takes too long for every round: it is done so many times at most. */
  rounds?: number;
}

export interface Goal {
  /** The side that is measured; ours where it is left out. */
  of?: string;
  /** The side that it is compared with. */
  against: string;
  /** Ours may take at most this many times its time, or its memory. */
  times?: number;
  memory?: number;
}

/** A figure that is measured in another way than by rounds: a percentile, a rate, what is retained. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** At most, or at least, this much. */
  atMost?: number;
  atLeast?: number;
}

export interface Row {
  title: string;
  /** Description of one round, with the size of the data. */
  work: string;
  sides: Side[];
  /** Brings everything back to where it was before a side has its turn; its time does not count. */
  before?: () => Promise<void>;
  /** True if the memory of each side is measured too, in a separate process. */
  memory?: true;
  goals: Goal[];
  /** Measured once, after the rounds. */
  figures?: () => Promise<Figure[]> | Figure[];
  /** Closes what the row opened. */
  close?: () => Promise<void>;
}

/** A file bench/<name>.ts has this as its default export; `short` asks for little data, to see only that it works. */
export type MakeRow = (options: { short: boolean }) => Promise<Row> | Row;

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Returns the value that `percent` percent of the values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}
