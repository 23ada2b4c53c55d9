/** Orders and baskets that break a rule: whoever asks for them, nothing is sent; what an earlier try placed is found all the same. */
import { InputError } from '../../../../client/base/errors';
import { placeBasket, placeOrder, placeOrders } from '../../../../client/orders/placing/place';
import { placeSliced } from '../../../../client/orders/placing/place-sliced';
import { PlacementRegistry } from '../../../../client/orders/account/placement-registry';
import { previewOrder } from '../../../../client/orders/placing/preview';
import type { OrderTerms } from '../../../../client/orders/model/order-terms';
import { INFY, LIMIT_BUY, market, NIFTY_FUT, SPREAD, orderRequest, basketRequest } from '../support';

/** A share of a series that takes no intraday order. */
const DELIVERY_ONLY = { ...INFY, symbol: '3IINFOLTD', series: 'BE' };

/** Each breaks one rule: what is changed, and the field that the error names. */
const BROKEN: readonly [Partial<OrderTerms>, string][] = [
  [{ price: 150_007 }, 'price'],
  [{ price: 0 }, 'price'],
  [{ quantity: 0 }, 'quantity'],
  [{ instrument: NIFTY_FUT, quantity: 64, price: 150_010 }, 'quantity'],
  [{ kind: 'STOPLOSS', triggerPrice: 150_010 }, 'triggerPrice'],
  [{ kind: 'ICEBERG', legSize: 10 }, 'legSize'],
  [{ condition: { when: 'AT_OR_ABOVE', price: 7 } }, 'conditionPrice'],
  [{ exits: { stop: { trigger: 160_000, limit: 159_000 } } }, 'stopLoss'],
  [{ entryTime: 1 }, 'entryTime'],
  [{ validity: 'GTE' }, 'goodTillDate'],
  [{ instrument: DELIVERY_ONLY, product: 'IDAY' }, 'product'],
];

it.each(BROKEN)(
  'an order with %j is refused by its %s, and nothing is asked for or sent',
  async (changes, parameter) => {
    const { time, model, context } = market();
    const request = orderRequest('a', { terms: { ...LIMIT_BUY, ...changes } });
    const dryRun = { ...request, tag: 'b', guards: [{ allowLiveOrders: true, dryRun: true, marketHoursOnly: false }] };
    const outcomes = [
      await time.run(placeOrder(request, context)),
      await time.run(placeOrder(dryRun, context)),
      ...(await time.run(placeOrders([{ ...request, tag: 'c' }], context))),
      ...(await time.run(
        placeSliced(
          { terms: request.terms, request: () => ({ ...request, tag: 'd' }), placed: () => undefined },
          context,
        ),
      )),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ outcome: 'refused', error: { parameter } });
      expect('error' in outcome && outcome.error).toBeInstanceOf(InputError);
    }
    await expect(previewOrder(request.terms, { withPortfolio: true, unit: 'rupees' }, context)).rejects.toMatchObject({
      parameter,
    });
    expect(model.requests).toEqual([]);
  },
);

it('a closing order is sent whatever its series allows; an opening one is not, nor in a basket', async () => {
  const { time, model, context } = market();
  const terms = { ...LIMIT_BUY, instrument: DELIVERY_ONLY, product: 'IDAY' as const };
  const [leg] = SPREAD.legs;
  const legs = [{ ...leg!, instrument: { ...leg!.instrument, series: 'BE' } }];
  expect(await time.run(placeBasket(basketRequest('b', { terms: { ...SPREAD, legs } }), context))).toMatchObject({
    outcome: 'refused',
    error: { parameter: 'product' },
  });
  expect(model.requests).toEqual([]);
  const closing = await time.run(placeOrder(orderRequest('a', { terms }), { ...context, onlyCloses: true }));
  expect(closing).toMatchObject({ outcome: 'confirmed' });
});

it('those of several orders that break a rule are refused, and no others', async () => {
  const { time, model, context } = market();
  const requests = [150_005, 150_007, 150_010].map((price, index) =>
    orderRequest(`t${index}`, { terms: { ...LIMIT_BUY, price } }),
  );
  const outcomes = await time.run(placeOrders(requests, context));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['confirmed', 'refused', 'confirmed']);
  expect(model.journal.map(({ tag }) => tag)).toEqual(['t0', 't2']);
});

it('an order above the freeze quantity that is no whole number of lots is refused before its first part', async () => {
  const { time, model, context } = market();
  const terms: OrderTerms = { ...LIMIT_BUY, instrument: NIFTY_FUT, quantity: 3_901, price: 150_010 };
  const request = (part: OrderTerms, name?: string) => orderRequest(`a${name ?? ''}`, { terms: part });
  const [outcome, ...others] = await time.run(placeSliced({ terms, request, placed: () => undefined }, context));
  expect(outcome).toMatchObject({ outcome: 'refused', error: { parameter: 'quantity' } });
  expect(others).toEqual([]);
  expect(model.journal).toEqual([]);
});

it('a basket that breaks a rule is refused', async () => {
  const { time, model, context } = market();
  const terms = { ...SPREAD, multiplier: 0 };
  expect(await time.run(placeBasket(basketRequest('a', { terms }), context))).toMatchObject({
    outcome: 'refused',
    error: { parameter: 'multiplier' },
  });
  expect(model.requests).toEqual([]);
});

describe('an order whose entry time is over when it is tried again', () => {
  const place = async (again: object) => {
    const world = market();
    const { time, model, context } = world;
    const terms = { ...LIMIT_BUY, entryTime: time.now() + 60_000 };
    // The older interface has no entry time: the order itself takes the place of one that was placed with it.
    const orders = {
      ...context.orders,
      requirePossible: async () => undefined,
      place: async (request: never) =>
        await context.orders.place({ ...(request as object), terms: LIMIT_BUY } as never),
    };
    const on = { ...context, orders };
    expect(await time.run(placeOrder(orderRequest('a', { terms, keyed: true }), on))).toMatchObject({
      outcome: 'confirmed',
    });
    await time.run(time.sleep(120_000));
    const other = { ...on, placements: new PlacementRegistry(time.clock) };
    const outcome = await time.run(placeOrder(orderRequest('a', { terms, ...again }), other));
    return { outcome, sent: model.journal.length };
  };

  it.each([{ keyed: true }, { isRepeat: true }])('is found, with %j', async (again) => {
    expect(await place(again)).toMatchObject({ outcome: { outcome: 'confirmed', alreadyPlaced: true }, sent: 1 });
  });
});
