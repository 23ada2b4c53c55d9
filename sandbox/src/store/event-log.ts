import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { OptionError } from '../option-error';
import type { Json } from './commands';

/** A command as the log holds it. */
export interface Entry {
  /** Milliseconds of virtual time. */
  at: number;
  name: string;
  args: Json[];
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, args TEXT NOT NULL) STRICT;
`;

/**
 * The commands of a sandbox in an SQLite file, in the order they were carried out. A command is in the file before it
 * is answered: whoever kills the process loses nothing that was acknowledged.
 */
export class EventLog {
  private readonly database: DatabaseSync;
  private readonly insert: StatementSync;

  /** @param folder made when it does not exist; for its owner only, because the log holds TOTP secrets. @throws OptionError */
  constructor(folder: string) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.database = new DatabaseSync(path.join(folder, 'sandbox.sqlite'));
      this.database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
      this.database.exec(SCHEMA);
      this.insert = this.database.prepare('INSERT INTO log (at, name, args) VALUES (?, ?, ?)');
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const hint = text.includes('locked') ? 'another sandbox is using it' : text;
      throw new OptionError(`--data ${folder} cannot be used: ${hint}.`);
    }
  }

  append(at: number, name: string, args: Json[]): void {
    this.insert.run(at, name, JSON.stringify(args));
  }

  *entries(): Iterable<Entry> {
    for (const row of this.database.prepare('SELECT at, name, args FROM log ORDER BY seq').iterate()) {
      const { at, name, args } = row as { at: number; name: string; args: string };
      yield { at, name, args: JSON.parse(args) as Json[] };
    }
  }

  /** The instant of the last entry; undefined when there is none. */
  lastAt(): number | undefined {
    return (this.database.prepare('SELECT at FROM log ORDER BY seq DESC LIMIT 1').get() as { at: number } | undefined)?.at;
  }

  meta(name: string): string | undefined {
    return (this.database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value;
  }

  /** Forgets everything and begins with these facts. */
  begin(facts: Record<string, string>): void {
    this.database.exec('BEGIN IMMEDIATE; DELETE FROM log; DELETE FROM meta;');
    const put = this.database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
    for (const [name, value] of Object.entries(facts)) put.run(name, value);
    this.database.exec('COMMIT');
  }

  close(): void {
    this.database.close();
  }
}
