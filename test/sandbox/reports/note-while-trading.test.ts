/** A contract note that is built over many turns of the event loop is of one moment, although trading goes on. */
import { expect, jest, test } from '@jest/globals';
import type { ReportRow } from '../../../sandbox/src/reports/document/types';
import { toView } from '../../../sandbox/src/reports/formats/view';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { MutualFundBook } from '../../../sandbox/src/reports/tables/mutual-fund-book';
import { CLIENT, price, trade, world } from './support';

const DAY = '2026-11-23';
const AT = Date.parse(`${DAY}T10:00:00+05:30`);
const TRADES = 20_000;

test('trades that come while it is built and written are not in it, and its parts agree', async () => {
  const { accounts } = world();
  accounts.addFunds(CLIENT.clientCode, 900_000_000_000_00, AT);
  let made = 0;
  const deal = (): void => {
    const side = made % 2 === 0 ? 'BUY' : 'SELL';
    const terms = { refId: 1, side, product: 'IDAY', quantity: 10 + (made >> 1), price: 150_000 + (made % 7) } as const;
    accounts.trade(trade(terms, AT + made), AT + made);
    made += 1;
  };
  while (made < TRADES) deal();
  // One that stays open, so that a position is in the note.
  deal();
  const asked = made;
  const taken = accounts
    .ledger(CLIENT.clientCode)
    .filter(({ date, kind }) => date === DAY && ['REALISED', 'CHARGES'].includes(kind))
    .reduce((sum, { amount }) => sum + amount, 0);
  const source = {
    client: CLIENT,
    accounts,
    lastPrice: price,
    previousClose: price,
    at: AT,
    funds: new MutualFundBook(1, CLIENT.clientCode, DAY),
  };
  // A millisecond for each look at the clock: a machine as fast as it likes builds it over as many turns.
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  let isOver = false;
  const goOn = (): void => {
    deal();
    if (!isOver) setImmediate(goOn);
  };
  setImmediate(goOn);
  const document = (await contractNote(source, { from: DAY, to: DAY }))!;
  const texts: string[] = [];
  for (const text of toView(document, CLIENT, 'contract_note', { from: DAY, to: DAY })) {
    texts.push(text);
    if (texts.length % 1_000 === 0) deal();
  }
  isOver = true;
  clock.mockRestore();
  expect(made).toBeGreaterThan(asked + 25);
  const { res } = JSON.parse(texts.join('')) as {
    res: { summary: Record<string, number>; sections: { rows: ReportRow[]; totals: ReportRow }[] };
  };
  const [lines, obligation] = [res.sections[0]!, res.sections.at(-1)!];
  expect(lines.rows.filter(({ trade_id: id }) => id !== '')).toHaveLength(asked);
  expect(res.summary).toMatchObject({ trades: asked, receivable: taken });
  expect(obligation.totals['amount']).toBe(taken);
});
