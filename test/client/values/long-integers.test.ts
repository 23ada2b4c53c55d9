/** Integers beyond ±(2^53 − 1) in quotes, at any place of the bytes: rows of their text before and after. */
import { withQuotedLongIntegers } from '../../../client/values/long-integers';

const LONG = '1234567890123456789';
/** The sampled bytes are sixteen apart. */
const OFFSETS = Array.from({ length: 16 }, (_, count) => ' '.repeat(count));

/** The text with quotes, the same at each place of the sampled bytes. */
function quoted(json: string): string {
  const texts = OFFSETS.map((blanks) => withQuotedLongIntegers(Buffer.from(blanks + json)).slice(blanks.length));
  expect(new Set(texts)).toEqual(new Set([texts[0]]));
  return texts[0]!;
}

/** Places of a number in JSON: behind a key, and where only a scan of all bytes tells what it is. */
const PLACES: [string, (number: string) => string][] = [
  ['behind a key', (number) => `{"a":${number}}`],
  ['between two keys', (number) => `{"b":"x","a":${number},"c":null}`],
  ['behind an empty key', (number) => `{"":${number}}`],
  ['behind a key that ends in a backslash', (number) => `{"a\\\\":${number}}`],
  ['behind a key that ends in a quote', (number) => `{"a\\"":${number}}`],
  ['behind a blank', (number) => `{"a" : ${number} }`],
  ['behind a line feed', (number) => `{"a":\n${number}\n}`],
  ['first in a list', (number) => `[${number}]`],
  ['second in a list', (number) => `[null,${number},"x"]`],
  ['behind a text that looks like a key', (number) => `["a\\":1",${number}]`],
  ['alone', (number) => number],
];

describe.each(PLACES)('a number %s', (_, write) => {
  test.each([
    '9007199254740992',
    '9007199254741000',
    '9007199260000000',
    '9107199254740991',
    '9999999999999999',
    '10000000000000000',
    LONG,
    '18446744073709551615',
    '1'.repeat(45),
  ])('is quoted if it is %s, above 0 or below', (digits) => {
    expect(quoted(write(digits))).toBe(write(`"${digits}"`));
    expect(quoted(write(`-${digits}`))).toBe(write(`"-${digits}"`));
  });

  test.each([
    '0',
    '7',
    '123456789012345',
    '1000000000000000',
    '8999999999999999',
    '9007199254740899',
    '9007199254740990',
    '9007199254740991',
  ])('stays a number if it is %s, above 0 or below', (digits) => {
    expect(quoted(write(digits))).toBe(write(digits));
    expect(quoted(write(`-${digits}`))).toBe(write(`-${digits}`));
  });

  test.each([
    `${LONG}.5`,
    `${LONG}e5`,
    `${LONG}E5`,
    `${LONG}e-5`,
    `0.${LONG}`,
    `-0.${LONG}`,
    `1e${LONG}`,
    `1E+${LONG}`,
    `1e-${LONG}`,
  ])('stays one if it is no integer, but %s', (number) => {
    expect(quoted(write(number))).toBe(write(number));
  });
});

test.each([
  [`:${LONG}`],
  [`:-${LONG}`],
  [LONG],
  [`-${LONG}`],
  [`,${LONG}`],
  [`[${LONG}`],
  [` ${LONG}`],
  [`a:${LONG}`],
  [`":${LONG}`],
  [`a":${LONG}`],
  [`{"a":${LONG}}`],
  [`\\":${LONG}`],
  [`\\${LONG}`],
  [`${LONG}:`],
])('a text of %j is left alone, as a value, in a list and as a key', (text) => {
  const written = JSON.stringify(text);
  for (const json of [
    `{"a":${written}}`,
    `{"a": ${written}}`,
    `[${written}]`,
    `["a",${written}]`,
    `[ ${written} ]`,
    `{${written}:1}`,
    `{"b":2,${written}:1}`,
    written,
  ])
    expect(quoted(json)).toBe(json);
});

test('each of many numbers is quoted, however far apart, and what is between and behind them stays', () => {
  const gaps = ['', 'é', 'x'.repeat(30), 'x'.repeat(47), 'x'.repeat(48), 'x'.repeat(49), 'é'.repeat(200), '₹'];
  const written = (number: string) =>
    `{${gaps.map((gap, at) => `"id${at}":${number},"text${at}":"${gap}"`).join(',')}}`;
  expect(quoted(written(LONG))).toBe(written(`"${LONG}"`));
  expect(quoted(`[${written(LONG)}]`)).toBe(`[${written(`"${LONG}"`)}]`);
});

test.each([16, 17, 19])('there is room for the quotes of a list of numbers of %i digits', (length) => {
  const list = (number: string) => `[${Array.from({ length: 100 }, () => number).join(',')}]`;
  const members = (number: string) => `{${Array.from({ length: 100 }, () => `"":${number}`).join(',')}}`;
  const digits = '9'.repeat(length);
  for (const write of [list, members]) expect(quoted(write(digits))).toBe(write(`"${digits}"`));
});

test.each([
  ['', ''],
  ['[', '['],
  [`[${LONG},"abc`, `["${LONG}","abc`],
  [`[${LONG},"abc\\`, `["${LONG}","abc\\`],
  [`{"a":${LONG}`, `{"a":"${LONG}"`],
  [`[1,${LONG}`, `[1,"${LONG}"`],
])('bytes that end too early, %j, become %j, which is no JSON either', (json, text) => {
  expect(quoted(json)).toBe(text);
});
