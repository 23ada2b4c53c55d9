/** Every number of every statement, read back from its PDF, its workbook and its view: none is cut, none differs. */
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { pdfTexts } from '../../support/pdf';
import { IS_WHOLE } from '../../support/sample';
import { isNumeric, numericValue, formatValue } from '../../../sandbox/src/reports/document/format';
import type { ReportColumn, ReportDocument, ReportRow, ValueKind } from '../../../sandbox/src/reports/document/types';
import { toPdf } from '../../../sandbox/src/reports/formats/pdf';
import { toView } from '../../../sandbox/src/reports/formats/view';
import { toXlsx } from '../../../sandbox/src/reports/formats/xlsx';
import { contractNote } from '../../../sandbox/src/reports/tables/contract-note';
import { dematStatement, holdingStatement, openPositions } from '../../../sandbox/src/reports/tables/holdings';
import { dailyMargin, dividends, financialLedger } from '../../../sandbox/src/reports/tables/ledger';
import { MutualFundBook } from '../../../sandbox/src/reports/tables/mutual-fund-book';
import { profitAndLoss } from '../../../sandbox/src/reports/tables/profit';
import type { ReportBuilder, LongBuilder, ReportSource } from '../../../sandbox/src/reports/tables/source';
import { tradebook, traderDiary } from '../../../sandbox/src/reports/tables/trades';
import { CLIENT, NOW, price, trade, world } from './support';

const ALL_TIME = { from: '2026-01-01', to: '2026-12-31' };
const cells = (document: ReportDocument): { value: number; kind: ValueKind }[] =>
  document.sections.flatMap(({ columns, rows, totals }) =>
    [...rows, ...(totals === undefined ? [] : [totals])].flatMap((row) =>
      columns.flatMap(({ key, kind }) => {
        const value = row[key];
        return typeof value === 'number' && isNumeric(kind) ? [{ value, kind }] : [];
      }),
    ),
  );

const counted = (texts: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

/** Checks that a PDF contains every number, text and figure of its document, whole, as often as the document. */
async function inPdf(document: ReportDocument): Promise<void> {
  const texts = await pdfTexts(await toPdf(document, CLIENT, NOW, CLIENT.pan), CLIENT.pan);
  expect(texts.filter((text) => text.includes('…'))).toEqual([]);
  const found = counted(texts);
  const figures = document.figures.map(({ value, kind }) => formatValue(value, kind));
  const expectedCounts = counted([...cells(document).map(({ value, kind }) => formatValue(value, kind)), ...figures]);
  for (const [text, times] of expectedCounts) {
    if (text !== '') expect([text, Math.min(found.get(text) ?? 0, times)]).toEqual([text, times]);
  }
  const together = texts.join('').replaceAll(/\s/g, '');
  for (const { columns, rows } of document.sections)
    for (const row of rows)
      for (const { key, kind } of columns) {
        const value = row[key];
        if (typeof value !== 'string') continue;
        const text = formatValue(value, kind).replaceAll('−', '–').replaceAll(/\s/g, '');
        expect(together.includes(text) ? text : `not found: ${text}`).toBe(text);
      }
}

/** The numbers of the workbook and of the view are those of the document, in its order. */
async function inWorkbookAndView(document: ReportDocument): Promise<void> {
  const { sheets } = await readXlsx(await toXlsx(document, CLIENT));
  const text = [...toView(document, CLIENT, 'contract_note', ALL_TIME)].join('');
  const { res: view } = JSON.parse(text) as { res: { sections: { rows: ReportRow[]; totals: ReportRow | null }[] } };
  for (const [index, { columns, rows, totals }] of document.sections.entries()) {
    const all: ReportRow[] = [...rows, ...(totals === undefined ? [] : [totals])];
    const viewed = [...view.sections[index]!.rows, view.sections[index]!.totals ?? {}];
    const header = sheets[index]!.rows.findLastIndex(([first]) => String(first).startsWith(columns[0]!.title));
    for (const [at, row] of all.entries())
      for (const [column, { key, kind }] of columns.entries()) {
        const value = row[key];
        if (typeof value !== 'number') continue;
        expect(sheets[index]!.rows[header + 1 + at]![column]).toBeCloseTo(numericValue(value, kind, 100), 6);
        // JSON knows no negative zero.
        expect(viewed[at]![key]).toBe(numericValue(value, kind, 1) + 0);
      }
  }
}

const { accounts } = world();
const BUILDERS: Record<string, ReportBuilder | LongBuilder> = {
  contractNote,
  financialLedger,
  profitAndLoss,
  dematStatement,
  holdingStatement,
  openPositions,
  dailyMargin,
  dividends,
  tradebook,
  traderDiary,
};

describe.each(Object.entries(BUILDERS))('%s', (_name, build) => {
  const source = {
    client: CLIENT,
    accounts,
    lastPrice: price,
    previousClose: price,
    at: NOW,
    funds: new MutualFundBook(1, CLIENT.clientCode, '2026-11-21'),
  } satisfies ReportSource;

  test('is whole in each format over a quarter', async () => {
    const close = accounts.closes(CLIENT.clientCode).findLast(({ carried }) => carried.length > 0)!;
    const period = build === openPositions ? { from: close.date, to: close.date } : ALL_TIME;
    const document = (await build(source, period))!;
    expect(cells(document).length).toBeGreaterThan(0);
    await inPdf(document);
    await inWorkbookAndView(document);
  });
});

test('a day in hundreds of crores, of many trades, is whole in each format', async () => {
  const { accounts: rich } = world();
  const at = Date.parse('2026-11-23T10:00:00+05:30');
  rich.addFunds(CLIENT.clientCode, 900_000_000_000_00, at);
  for (let count = 0; count < 120; count += 1)
    for (const side of ['BUY', 'SELL'] as const)
      rich.trade(
        trade(
          { refId: 1, side, product: 'IDAY', quantity: 9_000_000 + count, price: 15_432_105 + count * 5 },
          at + count,
        ),
        at + count,
      );
  const document = (await contractNote(
    {
      client: CLIENT,
      accounts: rich,
      lastPrice: price,
      previousClose: price,
      at,
      funds: new MutualFundBook(1, CLIENT.clientCode, '2026-11-21'),
    },
    { from: '2026-11-23', to: '2026-11-23' },
  ))!;
  expect(document.sections[0]!.rows).toHaveLength(240);
  expect(formatValue(document.figures[1]!.value, 'money').length).toBeGreaterThan(20);
  await inPdf(document);
  await inWorkbookAndView(document);
});

test('a long statement is made in many turns: whoever else asks does not wait for all of it', async () => {
  const columns = ['a', 'b', 'c', 'd'].map((key): ReportColumn => ({ key, title: key, kind: 'money', width: 1 }));
  const rows = Array.from({ length: 2_000 }, (_, at) => ({ a: at, b: at * 1_000, c: -at, d: at * at }));
  // A millisecond for each look at the clock: a machine as fast as it likes makes as many turns.
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  let turns = 0;
  let isMade = false;
  const others = (): void => {
    turns += 1;
    if (!isMade) setImmediate(others);
  };
  setImmediate(others);
  const pdf = await toPdf(
    { title: 'Long', period: '', figures: [], sections: [{ title: 'Long', columns, rows }], notes: [] },
    CLIENT,
    NOW,
  );
  isMade = true;
  clock.mockRestore();
  expect(turns).toBeGreaterThan(10);
  expect((await pdfTexts(pdf)).filter((text) => /^Page \d+ of 4\d$/.test(text)).length).toBeGreaterThan(40);
});

test('nothing is cut in a table of up to thirteen columns, whatever it holds', async () => {
  const kind = fc.constantFrom<ValueKind>('text', 'money', 'money', 'price', 'quantity', 'nav', 'percent', 'date');
  const value = (of: ValueKind) =>
    of === 'text'
      ? fc.stringMatching(/^[A-Za-z0-9]{1,40}( [A-Za-z0-9]{1,12}){0,8}$/)
      : of === 'date'
        ? fc.constant('2026-11-20')
        : of === 'percent'
          ? fc.integer({ min: -99_999, max: 99_999 }).map((part) => part / 100)
          : fc.maxSafeInteger().map((amount) => Math.trunc(amount / 128));
  const table = fc.array(kind, { minLength: 1, maxLength: 13 }).chain((kinds) => {
    const columns = kinds.map((of, index): ReportColumn => ({
      key: `c${index}`,
      title: `Column ${index}`,
      kind: of,
      width: 1,
    }));
    return fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.record(Object.fromEntries(columns.map(({ key, kind: of }) => [key, value(of)]))), {
        minLength: 1,
        maxLength: 40,
      }),
    });
  });
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, rows }) => {
      await inPdf({
        title: 'Any',
        period: '2026',
        figures: [
          { key: 'a', title: 'Largest of all amounts that there are', kind: 'money', value: -9_007_199_254_740_991 },
        ],
        sections: [{ title: 'Any', columns, rows: rows as ReportRow[] }],
        notes: [],
      });
    }),
    { numRuns: IS_WHOLE ? 15 : 3 },
  );
});
