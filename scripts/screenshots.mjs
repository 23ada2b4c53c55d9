/** `npm run screenshots`: makes the pictures of README and docs anew, from the real thing, into docs/pictures. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged, installIfMissing, root } from './support.mjs';

const pictures = path.join(root, 'docs', 'pictures');

await installIfMissing();
await buildIfChanged();
const { openBrowser, signIn } = await import('../e2e/support/browser.mjs');
const { example, openWorld } = await import('../e2e/support/world.mjs');

mkdirSync(pictures, { recursive: true });
const world = await openWorld();
const browser = await openBrowser({ width: 1280, height: 800 });
const { page } = browser;
const shoot = async (name, options = {}) => await page.screenshot({ path: path.join(pictures, `${name}.png`), ...options });
try {
  const credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const first = await world.n8n.createWorkflow(example('first-order.json', credential));
  const second = await world.n8n.createWorkflow(example('on-fill.json', credential));
  await world.n8n.activate(second);
  await signIn(page, world.n8n.url);

  await page.goto(`${world.n8n.url}/workflow/${first.id}`);
  await page.getByTestId('execute-workflow-button').click();
  await page.getByText('Workflow executed successfully').waitFor({ timeout: 60_000 });
  await page.getByTestId('zoom-to-fit').click();
  await page.waitForTimeout(1_500);
  await shoot('workflow');

  await page.goto(`${world.n8n.url}/workflow/${first.id}`);
  await page.locator('[data-node-name="Place Order"]').first().dblclick({ position: { x: 40, y: 40 } });
  await page.getByTestId('ndv').waitFor();
  await page.waitForTimeout(1_000);
  await shoot('place-order');

  await page.goto(`${world.n8n.url}/home/credentials`);
  await page.getByText('Brokerage Sandbox').first().click();
  await page.getByText('Environment').first().waitFor();
  await page.waitForTimeout(1_000);
  await shoot('credential');

  await page.goto(`${world.sandbox.url}/_sandbox/`);
  await page.locator('#orders tbody').filter({ hasText: 'filled' }).waitFor();
  await page.waitForTimeout(1_500);
  await shoot('sandbox');
} finally {
  await browser.close();
  await world.close();
}
