import { deserialize, serialize } from 'node:v8';
import { VERSION } from '../shared/version';
import type { EventLog } from './event-log';

/** Version of what a snapshot holds: raise it whenever `state()` of any part holds something else, or prices become others. */
const FORMAT = 7;

/** Another version of the sandbox, or of what writes its data, does not read a snapshot: it replays the whole log. */
const MADE_BY = `${VERSION} ${FORMAT} ${process.versions.v8}`;

/** While something is due soon, a snapshot is at most so old, milliseconds of virtual time. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What is due within so many milliseconds is due soon. */
const SOON_MS = 60_000;

/** The journal as a snapshot needs it: entries are numbered from 1. */
export interface JournalTail {
  /** Number of the last entry. */
  readonly last: number;
  /** How many of them a restart brings about again. */
  readonly lastOrdinal: number;
  /** Entries after a number. */
  since(seq: number): unknown[];
}

/** A snapshot as it was written: the journal is kept beside it, in blocks. */
interface Kept<State> {
  at: number;
  journalAt: number;
  journalOrdinal: number;
  state: State;
}

/** The latest snapshot. */
export interface TakenSnapshot<State> {
  /** Number of the last log entry that it holds. */
  seq: number;
  /** Its instant, milliseconds. */
  at: number;
  state: State;
  /** Number of the journal's last entry at that time. */
  journalAt: number;
  /** How many entries of the journal up to there a restart would bring about again. */
  journalOrdinal: number;
  /** Reads the journal up to there, oldest first. */
  earlierJournal(): unknown[];
}

/**
 * Snapshots of a sandbox beside its event log, so that a start need not replay the whole log. The log stays the source of
 * truth: a snapshot only saves time, and is written whole or not at all.
 */
export class Snapshots<State> {
  private seq = 0;
  private at: number;
  private journalAt = 0;

  /**
   * @param every log entries after which a snapshot is due; 0 for no snapshots
   * @param startAt where time begins, milliseconds
   * @param journalKept journal entries that are kept
   */
  constructor(
    private readonly log: EventLog,
    private readonly every: number,
    startAt: number,
    private readonly journalKept: number,
  ) {
    this.at = startAt;
  }

  /** The latest snapshot; undefined when this version has written none. */
  take(): TakenSnapshot<State> | undefined {
    const found = this.every === 0 ? undefined : this.log.snapshot(MADE_BY);
    if (found === undefined) return undefined;
    const { at, journalAt, journalOrdinal, state } = deserialize(found.state) as Kept<State>;
    this.continueFrom(found.seq, at, journalAt);
    const earlierJournal = (): unknown[] =>
      this.log.journal(journalAt).flatMap((data) => deserialize(data) as unknown[]);
    return { seq: found.seq, at, state, journalAt, journalOrdinal, earlierJournal };
  }

  /** Begins again with an empty log. */
  restart(at: number): void {
    this.continueFrom(0, at, 0);
  }

  /**
   * Whether so much has happened since the last snapshot that a start would be slow without another.
   * @param nextDue the instant at which something is due by itself, milliseconds
   */
  due(nextDue: number, at: number): boolean {
    if (this.every === 0) return false;
    const soon = nextDue - at < SOON_MS;
    return this.log.seq - this.seq >= this.every || at - this.at >= (soon ? HOUR_MS : DAY_MS);
  }

  /** Writes a snapshot, if anything has changed. Call it between two commands only. */
  write(at: number, journal: JournalTail, state: () => State): void {
    if (this.every === 0 || (this.log.seq === this.seq && at === this.at)) return;
    const kept: Kept<State> = {
      at,
      journalAt: journal.last,
      journalOrdinal: journal.lastOrdinal,
      state: state(),
    };
    const block =
      journal.last === this.journalAt
        ? undefined
        : { last: journal.last, data: serialize(journal.since(this.journalAt)) };
    this.log.keep(
      { seq: this.log.seq, madeBy: MADE_BY, state: serialize(kept) },
      block,
      journal.last - this.journalKept,
    );
    this.continueFrom(this.log.seq, at, journal.last);
  }

  private continueFrom(seq: number, at: number, journalAt: number): void {
    this.seq = seq;
    this.at = at;
    this.journalAt = journalAt;
  }
}
