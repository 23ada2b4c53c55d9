/** See docs/service/reports.md#report-requests. */
import { InputError, MismatchedReplyError, UnreadableReplyError } from '../../../client/base/errors';
import { REPORT_NAMES, reportKinds, reportsWith } from '../../../client/reports/kinds';
import {
  downloadReport,
  emailReport,
  getAvailableReports,
  isWithoutData,
  requireRows,
  rowsIn,
  viewReport,
} from '../../../client/reports/reports';
import type { JsonObject } from '../../../client/values/json';
import { scriptedTransport } from '../../support/wire';

const range = { from: '2026-04-01', to: '2026-04-30' };
const single = { date: '2026-04-30' };
const datesFor = (name: keyof typeof reportKinds) => (reportKinds[name].dates === 'single' ? single : range);

it('knows the fifteen reports of the table, at their paths, with their dates and actions', () => {
  const table = REPORT_NAMES.map((name) => {
    const { endpoint, dates, actions, formats } = reportKinds[name];
    return `${endpoint.method} ${endpoint.path} ${dates} ${[...actions].sort().join()} ${formats.length}`;
  });
  expect(table.sort()).toEqual(
    [
      'POST /report/summary range download,email,view 2',
      'POST /report/profit_loss range download,email,view 2',
      'POST /report/demat range download,email,view 2',
      'POST /report/contract_note range download,email,view 2',
      'POST /report/daily_margin single download,email,view 2',
      'POST /report/holding single download,email,view 2',
      'POST /report/open_positions single download,email,view 2',
      'POST /report/dividend range download,view 0',
      'POST /report/tradebook-report range download,view 0',
      'POST /report/trader-diary range download 0',
      'GET /report/portfolio none download 0',
      'POST /report/transaction range download,view 0',
      'POST /report/orderbook range download,view 0',
      'POST /report/holdings single download,view 0',
      'POST /report/capital_gains range download,view 0',
    ].sort(),
  );
});

it.each(reportsWith('view'))('asks to view %s with JSON only where the report has formats', async (name) => {
  const { transport, bodies } = scriptedTransport([{ json: { rows: [] } }]);
  await viewReport(transport, name, datesFor(name));
  const dates =
    reportKinds[name].dates === 'single'
      ? { date: '2026-04-30T00:00:00+05:30' }
      : { from_date: '2026-04-01T00:00:00+05:30', to_date: '2026-04-30T23:59:59+05:30' };
  expect(bodies()).toEqual([
    { action_type: 'VIEW', ...(reportKinds[name].formats.length > 0 ? { export_format: 'JSON' } : {}), ...dates },
  ]);
});

it('returns a file with the name and the type that it really has', async () => {
  const { transport, requests } = scriptedTransport([
    {
      bytes: Buffer.from('%PDF-1.7 …\n%%EOF\n'),
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="../a/ledger 2026.pdf"',
      },
    },
    { bytes: Buffer.from('PK\u0003\u0004…PK\u0005\u0006'), headers: { 'content-type': 'application/zip' } },
  ]);
  expect(await downloadReport(transport, 'ledger', range, 'PDF')).toMatchObject({
    fileName: 'ledger 2026.pdf',
    mimeType: 'application/pdf',
  });
  expect(await downloadReport(transport, 'portfolioSnapshot', {}, 'EXCEL')).toMatchObject({
    fileName: 'portfolioSnapshot.xlsx',
  });
  expect(requests[1]).toMatchObject({ method: 'GET' });
  expect(requests[1]?.body).toBeUndefined();
});

it('never takes an answer in words, or an empty one, for a file', async () => {
  const { transport } = scriptedTransport([
    { json: { message: 'no data' }, headers: { 'content-type': 'application/json; charset=utf-8' } },
    { text: '' },
  ]);
  await expect(downloadReport(transport, 'ledger', range, 'PDF')).rejects.toThrow('no data');
  await expect(downloadReport(transport, 'ledger', range, 'PDF')).rejects.toThrow(UnreadableReplyError);
});

it.each([
  ['a notice', 'text/plain', 'Access to this site is blocked', /neither PDF nor Excel\. It said: Access to this site/],
  ['a page that calls itself a PDF', 'application/pdf', '<table><tr><td>Sign in</td></tr></table>', /It said: Sign in/],
  ['XML', 'application/xml', '<?xml version="1.0"?><Error>AccessDenied</Error>', /It said: AccessDenied/],
  ['garbage', 'application/octet-stream', '\u001f\u0008\u0000\u0000', /neither PDF nor Excel/],
  ['half of a PDF', 'application/pdf', '%PDF-1.7 …', /came cut off: the end of the file is missing/],
  ['half of a workbook', 'application/octet-stream', 'PK\u0003\u0004…', /came cut off: the end of the file is missing/],
])('takes no report from %s', async (_, type, text, says) => {
  const { transport } = scriptedTransport([{ bytes: Buffer.from(text), headers: { 'content-type': type } }]);
  await expect(downloadReport(transport, 'ledger', range, 'PDF')).rejects.toThrow(says);
});

it('takes a workbook with a password', async () => {
  const bytes = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  const { transport } = scriptedTransport([{ bytes, headers: { 'content-type': 'application/vnd.ms-excel' } }]);
  expect(await downloadReport(transport, 'ledger', range, 'EXCEL')).toMatchObject({
    ...{ fileName: 'ledger.xlsx', mimeType: 'application/vnd.ms-excel' },
  });
});

it.each([
  ...[{}, [null], [{}], { data: null, res: null }, null, 'ok', 1],
  { status: true, message: 'SUCCESS', errorcode: '', data: null },
])('an answer that holds nothing is no report: %j', async (json) => {
  const { transport } = scriptedTransport([{ text: JSON.stringify(json) }]);
  await expect(viewReport(transport, 'ledger', range)).rejects.toThrow(/something that is not a report/);
});

it('tells a report without rows from one with them', async () => {
  for (const report of [{ rows: [] }, { rows: [], totals: null }] satisfies JsonObject[] as JsonObject[]) {
    const refused: unknown = await Promise.resolve(report)
      .then(requireRows)
      .catch((error: unknown) => error);
    expect([String(refused), isWithoutData(refused)]).toEqual([
      expect.stringContaining('has no rows for these dates'),
      true,
    ]);
  }
  expect(() => requireRows({ rows: [{ a: 1 }] })).not.toThrow();
  expect(() => requireRows({ balance: 5, rows: [] })).not.toThrow();
});

it.each(['true', '"Queued"', '{"message":"sent"}'])('an acknowledgement is taken: %s', async (text) => {
  const { transport } = scriptedTransport([{ text }]);
  await expect(emailReport(transport, 'ledger', range, 'PDF')).resolves.toEqual(expect.any(String));
});

it.each(['', '{}', '[]', 'null', '{"data":null}', 'OK', '<td>Sign in</td>', '{"message":"sent'])(
  'an answer that acknowledges nothing is no e-mail: %j',
  async (text) => {
    const { transport, requests } = scriptedTransport([{ text }]);
    await expect(emailReport(transport, 'ledger', range, 'PDF')).rejects.toThrow(
      /does not say whether .* was e-mailed/,
    );
    expect(requests).toHaveLength(1);
  },
);

it('tells a range without data from other faults, and asks once', async () => {
  const { transport, requests } = scriptedTransport([
    { status: 500, json: { error: 'report generation failed, please retry later' } },
    { status: 500, json: { error: 'database down' } },
  ]);
  expect(isWithoutData(await viewReport(transport, 'ledger', range).catch((error: unknown) => error))).toBe(true);
  expect(isWithoutData(await viewReport(transport, 'ledger', range).catch((error: unknown) => error))).toBe(false);
  expect(requests).toHaveLength(2);
});

it('sends an e-mail once, even when the service asks to come back', async () => {
  const { transport, requests } = scriptedTransport([{ status: 429 }]);
  await expect(emailReport(transport, 'ledger', range, 'PDF')).rejects.toThrow('Too many requests');
  expect(requests).toHaveLength(1);
});

it('refuses what a report does not have before anything is sent', async () => {
  const { transport, requests } = scriptedTransport([]);
  await expect(emailReport(transport, 'tradebook', range, 'PDF')).rejects.toThrow(InputError);
  await expect(viewReport(transport, 'portfolioSnapshot', {})).rejects.toThrow(InputError);
  await expect(viewReport(transport, 'dailyMargin', range)).rejects.toThrow('needs a date');
  await expect(viewReport(transport, 'ledger', { from: '2026-05-01', to: '2026-04-01' })).rejects.toThrow(
    'after the last date',
  );
  expect(requests).toHaveLength(0);
});

it('lists what is available, and finds the rows of a report', async () => {
  const { transport } = scriptedTransport([
    { json: { message: 'report-options', res: { categories: ['a'], reports: [{ title: 'x' }] } } },
    { json: { message: 'x' } },
  ]);
  expect(await getAvailableReports(transport)).toEqual({ categories: ['a'], reports: [{ title: 'x' }] });
  await expect(getAvailableReports(transport)).rejects.toThrow(UnreadableReplyError);
  expect(rowsIn({ message: 'm', res: { rows: [{ a: 1 }] } })).toEqual([{ a: 1 }]);
  expect(rowsIn({ a: [{ x: 1 }], b: [{ y: 1 }] })).toBeUndefined();
  expect(rowsIn({ message: 'm' })).toBeUndefined();
  const sections: JsonObject[] = [
    { title: 'Trades', rows: [{ a: 1, title: 'own' }, { a: 2 }], totals: { a: 3 } },
    { title: 'Charges', rows: [] },
    { title: 'Words only' },
  ];
  expect(rowsIn({ message: 'm', res: { notes: [], summary: { a: 3 }, sections } })).toEqual([
    { a: 1, title: 'own' },
    { title: 'Trades', a: 2 },
    { title: 'Words only' },
  ]);
});

describe('a view', () => {
  const ledger = (res: object) => ({ json: { message: 'summary', res: { type: 'summary', ...res, rows: [] } } });
  const own = { from_date: '2026-04-01', to_date: '2026-04-30' };
  const limits = (more: object) => ({ json: { res: { reports: [{ type: 'summary', ...more }] } } });
  const view = async (...replies: object[]) => {
    const { transport, requests } = scriptedTransport(replies as never);
    const result = await viewReport(transport, 'ledger', range).catch((error: unknown) => error);
    return { result, asked: requests.length };
  };

  it('is taken where it names the report and the days that were asked for, or neither', async () => {
    for (const reply of [
      ledger(own),
      ledger({}),
      { json: { rows: [] } },
      { json: { ...own, type: 'success', rows: [] } },
    ]) {
      const { result, asked } = await view(reply);
      expect(result).not.toBeInstanceOf(Error);
      expect(asked).toBe(1);
    }
  });

  it('is an error that names both where it is another report', async () => {
    const { result } = await view(ledger({ ...own, type: 'profit_loss' }));
    expect(result).toBeInstanceOf(MismatchedReplyError);
    expect(result).toMatchObject({
      message: expect.stringMatching(/of profit_loss, but n8n asked for that of summary/) as string,
    });
  });

  it('is an error that names both where its days are others, unless the report is cut to those that the service has', async () => {
    const march = { from_date: '2026-03-01', to_date: '2026-03-31' };
    for (const known of [{}, { minDate: '2026-01-01', maxDate: '2026-06-30' }]) {
      const { result } = await view(ledger(march), limits(known));
      expect(result).toBeInstanceOf(MismatchedReplyError);
      expect(result).toMatchObject({
        message: expect.stringMatching(
          /of 2026-03-01 to 2026-03-31, but n8n asked for that of 2026-04-01 to 2026-04-30/,
        ) as string,
      });
    }
    const cut = ledger({ from_date: '2026-04-06', to_date: '2026-04-29' });
    expect((await view(cut, limits({ minDate: '2026-04-06', maxDate: '2026-04-29' }))).result).not.toBeInstanceOf(
      Error,
    );
    expect((await view(cut, limits({ minDate: '2026-04-06', maxDate: '2026-05-29' }))).result).toBeInstanceOf(Error);
  });

  it('is an error that names both where a day has another date', async () => {
    const { transport } = scriptedTransport([{ json: { date: '2026-04-29T00:00:00+05:30' } }, limits({})]);
    await expect(viewReport(transport, 'holding', single)).rejects.toThrow(
      /Holding Statement of 2026-04-29, but n8n asked for that of 2026-04-30/,
    );
  });
});

it.each([{ error: 'Report engine is down' }, { status: 'failed', message: 'Report engine is down', res: null }])(
  'a success that says it failed is no report, and no e-mail was sent: %j',
  async (json) => {
    const { transport } = scriptedTransport([{ json }, { json }]);
    const says = /with an error instead of data. It said: Report engine is down/;
    await expect(viewReport(transport, 'ledger', range)).rejects.toThrow(says);
    await expect(emailReport(transport, 'ledger', range, 'PDF')).rejects.toThrow(says);
  },
);
