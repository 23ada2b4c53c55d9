import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { describeWith } from '../../support/needs';
import { IS_WHOLE } from '../../support/sample';
import { decryptOffice } from './office-crypto';
import { CLIENT, NOW, world } from './support';

/** It takes seconds to start, so that `npm test` leaves it to CI. */
const OFFICE = {
  name: 'LibreOffice and TEST_ALL=1',
  found: IS_WHOLE ? ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path)) : undefined,
};
/** With commas, in UTF-8. */
const CSV = 'csv:Text - txt - csv (StarCalc):44,34,76';
const TYPES = ['tradebook-report', 'summary'] as const;
const ALL_TIME = { from_date: '2020-01-01T00:00:00+05:30', to_date: '2030-01-01T00:00:00+05:30' };

describeWith(OFFICE, 'LibreOffice as a second opinion on workbooks', (office) => {
  const { reports } = world();
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'office-'));
    for (const type of TYPES) await writeWorkbook(type);
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    const workbooks = TYPES.map((type) => join(folder, `${type}.xlsx`));
    await promisify(execFile)(office, [profile, '--headless', '--convert-to', CSV, '--outdir', folder, ...workbooks]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function writeWorkbook(type: string): Promise<void> {
    const answer = await reports.run(
      type,
      { action_type: 'DOWNLOAD', export_format: 'EXCEL', ...ALL_TIME },
      CLIENT,
      NOW,
    );
    if (answer.kind !== 'file') throw new Error(JSON.stringify(answer));
    const { data } = answer.file;
    writeFileSync(
      join(folder, `${type}.xlsx`),
      data.subarray(0, 2).toString() === 'PK' ? data : decryptOffice(data, CLIENT.pan),
    );
  }

  /** The first sheet of a report, as LibreOffice reads it. */
  const sheet = (type: (typeof TYPES)[number]): string[][] =>
    parse(readFileSync(join(folder, `${type}.csv`), 'utf8'), { relax_column_count: true }) as string[][];

  test('the tradebook has dates as dates, amounts as numbers, their sum as the total, and 19 digits whole', () => {
    const rows = sheet('tradebook-report');
    const header = rows.findIndex(([first]) => first === 'Date');
    const columns = rows[header]!;
    const total = rows.find(([first]) => first === 'Total')!;
    const trades = rows.slice(header + 1, rows.indexOf(total));
    expect(trades.length).toBeGreaterThan(20);
    const paise = (text: string) => Math.round(Number(text.replaceAll(',', '')) * 100);
    const at = (name: string) => columns.indexOf(name);
    for (const row of trades) {
      expect(new Date(row[0]!).getFullYear()).toBe(2026);
      expect(paise(row[at('Value (₹)')]!)).toBe(
        paise(row[at('Price (₹)')]!) * Number(row[at('Quantity')]!.replaceAll(',', '')),
      );
      expect(row[at('Order id')]).toMatch(/^7\d{18}$/);
    }
    expect(paise(total[at('Value (₹)')]!)).toBe(trades.reduce((sum, row) => sum + paise(row[at('Value (₹)')]!), 0));
  });

  test('the ledger begins and ends with the balances that it names, once its password is taken off', () => {
    const rows = sheet('summary');
    const header = rows.findIndex(([first]) => first === 'Date');
    const last = rows.filter((row) => row[5] !== '' && row[5] !== undefined).at(-1)!;
    const closing = rows.find(([first]) => first === 'Closing balance')!;
    expect(rows[header]).toEqual(['Date', 'Voucher', 'Particulars', 'Debit (₹)', 'Credit (₹)', 'Balance (₹)']);
    expect(last[5]).toBe(closing[1]);
    expect(last[5]).toMatch(/^\d{1,2}(,\d\d)+,\d{3}\.\d\d$/);
  });
});
