/** Held shares whose sale nobody has authorised at the depository: told before anything is sent, authorised on the sandbox's page, then sold. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outputOf } from '../scripts/n8n.mjs';
import { executeStep, openBrowser, openNode, signIn } from './support/browser.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openTab } from './support/page.mjs';
import { brokerageNode, byHand, chain } from './support/workflows.mjs';
import { ACCOUNT } from './support/world.mjs';

describe('A sale of held shares in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let browser;
  let held;
  let selling;

  before(
    async () => {
      world = await openExamples({ editor: true, sandboxOptions: ['--order-interface', 'intent'] });
      const { holdings } = await world.sandbox.control('GET', `page/account?phone=${ACCOUNT.phone}`);
      [held] = holdings;
      const sale = {
        instrument: { __rl: true, mode: 'symbol', value: `NSE:${held.symbol}` },
        side: 'SELL',
        quantity: held.quantity,
        product: 'CNC',
        orderType: 'REGULAR',
        priceType: 'MARKET',
      };
      const preview = brokerageNode('Preview', { resource: 'order', operation: 'preview', ...sale });
      const place = brokerageNode('Sell', { resource: 'order', operation: 'place', ...sale });
      selling = {
        preview: await world.n8n.createWorkflow(chain('Preview', [byHand(), preview], world.credential)),
        place: await world.n8n.createWorkflow(chain('Sell', [byHand(), place], world.credential)),
      };
      browser = await openBrowser();
      await signIn(browser.page, world.n8n.url);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  /** Presses a button below the holdings on the sandbox's page, and waits for what the page then says. */
  async function onPage(button, text) {
    const page = await browser.page.context().newPage();
    await page.goto(`${world.sandbox.url}/_sandbox/`);
    await openTab(page, 'Holdings');
    await page.getByRole('button', { name: button }).click();
    await page.locator('#sales').filter({ hasText: text }).waitFor();
    await page.close();
  }

  const previewed = async () => outputOf(await world.run(selling.preview, 'Run by Hand'), 'Preview')[0];

  it('is refused in words before anything is sent, while nobody has authorised it', async () => {
    await onPage('Practise without DDPI', 'each is rejected');
    const { sellable_quantity: sellable, unauthorised_quantity: waiting } = await previewed();
    assert.deepEqual([sellable, waiting], [0, held.quantity]);
    const { orders_received: before } = await world.sandbox.stats();
    const { page } = browser;
    await openNode(page, world.n8n.url, selling.place, 'Sell');
    await executeStep(
      page,
      `Of ${held.quantity} ${held.symbol} none may be sold now, and ${held.quantity} wait for your authorisation at the depository.`,
    );
    await page.getByTestId('output-panel').filter({ hasText: "Authorise the sale in your broker's app" }).waitFor();
    await browser.shoot('unauthorised-sale');
    assert.equal((await world.sandbox.stats()).orders_received, before);
  });

  it('sells once it is authorised for the day', async () => {
    await onPage('Authorise for today', 'are authorised for today');
    const { sellable_quantity: sellable, unauthorised_quantity: waiting } = await previewed();
    assert.deepEqual([sellable, waiting], [held.quantity, 0]);
    await openNode(browser.page, world.n8n.url, selling.place, 'Sell');
    await executeStep(browser.page, 'order_id');
    await browser.shoot('authorised-sale');
    const sold = async () => {
      const { positions } = await world.sandbox.control('GET', `page/account?phone=${ACCOUNT.phone}`);
      return positions.find(({ symbol }) => symbol === held.symbol)?.quantity === -held.quantity;
    };
    assert.ok(await world.sandbox.child.until(sold, 60_000));
  });
});
