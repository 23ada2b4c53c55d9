import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from './checksums';
import { SNAPSHOT_FILE, setAside } from './data-files';
import { meansDamage, openDatabase, storeTrouble, inTransaction } from './sqlite';

/** All that the entries of a log up to `seq` have made, so that only those after it have to be carried out again. */
export interface Snapshot {
  seq: number;
  /** The checksum of the log up to there: of another log it is none. */
  logChecksum: number;
  /** Version that wrote it: another one carries out the whole log. */
  madeBy: string;
  state: Uint8Array;
}

/** A stretch of the journal, in a form of its owner's. */
export interface JournalBlock {
  /** Number of its last entry. */
  last: number;
  data: Uint8Array;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS snapshot (seq INTEGER PRIMARY KEY, log_checksum INTEGER NOT NULL, made_by TEXT NOT NULL, state BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshot_part (writing INTEGER NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (writing, part)) STRICT;
  CREATE TABLE IF NOT EXISTS journal (last INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;
`;

/** A snapshot, or what belongs to it, is not what was written. */
export class SnapshotDamage extends Error {}

interface Checked {
  data: Uint8Array;
  checksum: number;
}

/**
 * The snapshots of a sandbox, in a separate file. They only save time: a damaged one is set aside, and the log is carried out from
 * its beginning.
 */
export class SnapshotFile {
  private database: DatabaseSync;

  /** @throws Error of SQLite or of the file system */
  constructor(
    private readonly folder: string,
    private readonly notify: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
  ) {
    try {
      this.database = this.open();
    } catch (error) {
      if (!meansDamage(error)) throw error;
      this.database = this.replaced(error);
    }
  }

  /** Reads the file; where it is damaged it is set aside with a sentence, and undefined is given. */
  read<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SnapshotDamage) && !meansDamage(error)) throw error;
      this.database.close();
      this.database = this.replaced(error);
      return undefined;
    }
  }

  /** The snapshot of a version, if there is one; those of others are forgotten, with their journal. @throws SnapshotDamage */
  snapshot(madeBy: string): Snapshot | undefined {
    const row = this.database.prepare('SELECT * FROM snapshot WHERE made_by = ?').get(madeBy);
    if (row === undefined) {
      this.forget();
      return undefined;
    }
    const { seq, log_checksum: logChecksum, state: data, checksum } = row as unknown as Checked & SnapshotRow;
    return { seq, logChecksum, madeBy, state: whole({ data, checksum }, `the snapshot at entry ${seq}`) };
  }

  /** Forgets all snapshots and the journal that goes with them. */
  forget(): void {
    inTransaction(this.database, () =>
      this.database.exec('DELETE FROM snapshot; DELETE FROM snapshot_part; DELETE FROM journal;'),
    );
  }

  /**
   * The parts of a snapshot, in order; each was kept before it, under the number of its writing. The bytes of one are gone when the next
   * is asked for. @throws SnapshotDamage
   */
  *parts(writing: number): Iterable<Uint8Array> {
    const rows = this.database
      .prepare('SELECT data, checksum FROM snapshot_part WHERE writing = ? ORDER BY part')
      .iterate(writing);
    let part = 0;
    for (const row of rows) {
      yield* lent(whole(row as unknown as Checked, `part ${part} of a snapshot`));
      part += 1;
    }
  }

  /** Forgets all parts but those of the finished writing, and the journal after its last entry. */
  forgetUnfinished(finished: number, journalAt: number): void {
    inTransaction(this.database, () => {
      this.database.prepare('DELETE FROM snapshot_part WHERE writing <> ?').run(finished);
      this.database.prepare('DELETE FROM journal WHERE last > ?').run(journalAt);
    });
  }

  /** Keeps a part of a snapshot that is to come. */
  keepPart(writing: number, part: number, data: Uint8Array): void {
    this.database
      .prepare('INSERT INTO snapshot_part (writing, part, data, checksum) VALUES (?, ?, ?, ?)')
      .run(writing, part, data, checksumOf(data));
  }

  /** Keeps a stretch of the journal that is to go with a snapshot. */
  keepJournal({ last, data }: JournalBlock): void {
    this.database
      .prepare('INSERT INTO journal (last, data, checksum) VALUES (?, ?, ?)')
      .run(last, data, checksumOf(data));
  }

  /** Puts a snapshot, whose parts are kept, in the place of the one before; all of it or nothing. */
  keep({ seq, logChecksum, madeBy, state }: Snapshot, writing: number, forgetBefore: number): void {
    inTransaction(this.database, () => {
      this.database.exec('DELETE FROM snapshot;');
      this.database
        .prepare('INSERT INTO snapshot (seq, log_checksum, made_by, state, checksum) VALUES (?, ?, ?, ?, ?)')
        .run(seq, logChecksum, madeBy, state, checksumOf(state));
      this.database.prepare('DELETE FROM snapshot_part WHERE writing <> ?').run(writing);
      this.database.prepare('DELETE FROM journal WHERE last < ?').run(forgetBefore);
    });
  }

  /**
   * The journal up to the entry at which a snapshot was written, oldest first. The bytes of one block are gone when the next is asked for.
   * @throws SnapshotDamage
   */
  *journal(last: number): Iterable<Uint8Array> {
    const rows = this.database
      .prepare('SELECT last, data, checksum FROM journal WHERE last <= ? ORDER BY last')
      .iterate(last);
    for (const row of rows) yield* lent(whole(row as unknown as Checked, `the journal up to ${String(row['last'])}`));
  }

  /** Reads what `journal` gives, and keeps nothing of it. @throws SnapshotDamage */
  checkJournal(last: number): void {
    const blocks = this.journal(last)[Symbol.iterator]();
    while (blocks.next().done !== true);
  }

  close(): void {
    this.database.close();
  }

  private open(): DatabaseSync {
    return openDatabase(path.join(this.folder, SNAPSHOT_FILE), SCHEMA);
  }

  private replaced(error: unknown): DatabaseSync {
    const why = error instanceof SnapshotDamage ? error.message : storeTrouble(error);
    const name = setAside(this.folder, SNAPSHOT_FILE);
    this.notify(
      `--data ${this.folder}: ${SNAPSHOT_FILE} is damaged (${why}). It is set aside as ${name}, and the log is carried out from its beginning.`,
    );
    return this.open();
  }
}

/**
 * Opens the file of a folder; undefined where no snapshots are wanted, or, with a sentence, where it cannot be opened: the sandbox goes on
 * without them then.
 */
export function openSnapshotFile(options: {
  data: string | undefined;
  snapshotEvery: number;
}): SnapshotFile | undefined {
  const { data: folder, snapshotEvery } = options;
  if (folder === undefined || snapshotEvery === 0) return undefined;
  try {
    return new SnapshotFile(folder);
  } catch (error) {
    process.stderr.write(
      `--data ${folder}: no snapshots can be written (${storeTrouble(error)}). The log has everything.\n`,
    );
    return undefined;
  }
}

interface SnapshotRow {
  seq: number;
  log_checksum: number;
  state: Uint8Array;
}

/** @throws SnapshotDamage where the bytes are not those that were written */
function whole({ data, checksum }: Checked, what: string): Uint8Array {
  if (checksumOf(data) !== checksum) throw new SnapshotDamage(`${what} is not what was written`);
  return data;
}

/** Gives bytes to the reader, and takes their memory back at once: a collection would come only after tens of megabytes of them. */
function* lent(data: Uint8Array): Iterable<Uint8Array> {
  yield data;
  if (data.buffer instanceof ArrayBuffer) data.buffer.transfer(0);
}
