import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { UnreadableReplyError } from '../../../client/base/errors';
import { CsvReader, csvRecords } from '../../../client/values/csv';

function read(bytes: Uint8Array, chunkSize = bytes.length || 1): string[][] {
  const reader = new CsvReader();
  const records: string[][] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) records.push(...reader.push(bytes.subarray(at, at + chunkSize)));
  return [...records, ...reader.finish()];
}

const oracle = (text: string): string[][] =>
  parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'] });

it.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['\uFEFFa,b\n', [['a', 'b']]],
  ['"a, ""x""","b\r\nc"\r\n', [['a, "x"', 'b\r\nc']]],
  ['a,\n,b\n\n\r\nc', [['a', ''], ['', 'b'], ['c']]],
  ['₹,é\n', [['₹', 'é']]],
  ['"",""\n', [['', '']]],
  ['"a\r"\n"b\r"\r\n"\r",c\r\n', [['a\r'], ['b\r'], ['\r', 'c']]],
])('reads %j as csv-parse does', (text, records) => {
  for (let size = 1; size <= 8; size++) expect(read(Buffer.from(text), size)).toEqual(records);
  expect(oracle(text)).toEqual(records);
});

it('keeps what a record has so far, and looks at nothing twice: a quote that stays open over many chunks', () => {
  const taken = jest.spyOn(String.prototype, 'indexOf');
  const scanned = () =>
    taken.mock.contexts.reduce<number>(
      (sum, text, call) => sum + String(text).length - (taken.mock.calls[call]?.[1] ?? 0),
      0,
    );
  const chunk = Buffer.from('x'.repeat(19));
  const reader = new CsvReader();
  reader.push(Buffer.from('a,"'));
  for (let count = 0; count < 500; count++) reader.push(chunk);
  expect(reader.push(Buffer.from('"\n'))).toEqual([['a', 'x'.repeat(9_500)]]);
  const total = scanned();
  taken.mockRestore();
  expect(total).toBeLessThan(40_000);
});

it.each([
  ['in quotes', (length: number) => `a,"${'x'.repeat(length)}",b\n`],
  ['without', (length: number) => `a,${'x'.repeat(length)},b\n`],
  ['of doubled quotes', (length: number) => `a,"${'""'.repeat(length)}",b\n`],
])('refuses a field longer than 10,000 characters, %s, and accepts one that is not', (_, text) => {
  for (const chunkSize of [999, 10_000_000]) {
    expect(read(Buffer.from(text(10_000)), chunkSize)[0]?.[1]).toHaveLength(10_000);
    expect(() => read(Buffer.from(text(10_001)), chunkSize)).toThrow(/longer than 10,000 characters/);
  }
});

it('refuses a line of more fields than any file has', () => {
  for (const end of ['\n', '']) {
    expect(read(Buffer.from(','.repeat(9_999) + end))[0]).toHaveLength(10_000);
    expect(() => read(Buffer.from(','.repeat(10_000) + end))).toThrow(UnreadableReplyError);
  }
});

it('hands over the records of a chunk together, and nothing for a chunk without an end of a line', async () => {
  const batches: string[][][] = [];
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (const text of ['a,', 'b\nc\nd', '', '\n', 'e']) yield await Promise.resolve(Buffer.from(text));
  };
  for await (const records of csvRecords(chunks())) batches.push(records);
  expect(batches).toEqual([[['a', 'b'], ['c']], [['d']], [['e']]]);
});

it('refuses a quote that never ends', () => {
  expect(() => read(Buffer.from('a,"b\nc'))).toThrow(UnreadableReplyError);
});

/** A record as RFC 4180 has it. */
const written = (cells: readonly string[]): string =>
  `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;

const cell = fc.string({
  unit: fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r\n', '₹', '\u{1F600}', '.'),
  maxLength: 6,
});
const line = fc.array(cell, { minLength: 1, maxLength: 5 }).filter((cells) => cells.length > 1 || cells[0] !== '');

it('agrees with csv-parse, in chunks of any size', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (records, chunkSize) => {
      const text = records.map(written).join('');
      expect(read(Buffer.from(text), chunkSize)).toEqual(records);
      expect(oracle(text)).toEqual(records);
    }),
    { numRuns: 1_000 },
  );
});
