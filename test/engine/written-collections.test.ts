/**
 * A collection that is no set of fields (one expression, a text, a list) is emptied by n8n before a node runs. Whatever
 * is written there, a limit, a dry run, an exit or a filter never falls away silently: the node refuses, and sends
 * nothing.
 */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { resources } from '../../nodes/Brokerage/actions/resources';
import { Brokerage } from '../../nodes/Brokerage/Brokerage.node';
import { BrokerageTrigger } from '../../nodes/BrokerageTrigger/BrokerageTrigger.node';
import { Engine } from '../support/engine';
import { bySymbol, orderForm } from '../support/parameters';
import { testSandbox, type TestSandbox } from '../support/sandbox';
import { share } from '../support/sample';
import { inFrontOf, type ScriptedServer } from '../support/scripted';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let server: ScriptedServer;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  server = await inFrontOf(sandbox.url, () => undefined);
  engine = await Engine.start({ ...sandbox.credential, sandboxBaseUrl: server.url });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
});

/** Values that no editor writes and a workflow made elsewhere may hold; the item has a dry run for the expressions. */
const SHAPES: unknown[] = [
  '={{ $json.limits }}',
  '={{ { dryRun: true } }}',
  '={{ $json.missing }}',
  '=',
  '',
  'dryRun',
  '{"dryRun":true}',
  0,
  1,
  true,
  false,
  [],
  ['dryRun'],
  [{ dryRun: true }],
  { noSuchField: true },
  { DryRun: true },
];
const item = { json: { limits: { dryRun: true } } };

/** Number of orders that were sent, whatever became of them. */
const placed = () =>
  server.seen.filter(({ method, url }) => method !== 'GET' && /^\/(orders|sentinel)/.test(url)).length;
/** The texts that n8n wants to be filled in before it runs a node. */
const required = { name: 'Straddle', underlying: 'NIFTY', query: 'INFY', orderId: '1', basketId: '1' };

const isCollection = ({ type }: INodeProperties) => type === 'collection';
const collections = Object.entries(resources).flatMap(([resource, { operations }]) =>
  Object.entries(operations).flatMap(([operation, { properties }]) =>
    properties.filter(isCollection).map(({ name }) => [`${resource}.${operation}.${name}`, resource, operation, name]),
  ),
) as [string, string, string, string][];

it('knows the collections that restrict what is sent', () => {
  expect(collections.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      'order.place.safety',
      'order.place.options',
      'order.place.exits',
      'order.place.entry',
      'order.placeMany.safety',
      'order.modify.safety',
      'order.modify.updateFields',
      'basket.place.safety',
      'basket.place.options',
      'order.getMany.filters',
    ]),
  );
});

const shaped = collections.map((collection, at) => [...collection, share(SHAPES, 8, at)] as const);

it.each(share(shaped, 3, 0))(
  '%s is refused in any other shape by its name, and nothing is sent',
  async (_, resource, operation, name, shapes) => {
    const before = server.seen.length;
    for (const shape of shapes) {
      const { error, items } = await engine.run(
        { ...orderForm(), ...required, resource, operation, [name]: shape } as INodeParameters,
        { items: [item] },
      );
      expect({ shape, items, refused: /must be set field by field|has no field/.test(error?.message ?? '') }).toEqual({
        shape,
        items: [],
        refused: true,
      });
      expect(error?.context?.parameter).toBe(name);
      expect(error?.description).toContain('Nothing was sent');
    }
    expect(server.seen).toHaveLength(before);
  },
);

/** Fields with entries, and an item with such entries for the expressions. */
const ENTRIES = [
  ['bhavcopy', 'getRows', 'columnFilters', 'Column Filters', { type: 'BhavcopyCM' }],
  ['candle', 'addIndicators', 'indicators', 'Indicators', {}],
  ['candle', 'addIndicators', 'crossings', 'Crossings', { indicators: { entries: [{ indicator: 'rsi' }] } }],
  ['basket', 'place', 'legs', 'Legs', {}],
] as const;
const listed = {
  json: { list: [{ column: 'TckrSymb', value: 'INFY' }], text: '[{"column":"TckrSymb","value":"INFY"}]' },
};
const NO_ENTRIES: unknown[] = [
  ...['={{ $json.list }}', '={{ { filter: $json.list } }}', '={{ $json.text }}', '={{ $json.missing }}', '='],
  ...['', 'TckrSymb=INFY', '{"filter":[]}', 0, true, false, [], [{ column: 'TckrSymb', value: 'INFY' }]],
  ...[{ noSuchList: [] }, { filter: '={{ $json.list }}', entries: '={{ $json.list }}' }],
  ...[{ filter: ['x'] }, { entries: [[]] }, { entries: [null] }],
];

it.each(ENTRIES)('%s: %s refuses %s in any shape but its entries, and sends nothing', async (...given) => {
  const [resource, operation, name, label, more] = given;
  const before = server.seen.length;
  for (const shape of NO_ENTRIES) {
    const { error, items } = await engine.run(
      {
        ...orderForm(),
        ...bySymbol('INFY'),
        ...required,
        ...more,
        resource,
        operation,
        [name]: shape,
      } as INodeParameters,
      { items: [listed] },
    );
    expect([shape, items, error?.message]).toEqual([
      shape,
      [],
      expect.stringMatching(new RegExp(`^${label} (must be set entry by entry|has no field)`)),
    ]);
  }
  expect(server.seen).toHaveLength(before);
});

it('entries whose fields are expressions count, and fields that they leave out have their defaults', async () => {
  const rows = { resource: 'bhavcopy', operation: 'getRows', type: 'BhavcopyCM', returnAll: true };
  const filter = [{ column: '={{ $json.list[0].column }}', value: '={{ $json.list[0].value }}' }];
  const { items } = await engine.run({ ...rows, columnFilters: { filter } }, { items: [listed] });
  expect(new Set(items.map(({ json }) => json.TckrSymb))).toEqual(new Set(['INFY']));
  const { items: bars } = await engine.run({
    ...{ resource: 'candle', operation: 'addIndicators', ...bySymbol('INFY'), interval: '15m' },
    indicators: { entries: [{}] },
  });
  expect(bars[0]?.json).toHaveProperty('rsi_14');
});

it.each([...SHAPES, "={{ $fromAI('limits', '', 'json') }}"].map((shape) => [JSON.stringify(shape), shape]))(
  'an agent gets no order through Safety Limits of %s',
  async (_, shape) => {
    const before = server.seen.length;
    const tool = engine.tool({ ...orderForm(), safety: shape } as INodeParameters);
    await expect(tool({ limits: {} })).rejects.toThrow(/must be set field by field|has no field/);
    expect(server.seen).toHaveLength(before);
  },
);

it('the item of a run that goes on after errors gets no order through either, in Place and in Place Many', async () => {
  const before = server.seen.length;
  for (const operation of ['place', 'placeMany']) {
    const { items } = await engine.run(
      { ...orderForm(), operation, safety: '={{ $json.limits }}' },
      { items: [item, item], onError: 'continueRegularOutput' },
    );
    expect(items.map(({ json }) => json.error)).toEqual([
      expect.stringContaining('Safety Limits must be set field by field'),
      expect.stringContaining('Safety Limits must be set field by field'),
    ]);
  }
  expect(server.seen).toHaveLength(before);
});

it.each([
  ['dryRun', '={{ $json.limits.dryRun }}'],
  ['dryRun', '=true'],
  ['dryRun', '=false'],
  ['dryRun', '{{ false }}'],
  ['dryRun', null],
  ['dryRun', ''],
  ['dryRun', 0],
  ['dryRun', 1],
  ['dryRun', 'yes'],
  ['dryRun', []],
  ['dryRun', {}],
  ['marketHoursOnly', null],
  ['marketHoursOnly', 'no'],
  ['maxQuantity', '={{ 5 }}'],
  ['maxQuantity', '=5'],
  ['maxQuantity', null],
  ['maxQuantity', 'five'],
  ['maxQuantity', []],
  ['maxQuantity', {}],
  ['maxQuantity', false],
  ['maxQuantity', -1],
  ['maxOrderValue', null],
  ['maxOrderValue', [5]],
  ['maxDayValue', '={{ $json.max }}'],
  ['maxPriceDistance', null],
  ['maxPriceDistance', '3%'],
  ['allowedExchanges', '={{ $json.exchanges }}'],
  ['allowedExchanges', ['={{ $json.exchange }}']],
  ['allowedExchanges', null],
  ['allowedExchanges', ['']],
  ['allowedExchanges', [[]]],
  ['allowedExchanges', [null]],
  ['allowedExchanges', {}],
  ['allowedProducts', false],
  ['allowedInstruments', ' , '],
  ['allowedInstruments', 0],
  ['allowedInstruments', { symbol: 'INFY' }],
])('Safety Limits with %s: %j is refused', async (name, value) => {
  const before = placed();
  const { error } = await engine.run(orderForm({ safety: { [name]: value } } as INodeParameters));
  expect(error?.context?.parameter).toMatch(new RegExp(`^(safety|${name})$`));
  expect(placed()).toBe(before);
});

it('fields of another operation, which the editor keeps, are passed over and not evaluated', async () => {
  const { error, items } = await engine.run({
    resource: 'order',
    operation: 'getMany',
    returnAll: false,
    limit: 5,
    simplify: true,
    filters: {},
    options: { priceUnit: 'paise', idempotencyKey: "={{ $('No Such Node').item.json.id }}" },
  });
  expect(error).toBeUndefined();
  expect(items).toEqual([]);
});

it.each([null, {}, { dryRun: false }])('Safety Limits that hold no limit (%j) let an order pass', async (safety) => {
  const { error, items } = await engine.run(orderForm({ safety } as INodeParameters));
  expect(error).toBeUndefined();
  expect(items[0]?.json.order_id).toEqual(expect.any(String));
});

it('limits and the key that the editor writes count', async () => {
  const { items } = await engine.run(
    orderForm({ safety: { dryRun: true, maxQuantity: 5 }, options: { idempotencyKey: '={{ $json.id }}' } }),
    { items: [{ json: { id: 'alert-1' } }] },
  );
  expect(items[0]?.json).toMatchObject({ dry_run: true });
});

describe('the trigger', () => {
  it.each([
    ['orders', 'filters'],
    ['orders', 'options'],
    ['portfolio', 'filters'],
    ['portfolio', 'options'],
    ['price', 'options'],
  ])('does not begin on %s with %s of another shape', async (watch, name) => {
    const before = server.seen.length;
    for (const shape of SHAPES) {
      const parameters = { watch, events: ['fill'], [name]: shape } as INodeParameters;
      await expect(engine.trigger(parameters)).rejects.toThrow(/must be set field by field|has no field/);
    }
    expect(server.seen).toHaveLength(before);
  });

  it('does not begin with a filter that holds nothing', async () => {
    await expect(engine.trigger({ watch: 'orders', events: ['fill'], filters: { instruments: null } })).rejects.toThrow(
      'empty',
    );
  });
});

/** A property once for each operation that shows it. */
const forEachOperation = ({ displayOptions: { show, ...others } = {}, ...property }: INodeProperties) => {
  const { resource: names = [], operation: inner = [], ...choices } = show ?? {};
  const shownBy = names.flatMap((name) =>
    inner
      .filter((operation) => String(operation) in (resources[String(name)]?.operations ?? {}))
      .map((to) => [name, to]),
  );
  return (shownBy.length === 0 ? [[]] : shownBy).map((operation) => ({
    ...property,
    shown: { ...others, ...choices, operation },
  }));
};

it.each([new Brokerage(), new BrokerageTrigger()])(
  'has a hidden field after each collection, shown where the collection is',
  ({ description }) => {
    const properties = description.properties.flatMap(forEachOperation);
    for (const [at, collection] of properties.entries()) {
      if (!isCollection(collection)) continue;
      const { name, shown } = collection;
      const hidden = properties
        .slice(at + 1)
        .filter((property) => property.name === name && property.type === 'hidden');
      expect(hidden.map((property) => property.shown)).toContainEqual(shown);
    }
  },
);
