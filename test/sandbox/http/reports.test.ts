import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { REPORTS } from '../../../sandbox/src/reports/catalog';
import { pdfText } from '../../support/pdf';
import { firstAndShare } from '../../support/sample';
import { logIn, start, type Bench } from '../support';

const PAN = 'ABCPS1234A';
const day = (date: string) => `${date}T00:00:00+05:30`;
const LAST_MONTH = { from_date: day('2026-10-01'), to_date: day('2026-10-31') };

/** A real mail server that keeps what it is given. */
async function mailServer() {
  const mails: ParsedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        mails.push(mail);
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { mails, url: `smtp://127.0.0.1:${port}`, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

let bench: Bench;
let smtp: Awaited<ReturnType<typeof mailServer>>;
let headers: Record<string, string>;
beforeAll(async () => {
  smtp = await mailServer();
  bench = await start({ smtp: smtp.url });
  headers = await logIn(bench);
});
afterAll(async () => {
  await bench.close();
  await smtp.close();
});

const post = (path: string, body: object, more = {}) => bench.http.post(path, body, { headers, ...more });

describe('Reports over HTTP', () => {
  test('GET /report lists the options of all reports', async () => {
    const { status, data } = await bench.http.get('/report', { headers });
    expect([status, data.message, data.res.reports.length]).toEqual([200, 'report-options', 15]);
  });

  test('the first accounts have statements of the last month', async () => {
    for (const type of ['summary', 'profit_loss', 'contract_note', 'tradebook-report', 'dividend', 'demat']) {
      const { status, data } = await post(`/report/${type}`, {
        action_type: 'VIEW',
        export_format: 'JSON',
        ...LAST_MONTH,
      });
      expect([type, status]).toEqual([type, 200]);
      expect(data.res.sections[0].rows.length).toBeGreaterThan(0);
    }
  });

  test('every trade of the history was made at a price that the market had that day', async () => {
    const { data } = await post('/report/tradebook-report', { action_type: 'VIEW', ...LAST_MONTH });
    const { world } = bench.running.sandbox;
    const { rows } = data.res.sections[0];
    for (const { symbol, date, price } of rows.slice(0, 12)) {
      const instrument = world.universe().bySymbol('NSE', symbol)!;
      const from = Date.parse(day(date));
      const [bar] = world.market.bars(instrument, '1d', from, from + 86_400_000);
      expect([
        symbol,
        date,
        price >= bar!.low - instrument.tickSize && price <= bar!.high + instrument.tickSize,
      ]).toEqual([symbol, date, true]);
    }
  });

  test('a PDF opens with the PAN in upper case; type and name are in the headers', async () => {
    const reply = await post(
      '/report/contract_note',
      { action_type: 'DOWNLOAD', export_format: 'PDF', ...LAST_MONTH },
      { responseType: 'arraybuffer', transformResponse: [] },
    );
    expect(reply.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="contract_note_SBX001_2026-10-01_2026-10-31.pdf"',
    });
    expect(await pdfText(reply.data, PAN)).toContain('Contract note');
  });

  test('workbooks come of all reports, the portfolio by GET', async () => {
    const reports = REPORTS.filter(({ type: reportType }) => reportType !== 'open_positions');
    for (const { type, method, dates } of firstAndShare(reports, 4, ({ method }) => method)) {
      const body = {
        action_type: 'DOWNLOAD',
        export_format: 'EXCEL',
        ...(dates === 'range'
          ? { from_date: day('2025-01-01'), to_date: day('2026-11-23') }
          : { date: day('2026-11-20') }),
      };
      const binary = { responseType: 'arraybuffer' as const, transformResponse: [] };
      const reply =
        method === 'GET'
          ? await bench.http.get(`/report/${type}`, { headers, ...binary })
          : await post(`/report/${type}`, body, binary);
      expect([type, reply.status]).toEqual([type, 200]);
      expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.xlsx"$/);
      expect(reply.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    }
  });

  test('EMAIL is acknowledged, in the inbox, and really sent', async () => {
    const { status, data } = await post('/report/profit_loss', {
      action_type: 'EMAIL',
      export_format: 'PDF',
      ...LAST_MONTH,
    });
    expect([status, data]).toEqual([200, { message: 'Profit and loss has been sent to a****@sandbox.invalid' }]);
    const inbox = (await bench.http.get('/_sandbox/inbox', { params: { phone: '9000000001' } })).data;
    expect(inbox[0]).toMatchObject({
      kind: 'email',
      to: 'asha@sandbox.invalid',
      subject: 'Profit and loss: 1 Oct 2026 to 31 Oct 2026',
      attachments: [{ filename: 'profit_loss_SBX001_2026-10-01_2026-10-31.pdf', contentType: 'application/pdf' }],
    });
    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect(mail!.subject).toBe(inbox[0].subject);
    const attached = mail!.attachments[0]!.content;
    expect(attached.subarray(0, 5).toString()).toBe('%PDF-');
    const kept = await bench.http.get(
      `/_sandbox/inbox/${inbox[0].id}/attachments/${inbox[0].attachments[0].filename}`,
      { responseType: 'arraybuffer', transformResponse: [] },
    );
    expect(Buffer.from(kept.data).equals(attached)).toBe(true);
  });

  test('a window without data is a server error; bad input is 400; no session is 401', async () => {
    const none = await post('/report/contract_note', {
      action_type: 'VIEW',
      from_date: day('2026-10-04'),
      to_date: day('2026-10-04'),
    });
    expect([none.status, none.data.error]).toEqual([500, 'Report generation failed, please retry later']);
    const flat = await post('/report/open_positions', { action_type: 'VIEW', date: day('2026-11-20') });
    expect([flat.status, flat.data.error]).toEqual([500, none.data.error]);
    const bad = await post('/report/contract_note', {
      action_type: 'VIEW',
      from_date: 'yesterday',
      to_date: day('2026-10-04'),
    });
    expect([bad.status, bad.data.error]).toEqual([400, expect.stringContaining('from_date')]);
    expect((await bench.http.post('/report/contract_note', {})).status).toBe(401);
  });
});

test('a mail server that does not answer is said, and the mail is in the inbox all the same', async () => {
  const broken = await start({ smtp: 'smtp://127.0.0.1:1' });
  try {
    const session = await logIn(broken);
    const { status, data } = await broken.http.post(
      '/report/summary',
      { action_type: 'EMAIL', export_format: 'PDF', ...LAST_MONTH },
      { headers: session },
    );
    expect([status, data.error]).toEqual([500, expect.stringContaining('--smtp')]);
    expect((await broken.http.get('/_sandbox/inbox', { params: { phone: '9000000001' } })).data[0]).toMatchObject({
      kind: 'email',
    });
  } finally {
    await broken.close();
  }
});
