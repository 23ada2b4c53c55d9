/** Identity of two tries: the terms that make them one request, and for how long. */
import type { BasketLeg } from '../../../client/orders/model/basket-terms';
import { dayValueOf } from '../../../client/orders/guards/day-value';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { placeBasket, placeOrder, placeOrders } from '../../../client/orders/placing/place';
import type { OrderRequest } from '../../../client/orders/account/placement-context';
import { PlacementRegistry } from '../../../client/orders/account/placement-registry';
import { tagFrom, type TagSource } from '../../../client/orders/model/tags';
import { createTransport } from '../../../client/transport';
import { VirtualTime, seededRandom } from '../../support/virtual-time';
import { LIMIT_BUY, SPREAD, market, orderRequest, basketRequest } from './support';

const SCOPE = 'sandbox/me';
const KEY: TagSource = { kind: 'key', key: 'alert 1' };
const RUN: TagSource = { kind: 'execution', executionId: '7', nodeId: 'n', runIndex: 0, itemIndex: 0 };
const request = (userTag: string, source: TagSource): OrderRequest =>
  orderRequest(tagFrom(userTag, source, SCOPE), { keyed: source.kind === 'key' });

describe('a tag that is another at the second try (an expression with the time in it)', () => {
  it.each([KEY, RUN])('finds the first order all the same, in this process and in another: %j', async (source) => {
    const { time, model, context } = market();
    const first = await time.run(placeOrder(request('at-0920', source), context));
    expect(await time.run(placeOrder(request('at-0921', source), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
      tag: first.tag,
    });
    await time.run(time.sleep(5_000));
    const other = { ...context, placements: new PlacementRegistry(time.clock) };
    expect(await time.run(placeOrder(request('', source), other))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
      tag: first.tag,
    });
    expect(model.journal).toHaveLength(1);
  });

  it('counts one order once in the value of the day', async () => {
    const { time, context } = market();
    context.placements.sending(SCOPE, request('a', KEY).tag, 500);
    const listed = {
      order_qty: 10,
      order_price: 100,
      filled_qty: 0,
      order_status: 'ORDER_STATUS_OPEN',
      tag: request('b', KEY).tag,
    };
    expect(dayValueOf([listed], context.placements, SCOPE)).toBe(1_000);
    expect(time.now()).toBeGreaterThan(0);
  });

  it('finds the first basket', async () => {
    const { time, model, context } = market();
    const place = async (userTag: string, placements: PlacementRegistry) =>
      await time.run(
        placeBasket(basketRequest(request(userTag, KEY).tag, { keyed: true }), { ...context, placements }),
      );
    await place('one', context.placements);
    await time.run(time.sleep(5_000));
    expect(await place('two', context.placements)).toMatchObject({ outcome: 'confirmed', alreadyPlaced: true });
    expect(await place('three', new PlacementRegistry(time.clock))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
      tag: request('one', KEY).tag,
    });
    expect(model.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('a key that was used for something else', () => {
  const [first, second] = SPREAD.legs as [BasketLeg, BasketLeg];
  const onOther = { ...LIMIT_BUY, instrument: { ...LIMIT_BUY.instrument, refId: 99 } };

  const keyed = (terms: object): string => tagFrom('', { kind: 'key', key: 'k', terms }, SCOPE);

  it.each([
    ['instrument', onOther],
    ['side', { ...LIMIT_BUY, side: 'SELL' as const }],
    ['quantity', { ...LIMIT_BUY, quantity: 20 }],
    ['limit price', { ...LIMIT_BUY, price: 150_010 }],
    [
      'product and price type',
      { ...LIMIT_BUY, product: 'IDAY' as const, priceType: 'MARKET' as const, price: undefined },
    ],
    ['validity', { ...LIMIT_BUY, validity: 'IOC' as const }],
  ])('is refused for an order with another %s, in this process and in another', async (difference, terms) => {
    for (const isOther of [false, true]) {
      const { time, model, context } = market();
      await time.run(placeOrder(orderRequest(keyed(LIMIT_BUY), { keyed: true }), context));
      if (isOther) await time.run(time.sleep(5_000));
      const placements = isOther ? new PlacementRegistry(time.clock) : context.placements;
      const again = orderRequest(keyed(terms), { keyed: true, terms });
      expect(await time.run(placeOrder(again, { ...context, placements }))).toMatchObject({
        outcome: 'refused',
        error: {
          parameter: 'idempotencyKey',
          message: `The Idempotency Key was used today for another order (${model.journal[0]!.id}), with another ${difference}. Nothing was sent.`,
          hint: expect.stringContaining(
            'If that order was rejected and this one corrects it, give this one a new key.',
          ),
        },
      });
      expect(model.journal).toHaveLength(1);
    }
  });

  it('is told by the tag, where the order was modified since: the same terms find it, others are refused', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest(keyed(LIMIT_BUY), { keyed: true }), context));
    await time.run(time.sleep(5_000));
    Object.assign(model.journal[0]!.body, { order_price: 140_000, order_qty: 5 });
    expect(await time.run(placeOrder(orderRequest(keyed(LIMIT_BUY), { keyed: true }), context))).toMatchObject({
      outcome: 'confirmed',
      alreadyPlaced: true,
    });
    const terms = { ...LIMIT_BUY, price: 140_000, quantity: 5 };
    expect(await time.run(placeOrder(orderRequest(keyed(terms), { keyed: true, terms }), context))).toMatchObject({
      outcome: 'refused',
      error: { message: expect.stringContaining('with another set of terms') as string },
    });
  });

  it.each([
    ['set of legs', { ...SPREAD, legs: [first, { ...second, instrument: { ...second.instrument, refId: 11 } }] }],
    ['set of legs', { ...SPREAD, legs: [first, { ...second, side: 'BUY' as const }] }],
    ['set of legs', { ...SPREAD, legs: [first] }],
    ['set of legs', { ...SPREAD, legs: [first, { ...second, quantity: 130 }] }],
    [
      'set of terms',
      { ...SPREAD, legs: [first, second, { ...second, instrument: { ...second.instrument, refId: 11 } }] },
    ],
    ['side', { ...SPREAD, side: 'SELL' as const }],
    ['name', { ...SPREAD, name: 'straddle' }],
    ['limit price', { ...SPREAD, price: 2_000 }],
    ['multiplier', { ...SPREAD, multiplier: 2 }],
  ])('is refused for a basket with another %s, in this process and in another', async (difference, terms) => {
    for (const isOther of [false, true]) {
      const { time, model, context } = market();
      const placed = await time.run(placeBasket(basketRequest(keyed(SPREAD), { keyed: true }), context));
      const id = placed.outcome === 'confirmed' ? placed.id : '';
      if (isOther) await time.run(time.sleep(5_000));
      const placements = isOther ? new PlacementRegistry(time.clock) : context.placements;
      const outcome = await time.run(
        placeBasket(basketRequest(keyed(terms), { keyed: true, terms }), { ...context, placements }),
      );
      expect(outcome).toMatchObject({
        outcome: 'refused',
        error: {
          parameter: 'idempotencyKey',
          message: `The Idempotency Key was used today for another basket (${id}), with another ${difference}. Nothing was sent.`,
        },
      });
      expect(model.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    }
  });

  it('is called an earlier try of the execution where there is no key', async () => {
    const { time, context } = market();
    await time.run(placeOrder(orderRequest('t'), context));
    expect(await time.run(placeOrder(orderRequest('t', { terms: onOther }), context))).toMatchObject({
      outcome: 'refused',
      error: { message: expect.stringMatching(/^An earlier try of this execution placed another order/) as string },
    });
  });
});

describe('the same key on another day', () => {
  it('places again, though this process still runs; within the night after it does not', async () => {
    const { time, model, context } = market();
    await time.run(time.sleep(Date.parse('2026-11-23T23:50:00+05:30') - time.now()));
    const keyed = request('', KEY);
    await time.run(placeOrder(keyed, context));
    await time.run(time.sleep(20 * 60_000));
    expect(await time.run(placeOrder(keyed, context))).toMatchObject({ alreadyPlaced: true });
    model.journal.length = 0;
    await time.run(time.sleep(9 * 3_600_000));
    expect(await time.run(placeOrder(keyed, context))).toMatchObject({ outcome: 'confirmed', alreadyPlaced: false });
    expect(model.journal).toHaveLength(1);
  });

  it("does not count yesterday's orders in the value of the day", async () => {
    const time = new VirtualTime(Date.parse('2026-11-23T15:00:00+05:30'));
    const placements = new PlacementRegistry(time.clock);
    placements.sending(SCOPE, 'a', 1_000);
    expect(dayValueOf([], placements, SCOPE)).toBe(1_000);
    await time.run(time.sleep(18 * 3_600_000));
    expect(dayValueOf([], placements, SCOPE)).toBe(0);
  });
});

it('counts a market order of the list, which names no price, with the value that it was sent with', () => {
  const placements = new PlacementRegistry(new VirtualTime().clock);
  placements.sending(SCOPE, 'm', 7_000);
  const listed = {
    order_qty: 10,
    order_price: 0,
    filled_qty: 0,
    order_status: 'ORDER_STATUS_PENDING',
    price_type: 'MARKET',
    LTP: null,
    tag: 'm',
  };
  expect(dayValueOf([listed], placements, SCOPE)).toBe(7_000);
});

const answering = (body: string) => {
  const time = new VirtualTime();
  const http = async () => ({ status: 200, headers: {}, body: Buffer.from(body) });
  const transport = createTransport({
    http,
    clock: time.clock,
    random: seededRandom(1),
    baseUrl: 'https://answers.broker.example',
    deviceId: 'n8n',
  });
  return { time, ...v2Api(transport) };
};

describe('a read of one order', () => {
  it.each([
    '{"message":"order not found"}',
    '{"order":null,"message":"x"}',
    '{"order_id":8,"order_status":"ORDER_STATUS_FILLED"}',
    '{}',
  ])('is an error where the reply holds no such order: %s', async (body) => {
    const { time, orders } = answering(body);
    await expect(time.run(orders.get('7'))).rejects.toThrow(/of (8|no order), but n8n asked for that of 7/);
  });

  it.each(['{"order_id":7}', '{"order":{"order_id":"7"}}'])('is read from %s', async (body) => {
    const { time, orders } = answering(body);
    expect(await time.run(orders.get('7'))).toHaveProperty('order_id');
  });
});

describe('a list of baskets', () => {
  it.each(['{"message":"try again later"}', '"busy"', '[{"basket_id":"1","tag":"a"},"x"]', '{"baskets":"none"}'])(
    'is an error where the reply is none, not an empty list: %s',
    async (body) => {
      const { time, baskets } = answering(body);
      await expect(time.run(baskets.list())).rejects.toThrow(/list of the day's baskets cannot be read/);
    },
  );

  it.each(['[]', 'null', '{"baskets":null}', '{"baskets":[]}'])('may be empty: %s', async (body) => {
    const { time, baskets } = answering(body);
    expect(await time.run(baskets.list())).toEqual([]);
  });

  it.each(['[{"basket_id":5,"tag":"a"}]', '{"baskets":[{"basket_id":5,"tag":"a"}]}', '{"basket_id":5,"tag":"a"}'])(
    'is read from %s',
    async (body) => {
      const { time, baskets } = answering(body);
      expect(await time.run(baskets.list())).toHaveLength(1);
    },
  );
});

it('two items of one request with one key and different tags of the person are the same order', async () => {
  const { time, context } = market();
  await time.run(placeOrders([request('a', RUN)], context));
  expect(context.placements.get(SCOPE, request('b', RUN).tag)?.state).toBe('placed');
});
