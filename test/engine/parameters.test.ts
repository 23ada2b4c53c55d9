/** Reading of the node's parameters over many items, in n8n's engine against the sandbox. */
import { Expression, WorkflowExpression } from 'n8n-workflow';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox();
  engine = await Engine.start(sandbox.credential);
});
afterAll(async () => await sandbox.close());
afterEach(() => jest.restoreAllMocks());

const locator = (value: string) => ({ instrument: { __rl: true, mode: 'symbol', value } });
const orders = [
  { symbol: 'INFY', side: 'BUY', quantity: 3, price: 900, tag: 'first' },
  { symbol: 'TCS', side: 'SELL', quantity: 1, price: 4000.5, tag: 'second' },
  { symbol: 'WIPRO', side: 'BUY', quantity: 7, price: 150, tag: 'third' },
];
const items = orders.map((json) => ({ json }));
const form = orderForm({
  ...locator('={{ $json.symbol }}'),
  operation: 'placeMany',
  side: '={{ $json.side }}',
  quantity: '={{ $json.quantity }}',
  price: '={{ $json.price }}',
  options: { tag: '={{ $json.tag }}', validity: 'DAY' },
});

/** The expressions with data of the item that n8n evaluated, sorted. */
const expressionsOf = ({ mock }: jest.SpiedFunction<Expression['resolveSimpleParameterValue']>): unknown[] =>
  mock.calls
    .map(([value]) => value)
    .filter((value) => typeof value === 'string' && value.includes('$json.'))
    .sort();

it('gives each item what its expressions say, within a picker and a collection too', async () => {
  const placed = await engine.run(form, { items });
  expect(placed.error).toBeUndefined();
  expect(
    placed.items.map(({ json }) => ({
      symbol: json.symbol,
      side: json.order_side,
      quantity: json.order_qty,
      price: json.order_price,
      tag: String(json.tag).split('-')[0],
    })),
  ).toEqual(orders);
});

it('has n8n evaluate each expression once for an item, so that all of the order is made from the same values', async () => {
  const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
  const worked = (name: string): string => `={{ [$json.${name}][0] }}`;
  const { error } = await engine.run(
    {
      ...form,
      ...locator(worked('symbol')),
      side: worked('side'),
      quantity: worked('quantity'),
      price: worked('price'),
      options: { tag: worked('tag'), validity: 'DAY' },
    },
    { items },
  );
  expect(error).toBeUndefined();
  const each = ['price', 'quantity', 'side', 'symbol', 'tag'].flatMap((name) => items.map(() => worked(name)));
  expect(expressionsOf(evaluate)).toEqual(each);
});

it('has n8n evaluate no field that only names one of the item', async () => {
  const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
  const { error } = await engine.run(form, { items });
  expect(error).toBeUndefined();
  const within = ['symbol', 'tag'].flatMap((name) => items.map(() => `={{ $json.${name} }}`));
  expect(expressionsOf(evaluate)).toEqual(within);
});

it('asks n8n once for a parameter that holds no expression, however many items there are', async () => {
  const many = Array.from({ length: 20 }, () => ({ json: { side: 'BUY' } }));
  const requested = jest.spyOn(WorkflowExpression.prototype, 'getParameterValue');
  const fixed = orderForm({ operation: 'placeMany', priceType: 'MARKET', options: { tag: 'fixed' } });
  const { items: placed } = await engine.run(fixed, { items: many });
  expect(placed).toHaveLength(many.length);
  expect(requested.mock.calls.filter(([value]) => value === 'MARKET')).toHaveLength(1);
});
