import { deserialize, serialize } from 'node:v8';
import type { Inbox, InboxState } from '../simulation/inbox';
import { KEPT, type Journal, type JournalEntry } from '../simulation/journal';
import type { Counters, Stats } from '../simulation/stats';
import { otpText } from '../sessions/logins';
import { VERSION } from '../shared/version';
import type { World, WorldState } from '../simulation/world';
import type { EventLog } from './event-log';

/** Version of what a snapshot holds: raise it whenever `state()` of any part holds something else. */
const FORMAT = 2;

/** Another version of the sandbox, or of what writes its data, does not read a snapshot: it carries out the whole log. */
const MADE_BY = `${VERSION} ${FORMAT} ${process.versions.v8}`;

/** While something works, a snapshot is at most so old, milliseconds of virtual time. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Something works when something is due within so many milliseconds. */
const SOON_MS = 60_000;

/** What a snapshot holds, but the journal, which is kept beside it in stretches. */
interface Kept {
  at: number;
  journalAt: number;
  world: WorldState;
  inbox: InboxState;
  counters: Counters;
}

export interface Surroundings {
  journal: Journal;
  inbox: Inbox;
  stats: Stats;
}

/**
 * Snapshots of a sandbox beside its event log, so that a start does not have to carry out the whole log again. The log
 * stays the truth: a snapshot only saves time, and is written whole or not at all.
 */
export class Snapshots {
  private seq = 0;
  private at: number;
  private journalAt = 0;

  /** @param every entries of the log after which one is due; 0 for none. @param startAt where time begins, milliseconds. */
  constructor(
    private readonly log: EventLog,
    private readonly every: number,
    startAt: number,
  ) {
    this.at = startAt;
  }

  /**
   * Takes up the latest one: journal and counters are then as they were.
   * @returns the number of the last entry that it holds, its instant, its world, and `fill`, which fills the inbox once
   *   that world is there; undefined when there is none of this version.
   */
  take({
    journal,
    inbox,
    stats,
  }: Surroundings): { seq: number; at: number; world: WorldState; fill(world: World): void } | undefined {
    const found = this.every === 0 ? undefined : this.log.snapshot(MADE_BY);
    if (found === undefined) return undefined;
    const { at, journalAt, world, inbox: messages, counters } = deserialize(found.state) as Kept;
    Object.assign(this, { seq: found.seq, at, journalAt });
    journal.goOn(journalAt, () => this.log.journal(journalAt).flatMap((data) => deserialize(data) as JournalEntry[]));
    stats.restore(counters);
    const fill = ({ people }: World): void =>
      inbox.restore(messages, (phone, temp, sentAt) => otpText(people.otpCode(phone, temp, sentAt)));
    return { seq: found.seq, at, world, fill };
  }

  /** Begins anew with an empty log. */
  restart(at: number): void {
    Object.assign(this, { seq: 0, at, journalAt: 0 });
  }

  /** Whether so much has come about since the last one that a start would be slow without another. */
  due(world: World, at: number): boolean {
    if (this.every === 0) return false;
    const works = world.nextDue() - at < SOON_MS;
    return this.log.seq - this.seq >= this.every || at - this.at >= (works ? HOUR_MS : DAY_MS);
  }

  /** Writes one, if anything has changed. To be called between two commands only. */
  write(world: World, at: number, { journal, inbox, stats }: Surroundings): void {
    if (this.every === 0 || (this.log.seq === this.seq && at === this.at)) return;
    const kept: Kept = {
      at,
      journalAt: journal.last,
      world: world.state(),
      inbox: inbox.state(),
      counters: stats.counters(),
    };
    const block =
      journal.last === this.journalAt
        ? undefined
        : { last: journal.last, data: serialize(journal.since(this.journalAt)) };
    this.log.keep({ seq: this.log.seq, madeBy: MADE_BY, state: serialize(kept) }, block, journal.last - KEPT);
    Object.assign(this, { seq: this.log.seq, at, journalAt: journal.last });
  }
}
