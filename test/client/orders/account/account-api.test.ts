/** The order interfaces of an account, and the day's orders of both: part of a day must never look like all of it. */
import { ServiceError } from '../../../../client/base/errors';
import {
  openAccountApi,
  KnownOrderApis,
  orderInterfaceOf,
  type AccountApi,
  type OrderInterfaceChoice,
} from '../../../../client/orders/account/account-api';
import { orderIdOf } from '../../../../client/orders/model/order-record';
import { createTransport } from '../../../../client/transport';
import { VirtualClock } from '../../../support/clock';
import { LIMIT_BUY } from '../support';

type Reply = { status?: number; body: unknown };

const INTENTS = '/sentinel/orders';
const V2 = '/orders';
const NOT_ENABLED: Reply = { status: 403, body: { error: 'Order interface is not enabled' } };
const NOT_FOUND: Reply = { status: 404, body: { error: 'not found' } };
const ADDRESS: Reply = { status: 403, body: { error: 'IP address not allowed' } };
const DOWN: Reply = { status: 500, body: { error: 'down' } };
const bucketsOf = (...ids: string[]): Reply => ({
  body: {
    orders: {
      open: ids.map((intentOrderId) => ({ intentOrderId, status: 'OPEN', orderQty: 1, stratTags: [], legs: [] })),
    },
  },
});
const listOf = (...ids: string[]): Reply => ({ body: ids.map((id) => ({ order_id: id, order_status: 'OPEN' })) });

let made = 0;

/** An account whose service answers each path so; what is not there is 404. */
function account(replies: Record<string, Reply>, choice: OrderInterfaceChoice = 'automatic') {
  const requested: string[] = [];
  const known = new KnownOrderApis();
  const transport = createTransport({
    http: async ({ url }) => {
      const { pathname } = new URL(url);
      requested.push(pathname);
      const { status = 200, body } = replies[pathname] ?? NOT_FOUND;
      return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) };
    },
    clock: new VirtualClock(),
    random: () => 0.5,
    baseUrl: `https://account-${made++}.broker.example`,
    deviceId: 'n8n',
  });
  const joined: AccountApi = openAccountApi(transport, { choice, known, scope: 'sandbox/me' });
  return { joined, known, asked: requested, replies };
}
const idsIn = async (joined: AccountApi) => (await joined.orders.list()).map(orderIdOf);

it('holds the orders of both interfaces, each once', async () => {
  const { joined } = account({ [INTENTS]: bucketsOf('1', '2'), [V2]: listOf('2', '3') });
  expect(await idsIn(joined)).toEqual(['1', '2', '3']);
});

it.each([
  ['the newer', INTENTS, V2, listOf('3'), ['3']],
  ['the older', V2, INTENTS, bucketsOf('1'), ['1']],
] as const)('the list without %s interface is that of the other', async (_, lacking, other, reply, ids) => {
  for (const no of [NOT_ENABLED, NOT_FOUND])
    expect(await idsIn(account({ [lacking]: no, [other]: reply }).joined)).toEqual(ids);
});

it.each([
  ['an address that is refused', ADDRESS],
  ['a service that is down', DOWN],
  ['a reply that is no list', { body: 'hello' }],
])('%s for one of the lists does not count as an empty list', async (_, reply) => {
  await expect(idsIn(account({ [INTENTS]: reply, [V2]: listOf('3') }).joined)).rejects.toThrow();
  await expect(idsIn(account({ [INTENTS]: bucketsOf('1'), [V2]: reply }).joined)).rejects.toThrow();
});

it('an account without either has no day without orders, but a refusal that says why', async () => {
  const refused = idsIn(account({ [INTENTS]: NOT_ENABLED, [V2]: NOT_ENABLED }).joined);
  await expect(refused).rejects.toBeInstanceOf(ServiceError);
  await expect(refused).rejects.toThrow(
    'The account may not use this order system: it does not have the older order interface (Orders v2) (status 403). It said: Order interface is not enabled',
  );
});

it.each(['intent', 'v2'] as const)(
  'an account without either whose interface is chosen has no empty day: %s',
  async (choice) => {
    await expect(idsIn(account({ [INTENTS]: NOT_ENABLED, [V2]: NOT_ENABLED }, choice).joined)).rejects.toThrow(
      'The account may not use this order system',
    );
  },
);

it.each([
  ['intent', { [INTENTS]: DOWN, '/orders/3': listOf('3') }],
  ['v2', { '/orders/3': DOWN, [INTENTS]: bucketsOf('3') }],
] as const)('an order is not looked for elsewhere where %s orders do not answer', async (choice, replies) => {
  await expect(account(replies, choice).joined.orders.get('3')).rejects.toMatchObject({ status: 500 });
});

describe('Automatic', () => {
  it('takes intent orders where both answer, and asks once', async () => {
    const { joined, asked: requested } = account({ [INTENTS]: bucketsOf(), [V2]: listOf() });
    expect([await joined.apiKind(), await joined.apiKind()]).toEqual(['intent', 'intent']);
    expect(requested).toEqual([INTENTS]);
  });

  it('takes the older interface only where the newer one clearly is not there', async () => {
    const { joined, asked: requested } = account({ [INTENTS]: NOT_ENABLED, [V2]: listOf() });
    expect([await joined.apiKind(), await joined.apiKind()]).toEqual(['v2', 'v2']);
    expect(requested).toEqual([INTENTS, V2]);
    for (const unclear of [ADDRESS, DOWN]) {
      const other = account({ [INTENTS]: unclear, [V2]: listOf() });
      await expect(other.joined.apiKind()).rejects.toBeInstanceOf(ServiceError);
      expect(other.known.get('sandbox/me')).toBeUndefined();
    }
  });

  it('asks again when an interface is taken from the account, and not for an order that is not there', async () => {
    const { joined, known, replies } = account({ [INTENTS]: NOT_ENABLED, [V2]: listOf('3') });
    expect(await joined.apiKind()).toBe('v2');
    await expect(joined.orders.get('9')).rejects.toBeInstanceOf(ServiceError);
    expect(known.get('sandbox/me')).toBe('v2');
    replies[V2] = NOT_ENABLED;
    replies[INTENTS] = bucketsOf('1');
    expect(await idsIn(joined)).toEqual(['1']);
    expect(await joined.apiKind()).toBe('intent');
  });

  it('goes over to intent orders as soon as they answer, and not back', () => {
    const known = new KnownOrderApis();
    known.answers('a', 'v2');
    known.answers('a', 'intent');
    known.answers('a', 'v2');
    expect([known.get('a'), known.get('b')]).toEqual(['intent', undefined]);
    known.lacks('a', 'v2');
    expect(known.get('a')).toBe('intent');
    known.lacks('a', 'intent');
    expect(known.get('a')).toBeUndefined();
  });
});

it('asks nothing where the interface is chosen', async () => {
  const { joined, asked: requested } = account({}, 'v2');
  expect(await joined.apiKind()).toBe('v2');
  expect(requested).toEqual([]);
});

it.each([undefined, null, ''])('an older credential, with %j as its choice, is Automatic', (orderInterface) => {
  expect(orderInterfaceOf({ orderInterface })).toBe('automatic');
});

it('a choice that does not exist is refused by its field', () => {
  expect(orderInterfaceOf({ orderInterface: 'intent' })).toBe('intent');
  expect(() => orderInterfaceOf({ orderInterface: 'v3' })).toThrow(/Order Interface/);
});

it('cancels each of several orders by the interface that has it', async () => {
  const { joined } = account({ [INTENTS]: bucketsOf('1'), [V2]: listOf('3') });
  const { requests } = await joined.orders.cancelSeveral(['1', '3']);
  expect(requests.map(({ orderIds, request: { endpoint, body } }) => [orderIds, endpoint.path, body])).toEqual([
    [['1'], '/sentinel/orders/cancel', { orders: [{ orderId: '1' }] }],
    [['3'], '/orders/cancel', { orders: [{ order_id: '3' }] }],
  ]);
});

describe('what belongs to both interfaces', () => {
  const both = () => account({ [INTENTS]: bucketsOf('1', '2'), [V2]: listOf('2', '3') });

  it('is ended by the one whose record it is', async () => {
    const { joined } = both();
    const all = await joined.orders.list();
    const requests = joined.orders.endAll(all);
    expect(requests.map(({ orderIds, request }) => [orderIds, request.endpoint.path])).toEqual([
      [['1', '2'], '/sentinel/orders/cancel'],
      [['3'], '/orders/cancel'],
    ]);
    expect(joined.orders.endAll([])).toEqual([]);
  });

  it('is modified, and read again, by the one whose record it is', async () => {
    const { joined, asked: requested } = both();
    const [newer, , older] = await joined.orders.list();
    const path = (order: typeof newer): string => joined.orders.modify(order!, { price: 5 }, 'NSE').endpoint.path;
    expect([path(newer), path(older)]).toEqual(['/sentinel/orders/modify', '/orders/v2/modify/{order_id}']);
    requested.length = 0;
    expect(await joined.orders.reread(newer!)).toMatchObject({ order_id: '1' });
    await joined.orders.reread(older!).catch(() => undefined);
    expect(requested.slice(0, 2)).toEqual([INTENTS, '/orders/3']);
  });

  it('is found in a reply of either', () => {
    const { joined } = both();
    const requested = [{ terms: LIMIT_BUY, tag: 'a' }];
    const newer = { orders: [{ intentOrderId: '1', stratTags: ['a'] }] };
    expect(joined.orders.matchReply(requested, newer).get('a')).toMatchObject({ order_id: '1', intent_status: '' });
    expect(joined.orders.matchReply(requested, { order_id: '3', tag: 'a' }).get('a')).toEqual({
      order_id: '3',
      tag: 'a',
    });
  });

  it('is cancelled by the newer one, unless only the older shows it', async () => {
    const path = async (orderId: string): Promise<string[]> =>
      (await both().joined.orders.cancel(orderId)).requests.map(({ request }) => request.endpoint.path);
    expect(await path('1')).toEqual(['/sentinel/orders/cancel']);
    expect(await path('3')).toEqual(['/orders/{order_id}']);
    expect(await path('9')).toEqual(['/sentinel/orders/cancel']);
    const { joined, asked } = both();
    await joined.orders.cancel('1');
    expect(asked).not.toContain(V2);
    const { requests } = await both().joined.orders.cancelSeveral(['3']);
    expect(requests.map(({ request }) => request.endpoint.path)).toEqual(['/orders/cancel']);
  });

  it('is asked for at the other one where the first does not have it, and is the error of the first where neither has', async () => {
    const v2Order = { body: { order_id: '3', order_status: 'OPEN' } };
    const automatic = account({ [INTENTS]: bucketsOf('1'), [V2]: listOf('3'), '/orders/3': v2Order });
    expect(await automatic.joined.orders.get('1')).toMatchObject({ order_id: '1', intent_status: 'OPEN' });
    await expect(automatic.joined.orders.get('9')).rejects.toThrow('The service has no order 9 today.');
    const older = account({ [INTENTS]: bucketsOf('1'), [V2]: listOf('3'), '/orders/3': v2Order }, 'v2');
    expect(await older.joined.orders.get('3')).toMatchObject({ order_id: '3' });
    expect(await older.joined.orders.get('1')).toMatchObject({ order_id: '1', intent_status: 'OPEN' });
    expect(older.asked.filter((path) => path === INTENTS)).toHaveLength(1);
  });

  it('goes by the newer one as soon as that has answered a list', async () => {
    const { joined, known, replies } = account({ [INTENTS]: NOT_ENABLED, [V2]: listOf('3') });
    expect(await joined.apiKind()).toBe('v2');
    replies[INTENTS] = bucketsOf('1');
    await joined.orders.list();
    expect(known.get('sandbox/me')).toBe('intent');
  });

  it('a basket counts as the older interface shows it, where only that shows the orders of its legs', async () => {
    const strategy = (intentOrderId: string) => ({
      intentOrderId,
      status: 'OPEN',
      isMulti: true,
      legs: [{ refId: 1 }, { refId: 2 }],
    });
    const older = (basket_id: string, orders: object[]) => ({ basket_id, basket_status: 'OPEN', orders });
    const { joined } = account({
      [INTENTS]: { body: { orders: { open: [strategy('1'), strategy('2'), strategy('4')] } } },
      '/orders/v2/basket': { body: [older('2', [{ order_id: '7' }]), older('3', []), older('4', [{ order_id: '0' }])] },
    });
    const listed = await joined.baskets.list();
    const shown = listed.map(({ basket_id, intent_status }) => [basket_id, intent_status !== undefined]);
    expect(shown.sort()).toEqual([
      ['1', true],
      ['2', false],
      ['3', false],
      ['4', true],
    ]);
    const path = async (basketId: string): Promise<string> =>
      (await joined.baskets.cancel(basketId, 'NSE')).endpoint.path;
    expect([await path('1'), await path('3'), await path('9')]).toEqual([
      '/sentinel/orders/cancel',
      '/orders/v2/basket/{basket_id}',
      '/sentinel/orders/cancel',
    ]);
  });
});
