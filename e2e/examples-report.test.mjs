/**
 * The examples that mail a report and the companies held: on a trading day and on a holiday, in a real n8n, over real SMTP, read in a real
 * browser.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { errorOf } from '../scripts/n8n.mjs';
import { openBrowser } from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { startMailbox } from './support/mailbox.mjs';
import { pdfText } from './support/pdf.mjs';
import { ACCOUNT, example, openWorld } from './support/world.mjs';

/** The first account's, which opens its files. */
const PAN = 'ABCPS1234A';

describe('The examples that send a report by e-mail', { timeout: TIMEOUT_MS }, () => {
  let world;
  let mailbox;
  let workflow;
  let companies;

  before(
    async () => {
      mailbox = await startMailbox();
      world = await openWorld({ start: '2026-11-23T16:15:00+05:30', sandboxOptions: ['--hours', 'exchange'] });
      const broker = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      const smtp = await world.n8n.saveCredential('Mail', 'smtp', {
        user: 'n8n',
        password: 'secret',
        host: '127.0.0.1',
        port: mailbox.port,
        secure: false,
        disableStartTls: true,
      });
      const imported = async (file) =>
        await world.n8n.createWorkflow(example(file, broker, { 'n8n-nodes-base.emailSend': smtp }));
      workflow = await imported('report-by-email.json');
      companies = await imported('weekly-companies.json');
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
    await mailbox?.stop();
  });

  beforeEach(() => {
    mailbox.mails.length = 0;
  });

  /** Runs one by hand and returns the e-mails that came. */
  async function run(started = workflow, trigger = 'Try It') {
    const ran = await world.n8n.finished(await world.n8n.run(started, trigger));
    assert.equal(ran.status, 'success', errorOf(ran));
    return mailbox.mails;
  }

  /** Opens an e-mail in a browser. */
  async function read({ html }, work) {
    const file = path.join(world.folder, 'mail.html');
    // The result of mailparser has the pictures as data at the places where the e-mail names them.
    writeFileSync(file, `<!doctype html><meta charset="utf-8">${html}`);
    const browser = await openBrowser({ width: 800, height: 900 });
    try {
      await browser.page.goto(`file://${file}`);
      await work(browser);
    } finally {
      await browser.close();
    }
  }

  it('sends the contract note, tables and pictures of the portfolio on a trading day', async () => {
    const mails = await run();
    assert.equal(mails.length, 1);
    const [mail] = mails;
    assert.equal(mail.subject, 'Your portfolio on 23 Nov 2026');
    assert.match(mail.html, /The contract note of last month is attached: 1 Oct 2026 to 31 Oct 2026\./);

    const note = mail.attachments.find(({ contentType }) => contentType === 'application/pdf');
    assert.match(await pdfText(note.content, PAN), /Contract note/i);

    await read(mail, async ({ page, shoot }) => {
      const widths = await page
        .locator('img')
        .evaluateAll((images) => Promise.all(images.map((image) => image.decode().then(() => image.naturalWidth))));
      assert.deepEqual(widths, [1440, 1440]);
      const { holdings } = await world.sandbox.control('GET', `page/account?phone=${ACCOUNT.phone}`);
      const rows = await page.locator('h2:has-text("Holdings") + div tr').allInnerTexts();
      assert.ok(holdings.length > 0);
      assert.equal(rows.length, 2 + holdings.length);
      for (const row of rows.slice(1, -1))
        assert.match(row, /^[A-Z&-]+\t[\d,]+(\t₹[\d,]+\.\d\d){3}(\t[+−]?₹[\d,]+\.\d\d){2}\t[+−]?[\d.]+%$/);
      assert.match(rows.at(-1), /^Total\t/);
      await page.getByText('There are no positions today.').waitFor();
      await shoot('example-report-email');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot('example-report-email-dark');
    });
  });

  it('sends the figures of each company that is held, and what they have announced', async () => {
    const [mail, ...others] = await run(companies, 'Try It');
    assert.equal(others.length, 0);
    assert.equal(mail.subject, 'The companies you hold');
    await read(mail, async ({ page, shoot }) => {
      const { holdings } = await world.sandbox.control('GET', `page/account?phone=${ACCOUNT.phone}`);
      const rows = (await page.locator('tr').allInnerTexts()).map((row) => row.split('\t'));
      for (const { symbol } of holdings) {
        const figures = rows.find(([share]) => share === symbol)?.slice(1);
        assert.equal(figures?.length, 5, symbol);
        for (const figure of figures) assert.match(figure, /^(–|−?[\d,]+\.\d\d)$/, symbol);
      }
      const announced = rows.filter((row) => row.length === 2).map(([, text]) => text);
      assert.ok(announced.length > 0);
      for (const text of announced) assert.match(text, / on \d{1,2} [A-Z][a-z]{2} \d{4}$/);
      await shoot('example-weekly-companies');
      await page.emulateMedia({ colorScheme: 'dark' });
      await shoot('example-weekly-companies-dark');
      await page.setViewportSize({ width: 390, height: 800 });
      await shoot('example-weekly-companies-phone');
    });
  });

  it('says so when there is no data', async () => {
    await world.sandbox.control('POST', 'faults', {
      match: { path: '/report/contract_note' },
      action: 'status',
      args: { status: 500, body: { message: 'Report generation failed, please retry later' } },
    });
    try {
      const [mail, ...others] = await run();
      assert.equal(others.length, 0);
      assert.match(
        mail.html,
        /Nothing was traded last month, so there is no contract note: 1 Oct 2026 to 31 Oct 2026\./,
      );
      assert.deepEqual(
        mail.attachments.map(({ contentType }) => contentType),
        ['image/png', 'image/png'],
      );
    } finally {
      await world.sandbox.control('DELETE', 'faults');
    }
  });

  it('says so when there are no holdings', async () => {
    const { holdings } = await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, {});
    await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, {
      holdings: holdings.map(({ ref_id }) => ({ ref_id, qty: 0 })),
    });
    const [mail, ...others] = await run();
    assert.equal(others.length, 0);
    assert.deepEqual(mail.html.match(/There are no holdings in this account\./g)?.length, 1);
  });

  it('tells a person, once, when the broker cannot be asked', async () => {
    await world.sandbox.control('POST', 'faults', {
      match: { path: '/portfolio/holdings' },
      action: 'status',
      args: { status: 400, body: { error: 'OMS v2 is not enabled' } },
    });
    try {
      const mails = await run();
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        ['Your portfolio e-mail could not be made'],
      );
      assert.match(mails[0].text, /OMS v2 is not enabled/);
    } finally {
      await world.sandbox.control('DELETE', 'faults');
    }
  });

  it('sends by itself at 16:15 by the time of the sandbox, and nothing on a holiday', async () => {
    await world.n8n.activate(workflow);
    await world.setTime('2026-11-24T16:20:00+05:30');
    assert.deepEqual(mailbox.mails, []);
    await world.setTime('2026-11-25T16:15:01+05:30');
    await world.n8n.child.until(() => mailbox.mails.length > 0, 60_000);
    assert.deepEqual(
      mailbox.mails.map(({ subject }) => subject),
      ['Your portfolio on 25 Nov 2026'],
    );
  });
});
