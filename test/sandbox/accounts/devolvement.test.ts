/** Options of MCX that become futures at their expiry, against figures that are worked out by hand in whole paise. */
import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { settledBy } from '../../../sandbox/src/market/reference/instrument-class';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { rupees } from '../../../sandbox/src/shared/money';
import type { Side } from '../../../sandbox/src/shared/orders';
import { A, fill, order } from './support';

const FUNDS = 100_000_000_00;
const market = createMarket({ seed: 3, universe: 'full' });
const noon = (date: string): number => Date.parse(`${date}T11:00:00+05:30`);
const evening = (date: string): number => Date.parse(`${date}T23:59:00+05:30`);
const universe = market.universe(noon('2026-11-20'));

/** The nearest options of a commodity at a strike, the future that they are on, and their last day. */
function contractsOf(asset: string, near: number) {
  const [expiry] = universe.expiries('MCX', asset);
  const { ce, pe } = universe.options('MCX', asset, expiry!);
  const at = ce.reduce(
    (best, { strikePrice }, index) =>
      Math.abs(strikePrice - near) < Math.abs(ce[best]!.strikePrice - near) ? index : best,
    0 as number,
  );
  const date = String(expiry).replace(/(....)(..)(..)/, '$1-$2-$3');
  return {
    call: ce[at]!,
    put: pe[at]!,
    future: universe.byRefId(ce[at]!.settlesInto!)!,
    strike: ce[at]!.strikePrice,
    date,
  };
}

/** Books of an account in which each contract has a price, paise. */
function booksOf(contracts: readonly Instrument[], price: Map<number, number>, from = noon('2026-11-20')) {
  const books = createAccounts({
    calendar: {
      isTradingDay: (exchange, date) => market.calendar.isTradingDay(exchange, date),
      nextTradingDay: (exchange, date) => market.calendar.nextTradingDay(exchange, date),
    },
    instrument: (refId) => contracts.find((contract) => contract.refId === refId),
    listings: ({ refId }) => [refId],
    buyIn: () => ({ price: 0, how: 'AUCTION' }),
    lastPrice: ({ refId }) => price.get(refId)!,
    previousClose: ({ refId }) => price.get(refId)!,
  });
  books.open(A, { funds: FUNDS, holdings: [] }, from);
  return books;
}

/**
 * Charges of a trade of a future of MCX, paise, by the rates a crore: brokerage 3 in 10,000 and at most Rs 20, exchange 210, SEBI 10, tax 1,000 on a sale, stamp 200 on a purchase. GST is on
 * the services of the day: of an option traded before brokerage is Rs 20, exchange 4,180, SEBI 10. @param premium of that option, in all */
function chargesByHand(value: number, side: Side, premium: number): number {
  const part = (perCrore: number, of = value): number => Math.round((of * perCrore) / 1_00_00_000);
  const [brokerage, exchange, sebi] = [Math.min(2_000, part(3_000)), part(210), part(10)];
  const earlierCharges = 2_000 + part(4_180, premium) + part(10, premium);
  const gst = Math.round((earlierCharges + brokerage + exchange + sebi) * 0.18) - Math.round(earlierCharges * 0.18);
  return brokerage + exchange + sebi + gst + (side === 'SELL' ? Math.round(part(1_000) / 100) * 100 : part(200));
}

describe.each([
  ['CRUDEOIL', 100, 790_000],
  ['GOLD', 100, 15_925_000],
  ['ZINC', 5_000, 37_000],
])('%s, of which a rupee is worth Rs %i on a lot', (asset, worth, near) => {
  const { call, put, future, strike, date } = contractsOf(asset, near);
  const rupee = future.lotMultiplier;
  const lots = 3;

  test('the future is of the same commodity and expires later', () => {
    expect([future.derivativeType, future.asset, rupee]).toEqual(['FUT', asset, worth]);
    expect(future.expiry).toBeGreaterThan(call.expiry);
  });

  test.each([
    ['a bought call in the money becomes a bought future', 'CE', 'BUY', 700, 'BUY'],
    ['a sold call in the money becomes a sold future', 'CE', 'SELL', 700, 'SELL'],
    ['a bought put in the money becomes a sold future', 'PE', 'BUY', -700, 'SELL'],
    ['a sold put in the money becomes a bought future', 'PE', 'SELL', -700, 'BUY'],
    ['a bought call out of the money lapses', 'CE', 'BUY', -700, undefined],
    ['a sold call at the money lapses', 'CE', 'SELL', 0, undefined],
    ['a bought put at the money lapses', 'PE', 'BUY', 0, undefined],
    ['a sold put out of the money lapses', 'PE', 'SELL', 700, undefined],
  ] as const)('%s', (_name, type, side, above, becomes) => {
    const option = type === 'CE' ? call : put;
    const [premium, close, quantity] = [2_000, strike + above, lots * future.lotSize];
    const price = new Map([
      [option.refId, premium],
      [future.refId, close],
    ]);
    const books = booksOf([call, put, future], price);
    const when = noon(date);
    books.trade(
      fill(1n, order({ refId: option.refId, side, quantity, price: premium }), quantity, premium, when),
      when,
    );
    const before = books.funds(A);
    books.endOfDay(date, evening(date));

    const sign = side === 'BUY' ? 1 : -1;
    const day = books.closes(A).at(-1)!;
    const paid = -sign * lots * rupee * premium;
    if (becomes === undefined) {
      expect(books.positions(A)).toEqual([]);
      expect(day.funds.cash).toBe(before.cash);
      expect(day.funds.realised).toBe(paid);
      expect(books.trades(A)).toHaveLength(1);
      return;
    }
    const long = becomes === 'BUY' ? 1 : -1;
    const charges = chargesByHand(lots * rupee * strike, becomes, lots * rupee * premium);
    const marked = long * lots * rupee * (close - strike);
    expect(books.trades(A).at(-1)!.trade).toMatchObject({
      refId: future.refId,
      side: becomes,
      product: 'CNC',
      price: strike,
      quantity,
    });
    expect(day.funds.charges - before.charges).toBe(charges);
    // The premium is gone or kept, the future is marked to market at its close, and nothing else moves.
    expect(day.funds.realised).toBe(paid + marked);
    expect(day.funds.cash).toBe(before.cash + marked - charges);
    expect(books.positions(A)).toMatchObject([{ refId: future.refId, product: 'CNC', openQuantity: long * quantity }]);
    expect(books.positions(A)[0]!.openValue).toBe(long * lots * rupee * close);
    const margin = books.funds(A).heldForPositions;
    expect(margin).toBeGreaterThan(0.08 * lots * rupee * close);
    expect(margin).toBeLessThan(0.2 * lots * rupee * close);
    // The next day's profit counts from that close.
    price.set(future.refId, close + 1_300);
    const next = market.calendar.nextTradingDay('MCX', date);
    books.endOfDay(next, evening(next));
    expect(books.closes(A).at(-1)!.funds.realised).toBe(long * lots * rupee * 1_300);
  });

  test('it closes a future that is held the other way, at the strike', () => {
    const [close, quantity] = [strike + 900, lots * future.lotSize];
    const price = new Map([
      [call.refId, 1_000],
      [future.refId, close],
    ]);
    const books = booksOf([call, put, future], price);
    const when = noon(date);
    books.trade(
      fill(1n, order({ refId: future.refId, quantity, price: strike + 400 }), quantity, strike + 400, when),
      when,
    );
    books.trade(
      fill(2n, order({ refId: call.refId, side: 'SELL', quantity, price: 1_000 }), quantity, 1_000, when),
      when,
    );
    books.endOfDay(date, evening(date));
    expect(books.positions(A)).toEqual([]);
    expect(books.closes(A).at(-1)!.funds.realised).toBe(lots * rupee * (1_000 - 400));
    expect(books.funds(A).heldForPositions).toBe(0);
    const text = `Sold ${quantity} ${future.displayName} at ${rupees(strike)}, devolved from ${call.displayName}`;
    expect(books.ledger(A)).toContainEqual(expect.objectContaining({ text, amount: -lots * rupee * 400 }));
  });

  test('a bought option in the money needs 25, 50 and on its last day 100 % of the margin of its future', () => {
    const [close, quantity] = [strike + 900, lots * future.lotSize];
    const price = new Map([
      [call.refId, 1_000],
      [put.refId, 1_000],
      [future.refId, close],
    ]);
    const of = (refId: number, days: number, side: Side = 'BUY') => {
      let day = date;
      for (let back = 0; back < days; back += 1) day = market.calendar.previousTradingDay('MCX', day);
      const books = booksOf([call, put, future], price, noon(day));
      books.trade(fill(1n, order({ refId, side, quantity, price: 1_000 }), quantity, 1_000, noon(day)), noon(day));
      books.showAt(noon(day));
      return books.funds(A).heldForPositions;
    };
    const whole = of(future.refId, 1);
    expect([3, 2, 1, 0].map((days) => of(call.refId, days))).toEqual(
      [0, 0.25, 0.5, 1].map((part) => Math.round(part * whole)),
    );
    expect(of(put.refId, 0)).toBe(0);
  });
});

test('every option of MCX but those on an index is on a future that expires later, several expiries on the same one', () => {
  const nameOf = (asset: string) => (expiry: number) => {
    const { ce, pe } = universe.options('MCX', asset, expiry);
    const futures = new Set(
      [...ce, ...pe].map((option) => settledBy(option, (refId) => universe.byRefId(refId))!.symbol),
    );
    expect(futures.size).toBe(1);
    return [...futures][0];
  };
  expect(universe.expiries('MCX', 'GOLD').slice(0, 4).map(nameOf('GOLD'))).toEqual([
    'GOLD26DECFUT',
    'GOLD27FEBFUT',
    'GOLD27FEBFUT',
    'GOLD27APRFUT',
  ]);
  const [index] = universe.expiries('MCX', 'MCXBULLDEX');
  expect(universe.options('MCX', 'MCXBULLDEX', index!).ce.map(({ settlesInto }) => settlesInto)).toContain(undefined);
});
