/** What was placed today, as it is remembered. */

/** What is sent late in the evening may come again after midnight. All exchanges are closed for longer than this. */
export const NIGHT_MS = 6 * 3_600_000;

/** An order or a basket that was placed today, as it is remembered. */
export interface KnownToday {
  noun: 'order' | 'basket';
  /** Decimal text. */
  id: string;
  /** The part of its tag that is compared; '' where that is not remembered. */
  identity: string;
}

/** What n8n remembers of the day, beyond this process. */
export interface PlacedToday {
  all(scope: string): readonly KnownToday[];
  /** What was placed before midnight and less than `NIGHT_MS` ago: the list of the new day need not show it. */
  lastNight(scope: string): readonly KnownToday[];
  /** Of many at once: what is stored is read and written as a whole. */
  add(scope: string, placed: readonly KnownToday[]): void;
}
