import { crc32, deflateRawSync } from 'node:zlib';
import { fileInZip, filesInZip } from '../../../../sandbox/src/market/recordings/zip';
import { zipOfFiles } from '../../../support/zip';

const TEXT = Buffer.from('TradDt,ClsPric\n'.repeat(40));

/** An archive as the specification of PKWARE lays it out. */
function zipOf(content: Buffer, { way = 8, flags = 0, files = 1, comment = '', size = content.length } = {}): Buffer {
  const packed = way === 8 ? deflateRawSync(content) : content;
  const name = Buffer.from('b.csv');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(flags, 2);
  common.writeUInt16LE(way, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files, 4);
  end.writeUInt16LE(files, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([local, entry, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)]);
}

it.each([
  ['deflated', zipOf(TEXT)],
  ['stored', zipOf(TEXT, { way: 0 })],
  ['with a comment', zipOf(TEXT, { comment: 'of an exchange' })],
])('the file of an archive is extracted: %s', (_what, zip) => {
  expect(fileInZip(zip)).toEqual(TEXT);
});

it.each([
  ['the archive is damaged', zipOf(TEXT, { files: 2 })],
  [
    'holds 2 files; unpack it',
    zipOfFiles([
      ['a.csv', 'a'],
      ['b.csv', 'b'],
    ]),
  ],
  ['has a password', zipOf(TEXT, { flags: 1 })],
  ['in a way (12) that is not known', zipOf(TEXT, { way: 12 })],
  ['the archive is damaged', zipOf(TEXT, { size: 20 })],
  ['it unpacks to more than 256 MB; split it', zipOf(TEXT, { size: 2 ** 31 })],
  ['this is no whole ZIP archive', zipOf(TEXT).subarray(0, 80)],
  ['this is no whole ZIP archive', Buffer.alloc(0)],
])('an archive is refused: %s', (says, zip) => {
  expect(fileInZip(zip)).toContain(says);
});

it('all files of an archive are extracted, without their folders, as long as all together are not too large', () => {
  const zip = zipOfFiles([
    ['set/', ''],
    ['set/a.csv', 'first'],
    ['b.csv', 'second'],
  ]);
  const found = filesInZip(zip);
  if (typeof found === 'string') throw new Error(found);
  expect(found.map(({ name, content }) => [name, content.toString()])).toEqual([
    ['a.csv', 'first'],
    ['b.csv', 'second'],
  ]);
  expect(filesInZip(zip, 11)).toHaveLength(2);
  expect(filesInZip(zip, 10)).toContain('it unpacks to more than');
});

it('an archive returns no more than is allowed, whatever it says of itself', () => {
  expect(fileInZip(zipOf(TEXT), TEXT.length)).toEqual(TEXT);
  expect(fileInZip(zipOf(TEXT), TEXT.length - 1)).toContain(
    '; split it, for instance by year, or allow more with --max-unpacked',
  );
  const bomb = Buffer.alloc(2 ** 22);
  expect(fileInZip(zipOf(bomb), 2 ** 20)).toContain('it unpacks to more than 1 MB');
  expect(fileInZip(zipOf(bomb, { size: 1_000 }), 2 ** 20)).toContain('the archive is damaged');
});

it('an archive with a wrong byte returns its file, or says why not', () => {
  const whole = zipOf(TEXT, { comment: 'of an exchange' });
  for (let i = 0; i < whole.length; i++) {
    const wrong = Buffer.from(whole);
    wrong[i]! ^= 0xff;
    const found = fileInZip(wrong);
    if (Buffer.isBuffer(found)) expect(found).toEqual(TEXT);
    else expect(found).toMatch(/; .+/);
  }
});

it('an archive has no files that a Mac adds', () => {
  const zip = zipOfFiles([
    ['set/NIFTY.csv', 'candles'],
    ['__MACOSX/set/._NIFTY.csv', '\0'],
    ['set/.DS_Store', '\0'],
  ]);
  expect(filesInZip(zip)).toEqual([{ name: 'NIFTY.csv', content: Buffer.from('candles') }]);
});
