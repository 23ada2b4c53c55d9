import { DatabaseSync } from 'node:sqlite';
import { folderTrouble, makePrivateFile } from './folder';

/** Result codes of SQLite that have separate words; the lower byte of its extended ones. */
const [BUSY, CORRUPT, NOT_A_DATABASE] = [5, 11, 26];
const WORDS: Record<number, string> = {
  [BUSY]: 'another sandbox is using it',
  8: 'it may not be written',
  10: 'the disk cannot be read or written',
  [CORRUPT]: 'it is damaged',
  13: 'the disk is full',
  14: 'it may not be written',
  [NOT_A_DATABASE]: 'it is damaged',
};

/** The extended code of a file that ends before what it says that it holds. Its lower byte is that of a disk that fails. */
const SHORT_READ = 522;

const extendedCodeOf = (error: unknown): number => Number((error as { errcode?: number } | null)?.errcode ?? 0);
const codeOf = (error: unknown): number => extendedCodeOf(error) & 0xff;

/** Says in words what an error of SQLite or of the file system means for a file. */
export function storeTrouble(error: unknown): string {
  return WORDS[meansDamage(error) ? CORRUPT : codeOf(error)] ?? folderTrouble(error);
}

/** Says whether an error is of SQLite or the file system, and none of ours. */
export function isStoreFault(error: unknown): boolean {
  const { code = '', errcode } = error as { code?: string; errcode?: number };
  return errcode !== undefined || /^E[A-Z0-9]+$/.test(code);
}

/** Says whether another process has a file of SQLite. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** Says whether an error means that the content of a file is wrong, and not the disk or the rights. */
export function meansDamage(error: unknown): boolean {
  return [CORRUPT, NOT_A_DATABASE].includes(codeOf(error)) || extendedCodeOf(error) === SHORT_READ;
}

/**
 * Opens a file of SQLite for this process alone, and makes it where it is not there; for its owner only. `synchronous = NORMAL` leaves the
 * last moments to a power cut; FULL would wait for the disk at every command (measured: 9 µs against 250 µs).
 * @throws Error of SQLite or of the file system
 */
export function openDatabase(file: string, schema: string): DatabaseSync {
  makePrivateFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec(schema);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Does a work as one transaction: all of it or nothing. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE;');
  try {
    work();
    database.exec('COMMIT;');
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK;');
    throw error;
  }
}
