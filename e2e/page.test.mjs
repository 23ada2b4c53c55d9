/** The sandbox's own page, in a real browser: what a person sees and does, by mouse and by keyboard; axe looks for barriers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTransport } from 'nodemailer';
import { freePort } from '../scripts/support.mjs';
import { openBrowser } from './support/browser.mjs';
import { logIn } from './support/trader.mjs';
import { Sandbox } from './support/world.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TIMEOUT_MS = 120_000;

describe("The sandbox's page", { timeout: TIMEOUT_MS }, () => {
  let folder;
  let sandbox;
  let trade;
  let infy;
  let mailPort;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'brokerage-page-'));
    mailPort = await freePort();
    sandbox = new Sandbox(folder, await freePort(), ['--mail-port', String(mailPort)]);
    await sandbox.start();
    trade = await logIn(sandbox.url);
    [infy] = await sandbox.control('GET', 'page/instruments?q=INFY');
  });

  after(async () => {
    await sandbox?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const marketOrder = (side) => ({
    ref_id: infy.ref_id,
    order_type: 'ORDER_TYPE_REGULAR',
    order_qty: 25,
    order_side: `ORDER_SIDE_${side}`,
    order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
    validity_type: 'DAY',
    price_type: 'MARKET',
    tag: 'from-a-test',
  });

  async function onPage(options, work, expected) {
    const browser = await openBrowser(options);
    const mistakes = [];
    browser.page.on('pageerror', (error) => mistakes.push(error.message));
    browser.page.on('console', (message) => message.type() === 'error' && mistakes.push(message.text()));
    try {
      await browser.page.goto(`${sandbox.url}/_sandbox/`);
      await browser.page.locator('#last-price').filter({ hasText: '₹' }).waitFor();
      await work(browser);
      assert.deepEqual(
        mistakes.filter((mistake) => !expected?.test(mistake)),
        [],
        'nothing went wrong in the browser',
      );
    } finally {
      await browser.close();
    }
  }

  it('shows an order, its life and the position live, without a reload', async () => {
    await onPage({}, async ({ page, shoot }) => {
      await page.locator('#orders').filter({ hasText: 'No order today' }).waitFor();
      await trade('POST', '/orders/v2/single', marketOrder('BUY'));
      await page.locator('#orders tbody').filter({ hasText: 'filled' }).waitFor();
      assert.match(await page.locator('#orders tbody').innerText(), /Buy 25 INFY at market/);
      await page.locator('#positions tbody').filter({ hasText: /INFY/ }).waitFor();
      await page.locator('#trades tbody').filter({ hasText: 'Bought' }).waitFor();
      await page.locator('#journal').filter({ hasText: 'trade' }).waitFor();
      await shoot('sandbox-page');
    });
  });

  it('chooses an instrument by keyboard', async () => {
    await onPage({}, async ({ page }) => {
      await page.locator('#instrument-search').focus();
      await page.keyboard.type('RELIANCE');
      await page.locator('#instrument-list [role=option]').first().filter({ hasText: 'RELIANCE' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page
        .locator('#instrument-name')
        .filter({ hasText: /RELIANCE/i })
        .waitFor();
      assert.equal(await page.locator('#instrument-list').isVisible(), false);
    });
  });

  it('shows a message sent to the phone, moves a price, runs the clock, breaks and mends', async () => {
    await onPage({}, async ({ page }) => {
      await page.locator('#account').selectOption('9000000002');
      const ask = (headers, skip) =>
        fetch(`${sandbox.url}/sendphoneotp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ phone: '9000000002', skip_totp: skip }),
        }).then((reply) => reply.json());
      const { temp_token: token } = await ask({}, false);
      await ask({ 'x-temp-token': token }, true);
      await page
        .locator('#inbox')
        .filter({ hasText: /\b\d{4,6}\b/ })
        .waitFor();

      await page.locator('#move input').fill('1300.00');
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.locator('#last-price').filter({ hasText: '1,300' }).waitFor();

      const before = Date.parse((await sandbox.control('GET', 'clock')).now);
      await page.getByRole('button', { name: '+1 hour' }).click();
      await page.waitForFunction(
        (from) => Date.parse(document.querySelector('#now').dateTime) - from >= 3_600_000,
        before,
      );

      await page.getByRole('button', { name: 'Switch on: Stream messages come twice' }).click();
      await page.locator('#faults button[aria-pressed=true]').waitFor();
      assert.equal((await sandbox.control('GET', 'faults')).length, 1);
      await page.getByRole('button', { name: 'Switch on: Stream messages come twice' }).click();
      await page.locator('#faults button[aria-pressed=true]').waitFor({ state: 'detached' });
      assert.equal((await sandbox.control('GET', 'faults')).length, 0);
      await sandbox.control('POST', 'faults', { match: { stream: true }, action: 'duplicate_frame' });
      await page.locator('#faults button[aria-pressed=true]').waitFor();
      await page.getByRole('button', { name: 'Turn all faults off' }).click();
      await page.locator('#faults-note').filter({ hasText: 'works again' }).waitFor();
      assert.equal((await sandbox.control('GET', 'faults')).length, 0);
    });
  });

  it('shows an e-mail as it was meant, opens its attachment, and lets nothing of it run or reach out', async () => {
    const asked = [];
    const elsewhere = createServer((request, reply) => {
      asked.push(request.url);
      reply.end();
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const pixel = `http://127.0.0.1:${elsewhere.address().port}/pixel.png`;
    await onPage(
      {},
      async ({ page, shoot }) => {
        await page.locator('#account').selectOption('9000000002');
        const refused = page.waitForEvent(
          'console',
          (message) => message.text().includes(pixel) && message.text().includes('Content Security Policy'),
        );
        await createTransport({ host: '127.0.0.1', port: mailPort }).sendMail({
          from: 'n8n <n8n@example.com>',
          to: 'ravi@sandbox.invalid',
          subject: 'Holdings of today',
          html: `<h1>Holdings</h1><p id="told">All well</p><script>parent.document.title = 'taken over'</script><img src="${pixel}">`,
          attachments: [{ filename: 'contract note.txt', content: 'Bought 10 INFY' }],
        });
        await page.locator('#inbox').filter({ hasText: 'Holdings of today' }).waitFor();
        await page.frameLocator('#inbox iframe').locator('#told').filter({ hasText: 'All well' }).waitFor();
        await page.locator('#inbox-title').scrollIntoViewIfNeeded();
        await shoot('sandbox-page-mail');
        const downloading = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Open contract note.txt' }).click();
        assert.equal(readFileSync(await (await downloading).path(), 'utf8'), 'Bought 10 INFY');
        assert.equal(await page.title(), 'Brokerage Sandbox');
        await refused;
        assert.deepEqual(asked, [], 'the e-mail reached out');
      },
      /pixel|sandboxed|srcdoc/,
    ).finally(() => elsewhere.close());
  });

  for (const [name, options] of [
    ['light and wide', {}],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { width: 390, height: 844 }],
  ]) {
    it(`has no barrier and no sideways scrolling: ${name}`, async () => {
      await onPage(options, async ({ page, shoot }) => {
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(
          violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`),
          [],
        );
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
          'it scrolls sideways',
        );
        await shoot(`sandbox-page-${name.replaceAll(' ', '-')}`);
      });
    });
  }
});
