/** A workbook of a day with very many trades is written while other work goes on. */
import { readXlsx } from 'hucre/xlsx';
import type { ReportDocument } from '../../../sandbox/src/reports/document/types';
import { toXlsx } from '../../../sandbox/src/reports/formats/xlsx';

const ROWS = 30_000;
const CLIENT = { name: 'Asha', clientCode: 'A1', pan: 'ABCDE1234F' };

test('others have their turn again and again, and no row is lost', async () => {
  const document = {
    title: 'Contract note',
    period: '23 Nov 2026',
    figures: [],
    sections: [
      {
        title: 'Trades',
        columns: [
          { key: 'name', title: 'Instrument', kind: 'text' },
          { key: 'amount', title: 'Amount', kind: 'money' },
        ],
        rows: Array.from({ length: ROWS }, (_, n) => ({ name: `Trade ${n}`, amount: n * 101 })),
      },
    ],
  } as unknown as ReportDocument;
  // A millisecond for each look at the clock: a machine as fast as it likes makes as many turns.
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const bytes = await toXlsx(document, CLIENT as Parameters<typeof toXlsx>[1]);
  isOver = true;
  clock.mockRestore();
  expect(turns).toBeGreaterThan(10);
  const { rows } = (await readXlsx(bytes)).sheets[0]!;
  expect(rows.slice(-1)[0]!.slice(0, 2)).toEqual([`Trade ${ROWS - 1}`, ((ROWS - 1) * 101) / 100]);
  expect(rows.filter(([name]) => String(name).startsWith('Trade '))).toHaveLength(ROWS);
});
