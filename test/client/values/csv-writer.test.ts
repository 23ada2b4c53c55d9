import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { csvBytes } from '../../../client/values/csv-writer';

it('writes what csv-parse reads back, whatever the texts hold', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(value));
  fc.assert(
    fc.property(fc.array(fc.record({ a: text, 'b,"x': fc.integer() }), { minLength: 1 }), (rows) => {
      const read = parse(Buffer.from(csvBytes(rows)), {
        columns: true,
        relax_column_count: false,
        record_delimiter: '\r\n',
      }) as unknown[];
      expect(read).toEqual(rows.map((row) => ({ a: row.a, 'b,"x': String(row['b,"x']) })));
    }),
  );
});

it('keeps texts from being taken for formulas, and leaves numbers unchanged', () => {
  expect(Buffer.from(csvBytes([{ name: '=cmd()', change: -1.5, note: null, more: '@x' }])).toString()).toBe(
    "name,change,note,more\r\n'=cmd(),-1.5,,'@x\r\n",
  );
});

it.each([
  ['=HYPERLINK("http://x.example","y")', `"'=HYPERLINK(""http://x.example"",""y"")"`],
  ['+91 90000 00001', "'+91 90000 00001"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\n=1+1', `"'\n=1+1"`],
  ['a;=1+1', '"a;=1+1"'],
  ['a\t=1+1', '"a\t=1+1"'],
  ['-12.50', '-12.50'],
  ['+5', '+5'],
  ['M&M', 'M&M'],
])('writes %j as %s', (value, cell) => {
  expect(Buffer.from(csvBytes([{ a: value }])).toString()).toBe(`a\r\n${cell}\r\n`);
});

it('has the columns of all rows, and blank cells where a row lacks one', () => {
  expect(Buffer.from(csvBytes([{ a: 1 }, { b: true }])).toString()).toBe('a,b\r\n1,\r\n,true\r\n');
});

it('has the named columns in their order, and no others', () => {
  expect(Buffer.from(csvBytes([{ a: 1, b: 2, c: 3 }], ['c', 'a', 'z'])).toString()).toBe('c,a,z\r\n3,1,\r\n');
  expect(Buffer.from(csvBytes(new Set([{ a: 'é' }]))).toString()).toBe('a\r\né\r\n');
});
