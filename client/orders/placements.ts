/**
 * What this process has placed, by tag: so that a second try, a second delivery of an alert, or a second execution with
 * the same key at the same moment finds the first instead of placing again.
 */
import type { Clock } from '../ports';
import { istDate, istInstant } from '../values/time';
import type { OrderRecord } from './order';
import { identityOf } from './tags';

/** What is known of a request that was sent from this process. */
export interface Placement {
  state: 'unknown' | 'placed';
  /** The record as it was last seen; undefined while the outcome is unknown. */
  record?: OrderRecord;
  /** Paise: what the order may cost, for the day's limit until the list shows it. */
  value: number;
  at: number;
}

const DAY_MS = 24 * 3_600_000;
/** What is sent late in the evening may come again after midnight. All exchanges are closed for longer than this. */
const NIGHT_MS = 6 * 3_600_000;
const MOST = 50_000;
/** An order that is about to be sent is sent within a minute, or not at all. */
const RESERVED_MS = 60_000;
/** Orders appear in the list one or two seconds late (wire-facts 3.8); this covers it with room. */
export const LIST_DELAY_MS = 4_000;

/** How long a list of the day serves for the look before sending. */
const LIST_SERVES_MS = 1_000;

export class Placements {
  private readonly known = new Map<string, Placement>();
  private readonly reserved = new Map<string, { value: number; at: number }>();
  private readonly lists = new Map<string, { at: number; records: Promise<OrderRecord[]> }>();
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly startedAt: number;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  private key(scope: string, tag: string): string {
    return `${scope}\n${identityOf(tag)}`;
  }

  /** What this process knows of a request of today: like the list of the service, a key serves one day (in India). */
  get(scope: string, tag: string): Placement | undefined {
    const placement = this.known.get(this.key(scope, tag));
    return placement !== undefined && (placement.at >= this.todaySince() || this.clock.now() - placement.at < NIGHT_MS)
      ? placement
      : undefined;
  }

  private todaySince(): number {
    return istInstant(istDate(this.clock.now()), '00:00');
  }

  /** Identity of the tag and value (paise) of everything that was sent for a scope today, and of what is about to be. */
  *values(scope: string): Generator<[string, number]> {
    const now = this.clock.now();
    const today = this.todaySince();
    const mine = (key: string): boolean => key.startsWith(`${scope}\n`);
    for (const [key, { value, at }] of this.known)
      if (at >= today && mine(key)) yield [key.slice(scope.length + 1), value];
    for (const [key, { value, at }] of this.reserved)
      if (now - at < RESERVED_MS && mine(key)) yield [key.slice(scope.length + 1), value];
  }

  /** Holds a part of the day's limit for an order that is about to be sent, so that two at the same moment do not both fit. */
  reserve(scope: string, tag: string, value: number): void {
    this.reserved.set(this.key(scope, tag), { value, at: this.clock.now() });
  }

  /** Gives back what was held for an order that is not sent after all. */
  release(scope: string, tag: string): void {
    this.reserved.delete(this.key(scope, tag));
  }

  /** Notes a request as sent, before it is: whatever happens after, it is never sent from here again. */
  sending(scope: string, tag: string, value: number): void {
    this.release(scope, tag);
    const since = this.clock.now() - DAY_MS;
    for (const [key, { at }] of this.known) {
      if (at >= since && this.known.size < MOST) break;
      this.known.delete(key);
    }
    this.notPlaced(scope, tag);
    this.known.set(this.key(scope, tag), { state: 'unknown', value, at: this.clock.now() });
  }

  placed(scope: string, tag: string, record: OrderRecord): void {
    const before = this.get(scope, tag);
    this.known.set(this.key(scope, tag), {
      state: 'placed',
      record,
      value: before?.value ?? 0,
      at: before?.at ?? this.clock.now(),
    });
  }

  /** Forgets a request of which it is certain that nothing was placed. */
  notPlaced(scope: string, tag: string): void {
    this.known.delete(this.key(scope, tag));
  }

  /**
   * Milliseconds until the list is sure to show what a process before this one may have placed at its very end.
   */
  settlesIn(): number {
    return Math.max(0, this.startedAt + LIST_DELAY_MS - this.clock.now());
  }

  /**
   * The day's list as a process that trades needs it before it sends: one that was asked for less than a second ago
   * serves everybody, since new orders appear in it later than that anyway, and what this process sent it knows itself.
   * @param read asks the service.
   * @param settled whether the list must show what a process before this one placed (see `settlesIn`).
   */
  async dayList(scope: string, read: () => Promise<OrderRecord[]>, settled: boolean): Promise<OrderRecord[]> {
    const now = this.clock.now();
    const recent = this.lists.get(scope);
    const since = Math.max(now - LIST_SERVES_MS, settled ? this.startedAt + LIST_DELAY_MS : 0);
    if (recent !== undefined && recent.at >= since && recent.at <= now) return await recent.records;
    const records = read();
    this.lists.set(scope, { at: now, records });
    void records.catch(() => this.lists.delete(scope));
    return await records;
  }

  /** Runs the work for a tag after everything that runs for the same tag already. */
  async alone<T>(scope: string, tags: readonly string[], work: () => Promise<T>): Promise<T> {
    const keys = [...new Set(tags)].map((tag) => this.key(scope, tag));
    const before = Promise.all(keys.map((key) => this.queues.get(key)));
    const mine = before.then(work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    for (const key of keys) this.queues.set(key, settled);
    try {
      return await mine;
    } finally {
      for (const key of keys) if (this.queues.get(key) === settled) this.queues.delete(key);
    }
  }
}
