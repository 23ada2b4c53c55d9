import { ONE_SHARE } from '../../../../client/values/contract-value';
import fc from 'fast-check';
import { PRICE_TYPES, SIDES, type OrderTerms } from '../../../../client/orders/model/order-terms';
import {
  valueDependsOnLastPrice,
  netTerms,
  reachablePrices,
  worstValue,
} from '../../../../client/orders/model/reachable-prices';
import { LIMIT_BUY, SPREAD } from '../support';

const price = fc.integer({ min: 5, max: 400_000 });
const terms: fc.Arbitrary<OrderTerms> = fc
  .record({
    side: fc.constantFrom(...SIDES),
    priceType: fc.constantFrom(...PRICE_TYPES),
    price,
    triggerPrice: price,
    kind: fc.constantFrom('REGULAR', 'STOPLOSS', 'ICEBERG'),
    quantity: fc.integer({ min: 1, max: 1_000 }),
    condition: fc.option(fc.record({ when: fc.constantFrom('AT_OR_ABOVE', 'AT_OR_BELOW'), price }), { nil: undefined }),
    exits: fc.option(
      fc.record({
        stop: fc.record({ trigger: price, limit: price }),
        target: fc.record({ trigger: price, limit: price }),
      }),
      { nil: undefined },
    ),
  })
  .map((fields) => ({ ...LIMIT_BUY, ...fields }) as OrderTerms);

it('value is that of the dearest price at which anything is bought, and of the best at which the order itself may sell', () => {
  fc.assert(
    fc.property(terms, price, (order, last) => {
      const isLimit = order.priceType === 'LIMIT';
      const waits = [
        ...(order.kind === 'STOPLOSS' ? [order.triggerPrice!] : []),
        ...(order.condition === undefined ? [] : [order.condition.price]),
      ];
      const own =
        order.side === 'BUY' && isLimit ? [order.price!] : [...(isLimit ? [order.price!] : []), last, ...waits];
      const back = order.side === 'SELL' && order.exits ? [order.exits.stop!.limit, order.exits.target!.limit] : [];
      const worst = Math.max(...own, ...back) * order.quantity;
      expect(worstValue(order, ONE_SHARE, valueDependsOnLastPrice(order) ? last : 0)).toBe(worst);
    }),
  );
});

it('every price of the terms is reachable but what a purchase limit caps', () => {
  fc.assert(
    fc.property(terms, (order) => {
      const prices = reachablePrices(order).map((reachable) => reachable.price);
      if (order.exits)
        expect(prices).toEqual(expect.arrayContaining([order.exits.stop!.limit, order.exits.target!.limit]));
      if (order.priceType === 'LIMIT') expect(prices).toContain(order.price);
      else if (order.condition) expect(prices).toContain(order.condition.price);
    }),
  );
});

it('the net prices of a basket are those of its entry and its exits', () => {
  const { prices, units } = netTerms({
    ...SPREAD,
    priceType: 'LIMIT',
    price: 4_000,
    stopLossPrice: 1_000,
    targetPrice: 9_000,
  });
  expect(prices.map(({ name, price: net, side }) => [name, net, side])).toEqual([
    ['the net price', 4_000, 'BUY'],
    ['the stop loss', 1_000, 'SELL'],
    ['the target', 9_000, 'SELL'],
  ]);
  expect(units).toBeGreaterThan(0);
});
