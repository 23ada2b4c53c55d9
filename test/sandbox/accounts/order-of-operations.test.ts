/**
 * Orders, fills, cancels, pledges and payments in any order, at prices that stand still: no fill leaves an account with less than nothing but
 * by its charges, or by buying back a sold option. What is held needs the same margin, whichever way it was come to.
 */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Accounts } from '../../../sandbox/src/accounts/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import type { NewOrder } from '../../../sandbox/src/shared/orders';
import { IS_WHOLE } from '../../support/sample';
import {
  A,
  accounts,
  CALL,
  fill,
  FUTURE,
  HIGHER_CALL,
  INFY,
  INFY_BSE,
  INFY_CALL,
  INFY_FUTURE,
  INFY_PUT,
  MORNING,
  order,
  prices,
  PUT,
  snapshot,
  TCS,
} from './support';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? (IS_WHOLE ? 5_000 : 100));
const HOLDING = { refId: INFY.refId, quantity: 1_000, averagePrice: 100_000 };
/** Paise by which the roundings of a SPAN in parts may differ from that of the whole. */
const ROUNDING = 3;

const contracts = [FUTURE, CALL, HIGHER_CALL, PUT, CALL, HIGHER_CALL, INFY_FUTURE, INFY_CALL, INFY_PUT];
const pick = fc.nat(1_000);
const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      instrument: fc.constantFrom<Instrument>(...contracts, INFY, TCS, INFY_BSE),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      product: fc.constantFrom('CNC' as const, 'CNC' as const, 'IDAY' as const),
      size: fc.integer({ min: 1, max: 4 }),
      atMarket: fc.boolean(),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({ kind: fc.constant('fill' as const), pick, lots: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('amend' as const), pick, by: fc.integer({ min: -2, max: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pledge' as const), units: fc.integer({ min: -600, max: 600 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pay out' as const), percent: fc.integer({ min: 50, max: 100 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const of = prices();
const priceOf = ({ refId }: { refId: number }): number => of.last.get(refId)!;

/** An account and its open orders, with what they have traded. */
interface AccountState {
  books: Accounts;
  open: Map<bigint, { order: NewOrder; lot: number; filled: number }>;
  next: bigint;
  at: number;
}

function opened(funds: number): AccountState {
  const books = accounts(of);
  books.open(A, { funds, holdings: [HOLDING] }, MORNING);
  return { books, open: new Map(), next: 1n, at: MORNING };
}

function carryOut(kept: AccountState, deed: Step): void {
  const { books, open } = kept;
  kept.at += 1_000;
  const chosen = 'pick' in deed && open.size > 0 ? [...open][deed.pick % open.size] : undefined;
  if (deed.kind === 'place') {
    const { instrument, side, product, size, atMarket } = deed;
    const { refId, lotSize } = instrument;
    const quantity = size * (instrument.derivativeType === 'STOCK' ? 100 : lotSize);
    const terms = atMarket
      ? ({ priceType: 'MARKET', price: 0, validity: 'IOC' } as const)
      : ({ price: priceOf(instrument) } as const);
    const made = order({ refId, side, product, quantity, ...terms });
    const id = kept.next++;
    if (!books.hold(id, made, priceOf(instrument), kept.at).ok) return;
    const one = { order: made, lot: instrument.derivativeType === 'STOCK' ? 100 : lotSize, filled: 0 };
    open.set(id, one);
    // One at market trades at once, in part or whole, and never waits.
    if (!atMarket) return;
    trade(kept, id, Math.ceil(size / 2) * one.lot);
    if (open.has(id)) end(kept, id);
  } else if (deed.kind === 'pledge') {
    if (deed.units > 0) books.pledge(A, INFY.refId, deed.units, kept.at);
    else books.unpledge(A, INFY.refId, -deed.units, kept.at);
  } else if (deed.kind === 'pay out')
    books.addFunds(A, -Math.floor((Math.max(0, books.funds(A).available) * deed.percent) / 100), kept.at);
  else if (chosen === undefined) return;
  else if (deed.kind === 'fill') trade(kept, chosen[0], deed.lots * chosen[1].lot);
  else if (deed.kind === 'cancel') end(kept, chosen[0]);
  else {
    const { order: now, lot, filled } = chosen[1];
    const changed = { ...now, quantity: Math.max(filled + lot, now.quantity + deed.by * lot) };
    if (books.amend(chosen[0], changed, priceOf(now), kept.at).ok) chosen[1].order = changed;
  }
}

/** Ends an open order. */
function end({ books, open, at }: AccountState, id: bigint): void {
  const { order: placed, filled } = open.get(id)!;
  books.orderChanged(snapshot(id, placed, 'CANCELLED', filled), at);
  open.delete(id);
}

/** Trades a part of an open order at its price of the moment, which is always the same. */
function trade({ books, open, at }: AccountState, id: bigint, most: number): void {
  const one = open.get(id)!;
  const { order: placed } = one;
  const quantity = Math.min(most, placed.quantity - one.filled);
  const before = books.funds(A);
  const isSold = books
    .positions(A)
    .some(
      ({ refId, product, openQuantity }) => refId === placed.refId && product === placed.product && openQuantity < 0,
    );
  one.filled += quantity;
  const isWhole = one.filled === placed.quantity;
  books.trade(fill(id, placed, quantity, priceOf(placed), at), at);
  books.orderChanged(snapshot(id, placed, isWhole ? 'FILLED' : 'PARTIAL_FILLED', one.filled), at);
  if (isWhole) open.delete(id);
  const buysBack = placed.side === 'BUY' && isSold && books.instrument(placed.refId)!.derivativeType === 'OPT';
  const { available, charges } = books.funds(A);
  const least = Math.min(0, before.available - (charges - before.charges) - ROUNDING);
  if (!buysBack) expect(available).toBeGreaterThanOrEqual(least);
}

describe('operations in any order', () => {
  test('leave what is held carried by the money, and with the margin of what is held alone', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 30, maxLength: 60 }),
        fc.integer({ min: 30_000_000, max: 300_000_000 }),
        (deeds, funds) => {
          const kept = opened(funds);
          for (const deed of deeds) carryOut(kept, deed);
          const { books } = kept;
          const alone = accounts(of);
          alone.open(A, { funds, holdings: [HOLDING] }, MORNING);
          let id = 1n;
          for (const { refId, product, openQuantity } of books.positions(A)) {
            if (openQuantity === 0) continue;
            const side = openQuantity > 0 ? 'BUY' : 'SELL';
            const size = Math.abs(openQuantity);
            const made = order({ refId, side, product, quantity: size });
            alone.trade(fill(id++, made, size, priceOf({ refId }), MORNING), MORNING);
          }
          expect(books.funds(A).heldForPositions).toBe(alone.funds(A).heldForPositions);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
