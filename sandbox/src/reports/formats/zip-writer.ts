import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** Text that is packed at once, characters. */
const PORTION = 65_536;
const DEFLATED = 8;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** Midnight of 1 January 1980, the first that the format knows. */
const DATE = 0x21;
const VERSION = 20;

/** A zip file whose entries are packed while they are written: no more of an entry is held than its packed bytes. */
export class ZipWriter {
  private readonly parts: Buffer[] = [];
  private readonly directory: Buffer[] = [];
  private length = 0;

  /** Adds a file. @param content pieces of its text */
  async add(name: string, content: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const { packed, size, sum } = await deflated(content);
    const path = Buffer.from(name);
    const packedSize = packed.reduce((all, { length }) => all + length, 0);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(sum, 0);
    sizes.writeUInt32LE(packedSize, 4);
    sizes.writeUInt32LE(size, 8);
    const entry = Buffer.concat([words(VERSION, FLAGS, DEFLATED, 0, DATE), sizes, words(path.length, 0)]);
    this.directory.push(
      Buffer.concat([signature(0x02014b50), words(VERSION), entry, words(0, 0, 0), long(0), long(this.length), path]),
    );
    this.write(signature(0x04034b50), entry, path, ...packed);
  }

  /** @returns the whole file */
  end(): Buffer {
    const [start, count] = [this.length, this.directory.length];
    this.write(...this.directory);
    this.write(signature(0x06054b50), words(0, 0, count, count), long(this.length - start), long(start), words(0));
    return Buffer.concat(this.parts);
  }

  private write(...parts: Buffer[]): void {
    for (const part of parts) {
      this.parts.push(part);
      this.length += part.length;
    }
  }
}

async function deflated(
  content: AsyncIterable<string> | Iterable<string>,
): Promise<{ packed: Buffer[]; size: number; sum: number }> {
  const stream = createDeflateRaw();
  const packed: Buffer[] = [];
  stream.on('data', (part: Buffer) => packed.push(part));
  let [size, sum, text] = [0, 0, ''];
  const pack = async (): Promise<void> => {
    const bytes = Buffer.from(text);
    text = '';
    size += bytes.length;
    sum = crc32(bytes, sum);
    await written(stream, bytes);
  };
  for await (const piece of content) {
    text += piece;
    if (text.length >= PORTION) await pack();
  }
  await pack();
  await new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject).end());
  return { packed, size, sum };
}

const written = (stream: DeflateRaw, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve())));

const signature = (value: number): Buffer => long(value);

/** Numbers of two bytes. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, at) => bytes.writeUInt16LE(value, 2 * at));
  return bytes;
}

/** A number of four bytes. */
function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
