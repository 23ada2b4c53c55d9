/**
 * Every field of every operation, given by expressions what no well-behaved workflow gives: each item has its own sentence,
 * which names the field; nothing crashes, and the service never has to refuse it.
 */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/Brokerage/actions/resources';
import type { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { openOperationWorld, operationCases, type OperationWorld } from '../support/operations';
import { firstAndShare, share } from '../support/sample';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let world: OperationWorld;
let engine: Engine;
beforeAll(async () => {
  world = await openOperationWorld();
  ({ engine } = world);
});
afterAll(async () => await world.sandbox.close());

const VALUES: unknown[] = [
  null,
  NaN,
  -0,
  1e20,
  -1,
  '1e3',
  '',
  '   ',
  'M&M/../../orders',
  '..',
  'a\r\nX-Evil: 1',
  '\u0000',
  '\ud800',
  '💸',
  '__proto__',
  'constructor',
  '2026-02-31',
  'a'.repeat(5_000),
  true,
  {},
  [],
  [null],
  { __proto__: null, a: 1 },
];

/** The field with the expression in it, as the editor stores it. */
function hostile({ type, name }: INodeProperties): INodeParameters {
  const expression = '={{ $json.value }}';
  return { [name]: type === 'resourceLocator' ? { __rl: true, mode: 'symbol', value: expression } : expression };
}

/** The fields that take expressions, and the place of each: the name of its collection, or the top. */
function fieldsOf(properties: INodeProperties[]): { title: string; field: INodeProperties; within?: string }[] {
  return properties.flatMap((property) => {
    if (property.type === 'notice' || property.noDataExpression) return [];
    if (property.type !== 'collection') return [{ title: property.name, field: property }];
    return (property.options as INodeProperties[]).map((field) => ({
      title: `${property.name}.${field.name}`,
      field,
      within: property.name,
    }));
  });
}

/** Values that n8n itself requires, where a hostile choice shows the field. */
const FILLED: INodeParameters = {
  expiryDate: '2026-12-01',
  date: '2026-11-19',
  from: '2026-11-16',
  to: '2026-11-19',
  sinceTime: '2026-11-19T12:00:00',
};

/** Returns the values that must be set for a field to be shown. */
const shownWith = ({ displayOptions }: INodeProperties) =>
  Object.fromEntries(
    Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [
      name,
      (values as INodeParameters[string][])[0] as INodeParameters[string],
    ]),
  );

/**
 * Fields that only the service can judge: prices of a basket against the market. In any other field it may only say
 * 404, if there is no such thing.
 */
const JUDGED_THERE = ['basket targetPrice', 'basket stopLossPrice', 'basket momentumTriggerPrice'];

const rows = operationCases.flatMap(([resource, operation, item]) =>
  fieldsOf(resources[resource]?.operations[operation]?.properties ?? []).map((where) => ({
    resource,
    operation,
    one: item,
    where,
  })),
);

/**
 * A tenth of the fields. One that several operations have is tried with the first of them and with a third of the
 * others.
 */
const tried = share(
  firstAndShare(rows, 3, ({ where }) => where.title),
  10,
  0,
);

it.each(
  tried.map((row, at) => [`${row.resource}: ${row.operation}: ${row.where.title}`, row, share(VALUES, 6, at)] as const),
)('refuses hostile values of %s', async (_, { resource, operation, one: entry, where: { field, within } }, values) => {
  await world.prepare(resource, operation);
  const items = values.map((value) => ({ json: { value: value as string } }));
  const base = entry.parameters();
  const given =
    within === undefined ? hostile(field) : { [within]: { ...(base[within] as INodeParameters), ...hostile(field) } };
  const run = await engine.run(
    { resource, operation, ...FILLED, ...base, ...shownWith(field), ...given },
    { items, onError: 'continueRegularOutput' },
  );
  expect(run.error).toBeUndefined();
  for (const { json, pairedItem } of run.items) {
    if (json.error === undefined) continue;
    const { itemIndex, description, httpCode } = json.details as {
      itemIndex: number;
      description?: string;
      httpCode?: string;
    };
    const said = `${String(json.error)} ${description ?? ''}`;
    expect({ value: values[itemIndex], said, pairedItem, httpCode }).toEqual({
      value: values[itemIndex],
      said: expect.not.stringMatching(/undefined|\[object|Cannot|not a function|not iterable|NaN is|prototype/),
      pairedItem: { item: itemIndex },
      httpCode: JUDGED_THERE.includes(`${resource} ${field.name}`) || httpCode === '404' ? httpCode : undefined,
    });
    expect(said).not.toMatch(/[\u0000\ud800]|\r/);
    expect(said.length).toBeLessThan(1_000);
  }
});

/** Number of orders and baskets the service that has been sent. */
const received = async () => (await world.sandbox.journal()).filter(({ event }) => event === 'received').length;

it.each([
  ['an object', {}],
  ['another object', { id: 1 }],
  ['nothing', null],
  ['blank text', '  '],
  ['NaN', NaN],
  ['true', true],
])('refuses %s as an Idempotency Key, under which all orders would be one', async (_, value) => {
  const before = await received();
  const { error } = await engine.run(orderForm({ options: { idempotencyKey: '={{ $json.value }}' } }), {
    items: [{ json: { value: value as string } }],
  });
  expect(error?.context).toMatchObject({ parameter: 'idempotencyKey', itemIndex: 0 });
  expect(await received()).toBe(before);
});

it.each<[string, INodeParameters, string]>([
  [
    'a filter of orders, which would be all orders',
    { resource: 'order', operation: 'getMany', filters: { tag: '={{ $json.missing }}' } },
    'tag',
  ],
  ['a filter of baskets', { resource: 'basket', operation: 'getMany', filters: { tag: '={{ null }}' } }, 'tag'],
  ['the validity of an order', orderForm({ options: { validity: '={{ $json.missing }}' } }), 'validity'],
  [
    'a price that is to be changed beside the quantity',
    { resource: 'order', operation: 'modify', updateFields: { quantity: 2, price: '={{ $json.missing }}' } },
    'price',
  ],
  [
    'the stop loss of a basket',
    { resource: 'basket', operation: 'place', options: { stopLossPrice: '={{ $json.missing }}' } },
    'stopLossPrice',
  ],
  [
    'the exit time of a basket',
    { resource: 'basket', operation: 'place', options: { exitTime: '={{ null }}' } },
    'exitTime',
  ],
])('does not let %s fall away where it is empty', async (_, parameters, parameter) => {
  const { resource, operation } = parameters as { resource: string; operation: string };
  await world.prepare(resource, operation);
  const before = await received();
  const item = operationCases.find(([ofResource, name]) => ofResource === resource && name === operation)?.[2];
  const { error, items: given } = await engine.run({ ...item?.parameters(), ...parameters });
  expect(given).toEqual([]);
  expect(error?.message).toContain('is empty');
  expect(error?.context).toMatchObject({ parameter, itemIndex: 0 });
  expect(await received()).toBe(before);
});

it('leaves out a field whose expression gives blank text, the way to leave one out on purpose', async () => {
  const item = operationCases.find(([resource, operation]) => resource === 'basket' && operation === 'place')?.[2];
  const { items: given, error } = await engine.run({
    resource: 'basket',
    operation: 'place',
    ...item?.parameters(),
    options: { exitTime: "={{ '' }}", stopLossPrice: "={{ '' }}" },
    safety: { dryRun: true },
  });
  expect(error).toBeUndefined();
  expect(given[0]?.json.would_send).not.toMatchObject({
    body: { basket_params: { stoploss_price: expect.anything() } },
  });
});
