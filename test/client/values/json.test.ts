import fc from 'fast-check';
import jsonBigint from 'json-bigint';
import { parse } from 'lossless-json';
import { InputError, UnreadableReplyError } from '../../../client/base/errors';
import {
  IDENTIFIER_KEYS,
  NANOSECOND_KEYS,
  asList,
  asObject,
  readJson,
  readJsonIfAny,
  writeJson,
  type Json,
} from '../../../client/values/json';
import { refusal } from '../../support/refusal';

const read = (text: string) => readJson(Buffer.from(text));

describe('the reader', () => {
  it('keeps every digit of a long integer, as text', () => {
    expect(read('{"a":1234567890123456789,"b":-9223372036854775808,"c":[18446744073709551615]}')).toEqual({
      a: '1234567890123456789',
      b: '-9223372036854775808',
      c: ['18446744073709551615'],
    });
  });

  it.each([
    ['a text', (text: string) => JSON.stringify({ symbol: text })],
    ['a text of a list', (text: string) => JSON.stringify({ a: [{ b: [1, text] }] })],
    ['a name', (text: string) => JSON.stringify({ [text]: 1 })],
    ['a text alone', (text: string) => JSON.stringify(text)],
    ['digits alone', (text: string) => `{"symbol":${text}}`],
  ])('refuses %s that is longer than any of the service, and shows its first 80 characters', (_what, written) => {
    expect(() => read(written('1'.repeat(10_000)))).not.toThrow();
    const long = written(`${'12'.repeat(40)}3${'4'.repeat(60_000)}`);
    expect(() => read(long)).toThrow(
      new UnreadableReplyError(
        `The service sent a text of 60081 characters, longer than any of its texts (10000). It begins with "${'12'.repeat(40)}…"`,
      ),
    );
  });

  it('takes the image of a code, which is longer', () => {
    const image = `data:image/png;base64,${'A'.repeat(100_000)}`;
    expect(read(JSON.stringify({ data: { qr_image: image } }))).toEqual({ data: { qr_image: image } });
    expect(() => read(JSON.stringify({ data: { other: image } }))).toThrow(UnreadableReplyError);
  });

  it('draws the line at 2^53 − 1', () => {
    expect(read('[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992,1000000000000000]')).toEqual([
      9007199254740991,
      '9007199254740992',
      -9007199254740991,
      '-9007199254740992',
      1000000000000000,
    ]);
  });

  it('gives identifiers and nanosecond times as text whatever their size', () => {
    const keys = [...IDENTIFIER_KEYS, ...NANOSECOND_KEYS];
    const reply = read(`{${keys.map((key) => `"${key}":7`).join(',')},"ref_id":7,"user_id":7}`);
    expect(reply).toEqual({ ...Object.fromEntries(keys.map((key) => [key, '7'])), ref_id: 7, user_id: 7 });
  });

  it('knows a key with blanks around its colon, and none where there is only text', () => {
    expect(
      read('{ "order_id" \n:\t 5 , "a": ["order_id", 6], "basket_id":null, "c": 1, "ts":{"d":2}, "order_id2":3 }'),
    ).toEqual({
      order_id: '5',
      a: ['order_id', 6],
      basket_id: null,
      c: 1,
      ts: { d: 2 },
      order_id2: 3,
    });
  });

  it('leaves text, fractions and exponents alone', () => {
    const text =
      '{"a":"12345678901234567890","b":"say \\"12345678901234567890\\" \\\\","c":0.12345678901234567,"d":1.5e+20,"e":12345678901234567890e-5,"f":-0.5}';
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it('reads the first document when bytes follow it', () => {
    expect(read('{"basket_id":1,"tag":"}"} {"message":"x"}')).toEqual({ basket_id: '1', tag: '}' });
    expect(read('[1]\n\0\0')).toEqual([1]);
    expect(read('\uFEFF{"a":1}')).toEqual({ a: 1 });
    expect(read(' null ')).toBeNull();
    expect(read('null\n{}')).toBeNull();
  });

  it.each(['', '  ', '{"a":1', '{"a":1,}', '<html></html>', '[1,2', '"abc', '{"a":-}', 'nul', '"a":1}}'])(
    'refuses %p',
    (text) => {
      expect(() => read(text)).toThrow(UnreadableReplyError);
    },
  );

  it('drops __proto__ keys, however they are spelled', () => {
    for (const text of [
      '{"__proto__":{"x":1},"a":[{"__proto__":2,"b":1}]}',
      '{"\\u005f_proto__":{"x":1},"a":[{"\\u005F\\u005fproto__":2,"b":1}]}',
    ]) {
      const value = read(text) as { a: object[] };
      expect(Object.keys(value)).toEqual(['a']);
      expect(Object.keys(value.a[0]!)).toEqual(['b']);
      expect(({} as { x?: number }).x).toBeUndefined();
    }
  });

  it('agrees with JSON.parse where nothing is long', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(
          !/\d{16}/.test(text) &&
            !text.includes('__proto__') &&
            !['ts', 'timestamp'].some((key) => text.includes(`"${key}"`)),
        );
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('agrees with json-bigint about the digits of integers', () => {
    const big = jsonBigint({ storeAsString: true, alwaysParseAsBig: true, protoAction: 'preserve' });
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), integer), { maxLength: 8 }), fc.boolean(), (members, pretty) => {
        const text = `[${members.map(([name, value]) => `{${JSON.stringify(`k${name}`)}${pretty ? ' : ' : ':'}${value}}`).join(pretty ? ' ,\n' : ',')}]`;
        const ours = read(text) as Record<string, Json>[];
        expect(ours.map((member) => String(Object.values(member)[0]))).toEqual(
          (big.parse(text) as Record<string, unknown>[]).map((member) => String(Object.values(member)[0])),
        );
        for (const member of ours) {
          const value = Object.values(member)[0]!;
          if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('agrees with a parser that is shown the source of each number, however texts and numbers are mixed', () => {
    const digits = fc.bigInt({ min: 10n ** 14n, max: 2n ** 64n }).map(String);
    const piece = fc.oneof(
      digits,
      fc.constantFrom('"', '\\', ':', ',', '[', '{', ' ', '-', '.', 'e', 'a', '\n', '":', '",', '\\"'),
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    // Node.js 24 takes the key k" for k\ where an object before it had that key: two keys with a backslash are not mixed here.
    const key = text.map((name) => name.replaceAll('\\', '/'));
    const number = fc.oneof(
      digits,
      digits.map((all) => `-${all}`),
      digits.map((all) => `0.${all}`),
      digits.map((all) => `${all}e-3`),
      fc.integer().map(String),
    );
    const leaf = fc.oneof(
      number,
      text.map((name) => JSON.stringify(name)),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('any'), { maxLength: 3 }).map((list) => `[${list.join(',')}]`),
        tie('object'),
      ),
      object: fc
        .array(fc.tuple(fc.oneof(key, fc.constant('order_price')), fc.constantFrom('', ' '), tie('any')), {
          maxLength: 4,
        })
        .map(
          (members) =>
            `{${members.map(([name, blank, member]) => `${JSON.stringify(`k${name as string}`)}:${blank as string}${member as string}`).join(',')}}`,
        ),
    })).any as fc.Arbitrary<string>;
    // An oracle that hands over the text of each number; of a key that comes twice the last one counts, as with JSON.parse.
    const oracle = (json: string): unknown =>
      parse(json, null, {
        parseNumber: (digits) =>
          /^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? digits : Number(digits),
        onDuplicateKey: ({ newValue }) => newValue,
      });
    fc.assert(
      fc.property(value, (json) => {
        expect(read(json)).toEqual(oracle(json));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['a\\', '\\', '\\"', 'a\\\\', 'a\\":1,"b'])('keeps digits under a key with a backslash: %j', (key) => {
    expect(read(`{${JSON.stringify(key)}:12345678901234567890,"b":1}`)).toEqual({
      [key]: '12345678901234567890',
      b: 1,
    });
  });

  it('never returns anything for broken bytes but a value, or throws its own error', () => {
    const sample = Buffer.from(
      '{"orders":[{"order_id":1234567890123456789,"tag":"a\\"b","ts":1,"x":-1.5e3,"n":null}],"k":[true,false]}',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(sample.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
        fc.nat(sample.length),
        (changes, length) => {
          const bytes = Buffer.from(sample.subarray(0, length));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          try {
            readJson(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableReplyError);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a text that is no JSON', () => {
  it.each(['', ' \n '])('is called empty where it is empty: %j', (text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ message: 'The service sent an empty reply where JSON was expected.' }),
    );
  });

  it.each(['{"a":1', '<html>'])('may have been cut off otherwise: %j', (text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        message: 'The service sent a reply that is not readable JSON; it may have been cut off on the way.',
      }),
    );
  });

  it('is undefined where only JSON counts', () => {
    expect(readJsonIfAny(Buffer.from('{"a":'))).toBeUndefined();
    expect(readJsonIfAny(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
  });

  it('is a mark of the order of bytes only as a whole', () => {
    expect(readJson(Uint8Array.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d]))).toEqual([]);
    for (const mark of [
      [0xef, 0xbb, 0x00],
      [0xef, 0x00, 0xbf],
      [0x00, 0xbb, 0xbf],
      [0x00, 0x00, 0xbf],
    ])
      expect(readJsonIfAny(Buffer.from([...mark, 0x5b, 0x5d]))).toBeUndefined();
  });
});

it('reads values that are no objects, and null before other bytes', () => {
  expect([read('null'), read('5'), read('"x"'), read('[null,[null]]'), read('{"a":null}')]).toEqual([
    null,
    5,
    'x',
    [null, [null]],
    { a: null },
  ]);
  expect([read(' null x'), read('null\n{}')]).toEqual([null, null]);
  for (const text of ['xnull x', 'x null x', 'nullx']) expect(readJsonIfAny(Buffer.from(text))).toBeUndefined();
  expect(read('{"a":"}\\"]","b":[{}]} {"c":1}')).toEqual({ a: '}"]', b: [{}] });
  expect(read('{"a": null } x')).toEqual({ a: null });
  expect(read('[{"order_id":7},[{"order_id":8}]]')).toEqual([{ order_id: '7' }, [{ order_id: '8' }]]);
});

it('reads objects and lists, and a missing list as an empty one', () => {
  expect([{ a: 1 }, [], null, undefined, 'x'].map(asObject)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([[1], null, undefined, {}, 'x'].map(asList)).toEqual([[1], [], [], undefined, undefined]);
});

describe('nesting', () => {
  it.each(['null', 'true', '1', '"x"'])('counts %s as no level', (value) => {
    expect(readJsonIfAny(Buffer.from(`${'['.repeat(200)}${value}${']'.repeat(200)}`))).toBeDefined();
    expect(readJsonIfAny(Buffer.from(`${'{"a":'.repeat(200)}${value}${'}'.repeat(200)}`))).toBeDefined();
  });

  it.each(['[[],[]]', '[{},{}]', '{"a":[],"b":{}}'])('refuses %s where two objects and lists are the most', (text) => {
    expect(readJson(Buffer.from(text), 3)).toEqual(JSON.parse(text));
    expect(() => readJson(Buffer.from(text), 2)).toThrow('The service sent JSON of more than 2 objects and lists.');
    expect(readJson(Buffer.from('[[1,2,3],4]'), 2)).toEqual([[1, 2, 3], 4]);
  });

  const nested = (open: string, close: string, levels: number) =>
    Buffer.from(`${open.repeat(levels)}1${close.repeat(levels)}`);

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('takes 200 levels of %s, and refuses one more', (_, open, close) => {
    expect(JSON.stringify(readJson(nested(open, close, 200)))).toBe(nested(open, close, 200).toString());
    expect(() => readJson(nested(open, close, 201))).toThrow('nested more than 200 levels deep');
  });

  it('counts no bracket within a text, and none that is closed again', () => {
    const text = `\\"${'[{'.repeat(300)}`;
    expect(readJson(Buffer.from(JSON.stringify([text, ...Array.from({ length: 300 }, () => [])])))).toHaveLength(301);
  });

  it.each(['[', '{"a":', '[],'])('refuses more than a million of %j before it makes anything', (opening) => {
    const parse = jest.spyOn(JSON, 'parse');
    const bytes = Buffer.from(opening.repeat(1_000_001));
    expect(() => readJson(bytes)).toThrow('more than 1000000 objects and lists');
    expect(readJsonIfAny(bytes)).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe('the writer', () => {
  it('writes identifiers given as text as exact integers, and nothing else', () => {
    expect(
      writeJson({
        orders: [{ order_id: '1234567890123456789' }],
        tag: '1234567890123456789',
        order_id: 'x1',
        basket_id: 5,
      }),
    ).toBe('{"orders":[{"order_id":1234567890123456789}],"tag":"1234567890123456789","order_id":"x1","basket_id":5}');
  });

  it('leaves out what is undefined, keeps null, and refuses numbers that are not exact', () => {
    expect(writeJson({ a: undefined, b: null, c: [undefined, true], d: -0 })).toBe('{"b":null,"c":[null,true],"d":0}');
    for (const number of [NaN, Infinity, 1e20, 2 ** 53])
      expect(() => writeJson({ order_price: number })).toThrow(InputError);
  });

  it('says which number cannot be sent, and takes the largest that can', () => {
    expect(refusal(() => writeJson({ price: 9007199254740992 }))).toMatchObject({
      message: 'The number 9007199254740992 cannot be sent exactly.',
      parameter: 'price',
    });
    expect(writeJson({ a: 9007199254740991, b: -9007199254740991, c: -0 })).toBe(
      '{"a":9007199254740991,"b":-9007199254740991,"c":0}',
    );
    expect(writeJson(undefined)).toBe('null');
  });

  it('takes no text for an id that only begins as one', () => {
    for (const text of ['7x', 'x7', '07', '12345678901234567890'])
      expect(writeJson({ order_id: text })).toBe(`{"order_id":"${text}"}`);
  });

  it('agrees with JSON.stringify on everything else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        fc.pre(!/e[+-]?\d|\d{16}/.test(JSON.stringify(value)) && !JSON.stringify(value).includes('__proto__'));
        expect(JSON.parse(writeJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('an id that came with an exponent', () => {
  it.each(['1.5e18', '15e17', '1795408201072426e3'])(
    'is refused where it is %s: its digits would be those of another one',
    (id) => {
      expect(() => readJson(Buffer.from(`{"order_id":${id}}`))).toThrow('its last digits are lost');
    },
  );

  it('is read where it names no order of the service', () => {
    expect(readJson(Buffer.from('{"exchange_order_id":1.5e18,"pnl":1.5e18}'))).toEqual({
      exchange_order_id: '1500000000000000000',
      pnl: 1.5e18,
    });
  });
});

it('leaves out the fields of an object that are undefined', () => {
  expect(writeJson({ a: 1, b: undefined } as unknown as Json)).toBe('{"a":1}');
});
