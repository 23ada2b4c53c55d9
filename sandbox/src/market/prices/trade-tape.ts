/** Trades of users in a second. Prices in paise. */
export interface TapeEntry {
  /** The second's start, milliseconds. */
  at: number;
  high: number;
  low: number;
  quantity: number;
  /** All that was traded up to its end since the tape began. */
  total: number;
}

const SECOND = 1_000;

/** Trades in which users took part, second by second, by ref_id: they belong into candles and volumes as all others do. */
export class TradeTape {
  private readonly entries = new Map<number, TapeEntry[]>();

  /** A trade (once, also where users were on both sides). */
  add(refId: number, price: number, quantity: number, at: number): void {
    const entries = this.entries.get(refId) ?? [];
    const second = Math.floor(at / SECOND) * SECOND;
    const last = entries.at(-1);
    if (last?.at === second) {
      last.high = Math.max(last.high, price);
      last.low = Math.min(last.low, price);
      last.quantity += quantity;
      last.total += quantity;
    } else entries.push({ at: second, high: price, low: price, quantity, total: (last?.total ?? 0) + quantity });
    this.entries.set(refId, entries);
  }

  /** Quantity of the seconds that begin in [from, to). */
  volume(refId: number, from: number, to: number): number {
    const entries = this.entries.get(refId);
    if (entries === undefined) return 0;
    const upTo = (at: number): number => entries[position(entries, at) - 1]?.total ?? 0;
    return upTo(to) - upTo(from);
  }

  /** Instant when users first traded an instrument, milliseconds; undefined when they never did. */
  since(refId: number): number | undefined {
    return this.entries.get(refId)?.[0]?.at;
  }

  /** Seconds that begin in [from, to), oldest first. */
  within(refId: number, from: number, to: number): readonly TapeEntry[] {
    const entries = this.entries.get(refId);
    return entries === undefined ? [] : entries.slice(position(entries, from), position(entries, to));
  }

  state(): [refId: number, entries: TapeEntry[]][] {
    return [...this.entries].map(([refId, entries]) => [refId, entries.map((entry) => ({ ...entry }))]);
  }

  restore(entries: [refId: number, entries: TapeEntry[]][]): void {
    for (const [refId, of] of entries)
      this.entries.set(
        refId,
        of.map((entry) => ({ ...entry })),
      );
  }
}

/** Returns the number of entries that begin before an instant. */
function position(entries: readonly TapeEntry[], at: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
