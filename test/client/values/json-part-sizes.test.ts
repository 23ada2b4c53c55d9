/** Parts of a document just over the limit: fast tests, so that the breaks of `npm run mutants` meet them. */
import fc from 'fast-check';
import { UnreadableReplyError } from '../../../client/base/errors';
import { readInParts, type JsonTree } from '../../../client/values/json-parts';

/** A value of so many bytes is read as a whole: a megabyte for a reply, and little here. */
const SMALL_BYTES = 100;
/** Two of them are more than what is read as a whole. */
const HALF = `[1${' '.repeat(60)}]`;

/** Reads a document; a small value is its text without the many blanks. */
function read(text: string): { tree: JsonTree<string> | undefined; parts: string[] } {
  const parts: string[] = [];
  const readSmall = (part: Buffer) => {
    const shown = part.toString().replaceAll(/ {20,}/g, '');
    parts.push(shown);
    return shown;
  };
  const tree = readInParts(Buffer.from(text), readSmall, SMALL_BYTES);
  return { tree, parts };
}

test('the values of a large list are read one after the other', () => {
  const { tree, parts } = read(`[${HALF}, 1,{"a":2} ,${HALF}]`);
  expect(tree).toEqual(['[1]', '1', '{"a":2}', '[1]']);
  expect(parts).toHaveLength(4);
});

test('a small document is read as a whole', () => {
  expect(read(`[${HALF}]`)).toEqual({ tree: '[[1]]', parts: ['[[1]]'] });
});

test.each([
  ['[', ']'],
  ['{"a":', '}'],
])('a document of 100 bytes is read as a whole, and one of 101 in parts: %s%s', (open, close) => {
  const written = (bytes: number) => `${open}1${' '.repeat(bytes - open.length - close.length - 1)}${close}`;
  expect(read(written(SMALL_BYTES)).parts).toEqual([`${open}1${close}`]);
  expect(read(written(SMALL_BYTES + 1)).parts).toEqual(['1']);
});

test('a value is small by its own bytes, at any place', () => {
  expect(read(`[${HALF},[2],${HALF},{"a":[3]}]`).parts).toEqual(['[1]', '[2]', '[1]', '{"a":[3]}']);
  expect(read(`{"a":${HALF},"b":{"c":[${HALF},${HALF}]}}`)).toEqual({
    tree: { a: '[1]', b: { c: ['[1]', '[1]'] } },
    parts: ['[1]', '[1]', '[1]'],
  });
});

test('a large text or number is read as a whole', () => {
  const text = `"${'x'.repeat(101)}"`;
  const digits = '1'.repeat(101);
  expect(read(`[${text},${digits},{"a":${text}}]`).tree).toEqual([text, digits, { a: text }]);
});

test('blanks before a document, and all that follows it, are left aside', () => {
  expect(read(`  [${HALF},${HALF}] [1]`).tree).toEqual(['[1]', '[1]']);
});

test.each([
  [`{"a":[],"b":${HALF},"c":{},"d":${HALF}}`, { a: '[]', b: '[1]', c: '{}', d: '[1]' }],
  [`{ "a" : ${HALF} , "b" : ${HALF} }`, { a: '[1]', b: '[1]' }],
  [`{"__proto__":{"polluted":1},"a":${HALF},"b":${HALF}}`, { a: '[1]', b: '[1]' }],
])('the values of a large object are read by name: row %#', (text, tree) => {
  const found = read(text).tree;
  expect(found).toEqual(tree);
  expect(Object.keys(found as object)).toEqual(Object.keys(tree));
});

test('an object that is large because of blanks alone is empty', () => {
  const blanks = ' '.repeat(100);
  expect([read(`{${blanks}}`), read(`[${blanks}]`)]).toEqual([
    { tree: {}, parts: [] },
    { tree: [], parts: [] },
  ]);
});

test('lists below four others are read as a whole', () => {
  const large = `[${HALF},${HALF}]`;
  expect(read(`[[[${large}]]]`).tree).toEqual([[[['[1]', '[1]']]]]);
  expect(read(`[[[[${large}]]]]`).tree).toEqual([[[['[[1],[1]]']]]]);
  expect(read(`{"a":{"b":{"c":${large}}}}`).tree).toEqual({ a: { b: { c: ['[1]', '[1]'] } } });
  expect(read(`{"a":{"b":{"c":{"d":${large}}}}}`).tree).toEqual({ a: { b: { c: { d: '[[1],[1]]' } } } });
});

test('gives what JSON.parse gives, but for keys named __proto__', () => {
  const textOf = (tree: unknown) =>
    JSON.stringify(tree, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(30), fc.constantFrom(0, 2), (value, smallBytes, indent) => {
      const document = [value, { value }];
      const bytes = Buffer.from(JSON.stringify(document, null, indent));
      const found = readInParts(bytes, (part) => JSON.parse(part.toString()) as null, smallBytes);
      expect(textOf(found)).toBe(textOf(document));
    }),
    { numRuns: 50, examples: [[[{ ['__proto__']: 0 }], 0, 0]] },
  );
});

test.each([
  [`[${HALF} ${HALF}]`, 'a comma is missing in it'],
  [`{"a":${HALF} "b":${HALF}}`, 'a comma is missing in it'],
  [`{"a":${HALF},b:${HALF}}`, 'a name in it cannot be read'],
  [`{"a":${HALF},${HALF}}`, 'a name in it cannot be read'],
  [`{"a" ${HALF},"b":${HALF}}`, 'a colon is missing in it'],
  [`[${HALF},,${HALF}]`, 'a value is missing in it'],
  [`[${HALF},${HALF}}`, 'a comma is missing in it'],
  [`{"a":${HALF},"b":${HALF}]`, 'a comma is missing in it'],
])('a document is refused in words: row %#', (text, words) => {
  expect(() => read(text)).toThrow(
    new UnreadableReplyError(`The service sent a reply that is not readable JSON: ${words}.`),
  );
});

test.each([`[${HALF},${HALF}`, `{"a":${HALF}`, '', '  ', '5', '"a"'])(
  'a document without its end, or that is no list or object, has no parts: row %#',
  (text) => {
    expect(read(text)).toEqual({ tree: undefined, parts: [] });
  },
);
