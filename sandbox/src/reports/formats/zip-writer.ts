import { strToU8, Zip, ZipDeflate } from 'fflate';

/** Text that is packed at once, characters. */
const PORTION = 65_536;
/** The first date that the format knows: one document makes one file, whenever it is written. */
const WRITTEN_AT = new Date(1980, 0, 1);

/** A zip file whose entries are packed while they are written: no more of an entry is held than its packed bytes. */
export class ZipWriter {
  private readonly parts: Uint8Array[] = [];
  private readonly zip = new Zip((error, part) => {
    if (error !== null) throw error;
    this.parts.push(part);
  });

  /** Adds a file. @param content pieces of its text */
  async add(name: string, content: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const entry = new ZipDeflate(name);
    entry.mtime = WRITTEN_AT;
    this.zip.add(entry);
    let text = '';
    for await (const piece of content) {
      text += piece;
      if (text.length < PORTION) continue;
      entry.push(strToU8(text));
      text = '';
    }
    entry.push(strToU8(text), true);
  }

  /** @returns the whole file */
  end(): Buffer {
    this.zip.end();
    return Buffer.concat(this.parts);
  }
}
