import { statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checksum } from './checksums';
import { HEAD_FILE, LOG_FILE, dataFiles, removeBeside } from './data-files';
import { readHead, type Head } from './log-head';
import { isLocked, storeTrouble } from './sqlite';

/** The fact that names all facts which were written when a log began. */
export const FACTS = 'facts';
/** The facts that a log of a version before these checks has. */
const FACTS_BEFORE = ['key', 'startAt', 'seed', 'universe', 'hours'];

/** Content of a folder: nothing yet, a log of a version before these checks, or one that is whole up to its last entry. */
export type LogContent = { kind: 'new' } | { kind: 'unchecked' } | { kind: 'log'; head: Head };

/** A log that is not whole; the message says the place and what is wrong there. */
export class LogDamage extends Error {}

/** The checksum of a log up to an entry. @param before that up to the entry before it; 0 where it is the first */
export function chainChecksum(before: number, seq: number, at: number, name: string, args: string): number {
  return checksum([seq, at, name, args], before);
}

/** The checksum of a fact. */
export function factChecksum(name: string, value: string): number {
  return checksum([name, value]);
}

/**
 * Reads all of a log and changes nothing. Opened for writing, SQLite would cut off what it cannot read, and begin an empty log where
 * the file is missing.
 * @throws LogDamage that says the place; an error of SQLite where another process uses it
 */
export function checkLog(folder: string): LogContent {
  const files = dataFiles(folder);
  const head = headOf(folder, files);
  const isEmpty = (name: string): boolean => !files.includes(name) || statSync(path.join(folder, name)).size === 0;
  if (isEmpty(LOG_FILE) && isEmpty(`${LOG_FILE}-wal`)) {
    const otherFiles = files.filter((name) => name !== LOG_FILE && name !== HEAD_FILE && !isEmpty(name));
    return beginning(head, otherFiles, files.includes(LOG_FILE) ? 'is empty' : 'is missing');
  }
  try {
    const database = new DatabaseSync(path.join(folder, LOG_FILE), { readOnly: true });
    try {
      return read(database, head, files);
    } finally {
      database.close();
      removeBeside(folder, LOG_FILE, files);
    }
  } catch (error) {
    if (error instanceof LogDamage || isLocked(error)) throw error;
    throw new LogDamage(`${LOG_FILE} cannot be read (${storeTrouble(error)})`);
  }
}

/** Up to where the log was written; undefined where nothing says so. @throws LogDamage */
function headOf(folder: string, files: readonly string[]): Head | undefined {
  if (!files.includes(HEAD_FILE)) return undefined;
  const head = readHead(path.join(folder, HEAD_FILE));
  if (head === undefined)
    throw new LogDamage(
      `${HEAD_FILE}, byte 0: it does not say up to where the log was written, so its end may be missing`,
    );
  return head;
}

/** A folder without a log: new, where nothing says that there was one. @throws LogDamage */
function beginning(head: Head | undefined, others: readonly string[], what: string): LogContent {
  if (head !== undefined && head.seq > 0)
    throw new LogDamage(`${LOG_FILE} ${what}, and ${HEAD_FILE} says that ${head.seq} entries were written to it`);
  if (others.length > 0) throw new LogDamage(`${LOG_FILE} ${what}, and ${others.join(', ')} is there`);
  return { kind: 'new' };
}

function read(database: DatabaseSync, head: Head | undefined, files: readonly string[]): LogContent {
  const [state] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
  if (state?.quick_check !== 'ok') throw new LogDamage(`${LOG_FILE}: ${state?.quick_check ?? 'it cannot be read'}`);
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('log')")
    .all()
    .map(({ name }) => name);
  const facts = columns.length === 0 ? [] : database.prepare('SELECT * FROM meta').all();
  if (facts.length === 0) {
    const entries = columns.length === 0 ? 0 : Number(database.prepare('SELECT count(*) AS n FROM log').get()!['n']);
    if (entries > 0)
      throw new LogDamage(`${LOG_FILE} lacks its facts (${FACTS_BEFORE.join(', ')}), and has ${entries} entries`);
    return beginning(
      head,
      files.filter((name) => name !== LOG_FILE && name !== `${LOG_FILE}-wal` && name !== HEAD_FILE),
      'is empty',
    );
  }
  const isChecked = columns.includes('checksum');
  checkFacts(facts as unknown as LogFact[], isChecked);
  if (!isChecked && head === undefined) return { kind: 'unchecked' };
  if (!isChecked) throw new LogDamage(`${LOG_FILE}: its entries have no checksums any more`);
  if (head === undefined)
    throw new LogDamage(
      `${HEAD_FILE} is missing: it says up to where the log was written, so its end may be missing too`,
    );
  for (const { ordinal, seq, checksum: sum } of database.prepare('SELECT * FROM skipped').all())
    if (checksum([Number(ordinal), Number(seq)]) !== sum)
      throw new LogDamage(`${LOG_FILE}: the number of the journal's entry ${String(ordinal)} is damaged`);
  return { kind: 'log', head: checkEntries(database, head, files) };
}

/** A fact as the log holds it. */
export interface LogFact {
  name: string;
  value: string;
  checksum: number;
}

/** @throws LogDamage where a fact is damaged, or one is missing: another one in its place would make another world */
export function checkFacts(facts: readonly LogFact[], isChecked: boolean): void {
  const wrong = isChecked
    ? facts.find(({ name, value, checksum: sum }) => factChecksum(name, value) !== sum)
    : undefined;
  if (wrong !== undefined) throw new LogDamage(`${LOG_FILE}: the fact "${wrong.name}" is damaged`);
  const names = facts.map(({ name }) => name);
  const list = facts.find(({ name }) => name === FACTS)?.value.split(' ') ?? [
    ...FACTS_BEFORE,
    ...(isChecked ? [FACTS] : []),
  ];
  const missing = list.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new LogDamage(`${LOG_FILE} lacks ${missing.map((name) => `its ${name}`).join(', ')}`);
}

/** @returns the end of the log. @throws LogDamage where an entry is damaged or missing */
function checkEntries(database: DatabaseSync, head: Head, files: readonly string[]): Head {
  let seq = 0;
  let chain = 0;
  try {
    for (const row of database.prepare('SELECT seq, at, name, args, checksum FROM log ORDER BY seq').iterate()) {
      const entry = row as unknown as { seq: number; at: number; name: string; args: string; checksum: number };
      if (entry.seq !== seq + 1) throw new LogDamage(`${LOG_FILE}: entry ${seq + 1} of the log is missing`);
      chain = chainChecksum(chain, entry.seq, entry.at, entry.name, entry.args);
      if (chain !== entry.checksum) throw new LogDamage(`${LOG_FILE}: entry ${entry.seq} of the log is damaged`);
      seq = entry.seq;
      if (seq === head.seq && chain !== head.chain)
        throw new LogDamage(`${LOG_FILE}: entry ${seq} of the log is not the one that ${HEAD_FILE} tells of`);
    }
  } catch (error) {
    if (error instanceof LogDamage) throw error;
    throw new LogDamage(`${LOG_FILE}: entry ${seq + 1} of the log cannot be read (${storeTrouble(error)})`);
  }
  if (seq >= head.seq) return { seq, chain };
  const beside = files.includes(`${LOG_FILE}-wal`)
    ? `${LOG_FILE}-wal is damaged or cut off`
    : `${LOG_FILE}-wal is missing`;
  throw new LogDamage(`${LOG_FILE}: ${head.seq} entries were written, and it ends after entry ${seq}: ${beside}`);
}
