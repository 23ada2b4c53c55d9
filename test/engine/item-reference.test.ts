/** Fields of an item that an expression names: read from the item, they are what n8n's own evaluation gives. */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { referencedValue } from '../../nodes/Brokerage/common/itemReference';
import { Engine } from '../support/engine';

/** Returns the value of each item as n8n evaluates the parameter (or its error), and as our reader reads it. */
const COMPARER: INodeType = {
  description: {
    displayName: 'Comparer',
    name: 'comparer',
    group: ['transform'],
    version: 1,
    description: '',
    defaults: { name: 'Comparer' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
  },
  async execute() {
    const { value: written } = this.getNode().parameters;
    return [
      this.getInputData().map(({ json }, item): INodeExecutionData => {
        const read = referencedValue(written, json);
        try {
          return { json: { evaluated: this.getNodeParameter('value', item) as string, read } };
        } catch (error) {
          return { json: { error: String(error), read } };
        }
      }),
    ];
  },
};

let engine: Engine;
beforeAll(async () => (engine = await Engine.start({}, { 'test.comparer': COMPARER })));

async function compare(written: string, items: readonly IDataObject[]) {
  const node = {
    id: 'comparer',
    name: 'Comparer',
    type: 'test.comparer',
    typeVersion: 1,
    position: [0, 0] as [number, number],
    parameters: { value: written },
  };
  const { data } = await engine.runWorkflow(
    { nodes: [node], connections: {} },
    { Comparer: items.map((json) => ({ json })) },
  );
  expect(data.resultData.error).toBeUndefined();
  return data.resultData.runData.Comparer?.[0]?.data?.main?.[0]?.map(({ json }) => json) ?? [];
}

const NAMES = ['side', 'Symbol', 'a1', 'order_id', 'length', 'isProxy', 'toString', 'constructor', 'json', 'isEmpty'];
const names = fc.constantFrom(...NAMES);
const values = fc.oneof(
  fc.constantFrom('BUY', '', ' ', '={{ 1 + 1 }}', '{{ $json.side }}', 'null', '\u0000', '1.50'),
  fc.string({ unit: 'grapheme' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const dictionaryOf = (held: fc.Arbitrary<unknown>) => fc.dictionary(names, held, { minKeys: 4 });
const records = dictionaryOf(fc.oneof(values, dictionaryOf(values), fc.array(values))) as fc.Arbitrary<IDataObject>;
const paths = fc.array(names, { minLength: 1, maxLength: 2 });
const blanks = fc.constantFrom('', ' ', '\n');

/** A data set that holds a value at the path, so that each run reads at least one field. */
const filled = (path: readonly string[], value: IDataObject[string]): IDataObject =>
  path.reduceRight<IDataObject[string]>((held, name) => ({ [name]: held }), value) as IDataObject;

it('reads from the item what n8n evaluates, for any data, path and blanks', async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(
      paths,
      blanks,
      blanks,
      fc.array(records, { minLength: 3, maxLength: 8 }),
      async (path, left, right, items) => {
        const results = await compare(`={{${left}$json.${path.join('.')}${right}}}`, [filled(path, 'BUY'), ...items]);
        expect(results).toHaveLength(items.length + 1);
        expect(results[0]!.read).toBe(path.some((name) => name in Object.prototype) ? undefined : 'BUY');
        for (const item of results) {
          if (item.read === undefined) continue;
          expect(item.evaluated).toBe(item.read);
          read++;
        }
      },
    ),
    { numRuns: 60, examples: [[['side'], '', ' ', []]] },
  );
  expect(read).toBeGreaterThan(0);
});

it.each([
  ['another expression', '={{ $json.side.toLowerCase() }}', { side: 'BUY' }],
  ['text around it', '={{ $json.side }} ', { side: 'BUY' }],
  ['a text that is no expression', '{{ $json.side }}', { side: 'BUY' }],
  ['a name in brackets', '={{ $json["side"] }}', { side: 'BUY' }],
  ['a missing field', '={{ $json.side }}', {}],
  ['null', '={{ $json.side }}', { side: null }],
  ['an object', '={{ $json.side }}', { side: { of: 'BUY' } }],
  ['a name that every object has', '={{ $json.constructor }}', { constructor: 'BUY' }],
  ['the length of a text', '={{ $json.side.length }}', { side: 'BUY' }],
])('leaves %s to n8n', (_, written, json) => {
  expect(referencedValue(written, json as IDataObject)).toBeUndefined();
});

it('reads a field of a field', () => {
  expect(referencedValue('={{ $json.order.side }}', { order: { side: 'BUY' } })).toBe('BUY');
});
