/** Changes of baskets by intent orders, in virtual time: what is refused before anything is sent, and what a reply means. */
import { InputError, ServiceError, UnknownOutcomeError } from '../../../../client/base/errors';
import type { BasketChange, BasketTerms } from '../../../../client/orders/model/basket-terms';
import { entryPriceOf, modifyBasket, type BasketModification } from '../../../../client/orders/changing/change-basket';
import type { BasketRecord } from '../../../../client/endpoints/baskets';
import type { Guards } from '../../../../client/orders/model/guard-settings';
import { intentApi } from '../../../../client/orders/api/intent/intent';
import { placeBasket } from '../../../../client/orders/placing/place';
import type { PlacementContext } from '../../../../client/orders/account/placement-context';
import { basketIdOf } from '../../../../client/orders/model/basket-record';
import type { Fault } from '../../../support/order-service-faults';
import type { OrderModelOptions } from '../../../support/order-service';
import { market, SPREAD, basketRequest } from '../support';

const NO_LIMITS: Guards = { allowLiveOrders: true, dryRun: false, marketHoursOnly: false };

/** A spread of one lot, bought at 10 rupees, that the list shows. */
async function placed(options: OrderModelOptions = {}, changes: Partial<BasketTerms> = {}) {
  let fault: Fault | undefined;
  const { time, model, context } = market({
    has: () => 'intent',
    fault: ({ url }) => (url.endsWith('/modify') ? fault : undefined),
    ...options,
  });
  const on: PlacementContext = { ...context, ...intentApi(context.transport) };
  await time.run(placeBasket(basketRequest('b', { terms: { ...SPREAD, ...changes } }), on));
  await time.run(time.sleep(2_000));
  const shown = async () => (await time.run(on.baskets.list()))[0]!;
  const basket = await shown();
  const sent = (): number => model.requests.filter(({ url }) => url.endsWith('/modify')).length;
  const reads = (): number => model.requests.filter(({ method }) => method === 'GET').length;
  const modify = async (change: BasketChange, more: Partial<BasketModification & PlacementContext> = {}) =>
    await time.run(
      modifyBasket(
        {
          basket: more.basket ?? (await shown()),
          instruments: SPREAD.legs.map(({ instrument }) => instrument),
          change,
          guards: more.guards ?? [NO_LIMITS],
          unit: 'rupees',
          waitMs: more.waitMs ?? 10_000,
        },
        { ...on, ...more },
      ),
    );
  return {
    time,
    model,
    on,
    id: basketIdOf(basket),
    basket,
    shown,
    sent,
    reads,
    modify,
    fail: (item: Fault) => (fault = item),
  };
}

describe('what becomes of a change', () => {
  it('is done when the list shows it', async () => {
    const { modify, sent } = await placed();
    expect(await modify({ price: 1_100 })).toMatchObject({ result: 'done', basket: { order_price: 1_100 } });
    expect(sent()).toBe(1);
  });

  it('is refused of the quantity where the basket does not show its own, and nothing is sent', async () => {
    const { modify, basket, sent } = await placed();
    const withoutQuantity = { ...basket, order_qty: 0 };
    await expect(modify({ quantity: 130 }, { basket: withoutQuantity })).rejects.toMatchObject({
      parameter: 'quantity',
      message: expect.stringContaining('does not show its quantity') as unknown,
    });
    expect(sent()).toBe(0);
  });

  it.each<BasketChange>([{ price: 1_100 }, { price: 1_100, quantity: 130 }])(
    'is refused of its size where a leg does not show its quantity, whatever the guards say: %j',
    async (change) => {
      const { modify, basket, sent } = await placed();
      const [leg, ...others] = basket.orders as Record<string, unknown>[];
      const unsized = { ...basket, orders: [{ ...leg, order_qty: null }, ...others] } as unknown as BasketRecord;
      await expect(
        modify(change, { basket: unsized, guards: [{ ...NO_LIMITS, maxQuantity: 1_000 }] }),
      ).rejects.toMatchObject({
        parameter: 'updateFields',
        message: expect.stringMatching(/^Basket \d+ does not show the quantity of its leg 1, by which/) as unknown,
      });
      expect(sent()).toBe(0);
      expect(await modify({ stop: null }, { basket: unsized, waitMs: 0 })).toMatchObject({ result: 'requested' });
    },
  );

  it('is refused where a leg does not tell its side', async () => {
    const { modify, basket, sent } = await placed();
    const [leg, ...others] = basket.orders as Record<string, unknown>[];
    const sideless = { ...basket, orders: [{ ...leg, order_side: '' }, ...others] } as unknown as BasketRecord;
    await expect(modify({ price: 1_100 }, { basket: sideless })).rejects.toThrow('does not tell its side');
    expect(sent()).toBe(0);
  });

  it('is only its acknowledgement where nothing is waited for', async () => {
    const { modify, basket, reads } = await placed();
    const before = reads();
    expect(await modify({ price: 1_100 }, { basket, waitMs: 0 })).toEqual({ result: 'requested', basket });
    expect(reads()).toBe(before);
  });

  it('is requested, with the present basket, where it does not come in time', async () => {
    const { time, modify } = await placed({ changeDelay: () => 60_000 });
    const from = time.now();
    expect(await modify({ price: 1_100 }, { waitMs: 3_000 })).toMatchObject({
      result: 'requested',
      basket: { order_price: 1_000 },
    });
    expect(time.now() - from).toBeGreaterThanOrEqual(3_000);
    expect(time.now() - from).toBeLessThan(5_000);
  });

  it.each([
    ['no_reply', 0],
    ['no_reply', 10_000],
    [{ status: 500, processed: true }, 0],
    // A refusal may come because it is done already.
    [{ status: 400, processed: true }, 0],
  ] satisfies [Fault, number][])('is looked for after %j, and is done: waiting %i', async (fault, waitMs) => {
    const { modify, fail } = await placed();
    fail(fault);
    expect(await modify({ price: 1_100 }, { waitMs })).toMatchObject({ result: 'done' });
  });

  it('is not known when no clear answer came and the list does not show it, for five seconds', async () => {
    const { time, modify, fail, id } = await placed();
    fail('lost');
    const from = time.now();
    const error: unknown = await modify({ price: 1_100 }, { waitMs: 0 }).catch((item: unknown) => item);
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({
      message: expect.stringContaining(`It is not known whether basket ${id} is modified`) as string,
    });
    expect(time.now() - from).toBeGreaterThan(5_000);
    expect(time.now() - from).toBeLessThan(9_000);
  });

  it('is not known after a doubtful refusal where nothing can be read', async () => {
    let isBroken = false;
    const { modify, basket } = await placed({
      fault: ({ url }) => {
        if (url.endsWith('/modify')) isBroken = true;
        return url.endsWith('/modify')
          ? { status: 403, processed: true, text: '{"message":"Forbidden"}' }
          : isBroken
            ? 503
            : undefined;
      },
    });
    await expect(modify({ price: 1_100 }, { basket, waitMs: 0 })).rejects.toBeInstanceOf(UnknownOutcomeError);
  });

  it('is the refusal of the service, after one look, where it gives a reason', async () => {
    const { modify, fail, reads, basket } = await placed();
    fail({ status: 400, processed: false, text: '{"error":"price must be on the tick"}' });
    const before = reads();
    const error: unknown = await modify({ price: 1_100 }, { basket }).catch((item: unknown) => item);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 400 });
    expect(reads()).toBe(before + 1);
  });

  it('says that the basket ended before it', async () => {
    const { model, time, modify, id, basket } = await placed({ changeDelay: () => 60_000 });
    void time.sleep(1_000).then(() => model.end(model.journal[0]!, time.now()));
    await expect(modify({ price: 1_100 }, { basket })).rejects.toMatchObject({
      message: `Basket ${id} was not seen to be modified: it was cancelled before that.`,
      parameter: 'basketId',
      hint: 'Nothing of it is left to change.',
    });
  });

  it('is requested for exits that are held, though nothing of the basket waits any more', async () => {
    const { modify, basket } = await placed({
      life: () => [{ after: 100, status: 'FILLED' }],
      changeDelay: () => 60_000,
    });
    expect(basket.basket_status).toBe('BASKET_STATUS_FILLED');
    expect(await modify({ stop: { trigger: 800, limit: 790 } }).catch((error: unknown) => error)).toMatchObject({
      message: expect.stringContaining('cannot be modified') as string,
    });
  });
});

describe('before anything is sent', () => {
  it.each([
    [
      'a basket that was cancelled',
      'CANCELLED',
      { price: 1_100 },
      'basketId',
      /could not be modified: it was cancelled/,
    ],
    ['a basket that was closed', 'CLOSED', { price: 1_100 }, 'basketId', /could not be modified: it was closed/],
    ['the price of one that has entered', 'FILLED', { price: 1_100 }, 'updateFields', /only its exits/],
    ['the quantity of one that has entered', 'FILLED', { quantity: 130 }, 'updateFields', /only its exits/],
    ['a price off the tick', 'OPEN', { price: 1_101 }, 'price', /tick/],
    ['a stop on the wrong side', 'OPEN', { stop: { trigger: 1_000, limit: 995 } }, 'stopLossPrice', /./],
    ['a target on the wrong side', 'OPEN', { target: { trigger: 1_000, limit: 995 } }, 'targetPrice', /./],
  ] satisfies [string, string, BasketChange, string, RegExp][])(
    'refuses %s',
    async (_, status, change, parameter, message) => {
      const { basket, modify, sent } = await placed();
      const as = { ...basket, basket_status: `BASKET_STATUS_${status}` };
      const error: unknown = await modify(change, { basket: as }).catch((item: unknown) => item);
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({ parameter, message: expect.stringMatching(message) as string });
      expect(sent()).toBe(0);
    },
  );

  it('refuses an exit time of a basket that its record calls good till a date, but not taking one off', async () => {
    const { basket, modify, sent } = await placed();
    const dated = { ...basket, validity_type: 'GTE' };
    await expect(modify({ exitTime: 1 }, { basket: dated })).rejects.toMatchObject({ parameter: 'exitTime' });
    expect(sent()).toBe(0);
    await modify({ exitTime: Date.parse('2026-11-20T15:00:00+05:30') }, { waitMs: 0 });
    await modify({ exitTime: null }, { basket: dated, waitMs: 0 });
    expect(sent()).toBe(2);
  });

  it('refuses the limit price of a basket that enters at the market', async () => {
    const { basket, modify, sent } = await placed();
    const atMarket = { ...basket, price_type: 'MARKET' };
    await expect(modify({ price: 1_100 }, { basket: atMarket })).rejects.toMatchObject({
      parameter: 'price',
      message: expect.stringContaining('enters at the market') as string,
    });
    expect(sent()).toBe(0);
  });

  it('refuses what stopped trading refuses', async () => {
    const { modify, sent } = await placed();
    const stopped = new InputError('Trading is stopped.');
    const requireTrading = async (): Promise<void> => await Promise.reject(stopped);
    await expect(modify({ price: 1_100 }, { requireTrading })).rejects.toBe(stopped);
    expect(sent()).toBe(0);
  });
});

describe('guards of a basket that is changed', () => {
  it('see its legs as they become', async () => {
    const { modify, sent } = await placed();
    await expect(modify({ quantity: 130 }, { guards: [{ ...NO_LIMITS, maxQuantity: 129 }] })).rejects.toMatchObject({
      parameter: 'maxQuantity',
    });
    expect(sent()).toBe(0);
    const upTo = [{ ...NO_LIMITS, maxQuantity: 130 }];
    expect(await modify({ quantity: 130 }, { guards: upTo, waitMs: 0 })).toMatchObject({ result: 'requested' });
    const ofNow = [{ ...NO_LIMITS, maxQuantity: 130, allowedProducts: ['IDAY' as const] }];
    expect(await modify({ price: 1_100 }, { guards: ofNow, waitMs: 0 })).toMatchObject({ result: 'requested' });
    const ofOthers = [{ ...NO_LIMITS, allowedProducts: ['CNC' as const] }];
    await expect(modify({ price: 1_150 }, { guards: ofOthers })).rejects.toMatchObject({
      parameter: 'allowedProducts',
    });
  });

  it('show in a dry run what would be sent, and send nothing', async () => {
    const { modify, sent, id, on } = await placed();
    const guards = [{ ...NO_LIMITS, dryRun: true }];
    expect(await modify({ price: 1_100 }, { guards })).toMatchObject({
      endpoint: { path: expect.stringMatching(/modify$/) as string },
      body: { orders: [{ orderId: id }] },
    });
    expect(sent()).toBe(0);
    expect([...on.placements.values(on.scope)].filter(([tag]) => tag === id)).toEqual([]);
  });
});

it.each([
  [{ avg_filled_price: 1_000.4, order_price: 900 }, 1_000],
  [{ avg_filled_price: 0, order_price: 900 }, 900],
  [{ avg_filled_price: 0.4, order_price: 900 }, 900],
  [{}, undefined],
])('the exits of %j are measured from %p', (record, price) => {
  expect(entryPriceOf(record)).toBe(price);
});
