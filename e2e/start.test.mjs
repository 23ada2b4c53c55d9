/**
 * A new user with nothing but README: `npm start`, its printed words followed in a real browser, the outcome seen on the exchange's page.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Child } from '../scripts/children.mjs';
import { freePort, node24, root, withNode24 } from '../scripts/support.mjs';
import { executeWorkflow, openBrowser } from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { pdfText } from './support/pdf.mjs';

describe('A new user', { timeout: TIMEOUT_MS }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-start-'));
  let started;
  let browser;
  /** Output up to being ready. */
  let text;

  before(
    async () => {
      const options = [
        '--port',
        String(await freePort()),
        '--sandbox-port',
        String(await freePort()),
        '--data',
        path.join(folder, 'data'),
      ];
      started = new Child('npm start', node24, [path.join(root, 'scripts', 'start.mjs'), ...options], {
        cwd: root,
        env: withNode24(),
        log: path.join(folder, 'start.log'),
      });
      await started.until(async () => started.tail.includes('Press Ctrl-C'), 240_000);
      text = started.tail;
      browser = await openBrowser();
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await started?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The printed link behind a name. */
  const linkOf = (name) => new RegExp(`^ *${name} +(http\\S+)`, 'm').exec(text)[1];

  it('signs in with the printed name and password, and sees the examples, the first on top', async () => {
    const { page, shoot } = browser;
    const [, email, password] = /sign in with (\S+) and the password (\S+)/.exec(text);
    await page.goto(linkOf('n8n'));
    await page.locator('input[name="emailOrLdapLoginId"]').fill(email);
    await page.locator('input[name="password"]').fill(password);
    await page.getByTestId('form-submit-button').click();
    await page.getByText('Place a first order').first().waitFor();
    await shoot('start-examples');
    assert.match(await page.getByTestId('resources-list-item-workflow').first().innerText(), /^Place a first order/);
  });

  it('runs the first example: the order on the exchange, and the other workflow started by its fill', async () => {
    const { page } = browser;
    await page.goto(linkOf('Place a first order'));
    await executeWorkflow(page);
    await page.goto(linkOf('When an order fills'));
    await page
      .getByText(/Succeeded/)
      .first()
      .waitFor({ timeout: 60_000 });
    await page.goto(linkOf('Exchange'));
    await page.locator('#orders tbody').filter({ hasText: 'filled' }).waitFor();
    assert.match(await page.locator('#orders tbody').innerText(), /Buy 10 INFY @ [\d,.]+/);
  });

  it('tries an alert: the order, and its stop loss waiting', async () => {
    const { page, shoot } = browser;
    await page.goto(linkOf('Alert to order'));
    await executeWorkflow(page, 'Try It');
    await shoot('start-alert');
    await page.goto(linkOf('Exchange'));
    const stop = page.locator('#orders tbody tr').filter({ hasText: 'Sell 10 INFY' });
    await stop.filter({ hasText: 'open' }).waitFor();
    assert.match(await stop.innerText(), /stop loss at [\d,.]+/);
  });

  it('tries the report: the e-mail in the mailbox, its PDF opened with the password that stands beside it', async () => {
    const { page, shoot } = browser;
    await page.goto(linkOf('Report by e-mail'));
    await executeWorkflow(page, 'Try It');
    await page.goto(linkOf('Exchange'));
    await page.getByRole('tab', { name: 'Phone & mailbox' }).click();
    await page.frameLocator('#inbox iframe').first().getByText('Your portfolio on').waitFor();
    await page.locator('#inbox iframe').first().scrollIntoViewIfNeeded();
    await shoot('start-mail');
    const link = page.getByRole('link', { name: /^Open contract_note.*pdf$/ }).first();
    const [, password] = /password: (\w+)/.exec(await link.locator('xpath=..').innerText());
    const downloading = page.waitForEvent('download');
    await link.click();
    const file = await (await downloading).path();
    assert.match(await pdfText(readFileSync(file), password), /Contract note/i);
  });

  it('stops it, and nothing is left running', async () => {
    const [n8n, exchange] = [linkOf('n8n'), linkOf('Exchange')];
    await started.stop();
    for (const url of [n8n, exchange]) await assert.rejects(fetch(url), url);
  });
});
