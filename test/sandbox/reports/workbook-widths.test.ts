/**
 * The columns of a workbook have room for what is in them (a spreadsheet shows "###" for a number that has none), and numbers are in Indian
 * grouping.
 */
import { readXlsx } from 'hucre/xlsx';
import { rupees } from '../../../sandbox/src/shared/money';
import type { ReportDocument } from '../../../sandbox/src/reports/document/types';
import { toXlsx } from '../../../sandbox/src/reports/formats/xlsx';

const CLIENT = { name: 'Asha', clientCode: 'A1', pan: 'ABCDE1234F' };
const CRORES = 9_87_65_43_210_55;

/** The sheet of a document of two columns. */
async function sheetOf(parts: Partial<ReportDocument['sections'][0]>, figures: ReportDocument['figures']) {
  const columns = [
    { key: 'name', title: 'Charge', kind: 'text' },
    { key: 'amount', title: 'Amount', kind: 'money' },
  ];
  const document = {
    title: 'Contract note',
    period: '23 Nov 2026',
    figures,
    sections: [{ title: 'Charges', columns, rows: [{ name: 'GST', amount: 0 }], ...parts }],
  } as unknown as ReportDocument;
  const file = await toXlsx(document, CLIENT as Parameters<typeof toXlsx>[1]);
  const [sheet] = (await readXlsx(file, { readStyles: true })).sheets;
  return sheet!;
}

/** Widths of the first two columns, characters. */
async function widthsOf(...given: Parameters<typeof sheetOf>) {
  return (await sheetOf(...given)).columns!.map(({ width }) => width ?? 0);
}

it('a total may be wider than all of its rows', async () => {
  const [, amount] = await widthsOf({ totals: { name: 'All', amount: CRORES } }, []);
  expect(amount).toBeGreaterThan('9,87,65,43,210.55'.length);
});

it('a figure above a table of two columns has room for its name and its amount', async () => {
  const figure = { key: 'net', title: 'Net amount payable by you', kind: 'money', value: -CRORES } as const;
  const [name, amount] = await widthsOf({}, [figure]);
  expect(name).toBeGreaterThan(figure.title.length);
  expect(amount).toBeGreaterThan('-9,87,65,43,210.55'.length);
});

/** Returns an amount as a spreadsheet shows it by a format whose commas are text: its digits from the end, in place of the marks. */
function shownBy(format: string, amount: number): string {
  const [positive = '', negative = ''] = format.split(';');
  const marks = (amount < 0 ? negative.replace('[Red]', '') : positive).replaceAll('\\', '');
  const digits = [...String(Math.abs(amount)).padStart(3, '0')];
  const filled = [...marks].reverse().map((mark) => (/[#0]/.test(mark) ? (digits.pop() ?? '') : mark));
  expect(digits).toEqual([]);
  return filled.reverse().join('');
}

it('shows amounts of any size in Indian grouping, by the format and not by the settings of the reader', async () => {
  const amounts = [1_00_000_00, 9_87_654_32, 54_32_109_87, 1_23_45_678_90, 98_76_54_321_00, CRORES];
  const both = amounts.flatMap((amount) => [amount, -amount]);
  const { rows, cells } = await sheetOf({ rows: both.map((amount) => ({ name: 'GST', amount })) }, []);
  const first = rows.findIndex(([name]) => name === 'GST');
  const formats = both.map((_, at) => cells!.get(`${first + at},1`)!.style!.numFmt!);
  expect(both.map((amount, at) => shownBy(formats[at]!, amount))).toEqual(both.map(rupees));
});
