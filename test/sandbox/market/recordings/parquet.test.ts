import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { readParquet } from '../../../../sandbox/src/market/recordings/parquet';
import type { FileConfig } from '../../../../sandbox/src/market/recordings/replay-config';
import { OptionError } from '../../../../sandbox/src/shared/option-error';
import { unpacked } from '../../../support/recorded-rows';

/** Two minutes of INFY as Arrow writes them: `make.py FOLDER` beside the files. */
const FOLDER = path.join(__dirname, 'parquet');
const catalog = new AssetCatalog();
const bytesOf = (name: string): Buffer => readFileSync(path.join(FOLDER, name));
const INFY: FileConfig = { symbol: 'INFY' };
const read = async (name: string, terms: FileConfig = {}) =>
  unpacked(await readParquet(name, bytesOf(name), { ...INFY, ...terms }, catalog));
const at = (time: string): number => Date.parse(`${time}+05:30`);
const row = (minute: number, line: number, [open, high, low, close, volume]: (number | undefined)[]) => ({
  line,
  exchange: 'NSE',
  symbol: 'INFY',
  at: at(`2020-03-13T09:${minute}:00`),
  open,
  high,
  low,
  close,
  volume,
});
const ROWS = [row(15, 1, [60000, 60100, 59950, 60050, 10]), row(16, 2, [60050, 60200, 60000, 60100, 20])];

describe('Parquet', () => {
  it.each(
    [
      'none',
      'snappy',
      'gzip',
      'zstd',
      'brotli',
      'utc',
      'date-and-time',
      'pages-of-version-2',
      'seconds',
      'no-volume',
    ].map((kind) => `INFY_${kind}.parquet`),
  )('is read as CSV is: %s', async (file) => {
    const { rows, rounded } = await read(file);
    const volume = file.includes('no-volume') ? { volume: undefined } : {};
    expect(rows).toEqual(ROWS.map((row) => ({ ...row, ...volume, file })));
    expect(rounded).toBe(0);
  });

  it('takes times without a zone for Indian time, or for what is chosen', async () => {
    const { rows } = await read('INFY_none.parquet', { zone: 'UTC' });
    expect(rows[0]!.at).toBe(at('2020-03-13T14:45:00'));
    expect((await read('INFY_int96.parquet', { zone: 'IST' })).rows[0]!.at).toBe(ROWS[0]!.at);
    expect((await read('INFY_utc.parquet', { zone: '+09:00' })).rows[0]!.at).toBe(ROWS[0]!.at);
  });

  it('takes columns that are chosen by number', async () => {
    const { rows } = await read('INFY_none.parquet', {
      columns: { time: 1, open: 2, high: 3, low: 4, close: 2 },
    });
    expect(rows.map(({ close }) => close)).toEqual([60000, 60050]);
  });

  it.each([
    ['INFY_lz4.parquet', {}, 'INFY_lz4.parquet, row 1: it is compressed with LZ4_RAW; write it with snappy'],
    ['INFY_null.parquet', {}, 'INFY_null.parquet, row 2: close must be a price such as 1234.50, not ""'],
    [
      'INFY_none.parquet',
      { columns: { close: 'last' } },
      'INFY_none.parquet, row 1: the heading has no column "last"; it has timestamp, open, high, low, close, volume',
    ],
    ['INFY_none.parquet', { symbol: 'NOSUCH' }, 'INFY_none.parquet, row 1: this market has no share or index "NOSUCH"'],
  ] as [string, FileConfig, string][])('%s with %j is refused', async (file, terms, says) => {
    await expect(read(file, terms)).rejects.toThrow(says);
    await expect(read(file, terms)).rejects.toThrow(OptionError);
  });

  it.each(['none', 'snappy', 'gzip', 'zstd', 'brotli', 'pages-of-version-2'])(
    'returns no more than is allowed, whatever it says of itself: %s',
    async (kind) => {
      const { parquetMetadata } = await import('hyparquet');
      const file = `INFY_${kind}.parquet`;
      const whole = bytesOf(file);
      const groups = (bytes: Buffer) => parquetMetadata(new Uint8Array(bytes).buffer).row_groups;
      const chunks = (bytes: Buffer) =>
        groups(bytes).flatMap(({ columns }) => columns.map(({ meta_data: data }) => data!));
      // Six columns of two rows, and what the pages say of themselves.
      const said = chunks(whole).reduce((sum, chunk) => sum + Number(chunk.total_uncompressed_size), 6 * 2 * 8);
      const refused =
        /^INFY_[\w-]+\.parquet, row 1: it unpacks to more than 0 MB; split it, for instance by year, or allow more with --max-unpacked MB\.$/;
      await expect(readParquet(file, whole, INFY, catalog, said)).resolves.toMatchObject({ rows: { length: 2 } });
      await expect(readParquet(file, whole, INFY, catalog, 6 * 2 * 8)).rejects.toThrow(refused);

      // The same file says that nothing comes out of it.
      const liar = Buffer.from(whole);
      for (const { total_uncompressed_size: size, total_compressed_size: packed } of chunks(whole)) {
        const number = varint(Number(size) * 2);
        const at = liar.indexOf(
          Buffer.from([0x16, ...number, 0x16, ...varint(Number(packed) * 2)]),
          liar.length - 8 - liar.readUInt32LE(liar.length - 8),
        );
        liar.set(
          number.map((_byte, index) => (index < number.length - 1 ? 0x80 : 0)),
          at + 1,
        );
      }
      expect(chunks(liar).map((chunk) => Number(chunk.total_uncompressed_size))).toEqual(chunks(whole).map(() => 0));
      const allowed = readParquet(file, liar, INFY, catalog, 6 * 2 * 8);
      if (kind === 'none' || kind === 'pages-of-version-2')
        await allowed.catch((error: unknown) => expect(error).toBeInstanceOf(OptionError));
      else await expect(allowed).rejects.toThrow(refused);
    },
  );

  it('is refused where a part is missing, with its row', async () => {
    const whole = bytesOf('INFY_gzip.parquet');
    for (let length = 0; length < whole.length; length += 7)
      await expect(readParquet('a.parquet', whole.subarray(0, length), {}, catalog)).rejects.toThrow(
        /^a\.parquet, row 1: this is no whole Parquet file/,
      );
  });

  it('is read with a wrong byte, or refused in words', async () => {
    let refused = 0;
    for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.parquet'))) {
      const whole = bytesOf(file);
      for (let i = 0; i < whole.length; i += 41) {
        const wrong = Uint8Array.from(whole);
        wrong[i]! ^= 0x55;
        const error = await readParquet(file, wrong, INFY, catalog).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) continue;
        refused += 1;
        expect(error).toBeInstanceOf(OptionError);
        expect((error as OptionError).message).toMatch(/^INFY_[\w-]+\.parquet, row \d+: .+; .+\.$/s);
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

/** An unsigned number as Thrift writes it. */
function varint(number: number): number[] {
  const bytes: number[] = [];
  for (let left = number; ; left >>>= 7) {
    if (left < 0x80) return [...bytes, left];
    bytes.push((left & 0x7f) | 0x80);
  }
}
