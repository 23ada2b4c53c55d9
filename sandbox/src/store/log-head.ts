import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { checksum } from './checksums';

/** Length of a copy of the record, bytes; the file holds two copies. */
const COPY_LENGTH = 64;

/** Up to where a log was written: the number of its last entry, and the checksum of all up to there. */
export interface Head {
  seq: number;
  chain: number;
}

/**
 * A file beside the log that says up to where it was written: the end of a log can be lost without a trace, since SQLite takes what follows
 * a damaged or missing piece of its write-ahead log for never written.
 */
export class LogHead {
  private readonly file: number;
  private readonly bytes = Buffer.alloc(2 * COPY_LENGTH);

  /** @throws Error with a code of the file system */
  constructor(name: string) {
    this.file = openSync(name, 'r+');
  }

  /** Writes it down. @throws Error with a code of the file system */
  write({ seq, chain }: Head): void {
    const copy = `${seq} ${chain} ${checksum([seq, chain])}`.padEnd(COPY_LENGTH - 1) + '\n';
    this.bytes.write(copy + copy, 'latin1');
    writeSync(this.file, this.bytes, 0, this.bytes.length, 0);
  }

  close(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }
}

/** Reads what was written down last; undefined where no copy of it is whole. @throws Error with a code of the file system */
export function readHead(name: string): Head | undefined {
  const text = readFileSync(name, 'latin1');
  for (const at of [0, COPY_LENGTH]) {
    const [seq = NaN, chain = NaN, check] = text
      .slice(at, at + COPY_LENGTH)
      .split(' ', 3)
      .map(Number);
    if (Number.isSafeInteger(seq) && Number.isSafeInteger(chain) && check === checksum([seq, chain]))
      return { seq, chain };
  }
  return undefined;
}
