import { deserialize, serialize } from 'node:v8';
import { VERSION } from '../shared/version';
import type { EventLog } from './event-log';
import { SharedTexts } from './shared-texts';
import { SnapshotDamage, type SnapshotFile } from './snapshot-file';
import { storeTrouble } from './sqlite';

/** Version of what a snapshot holds: raise it whenever `state()` of any part holds something else, or prices become others. */
const FORMAT = 27;

/** Another version of the sandbox, or of what writes its data, does not read a snapshot: it replays the whole log. */
const MADE_BY = `${VERSION} ${FORMAT} ${process.versions.v8}`;

/** While something is due soon, a snapshot is at most so old, milliseconds of virtual time. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Number of elements of a list or entries of the journal that are written at a time. */
const PART = 200;
/** A snapshot is written for so long at a stretch, milliseconds: less than a long reply is made for, so that it waits little. */
const SLICE_MS = 1;

/** Milliseconds within which a task is due soon. */
const SOON_MS = 60_000;

/** The journal as a snapshot needs it: entries are numbered from 1. */
export interface JournalTail {
  /** Number of the last entry. */
  readonly last: number;
  /** Number of them that a restart repeats. */
  readonly lastOrdinal: number;
  /** Entries after a number. */
  since(seq: number): readonly { seq: number }[];
}

/** Content of a snapshot: what is written at once, and long lists whose elements never change, which are written piece by piece. */
export interface SnapshotContent<State> {
  rest: State;
  lists: unknown[][];
}

/** A written snapshot: its lists are kept beside it, and so is the journal, in blocks. */
interface WrittenSnapshot<State> {
  at: number;
  journalAt: number;
  journalOrdinal: number;
  rest: State;
  /** Under this number its lists are kept. */
  writing: number;
  /** Number of parts of each list. */
  parts: number[];
}

/** The latest snapshot. */
export interface TakenSnapshot<State> {
  /** Number of the last log entry that it holds. */
  seq: number;
  /** Its instant, milliseconds. */
  at: number;
  content: SnapshotContent<State>;
  /** Number of the journal's last entry at that time. */
  journalAt: number;
  /** Number of entries of the journal up to there that a restart would repeat. */
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
  /** The writing of a snapshot that has begun and not ended, and what held before it. */
  private unfinished: { writing: Iterator<void>; journalAt: number; lastWriting: number } | undefined;

  /**
   * @param file undefined where none can be kept. @param every log entries after which a snapshot is due; 0 for no snapshots
   * @param startAt where time begins, milliseconds
   * @param journalKept journal entries that are kept
   */
  constructor(
    private readonly log: Pick<EventLog, 'seq' | 'checksumAt'>,
    private readonly file: SnapshotFile | undefined,
    private readonly every: number,
    startAt: number,
    private readonly journalKept: number,
  ) {
    this.at = startAt;
  }

  /** The latest snapshot; undefined when this version has written none of this log, or it is damaged and set aside. */
  take(): TakenSnapshot<State> | undefined {
    const { file } = this;
    if (this.every === 0 || file === undefined) return undefined;
    return file.read(() => this.read(file));
  }

  /** @throws SnapshotDamage */
  private read(file: SnapshotFile): TakenSnapshot<State> | undefined {
    const snapshot = file.snapshot(MADE_BY);
    if (snapshot === undefined) return undefined;
    if (snapshot.seq > this.log.seq || snapshot.logChecksum !== this.log.checksumAt(snapshot.seq)) {
      file.forget();
      return undefined;
    }
    const { at, journalAt, journalOrdinal, rest, writing, parts } = deserialize(
      snapshot.state,
    ) as WrittenSnapshot<State>;
    const lists = listsOf(file.parts(writing), parts);
    // Looked at once here, so that what is damaged is found while the log can still be carried out instead.
    file.checkJournal(journalAt);
    this.continueFrom(snapshot.seq, at, journalAt);
    this.lastWriting = writing;
    return {
      seq: snapshot.seq,
      at,
      content: { rest, lists },
      journalAt,
      journalOrdinal,
      earlierJournal: journalOf(file, journalAt),
    };
  }

  /** Begins again with an empty log. */
  restart(at: number): void {
    this.unfinished = undefined;
    this.continueFrom(0, at, 0);
  }

  /**
   * True if so much has happened since the last snapshot that a start would be slow without another.
   * @param nextDue the instant at which something is due by itself, milliseconds
   */
  due(nextDue: number, at: number): boolean {
    if (this.every === 0 || this.file === undefined || this.unfinished !== undefined) return false;
    const soon = nextDue - at < SOON_MS;
    return this.log.seq - this.seq >= this.every || at - this.at >= (soon ? HOUR_MS : DAY_MS);
  }

  /**
   * Begins a snapshot, if anything has changed: it is of now, and is written a little at a time while everything goes on. Call
   * it between two commands only.
   */
  begin(at: number, journal: JournalTail, content: () => SnapshotContent<State>): void {
    const { file } = this;
    if (this.every === 0 || file === undefined || (this.log.seq === this.seq && at === this.at)) return;
    this.finish();
    const { journalAt, lastWriting } = this;
    const writing = this.writing(file, at, journal, content());
    const unfinished = { writing, journalAt, lastWriting };
    this.unfinished = unfinished;
    this.advance(unfinished);
    const goOn = (): void => {
      if (this.unfinished !== unfinished) return;
      const until = performance.now() + SLICE_MS;
      while (performance.now() < until && this.unfinished === unfinished) this.advance(unfinished);
      if (this.unfinished === unfinished) setImmediate(goOn);
    };
    setImmediate(goOn);
  }

  /** Writes what is left of a snapshot that was begun. */
  finish(): void {
    while (this.unfinished !== undefined) this.advance(this.unfinished);
  }

  /** Ends what it has open; a snapshot that was begun is written before. */
  close(): void {
    this.finish();
    this.file?.close();
  }

  /** Writes a piece of a snapshot. One that cannot be written is given up: it only saves time, and the next one is tried when it is due. */
  private advance(unfinished: NonNullable<typeof this.unfinished>): void {
    try {
      if (unfinished.writing.next().done === true) this.unfinished = undefined;
    } catch (error) {
      this.unfinished = undefined;
      this.journalAt = unfinished.journalAt;
      this.lastWriting = unfinished.lastWriting;
      process.stderr.write(`A snapshot could not be written: ${storeTrouble(error)}. The log has everything.\n`);
    }
  }

  /** Writes a snapshot in pieces. What it needs to know of the journal is taken down before the first of them. */
  private *writing(
    file: SnapshotFile,
    at: number,
    journal: JournalTail,
    { rest, lists }: SnapshotContent<State>,
  ): Generator<void, void> {
    const { seq } = this.log;
    const logChecksum = this.log.checksumAt(seq);
    const finished = this.lastWriting;
    const writing = finished + 1;
    this.lastWriting = writing;
    const parts = lists.map((list) => Math.ceil(list.length / PART));
    const head: WrittenSnapshot<State> = {
      at,
      journalAt: journal.last,
      journalOrdinal: journal.lastOrdinal,
      rest,
      writing,
      parts,
    };
    const state = serialize(head);
    const entries = journal.since(this.journalAt);
    file.forgetUnfinished(finished, this.journalAt);
    this.continueFrom(seq, at, head.journalAt);
    yield;
    for (let from = 0; from < entries.length; from += PART) {
      const block = entries.slice(from, from + PART);
      file.keepJournal({ last: block.at(-1)!.seq, data: serialize(block) });
      yield;
    }
    let part = 0;
    for (const list of lists) {
      for (let from = 0; from < list.length; from += PART) {
        file.keepPart(writing, part, serialize(list.slice(from, from + PART)));
        part += 1;
        yield;
      }
    }
    file.keep({ seq, logChecksum, madeBy: MADE_BY, state }, writing, head.journalAt - this.journalKept);
  }

  private continueFrom(seq: number, at: number, journalAt: number): void {
    this.seq = seq;
    this.at = at;
    this.journalAt = journalAt;
  }
}

/**
 * Puts lists together of their parts, one after the other, so that the bytes of one at a time are in memory.
 * @param counts number of parts of each list
 * @throws SnapshotDamage
 */
function listsOf(parts: Iterable<Uint8Array>, counts: readonly number[]): unknown[][] {
  const lists = counts.map((): unknown[] => []);
  const owners = counts.flatMap((count, list) => Array.from({ length: count }, () => list));
  const texts = new SharedTexts();
  let part = 0;
  for (const data of parts) {
    const elements = deserialize(data) as unknown[];
    texts.share(elements);
    lists[owners[part++] ?? lists.length]?.push(...elements);
  }
  if (part !== owners.length) throw new SnapshotDamage(`it has ${part} parts, and had ${owners.length}`);
  return lists;
}

/** Returns a reader of the journal up to an entry. It holds nothing of the snapshot: it is kept until somebody asks for the journal. */
function journalOf(file: SnapshotFile, journalAt: number): () => unknown[] {
  return () => {
    const entries: unknown[] = [];
    for (const data of file.journal(journalAt)) entries.push(...(deserialize(data) as unknown[]));
    return entries;
  };
}
