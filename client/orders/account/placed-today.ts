/** Memory of today's placements. */

/**
 * A retry may arrive after midnight, so placements are remembered for six hours. Every exchange is closed overnight for longer than this.
 */
export const NIGHT_MS = 6 * 3_600_000;

/** An order or a basket that was placed today, as remembered. */
export interface DayPlacement {
  noun: 'order' | 'basket';
  /** Decimal text. */
  id: string;
  /** The part of its tag that is compared; '' where that is not remembered. */
  identity: string;
}

/** An order or a basket that was sent, as remembered; without an id its outcome is unknown. */
export type SentPlacement = Omit<DayPlacement, 'id'> & Partial<Pick<DayPlacement, 'id'>>;

/** Placements of the day that n8n has stored, beyond this process. */
export interface DayPlacements {
  all(scope: string): readonly DayPlacement[];
  /** Returns what the list of the day need not show: sent before midnight and less than `NIGHT_MS` ago, or today with an unknown outcome. */
  unlisted(scope: string): readonly SentPlacement[];
  /** Adds many at once: the stored data is read and written as a whole. */
  add(scope: string, sent: readonly SentPlacement[]): void;
}
