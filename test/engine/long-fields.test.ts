/** Texts of a megabyte in fields: each item has its own sentence that names the field, and nothing is sent. */
import type { INodeParameters } from 'n8n-workflow';
import type { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { openOperationWorld, type OperationWorld } from '../support/operations';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let world: OperationWorld;
let engine: Engine;
beforeAll(async () => {
  world = await openOperationWorld();
  ({ engine } = world);
});
afterAll(async () => await world.sandbox.close());

const VALUE = '={{ $json.value }}';
const LENGTH = 1_000_000;
/** Texts in which expressions that are not linear look again and again. */
const TEXTS = ['0', ' ', 'A', '\\', 'otp='].map((part) => part.repeat(LENGTH / part.length));

const FIELDS: [string, string, INodeParameters][] = [
  ['instrument', 'Instrument', { instrument: { __rl: true, mode: 'symbol', value: VALUE } }],
  ['side', 'Side', { side: VALUE }],
  ['quantity', 'Quantity', { quantity: VALUE }],
  ['quantityUnit', 'Quantity In', { quantityUnit: VALUE }],
  ['product', 'Product', { product: VALUE }],
  ['orderType', 'Order Type', { orderType: VALUE }],
  ['priceType', 'Price Type', { priceType: VALUE }],
  ['price', 'Limit Price', { price: VALUE }],
  ['tag', 'Tag', { options: { tag: VALUE } }],
  ['idempotencyKey', 'Idempotency Key', { options: { idempotencyKey: VALUE } }],
  ['validity', 'Validity', { options: { validity: VALUE } }],
];

it.each(FIELDS)(
  'refuses a megabyte in the field %s of an order before anything reads it',
  async (parameter, label, more) => {
    const before = (await world.sandbox.journal()).length;
    const items = TEXTS.map((value) => ({ json: { value } }));
    const run = await engine.run(orderForm(more), { items, onError: 'continueRegularOutput' });
    expect(run.error).toBeUndefined();
    expect(run.items.map(({ json }) => json)).toEqual(
      TEXTS.map((_text, itemIndex) => ({
        error: expect.stringMatching(
          new RegExp(`^${label} is 1,000,000 characters long: at most 50,000 are read. It begins with ".{2,200}…"$`),
        ),
        details: expect.objectContaining({ itemIndex, parameter }),
      })),
    );
    const sent = (await world.sandbox.journal()).slice(before).filter(({ event }) => event === 'received');
    expect(sent).toEqual([]);
  },
);

it('refuses a megabyte in a field of any trigger, by the name of the field', async () => {
  await expect(
    engine.trigger({ watch: 'price', instrument: { __rl: true, mode: 'symbol', value: '9'.repeat(LENGTH) }, level: 1 }),
  ).rejects.toMatchObject({
    message: expect.stringContaining('is 1,000,000 characters long: at most 50,000 are read.'),
    context: { parameter: 'instrument' },
  });
});
