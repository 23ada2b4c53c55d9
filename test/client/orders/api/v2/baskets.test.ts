/** Baskets over the wire by the specification's paths (docs/service/baskets.md#basket-body, docs/service/baskets.md#basket-record). */
import { basketBody, basketsV2 } from '../../../../../client/orders/api/v2/baskets';
import type { BasketTerms } from '../../../../../client/orders/model/basket-terms';
import type { Transport } from '../../../../../client/transport';
import { SPREAD } from '../../support';

const AT = Date.parse('2026-11-20T11:00:00+05:30');
const PARAMS = {
  order_side: 'ORDER_SIDE_BUY',
  order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  price_type: 'LIMIT',
  entry_price: 1_000,
  multiplier: 1,
};
const { entry_price: _, ...AT_MARKET } = { ...PARAMS, price_type: 'MARKET' };

it.each<[string, Partial<BasketTerms>, object]>([
  ['a limit', {}, PARAMS],
  ['the market, without the price that it does not use', { priceType: 'MARKET' }, AT_MARKET],
  [
    'all that there is',
    {
      side: 'SELL',
      product: 'CNC',
      targetPrice: 1_500,
      stopLossPrice: 800,
      momentumTriggerPrice: 900,
      entryTime: AT,
      exitTime: AT + 60_000,
      multiplier: 3,
    },
    {
      ...PARAMS,
      order_side: 'ORDER_SIDE_SELL',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      exit_price: 1_500,
      stoploss_price: 800,
      momentum_trigger_price: 900,
      entry_time: '2026-11-20T05:30:00.000Z',
      exit_time: '2026-11-20T05:31:00.000Z',
      multiplier: 3,
    },
  ],
])('writes the body of a basket at %s', (__, changes, params) => {
  expect(JSON.parse(JSON.stringify(basketBody({ ...SPREAD, ...changes }, 't')))).toEqual({
    exchange: 'NSE',
    basket_name: 'spread',
    tag: 't',
    orders: [
      { ref_id: 9, order_qty: 65, order_side: 'ORDER_SIDE_BUY' },
      { ref_id: 10, order_qty: 65, order_side: 'ORDER_SIDE_SELL' },
    ],
    basket_params: params,
  });
});

/** The baskets of a service that shows these. */
const showing = (reply: unknown) => basketsV2({ call: async () => reply } as unknown as Transport);
const BASKET = { basket_id: '5', basket_status: 'BASKET_STATUS_OPEN' };

it('a basket counts as one order for each of its legs', async () => {
  expect(await showing(null).place({ terms: SPREAD, tag: 't' })).toMatchObject({ body: { tag: 't' }, orders: 2 });
});

it('a basket is ended, closed and cancelled by its id, with the exchange of its legs', async () => {
  const baskets = showing(null);
  const request = { path: { basket_id: '5' }, body: { exchange: 'BSE' } };
  expect(await baskets.cancel('5', 'BSE')).toMatchObject(request);
  expect(baskets.end(BASKET, 'BSE')).toMatchObject(request);
  expect(baskets.close(BASKET, 'BSE', AT)).toMatchObject(request);
});

it('a basket cannot be changed', () => {
  expect(() => showing(null).modify(BASKET, { price: 5 })).toThrow(
    expect.objectContaining({
      parameter: 'basketId',
      message: expect.stringContaining('changes of a basket') as string,
    }),
  );
});

it('a basket is what the list shows of it, or what it was', async () => {
  const now = { ...BASKET, basket_status: 'BASKET_STATUS_FILLED' };
  const baskets = showing([{ basket_id: '4' }, now]);
  expect(await baskets.reread(BASKET)).toEqual(now);
  const gone = { basket_id: '9' };
  expect(await baskets.reread(gone)).toBe(gone);
  expect(await baskets.list()).toHaveLength(2);
});
