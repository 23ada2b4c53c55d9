/** Reading JSON from bytes piece by piece: each kind of value, its end, and what is refused. */
import { UnreadableReplyError } from '../../../client/base/errors';
import { JsonScanner, NEEDS_MORE } from '../../../client/values/byte-scanner';

/** Shows what the readers of replies use. */
class Reader extends JsonScanner {
  /** @param behind bytes that are in the buffer, but not of the reply. */
  constructor(json: string, behind = '') {
    super(Buffer.from(json + behind));
    this.end = Buffer.byteLength(json);
  }

  protected unreadable(why: string, cause?: unknown): UnreadableReplyError {
    return new UnreadableReplyError(why, { cause });
  }

  integer(from = 0): { to: number; number: number } {
    const to = this.readInteger(from);
    return { to, number: this.number };
  }

  text(at = 0): { to: number; text: string } {
    const to = this.readString(at);
    return { to, text: this.string() };
  }

  value = (from = 0): number => this.skipValue(from);
  colon = (from = 0): number => this.afterColon(from);
  blanks = (from = 0): number => this.skipBlanks(from);
  quotes = (text: string, at = 1): boolean => this.isQuoted(Buffer.from(text), at);
}

function failureOf(read: () => unknown): UnreadableReplyError {
  try {
    read();
  } catch (error) {
    if (error instanceof UnreadableReplyError) return error;
    throw error;
  }
  throw new Error('It was read.');
}

const why = (read: () => unknown): string => failureOf(read).message;
const BEHIND = '123"}]';

describe('a number', () => {
  test.each([
    ['0', 0],
    ['-0', -0],
    ['7', 7],
    ['-12', -12],
    ['1.5', 1.5],
    ['-1.25', -1.25],
    ['2e3', 2_000],
    ['2E+3', 2_000],
    ['25e-1', 2.5],
    ['123456789012345', 123_456_789_012_345],
    ['-999999999999999', -999_999_999_999_999],
    ['1234567890123456', 1_234_567_890_123_456],
    ['9007199254740991', 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['0.1234567890123456789', 0.123_456_789_012_345_68],
    [`0.${'1'.repeat(398)}`, Number('0.1111111111111111')],
  ])('is read up to its end: %s', (written, number) => {
    for (const after of [',', '}', ']', ' ', '"']) {
      const read = new Reader(`${written}${after}`, BEHIND).integer();
      expect([read.to, read.number]).toEqual([written.length, expect.closeTo(number, 14)]);
      expect(Object.is(read.number, -0)).toBe(Object.is(number, -0));
    }
  });

  test('is read at its place', () => {
    expect(new Reader('[1,-23,4]').integer(3)).toEqual({ to: 6, number: -23 });
    expect(new Reader('[1,2.5,4]').integer(3)).toEqual({ to: 6, number: 2.5 });
  });

  test('is read, or missing, far from the beginning too', () => {
    const before = ' '.repeat(500);
    for (const [written, number] of [
      ['7', 7],
      ['-2.5', -2.5],
      ['123456789012345', 123_456_789_012_345],
    ] as const)
      expect(new Reader(`${before}${written},`).integer(500)).toEqual({ to: 500 + written.length, number });
    expect(why(() => new Reader(`${before},`).integer(500))).toBe('a number in it cannot be read');
  });

  test.each(['', '-', '1', '123456789012345', '1.', '1.5', '1e', '1234567890123456'])(
    'may go on behind the bytes that have come: %s',
    (written) => {
      expect(new Reader(written, BEHIND).integer().to).toBe(NEEDS_MORE);
    },
  );

  test.each(['x', ',', '-,', '-x', ' '])('is missing before %j', (written) => {
    expect(why(() => new Reader(`${written},`).integer())).toBe('a number in it cannot be read');
  });

  test.each([
    '9007199254740992',
    '-9007199254740992',
    '12345678901234567890',
    '1-2.5',
    '1.5.5',
    '1.5e',
    '.',
    'e',
    '1e999',
    '-1e999',
    '9007199254740993.0',
    '9007199254740993e3',
  ])('is refused if it is not exact: %s', (written) => {
    const text = written === '1-2.5' ? '1.0-2.5' : written;
    expect(why(() => new Reader(`${text},`).integer())).toBe(`the number ${text} in it is not exact`);
  });

  test('is refused beyond 400 bytes, also if more may come', () => {
    for (const after of [',', ''])
      expect(why(() => new Reader(`0.${'1'.repeat(399)}${after}`).integer())).toBe(
        'a number in it is longer than 400 digits',
      );
    expect(new Reader(`0.${'1'.repeat(398)}`).integer().to).toBe(NEEDS_MORE);
    expect(why(() => new Reader(`${'1'.repeat(100)},`).integer())).toBe(
      `the number ${'1'.repeat(40)} in it is not exact`,
    );
  });

  test('a number within quotes may be empty', () => {
    expect(new Reader('"",').integer(1)).toEqual({ to: 1, number: 0 });
  });
});

describe('a text', () => {
  test.each([
    ['""', ''],
    ['"abc"', 'abc'],
    ['"₹ é"', '₹ é'],
    ['"a\\"b"', 'a"b'],
    ['"\\\\"', '\\'],
    ['"\\u20b9\\n"', '₹\n'],
  ])('is read without its quotes: %s', (written, text) => {
    const bytes = Buffer.byteLength(written);
    expect(new Reader(`${written},"other"`, BEHIND).text()).toEqual({ to: bytes, text });
    expect(new Reader(`[5,${written}]`, BEHIND).text(3)).toEqual({ to: bytes + 3, text });
  });

  test('is read after one with escapes', () => {
    const reader = new Reader('"\\n","b"');
    expect([reader.text(0).text, reader.text(5).text]).toEqual(['\n', 'b']);
  });

  test.each(['"', '"abc', '"a\\', '"a\\"', '"a\\\\'])('goes on behind the bytes that have come: %s', (written) => {
    expect(new Reader(written, BEHIND).text().to).toBe(NEEDS_MORE);
  });

  test.each(['"\\x"', '"\\u12"', '"a\\\n"'])('is refused with an escape that is none: %j', (written) => {
    const error = failureOf(() => new Reader(written).text());
    expect([error.message, error.cause]).toEqual(['a text in it is broken', expect.any(SyntaxError)]);
  });

  test('has 10,000 bytes at most, and is refused with its beginning', () => {
    expect(new Reader(`"${'a'.repeat(10_000)}"`).text().to).toBe(10_002);
    for (const after of ['"', '']) {
      const read = () => new Reader(`"b${'a'.repeat(10_000)}${after}`).text();
      expect(why(read)).toBe(`a text in it is longer than 10000 bytes and begins with "b${'a'.repeat(79)}…"`);
    }
  });
});

describe('the end of a value', () => {
  test.each([
    '"a"',
    '"a\\"]"',
    '12.5e3',
    'null',
    'true',
    '{}',
    '[]',
    '[1,[2,{"a":[]}],"]"]',
    '{"a":{"b":"}"},"c":[{}]}',
    '[ "\\"" , {} ]',
  ])('is found: %s', (written) => {
    for (const after of [',1]', '}', ']', ' ', '"', '\n'])
      expect(new Reader(`${written}${after}`, BEHIND).value()).toBe(written.length);
    expect(new Reader(`[0,${written},2]`).value(3)).toBe(written.length + 3);
  });

  test.each(['12', 'nul', '"a', '[', '{', '[1,[2]', '{"a":"}', '{"a":[}'])(
    'may be behind the bytes that have come: %s',
    (written) => {
      expect(new Reader(written, ']}"').value()).toBe(NEEDS_MORE);
    },
  );

  test.each([',', '}', ']', ' 1'])('is missing where there is no value: %j', (written) => {
    expect(why(() => new Reader(written).value())).toBe('a value is missing in it');
  });
});

describe('between values', () => {
  test('blanks are passed, up to the bytes that have come', () => {
    expect(new Reader(' \t\r\n1').blanks()).toBe(4);
    expect(new Reader('1').blanks()).toBe(0);
    expect(new Reader('1 2').blanks(1)).toBe(2);
    expect(new Reader('1  ', '  ').blanks(1)).toBe(3);
  });

  test.each([
    [':1', 1],
    [' : 1', 3],
    ['  :\n1', 4],
    ['', NEEDS_MORE],
    ['  ', NEEDS_MORE],
    [':', NEEDS_MORE],
    [' : ', NEEDS_MORE],
  ])('a value comes after a colon: %j', (written, at) => {
    for (const behind of [':1', 'x']) expect(new Reader(written, behind).colon()).toBe(at);
  });

  test.each(['1', ' ,', '"'])('a colon is missing: %j', (written) => {
    expect(why(() => new Reader(written).colon())).toBe('a colon is missing in it');
  });
});

test('a text is compared with the bytes and the quote behind them', () => {
  const reader = new Reader('"ts":"v"', '"v"');
  expect([
    reader.quotes('ts'),
    reader.quotes('t'),
    reader.quotes('tsx'),
    reader.quotes('vs'),
    reader.quotes('tv'),
    reader.quotes('v', 6),
    reader.quotes('', 8),
    reader.quotes('v', 9),
  ]).toEqual([true, false, false, false, false, true, false, false]);
});
