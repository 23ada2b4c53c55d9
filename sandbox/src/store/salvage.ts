import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HEAD_FILE, LOG_FILE, dataFiles, removeBeside } from './data-files';
import { makePrivateFile } from './folder';
import { chainChecksum, checkFacts, type LogFact } from './log-check';
import { LogHead } from './log-head';
import { openDatabase, inTransaction } from './sqlite';

interface Entry {
  seq: number;
  at: number;
  name: string;
  args: string;
  checksum: number;
}

/** Readable part of a damaged log. */
interface ReadableLog {
  facts: LogFact[];
  entries: Entry[];
}

/**
 * Makes a new log of what can be read of a damaged one, up to the first entry that is damaged or missing. A copy of the damaged
 * folder is kept beside it. Call it only where the user has asked for it.
 * @returns in words what was kept. @throws LogDamage where its facts cannot be read; an error of SQLite where nothing can
 */
export function salvageLog(folder: string, schema: string): string {
  const { facts, entries } = readWhole(folder);
  const copy = nameOfCopy(folder);
  cpSync(folder, copy, { recursive: true });
  for (const name of dataFiles(folder)) rmSync(path.join(folder, name));
  const database = openDatabase(path.join(folder, LOG_FILE), schema);
  makePrivateFile(path.join(folder, HEAD_FILE));
  const head = new LogHead(path.join(folder, HEAD_FILE));
  try {
    inTransaction(database, () => {
      const putFact = database.prepare('INSERT INTO meta (name, value, checksum) VALUES (?, ?, ?)');
      for (const { name, value, checksum } of facts) putFact.run(name, value, checksum);
      const put = database.prepare('INSERT INTO log (seq, at, name, args, checksum) VALUES (?, ?, ?, ?, ?)');
      for (const { seq, at, name, args, checksum } of entries) put.run(seq, at, name, args, checksum);
    });
    head.write({ seq: entries.length, chain: entries.at(-1)?.checksum ?? 0 });
  } finally {
    head.close();
    database.close();
  }
  return `--data ${folder}: ${entries.length} entries of its damaged log could be read, and are kept; what came after them is lost. The folder as it was is ${copy}.`;
}

/** @throws LogDamage where its facts are damaged */
function readWhole(folder: string): ReadableLog {
  const files = dataFiles(folder);
  const database = new DatabaseSync(path.join(folder, LOG_FILE), { readOnly: true });
  try {
    const facts = database.prepare('SELECT name, value, checksum FROM meta').all() as unknown as LogFact[];
    checkFacts(facts, true);
    const entries: Entry[] = [];
    let chain = 0;
    try {
      for (const row of database.prepare('SELECT seq, at, name, args, checksum FROM log ORDER BY seq').iterate()) {
        const entry = row as unknown as Entry;
        chain = chainChecksum(chain, entry.seq, entry.at, entry.name, entry.args);
        if (entry.seq !== entries.length + 1 || entry.checksum !== chain) break;
        entries.push(entry);
      }
    } catch {
      // Here the file cannot be read any further: what was read before is what there is.
    }
    return { facts, entries };
  } finally {
    database.close();
    removeBeside(folder, LOG_FILE, files);
  }
}

function nameOfCopy(folder: string): string {
  const base = path.resolve(folder);
  let number = 1;
  while (existsSync(`${base}.damaged-${number}`)) number += 1;
  return `${base}.damaged-${number}`;
}
