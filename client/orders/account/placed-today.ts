/** What was placed today, as it is remembered. */

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
  add(scope: string, placed: KnownToday): void;
}
