/** Entries of the user or an expression: those that are accepted, and each sentence in which the rest is refused. */
import {
  filledText,
  readIdentifier,
  oneOf,
  plainDecimal,
  plainText,
  showValue,
  wholeNumber,
} from '../../../client/values/input';
import { exactHundredths, exactPaise, percentToHundredths, rupeesToPaise } from '../../../client/values/money';
import { parseDate, parseInstant } from '../../../client/values/time';
import { readLimits } from '../../../client/orders/model/guard-settings';
import { tagFrom, type TagSource } from '../../../client/orders/model/tags';
import { refusal } from '../../support/refusal';

it.each([
  ['text', 'abc', '"abc"'],
  ['a number', 12, '12'],
  ['minus zero', -0, '-0'],
  ['zero', 0, '0'],
  ['null', null, 'null'],
  ['nothing', undefined, 'undefined'],
  ['a switch', true, 'true'],
  ['a list', [1], 'a list'],
  ['an object', { a: 1 }, 'an object'],
  ['a line break', 'a\nb', '"a\\nb"'],
  ['sixty characters', 'x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['eighty-one characters', 'x'.repeat(81), `"${'x'.repeat(80)}…"`],
  ['a blank that nobody sees', '5\u200b', '"5\\u200b"'],
  ['a blank that does not break', '1\u00a0300', '"1\\u00a0300"'],
  ['a PAN', 'of ABCDE1234F', '"of [redacted]"'],
])('an error shows %s', (_, value, text) => {
  expect(showValue(value)).toBe(text);
});

it.each([
  ['12', { negative: false, whole: '12', fraction: '' }],
  [' -007.50 ', { negative: true, whole: '7', fraction: '5' }],
  [5n, { negative: false, whole: '5', fraction: '' }],
  ['0', { negative: false, whole: '0', fraction: '' }],
  ['1.500', { negative: false, whole: '1', fraction: '5' }],
  ['100', { negative: false, whole: '100', fraction: '' }],
  ['0.050', { negative: false, whole: '0', fraction: '05' }],
  ['-0.5', { negative: true, whole: '0', fraction: '5' }],
  ['x5', undefined],
  ['5x', undefined],
  [true, undefined],
  [[5], undefined],
  [-0, undefined],
  ['-0.0', undefined],
])('the digits of %p are %p', (value, digits) => {
  expect(plainDecimal(value)).toEqual(digits);
});

describe('a whole number', () => {
  it('is taken within its bounds, both of which it may be', () => {
    const bounds = { min: -2, max: 3 };
    expect(['-2', 3, ' 0 '].map((value) => wholeNumber(value, 'count', bounds))).toEqual([-2, 3, 0]);
    expect(wholeNumber('9007199254740991', 'count')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each([null, undefined, '', ' ', Number.NaN, 'undefined', 'null', 'NaN', '[object Object]'])(
    'is refused with where to look if an expression found none: %p',
    (value) => {
      expect(refusal(() => wholeNumber(value, 'count', { label: 'Count' }))).toMatchObject({
        message: `Count must be a whole number, but is ${showValue(value)}.`,
        hint: expect.stringMatching(/^If the field is an expression, it finds nothing in this item/),
      });
    },
  );

  it.each([1.5, '1.5', 'x', 'nullx', '9007199254740992'])('is refused where it is %p', (value) => {
    expect(refusal(() => wholeNumber(value, 'count', { label: 'Count' }))).toMatchObject({
      message: `Count must be a whole number, but is ${showValue(value)}.`,
      parameter: 'count',
      hint: 'Enter digits only, without separators, decimals or an exponent.',
    });
  });

  it('is refused with its bounds where it is outside of them', () => {
    const bounds = { label: 'Count', min: 1, max: 9 };
    for (const value of [0, 10])
      expect(refusal(() => wholeNumber(value, 'count', bounds))).toMatchObject({
        message: `Count must be from 1 to 9, but is ${value}.`,
        parameter: 'count',
      });
    expect(refusal(() => wholeNumber(-1, 'count')).message).toBe('count must be 0 or more, but is -1.');
  });
});

describe('an id', () => {
  it.each([
    [5, '5'],
    [9007199254740991, '9007199254740991'],
    [' 9223372036854775807 ', '9223372036854775807'],
    [9223372036854775807n, '9223372036854775807'],
    ['007.0', '7'],
  ])('is read from %p: %s', (value, id) => {
    expect(readIdentifier(value, 'orderId')).toBe(id);
  });

  it.each([9007199254740992, -9007199254740992, 1e21])('has lost its last digits already as %p', (value) => {
    expect(refusal(() => readIdentifier(value, 'orderId', 'Order ID'))).toMatchObject({
      message: `Order ID ${value} came as a number that is too long to be exact: its last digits are already lost.`,
      parameter: 'orderId',
      hint: 'Pass the id as text. The ids that these nodes return are text already.',
    });
  });

  it.each([0, '0', '00', -5, '1.5', '', 'x5', null, Infinity, NaN, '9223372036854775808'])(
    'is refused where it is %p',
    (value) => {
      expect(refusal(() => readIdentifier(value, 'orderId', 'Order ID'))).toMatchObject({
        message: `Order ID must be the digits of an id, but is ${showValue(value)}.`,
        parameter: 'orderId',
        hint: 'Use the id from the operation that placed or listed it.',
      });
    },
  );
});

it('takes a word of the list in the spelling of the list, and names the list otherwise', () => {
  expect(oneOf('SELL', ['BUY', 'SELL'], 'side')).toBe('SELL');
  for (const value of ['sell', 'BUY, SELL', 1])
    expect(refusal(() => oneOf(value, ['BUY', 'SELL'], 'side', 'Side'))).toMatchObject({
      message: `Side must be one of BUY, SELL, but is ${showValue(value)}.`,
      parameter: 'side',
      hint: 'Choose from its list. An expression must give exactly one of these words.',
    });
});

describe('plain text', () => {
  it('loses the blanks around it, and a number is its digits', () => {
    expect([plainText(' a b ', 'name'), plainText(12.5, 'name')]).toEqual(['a b', '12.5']);
    expect(plainText('x'.repeat(200), 'name')).toHaveLength(200);
    expect(plainText(` ${'x'.repeat(5)} `, 'name', { longest: 5 })).toHaveLength(5);
  });

  it.each([
    [undefined, 'Name is empty.'],
    [null, 'Name is empty.'],
    ['', 'Name is empty.'],
    [' \n ', 'Name is empty.'],
    [NaN, 'Name must be text, but is NaN.'],
    [true, 'Name must be text, but is true.'],
    [['a'], 'Name must be text, but is a list.'],
    ['a\nb', 'Name "a\\nb" holds a line break or another character that cannot be sent.'],
    ['a\ud800', 'Name "a\\ud800" holds a line break or another character that cannot be sent.'],
    ['x'.repeat(201), `Name is longer than 200 characters: it begins with "${'x'.repeat(80)}…"`],
  ])('%p is refused', (value, message) => {
    expect(refusal(() => plainText(value, 'name', { label: 'Name' }))).toMatchObject({ message, parameter: 'name' });
  });
});

const TAG_SOURCE: TagSource = { kind: 'execution', executionId: '42', nodeId: 'n', runIndex: 0, itemIndex: 3 };

describe('a placeholder that nothing has filled in', () => {
  const readers: [string, (value: unknown) => unknown][] = [
    ['a whole number', (value) => wholeNumber(value, 'quantity')],
    ['a word of a list', (value) => oneOf(value, ['BUY', 'SELL'], 'side')],
    ['rupees', (value) => rupeesToPaise(value, 'price')],
    ['an exact price', (value) => exactPaise(value, 'rupees', 'price')],
    ['an exact percentage', (value) => exactHundredths(value, 'stopLoss')],
    ['a percentage', (value) => percentToHundredths(value, 'percent')],
    ['a date', (value) => parseDate(value, 'goodTillDate')],
    ['an instant', (value) => parseInstant(value, 'exitTime')],
    ['an id', (value) => readIdentifier(value, 'orderId')],
    ['a label', (value) => tagFrom(String(value), TAG_SOURCE, 'sandbox/me')],
    ['a time of day', (value) => readLimits({ latestTime: value as string })],
  ];
  it.each(readers)('is told where %s is expected', (_, read) => {
    expect(refusal(() => read('{{strategy.order.action}}')).hint).toMatch(
      /^Nothing has filled in \{\{strategy\.order\.action\}\}: .* only in that of a strategy\.$/,
    );
    expect(refusal(() => read(' {{ $json.body.qty }}')).hint).toBe(
      '{{ $json.body.qty }} counts only where the field is set to Expression, and not to Fixed.',
    );
    expect(refusal(() => read('{{')).hint).not.toContain('filled in');
    expect(refusal(() => read(`{{${'x'.repeat(81)}}}`)).hint).not.toContain('filled in');
  });
});

describe('text that says something', () => {
  it.each([
    ['#N/A', '"#N/A" is an error of a spreadsheet: fix the formula of the cell that it comes from.'],
    [' #ref! ', '"#ref!" is an error of a spreadsheet: fix the formula of the cell that it comes from.'],
    ['#DIV/0!', '"#DIV/0!" is an error of a spreadsheet: fix the formula of the cell that it comes from.'],
    ['#NAME?', '"#NAME?" is an error of a spreadsheet: fix the formula of the cell that it comes from.'],
    ['{{ticker}}', 'Nothing has filled in {{ticker}}: '],
    ['undefined', 'If the field is an expression, it finds nothing in this item: '],
    ['null', 'If the field is an expression, it finds nothing in this item: '],
    ['[object Object]', 'If the field is an expression, it finds nothing in this item: '],
    ['\u200b', 'Type it again, or remove the field.'],
  ])('is not %j', (value, hint) => {
    const error = refusal(() => filledText(value, 'tag', { label: 'Tag' }));
    expect(error.message).toMatch(/^Tag is "/);
    expect(error.hint).toContain(hint);
  });

  it.each(['#INFY', '#1', 'None', 'nullify', 'n/a', 'a {b c}'])('may be %j', (value) =>
    expect(filledText(value, 'tag')).toBe(value),
  );

  it('is what a tag must be', () => {
    const error = refusal(() => tagFrom('undefined', TAG_SOURCE, 'sandbox/me'));
    expect(error).toMatchObject({ message: 'Tag is "undefined", which says nothing.', parameter: 'tag' });
  });
});
