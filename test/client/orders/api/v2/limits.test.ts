/** Limits of the older interface: it refuses in words what it cannot do, and its other words mean the same order. */
import type { BasketTerms } from '../../../../../client/orders/model/basket-terms';
import { toV2Terms, requireV2Basket, requireV2Change } from '../../../../../client/orders/api/v2/limits';
import type { PriceCondition, OrderChange, OrderTerms, Side } from '../../../../../client/orders/model/order-terms';
import { refusal } from '../../../../support/refusal';
import { LIMIT_BUY, NIFTY_FUT, SPREAD } from '../../support';

const AT = Date.parse('2026-11-20T11:00:00+05:30');
const EXIT = { trigger: 5, limit: 5 };

it.each<[Partial<OrderTerms>, string]>([
  [{ exits: { stop: EXIT } }, 'stopLoss'],
  [{ exits: { target: EXIT } }, 'target'],
  [{ exits: { time: AT } }, 'exitTime'],
  [{ validity: 'GTE' }, 'validity'],
  [{ entryTime: AT }, 'entryTime'],
])('an order with %j is refused', (changes, parameter) => {
  const error = refusal(() => toV2Terms({ ...LIMIT_BUY, ...changes }));
  expect(error).toMatchObject({ parameter, message: expect.stringContaining('Nothing was sent') as string });
  expect(error.hint.startsWith('Set Exits Managed By to Trigger')).toBe(['stopLoss', 'target'].includes(parameter));
});

it('an order within the limits of the interface is unchanged', () => {
  expect(toV2Terms(LIMIT_BUY)).toEqual(LIMIT_BUY);
  expect(toV2Terms({ ...LIMIT_BUY, exits: {} })).toEqual({ ...LIMIT_BUY, exits: {} });
});

it.each<[Side, PriceCondition, number, Partial<OrderTerms>, boolean]>([
  ['BUY', 'AT_OR_ABOVE', 150_000, {}, true],
  ['BUY', 'AT_OR_ABOVE', 150_005, {}, true],
  ['BUY', 'AT_OR_ABOVE', 150_010, {}, false],
  ['BUY', 'AT_OR_BELOW', 150_000, {}, false],
  ['SELL', 'AT_OR_BELOW', 150_010, {}, true],
  ['SELL', 'AT_OR_BELOW', 150_005, {}, true],
  ['SELL', 'AT_OR_BELOW', 150_000, {}, false],
  ['SELL', 'AT_OR_ABOVE', 150_010, {}, false],
  ['BUY', 'AT_OR_ABOVE', 150_000, { priceType: 'MARKET', price: undefined }, false],
  ['BUY', 'AT_OR_ABOVE', 150_000, { priceType: 'MARKET' }, false],
  ['BUY', 'AT_OR_ABOVE', 150_000, { kind: 'ICEBERG', legSize: 5 }, false],
])('an order to %s %s %i with %j is a stop-loss order: %s', (side, when, price, changes, isStop) => {
  const terms: OrderTerms = { ...LIMIT_BUY, side, condition: { when, price }, ...changes };
  if (isStop) expect(toV2Terms(terms)).toEqual({ ...terms, kind: 'STOPLOSS', triggerPrice: price });
  else expect(refusal(() => toV2Terms(terms)).parameter).toBe('condition');
});

it.each([
  [130, 2, 65],
  [195, 2, 130],
  [650, 3, 260],
  [650, 10, 65],
])('%i in %i slices is shown %i at a time: whole lots', (quantity, slices, legSize) => {
  const terms: OrderTerms = { ...LIMIT_BUY, instrument: NIFTY_FUT, kind: 'ICEBERG', quantity, slices };
  expect(toV2Terms(terms)).toEqual({ ...terms, legSize });
});

it.each<[OrderChange, string]>([
  [{ stop: EXIT }, 'stopLoss'],
  [{ stop: null }, 'stopLoss'],
  [{ target: null }, 'target'],
  [{ exitTime: null }, 'exitTime'],
  [{ goodTill: '2026-11-27' }, 'goodTillDate'],
  [{ condition: null }, 'condition'],
  [{ entryTime: null }, 'entryTime'],
])('the change %j is refused', (change, parameter) => {
  expect(refusal(() => requireV2Change(change)).parameter).toBe(parameter);
});

it.each<[Partial<BasketTerms>, string]>([
  [{ goodTill: '2026-11-27' }, 'goodTillDate'],
  [{ trailJump: 5 }, 'trailingJump'],
])('a basket with %j is refused', (changes, parameter) => {
  expect(refusal(() => requireV2Basket({ ...SPREAD, ...changes })).parameter).toBe(parameter);
  expect(() => requireV2Basket(SPREAD)).not.toThrow();
  expect(() => requireV2Change({ price: 5, quantity: 5, triggerPrice: 5 })).not.toThrow();
});
