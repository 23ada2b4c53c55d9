/** An order is placed once, whatever n8n does: in n8n's engine against the sandbox over real HTTP, with its faults. */
import { LIST_DELAY_MS } from '../../client/orders/account/placement-registry';
import { clock } from '../../nodes/host/clock';
import { placements } from '../../nodes/shared/placements';
import { Engine } from '../support/engine';
import { orderForm } from '../support/parameters';
import { IS_WHOLE, share } from '../support/sample';
import { testSandbox, type TestSandbox } from '../support/sandbox';

jest.mock('../../nodes/host/clock', () => jest.requireActual('../support/virtual-clock'));

let sandbox: TestSandbox;
let engine: Engine;

beforeAll(async () => {
  sandbox = await testSandbox({ rateLimit: 'off' });
  engine = await Engine.start(sandbox.credential);
  await engine.run({ resource: 'session', operation: 'getUser', simplify: true });
});
afterAll(async () => await sandbox.close());
afterEach(async () => await sandbox.control('DELETE', 'faults'));

const fault = async (action: string, more: object = {}): Promise<void> =>
  void (await sandbox.control('POST', 'faults', {
    match: { method: 'POST', path: '/orders/v2/single' },
    action,
    times: 1,
    ...more,
  }));
/** The look before sending passes; those after it fail. */
const listFailsAfterOneRead = async (): Promise<void> => {
  await clock.sleep(LIST_DELAY_MS);
  const list = { match: { method: 'GET', path: '/orders' } };
  const { id } = await sandbox.control<{ id: number }>('POST', 'faults', { ...list, action: 'delay', times: 1 });
  await sandbox.control('POST', 'faults', { ...list, action: 'status', args: { status: 503 }, after: id });
};
const items = (count: number) => Array.from({ length: count }, (_, item) => ({ json: { item } }));

it('Retry On Fail on ten items places ten orders and returns ten items when a reply is lost on the way', async () => {
  const before = await sandbox.ordersReceived();
  await fault('drop_after', { probability: 1 });
  const { items: output, error } = await engine.run(orderForm(), { items: items(10), retryOnFail: true });
  expect(error).toBeUndefined();
  expect(output).toHaveLength(10);
  expect(new Set(output.map(({ json }) => json.order_id)).size).toBe(10);
  expect(await sandbox.ordersReceived()).toBe(before + 10);
});

it('Retry On Fail finds what was placed before an item that the service refused, and does not send it again', async () => {
  const before = await sandbox.ordersReceived();
  const form = orderForm({ quantity: '={{ $json.item === 6 ? 200000000 : 1 }}' });
  const { error } = await engine.run(form, { items: items(10), retryOnFail: true });
  expect(error?.message).toMatch(/quantity/i);
  expect(await sandbox.ordersReceived()).toBe(before + 6);
});

it('an order of unknown outcome that the error output leads back to its step is found, and not placed again', async () => {
  const before = await sandbox.ordersReceived();
  await clock.sleep(LIST_DELAY_MS);
  await fault('drop_after');
  const list = { match: { method: 'GET', path: '/orders' } };
  const { id } = await sandbox.control<{ id: number }>('POST', 'faults', { ...list, action: 'delay', times: 1 });
  await sandbox.control('POST', 'faults', { ...list, action: 'status', args: { status: 503 }, after: id, times: 60 });
  const node = engine.node('brokerage', orderForm(), { onError: 'continueErrorOutput' });
  const back = { node: node.name, type: 'main' as const, index: 0 };
  const { data } = await engine.runWorkflow(
    { nodes: [node], connections: { [node.name]: { main: [[], [back]] } } },
    { [node.name]: items(1) },
    { mode: 'trigger' },
  );
  const runs = data.resultData.runData[node.name]!;
  expect(runs.length).toBeGreaterThan(1);
  expect(runs.at(-1)!.data!.main![0]![0]!.json).toMatchObject({ already_placed: true });
  expect(await sandbox.ordersReceived()).toBe(before + 1);
});

it('a retry in the list of executions returns again what the first try placed', async () => {
  const before = await sandbox.ordersReceived();
  const form = orderForm({ quantity: '={{ $json.item === 2 ? 200000000 : 1 }}' });
  const first = await engine.run(form, { items: items(5), mode: 'trigger' });
  expect(first.error).toBeDefined();
  expect(await sandbox.ordersReceived()).toBe(before + 2);
  const mended = await engine.run(orderForm(), { items: items(5), retryOf: first.run });
  expect(mended.error).toBeUndefined();
  expect(mended.items.map(({ json }) => json.already_placed)).toEqual([true, true, false, false, false]);
  expect(await sandbox.ordersReceived()).toBe(before + 5);
});

it('a retry in an older n8n that has no room for its record sends nothing, unless there is a key', async () => {
  const before = await sandbox.ordersReceived();
  const isOlderN8n = true;
  const first = await engine.run(orderForm({ price: 900.03 }), { mode: 'trigger', isOlderN8n });
  first.run.data.resultData.metadata = Object.fromEntries(
    Array.from({ length: 10 }, (_, entry) => [`own_${entry}`, 'x']),
  );
  const refused = await engine.run(orderForm(), { retryOf: first.run, isOlderN8n });
  expect(refused.error?.message).toMatch(/kept no record/);
  expect(await sandbox.ordersReceived()).toBe(before);
  const form = orderForm({ options: { idempotencyKey: 'with-a-key' } });
  expect((await engine.run(form, { retryOf: first.run, isOlderN8n })).error).toBeUndefined();
  expect(await sandbox.ordersReceived()).toBe(before + 1);
});

it('a retry in an older n8n finds what the first try placed by the record that it keeps', async () => {
  const before = await sandbox.ordersReceived();
  const isOlderN8n = true;
  const form = orderForm({ quantity: '={{ $json.item === 2 ? 200000000 : 1 }}' });
  const first = await engine.run(form, { items: items(3), mode: 'trigger', isOlderN8n });
  const again = await engine.run(orderForm(), { items: items(3), retryOf: first.run, isOlderN8n });
  expect(again.items.map(({ json }) => json.already_placed)).toEqual([true, true, false]);
  expect(await sandbox.ordersReceived()).toBe(before + 3);
});

it.each(share(['alert-undefined', 'undefined', 'null', 'NaN', '7/null', '7:NaN:x'], 3, 0))(
  'a key that is made of missing data is refused: %s',
  async (key) => {
    const before = await sandbox.ordersReceived();
    const { error } = await engine.run(orderForm({ options: { idempotencyKey: key } }));
    expect(error?.message).toMatch(/is made of data that is missing/);
    expect(await sandbox.ordersReceived()).toBe(before);
  },
);

it('a key that its expression does not find is refused, and the hint does not offer an empty one', async () => {
  const before = await sandbox.ordersReceived();
  const { error } = await engine.run(orderForm({ options: { idempotencyKey: '={{ $json.missing }}' } }), {
    items: items(1),
  });
  expect(error?.message).toBe('Idempotency Key is empty. Nothing was sent.');
  expect(error?.description).toContain('To place without a key, remove the option.');
  expect(error?.description).not.toContain("''");
  expect(await sandbox.ordersReceived()).toBe(before);
});

it.each(share(['nullify-7', 'undefined7', 'Nancy', 'NULLS'], 4, 0))(
  'a key is accepted in which such a word is a part of another: %s',
  async (key) => {
    expect((await engine.run(orderForm({ options: { idempotencyKey: key } }))).error).toBeUndefined();
  },
);

const WITH_EMPTY_PARTS = [
  '=alert-{{ $json.missing }}',
  '={{ $json.item }}-{{ $json.missing }}',
  "={{ '' }}x",
  '=a {{ $json.missing?.id }} b',
];
it.each(share(WITH_EMPTY_PARTS, 2, 0))(
  'a key of several parts of which one is empty is refused: %s',
  async (idempotencyKey) => {
    const before = await sandbox.ordersReceived();
    const { error } = await engine.run(orderForm({ options: { idempotencyKey } }), { items: items(1) });
    expect(error?.message).toMatch(/^The part .* of the Idempotency Key is empty for this item\. Nothing was sent\./);
    expect(await sandbox.ordersReceived()).toBe(before);
  },
);

it('keys that look equal are equal, and each part counts', async () => {
  const place = async (idempotencyKey: string) => {
    const { items: output, error } = await engine.run(orderForm({ options: { idempotencyKey } }), { items: items(1) });
    expect(error).toBeUndefined();
    return output[0]?.json.order_id;
  };
  const first = await place('=caf\u00e9 {{ $json.item }}');
  for (const same of ['cafe\u0301 0', '  caf\u00e9  0 ', 'caf\u00e9\u200b 0', '=caf\u00e9\u00a0{{ $json.item }}'])
    expect(await place(same)).toBe(first);
  expect(await place('=caf\u00e9 1')).not.toBe(first);
});

it('a key that is the same for all of several items is refused before anything is sent', async () => {
  const before = await sandbox.ordersReceived();
  const { error } = await engine.run(orderForm({ options: { idempotencyKey: 'one for all' } }), { items: items(3) });
  expect(error?.message).toBe('All 3 items have the same Idempotency Key. Nothing was sent.');
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('Place Many names the tag of every order, and what was placed before, when its reply is lost and the list is down', async () => {
  const before = await sandbox.ordersReceived();
  const key = (of: string) => ({ idempotencyKey: `={{ "many ${of} " + $json.item }}` });
  const first = await engine.run(orderForm({ options: key('a') }), { items: items(1) });
  await sandbox.control('POST', 'faults', {
    match: { method: 'POST', path: '/orders/v2/multi' },
    action: 'drop_after',
    times: 1,
  });
  await listFailsAfterOneRead();
  const form = orderForm({ operation: 'placeMany', options: key('a') });
  const { error } = await engine.run(form, { items: items(9) });
  expect(await sandbox.ordersReceived()).toBe(before + 9);
  expect(error?.message).toMatch(/^It is not known whether the order was placed/);
  const text = `${error?.message} ${error?.description}`;
  expect(text).toContain(`Placed before this error, and still there: ${String(first.items[0]?.json.order_id)}`);
  const named = [...new Set(text.match(/\b[a-z2-7]{16}\b/g))];
  const placed = (await sandbox.control<{ event: string; tag: string }[]>('GET', 'journal?type=order'))
    .filter(({ event }) => event === 'received')
    .map(({ tag }) => tag);
  expect(named.sort()).toEqual(placed.slice(-8).sort());
});

it('a retry while the list cannot be read does not call "not placed" what the first try left unknown', async () => {
  const before = await sandbox.ordersReceived();
  await fault('drop_before');
  await listFailsAfterOneRead();
  const first = await engine.run(orderForm(), { mode: 'trigger' });
  expect(first.error?.message).toMatch(/^It is not known whether the order was placed/);
  // n8n was restarted since: nobody remembers.
  placements['placementsByKey'].clear();
  const { items: output } = await engine.run(orderForm(), { retryOf: first.run, onError: 'continueRegularOutput' });
  expect(output[0]?.json).toMatchObject({
    error: expect.stringMatching(/^Nothing was sent now, and it is not known whether an earlier try placed the order/),
    details: { outcome: 'unknown', tag: expect.stringMatching(/^[a-z2-7]{12}$/) },
  });
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('a retry of an execution that failed before the order, while others of its workflow placed theirs, places it', async () => {
  const before = await sandbox.ordersReceived();
  const failed = await engine.run({ resource: 'order', operation: 'get', orderId: '1' }, { mode: 'trigger' });
  await engine.run(orderForm(), { mode: 'trigger' });
  await engine.run(orderForm(), { mode: 'trigger' });
  await clock.sleep(LIST_DELAY_MS);
  const { error } = await engine.run(orderForm(), { retryOf: failed.run });
  expect(error).toBeUndefined();
  expect(await sandbox.ordersReceived()).toBe(before + 3);
});

it('a retry of an execution that failed before it came to the order places it', async () => {
  const before = await sandbox.ordersReceived();
  const failed = await engine.run({ resource: 'order', operation: 'get', orderId: '1' }, { mode: 'trigger' });
  expect(failed.error).toBeDefined();
  expect((await engine.run(orderForm(), { retryOf: failed.run })).items[0]?.json).toMatchObject({
    already_placed: false,
  });
  expect(await sandbox.ordersReceived()).toBe(before + 1);
});

it('Session: Check shows a changed tag to whoever runs it by hand, and orders with a key go on', async () => {
  const { items: output } = await engine.run(orderForm({ options: { idempotencyKey: 'before the change' } }));
  expect(output[0]?.json).toMatchObject({ already_placed: false });
  const changed = { sent: 'a-j7mib5b4yve6', shown: 'a_j7mib5b4yve6', id: '4711' };
  for (const scope of new Set([...placements['placementsByKey'].keys()].map((key) => key.split('\n')[0]!)))
    placements.noteChangedTag(scope, changed);
  const keyed = orderForm({ options: { idempotencyKey: 'after the change' } });
  expect((await engine.run(keyed)).error?.message).toMatch(/^The service changed a tag: 4711 was sent with the tag/);
  const check = { resource: 'session', operation: 'check' };
  expect((await engine.run(check, { mode: 'trigger' })).items[0]?.json).not.toHaveProperty('changed_tags');
  expect((await engine.run(check)).items[0]?.json.changed_tags).toContainEqual(changed);
  expect((await engine.run(check)).items[0]?.json).not.toHaveProperty('changed_tags');
  expect((await engine.run(keyed)).error).toBeUndefined();
});

/** Alerts that come at once. */
const ALERTS = IS_WHOLE ? 100 : 10;

it('many alerts place one order each, delivered twice at once and again later', async () => {
  const before = await sandbox.ordersReceived();
  const place = async (alert: number): Promise<string> => {
    const { items: output, error } = await engine.run(
      orderForm({ options: { idempotencyKey: `={{ "alert-" + $json.alert }}` } }),
      { items: [{ json: { alert } }], mode: 'webhook' },
    );
    expect(error).toBeUndefined();
    return String(output[0]?.json.order_id);
  };
  const alerts = Array.from({ length: ALERTS }, (_, alert) => alert);
  const twice = await Promise.all(alerts.flatMap((alert) => [place(alert), place(alert)]));
  const again = await Promise.all(alerts.map(place));
  expect(await sandbox.ordersReceived()).toBe(before + ALERTS);
  expect(again).toEqual(alerts.map((alert) => twice[2 * alert]));
  expect(new Set(twice).size).toBe(ALERTS);
});

it.each(share(['drop_after', 'truncate', 'malformed'], 3, 0))(
  'a reply that is lost by %s leads to the order itself',
  async (action) => {
    const before = await sandbox.ordersReceived();
    await fault(action);
    const { items: output, error } = await engine.run(orderForm());
    expect(error).toBeUndefined();
    expect(output[0]?.json.order_id).toMatch(/^\d{19}$/);
    expect(await sandbox.ordersReceived()).toBe(before + 1);
  },
);

it('a request that never arrived is unknown, and is not sent again by the retry', async () => {
  const before = await sandbox.ordersReceived();
  await fault('drop_before');
  const { error } = await engine.run(orderForm(), { retryOnFail: true });
  expect(error?.message).toMatch(/not known whether the order was placed/);
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('a Tag whose expression gives another text at the second try does not place the order again', async () => {
  const before = await sandbox.ordersReceived();
  const form = orderForm({
    options: { tag: '={{ "t" + Math.floor(Math.random() * 1e9) }}' },
    quantity: '={{ $json.item === 3 ? 200000000 : 1 }}',
  });
  const { error } = await engine.run(form, { items: items(5), retryOnFail: true });
  expect(error?.message).toMatch(/quantity/i);
  expect(await sandbox.ordersReceived()).toBe(before + 3);
  const keyed = orderForm({
    options: { tag: '={{ "t" + Math.floor(Math.random() * 1e9) }}', idempotencyKey: 'one alert' },
  });
  const [first, second] = [await engine.run(keyed), await engine.run(keyed)];
  expect(second.items[0]?.json).toMatchObject({
    already_placed: true,
    order_id: first.items[0]?.json.order_id,
    tag: first.items[0]?.json.tag,
  });
  expect(await sandbox.ordersReceived()).toBe(before + 4);
});

it('two items of Place Many with one key are refused, whatever their tags', async () => {
  const before = await sandbox.ordersReceived();
  const form = orderForm({ operation: 'placeMany', options: { idempotencyKey: 'k', tag: '={{ "t" + $json.item }}' } });
  expect((await engine.run(form, { items: items(2) })).error?.message).toMatch(/same Idempotency Key/);
  expect(await sandbox.ordersReceived()).toBe(before);
});

it.each([
  ['a number whose last digits are lost', '={{ 1763712345678901234 }}', /too long to be exact/],
  ['an object within text', '={{ "alert-" + $json.body }}', /must be text or a number/],
])('refuses a key that is %s: two alerts could have it', async (_, idempotencyKey, text) => {
  const before = await sandbox.ordersReceived();
  const { error } = await engine.run(orderForm({ options: { idempotencyKey } }), {
    items: [{ json: { body: { id: 1 } } }],
  });
  expect(error?.message).toMatch(text);
  expect(error?.context?.parameter).toBe('idempotencyKey');
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('refuses a quantity whose unit an expression leaves unset', async () => {
  const before = await sandbox.ordersReceived();
  const { error } = await engine.run(orderForm({ quantityUnit: '={{ $json.unit }}' }), {
    items: [{ json: { unit: null } }],
  });
  expect(error?.message).toMatch(/Quantity In must be one of lots, units/);
  expect(await sandbox.ordersReceived()).toBe(before);
});

it('waits where only the time to wait was set', async () => {
  const { items: output } = await engine.run(orderForm({ options: { waitSeconds: 20 } }));
  expect(output[0]?.json).toMatchObject({ order_status: 'OPEN', wait_reached: true });
  const { items: atOnce } = await engine.run(orderForm({ options: { waitSeconds: 0 } }));
  expect(atOnce[0]?.json).not.toHaveProperty('wait_reached');
});

/** The last one: the legs of a basket come to the exchange after its answer. */
it('one key places an order and a basket: neither is taken for the other', async () => {
  const found = await engine.run({
    resource: 'instrument',
    operation: 'search',
    query: 'NIFTY',
    exchanges: ['NSE'],
    limit: 2,
    options: { kinds: ['OPT'] },
  });
  const legs = {
    leg: found.items.map(({ json }) => ({
      instrument: { __rl: true, mode: 'symbol', value: String(json.instrument) },
      quantity: 1,
      quantityUnit: 'lots',
      side: 'BUY',
    })),
  };
  const options = { idempotencyKey: 'order and basket' };
  const order = await engine.run(orderForm({ options }));
  const basket = await engine.run({
    resource: 'basket',
    operation: 'place',
    name: 'b',
    legs,
    side: 'BUY',
    product: 'IDAY',
    priceType: 'MARKET',
    simplify: true,
    options,
    safety: {},
  });
  expect(order.items[0]?.json).toMatchObject({ already_placed: false });
  expect(basket.error).toBeUndefined();
  expect(basket.items[0]?.json).toMatchObject({ already_placed: false, basket_id: expect.stringMatching(/^\d{19}$/) });
});
