import { UnreadableReplyError } from '../../../client/base/errors';
import { readAll, readStart, limitBytes } from '../../../client/values/bytes';

/** Chunks of ten bytes, and how many of them were taken. */
function tens(count: number) {
  const taken = { chunks: 0, closed: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (; taken.chunks < count;) {
        taken.chunks += 1;
        yield Buffer.alloc(10, 'x');
      }
    } finally {
      taken.closed = true;
    }
  }
  return { taken, chunks: chunks() };
}

it('reads all up to the size, and not a chunk beyond it', async () => {
  expect(await readAll(limitBytes(30, tens(3).chunks))).toHaveLength(30);
  const { taken, chunks } = tens(1_000);
  await expect(readAll(limitBytes(30, chunks))).rejects.toThrow(UnreadableReplyError);
  expect(taken).toEqual({ chunks: 4, closed: true });
});

it('reads the beginning, and leaves the rest', async () => {
  const { taken, chunks } = tens(1_000);
  expect(await readStart(25, chunks)).toHaveLength(25);
  expect(taken).toEqual({ chunks: 3, closed: true });
  expect(await readStart(25, tens(1).chunks)).toHaveLength(10);
  expect(await readAll(tens(0).chunks)).toHaveLength(0);
});
