/** A user who has read nothing buys a share with a stop loss of 2 % and a target of 4 %, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chooseOption, fillField, openBrowser, pickInstrument, signIn } from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openWorld } from './support/world.mjs';

describe('a first order with exits', { timeout: TIMEOUT_MS }, () => {
  let world;
  let browser;

  before(
    async () => {
      world = await openWorld({ editor: true, sandboxOptions: ['--order-interface', 'intent'] });
      await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      browser = await openBrowser();
      await signIn(browser.page, world.n8n.url);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  /** Adds an exit of the list under "Exits", and types its number. */
  async function addExit(page, name, parameter, value) {
    await page.getByPlaceholder('Add exit').click();
    await page
      .getByTestId('collection-parameter-option')
      .filter({ visible: true, hasText: new RegExp(`^${name}$`) })
      .click();
    await fillField(page, parameter, value);
    // The editor's hint below a field that is being typed into covers the next one.
    await page.keyboard.press('Tab');
  }

  it('is found by "stop loss", filled in from top to bottom, and placed', async () => {
    const { page, shoot } = browser;
    await page.goto(`${world.n8n.url}/workflow/new`);
    await page.getByTestId('canvas-add-button').click();
    await page.getByTestId('node-creator-search-bar').fill('manual');
    await page.getByTestId('node-creator-item-name').first().click();
    await page.getByTestId('node-creator-plus-button').click();
    await page.getByTestId('node-creator-search-bar').fill('brokerage');
    await page
      .getByTestId('node-creator-item-name')
      .filter({ hasText: /^Brokerage$/ })
      .first()
      .click();
    await page.getByText('Place an order', { exact: true }).first().click();
    await page.getByTestId('ndv').waitFor();
    await shoot('first-order-empty');

    await pickInstrument(page, 'INFY');
    await fillField(page, 'quantity', '10');
    await chooseOption(page, 'priceType', 'Market');
    await addExit(page, 'Stop Loss', 'stopLoss', '2');
    await addExit(page, 'Target', 'target', '4');
    await shoot('first-order-exits');
    await page.getByTestId('node-execute-button').click();
    await page.getByTestId('output-panel').filter({ hasText: 'order_id' }).waitFor();
    await shoot('first-order-placed');
    const shown = await page.getByTestId('output-panel').innerText();
    for (const word of ['FILLED', 'STOPLOSS', 'TARGET_PROFIT']) assert.ok(shown.includes(word), `${word} in ${shown}`);
    const entries = await world.sandbox.journal('intent');
    assert.deepEqual(
      entries.filter(({ event }) => ['received', 'executed'].includes(event)).map(({ event }) => event),
      ['received', 'executed'],
    );
  });
});
