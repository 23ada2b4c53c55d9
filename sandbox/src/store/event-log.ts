import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OptionError } from '../shared/option-error';
import type { Json } from '../shared/json';
import { StoreError } from '../shared/store-error';
import { checksum } from './checksums';
import { HEAD_FILE, LOG_FILE, linkTrouble } from './data-files';
import { makeFolder, makePrivateFile } from './folder';
import { FACTS, LogDamage, chainChecksum, checkLog, factChecksum, type LogContent } from './log-check';
import { LogHead } from './log-head';
import { salvageLog } from './salvage';
import { isStoreFault, openDatabase, storeTrouble, inTransaction } from './sqlite';

/** A command as the log holds it. */
export interface LogEntry {
  seq: number;
  /** Milliseconds of virtual time. */
  at: number;
  name: string;
  args: Json[];
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, args TEXT NOT NULL, checksum INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE IF NOT EXISTS skipped (ordinal INTEGER PRIMARY KEY, seq INTEGER NOT NULL, checksum INTEGER NOT NULL DEFAULT 0) STRICT;
`;
/** Adds checksums to the entries of an earlier version; its snapshots stood in the same file. */
const UPGRADE = `
  CREATE TABLE IF NOT EXISTS skipped (ordinal INTEGER PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
  ALTER TABLE log ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE meta ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE skipped ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  DROP TABLE IF EXISTS snapshot; DROP TABLE IF EXISTS snapshot_part; DROP TABLE IF EXISTS journal;
`;

/** Name in `meta` of the highest number that the journal may have reached. */
const RESERVED = 'journalReserved';

/**
 * The commands of a sandbox in an SQLite file, in the order they were carried out. A command is in the file before it
 * is answered: whoever kills the process loses nothing that was acknowledged. Each entry has a checksum of all up to it, and a file beside
 * it says up to where it was written, so that no damage goes unseen.
 */
export class EventLog {
  private readonly database: DatabaseSync;
  private readonly head: LogHead;
  private readonly insert: StatementSync;
  private readonly insertSkipped: StatementSync;
  private readonly insertFact: StatementSync;
  private last = 0;
  private chain = 0;
  /** Writes that failed and are to be repeated, in order: it waits until there is room. */
  private readonly behind: (() => void)[] = [];

  /**
   * @param folder made when it does not exist; for its owner only, because the log holds TOTP secrets.
   * @param acceptLoss goes on with what can be read of a damaged log; a copy of the damaged folder is kept beside it
   * @throws OptionError where it cannot be used, or the log in it is not whole: nothing in it has been changed then
   */
  constructor(
    private readonly folder: string,
    acceptLoss = false,
  ) {
    const content = opening(folder, acceptLoss);
    const head = path.join(folder, HEAD_FILE);
    try {
      this.database = openDatabase(path.join(folder, LOG_FILE), content.kind === 'unchecked' ? '' : SCHEMA);
      try {
        makePrivateFile(head);
        this.head = new LogHead(head);
        if (content.kind === 'log') [this.last, this.chain] = [content.head.seq, content.head.chain];
        else if (content.kind === 'unchecked') this.upgrade();
        else this.head.write({ seq: 0, chain: 0 });
        this.insert = this.database.prepare('INSERT INTO log (seq, at, name, args, checksum) VALUES (?, ?, ?, ?, ?)');
        this.insertSkipped = this.database.prepare(
          'INSERT OR REPLACE INTO skipped (ordinal, seq, checksum) VALUES (?, ?, ?)',
        );
        this.insertFact = this.database.prepare('INSERT OR REPLACE INTO meta (name, value, checksum) VALUES (?, ?, ?)');
      } catch (error) {
        this.database.close();
        throw error;
      }
    } catch (error) {
      throw unusable(folder, storeTrouble(error));
    }
  }

  /** Writes a command down. @throws StoreError where it cannot be stored: it must not be carried out then */
  append(at: number, name: string, args: Json[]): void {
    this.stored(() => {
      this.writeBehind();
      this.write(at, name, args);
    });
    this.later(() => this.head.write({ seq: this.last, chain: this.chain }));
  }

  /** Writes down what has happened already, as that time has passed: where it cannot be stored now, it waits until there is room. */
  appendLater(at: number, name: string, args: Json[]): void {
    this.later(() => this.write(at, name, args));
  }

  /** True if something waits that could not be stored when it happened. */
  get isBehind(): boolean {
    return this.behind.length > 0;
  }

  /** Stores what waits. @throws StoreError where it still cannot be stored */
  catchUp(): void {
    this.stored(() => this.writeBehind());
  }

  /** Tries to store what waits. @returns true if nothing waits any more */
  triesToCatchUp(): boolean {
    try {
      this.writeBehind();
    } catch (error) {
      if (!isStoreFault(error)) throw error;
    }
    return !this.isBehind;
  }

  /** Number of the last entry; 0 when there is none. */
  get seq(): number {
    return this.last;
  }

  /** The checksum of the log up to an entry: it tells this log from others. */
  checksumAt(seq: number): number {
    const row = this.database.prepare('SELECT checksum FROM log WHERE seq = ?').get(seq);
    return checksum([this.meta('key') ?? '', Number(row?.['checksum'] ?? 0)]);
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
    this.later(() => this.insertSkipped.run(ordinal, seq, checksum([ordinal, seq])));
  }

  /** Returns the arguments of `skipNumbers` for the entries after an ordinal. */
  skippedNumbers(after: number): Map<number, number> {
    const rows = this.database.prepare('SELECT ordinal, seq FROM skipped WHERE ordinal > ?').all(after);
    return new Map(rows.map((row) => [Number(row['ordinal']), Number(row['seq'])]));
  }

  /** Numbers of the journal up to this one may be taken. */
  reserveNumbers(seq: number): void {
    this.note(RESERVED, String(seq));
  }

  /** Last argument of `reserveNumbers`. */
  get reservedNumbers(): number {
    return Number(this.meta(RESERVED) ?? 0);
  }

  /** Writes a fact down, in the place of what it was. */
  note(name: string, value: string): void {
    this.later(() => this.insertFact.run(name, value, factChecksum(name, value)));
  }

  /**
   * Forgets everything and begins with these facts; all of it or nothing.
   * @throws StoreError where it cannot be stored: the log is unchanged then
   */
  begin(facts: Record<string, string>): void {
    this.stored(() => {
      // A process that ends between the two finds a log that is longer than its head says, which is whole.
      this.head.write({ seq: 0, chain: 0 });
      inTransaction(this.database, () => {
        this.database.exec('DELETE FROM log; DELETE FROM meta; DELETE FROM skipped;');
        const names = [...Object.keys(facts), FACTS];
        for (const [name, value] of [...Object.entries(facts), [FACTS, names.join(' ')] as const])
          this.insertFact.run(name, value, factChecksum(name, value));
      });
    });
    this.behind.length = 0;
    this.last = 0;
    this.chain = 0;
  }

  /** Stores what waits, and ends. What still cannot be stored is told: no command is among it. */
  close(): void {
    if (!this.triesToCatchUp())
      process.stderr.write(`--data ${this.folder}: how far time had come could not be stored any more.\n`);
    this.head.close();
    this.database.close();
  }

  /** Gives the entries and facts of an earlier version their checksums; all of it or nothing. */
  private upgrade(): void {
    inTransaction(this.database, () => {
      this.database.exec(UPGRADE);
      this.database.exec(SCHEMA);
      const put = this.database.prepare('UPDATE log SET checksum = ? WHERE seq = ?');
      for (const row of this.database.prepare('SELECT seq, at, name, args FROM log ORDER BY seq').all()) {
        const { seq, at, name, args } = row as unknown as { seq: number; at: number; name: string; args: string };
        this.chain = chainChecksum(this.chain, seq, at, name, args);
        this.last = seq;
        put.run(this.chain, seq);
      }
      const putFact = this.database.prepare('INSERT OR REPLACE INTO meta (name, value, checksum) VALUES (?, ?, ?)');
      const facts = this.database.prepare('SELECT name, value FROM meta').all() as { name: string; value: string }[];
      const list = { name: FACTS, value: [...facts.map(({ name }) => name), FACTS].join(' ') };
      for (const { name, value } of [...facts, list]) putFact.run(name, value, factChecksum(name, value));
      const putSkipped = this.database.prepare('UPDATE skipped SET checksum = ? WHERE ordinal = ?');
      for (const { ordinal, seq } of this.database.prepare('SELECT ordinal, seq FROM skipped').all())
        putSkipped.run(checksum([Number(ordinal), Number(seq)]), Number(ordinal));
      this.head.write({ seq: this.last, chain: this.chain });
    });
  }

  private write(at: number, name: string, args: Json[]): void {
    const text = JSON.stringify(args);
    const seq = this.last + 1;
    const chain = chainChecksum(this.chain, seq, at, name, text);
    this.insert.run(seq, at, name, text, chain);
    this.last = seq;
    this.chain = chain;
  }

  /** Does a writing now, or, where it cannot be done or others wait, after those. */
  private later(write: () => void): void {
    const isFirst = this.behind.push(write) === 1;
    if (isFirst && !this.triesToCatchUp())
      process.stderr.write(`--data ${this.folder} is full or cannot be written: commands are refused until it can.\n`);
  }

  private writeBehind(): void {
    while (this.behind.length > 0) {
      this.behind[0]!();
      this.behind.shift();
    }
  }

  /** @throws StoreError in the place of what a writing throws */
  private stored(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      throw new StoreError(cannotStore(this.folder, error));
    }
  }
}

/** Looks at a folder before anything in it is opened for writing. @throws OptionError where it cannot be used */
function opening(folder: string, acceptLoss: boolean): LogContent {
  try {
    const link = linkTrouble(folder);
    if (link !== undefined) throw unusable(folder, link);
    makeFolder(folder);
    return checkLog(folder);
  } catch (error) {
    if (error instanceof OptionError) throw error;
    if (!(error instanceof LogDamage)) throw unusable(folder, storeTrouble(error));
    if (acceptLoss) return salvaged(folder, error);
    throw new OptionError(
      `--data ${folder} is damaged. ${error.message}. Nothing in it has been changed: put a copy of the folder in its place, take another folder, or go on with what can be read of it by --accept-loss.`,
    );
  }
}

/** Goes on with what can be read of a damaged log. @throws OptionError where that is nothing */
function salvaged(folder: string, damage: LogDamage): LogContent {
  try {
    process.stderr.write(`${damage.message}.\n${salvageLog(folder, SCHEMA)}\n`);
    return checkLog(folder);
  } catch (error) {
    const why = error instanceof LogDamage ? error.message : storeTrouble(error);
    throw new OptionError(
      `--data ${folder} is damaged, and --accept-loss cannot help: ${why}. Put a copy of the folder in its place, or take another folder.`,
    );
  }
}

function unusable(folder: string, why: string): OptionError {
  return new OptionError(`--data ${folder} cannot be used: ${why}.`);
}

function cannotStore(folder: string, error: unknown): string {
  return `This cannot be stored in --data ${folder}, so it was not done: ${storeTrouble(error)}. Make room there, and try again.`;
}
