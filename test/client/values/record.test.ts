/** Fields of replies: what is there, what is missing, and what is of another type. */
import { UnreadableReplyError } from '../../../client/base/errors';
import {
  asRecord,
  decimalFrom,
  numberAt,
  numberFrom,
  paiseFrom,
  numberIn,
  objectFrom,
  optionalNumberAt,
  recordAt,
  recordIn,
  recordOf,
  recordsAt,
  recordsIn,
  spellingIn,
  textIn,
  unitsAt,
  wholeNumberFrom,
  type WireRecord,
} from '../../../client/values/record';

interface Fields {
  count: number;
  change?: number | null;
  name?: string;
  inner?: { price: number } | null;
  rows?: { price: number }[] | null;
}

const record: WireRecord<Fields> = {
  count: 7,
  change: null,
  name: 'x',
  inner: { price: 5 },
  rows: [{ price: 1 }, { price: 2 }],
};
const nothing = undefined as WireRecord<Fields> | undefined;
const broken: WireRecord<Fields> = { count: '7', change: true, name: {}, inner: [], rows: [1] };

it('reads the fields that are there', () => {
  expect([numberAt(record, 'count'), numberIn(record, 'count'), optionalNumberAt(record, 'change')]).toEqual([
    7,
    7,
    null,
  ]);
  expect([textIn(record, 'name'), textIn(record, 'count')]).toEqual(['x', '7']);
  expect(numberAt(recordAt(record, 'inner'), 'price')).toBe(5);
  expect(numberIn(recordIn(record, 'inner'), 'price')).toBe(5);
  expect(recordsAt(record, 'rows').map((row) => numberAt(row, 'price'))).toEqual([1, 2]);
});

it('takes null and a missing list for an empty one, and nothing else', () => {
  expect(recordsAt({ rows: null } as WireRecord<Fields>, 'rows')).toEqual([]);
  expect(recordsAt({} as WireRecord<Fields>, 'rows')).toEqual([]);
  expect(() => recordsAt({ rows: {} } as WireRecord<Fields>, 'rows')).toThrow(/rows is no list/);
  expect(() => recordsAt(broken, 'rows')).toThrow(/an element of rows is no object/);
});

it.each([
  ['a number as text', () => numberAt(broken, 'count'), 'count is not an exact number'],
  ['a missing number', () => numberAt({} as WireRecord<Fields>, 'count'), 'count is missing'],
  ['an infinite number', () => numberAt({ count: Infinity } as WireRecord<Fields>, 'count'), 'count is missing'],
  ['another type where a number may be missing', () => optionalNumberAt(broken, 'change'), 'change is missing'],
  ['a list for an object', () => recordAt(broken, 'inner'), 'inner is no object'],
  ['null for an object', () => recordAt({ inner: null } as WireRecord<Fields>, 'inner'), 'inner is missing'],
  ['nothing for a reply', () => recordOf(undefined, 'the reply'), 'the reply is missing'],
  ['text for a reply', () => recordOf('x', 'the reply'), 'the reply is no object'],
  ['null for a reply', () => recordOf(null, 'the reply'), 'the reply is missing'],
])('refuses %s', (_, read, why) => {
  expect(read).toThrow(UnreadableReplyError);
  expect(read).toThrow(
    expect.objectContaining({
      message: `The service's reply cannot be read: ${why}.`,
      hint: 'Try again. If the error stays, the service may have changed.',
    }),
  );
});

it('returns nothing for a missing field on which nothing rests', () => {
  expect([
    numberIn(broken, 'count'),
    numberIn(nothing, 'count'),
    textIn(broken, 'name'),
    textIn(nothing, 'name'),
  ]).toEqual([null, null, '', '']);
  expect([recordIn(broken, 'inner'), recordIn(nothing, 'inner'), asRecord(null), asRecord([])]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([recordsIn({ rows: {} } as typeof record, 'rows'), recordsIn(nothing, 'rows')]).toEqual([[], []]);
  expect(recordsIn({ rows: [1, null, [], { price: 1 }] } as typeof record, 'rows')).toEqual([{ price: 1 }]);
  expect([objectFrom(null), objectFrom([]), objectFrom('x'), objectFrom({ price: 1 })]).toEqual([
    {},
    {},
    {},
    { price: 1 },
  ]);
});

it('takes a number that is not there for none', () => {
  expect(optionalNumberAt({} as WireRecord<Fields>, 'change')).toBeNull();
  expect(optionalNumberAt({ change: 5 } as WireRecord<Fields>, 'change')).toBe(5);
});

it('finds the spelling that a record has', () => {
  const level: WireRecord<{ p?: number; price?: number }> = { price: 3 };
  expect(spellingIn(level, 'p', 'price')).toBe('price');
  expect(spellingIn({ ...level, p: undefined } as typeof level, 'p', 'price')).toBe('p');
  expect(spellingIn({} as typeof level, 'p', 'price')).toBe('p');
});

it('has names that the compiler checks', () => {
  // @ts-expect-error a name that the type does not have
  expect(numberIn(record, 'cuont')).toBeNull();
  // @ts-expect-error a field of another type
  expect(numberIn(record, 'name')).toBeNull();
  // @ts-expect-error no list
  expect(() => recordsAt(record, 'inner')).toThrow();
  // @ts-expect-error no list
  expect(recordsIn(record, 'inner')).toEqual([]);
  // @ts-expect-error a name that the type does not have, read without a function
  expect(record.cuont).toBeUndefined();
  // @ts-expect-error a name that the type does not have, written
  const made: typeof record = { cuont: 7 };
  expect(made.count).toBeUndefined();
});

it.each([
  [10.5, 10.5, 10.5],
  ['10.5', 10.5, 0],
  [' -0.25 ', -0.25, 0],
  ['1234567890123456.5', null, 0],
  [`0.${'1'.repeat(20)}`, 0.111_111_111_111_111_11, 0],
  [`0.${'1'.repeat(21)}`, null, 0],
  ['10', 10, 10],
  [' 1,000 ', 1_000, 0],
  ['1,000', 1_000, 1_000],
  ['1,234.50', null, 0],
  ['1,234.00', null, 1_234],
  ['1,00,000.00', null, 100_000],
  ['x10.5', null, 0],
  ['10.5x', null, 0],
  ['.5', null, 0],
  [JSON.parse('1e999') as number, null, 0],
  ['', null, 0],
  [null, null, 0],
  [undefined, null, 0],
  [['10.5'], null, 0],
])('reads %j as the number %j, or %j where a whole one is asked for', (written, decimal, number) => {
  expect([decimalFrom(written), numberFrom(written)]).toEqual([decimal, number]);
});

it.each<[unknown, number]>([
  [1_000, 1_000],
  ['1,000', 1_000],
  ['1000.00', 1_000],
  ['1,000.00', 0],
  ['1,00,000.0', 0],
])('reads the amount %j as %i paise: what is printed in rupees is none', (written, paise) => {
  expect(paiseFrom(written as never)).toBe(paise);
});

it.each([
  [10, 10],
  ['10', 10],
  ['-10.00', -10],
  ['1,000', 1_000],
  ['1,00,000', 100_000],
  ['12,34,567.0', 1_234_567],
  ['100,000', 100_000],
])('reads %j as the whole number %i', (written, number) => {
  expect(wholeNumberFrom(written)).toBe(number);
});

it.each([
  10.5,
  '10.5',
  '10,50',
  '1,2',
  '1,234,5',
  '1,00',
  ',100',
  '1e3',
  '0x10',
  '1234567890123456',
  'ten',
  '',
  null,
  true,
  [10],
  ['10'],
  {},
])('takes %j for no whole number', (written) => {
  expect(wholeNumberFrom(written)).toBeUndefined();
});

test.each([
  [{}, 0],
  [{ order_qty: null }, 0],
  [{ order_qty: '' }, 0],
  [{ order_qty: 10 }, 10],
  [{ order_qty: '10' }, 10],
])('reads the units of %j as %j', (record, units) => {
  expect(unitsAt<{ order_qty: number }>(record, 'order_qty')).toBe(units);
});

test.each(['ten', 10.5, true, {}])('refuses %j as units: what cannot be read is not 0', (written) => {
  expect(() => unitsAt<{ order_qty: number }>({ order_qty: written }, 'order_qty')).toThrow(
    'order_qty is no whole number',
  );
});

test('shows the beginning of units that cannot be read', () => {
  expect(() => unitsAt<{ order_qty: number }>({ order_qty: 'x'.repeat(100) }, 'order_qty')).toThrow(
    expect.objectContaining({
      message: `The service's reply cannot be read: order_qty is no whole number, but "${'x'.repeat(39)}.`,
    }),
  );
});
