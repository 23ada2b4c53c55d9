/** Strategies and baskets that are still being entered while the broker closes one of their legs: a margin call, a square-off. */
import { describe, expect, test } from '@jest/globals';
import { USUAL_LATENCY } from '../../../../sandbox/src/exchange/models/latency';
import { basketing } from '../../../support/basketing';
import { intending } from '../../../support/intents';
import { CALL, MONDAY_TEN, PUT } from '../../../support/still-market';
import type { Trading } from '../../../support/trading';

const REASON = 'Margin call: the broker closes the position';
/** Of the call less than the book has within its protection, of the put more. */
const [CALLS, PUTS, SHOWN] = [65, 65 * 24, 65];
/** Long enough for every try again. */
const LATER = 60_000;

/** All orders of the day, also those that no list shows yet. */
const ordersOf = ({ exchange, now }: Pick<Trading, 'exchange' | 'now'>) => exchange.orders('A', now() + LATER);

interface Leg {
  refId: number;
  filledQuantity: number;
  exitQuantity: number;
}

/** Each interface: a call that is bought, and puts that are there in part. */
const WAYS = {
  'a strategy'(latency: typeof USUAL_LATENCY | undefined) {
    const t = intending(latency && { latency });
    t.market.shown = SHOWN;
    const id = t.enter({
      multi: true,
      legs: [
        { refId: CALL.refId, unit: 1 },
        { refId: PUT.refId, unit: PUTS / CALLS },
      ],
      quantity: CALLS,
      priceType: 'MARKET',
      validity: 'IOC',
      price: 0,
      exits: { stop: { trigger: 100, limit: 50, jump: null }, target: null, time: null },
    });
    const closed = (refId: number): void =>
      t.intents.closedByBroker({ account: 'A', product: 'CNC', refId }, REASON, t.now());
    return { t, closed, legs: (): Leg[] => t.get(id).legs, end: () => [t.get(id).status, t.get(id).reason] };
  },
  'a basket of the older interface'(latency: typeof USUAL_LATENCY | undefined) {
    const t = basketing(latency && { latency });
    t.market.shown = SHOWN;
    const id = t.enter({
      legs: [
        { refId: CALL.refId, quantity: CALLS, side: 'BUY' },
        { refId: PUT.refId, quantity: PUTS, side: 'BUY' },
      ],
      stoplossPrice: 100,
      product: 'CNC',
    });
    const closed = (refId: number): void =>
      t.baskets.closedByBroker({ account: 'A', product: 'CNC', refId }, REASON, t.now());
    const end = () => [t.get(id).status === 'CLOSED' ? 'CANCELLED' : t.get(id).status, t.get(id).reason];
    return { t, closed, legs: (): Leg[] => t.get(id).legs, end };
  },
} as const;

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('%s that is being entered', (way) => {
  const filled = (legs: readonly Leg[], { refId }: { refId: number }): number =>
    legs.find((leg) => leg.refId === refId)!.filledQuantity;

  test.each([CALL, PUT])('ends where the broker closes its leg of $symbol, and orders nothing more', ({ refId }) => {
    const { t, closed, legs, end } = WAYS[way](undefined);
    while (filled(legs(), PUT) === 0 && t.now() < MONDAY_TEN + LATER) t.pass(100);
    expect(filled(legs(), CALL)).toBe(CALLS);
    expect(filled(legs(), PUT)).toBeGreaterThan(0);
    expect(filled(legs(), PUT)).toBeLessThan(PUTS);
    closed(refId);
    const [before, orders] = [structuredClone(legs()), ordersOf(t).length];
    t.market.shown = PUTS;
    t.pass(LATER);
    expect(end()).toEqual(['CANCELLED', REASON]);
    expect(legs()).toEqual(before);
    expect(ordersOf(t)).toHaveLength(orders);
  });

  test('ends before anything of that leg is filled; what the exchange fills until it has the cancel is taken in', () => {
    const { t, closed, legs, end } = WAYS[way](USUAL_LATENCY);
    while (ordersOf(t).length < 2 && t.now() < MONDAY_TEN + LATER) t.pass(10);
    expect([filled(legs(), CALL), filled(legs(), PUT)]).toEqual([0, 0]);
    closed(PUT.refId);
    const orders = ordersOf(t).length;
    t.pass(LATER);
    expect(end()).toEqual(['CANCELLED', REASON]);
    expect(ordersOf(t)).toHaveLength(orders);
    const traded = ordersOf(t).reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);
    expect(filled(legs(), CALL) + filled(legs(), PUT)).toBe(traded);
    expect(legs().every(({ exitQuantity }) => exitQuantity === 0)).toBe(true);
  });
});
