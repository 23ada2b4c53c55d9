import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { OptionError } from '../shared/option-error';
import type { Json } from '../shared/json';
import { folderTrouble, makeFolder, makePrivateFile } from './folder';

/** A command as the log holds it. */
export interface LogEntry {
  seq: number;
  /** Milliseconds of virtual time. */
  at: number;
  name: string;
  args: Json[];
}

/** All that the entries up to `seq` have made, so that only those after it have to be carried out again. */
export interface Snapshot {
  seq: number;
  /** What version wrote it: another one carries out the whole log. */
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
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, args TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshot (seq INTEGER PRIMARY KEY, made_by TEXT NOT NULL, state BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshot_part (writing INTEGER NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (writing, part)) STRICT;
  CREATE TABLE IF NOT EXISTS journal (last INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS skipped (ordinal INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
`;

/** Under this name `meta` holds up to which number the journal may have come. */
const RESERVED = 'journalReserved';

/**
 * The commands of a sandbox in an SQLite file, in the order they were carried out. A command is in the file before it
 * is answered: whoever kills the process loses nothing that was acknowledged. `synchronous = NORMAL` leaves the last
 * moments to a power cut; FULL would wait for the disk at every command (measured: 9 µs against 250 µs).
 */
export class EventLog {
  private readonly database: DatabaseSync;
  private readonly insert: StatementSync;
  private readonly insertSkipped: StatementSync;
  private last: number;

  /** @param folder made when it does not exist; for its owner only, because the log holds TOTP secrets. @throws OptionError */
  constructor(folder: string) {
    try {
      makeFolder(folder);
      const file = path.join(folder, 'sandbox.sqlite');
      makePrivateFile(file);
      this.database = new DatabaseSync(file);
      this.database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.database.exec(SCHEMA);
      this.insert = this.database.prepare('INSERT INTO log (at, name, args) VALUES (?, ?, ?)');
      this.insertSkipped = this.database.prepare('INSERT OR REPLACE INTO skipped (ordinal, seq) VALUES (?, ?)');
      this.last = (
        this.database.prepare('SELECT coalesce(max(seq), 0) AS last FROM log').get() as { last: number }
      ).last;
    } catch (error) {
      throw new OptionError(`--data ${folder} cannot be used: ${folderTrouble(error)}.`);
    }
  }

  append(at: number, name: string, args: Json[]): void {
    this.last = Number(this.insert.run(at, name, JSON.stringify(args)).lastInsertRowid);
  }

  /** Number of the last entry; 0 when there is none. */
  get seq(): number {
    return this.last;
  }

  /** The entries after a number. */
  *entries(after: number): Iterable<LogEntry> {
    for (const row of this.database
      .prepare('SELECT seq, at, name, args FROM log WHERE seq > ? ORDER BY seq')
      .iterate(after)) {
      const { args, ...entry } = row as { seq: number; at: number; name: string; args: string };
      yield { ...entry, args: JSON.parse(args) as Json[] };
    }
  }

  /** The instant of the last entry; undefined when there is none. */
  lastAt(): number | undefined {
    return (this.database.prepare('SELECT at FROM log ORDER BY seq DESC LIMIT 1').get() as { at: number } | undefined)
      ?.at;
  }

  meta(name: string): string | undefined {
    return (this.database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)
      ?.value;
  }

  /** Numbers of the journal up to `seq` were taken before its repeated entry of that ordinal. */
  skipNumbers(ordinal: number, seq: number): void {
    this.insertSkipped.run(ordinal, seq);
  }

  /** What was given to `skipNumbers` of the entries after an ordinal. */
  skippedNumbers(after: number): Map<number, number> {
    const rows = this.database.prepare('SELECT ordinal, seq FROM skipped WHERE ordinal > ?').all(after);
    return new Map(rows.map((row) => [Number(row['ordinal']), Number(row['seq'])]));
  }

  /** Numbers of the journal up to this one may be taken. */
  reserveNumbers(seq: number): void {
    this.database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(RESERVED, String(seq));
  }

  /** What was given to `reserveNumbers` last. */
  get reservedNumbers(): number {
    return Number(this.meta(RESERVED) ?? 0);
  }

  /** Writes a fact down, in the place of what it was. */
  note(name: string, value: string): void {
    this.database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
  }

  /** Forgets everything and begins with these facts. */
  begin(facts: Record<string, string>): void {
    this.together(() => {
      this.database.exec(
        'DELETE FROM log; DELETE FROM meta; DELETE FROM snapshot; DELETE FROM snapshot_part; DELETE FROM journal; DELETE FROM skipped;',
      );
      const put = this.database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
      for (const [name, value] of Object.entries(facts)) put.run(name, value);
    });
    this.last = 0;
  }

  /** The snapshot of a version, if there is one; those of others are forgotten, with their journal. */
  snapshot(madeBy: string): Snapshot | undefined {
    const found = this.database.prepare('SELECT seq, state FROM snapshot WHERE made_by = ?').get(madeBy) as
      Omit<Snapshot, 'madeBy'> | undefined;
    if (found === undefined)
      this.together(() => this.database.exec('DELETE FROM snapshot; DELETE FROM snapshot_part; DELETE FROM journal;'));
    return found && { ...found, madeBy };
  }

  /** The parts of a snapshot, in order; each was kept before it, under the number of its writing. */
  snapshotParts(writing: number): Uint8Array[] {
    return this.database
      .prepare('SELECT data FROM snapshot_part WHERE writing = ? ORDER BY part')
      .all(writing)
      .map((row) => (row as { data: Uint8Array }).data);
  }

  /** Forgets all parts but those of the finished writing, and the journal after its last entry. */
  forgetUnfinished(finished: number, journalAt: number): void {
    this.together(() => {
      this.database.prepare('DELETE FROM snapshot_part WHERE writing <> ?').run(finished);
      this.database.prepare('DELETE FROM journal WHERE last > ?').run(journalAt);
    });
  }

  /** Keeps a part of a snapshot that is to come. */
  keepPart(writing: number, part: number, data: Uint8Array): void {
    this.database.prepare('INSERT INTO snapshot_part (writing, part, data) VALUES (?, ?, ?)').run(writing, part, data);
  }

  /** Keeps a stretch of the journal that is to go with a snapshot. */
  keepJournal({ last, data }: JournalBlock): void {
    this.database.prepare('INSERT INTO journal (last, data) VALUES (?, ?)').run(last, data);
  }

  /** Puts a snapshot, whose parts are kept, in the place of the one before; all of it or nothing. */
  keep({ seq, madeBy, state }: Snapshot, writing: number, forgetBefore: number): void {
    this.together(() => {
      this.database.exec('DELETE FROM snapshot;');
      this.database.prepare('INSERT INTO snapshot (seq, made_by, state) VALUES (?, ?, ?)').run(seq, madeBy, state);
      this.database.prepare('DELETE FROM snapshot_part WHERE writing <> ?').run(writing);
      this.database.prepare('DELETE FROM journal WHERE last < ?').run(forgetBefore);
    });
  }

  /** The journal up to the entry at which a snapshot was written, oldest first. */
  journal(last: number): Uint8Array[] {
    return this.database
      .prepare('SELECT data FROM journal WHERE last <= ? ORDER BY last')
      .all(last)
      .map((row) => (row as unknown as JournalBlock).data);
  }

  close(): void {
    this.database.close();
  }

  private together(work: () => void): void {
    this.database.exec('BEGIN IMMEDIATE;');
    try {
      work();
      this.database.exec('COMMIT;');
    } catch (error) {
      this.database.exec('ROLLBACK;');
      throw error;
    }
  }
}
