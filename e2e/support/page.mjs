/** A sandbox with somebody logged in, and its page in a real browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/support.mjs';
import { openBrowser } from './browser.mjs';
import { logIn } from './trader.mjs';
import { Sandbox } from './world.mjs';

/**
 * Starts a sandbox. `trade` sends requests of the first account; `onPage` opens the page, does some work there, and fails where anything
 * went
 * wrong in the browser but what matches `expected`; `close` ends the sandbox.
 */
export async function openPage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'brokerage-page-'));
  const mailPort = await freePort();
  const sandbox = new Sandbox(folder, await freePort(), [
    '--mail-port',
    String(mailPort),
    '--order-interface',
    'both',
    '--n8n',
    'http://n8n.invalid:5678',
  ]);
  const close = async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await sandbox.start();
    const trade = await logIn(sandbox.url);
    const [infy] = await sandbox.control('GET', 'page/instruments?q=INFY');

    const onPage = async (options, work, expected) => {
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
    };
    return { sandbox, mailPort, trade, infy, onPage, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Body of an order that buys or sells 25 of an instrument at the market. @param {'BUY' | 'SELL'} side */
export const orderOf25 = ({ ref_id }, side) => ({
  ref_id,
  order_type: 'ORDER_TYPE_REGULAR',
  order_qty: 25,
  order_side: `ORDER_SIDE_${side}`,
  order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  validity_type: 'DAY',
  price_type: 'MARKET',
  tag: 'from-a-test',
});

/** Opens a tab below the chart. */
export const openTab = (page, name) => page.getByRole('tab', { name }).click();
