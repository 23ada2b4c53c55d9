/** Parts of a document just over the limit: fast tests, so that the breaks of `npm run mutants` meet them. */
import { readInParts, type JsonTree } from '../../../client/values/json-parts';

/** Two of them are more than what is read as a whole. */
const HALF = `[1${' '.repeat(600_000)}]`;

/** Reads a document; a small value is its text without the many blanks. */
function read(text: string): { tree: JsonTree<string> | undefined; parts: string[] } {
  const parts: string[] = [];
  const tree = readInParts(Buffer.from(text), (part) => {
    const shown = part.toString().replaceAll(/ {100,}/g, '');
    parts.push(shown);
    return shown;
  });
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
  const blanks = ' '.repeat(1_000_100);
  expect([read(`{${blanks}}`), read(`[${blanks}]`)]).toEqual([
    { tree: {}, parts: [] },
    { tree: [], parts: [] },
  ]);
});

test('lists below four others are read as a whole', () => {
  const large = `[${HALF},${HALF}]`;
  expect(read(`[[[${large}]]]`).tree).toEqual([[[['[1]', '[1]']]]]);
  expect(read(`[[[[${large}]]]]`).tree).toEqual([[[['[[1],[1]]']]]]);
});

test.each([
  [`[${HALF} ${HALF}]`, 'a comma is missing in it'],
  [`{"a":${HALF} "b":${HALF}}`, 'a comma is missing in it'],
  [`{"a":${HALF},b:${HALF}}`, 'a name in it cannot be read'],
  [`{"a":${HALF},${HALF}}`, 'not readable JSON'],
])('a document is refused in words: row %#', (text, words) => {
  expect(() => read(text)).toThrow(words);
});

test.each([`[${HALF},${HALF}`, `{"a":${HALF}`, '', '  ', '5', '"a"'])(
  'a document without its end, or that is no list or object, has no parts: row %#',
  (text) => {
    expect(read(text)).toEqual({ tree: undefined, parts: [] });
  },
);
