/**
 * Delivers again what n8n was given and may not have stored. n8n saves a trigger's data when it is given an event, and the
 * execution a moment later. A process that ends between the two takes the event with it, although the data says that it was
 * delivered. So the events that n8n is not known to have run are kept in that data while they are new, and the next process
 * gives them again under the same deduplication key: where n8n has stored the execution, it drops the repeat.
 */
import type { Clock, Moment } from '../../base/ports';

interface GivenEvent {
  key: string;
  /** Time of delivery, milliseconds since the epoch. */
  at: number;
  outputs: Record<string, unknown>[];
}

/** Stored form; plain data. */
export interface RedeliveryData {
  handed?: { by: string; events: GivenEvent[] };
}

/** Milliseconds after which n8n has stored an execution: it is handed few at a time (see outbox.ts). */
const STORED_AFTER_MS = 10_000;
/** Milliseconds after which an event is not given again: whoever does not keep executions would run it twice, and for nothing. */
const AGAIN_WITHIN_MS = 5 * 60_000;
/** Milliseconds that n8n still needs for what it was given last, when a trigger ends. */
const LINGER_MS = 1_000;

export class Redelivery {
  private events: GivenEvent[] = [];
  /** Time at which this process delivered each of them, by its key. */
  private readonly givenMoments = new Map<string, Moment>();
  private stored: RedeliveryData = {};

  /** Creates the memory of a process. @param owner identifies this process: it does not repeat its own deliveries. */
  constructor(
    private readonly clock: Clock,
    private readonly owner: string,
  ) {}

  /**
   * Goes on from what is stored, and keeps it there from now on.
   * @param givesAgain whether the caller gives again, with `add` for each, what it gets.
   * @returns what another process has given last, the oldest first. It stays stored: this process may end while it gives
   *   the first of them.
   */
  resume(stored: RedeliveryData, givesAgain = true): { key: string; outputs: Record<string, unknown>[] }[] {
    const before = stored.handed;
    this.stored = stored;
    if (before?.by === this.owner) {
      this.keep(before.events);
      return [];
    }
    const now = this.clock.now();
    const again = givesAgain ? (before?.events ?? []).filter(({ at }) => now - at < AGAIN_WITHIN_MS) : [];
    this.keep(again.map((event) => ({ ...event, at: now })));
    return again;
  }

  /** Records an event just before it is given to n8n; one that is given again keeps its place. */
  add(key: string, outputs: Record<string, unknown>[]): void {
    const event = { key, at: this.clock.now(), outputs };
    const newest = this.events.filter((event) => this.clock.since(this.givenAt(event)) < STORED_AFTER_MS);
    this.givenMoments.set(key, this.clock.moment());
    const place = newest.findIndex((givenEvent) => givenEvent.key === key);
    this.keep(place < 0 ? [...newest, event] : newest.with(place, event));
  }

  /** Records that n8n has run an event: it is not given again. */
  done(key: string): void {
    if (this.events.some((event) => event.key === key)) this.keep(this.events.filter((event) => event.key !== key));
  }

  /** Resolves when n8n has had the time to store what it was given last. */
  async lastIsStored(): Promise<void> {
    const last = this.events.at(-1);
    if (last) await this.clock.sleep(Math.max(0, LINGER_MS - this.clock.since(this.givenAt(last))));
  }

  /** Returns the time of delivery; an event that an earlier activation delivered counts as delivered now. */
  private givenAt({ key }: GivenEvent): Moment {
    const givenMoment = this.givenMoments.get(key) ?? this.clock.moment();
    this.givenMoments.set(key, givenMoment);
    return givenMoment;
  }

  /** n8n stores static data when a value at its top has changed. */
  private keep(events: GivenEvent[]): void {
    this.events = events;
    const eventKeys = new Set(events.map(({ key }) => key));
    for (const key of this.givenMoments.keys()) if (!eventKeys.has(key)) this.givenMoments.delete(key);
    this.stored.handed = { by: this.owner, events };
  }
}
