import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Meaning of an error of the file system for the user who chose the folder. */
const WORDS: Record<string, string> = {
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'it may not be written',
  ENOENT: 'no folder can be made there',
  EEXIST: 'it is a file, or lies below one',
  ENOTDIR: 'it is a file, or lies below one',
  ENOSPC: 'the disk is full',
  ELOOP: 'it is a link, which is not followed',
  EMLINK: 'it is also a file elsewhere (a hard link)',
};

/**
 * Makes a folder, for its owner only, with those above it that do not exist. Node's own recursive way never comes back
 * where the system denies a folder its parent plainly has, as below /proc.
 * @throws Error with a code of the file system
 */
export function makeFolder(folder: string): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there === undefined) makeParent(folder);
  mkdirSync(folder, { mode: 0o700 });
}

/**
 * Makes a file, for its owner only, or makes one that is there so: the folder may be open to others. What SQLite puts
 * beside its file has the rights of that file.
 * @throws Error with a code of the file system
 */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/**
 * Writes a file as a whole: whoever reads the folder meanwhile finds the former one or this one. A link of its name is replaced, and
 * its target stays unchanged.
 * @throws Error with a code of the file system
 */
export function writeWhole(file: string, content: string | Buffer): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, content, { flag: 'wx' });
  renameSync(part, file);
}

/**
 * Writes at the end of a file, which is made where there is none.
 * @param heading first bytes of a new file.
 * @throws Error with a code of the file system: ELOOP for a link, which is not followed, EMLINK for a file that has another name too
 */
export function appendOwn(file: string, heading: Buffer, content: Buffer): void {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const opened = openSync(file, flags, 0o666);
  try {
    const { size, nlink } = fstatSync(opened);
    if (nlink > 1) throw Object.assign(new Error('a hard link'), { code: 'EMLINK' });
    writeFileSync(opened, size > 0 ? content : Buffer.concat([heading, content]));
  } finally {
    closeSync(opened);
  }
}

function makeParent(folder: string): void {
  const parent = path.dirname(path.resolve(folder));
  if (parent !== path.resolve(folder)) makeFolder(parent);
}

/** The reason why a folder cannot be used. */
export function folderTrouble(error: unknown): string {
  const { code = '', message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  if (message.includes('locked')) return 'another sandbox is using it';
  if (message.includes('unable to open database file')) return WORDS['EACCES']!;
  return WORDS[code] ?? message;
}
