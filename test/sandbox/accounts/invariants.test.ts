import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { totalCharges } from '../../../sandbox/src/accounts/charges';
import type { NewOrder, Trade } from '../../../sandbox/src/shared/orders';
import {
  A,
  accounts,
  CALL,
  fill,
  FUTURE,
  HIGHER_CALL,
  INFY,
  INFY_BSE,
  MORNING,
  order,
  prices,
  PUT,
  snapshot,
  TCS,
} from './support';
import { IS_WHOLE } from '../../support/sample';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (IS_WHOLE ? 150 : 25));
const OPENING = 500_000_000;
const DAY = 86_400_000;

const instrument = fc.constantFrom(INFY, INFY, INFY_BSE, TCS, FUTURE, CALL, HIGHER_CALL, PUT);
const pick = fc.nat({ max: 1_000 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      instrument,
      buy: fc.boolean(),
      lots: fc.integer({ min: 1, max: 30 }),
      iday: fc.boolean(),
      market: fc.boolean(),
      off: fc.integer({ min: -900, max: 900 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      pick,
      part: fc.integer({ min: 1, max: 4 }),
      better: fc.integer({ min: 0, max: 50 }),
      snapshotFirst: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('amend' as const), pick, by: fc.integer({ min: -5, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('pledge' as const),
      quantity: fc.integer({ min: 1, max: 80 }),
      back: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('night' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('move' as const), percent: fc.integer({ min: -9, max: 9 }) }),
  },
);

/** Open orders seen from outside, with their fills so far. */
interface Live {
  order: NewOrder;
  filled: number;
}

/** One share, whichever exchange it is traded on. */
const shareOf = (refId: number): number => (refId === INFY_BSE.refId ? INFY.refId : refId);

describe('invariants of the books', () => {
  test('cash + held + realised is opening − charges, a position is the sum of its fills, nothing is held once all orders ended', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const of = prices();
        let books = accounts(of);
        books.open(
          A,
          { funds: OPENING, holdings: [{ refId: INFY.refId, quantity: 100, averagePrice: 120_000 }] },
          MORNING,
        );
        const live = new Map<bigint, Live>();
        const fills: Trade[] = [];
        let at = MORNING;
        let id = 0n;
        let sharesAtOpen = new Map([[INFY.refId, 100]]);

        const choose = (index: number) => [...live][index % live.size]!;
        const end = (orderId: bigint) => {
          books.orderChanged(snapshot(orderId, live.get(orderId)!.order, 'CANCELLED', live.get(orderId)!.filled), at);
          live.delete(orderId);
        };

        const check = () => {
          const funds = books.funds(A);
          expect(funds.cash).toBe(funds.opening + funds.added + funds.realised - funds.charges - funds.invested);
          const inCash =
            funds.heldForOrders +
            funds.heldForPositions +
            funds.unrealisedLoss -
            funds.available -
            funds.collateralUsed;
          expect(funds.cash + inCash).toBeGreaterThanOrEqual(0);
          if (funds.collateral === 0) {
            expect(funds.available + funds.heldForOrders + funds.heldForPositions + funds.unrealisedLoss).toBe(
              funds.opening + funds.added + funds.realised - funds.charges - funds.invested,
            );
          }
          const gained = books
            .positions(A)
            .filter(({ refId, product }) => refId === FUTURE.refId || (refId < 10 && product === 'IDAY'))
            .reduce(
              (sum, position) => sum + position.openQuantity * of.last.get(position.refId)! - position.openValue,
              0,
            );
          expect(funds.unrealisedLoss).toBe(Math.max(0, -gained));
          const blocked = books.blocked(A);
          expect(blocked.derivativePositions + blocked.intradayPositions).toBe(funds.heldForPositions);
          expect(accounts(of, books.state()).funds(A)).toEqual(funds);
          expect(books.ledger(A).reduce((sum, { amount }) => sum + amount, 0)).toBe(funds.cash);
          expect(books.ledger(A).at(-1)!.balance).toBe(funds.cash);
          const today = fills.filter((trade) => Number(trade.at / 1_000_000n) >= at - (at % DAY));
          for (const position of books.positions(A)) {
            if (position.product === 'IDAY' || position.refId < 10) {
              const signed = today
                .filter((trade) => trade.refId === position.refId && trade.product === position.product)
                .reduce((sum, trade) => sum + (trade.side === 'BUY' ? trade.quantity : -trade.quantity), 0);
              expect(position.quantity).toBe(signed);
            }
            if (position.product === 'IDAY' || position.refId >= 10) {
              expect(position.openQuantity).toBe(position.quantity);
              expect(position.realised).toBe(position.sellValue - position.buyValue + position.openValue);
            }
          }
          // What the evening closes is a trade without an order of anybody, and has its charges.
          const [placed, closed] = [true, false].map((own) =>
            books.trades(A).filter(({ trade }) => trade.orderId < 1_000_000n === own),
          );
          expect(placed).toHaveLength(fills.length);
          for (const { trade, charges } of closed!) {
            expect(trade.product).toBe('IDAY');
            expect(totalCharges(charges)).toBeGreaterThan(0);
          }
        };

        for (const action of steps) {
          at += 1_000;
          if (action.kind === 'place') {
            id += 1n;
            const reference = of.last.get(action.instrument.refId)!;
            const placed = order({
              refId: action.instrument.refId,
              side: action.buy ? 'BUY' : 'SELL',
              quantity: action.lots * action.instrument.lotSize,
              product: action.iday ? 'IDAY' : 'CNC',
              priceType: action.market ? 'MARKET' : 'LIMIT',
              price: action.market ? 0 : reference + action.off,
            });
            const before = books.funds(A);
            if (books.hold(id, placed, reference, at).ok) live.set(id, { order: placed, filled: 0 });
            else expect(books.funds(A)).toEqual(before);
          } else if (action.kind === 'fill' && live.size > 0) {
            const [orderId, item] = choose(action.pick);
            const remaining = item.order.quantity - item.filled;
            const quantity = action.part === 4 ? remaining : Math.min(remaining, action.part);
            const limit = item.order.price || of.last.get(item.order.refId)!;
            const price = item.order.side === 'BUY' ? limit - action.better : limit + action.better;
            item.filled += quantity;
            const full = item.filled === item.order.quantity;
            const trade = fill(orderId, item.order, quantity, price, at);
            const after = snapshot(orderId, item.order, full ? 'FILLED' : 'PARTIAL_FILLED', item.filled);
            if (action.snapshotFirst) books.orderChanged(after, at);
            books.trade(trade, at);
            if (!action.snapshotFirst) books.orderChanged(after, at);
            fills.push(trade);
            if (full) live.delete(orderId);
          } else if (action.kind === 'cancel' && live.size > 0) {
            end(choose(action.pick)[0]);
          } else if (action.kind === 'amend' && live.size > 0) {
            const [orderId, live] = choose(action.pick);
            const changed = { ...live.order, quantity: Math.max(live.filled + 1, live.order.quantity + action.by) };
            const before = books.funds(A);
            if (books.amend(orderId, changed, of.last.get(changed.refId)!, at).ok) live.order = changed;
            else expect(books.funds(A)).toEqual(before);
          } else if (action.kind === 'pledge') {
            if (action.back) books.unpledge(A, INFY.refId, action.quantity, at);
            else books.pledge(A, INFY.refId, action.quantity, at);
          } else if (action.kind === 'move') {
            for (const [refId, price] of of.last)
              of.last.set(refId, Math.max(5, Math.round((price * (100 + action.percent)) / 100)));
          } else if (action.kind === 'night') {
            for (const orderId of [...live.keys()]) end(orderId);
            const date = new Date(at + 19_800_000).toISOString().slice(0, 10);
            const net = new Map(sharesAtOpen);
            for (const trade of fills.filter(
              (fill) =>
                fill.refId < 10 &&
                fill.product === 'CNC' &&
                new Date(Number(fill.at / 1_000_000n) + 19_800_000).toISOString().startsWith(date),
            )) {
              const share = shareOf(trade.refId);
              net.set(share, (net.get(share) ?? 0) + (trade.side === 'BUY' ? trade.quantity : -trade.quantity));
            }
            books.endOfDay(date, at);
            const held = new Map(
              books.holdings(A).map((holding) => [shareOf(holding.refId), holding.quantity + holding.t1Quantity]),
            );
            expect(books.holdings(A)).toHaveLength(held.size);
            expect(held).toEqual(new Map([...net].filter(([, quantity]) => quantity !== 0)));
            expect(books.positions(A).every(({ refId, product }) => refId >= 10 && product === 'CNC')).toBe(true);
            sharesAtOpen = held;
            at += DAY;
            books = accounts(of, books.state());
          }
          check();
        }

        for (const orderId of [...live.keys()]) end(orderId);
        check();
        expect(books.funds(A).heldForOrders).toBe(0);
        // Taxes of a share that is bought and sold on a day become less with the later trade; together they are never negative.
        const taxes = new Map<string, number>();
        for (const { trade, date, charges } of books.trades(A)) {
          const { brokerage, exchange, sebi, gst, stt, stamp } = charges;
          expect(Math.min(brokerage, exchange, sebi, gst)).toBeGreaterThanOrEqual(0);
          for (const [name, tax] of Object.entries({ stt, stamp })) {
            const key = [name, date, trade.refId].join();
            taxes.set(key, (taxes.get(key) ?? 0) + tax);
            expect(taxes.get(key)).toBeGreaterThanOrEqual(0);
          }
        }
        expect(
          books
            .ledger(A)
            .filter(({ kind }) => kind === 'CHARGES')
            .reduce((sum, { amount }) => sum - amount, 0),
        ).toBeGreaterThanOrEqual(books.trades(A).reduce((sum, { charges }) => sum + totalCharges(charges), 0));
      }),
      { numRuns: RUNS },
    );
  });
});
