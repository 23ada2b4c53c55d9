import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { Canvas } from '../../../client/charts/canvas';
import { GLYPHS } from '../../../client/charts/glyphs';
import { encodePng } from '../../../client/charts/png';

/** Reads a PNG with Node.js's own zlib, checking every checksum. */
function read(png: Uint8Array) {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
  const [header, data] = [chunks[0]!, chunks[1]!];
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  expect([...header.data.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
  const rows = inflateSync(data.data);
  expect(rows.length).toBe((width * 3 + 1) * height);
  const rgb = Buffer.concat(
    Array.from({ length: height }, (_, row) => {
      expect(rows[row * (width * 3 + 1)]).toBe(0);
      return rows.subarray(row * (width * 3 + 1) + 1, (row + 1) * (width * 3 + 1));
    }),
  );
  return { width, height, rgb };
}

it('writes PNG files that hold every dot', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      fc.uint8Array({ minLength: 4800, maxLength: 4800 }),
      async (width, height, noise) => {
        const rgb = noise.slice(0, width * height * 3);
        expect(read(await encodePng({ width, height, rgb }))).toEqual({ width, height, rgb: Buffer.from(rgb) });
      },
    ),
    { numRuns: 50 },
  );
});

it('draws rectangles and letters inside of the picture only, each letter unlike the others', () => {
  const drawn = Object.keys(GLYPHS).map((letter) => {
    const canvas = new Canvas(30, 40, [255, 255, 255]);
    canvas.text(4, 4, letter, 24, [0, 0, 0]);
    return Buffer.from(canvas.rgb).toString('base64');
  });
  const different = new Set(drawn);
  // The hyphen and the minus sign look the same, as do the letter O and the digit 0.
  expect(different.size).toBe(drawn.length - 2);
  const canvas = new Canvas(10, 10, [255, 255, 255]);
  canvas.rectangle(-5, -5, 7, 7, [1, 2, 3]);
  canvas.text(8, 8, 'M', 30, [0, 0, 0]);
  expect([...canvas.rgb.subarray(0, 9)]).toEqual([1, 2, 3, 1, 2, 3, 255, 255, 255]);
  expect(canvas.rgb.length).toBe(300);
});
