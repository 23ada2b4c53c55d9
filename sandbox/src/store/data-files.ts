import { lstatSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The files of a folder of `--data`. */
export const LOG_FILE = 'sandbox.sqlite';
export const HEAD_FILE = 'sandbox.head';
export const SNAPSHOT_FILE = 'snapshots.sqlite';
/** Endings of the files that SQLite puts beside one of its files. */
const BESIDE = ['-wal', '-shm', '-journal'];
const NAMES = [LOG_FILE, SNAPSHOT_FILE].flatMap((name) => [name, ...BESIDE.map((end) => name + end)]).concat(HEAD_FILE);

/** Returns the existing files of those that a sandbox keeps. */
export function dataFiles(folder: string): string[] {
  return NAMES.filter((name) => lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined);
}

/**
 * Says what is wrong with a file of the folder, or with the folder: a link would have another file written, perhaps somebody else's.
 * @returns undefined where nothing is
 */
export function linkTrouble(folder: string): string | undefined {
  if (lstatSync(path.resolve(folder), { throwIfNoEntry: false })?.isSymbolicLink() === true)
    return 'it is a link, which is not followed; give the folder that it leads to';
  for (const name of dataFiles(folder)) {
    const stats = lstatSync(path.join(folder, name));
    if (stats.isSymbolicLink()) return `${name} in it is a link, which is not followed; put the file itself there`;
    if (!stats.isFile()) return `${name} in it is no file; take it away`;
    if (stats.nlink > 1) return `${name} in it is also a file elsewhere (a hard link); put a copy of it there`;
  }
  return undefined;
}

/** Removes what SQLite has put beside a file that was only read, but for what was there before. */
export function removeBeside(folder: string, file: string, before: readonly string[]): void {
  for (const name of BESIDE.map((end) => file + end))
    if (!before.includes(name)) rmSync(path.join(folder, name), { force: true });
}

/**
 * Gives a damaged file of SQLite, with the files beside it, a name under which nobody looks for it.
 * @returns the name
 */
export function setAside(folder: string, file: string): string {
  let number = 1;
  const nameOf = (): string => `${file}.damaged-${number}`;
  while (lstatSync(path.join(folder, nameOf()), { throwIfNoEntry: false }) !== undefined) number += 1;
  for (const end of ['', ...BESIDE])
    if (lstatSync(path.join(folder, file + end), { throwIfNoEntry: false }) !== undefined)
      renameSync(path.join(folder, file + end), path.join(folder, nameOf() + end));
  return nameOf();
}
