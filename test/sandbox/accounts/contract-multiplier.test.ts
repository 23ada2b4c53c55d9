/** The books of a commodity that is quoted in another unit than it trades in, against figures that are worked out by hand. */
import { chargesOf, totalCharges } from '../../../sandbox/src/accounts/charges';
import { createAccounts } from '../../../sandbox/src/accounts/accounts';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { A, fill, order } from './support';

const AT = Date.parse('2026-11-20T11:00:00+05:30');
const EVENING = Date.parse('2026-11-20T23:59:00+05:30');
const universe = createMarket({ seed: 3, universe: 'full' }).universe(AT);
const FUNDS = 100_000_000_00;

/** Books in which one contract has a price. */
function booksOf(contract: Instrument, price: { last: number }) {
  const books = createAccounts({
    calendar: { isTradingDay: () => true, nextTradingDay: (_exchange, date) => date },
    instrument: (refId) => (refId === contract.refId ? contract : undefined),
    listings: ({ refId }) => [refId],
    buyIn: () => ({ price: 0, how: 'AUCTION' }),
    lastPrice: () => price.last,
    previousClose: () => price.last,
  });
  books.open(A, { funds: FUNDS, holdings: [] }, AT);
  return books;
}

it.each([
  ['GOLD', 1, 100],
  ['GOLDM', 100, 10],
  ['GOLDGUINEA', 8, 1],
  ['ZINC', 5, 5_000],
  ['KAPAS', 4, 200],
  ['CRUDEOIL', 100, 100],
])(
  '%s: value, margin, charges, profit and marking to market of lots of %i are %i rupees a rupee of price',
  (asset, lot, rupees) => {
    const [contract] = universe.futures('MCX', asset);
    expect(contract).toBeDefined();
    const [entry, exit, lots] = [1_500_000, 1_512_500, 3];
    const price = { last: entry };
    const books = booksOf(contract!, price);
    const bought = order({ refId: contract!.refId, quantity: lots * lot, price: entry });
    const value = lots * rupees * entry;
    const { totalMargin, span, exposure } = books.marginRequired(A, [bought], { withPortfolio: false }, AT);
    expect(totalMargin).toBe(span + exposure);
    // Scan range and exposure margin of commodities, as the table of margins has them: a good tenth of the value together.
    expect(totalMargin / value).toBeGreaterThan(0.08);
    expect(totalMargin / value).toBeLessThan(0.2);
    expect(books.hold(1n, bought, 0, AT)).toEqual({ ok: true });
    expect(books.funds(A).heldForOrders).toBe(totalMargin);
    books.trade(fill(1n, bought, lots * lot, entry, AT), AT);
    expect(books.funds(A)).toMatchObject({ heldForPositions: totalMargin, heldForOrders: 0 });
    expect(books.positions(A)[0]).toMatchObject({ buyValue: value, openValue: value });
    const paid = totalCharges(chargesOf(contract!, 'CNC', 'BUY', value, '2026-11-20'));
    expect(books.funds(A).charges).toBe(paid);
    price.last = exit;
    books.endOfDay('2026-11-20', EVENING);
    const gained = lots * rupees * (exit - entry);
    expect(books.ledger(A).find(({ kind }) => kind === 'MARK_TO_MARKET')?.amount).toBe(gained);
    expect(books.funds(A).cash).toBe(FUNDS + gained - paid);
  },
);

it('one lot of GOLD at Rs 1,59,250 is worth Rs 1,59,25,000, and its margin lakhs', () => {
  const [gold] = universe.futures('MCX', 'GOLD');
  const books = booksOf(gold!, { last: 15_925_000 });
  const bought = order({ refId: gold!.refId, quantity: 1, price: 15_925_000 });
  expect(books.marginRequired(A, [bought], { withPortfolio: false }, AT).totalMargin).toBeGreaterThan(10_00_000_00);
});
