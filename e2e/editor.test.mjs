/** A user at n8n's editor, in a real browser: signs in, adds the node from the panel, picks an instrument, runs, looks. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fillField, openBrowser, openNode, signIn } from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain, marketOrder } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

describe("n8n's editor", { timeout: TIMEOUT_MS }, () => {
  let world;
  let browser;
  let credential;

  before(
    async () => {
      world = await openWorld({ editor: true });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      browser = await openBrowser();
      await signIn(browser.page, world.n8n.url);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  /** Opens the panel of nodes and looks for a word. */
  async function lookFor(page, word) {
    await page.getByTestId('node-creator-search-bar').fill(word);
    await page.getByTestId('node-creator-item-name').filter({ hasText: 'Brokerage' }).first().waitFor();
  }

  it('the node is found in the panel by the words that people use', async () => {
    const { page, shoot } = browser;
    await page.goto(`${world.n8n.url}/workflow/new`);
    await page.getByTestId('canvas-add-button').click();
    await page.getByTestId('node-creator-search-bar').fill('manual');
    await page.getByTestId('node-creator-item-name').first().click();
    await page.getByTestId('node-creator-plus-button').click();
    for (const word of ['option chain', 'algo', 'intraday', 'India', 'P&L', 'stock market', 'brokerage'])
      await lookFor(page, word);
    await shoot('panel');
    await page
      .getByTestId('node-creator-item-name')
      .filter({ hasText: /^Brokerage$/ })
      .first()
      .click();
    await page.getByText('Get a current price', { exact: false }).first().waitFor();
    await shoot('actions');
  });

  it('the instrument list opens, is searched and picked from; the node runs and shows what came out', async () => {
    const { page, shoot } = browser;
    await page.getByText('Get a current price', { exact: false }).first().click();
    await page.getByTestId('ndv').waitFor();
    await page.getByTestId('parameter-input-instrument').getByTestId('rlc-input').click();
    const search = page.getByTestId('rlc-search');
    await search.waitFor();
    await search.fill('INFY');
    const item = page.getByTestId('rlc-item').filter({ hasText: 'INFY' }).first();
    await item.waitFor();
    await shoot('picker');
    assert.match(await item.innerText(), /INFY/);
    await item.click();
    await shoot('picked');
    await page.getByTestId('node-execute-button').click();
    await page.getByTestId('output-panel').filter({ hasText: 'INFY' }).waitFor();
    await shoot('output');
    assert.match(await page.getByTestId('output-panel').innerText(), /price/i);
  });

  /** A workflow with an order, as somebody stored it, opened at the order's node. */
  async function openOrder(name, parameters) {
    const nodes = [byHand(), brokerageNode('Order', { ...marketOrder, ...parameters })];
    const workflow = await world.n8n.createWorkflow(chain(name, nodes, credential));
    await openNode(browser.page, world.n8n.url, workflow, 'Order');
    return async () => (await world.n8n.request('GET', `/workflows/${workflow.id}`)).nodes[1].parameters;
  }

  it('limits that are stored are shown once and kept, and an option is added', async () => {
    const { page, shoot } = browser;
    const stored = await openOrder('Limits', { safety: { maxQuantity: 5, dryRun: true } });
    await page.getByTestId('parameter-input-maxQuantity').waitFor();
    assert.equal(await page.getByTestId('parameter-input-maxQuantity').count(), 1);
    await page.getByPlaceholder('Add option').last().click();
    await page.getByTestId('collection-parameter-option').filter({ visible: true, hasText: /^Tag$/ }).click();
    await fillField(page, 'tag', 'editor');
    await shoot('collections');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+s');
    await world.n8n.child.until(async () => (await stored()).options?.tag === 'editor', 20_000);
    assert.deepEqual((await stored()).safety, { maxQuantity: 5, dryRun: true });
  });
});
