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

async function* large(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.alloc(2_500_001));
}

/** A part of a larger buffer, as sockets hand it over. */
async function* partOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(Buffer.from(`before${text}behind`)).subarray(6, 6 + text.length));
}

it('reads the bytes of a chunk, and none of those around them', async () => {
  expect((await readAll(partOf('reply'))).toString()).toBe('reply');
});

it('reads all up to the size, and not a chunk beyond it', async () => {
  expect(await readAll(limitBytes(30, tens(3).chunks))).toHaveLength(30);
  const { taken, chunks } = tens(1_000);
  await expect(readAll(limitBytes(30, chunks))).rejects.toThrow(UnreadableReplyError);
  await expect(readAll(limitBytes(2_500_000, large()))).rejects.toMatchObject({
    message: 'The service sent more than the 2.5 MB that this reply may have.',
    hint: "Ask for less at a time. If that does not help, something else answers at the credential's address.",
  });
  expect(taken).toEqual({ chunks: 4, closed: true });
});

it('reads the beginning, and leaves the rest', async () => {
  const { taken, chunks } = tens(1_000);
  expect(await readStart(25, chunks)).toHaveLength(25);
  expect(taken).toEqual({ chunks: 3, closed: true });
  expect(await readStart(25, tens(1).chunks)).toHaveLength(10);
  const exact = tens(1_000);
  expect(await readStart(20, exact.chunks)).toHaveLength(20);
  expect(exact.taken).toEqual({ chunks: 2, closed: true });
  expect(await readAll(tens(0).chunks)).toHaveLength(0);
});
