import {
  basketBody,
  checkBasket,
  getBaskets,
  legOutcomes,
  placeBasket,
  type BasketTerms,
} from '../../../client/orders/basket';
import { NIFTY_FUT, market } from './support';

const CALL = { ...NIFTY_FUT, refId: 9, symbol: 'NIFTY26NOV24500CE', tickSize: 5 };
const BASKET: BasketTerms = {
  name: 'spread',
  legs: [
    { instrument: CALL, side: 'BUY', quantity: 65 },
    { instrument: { ...CALL, refId: 10, symbol: 'NIFTY26NOV24600CE' }, side: 'SELL', quantity: 65 },
  ],
  side: 'BUY',
  product: 'IDAY',
  priceType: 'LIMIT',
  price: 1_000,
  multiplier: 1,
};

describe('rules of baskets', () => {
  it.each([
    [{ legs: [] }, 'legs'],
    [{ legs: [{ instrument: CALL, side: 'BUY', quantity: 64 }] }, 'legs'],
    [{ legs: [...BASKET.legs, { instrument: { ...CALL, exchange: 'BSE' }, side: 'BUY', quantity: 65 }] }, 'legs'],
    [{ legs: [...BASKET.legs, { instrument: { ...CALL, asset: 'BANKNIFTY' }, side: 'BUY', quantity: 65 }] }, 'legs'],
    [{ price: undefined }, 'price'],
    [{ price: 1_001 }, 'price'],
    [{ stopLossPrice: 1_000 }, 'stopLossPrice'],
    [{ targetPrice: 1_000 }, 'targetPrice'],
    [{ targetPrice: 1_500, momentumTriggerPrice: 1_500 }, 'momentumTriggerPrice'],
    [{ product: 'CNC', exitTime: 1 }, 'exitTime'],
    [{ multiplier: 0 }, 'multiplier'],
    [{ priceType: 'MARKET', price: undefined, stopLossPrice: 1_500, targetPrice: 1_000 }, 'stopLossPrice'],
    [{ priceType: 'MARKET', price: undefined, stopLossPrice: 1_000, targetPrice: 1_000 }, 'stopLossPrice'],
    [{ legs: [...BASKET.legs, { instrument: CALL, side: 'SELL', quantity: 65 }] }, 'legs'],
  ])('refuses %j', (changes, parameter) => {
    expect(() => checkBasket({ ...BASKET, ...changes } as BasketTerms, 'rupees')).toThrow(
      expect.objectContaining({ parameter }),
    );
  });

  it('takes what is right, a credit too', () => {
    checkBasket(
      { ...BASKET, stopLossPrice: 995, targetPrice: 1_005, momentumTriggerPrice: 1_000, exitTime: 1 },
      'rupees',
    );
    checkBasket({ ...BASKET, price: -500, stopLossPrice: -505, targetPrice: -495 }, 'rupees');
  });
});

it('writes times in UTC with milliseconds, and leaves out what is not wanted', () => {
  const body = basketBody({ ...BASKET, exitTime: Date.parse('2026-11-20T15:05:00+05:30') }, 't');
  expect(body.basket_params).toMatchObject({
    entry_price: 1_000,
    exit_time: '2026-11-20T09:35:00.000Z',
    multiplier: 1,
  });
  expect(JSON.parse(JSON.stringify(body.basket_params))).not.toHaveProperty('stoploss_price');
});

it('tells the legs apart, and finds a basket whose reply was lost, by its tag', async () => {
  let times = 0;
  const { time, context } = market({
    fault: ({ method }) => (method === 'POST' ? 'no_reply' : undefined),
    life: () => [{ after: 100, status: times++ === 0 ? 'REJECTED' : 'OPEN' }],
  });
  const outcome = await time.run(placeBasket({ terms: BASKET, tag: 'mine', keyed: false }, context));
  expect(outcome).toMatchObject({ outcome: 'confirmed', tag: 'mine' });
  await time.run(time.sleep(1_000));
  const [basket] = await time.run(getBaskets(context.transport, 'mine'));
  expect(legOutcomes(basket!, 'mine').map((leg) => leg.outcome)).toEqual(['rejected', 'confirmed']);
  expect(await time.run(getBaskets(context.transport, 'min'))).toEqual([]);
});
