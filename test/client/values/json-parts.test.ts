import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UnreadableReplyError } from '../../../client/base/errors';
import { readJson } from '../../../client/values/json';
import { readInParts } from '../../../client/values/json-parts';
import { IS_WHOLE } from '../../support/sample';

const LONG = '1795408201072426341';
/** Larger than what is read as a whole. */
const PAD = 'x'.repeat(900);
const record = (number: number) =>
  `{"order_id":${LONG},"n":${number},"text":"a \\"quoted\\" ] } , text","pad":"${PAD}","of":[{"x":null}]}`;
const manyOf = (count: number, gap = '') => Array.from({ length: count }, (_, n) => record(n)).join(`${gap},${gap}`);
/** Number of records from which readJson reads in parts. */
const COUNT = 9_500;
/** Number of records for the reader of parts; all tests but the first of a kind try that alone, and readJson with TEST_ALL=1. */
const SOME = 1_300;
const isLarge = (row: number): boolean => IS_WHOLE || row === 0;
const countOf = (row: number): number => (isLarge(row) ? COUNT : SOME);
function read(row: number, text: string): unknown {
  const bytes = Buffer.from(text);
  if (!isLarge(row)) return readInParts(bytes, (part) => readJson(part)) ?? readJson(bytes);
  expect(bytes.length).toBeGreaterThan(8_000_000);
  return readJson(bytes);
}
const numbered = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  rows.map((row, at) => [...row, at] as [...Row, number]);
const isOne = (value: unknown, n: number) =>
  expect(value).toEqual({ order_id: LONG, n, text: 'a "quoted" ] } , text', pad: PAD, of: [{ x: null }] });

const inside = (json: unknown, ...names: string[]): unknown =>
  names.reduce((found, name) => (found as Record<string, unknown>)[name], json);

describe('a large document, part by part', () => {
  test.each(
    numbered<[string, (list: string) => string, (json: unknown) => unknown]>([
      ['a bare list', (list: string) => `[${list}]`, (json: unknown) => json],
      [
        'a list below a name',
        (list: string) => `{"total":0,"orders":[${list}]}`,
        (json: unknown) => inside(json, 'orders'),
      ],
      [
        'a list below two',
        (list: string) => ` {"orders" : {"gtt":null, "open":[${list}] } } `,
        (json: unknown) => inside(json, 'orders', 'open'),
      ],
      ['with bytes behind it', (list: string) => `{"a":[${list}]}\u0000#1}`, (json: unknown) => inside(json, 'a')],
      ['with blanks', (list: string) => `\n{ "a" :\t[ ${list} ] , "b" : 1 }`, (json: unknown) => inside(json, 'a')],
    ]),
  )('equals the document read as a whole: %s', (_name, write, listIn, row) => {
    const count = countOf(row);
    const list = listIn(read(row, write(manyOf(count, ' ')))) as unknown[];
    expect(list).toHaveLength(count);
    isOne(list[0], 0);
    isOne(list[count - 1], count - 1);
  });

  test('reads small parts alone', () => {
    let largest = 0;
    const bytes = Buffer.from(`{"orders":{"open":[${manyOf(SOME)}],"gtt":[]}}`);
    readInParts(bytes, (part) => {
      largest = Math.max(largest, part.length);
      return JSON.parse(part.toString()) as null;
    });
    expect(largest).toBeLessThan(1_100);
  });

  test.each(
    numbered<[string, (text: string) => string]>([
      ['cut off', (text: string) => text.slice(0, -10)],
      ['without a comma', (text: string) => text.replace('},{', '} {')],
      ['with a comma too many', (text: string) => text.replace('},{', '},,{')],
      ['with a name that is none', (text: string) => text.replace('{"orders"', '{orders')],
      ['without a colon', (text: string) => text.replace('"orders":', '"orders" ')],
      ['with a record that is none', (text: string) => text.replace('"n":5,', '"n":5 5,')],
      ['closed by the wrong bracket', (text: string) => `${text.slice(0, -2)}}]`],
    ]),
  )('refuses one that is %s', (_name, spoil, row) => {
    const text = spoil(`{"orders":[${manyOf(countOf(row))}]}`);
    expect(() => read(row, text)).toThrow(UnreadableReplyError);
  });

  test('never changes a prototype', () => {
    const json = readJson(Buffer.from(`{"__proto__":{"bad":1},"a":[${manyOf(COUNT)}]}`)) as { bad?: unknown };
    expect(json.bad).toBeUndefined();
    expect(Object.keys(json)).toEqual(['a']);
  });

  test('bounds what it makes, as for small ones', () => {
    expect(() => readJson(Buffer.from(`{"a":[${manyOf(COUNT)}]}`), 1_000)).toThrow('more than 1000 objects and lists');
  });

  test('gives what JSON.parse gives', () => {
    const big = 'x'.repeat(9_000);
    const filler = Array.from({ length: 130 }, () => big);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(2), (value, depth) => {
        let document: unknown = [value, filler, { value, filler, nothing: [] }];
        for (let level = 0; level < depth; level++) document = level % 2 === 0 ? { document } : [document, value];
        const bytes = Buffer.from(JSON.stringify(document));
        const read = readInParts(bytes, (part) => JSON.parse(part.toString()) as null);
        expect(JSON.stringify(read)).toBe(JSON.stringify(document));
      }),
      { numRuns: IS_WHOLE ? 20 : 4 },
    );
  });
});
