/** Input that no well-behaved workflow gives: nothing reaches the service malformed, nothing crashes, each has its sentence. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { IS_WHOLE, share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const ordersPlaced = async () =>
  (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received').length;

/** Runs with the value as an expression gives it. */
const withValue = async (parameters: INodeParameters, value: unknown) =>
  await engine.run(parameters, { items: [{ json: { value: value as string } }] });

async function refused(parameters: INodeParameters, value: unknown): Promise<string> {
  const before = await ordersPlaced();
  const { error, items } = await withValue(parameters, value);
  expect(items).toEqual([]);
  expect(error?.name).toMatch(/^NodeOperationError$/);
  expect(error?.message).not.toMatch(/undefined|\[object|Cannot|not a function/);
  expect(error?.context?.itemIndex).toBe(0);
  expect(await ordersPlaced()).toBe(before);
  return `${error?.message} ${error?.description}`;
}

const symbols = [
  'M&M/../../orders',
  '..',
  '.',
  '%2e%2e',
  'INFY\r\nX-Evil: 1',
  'INFY\u0000',
  '\ud800',
  '💸',
  '__proto__',
  'constructor',
  'a'.repeat(5_000),
  '<script>',
  "' OR 1=1",
  'NSE:',
  'NSE:NSE:INFY',
];
it.each(share(symbols, 2, 0))('refuses the symbol %j', async (symbol) => {
  await refused({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol('={{ $json.value }}') }, symbol);
});

const numbers: [string, unknown][] = [
  ['NaN', NaN],
  ['−0', -0],
  ['1e20', 1e20],
  ['text 1e3', '1e3'],
  ['infinity', Infinity],
  ['hexadecimal', '0x10'],
  ['a separator', '1,000'],
  ['a currency sign', '₹1000'],
  ['null', null],
  ['an object', { a: 1 }],
  ['a list', [1, 2]],
  ['true', true],
  ['blank', '   '],
  ['a fraction of a paisa', '1000.001'],
];
it.each(share(numbers, 2, 0))('refuses %s as a price and as a quantity', async (_, value) => {
  await refused(orderForm({ price: '={{ $json.value }}' }), value);
  await refused(orderForm({ quantity: '={{ $json.value }}' }), value);
});

it('takes numbers as text and the reverse', async () => {
  const { error } = await withValue(orderForm({ price: '={{ $json.value }}', quantity: '={{ "1" }}' }), ' 1050.50 ');
  expect(error).toBeUndefined();
});

it.each([
  ['a number whose digits are lost', 1429496751195664155],
  ['text', 'abc'],
  ['a path', '1/../2'],
  ['zero', 0],
  ['negative', '-5'],
  ['too long', '9'.repeat(25)],
  ['null', null],
])('refuses %s as an order id', async (_, value) => {
  await refused({ resource: 'order', operation: 'get', orderId: '={{ $json.value }}' }, value);
  await refused({ resource: 'order', operation: 'cancel', orderId: '={{ $json.value }}' }, value);
});

const date = (value: string) => ({ resource: 'instrument', operation: 'getTradingDay', exchange: 'NSE', date: value });
it.each([
  ['31 February', '2026-02-31'],
  ['no leap day', '2026-02-29'],
  ['a word', 'tomorrow'],
  ['a month', '2026-11'],
  ['a list', [2026, 11, 20]],
  ['an object', {}],
  ['the thirteenth month', '2026-13-01'],
])('refuses %s as a date', async (_, value) => {
  await refused(date('={{ $json.value }}'), value);
});

it.each([
  ['a leap day', '2024-02-29', '2024-02-29'],
  ['midnight in Singapore, the evening before in India', '2026-11-20T00:00:00+08:00', '2026-11-20'],
  ['evening in New York, the next day in India', '2026-11-20T20:00:00-05:00', '2026-11-20'],
  ['a time of the workflow without zone', '2026-11-20T23:59:59', '2026-11-20'],
  ['a compact number', 20261120, '2026-11-20'],
  ['UTC late in the evening', '2026-11-19T18:30:00.000Z', '2026-11-20'],
])('reads %s as the day that is written', async (_, value, day) => {
  const { items, error } = await withValue(date('={{ $json.value }}'), value);
  expect(error).toBeUndefined();
  expect(items[0]?.json.date).toBe(day);
});

it('reads a DateTime of an expression as the day that it shows in its zone', async () => {
  const { items } = await engine.run(
    date('={{ DateTime.fromISO("2026-11-20T00:30:00", { zone: "Asia/Singapore" }) }}'),
  );
  expect(items[0]?.json.date).toBe('2026-11-20');
});

it('keeps names that would change a prototype from doing so', async () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"value":"={}"}') as Record<string, string>;
  await engine.run(
    { resource: 'instrument', operation: 'search', query: '={{ $json.value }}' },
    { items: [{ json: hostile }] },
  );
  await engine.run(orderForm({ options: JSON.parse('{"__proto__":{"tag":"x"}}') as INodeParameters }));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

it('runs thousands of items, each linked and in order', async () => {
  const count = IS_WHOLE ? 10_000 : 2_000;
  const items = Array.from({ length: count }, (_, index) => ({ json: { query: index % 2 === 0 ? 'INFY' : 'TCS' } }));
  const run = await engine.run(
    { resource: 'instrument', operation: 'get', ...bySymbol('={{ $json.query }}') },
    { items },
  );
  expect(run.error).toBeUndefined();
  expect(run.items).toHaveLength(count);
  expect(
    run.items.every(
      ({ json, pairedItem }, index) =>
        json.symbol === (index % 2 === 0 ? 'INFY' : 'TCS') && (pairedItem as { item: number }).item === index,
    ),
  ).toBe(true);
});
