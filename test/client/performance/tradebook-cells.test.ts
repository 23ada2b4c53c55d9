/** Rows of tradebooks in the shapes of other brokers: each is read right, or refused. */
import { readTradebook, type Fill } from '../../../client/performance/fills';
import { numberOf, productIn } from '../../../client/performance/tradebook-cells';
import type { JsonObject } from '../../../client/values/json';

const ROW = { date: '2026-11-20', time: '10:15:00', symbol: 'INFY', side: 'BUY', quantity: 10, price: '1563.50' };
const read = (more: Record<string, unknown>): Fill =>
  readTradebook({ rows: [JSON.parse(JSON.stringify({ ...ROW, ...more })) as JsonObject] }).fills[0]!;
const at = (text: string): number => Date.parse(text);

test.each<[string, Record<string, unknown>, Partial<Fill>]>([
  ['a whole price that is written with its paise', { price: '1563.00' }, { price: 156_300 as never }],
  ['a price with the sign of rupees', { price: '₹1,563' }, { price: 156_300 as never }],
  ['lakhs', { quantity: '1,00,000' }, { quantity: 100_000 }],
  ['a sale of fewer units', { side: 'S', quantity: -10 }, { quantity: -10 }],
  ['the filled units of an order', { qty: 100, filled_qty: 40 }, { quantity: 40 }],
  ['the mean price of an order', { average_price: '1500.50' }, { price: 150_050 as never }],
  ['an hour after noon', { time: '03:15:00 PM' }, { at: at('2026-11-20T15:15:00+05:30') }],
  ['an hour of one digit', { time: '9:15:00' }, { at: at('2026-11-20T09:15:00+05:30') }],
  ['noon and midnight', { time: '12:00 AM' }, { at: at('2026-11-20T00:00:00+05:30') }],
  ['a time of Greenwich', { date: '2026-11-20T20:00:00Z', time: '' }, { at: at('2026-11-20T20:00:00Z') }],
  ['a day and a time in one cell', { time: '2026-11-20 09:16:30.123' }, { at: at('2026-11-20T09:16:30+05:30') }],
  ['a year of two digits', { date: '20-11-26' }, { at: at('2026-11-20T10:15:00+05:30') }],
  ['a month in letters', { date: '20-Nov-2026' }, { at: at('2026-11-20T10:15:00+05:30') }],
  [
    'a time under another heading',
    { time: undefined, order_execution_time: '2026-11-20T11:00:00' },
    { at: at('2026-11-20T11:00:00+05:30') },
  ],
  ['a sale under trade_type', { side: undefined, trade_type: 'sell' }, { quantity: -10 }],
  ['a cover order', { product: 'CO' }, { product: 'IDAY' }],
  ['a product of one letter', { product: 'I' }, { product: 'IDAY' }],
  ['a product that is carried forward', { product: 'NRML' }, { product: 'CNC' }],
  ['a currency, whose worth nothing tells', { symbol: 'USDINR26DECFUT', exchange: 'CDS' }, { contract: undefined }],
  ['a commodity by its full name', { symbol: 'FUT_CRUDEOIL_20261118' }, { contract: undefined }],
  [
    'a commodity behind its exchange',
    { symbol: 'MCX:CRUDEOIL26NOVFUT' },
    { symbol: 'CRUDEOIL26NOVFUT', contract: undefined },
  ],
  ['a share behind its exchange', { symbol: 'NSE:INFY' }, { symbol: 'INFY' }],
  ['a share with its series', { symbol: 'NSE:INFY-BE' }, { symbol: 'INFY' }],
  ['a share whose name has a dash', { symbol: 'BAJAJ-AUTO-EQ' }, { symbol: 'BAJAJ-AUTO' }],
  ...['20.11.2026', '2026/11/20', '2026.11.20', '20261120', '20-November-2026', '20 Nov 2026', '20-Sept-2026'].map(
    (date): [string, Record<string, unknown>, Partial<Fill>] => [
      `the day ${date}`,
      { date },
      { at: at(`2026-${date.includes('Sept') ? '09' : '11'}-20T10:15:00+05:30`) },
    ],
  ),
  ...[1_795_149_900, '1795149900', '1795149900000', '1795149900000000', '1795149900000000000'].map(
    (date): [string, Record<string, unknown>, Partial<Fill>] => [
      `the count ${date}`,
      { date, time: undefined },
      { at: at('2026-11-20T10:15:00+05:30') },
    ],
  ),
  [
    'a day and a time under one heading',
    { date: undefined, time: undefined, 'Date & Time': '20 Nov 2026, 10:15:00 AM' },
    { at: at('2026-11-20T10:15:00+05:30') },
  ],
  ['a trade that is complete', { status: 'COMPLETE' }, { quantity: 10 }],
  ['a cancelled order of which a part was traded', { status: 'CANCELLED', filled_qty: 4 }, { quantity: 4 }],
  ['a commodity of a segment', { symbol: 'GOLD26DECFUT', exchange: 'COM' }, { contract: undefined }],
])('%s is read', (_, cells, expected) => {
  expect(read(cells)).toMatchObject(expected);
});

test.each<[string, Record<string, unknown>, string]>([
  ['a bonus', { side: 'BONUS' }, 'does not tell date, side'],
  ['a split', { side: 'SPLIT' }, 'does not tell date, side'],
  ['a buyback', { side: 'BUYBACK' }, 'does not tell date, side'],
  ['a purchase that was taken back', { quantity: -10 }, 'does not tell date, side'],
  ['half a share', { quantity: 0.5 }, 'does not tell date, side'],
  ['a comma before a fraction', { price: '10,5' }, 'does not tell date, side'],
  [
    'a day that is none',
    { date: '2026-02-31' },
    'does not tell date, side, quantity, price and symbol: it has date "2026-02-31".',
  ],
  ['a day as a spreadsheet counts it', { date: 46_346 }, 'it has date 46346.'],
  ['a count with a time beside it', { date: '1795149900' }, 'it has date "1795149900".'],
  ['two cells that cannot be read', { side: '1', price: '-' }, 'it has side "1", price "-".'],
  [
    'an order that was cancelled',
    { status: 'Cancelled' },
    'Row 1 of the tradebook has the status "Cancelled", and no column',
  ],
  ['an order that is open', { status: 'trigger pending' }, 'has the status "trigger pending"'],
  ['a month before its day', { date: '11/20/2026' }, 'does not tell date, side'],
  ['a time that is none', { time: 'n/a' }, 'does not tell date, side'],
  ['an hour that is none', { time: '13:15 PM' }, 'does not tell date, side'],
  ['an unknown product', { product: 'SLBM' }, 'has the product "SLBM"'],
  ['an option by its columns', { symbol: 'NIFTY', strike_price: 26_000, option_type: 'CE' }, 'an option on NIFTY'],
])('%s is refused', (_, cells, why) => {
  expect(() => read(cells)).toThrow(why);
});

test('a trade that is listed twice under its number counts once; equal trades without a number are two', () => {
  const quantities = (...rows: object[]): number[] =>
    readTradebook({ rows: rows as JsonObject[] }).fills.map(({ quantity }) => quantity);
  const trade = { ...ROW, trade_id: '771' };
  expect(quantities(trade, { ...trade }, { ...trade, trade_id: '772' })).toEqual([10, 10]);
  expect(quantities(ROW, { ...ROW })).toEqual([10, 10]);
  expect(quantities({ ...ROW, trade_id: '' }, { ...ROW, trade_id: '' })).toEqual([10, 10]);
  expect(quantities(trade, { ...trade, symbol: 'TCS' })).toEqual([10, 10]);
});

test('an order of which nothing was traded is no trade', () => {
  const rows = [
    ROW,
    { ...ROW, status: 'REJECTED' },
    { ...ROW, status: 'rejected by exchange', price: 0 },
    { ...ROW, status: '' },
  ] as unknown as JsonObject[];
  expect(readTradebook({ rows }).fills).toHaveLength(2);
  const traded = rows.map((row) => ({ ...row, filled_qty: 0, status: 'CANCELLED' }));
  expect(readTradebook({ rows: traded }).fills).toEqual([]);
});

test('a tax without an amount is not one of nothing', () => {
  const taxes = { title: 'Tax on exercised options', rows: [{ symbol: 'NIFTY26NOV26000CE', charges: '-' }] };
  expect(() => readTradebook({ res: { sections: [taxes] } })).toThrow('does not tell the amount of "Tax on exercised');
});

test('numbers and products are whole cells', () => {
  expect(['1,00,000.50', '100,000', '1,5,000', '1e5', 'Rs. 5'].map(numberOf)).toEqual([
    100_000.5,
    100_000,
    undefined,
    undefined,
    5,
  ]);
  expect(['ORDER_DELIVERY_TYPE_IDAY', 'COMMISSION', 'Carry Forward', ''].map(productIn)).toEqual([
    'IDAY',
    undefined,
    'CNC',
    '',
  ]);
});
