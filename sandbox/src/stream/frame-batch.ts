/** The first byte of a WebSocket message that is whole and binary (RFC 6455, section 5.2). */
const WHOLE_BINARY = 0x82;

/** Frames that go to several listeners alike. As the bytes of a connection they are put together once. */
export class FrameBatch {
  private joined: Buffer | undefined;

  constructor(readonly frames: readonly OutgoingFrame[]) {}

  /** All of them as WebSocket messages of a server, which are not masked (RFC 6455, section 5.2). */
  get bytes(): Buffer {
    return (this.joined ??= Buffer.concat(this.frames.flatMap(({ frame }) => [headerOf(frame.length), frame])));
  }
}

function headerOf(length: number): Buffer {
  if (length < 126) return Buffer.from([WHOLE_BINARY, length]);
  if (length < 65_536) return Buffer.from([WHOLE_BINARY, 126, length >> 8, length & 255]);
  const header = Buffer.alloc(10);
  header.set([WHOLE_BINARY, 127]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** A frame for a connection; `at` is when it was made, milliseconds. */
export interface OutgoingFrame {
  frame: Uint8Array;
  about: FrameSubject;
  at: number;
}

/** Note of a frame for the journal; undefined for frames that are too many to note. */
export type FrameSubject = Record<string, string | number> | undefined;
