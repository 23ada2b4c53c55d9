import { constants } from 'node:buffer';
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { refuseFile, refuseRow } from '../market/recordings/read-error';
import { unpacksToMore } from '../market/recordings/unpacked-size';
import { filesInZip, namesInZip } from '../market/recordings/zip';
import { OptionError } from '../shared/option-error';

/** The files of a folder of recordings: their names and their content. */

/** The longest text that Node.js holds, bytes. */
const MAX_FILE_LENGTH = constants.MAX_STRING_LENGTH;
const TOO_LARGE = `it holds more than ${Math.round(MAX_FILE_LENGTH / 2 ** 20)} MB; split it, for instance by year`;

const ZIP = /\.zip$/i;

/** Byte order marks of UTF-16. */
const UTF_16: ReadonlyMap<Buffer, string> = new Map([
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
]);

/** Meaning of an error of the file system for the owner of a file. */
const FILE_TROUBLES: Record<string, string> = {
  EACCES: 'it may not be read; allow it (chmod u+r), or take it out of the folder',
  EPERM: 'it may not be read; allow it (chmod u+r), or take it out of the folder',
  ENOENT: 'it links to a file that is not there; put the file itself there, or delete the link',
  ELOOP: 'it is a link that leads back to itself; put the file itself there, or delete the link',
};

/** The same of the folder. */
const FOLDER_TROUBLES: Record<string, string> = {
  ENOENT: ': there is no such folder',
  ENOTDIR: ' is a file: give the folder that it lies in',
  EACCES: ' may not be read: allow it (chmod u+rx), or give another folder',
  EPERM: ' may not be read: allow it (chmod u+rx), or give another folder',
  ELOOP: ' is a link that leads back to itself: give the folder itself',
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/**
 * The names in a folder, in the order of the alphabet, without those that begin with a dot.
 * @throws OptionError where it cannot be read
 */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch (error) {
    const trouble = FOLDER_TROUBLES[codeOf(error)];
    throw trouble === undefined ? error : new OptionError(`--replay ${folder}${trouble}.`);
  }
}

/** Returns the result of a reading of a file. @throws OptionError that names the file and says what to do */
function reading<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const trouble = FILE_TROUBLES[codeOf(error)];
    if (trouble === undefined) throw error;
    return refuseFile(name, trouble);
  }
}

/** The bytes of a file of a folder. @throws OptionError that names it and says what to do */
export function contentOf(folder: string, name: string): Buffer {
  const file = join(folder, name);
  const stats = reading(name, (): Stats => statSync(file));
  if (stats.isDirectory())
    refuseFile(name, 'it is a folder; put the files that it holds beside it, or give it another name');
  if (!stats.isFile()) refuseFile(name, 'it is no file; take it out of the folder');
  if (stats.size > MAX_FILE_LENGTH) refuseFile(name, TOO_LARGE);
  return reading(name, () => readFileSync(file));
}

/** A file by itself, or one of an archive, with the name that it has there. */
export interface NamedContent {
  name: string;
  content: Buffer;
}

/** Archives, which are not looked into when they are in one. */
const ARCHIVE = /\.(zip|gz|7z|rar|tar|tgz)$/i;

/**
 * The files of an archive; of any other file itself.
 * @param maxUnpacked what comes out of it at most, bytes. @throws OptionError that names it and says what to do
 */
export function filesOf(name: string, bytes: Buffer, maxUnpacked: number): NamedContent[] {
  if (!ZIP.test(name)) return [{ name, content: unpacked(name, bytes, maxUnpacked) }];
  const files = filesInZip(bytes, maxUnpacked);
  if (typeof files === 'string') return refuseRow(name, 1, files);
  if (files.length === 0) return refuseFile(name, 'the archive holds no file; download it again');
  const inner = files.find((file) => ARCHIVE.test(file.name));
  if (inner !== undefined) refuseFile(name, `the archive holds the archive ${inner.name}; unpack it`);
  return files;
}

/** The names of the files of an archive; none where the file is no archive that can be read. */
export function namesInArchive(name: string, bytes: Buffer): string[] {
  const names = ZIP.test(name) ? namesInZip(bytes) : undefined;
  return typeof names === 'string' ? [] : (names ?? []);
}

/**
 * The text of a file, taken out of its gzip.
 * @param maxUnpacked what comes out of it at most, bytes. @throws OptionError that names it and says what to do
 */
export function textOf(name: string, bytes: Buffer, maxUnpacked: number): string {
  return asText(name, unpacked(name, bytes, maxUnpacked));
}

/** The text of a file's content. @throws OptionError that names it and says what to do */
export function asText(name: string, content: Buffer): string {
  if (content.length > MAX_FILE_LENGTH) refuseFile(name, TOO_LARGE);
  // A spreadsheet's "Unicode text" and a terminal's exports are UTF-16 with a mark at the beginning.
  const marked = [...UTF_16].find(([mark]) => content.subarray(0, 2).equals(mark))?.[1];
  return marked === undefined ? content.toString('utf8') : new TextDecoder(marked).decode(content);
}

function unpacked(name: string, bytes: Buffer, maxUnpacked: number): Buffer {
  if (!/\.gz$/i.test(name)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpacked });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return refuseFile(name, unpacksToMore(maxUnpacked));
    const why = error instanceof Error ? error.message : String(error);
    return refuseRow(name, 1, `it cannot be unpacked (${why}); compress it again, or put it there as it is`);
  }
}
