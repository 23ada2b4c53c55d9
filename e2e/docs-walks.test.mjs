/**
 * The numbered walks of docs/first-workflow.md, docs/first-backtest.md and docs/login.md in a real n8n's editor, step by step as their reader does
 * them. The other numbered walks, and what runs them, are listed in docs/development/testing.md.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../scripts/support.mjs';
import { callAtHalfPastNine } from '../scripts/walks/backtest.mjs';
import { Editor } from '../scripts/walks/editor.mjs';
import { WALKS, firstPrice, orderAndCancel, protectHolding, strategyExits } from '../scripts/walks/walks.mjs';
import { chooseOption, openBrowser, signIn } from './support/browser.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openTab } from './support/page.mjs';
import { ACCOUNT } from './support/world.mjs';

describe('The numbered walks of the docs', { timeout: TIMEOUT_MS }, () => {
  let world;
  let browser;
  let editor;

  before(
    async () => {
      const mailPort = await freePort();
      world = await openExamples({
        editor: true,
        start: '2026-11-20T14:00:00+05:30',
        sandboxOptions: ['--hours', 'exchange', '--order-interface', 'intent', '--mail-port', String(mailPort)],
      });
      await world.n8n.saveCredential("Sandbox's Mailbox", 'smtp', {
        host: '127.0.0.1',
        port: mailPort,
        secure: false,
        disableStartTls: true,
      });
      browser = await openBrowser({ width: 1280, height: 760 });
      await signIn(browser.page, world.n8n.url);
      // Nothing is recorded here.
      editor = new Editor({ page: browser.page, show: async () => {} }, world.n8n.url);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  /** Takes a picture of each open page where a walk fails. */
  const walked = (name, walk) => async () => {
    try {
      await walk();
    } catch (error) {
      for (const [at, page] of browser.page.context().pages().entries())
        await browser.shoot(`docs-walk-${name}-failed-${at}`, page);
      throw error;
    }
  };

  for (const { name, walk } of [firstPrice, orderAndCancel, protectHolding, strategyExits, ...WALKS])
    it(
      `builds and runs "${name}" of the first workflows`,
      walked(name, async () => await walk(editor, world)),
    );

  it(
    'builds the workflow of the first backtest, and exports it',
    walked('first-backtest', async () => {
      await callAtHalfPastNine(editor);
      const id = new URL(browser.page.url()).pathname.split('/').at(-1);
      // n8n saves on its own while the walk goes on: the first read may find an earlier state.
      const { nodes, order } = await world.n8n.child.until(async () => {
        const stored = await world.n8n.request('GET', `/workflows/${id}`);
        const placed = stored.nodes.find(({ parameters }) => parameters.instrument !== undefined)?.parameters;
        return placed?.exits?.exitTime === '15:00' ? { nodes: stored.nodes, order: placed } : undefined;
      }, 60_000);
      assert.equal(nodes.length, 4);
      assert.equal(order.quantity, "={{ $('Edit Fields').item.json.lots }}");
      assert.deepEqual(order.exits, { stopLoss: "={{ $('Edit Fields').item.json.stop }}", exitTime: '15:00' });
      await browser.page.getByTestId('workflow-menu').click();
      const exported = browser.page.waitForEvent('download');
      await browser.page.getByText('Export JSON', { exact: true }).click();
      assert.match((await exported).suggestedFilename(), /\.json$/);
    }),
  );

  /** Opens an empty form of the credential, with the sandbox's address in it. */
  async function newCredential(method) {
    const { page } = browser;
    await page.goto(`${world.n8n.url}/home/credentials`);
    await page.getByTestId('add-resource-credential').first().click();
    await page.getByTestId('new-credential-type-select').locator('input').fill('brokerage');
    await page.getByRole('option').filter({ hasText: 'Brokerage API', visible: true }).first().click();
    await page.getByTestId('new-credential-type-button').click();
    await enter('sandboxBaseUrl', world.sandbox.url);
    await chooseOption(page, 'loginMethod', method);
  }
  const enter = async (field, value) =>
    await browser.page.getByTestId(`parameter-input-${field}`).locator('input').last().fill(value);
  const save = async () => await browser.page.getByTestId('credential-save-button').click();

  it(
    'logs in by TOTP in the credential',
    walked('totp', async () => {
      await newCredential('TOTP (Unattended)');
      for (const [field, value] of Object.entries(ACCOUNT)) await enter(field, value);
      await save();
      await browser.page.getByText('Connection tested successfully').waitFor();
    }),
  );

  it(
    'logs in by OTP in the credential, with the message of the page that is the phone',
    walked('otp', async () => {
      const { page } = browser;
      await newCredential('OTP to the Phone');
      await enter('phone', '9000000002');
      await enter('mpin', '2468');
      await save();
      await page.getByText('connect with these settings').waitFor();
      await page.getByText('More details').click();
      await page.getByText('An OTP was sent to your phone.').waitFor();
      const phone = await page.context().newPage();
      await phone.goto(`${world.sandbox.url}/_sandbox/`);
      await phone.locator('#account').selectOption('9000000002');
      await openTab(phone, 'Phone & mailbox');
      const message = await phone.locator('#inbox').getByText('is your one-time password').first().innerText();
      await phone.close();
      await enter('otp', /^\d+/.exec(message)[0]);
      await save();
      await page.getByText('Connection tested successfully').waitFor();
    }),
  );
});
