import { deserialize, serialize } from 'node:v8';
import { VERSION } from '../shared/version';
import type { EventLog } from './event-log';

/** Version of what a snapshot holds: raise it whenever `state()` of any part holds something else, or prices become others. */
const FORMAT = 17;

/** Another version of the sandbox, or of what writes its data, does not read a snapshot: it replays the whole log. */
const MADE_BY = `${VERSION} ${FORMAT} ${process.versions.v8}`;

/** While something is due soon, a snapshot is at most so old, milliseconds of virtual time. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** So many elements of a list or entries of the journal are written at a time. */
const PART = 200;
/** A snapshot is written for so long at a stretch, milliseconds: less than a long reply is made for, so that it waits little. */
const SLICE_MS = 1;

/** What is due within so many milliseconds is due soon. */
const SOON_MS = 60_000;

/** The journal as a snapshot needs it: entries are numbered from 1. */
export interface JournalTail {
  /** Number of the last entry. */
  readonly last: number;
  /** How many of them a restart brings about again. */
  readonly lastOrdinal: number;
  /** Entries after a number. */
  since(seq: number): readonly { seq: number }[];
}

/** What a snapshot holds: what is written at once, and long lists whose elements never change, which are written piece by piece. */
export interface Content<State> {
  rest: State;
  lists: unknown[][];
}

/** A snapshot as it was written: its lists are kept beside it, and so is the journal, in blocks. */
interface Kept<State> {
  at: number;
  journalAt: number;
  journalOrdinal: number;
  rest: State;
  /** Under this number its lists are kept. */
  writing: number;
  /** How many parts each list has. */
  parts: number[];
}

/** The latest snapshot. */
export interface TakenSnapshot<State> {
  /** Number of the last log entry that it holds. */
  seq: number;
  /** Its instant, milliseconds. */
  at: number;
  content: Content<State>;
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
  private lastWriting = 0;
  /** The writing of a snapshot that has begun and not ended. */
  private unfinished: Iterator<void> | undefined;

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
    const { at, journalAt, journalOrdinal, rest, writing, parts } = deserialize(found.state) as Kept<State>;
    this.continueFrom(found.seq, at, journalAt);
    this.lastWriting = writing;
    const kept = this.log.snapshotParts(writing);
    let next = 0;
    const lists = parts.map((count) =>
      kept.slice(next, (next += count)).flatMap((data) => deserialize(data) as unknown[]),
    );
    const content = { rest, lists };
    const earlierJournal = (): unknown[] =>
      this.log.journal(journalAt).flatMap((data) => deserialize(data) as unknown[]);
    return { seq: found.seq, at, content, journalAt, journalOrdinal, earlierJournal };
  }

  /** Begins again with an empty log. */
  restart(at: number): void {
    this.unfinished = undefined;
    this.continueFrom(0, at, 0);
  }

  /**
   * Whether so much has happened since the last snapshot that a start would be slow without another.
   * @param nextDue the instant at which something is due by itself, milliseconds
   */
  due(nextDue: number, at: number): boolean {
    if (this.every === 0 || this.unfinished !== undefined) return false;
    const soon = nextDue - at < SOON_MS;
    return this.log.seq - this.seq >= this.every || at - this.at >= (soon ? HOUR_MS : DAY_MS);
  }

  /**
   * Begins a snapshot, if anything has changed: it is of now, and is written a little at a time while everything goes on. Call
   * it between two commands only.
   */
  begin(at: number, journal: JournalTail, content: () => Content<State>): void {
    if (this.every === 0 || (this.log.seq === this.seq && at === this.at)) return;
    this.finish();
    const writing = this.writing(at, journal, content());
    this.unfinished = writing;
    writing.next();
    const goOn = (): void => {
      if (this.unfinished !== writing) return;
      const until = performance.now() + SLICE_MS;
      while (performance.now() < until && this.unfinished === writing) this.advance(writing);
      if (this.unfinished === writing) setImmediate(goOn);
    };
    setImmediate(goOn);
  }

  /** Writes what is left of a snapshot that was begun. */
  finish(): void {
    while (this.unfinished !== undefined) this.advance(this.unfinished);
  }

  private advance(writing: Iterator<void>): void {
    if (writing.next().done === true) this.unfinished = undefined;
  }

  /** Writes a snapshot in pieces. What it needs to know of the journal is taken down before the first of them. */
  private *writing(at: number, journal: JournalTail, { rest, lists }: Content<State>): Generator<void, void> {
    const { seq } = this.log;
    const finished = this.lastWriting;
    const writing = finished + 1;
    this.lastWriting = writing;
    const parts = lists.map((list) => Math.ceil(list.length / PART));
    const head: Kept<State> = {
      at,
      journalAt: journal.last,
      journalOrdinal: journal.lastOrdinal,
      rest,
      writing,
      parts,
    };
    const state = serialize(head);
    const entries = journal.since(this.journalAt);
    this.log.forgetUnfinished(finished, this.journalAt);
    this.continueFrom(seq, at, head.journalAt);
    yield;
    for (let from = 0; from < entries.length; from += PART) {
      const block = entries.slice(from, from + PART);
      this.log.keepJournal({ last: block.at(-1)!.seq, data: serialize(block) });
      yield;
    }
    let part = 0;
    for (const list of lists) {
      for (let from = 0; from < list.length; from += PART) {
        this.log.keepPart(writing, part, serialize(list.slice(from, from + PART)));
        part += 1;
        yield;
      }
    }
    this.log.keep({ seq, madeBy: MADE_BY, state }, writing, head.journalAt - this.journalKept);
  }

  private continueFrom(seq: number, at: number, journalAt: number): void {
    this.seq = seq;
    this.at = at;
    this.journalAt = journalAt;
  }
}
