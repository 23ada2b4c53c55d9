/** The columns of a workbook have room for what is in them: a spreadsheet shows "###" for a number that has none. */
import { readXlsx } from 'hucre/xlsx';
import type { ReportDocument } from '../../../sandbox/src/reports/document/types';
import { toXlsx } from '../../../sandbox/src/reports/formats/xlsx';

const CLIENT = { name: 'Asha', clientCode: 'A1', pan: 'ABCDE1234F' };
const CRORES = 9_87_65_43_210_55;

/** Widths of the first two columns, characters. */
async function widthsOf(parts: Partial<ReportDocument['sections'][0]>, figures: ReportDocument['figures']) {
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
  const [sheet] = (await readXlsx(await toXlsx(document, CLIENT as Parameters<typeof toXlsx>[1]))).sheets;
  return sheet!.columns!.map(({ width }) => width ?? 0);
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
