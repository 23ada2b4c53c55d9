import { crc32, inflateRawSync } from 'node:zlib';
import { MAX_UNPACKED_BYTES, unpacksToMore } from './unpacked-size';

/** Takes files out of a ZIP archive, as exchanges serve them. */

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_LENGTH = 22;
const COMMENT_LENGTH = 0xffff;
/** Ways of compression: none, and the usual one. */
const [STORED, DEFLATED] = [0, 8];
const DAMAGED = 'the archive is damaged; download it again';

/** Files that a Mac and others add to an archive: __MACOSX/._NIFTY.csv, .DS_Store. */
const HIDDEN = /(^|\/)(__MACOSX\/|\.[^/]*$)/;

/** A file of an archive; its name is without the folders that it lies in. */
export interface ZippedFile {
  name: string;
  content: Buffer;
}

/** Entries of the directory of an archive, without folders. @returns a text that says why they cannot be read */
function entriesOf(zip: Buffer): { name: string; entry: number }[] | string {
  const end = endOf(zip);
  if (end === undefined) return 'this is no whole ZIP archive; download it again';
  const count = zip.readUInt16LE(end + 10);
  const entries: { name: string; entry: number }[] = [];
  let entry = zip.readUInt32LE(end + 16);
  for (let number = 0; number < count; number += 1) {
    if (entry + 46 > end || zip.readUInt32LE(entry) !== ENTRY) return DAMAGED;
    const nameEnd = entry + 46 + zip.readUInt16LE(entry + 28);
    if (nameEnd > end) return DAMAGED;
    const name = zip.toString('utf8', entry + 46, nameEnd);
    if (!name.endsWith('/') && !HIDDEN.test(name)) entries.push({ name: name.slice(name.lastIndexOf('/') + 1), entry });
    entry = nameEnd + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return entries;
}

/** The names of the files of an archive, without unpacking them. @returns a text that says why they cannot be had */
export function namesInZip(zip: Buffer): string[] | string {
  const entries = entriesOf(zip);
  return typeof entries === 'string' ? entries : entries.map(({ name }) => name);
}

/**
 * The files of an archive, without folders.
 * @param maxBytes what comes out of it at most, all files together
 * @returns a text that says why they cannot be had
 */
export function filesInZip(zip: Buffer, maxBytes = MAX_UNPACKED_BYTES): ZippedFile[] | string {
  const entries = entriesOf(zip);
  if (typeof entries === 'string') return entries;
  const files: ZippedFile[] = [];
  let left = maxBytes;
  for (const { name, entry } of entries) {
    const content = contentOf(zip, entry, left, maxBytes);
    if (typeof content === 'string') return content;
    left -= content.length;
    files.push({ name, content });
  }
  return files;
}

/** The same of an archive that holds one file. */
export function fileInZip(zip: Buffer, maxBytes = MAX_UNPACKED_BYTES): Buffer | string {
  const files = filesInZip(zip, maxBytes);
  if (typeof files === 'string') return files;
  const [file] = files;
  return files.length === 1 && file !== undefined ? file.content : `the archive holds ${files.length} files; unpack it`;
}

/** @param entry where its entry in the directory begins. @param left what may still come out of the archive */
function contentOf(zip: Buffer, entry: number, left: number, maxBytes: number): Buffer | string {
  if ((zip.readUInt16LE(entry + 8) & 1) === 1) return 'the archive has a password; unpack it';
  const [way, packed, size] = [
    zip.readUInt16LE(entry + 10),
    zip.readUInt32LE(entry + 20),
    zip.readUInt32LE(entry + 24),
  ];
  const local = zip.readUInt32LE(entry + 42);
  if (local + 30 > entry) return DAMAGED;
  if (size > left) return unpacksToMore(maxBytes);
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(from, from + packed);
  if (bytes.length !== packed) return DAMAGED;
  if (way !== STORED && way !== DEFLATED)
    return `the archive is compressed in a way (${way}) that is not known here; unpack it`;
  const content = way === STORED ? bytes : inflated(bytes, size);
  if (content?.length !== size || crc32(content) !== zip.readUInt32LE(entry + 16)) return DAMAGED;
  return content;
}

/** Undefined where it cannot be unpacked to at most so many bytes: the archive then says so of itself. */
function inflated(bytes: Buffer, size: number): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) });
  } catch {
    return undefined;
  }
}

/** Returns the place of the archive's end: a comment may follow. */
function endOf(zip: Buffer): number | undefined {
  for (let at = zip.length - END_LENGTH; at >= Math.max(zip.length - END_LENGTH - COMMENT_LENGTH, 0); at--)
    if (zip.readUInt32LE(at) === END) return at;
  return undefined;
}
