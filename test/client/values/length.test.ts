import fc from 'fast-check';
import { MAX_FIELD_LENGTH, requireFieldLength, requireLength } from '../../../client/values/length';
import { refusal } from '../../support/refusal';

const LONG = MAX_FIELD_LENGTH + 1;

/** Values that an expression may return, each with a text somewhere in it. */
const holders: [string, (text: string) => unknown][] = [
  ['a text', (text) => text],
  ['a list', (text) => [1, text]],
  ['a locator', (text) => ({ mode: 'list', value: text })],
  ['the row of a collection', (text) => ({ legs: [{ tag: 'a' }, { instrument: { value: text } }] })],
  ['the name of a field', (text) => ({ [text]: 1 })],
];

describe('the gate for length', () => {
  it.each(holders)('refuses a text that is too long in %s, and shows its first 80 characters', (_what, holding) => {
    const text = `${'ab'.repeat(40)}c${'d'.repeat(LONG)}`;
    expect(refusal(() => requireFieldLength(holding(text), 'legs', 'Legs'))).toMatchObject({
      message: `Legs is ${text.length.toLocaleString('en-US')} characters long: at most 50,000 are read. It begins with "${'ab'.repeat(40)}…"`,
      parameter: 'legs',
    });
  });

  it.each([
    ['many short texts', Array.from({ length: LONG / 10 + 1 }, () => 'abcdefghi')],
    ['many numbers', Array.from({ length: LONG }, (_, index) => index)],
    ['many empty texts', Array.from({ length: LONG }, () => '')],
    ['a list of a million', new Array(1_000_000).fill(null)],
    ['lists in each other', Array.from({ length: LONG }).reduce<unknown[]>((inner) => [inner], [])],
  ])('refuses %s that are too long together', (_what, value) => {
    expect(refusal(() => requireFieldLength(value, 'legs', 'Legs')).message).toMatch(
      /^Legs holds too much in all: at most 50,000 are read\./,
    );
  });

  it('shows the longest of many texts', () => {
    const rows = ['short', `the longest ${'y'.repeat(30_000)}`, 'x'.repeat(30_000), 'z'];
    for (const value of [rows, [...rows].reverse(), { rows }])
      expect(refusal(() => requireFieldLength(value, 'legs', 'Legs'))).toMatchObject({
        message: `Legs holds too much in all: at most 50,000 are read. It begins with "the longest ${'y'.repeat(68)}…"`,
        hint: 'Check what the expression of the field gives for this item. Nothing was sent.',
      });
  });

  it('accepts anything that is not too long', () => {
    fc.assert(fc.property(fc.anything({ maxDepth: 4 }), (value) => requireFieldLength(value, 'name')));
    requireFieldLength('x'.repeat(MAX_FIELD_LENGTH), 'name');
    requireFieldLength(new Date(), 'name');
  });

  it('takes a time of n8n, whatever it holds within, as one value', () => {
    const time: Record<string, unknown> = { toMillis: () => 0 };
    time.itself = time;
    requireFieldLength({ from: time }, 'name');
  });

  it('never shows a secret at the beginning of a text', () => {
    const { message } = refusal(() => requireLength(`Bearer ${'s3cret'.repeat(100)}`, 10, 'tag', 'Tag'));
    expect(message).not.toContain('s3cret');
  });
});
