/**
 * Every resource of the node in n8n's editor, in a real browser, over the whole market: opened, an operation chosen, its fields filled in
 * as a user does, run, its output seen. The pictures are kept for inspection.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  chooseOption,
  executeStep,
  fillField,
  openBrowser,
  openNode,
  openOperation,
  pickInstrument,
  searchInstrument,
  signIn,
} from './support/browser.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const workflow = (credential) => chain('Each resource', [byHand(), brokerageNode('Brokerage', {})], credential);

/** A leg of a basket: one lot of the nearest call at this strike. */
async function addLeg(page, leg, strike, side) {
  await page.getByRole('button', { name: 'Add leg' }).click();
  await pickInstrument(page, `NIFTY ${strike} CE`, `${strike} CE · NSE`);
  await chooseOption(page, 'quantityUnit', 'Lots');
  await chooseOption(page, 'side', side, leg);
}

/** By resource: the operation, the user's input, and a part of the output. */
const visits = {
  Portfolio: { operation: 'Get Holdings', shows: 'avg_price' },
  Instrument: {
    operation: 'Search',
    fill: async (page) => await fillField(page, 'query', 'NIFTY'),
    shows: 'tick_size',
  },
  Quote: {
    operation: 'Get Order Book',
    fill: async (page) => void (await pickInstrument(page, 'INFY', 'INFY · NSE')),
    shows: 'best_bid',
  },
  Candle: {
    operation: 'Get',
    fill: async (page) => void (await pickInstrument(page, 'SBIN', 'SBIN · NSE')),
    shows: 'close',
  },
  Bhavcopy: { operation: 'Get Rows', shows: 'TckrSymb' },
  Order: {
    operation: 'Place',
    fill: async (page) => {
      await pickInstrument(page, 'RELIANCE', 'RELIANCE · NSE');
      await chooseOption(page, 'priceType', 'Market');
    },
    shows: 'already_placed',
  },
  Basket: {
    operation: 'Place',
    fill: async (page) => {
      await fillField(page, 'name', 'Spread');
      await addLeg(page, 0, 24500, 'Buy');
      await addLeg(page, 1, 24600, 'Sell');
      await chooseOption(page, 'priceType', 'Market');
    },
    shows: 'basket_id',
  },
  Report: {
    operation: 'View',
    fill: async (page) => await chooseOption(page, 'report', 'Tradebook'),
    shows: 'segment',
  },
  Session: { operation: 'Get User', shows: 'version_status' },
};

describe('every resource in the editor', { timeout: TIMEOUT_MS }, () => {
  let world;
  let browser;

  before(
    async () => {
      world = await openWorld({ editor: true, sandboxOptions: ['--universe', 'full'] });
      browser = await openBrowser({ height: 1500 });
      const credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      const saved = await world.n8n.createWorkflow(workflow(credential));
      await signIn(browser.page, world.n8n.url);
      await openNode(browser.page, world.n8n.url, saved, 'Brokerage');
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  it('the picker finds one of 170,000 instruments as it is typed, and tells twins apart', async () => {
    const { page, shoot } = browser;
    await openOperation(page, 'Quote', 'Get Current Price');
    const lines = await searchInstrument(page, 'INFY');
    await shoot('picker-full');
    const texts = await lines.allInnerTexts();
    assert.match(texts[0], /^INFY · NSE EQ/);
    assert.equal(new Set(texts).size, texts.length);
    assert.ok(texts.length > 5);
    await page.getByTestId('rlc-search').filter({ visible: true }).fill('nifty 24500 pe');
    await lines
      .filter({ hasText: /^NIFTY .* 24500 PE · NSE/ })
      .first()
      .waitFor();
    await shoot('picker-contract');
    await page.getByTestId('rlc-search').filter({ visible: true }).fill('nosuchthing');
    await page.getByText('No results').waitFor();
    await shoot('picker-nothing');
    await page.keyboard.press('Escape');
  });

  it('where nothing comes out, the panel says why', async () => {
    const { page, shoot } = browser;
    await openOperation(page, 'Basket', 'Get Many');
    await executeStep(page, 'No basket was placed today');
    await shoot('basket-nothing');
  });

  for (const [resource, { operation, fill, shows }] of Object.entries(visits)) {
    it(`${resource}: ${operation}`, async () => {
      const { page, shoot } = browser;
      const word = resource.toLowerCase();
      await openOperation(page, resource, operation);
      await shoot(`${word}-empty`);
      await fill?.(page);
      await shoot(`${word}-filled`);
      await executeStep(page, shows);
      await shoot(`${word}-output`);
      assert.equal(await page.getByTestId('node-error-message').count(), 0);
    });
  }
});
