/**
 * Costs that belong to no order are in the statements all the same: the tax on an exercise, and the charges of what
 * midnight closes.
 */
import { totalCharges } from '../../../sandbox/src/accounts/charges';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { tradebook } from '../../../sandbox/src/reports/tables/trades';
import { profitAndLoss } from '../../../sandbox/src/reports/tables/profit';
import type { ReportSource } from '../../../sandbox/src/reports/tables/source';
import { A, accounts, CALL, fill, MORNING, order, prices, TCS } from '../accounts/support';

const EXPIRY = '2026-11-24';
const AT = Date.parse(`${EXPIRY}T10:00:00+05:30`);
const CLOSE = Date.parse(`${EXPIRY}T23:59:00+05:30`);

function sourceOf(books: ReturnType<typeof accounts>): ReportSource {
  const client = { clientCode: A, name: 'Asha', email: '', phone: '', pan: '' };
  const none = { holdings: [], gains: [] } as unknown as ReportSource['funds'];
  return { client, accounts: books, lastPrice: () => 0, previousClose: () => 0, at: CLOSE, funds: none };
}

const amounts = (document: Awaited<ReturnType<typeof contractNote>>): Record<string, unknown> =>
  Object.fromEntries(
    document!.sections
      .find(({ title }) => title.startsWith('Obligation'))!
      .rows.map((row) => [row['particulars'], row['amount']]),
  );

it('an option that is exercised on a day without a trade has a contract note with its tax, and is in tradebook and result', async () => {
  const of = prices();
  const books = accounts(of);
  books.open(A, { funds: 1_000_000_000, holdings: [] }, MORNING);
  const bought = order({ refId: CALL.refId, quantity: 65, price: 20_000 });
  books.trade(fill(1n, bought, 65, 20_000, MORNING), MORNING);
  of.last.set(10, 2_612_345);
  books.endOfDay(EXPIRY, CLOSE);
  const period = { from: EXPIRY, to: EXPIRY };
  expect(amounts(await contractNote(sourceOf(books), period))).toMatchObject({
    'Securities transaction tax on exercised options': -1_200,
  });
  const book = await tradebook(sourceOf(books), period);
  expect(book!.figures.find(({ key }) => key === 'charges')?.value).toBe(1_200);
  expect(book!.sections.at(-1)).toMatchObject({ title: 'Tax on exercised options', totals: { charges: 1_200 } });
  expect(profitAndLoss(sourceOf(books), period)!.figures.find(({ key }) => key === 'charges')?.value).toBe(1_200);
});

it('closings at midnight are in the contract note with their charges, which the ledger has taken', async () => {
  const books = accounts();
  books.open(A, { funds: 1_000_000_000, holdings: [] }, MORNING);
  const bought = order({ refId: TCS.refId, product: 'IDAY', quantity: 10, price: 300_000 });
  books.trade(fill(1n, bought, 10, 300_000, AT), AT);
  books.endOfDay(EXPIRY, CLOSE);
  expect(books.positions(A)).toEqual([]);
  const trades = books.trades(A);
  expect(trades.map(({ trade }) => [trade.side, trade.quantity, trade.price])).toEqual([
    ['BUY', 10, 300_000],
    ['SELL', 10, 300_000],
  ]);
  const charged = trades.reduce((sum, { charges }) => sum + totalCharges(charges), 0);
  const note = await contractNote(sourceOf(books), { from: EXPIRY, to: EXPIRY });
  const net = note!.sections.at(-1)!.totals!['amount'];
  expect(net).toBe(-charged);
  expect(books.ledger(A).at(-1)!.balance).toBe(1_000_000_000 - charged);
});
