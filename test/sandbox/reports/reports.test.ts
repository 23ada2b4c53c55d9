import { beforeAll, describe, expect, test } from '@jest/globals';
import { readXlsx } from 'hucre/xlsx';
import { REPORT_CATEGORIES, REPORTS } from '../../../sandbox/src/reports/catalog';
import { NO_DATA, type ReportAnswer, type ReportRequest } from '../../../sandbox/src/reports/reports';
import { MutualFundBook, unitsValue } from '../../../sandbox/src/reports/tables/mutual-fund-book';
import { plainText } from '../../../sandbox/src/reports/formats/xlsx';
import { pdfText } from '../../support/pdf';
import { FUTURE } from '../accounts/support';
import { decryptOffice } from './office-crypto';
import { CLIENT, FUNDS, NOW, price, trade, world } from './support';
import { share } from '../../support/sample';

const { accounts, reports } = world();
const day = (date: string) => `${date}T00:00:00+05:30`;
const ALL_TIME = { from_date: day('2020-01-01'), to_date: day('2030-01-01') };
const LAST_MONTH = { from_date: day('2026-10-01'), to_date: day('2026-10-31') };

beforeAll(() => {
  const carried = trade(
    { refId: FUTURE.refId, side: 'BUY', product: 'CNC', quantity: 65, price: price(FUTURE, NOW) },
    NOW,
  );
  accounts.trade(carried, NOW);
  accounts.endOfDay('2026-11-21', NOW + 3_600_000);
});

function run(type: string, request: ReportRequest) {
  return reports.run(type, request, CLIENT, NOW + 7_200_000);
}

function file(answer: ReportAnswer) {
  if (answer.kind !== 'file') throw new Error(`no file but ${JSON.stringify(answer)}`);
  return answer.file;
}

interface View {
  res: {
    summary: Record<string, number>;
    unit: string;
    from_date: string;
    to_date: string;
    sections: {
      title: string;
      rows: Record<string, number | string | null>[];
      totals: Record<string, number> | null;
    }[];
  };
}

async function view(type: string, request: ReportRequest): Promise<View['res']> {
  const answer = await run(type, { action_type: 'VIEW', ...request });
  if (answer.kind !== 'json') throw new Error(`no JSON but ${JSON.stringify(answer)}`);
  return (JSON.parse([...answer.texts].join('')) as View).res;
}

const sum = (rows: Record<string, number | string | null>[], key: string) =>
  rows.reduce((total, row) => total + Number(row[key] ?? 0), 0);
const dated = (dates: 'range' | 'date' | 'none') =>
  dates === 'range' ? ALL_TIME : dates === 'date' ? { date: day('2026-11-21') } : {};

describe('GET /report', () => {
  test('GET /report names fifteen reports, each with every field', () => {
    const { message, res } = reports.options(CLIENT, NOW) as {
      message: string;
      res: { categories: string[]; reports: Record<string, unknown>[] };
    };
    expect(message).toBe('report-options');
    expect(res.categories).toEqual([...REPORT_CATEGORIES]);
    expect(res.reports).toHaveLength(15);
    expect(res.reports[3]).toEqual({
      category: 'Account Statement',
      title: 'Contract note',
      type: 'contract_note',
      downloadFileTypes: ['PDF', 'EXCEL'],
      actionTypes: ['VIEW', 'DOWNLOAD', 'EMAIL'],
      dateRangeOptions: ['DATE_RANGE'],
      passwordProtected: true,
      password: 'PAN',
      minDate: '2026-08-13',
      maxDate: '2026-11-21',
    });
  });
  test('GET /report has the table of actions of the specification', () => {
    const table = Object.fromEntries(REPORTS.map(({ type, actions }) => [type, actions.join(' ')]));
    expect(table).toEqual({
      summary: 'VIEW DOWNLOAD EMAIL',
      profit_loss: 'VIEW DOWNLOAD EMAIL',
      demat: 'VIEW DOWNLOAD EMAIL',
      contract_note: 'VIEW DOWNLOAD EMAIL',
      daily_margin: 'VIEW DOWNLOAD EMAIL',
      holding: 'VIEW DOWNLOAD EMAIL',
      open_positions: 'VIEW DOWNLOAD EMAIL',
      dividend: 'VIEW DOWNLOAD',
      'tradebook-report': 'VIEW DOWNLOAD',
      'trader-diary': 'DOWNLOAD',
      portfolio: 'DOWNLOAD',
      transaction: 'VIEW DOWNLOAD',
      orderbook: 'VIEW DOWNLOAD',
      holdings: 'VIEW DOWNLOAD',
      capital_gains: 'VIEW DOWNLOAD',
    });
  });
});

describe('every action of every report', () => {
  for (const [at, { type, actions, files, dates, passwordProtected }] of REPORTS.entries()) {
    for (const format of files.length > 1 ? share(files, 2, at) : files) {
      test(`${type} DOWNLOAD ${format} opens${passwordProtected ? ' with the PAN' : ''}`, async () => {
        const back = files.length > 1;
        const { data, fileName, contentType } = file(
          await run(type, { action_type: 'DOWNLOAD', ...(back ? { export_format: format } : {}), ...dated(dates) }),
        );
        if (format === 'PDF') {
          expect(contentType).toBe('application/pdf');
          expect(fileName).toMatch(new RegExp(`^${type}_BS0001_[\\d_-]+\\.pdf$`));
          const text = await pdfText(data, passwordProtected ? CLIENT.pan : undefined);
          expect(text).toContain('Asha Rao');
          expect(text).not.toContain(CLIENT.pan);
          if (passwordProtected) {
            await expect(pdfText(data)).rejects.toThrow('No password given');
            await expect(pdfText(data, CLIENT.pan.toLowerCase())).rejects.toThrow('Incorrect Password');
          }
        } else {
          expect(contentType).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
          const book = await readXlsx(passwordProtected ? decryptOffice(data, CLIENT.pan) : data);
          expect(book.sheets.length).toBeGreaterThan(0);
          expect(book.sheets[0]!.rows.length).toBeGreaterThan(4);
          if (passwordProtected) {
            expect(() => decryptOffice(data, CLIENT.pan.toLowerCase())).toThrow('wrong password');
            await expect(readXlsx(data)).rejects.toThrow();
          }
        }
      });
    }
    if (actions.includes('VIEW')) {
      test(`${type} VIEW has totals that are the sums of the rows`, async () => {
        const { sections, unit } = await view(type, dated(dates));
        expect(unit).toBe('paise');
        expect(sections.some(({ rows }) => rows.length > 0)).toBe(true);
        for (const { rows, totals } of sections) {
          for (const [key, total] of Object.entries(totals ?? {})) {
            if (typeof total === 'number' && key !== 'balance' && !key.endsWith('percent'))
              expect([key, sum(rows, key)]).toEqual([key, total]);
          }
        }
      });
    }
    if (actions.includes('EMAIL')) {
      test(`${type} EMAIL is acknowledged, with the file attached`, async () => {
        const answer = await run(type, { action_type: 'EMAIL', export_format: 'PDF', ...dated(dates) });
        expect(answer).toMatchObject({
          kind: 'mail',
          body: { message: expect.stringMatching(/has been sent to a\*\*\*\*@example\.com$/) },
          mail: { to: CLIENT.email, phone: CLIENT.phone, attachment: { contentType: 'application/pdf' } },
        });
        expect(JSON.stringify(answer)).not.toContain(CLIENT.pan);
      });
    }
  }
});

describe('statements reconcile', () => {
  test('the ledger ends with the cash of the account, and the profit statement with what was realised', async () => {
    const ledger = await view('summary', ALL_TIME);
    const cash = accounts.funds(CLIENT.clientCode).cash;
    expect(ledger.summary['closing_balance']).toBe(cash);
    expect(ledger.summary['opening_balance']! + ledger.summary['total_credit']! - ledger.summary['total_debit']!).toBe(
      cash,
    );
    const october = await view('summary', LAST_MONTH);
    const november = await view('summary', { from_date: day('2026-11-01'), to_date: day('2026-11-30') });
    expect(november.summary['opening_balance']).toBe(october.summary['closing_balance']);
    expect(november.summary['closing_balance']).toBe(cash);
    const closes = accounts.closes(CLIENT.clientCode);
    const profit = await view('profit_loss', ALL_TIME);
    expect(profit.summary['gross']).toBe(closes.reduce((total, { funds }) => total + funds.realised, 0));
    expect(profit.summary['charges']).toBe(closes.reduce((total, { funds }) => total + funds.charges, 0));
  });
  test('the tradebook, the contract notes and the diary have the same trades', async () => {
    const [book, notes, profit] = [
      await view('tradebook-report', LAST_MONTH),
      await view('contract_note', LAST_MONTH),
      await view('profit_loss', LAST_MONTH),
    ];
    expect(book.summary['trades']).toBe(notes.summary['trades']);
    expect(book.summary['turnover']).toBe(notes.summary['bought']! + notes.summary['sold']!);
    const delivered = accounts
      .ledger(CLIENT.clientCode)
      .filter(({ kind, date }) => kind === 'DEPOSITORY' && date.startsWith('2026-10'));
    expect(delivered.length).toBeGreaterThan(0);
    expect(notes.summary['charges']).toBe(book.summary['charges']);
    expect(profit.summary['charges']! - book.summary['charges']!).toBe(1_534 * delivered.length);
  });
  test('the demat movements add up to the holdings', async () => {
    const [movements, holdings] = (await view('demat', ALL_TIME)).sections;
    expect(sum(movements!.rows, 'credit') - sum(movements!.rows, 'debit')).toBe(sum(holdings!.rows, 'quantity'));
    const statement = await view('holding', { date: day('2026-11-21') });
    expect(statement.sections[0]).toEqual({ ...holdings, title: 'Holdings' });
  });
  test('a future of the history was carried for some days and marked to market', async () => {
    const closes = accounts
      .closes(CLIENT.clientCode)
      .filter(({ carried }) => carried.length > 0)
      .map(({ date }) => date);
    expect(closes.slice(0, -1)).toHaveLength(5);
    const { sections } = await view('open_positions', { date: day(closes[0]!) });
    expect(sections[0]!.rows).toMatchObject([{ instrument: FUTURE.displayName, side: 'Long', quantity: 65 }]);
    expect(
      accounts.ledger(CLIENT.clientCode).filter(({ kind }) => kind === 'MARK_TO_MARKET').length,
    ).toBeGreaterThanOrEqual(4);
  });
  test('trades are in the order of time', async () => {
    const { rows } = (await view('tradebook-report', ALL_TIME)).sections[0]!;
    const times = rows.map((row) => `${row['date']} ${row['time']}`);
    expect(times).toEqual([...times].sort());
  });
  test('the history ends with exactly the cash and the holdings that the account begins with', () => {
    const close = accounts.closes(CLIENT.clientCode).find(({ date }) => date === '2026-11-20')!;
    expect(close.funds.cash).toBe(FUNDS);
    expect(accounts.closes(CLIENT.clientCode).at(-1)!.funds.opening).toBe(FUNDS);
    expect(close.holdings.map(({ quantity, t1Quantity, cost }) => [quantity, t1Quantity, cost])).toEqual([
      [100, 0, 5_100_000],
      [60, 0, 60 * 51_007],
      [250, 0, 250 * 51_014],
    ]);
    expect(close.positions.every(({ quantity, product }) => product === 'CNC' || quantity === 0)).toBe(true);
  });
});

describe('mutual funds', () => {
  test('units, NAV and amount agree; holdings are purchases less redemptions', () => {
    const book = new MutualFundBook(1, CLIENT.clientCode, '2026-11-21');
    for (const { amount, units, nav, stampDuty, type, status } of book.orders) {
      if (status === 'Rejected') expect([units, nav]).toEqual([0, 0]);
      else if (type !== 'Redemption') {
        expect(unitsValue(units, nav)).toBeLessThanOrEqual(amount - stampDuty + 1);
        expect(unitsValue(units + 1, nav)).toBeGreaterThanOrEqual(amount - stampDuty - 1);
      } else expect(Math.abs(unitsValue(units, nav) - amount)).toBeLessThanOrEqual(20);
    }
    const bought = book.orders
      .filter(({ status }) => status === 'Allotted')
      .reduce((total, { units }) => total + units, 0);
    const sold = book.gains.reduce((total, { units }) => total + units, 0);
    expect(book.holdings('2026-11-21').reduce((total, { units }) => total + units, 0)).toBe(bought - sold);
    expect(book.gains.length).toBeGreaterThan(0);
  });
  test('the past does not change as time goes on', () => {
    const early = new MutualFundBook(1, CLIENT.clientCode, '2026-06-01').orders;
    const later = new MutualFundBook(1, CLIENT.clientCode, '2026-11-21').orders;
    expect(later.slice(0, early.length)).toEqual(early);
  });
});

describe('requests', () => {
  test('dates are clamped to minDate and maxDate', async () => {
    expect(await view('summary', ALL_TIME)).toMatchObject({ from_date: '2026-08-13', to_date: '2026-11-21' });
  });
  test('a window without data is the server error of the specification', async () => {
    const sunday = { from_date: day('2026-10-04'), to_date: day('2026-10-04') };
    for (const type of ['summary', 'profit_loss', 'contract_note', 'dividend', 'tradebook-report']) {
      expect([type, await run(type, { action_type: 'VIEW', ...sunday })]).toEqual([
        type,
        { kind: 'error', status: 500, text: NO_DATA },
      ]);
    }
    expect(NO_DATA).toBe('Report generation failed, please retry later');
  });
  test.each([
    ['summary', { action_type: 'PRINT', ...ALL_TIME }, 'action_type of summary must be one of VIEW, DOWNLOAD, EMAIL'],
    ['dividend', { action_type: 'EMAIL', ...ALL_TIME }, 'action_type of dividend must be one of VIEW, DOWNLOAD'],
    ['trader-diary', { action_type: 'VIEW', ...ALL_TIME }, 'action_type of trader-diary must be one of DOWNLOAD'],
    [
      'summary',
      { action_type: 'DOWNLOAD', export_format: 'JSON', ...ALL_TIME },
      'export_format JSON goes with action_type VIEW',
    ],
    [
      'summary',
      { action_type: 'DOWNLOAD', export_format: 'DOC', ...ALL_TIME },
      'export_format of summary must be one of PDF, EXCEL, JSON',
    ],
    [
      'tradebook-report',
      { action_type: 'DOWNLOAD', export_format: 'PDF', ...ALL_TIME },
      'export_format of tradebook-report',
    ],
    [
      'summary',
      { action_type: 'VIEW', from_date: '2026-10-01', to_date: day('2026-10-02') },
      'from_date must be an RFC 3339 date-time',
    ],
    [
      'summary',
      { action_type: 'VIEW', from_date: day('2026-10-01'), to_date: '2026-10-02T00:00:00Z' },
      'to_date must be',
    ],
    ['summary', { action_type: 'VIEW', from_date: day('2026-02-30'), to_date: day('2026-10-02') }, 'from_date must be'],
    [
      'summary',
      { action_type: 'VIEW', from_date: day('2026-10-03'), to_date: day('2026-10-02') },
      'from_date must not be after to_date',
    ],
    ['holding', { action_type: 'VIEW', ...ALL_TIME }, 'date must be an RFC 3339'],
  ])('%s %j is refused', async (type, request, text) => {
    expect(await run(type, request)).toMatchObject({ kind: 'error', status: 400, text: expect.stringContaining(text) });
  });
  test('an unknown report is 404', async () => {
    expect(await run('nothing', {})).toMatchObject({ kind: 'error', status: 404 });
  });
});

test('text that looks like a formula stays text', () => {
  expect(['=1+1', '+1', '-1', '@x', '\tx', 'INFY'].map(plainText)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@x",
    "'\tx",
    'INFY',
  ]);
});
