/** Order: Place, in n8n's engine against the sandbox over real HTTP. */
import type { INodeParameters } from 'n8n-workflow';
import { Engine, allTextOf } from '../support/engine';
import type { NodeRun } from '../support/engine-types';
import { bySymbol, byId, fromList, orderForm } from '../support/parameters';
import { FIRST_ACCOUNT, testSandbox, type JournalEntry, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;
/** An option of NIFTY near the money: tick 5 paise, and a lot. */
let option: { symbol: string; lot: number; key: string; refId: number };

beforeAll(async () => {
  sandbox = await testSandbox();
  engine = await Engine.start(sandbox.credential);
  const found = await engine.run({
    resource: 'instrument',
    operation: 'search',
    query: 'NIFTY',
    exchanges: ['NSE'],
    limit: 1,
    options: { kinds: ['OPT'] },
  });
  const { symbol, lot_size, instrument, ref_id } = found.items[0]?.json as {
    symbol: string;
    lot_size: number;
    instrument: string;
    ref_id: number;
  };
  option = { symbol, lot: lot_size, key: instrument, refId: ref_id };
});
afterAll(async () => await sandbox.close());
beforeEach(
  async () => await engine.setCredential({ ...sandbox.credential, ...sessionOf(await engine.storedCredential()) }),
);

/** The session goes on from test to test; everything else of the credential begins again. */
const sessionOf = ({ sessionToken, authToken, tempToken, loginState }: Record<string, unknown>) =>
  ({ sessionToken, authToken, tempToken, loginState }) as Record<string, string>;

const ordersPlaced = async () =>
  (await sandbox.journal()).filter(({ kind, event }) => kind === 'order' && event === 'received');
/** Checks a refusal: its sentence, its parameter, its item, and that nothing was sent. */
async function refused(
  run: () => Promise<NodeRun>,
): Promise<{ message: string; description: string; parameter: unknown; itemIndex: unknown }> {
  const before = (await ordersPlaced()).length;
  const { error, items } = await run();
  expect(items).toEqual([]);
  expect(error).toBeDefined();
  expect((await ordersPlaced()).length).toBe(before);
  return {
    message: error?.message ?? '',
    description: error?.description ?? '',
    parameter: error?.context?.parameter,
    itemIndex: error?.context?.itemIndex,
  };
}

it('places an order: price in rupees, order id as text, the environment, linked to its item', async () => {
  const { items, error } = await engine.run(orderForm({ price: '={{ $json.price }}', options: { tag: 'slice' } }), {
    items: [{ json: { price: 900 } }, { json: { price: '901.50' } }],
  });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(2);
  expect(items[1]).toMatchObject({
    json: {
      symbol: 'INFY',
      exchange: 'NSE',
      order_status: 'PENDING',
      order_price: 901.5,
      order_side: 'BUY',
      environment: 'sandbox',
      already_placed: false,
    },
    pairedItem: { item: 1 },
  });
  expect(items[1]?.json.order_id).toMatch(/^\d{19}$/);
  expect(items[1]?.json.tag).toMatch(/^slice-[a-z2-7]{12}$/);
  const truth = (await ordersPlaced()).find(({ order_id }) => order_id === items[1]?.json.order_id);
  expect(truth).toMatchObject({ price: 90150, quantity: 1, tag: items[1]?.json.tag });
});

it('accepts prices in paise where that is chosen', async () => {
  const { items } = await engine.run(orderForm({ price: 90150, options: { priceUnit: 'paise' } }));
  expect(items[0]?.json.order_price).toBe(90150);
});

it('takes the instrument from the picker, by ref_id, by contract, and lots', async () => {
  const picked = await engine.run(
    orderForm({ ...fromList(option.key), price: 1, quantity: 2, quantityUnit: 'lots', product: 'IDAY' }),
  );
  expect(picked.error).toBeUndefined();
  expect(picked.items[0]?.json).toMatchObject({
    symbol: option.symbol,
    order_qty: 2 * option.lot,
    ref_id: option.refId,
    order_delivery_type: 'IDAY',
  });
  const byRefId = await engine.run(orderForm({ ...byId(String(option.refId)), price: 1, quantity: option.lot }));
  expect(byRefId.items[0]?.json).toMatchObject({ symbol: option.symbol });
  expect((await engine.listSearch('searchInstruments', 'INFY')).results[0]).toEqual({
    name: expect.stringContaining('NSE'),
    value: expect.stringMatching(/^sandbox\/NSE\/\d+\/INFY$/),
  });
});

it('waits until the order is filled', async () => {
  const { items } = await engine.run(
    orderForm({ priceType: 'MARKET', options: { waitFor: 'filled', waitSeconds: 30 } }),
  );
  expect(items[0]?.json).toMatchObject({ order_status: 'FILLED', filled_qty: 1, wait_reached: true });
});

it('says that an order was rejected after the service had taken it, and which one it is', async () => {
  const form = orderForm({ ...bySymbol('WIPRO'), side: 'SELL', priceType: 'MARKET', options: { waitFor: 'accepted' } });
  const { error, items } = await engine.run(form);
  expect(items).toEqual([]);
  const { order_id, tag } = (await ordersPlaced()).at(-1) as JournalEntry;
  expect(error?.message).toMatch(/^The order was rejected/);
  for (const word of [order_id, tag]) expect(error?.description).toContain(word);
  expect(error?.description).not.toContain('Placed before');
  const going = await engine.run(form, { onError: 'continueRegularOutput' });
  expect(going.items[0]?.json.details).toMatchObject({
    outcome: 'rejected',
    order_id: (await ordersPlaced()).at(-1)?.order_id,
    tag: expect.any(String),
  });
  expect(going.items[0]?.json.details).not.toHaveProperty('placed');
});

it.each<[string, () => INodeParameters, string, string[]]>([
  [
    'off the tick',
    () => ({ ...fromList(option.key), price: 1500.07, quantity: option.lot }),
    'price',
    ['₹1,500.07', '₹1,500.05', '₹1,500.10', 'Limit Price'],
  ],
  ['more than two decimals', () => ({ price: 900.005 }), 'price', ['₹900.00', '₹900.01']],
  ['no price', () => ({ price: '' }), 'price', ['Limit Price']],
  ['a price of 0', () => ({ price: 0 }), 'price', ['above 0']],
  ['a negative price', () => ({ price: -5 }), 'price', ['negative']],
  [
    'off the lot',
    () => ({ ...fromList(option.key), price: 1, quantity: option.lot + 1 }),
    'quantity',
    ['lot size', 'nearest'],
  ],
  ['half a share', () => ({ quantity: 1.5 }), 'quantity', ['whole number']],
  ['an unknown symbol', () => bySymbol('INFYYY'), 'instrument', ['INFYYY', 'Did you mean']],
  ['an index', () => bySymbol('NIFTY'), 'instrument', ['index']],
  ['an instrument that an expression left empty', () => bySymbol('={{ null }}'), 'instrument', ['empty']],
  ['an instrument of another environment', () => fromList('uat/NSE/1/INFY'), 'instrument', ['UAT', 'Sandbox']],
  [
    'a trigger on the wrong side',
    () => ({ orderType: 'STOPLOSS', price: 900, triggerPrice: 901 }),
    'triggerPrice',
    ['901', '900'],
  ],
  [
    'an iceberg without a hidden part',
    () => ({ orderType: 'ICEBERG', quantity: 5, legSize: 5 }),
    'legSize',
    ['less than'],
  ],
  ['a side that is none', () => ({ side: 'HOLD' }), 'side', ['BUY', 'SELL']],
  ['a tag with other characters', () => ({ options: { tag: 'a b\r\nc' } }), 'tag', ['letters']],
])('refuses %s before anything is sent', async (_, parameters, parameter, words) => {
  const {
    message,
    description,
    parameter: named,
    itemIndex,
  } = await refused(() => engine.run(orderForm(parameters())));
  expect({ parameter: named, itemIndex }).toEqual({ parameter, itemIndex: 0 });
  for (const word of words) expect(`${message}\n${description}`).toContain(word);
  expect(description).toMatch(/Item: 0, Credential: \S/);
});

it('refuses orders on Live while its switch is off, but shows what would be sent', async () => {
  await engine.setCredential({
    ...(await engine.storedCredential()),
    environment: 'live',
    liveBaseUrl: sandbox.url,
    allowLiveOrders: false,
  });
  const { message, description, parameter } = await refused(() => engine.run(orderForm()));
  expect(message).toContain('Allow Live Orders');
  expect(parameter).toBe('allowLiveOrders');
  expect(description).toContain('Allow Live Orders of the credential');
  const before = (await ordersPlaced()).length;
  const dry = await engine.run(orderForm({ safety: { dryRun: true } }));
  expect(dry.items[0]?.json).toMatchObject({
    dry_run: true,
    environment: 'live',
    would_send: { method: 'POST', path: '/orders/v2/single', body: { order_price: 110000, order_qty: 1 } },
  });
  expect((await ordersPlaced()).length).toBe(before);
});

it('says that the address cannot be reached', async () => {
  await engine.setCredential({ ...sandbox.credential, sandboxBaseUrl: 'http://127.0.0.1:1' });
  const { message, description } = await refused(() => engine.run(orderForm()));
  expect(message).toBe('The sandbox does not run at http://127.0.0.1:1.');
  expect(description).toContain('brokerage-sandbox');
});

it.each([
  ['largest quantity', { maxQuantity: 5 }, { quantity: 6 }, { quantity: 5 }, 'maxQuantity'],
  ['largest order value', { maxOrderValue: 900 }, { price: 901 }, { price: 900 }, 'maxOrderValue'],
  ['allowed instruments', { allowedInstruments: 'TCS' }, {}, bySymbol('TCS'), 'allowedInstruments'],
  ['allowed products', { allowedProducts: ['IDAY'] }, {}, { product: 'IDAY' }, 'allowedProducts'],
  ['allowed exchanges', { allowedExchanges: ['NSE'] }, bySymbol('BSE:INFY'), {}, 'allowedExchanges'],
])('keeps the guard "%s" from both sides of its bound', async (_, safety, over, within, guard) => {
  const { parameter, message } = await refused(() => engine.run(orderForm({ ...over, safety })));
  expect(parameter).toBe(guard);
  expect(message).toContain('guard');
  expect((await engine.run(orderForm({ ...within, safety }))).error).toBeUndefined();
});

it('takes no limit from an expression, which incoming data or a model could loosen', async () => {
  const { message } = await refused(() =>
    engine.run(orderForm({ safety: { maxQuantity: "={{ $fromAI('limit') }}" } })),
  );
  expect(message).toContain('fixed values');
});

it('places each item once when n8n runs the node again on failure', async () => {
  const before = (await ordersPlaced()).length;
  await sandbox.control('POST', 'faults', { match: { path: '/orders/v2/single' }, action: 'drop_after', times: 1 });
  const { items, error } = await engine.run(orderForm(), {
    items: [{ json: {} }, { json: {} }, { json: {} }],
    retryOnFail: true,
  });
  expect(error).toBeUndefined();
  expect(items).toHaveLength(3);
  expect((await ordersPlaced()).length).toBe(before + 3);
});

it('returns the first order again for the same Idempotency Key', async () => {
  const before = (await ordersPlaced()).length;
  const form = orderForm({ options: { idempotencyKey: 'alert-1' } });
  const first = await engine.run(form);
  const second = await engine.run(form);
  // A fixed key may be meant: it is told where it kept an order from being placed.
  const hints = [first, second].map(({ run }) => run.data.resultData.runData.Brokerage?.at(-1)?.hints ?? []);
  expect(hints).toEqual([[], [expect.objectContaining({ message: expect.stringMatching(/^Nothing was placed/) })]]);
  expect(second.items[0]?.json).toMatchObject({ order_id: first.items[0]?.json.order_id, already_placed: true });
  expect((await ordersPlaced()).length).toBe(before + 1);
});

it('goes on with the other items where the node is set to, and names what was placed where it stops', async () => {
  const items = [{ json: { price: 900 } }, { json: { price: 900.03 } }, { json: { price: 902 } }];
  const going = await engine.run(orderForm({ price: '={{ $json.price }}' }), {
    items,
    onError: 'continueRegularOutput',
  });
  expect(going.items.map(({ json }) => json.order_price ?? json.error)).toEqual([
    900,
    expect.stringContaining('900.03'),
    902,
  ]);
  expect(going.items[1]).toMatchObject({
    json: { details: { parameter: 'price', itemIndex: 1 } },
    pairedItem: { item: 1 },
  });
  const split = await engine.run(orderForm({ price: '={{ $json.price }}' }), { items, onError: 'continueErrorOutput' });
  expect([split.items.length, split.errorItems.length]).toEqual([2, 1]);
  const stopped = await engine.run(orderForm({ price: '={{ $json.price }}' }), { items });
  expect(stopped.error?.description).toMatch(/Placed before this error, and still there: \d{19}/);
  expect(stopped.error?.context?.itemIndex).toBe(1);
});

it('says unknown, never failed, when no answer came and the list does not show the order', async () => {
  await sandbox.control('POST', 'faults', { match: { path: '/orders/v2/single' }, action: 'drop_before', times: 1 });
  const { items } = await engine.run(orderForm(), { onError: 'continueRegularOutput' });
  expect(items[0]?.json).toMatchObject({
    error: expect.stringContaining('not known whether'),
    details: { outcome: 'unknown', tag: expect.any(String) },
  });
});

it('renews an expired session without a failed run', async () => {
  await sandbox.control('POST', `accounts/${FIRST_ACCOUNT.phone}`, { expire_sessions: true });
  const before = await engine.storedCredential();
  const { error } = await engine.run(orderForm());
  expect(error).toBeUndefined();
  expect((await engine.storedCredential()).sessionToken).not.toBe(before.sessionToken);
});

it('keeps MPIN, TOTP secret and tokens out of logs, errors, execution records and the journal', async () => {
  const runs = [
    await engine.run(orderForm()),
    await engine.run(orderForm({ price: 900.03 })),
    await engine.run(orderForm(), { onError: 'continueRegularOutput' }),
  ];
  const { sessionToken, authToken } = await engine.storedCredential();
  const seen = [allTextOf(runs), engine.logger.lines.join('\n'), JSON.stringify(await sandbox.journal())].join('\n');
  expect(seen).toContain('INFY');
  for (const secret of [FIRST_ACCOUNT.totpSecret, String(sessionToken), String(authToken)]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(seen).not.toContain(secret);
  }
  expect(seen).not.toMatch(new RegExp(`(?<![\\d.])${FIRST_ACCOUNT.mpin}(?![\\d.])`));
});

it('does not take digits under By Symbol for a ref_id: codes of BSE are digits too', async () => {
  const digits = await refused(async () => await engine.run(orderForm({ ...bySymbol('500209'), price: 1 })));
  expect(digits).toMatchObject({
    message: 'Instrument "500209" is digits only, which is no trading symbol.',
    parameter: 'instrument',
  });
  expect(digits.description).toContain('By ID');
});
