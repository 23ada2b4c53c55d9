import { checkBasket, type BasketTerms } from '../../../../client/orders/model/basket-terms';
import { basketBody } from '../../../../client/orders/api/v2/baskets';
import { SPREAD } from '../support';

const CALL = SPREAD.legs[0]!.instrument;

describe('rules of baskets', () => {
  it.each([
    [{ legs: [] }, 'legs'],
    [{ legs: [{ instrument: CALL, side: 'BUY', quantity: 64 }] }, 'legs'],
    [{ legs: [...SPREAD.legs, { instrument: { ...CALL, exchange: 'BSE' }, side: 'BUY', quantity: 65 }] }, 'legs'],
    [{ legs: [...SPREAD.legs, { instrument: { ...CALL, asset: 'BANKNIFTY' }, side: 'BUY', quantity: 65 }] }, 'legs'],
    [{ legs: SPREAD.legs.map((leg) => ({ ...leg, instrument: { ...leg.instrument, exchange: 'MCX' } })) }, 'legs'],
    [{ price: undefined }, 'price'],
    [{ price: 1_001 }, 'price'],
    [{ stopLossPrice: 1_000 }, 'stopLossPrice'],
    [{ targetPrice: 1_000 }, 'targetPrice'],
    [{ targetPrice: 1_500, momentumTriggerPrice: 1_500 }, 'momentumTriggerPrice'],
    [{ product: 'CNC', exitTime: 1 }, 'exitTime'],
    [{ multiplier: 0 }, 'multiplier'],
    [{ priceType: 'MARKET', price: undefined, stopLossPrice: 1_500, targetPrice: 1_000 }, 'stopLossPrice'],
    [{ priceType: 'MARKET', price: undefined, stopLossPrice: 1_000, targetPrice: 1_000 }, 'stopLossPrice'],
    [{ legs: [...SPREAD.legs, { instrument: CALL, side: 'SELL', quantity: 65 }] }, 'legs'],
  ])('refuses %j', (changes, parameter) => {
    expect(() => checkBasket({ ...SPREAD, ...changes } as BasketTerms, 'rupees')).toThrow(
      expect.objectContaining({ parameter }),
    );
  });

  it('names the leg whose quantity is off its lot, and the legs that are the same', () => {
    const [first, second] = SPREAD.legs as [(typeof SPREAD.legs)[0], (typeof SPREAD.legs)[0]];
    expect(() => checkBasket({ ...SPREAD, legs: [first, { ...second, quantity: 66 }] }, 'rupees')).toThrow(
      `The quantity 66 of leg 2 (${second.instrument.symbol}) must be whole lots of 65.`,
    );
    expect(() => checkBasket({ ...SPREAD, legs: [first, second, second] }, 'rupees')).toThrow(
      `Legs 2 and 3 are the same instrument, ${second.instrument.symbol}.`,
    );
  });

  it('takes what is right, a credit too', () => {
    checkBasket(
      { ...SPREAD, stopLossPrice: 995, targetPrice: 1_005, momentumTriggerPrice: 1_000, exitTime: 1 },
      'rupees',
    );
    checkBasket({ ...SPREAD, price: -500, stopLossPrice: -505, targetPrice: -495 }, 'rupees');
  });
});

it('writes times in UTC with milliseconds, and leaves out what is not wanted', () => {
  const body = basketBody({ ...SPREAD, exitTime: Date.parse('2026-11-20T15:05:00+05:30') }, 't');
  expect(body.basket_params).toMatchObject({
    entry_price: 1_000,
    exit_time: '2026-11-20T09:35:00.000Z',
    multiplier: 1,
  });
  expect(JSON.parse(JSON.stringify(body.basket_params))).not.toHaveProperty('stoploss_price');
});
