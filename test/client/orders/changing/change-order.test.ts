import { InputError, UnknownOutcomeError } from '../../../../client/base/errors';
import { cancelBasket, cancelOrder, cancelOrders } from '../../../../client/orders/changing/change-order';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import { intentApi } from '../../../../client/orders/api/intent/intent';
import { modifyBody } from '../../../../client/orders/api/v2/orders';
import { modifyOrder } from '../../../../client/orders/changing/modify-order';
import type { OrderChange } from '../../../../client/orders/model/order-terms';
import { placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import type { OrderModelOptions } from '../../../support/order-service';
import { INFY, LIMIT_BUY, market, orderRequest } from '../support';

describe('cancelling', () => {
  it('follows a cancel to its end, or only to the acknowledgement', async () => {
    const { time, model, context } = market();
    await time.run(placeOrder(orderRequest('a'), context));
    const id = model.journal[0]!.id;
    await time.run(time.sleep(2_000));
    expect(await time.run(cancelOrder(id, 0, context))).toEqual({
      orderId: id,
      result: 'requested',
    });
    expect(await time.run(cancelOrder(id, 10_000, context))).toMatchObject({
      result: 'done',
      order: { order_status: 'ORDER_STATUS_CANCELLED' },
    });
  });

  it('says that it is not known, and what the order is now, when no clear answer came and the order stays open', async () => {
    const { time, model, context } = market({
      fault: ({ method, url }) => (method === 'DELETE' || url.includes('/basket/') ? 'lost' : undefined),
    });
    await time.run(placeOrder(orderRequest('mine'), context));
    await time.run(time.sleep(2_000));
    const changed = await time.run(cancelOrder(model.journal[0]!.id, 0, context));
    expect(changed).toMatchObject({ result: 'unknown', error: { tag: 'mine' } });
    expect(changed.error).toBeInstanceOf(UnknownOutcomeError);
    expect(changed.error?.message).toMatch(
      /^It is not known whether order \d+ is cancelled: no clear answer came \(.+\)\. It is open\.$/,
    );
    const basket = time.run(cancelBasket('77', 'NSE', context));
    await expect(basket).rejects.toThrow(/^It is not known whether basket 77 is cancelled: no clear answer came/);
    await expect(basket).rejects.toBeInstanceOf(UnknownOutcomeError);
  });

  it('takes one deadline and one list for twelve orders whose reply is lost', async () => {
    const { time, model, context } = market({ fault: ({ url }) => (/cancel/i.test(url) ? 'lost' : undefined) });
    const tags = Array.from({ length: 12 }, (_, index) => `t${index}`);
    await time.run(
      placeOrders(
        tags.map((tag) => orderRequest(tag)),
        context,
      ),
    );
    await time.run(time.sleep(2_000));
    model.journal[3]!.life.push({ at: time.now(), status: 'CANCELLED' });
    const since = time.now();
    const ids = model.journal.map(({ id }) => id);
    const results = await time.run(cancelOrders(ids, 0, context));
    expect(time.now() - since).toBeLessThan(15_000);
    expect(results.map(({ orderId }) => orderId)).toEqual(ids);
    expect(results.map(({ result }) => result)).toEqual(ids.map((_, index) => (index === 3 ? 'done' : 'unknown')));
    expect(results[0]!.error).toBeInstanceOf(UnknownOutcomeError);
  });

  it('says that the order was filled before that', async () => {
    const { time, model, context } = market({ life: () => [{ after: 100, status: 'FILLED' }] });
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(2_000));
    const result = await time.run(cancelOrder(model.journal[0]!.id, 5_000, context));
    expect(result).toMatchObject({
      result: 'too_late',
      error: { message: expect.stringMatching(/could not be cancelled: it was filled before that/) as string },
    });
    expect(result.error).toBeInstanceOf(InputError);
  });

  it('looks what became of a cancel whose reply was lost', async () => {
    const { time, model, context } = market({ fault: ({ method }) => (method === 'DELETE' ? 'no_reply' : undefined) });
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(2_000));
    expect(await time.run(cancelOrder(model.journal[0]!.id, 0, context))).toMatchObject({
      result: 'done',
    });
  });

  describe.each([
    ['in another form', 403, '{"message":"Forbidden"}'],
    ['without a reason', 409, '{"error":"fault"}'],
    ['of a gateway', 410, '{"code":"GONE"}'],
    ['without a body', 422, ''],
  ])('a refusal %s', (_, status, text) => {
    const isCancel = ({ method, url }: { method: string; url: string }): boolean =>
      method === 'DELETE' || /cancel/i.test(url);
    const placed = async (processed: boolean) => {
      const world = market({
        fault: (request) => (isCancel(request) ? { status, processed, text } : undefined),
      });
      await world.time.run(placeOrders([orderRequest('a'), orderRequest('b')], world.context));
      await world.time.run(world.time.sleep(2_000));
      return { ...world, ids: world.model.journal.map(({ id }) => id) };
    };

    it('is not believed of a cancellation that was taken', async () => {
      const { time, context, ids } = await placed(true);
      expect(await time.run(cancelOrder(ids[0]!, 0, context))).toMatchObject({ result: 'done' });
      const others = await placed(true);
      const results = await others.time.run(cancelOrders(others.ids, 0, others.context));
      expect(results.map(({ result }) => result)).toEqual(['done', 'done']);
    });

    it('stays a refusal where the order stays open', async () => {
      const { time, context, ids } = await placed(false);
      const since = time.now();
      expect(await time.run(cancelOrder(ids[0]!, 0, context))).toMatchObject({ result: 'refused', error: { status } });
      const results = await time.run(cancelOrders(ids, 0, context));
      expect(results.map(({ result }) => result)).toEqual(['refused', 'refused']);
      expect(time.now() - since).toBeLessThan(30_000);
    });
  });

  it.each([true, false])(
    'a doubtful refusal proves nothing where nothing can be read after it (taken: %s)',
    async (processed) => {
      let isBroken = false;
      const { time, model, context } = market({
        fault: ({ method, url }) => {
          if (method === 'DELETE' || /cancel/i.test(url))
            return { status: 403, processed, text: '{"message":"Forbidden"}' };
          return isBroken ? 503 : undefined;
        },
      });
      await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
      await time.run(time.sleep(2_000));
      isBroken = true;
      const ids = model.journal.map(({ id }) => id);
      expect(await time.run(cancelOrder(ids[0]!, 0, context))).toMatchObject({ result: 'unknown' });
      const results = await time.run(cancelOrders(ids, 0, context));
      expect(results.map(({ result }) => result)).toEqual(['unknown', 'unknown']);
    },
  );

  it.each([
    [true, 'done', 'a success that says it failed is not believed of a cancellation that was taken'],
    [false, 'unknown', 'a success that says it failed is no acknowledgement'],
  ])('%#: where it was taken (%s), the order is %s: %s', async (processed, outcome) => {
    const text = '{"status":"error","message":"Order cannot be cancelled","error_type":"OrderException"}';
    const { time, model, context } = market({
      fault: ({ method, url }) =>
        method === 'DELETE' || /cancel/i.test(url) ? { status: 200, processed, text } : undefined,
    });
    await time.run(placeOrders([orderRequest('a'), orderRequest('b'), orderRequest('c')], context));
    await time.run(time.sleep(2_000));
    const ids = model.journal.map(({ id }) => id);
    const one = await time.run(cancelOrder(ids[0]!, 0, context));
    expect(one).toMatchObject({ result: outcome });
    if (!processed) expect(one.error?.message).toMatch(/It said: Order cannot be cancelled.*It is open/);
    const results = await time.run(cancelOrders(ids.slice(1), 0, context));
    expect(results.map(({ result }) => result)).toEqual([outcome, outcome]);
  });

  it('tells for each of several why', async () => {
    const { time, model, context } = market({ life: () => [{ after: 100, status: 'FILLED' }] });
    await time.run(placeOrders([orderRequest('a'), orderRequest('b')], context));
    await time.run(time.sleep(2_000));
    const results = await time.run(
      cancelOrders(
        model.journal.map(({ id }) => id),
        1_000,
        context,
      ),
    );
    expect(results.map(({ result }) => result)).toEqual(['too_late', 'too_late']);
  });
});

describe('cancelling on intent orders', () => {
  it('reports an order that is cancelled already as cancelled, as on the older interface', async () => {
    const { time, model, context } = market({ has: () => 'intent' });
    const intent = { ...context, ...intentApi(context.transport) };
    await time.run(placeOrder(orderRequest('a'), intent));
    await time.run(time.sleep(2_000));
    const id = model.journal[0]!.id;
    for (const _ of ['first', 'again'])
      expect(await time.run(cancelOrder(id, 5_000, intent))).toMatchObject({ result: 'done' });
    expect(model.changes).toHaveLength(1);
  });
});

describe('modifying', () => {
  const NO_LIMITS: Guards = { allowLiveOrders: true, dryRun: false, marketHoursOnly: false };
  /** An order that lives, and what is needed to modify it. */
  const placed = async (options: OrderModelOptions = {}) => {
    const { time, model, context } = market(options);
    await time.run(placeOrder(orderRequest('a'), context));
    await time.run(time.sleep(2_000));
    const [order] = await time.run(context.orders.list());
    const modify = async (change: OrderChange, guards: Guards[] = [NO_LIMITS]) =>
      await time.run(
        modifyOrder({ order: order!, instrument: INFY, change, guards, unit: 'rupees', waitMs: 5_000 }, context),
      );
    return { model, modify };
  };
  const changes = ({ requests }: { requests: { url: string }[] }): number =>
    requests.filter(({ url }) => url.includes('/modify/')).length;

  it('sends the whole order, with the fields that do not change', () => {
    const order = {
      order_qty: 10,
      order_price: 150_005,
      order_type: 'ORDER_TYPE_STOPLOSS',
      algo_params: { trigger_price: 150_000, leg_size: 0 },
    };
    expect(modifyBody(order, { price: 150_010 }, 'NSE')).toEqual({
      order_qty: 10,
      order_price: 150_010,
      exchange: 'NSE',
      order_type: 'ORDER_TYPE_STOPLOSS',
      algo_params: { trigger_price: 150_000 },
    });
  });

  it('follows the change until the order shows it', async () => {
    const { model, modify } = await placed();
    expect(await modify({ quantity: 4, price: 150_010 })).toMatchObject({
      result: 'done',
      order: { order_qty: 4, order_price: 150_010 },
    });
    expect(changes(model)).toBe(1);
  });

  it('looks what became of it when the reply was lost, and says that it is not known when it never arrived', async () => {
    const lost = await placed({ fault: ({ url }) => (url.includes('/modify/') ? 'no_reply' : undefined) });
    expect(await lost.modify({ quantity: 4 })).toMatchObject({ result: 'done' });
    const never = await placed({ fault: ({ url }) => (url.includes('/modify/') ? 'lost' : undefined) });
    expect(await never.modify({ quantity: 4 })).toMatchObject({ result: 'unknown', error: { tag: 'a' } });
  });

  it("does not take another's modification for its own: a stop loss that never arrived is not seen", async () => {
    const { time, model, context } = market({
      has: () => 'intent',
      life: () => [{ after: 100, status: 'OPEN' }],
      fault: ({ body }) => (body?.includes('exitConfig') && body.includes('"orderId"') ? 'lost' : undefined),
    });
    const intent = { ...context, ...intentApi(context.transport) };
    const exits = { stop: { trigger: 147_005, limit: 147_005 } };
    await time.run(placeOrder(orderRequest('a', { terms: { ...LIMIT_BUY, exits } }), intent));
    await time.run(time.sleep(2_000));
    const [order] = await time.run(intent.orders.list());
    const modify = async (change: OrderChange) =>
      await modifyOrder({ order: order!, instrument: INFY, change, guards: [], unit: 'rupees', waitMs: 5_000 }, intent);
    const stop = { trigger: 148_005, limit: 148_005 };
    const [ofPrice, ofStop] = await time.run(Promise.all([modify({ price: 150_010 }), modify({ stop })]));
    expect(ofPrice).toMatchObject({ result: 'done' });
    expect(ofStop).toMatchObject({ result: 'unknown' });
    expect(model.journal[0]!.exits).toMatchObject([{ trigger: 147_005 }]);
  });

  it.each<[string, OrderChange, string]>([
    ['a trigger price of an order that has none', { triggerPrice: 150_000 }, 'triggerPrice'],
    ['a leg size of an order that is shown whole', { legSize: 1 }, 'legSize'],
    ['a price off the tick', { price: 150_001 }, 'price'],
    ['a quantity beyond a guard', { quantity: 11 }, 'maxQuantity'],
  ])('refuses %s before anything is sent', async (_, change, parameter) => {
    const { model, modify } = await placed();
    await expect(modify(change, [{ ...NO_LIMITS, maxQuantity: 10 }])).rejects.toMatchObject({ parameter });
    expect(changes(model)).toBe(0);
  });

  it('shows in a dry run what would be sent', async () => {
    const { model, modify } = await placed();
    expect(await modify({ quantity: 4 }, [{ ...NO_LIMITS, dryRun: true }])).toMatchObject({ body: { order_qty: 4 } });
    expect(changes(model)).toBe(0);
  });

  it('sends nothing for an order that has ended', async () => {
    const { model, modify } = await placed({ life: () => [{ after: 100, status: 'FILLED' }] });
    expect(await modify({ quantity: 4 })).toMatchObject({ result: 'too_late' });
    expect(changes(model)).toBe(0);
  });
});
