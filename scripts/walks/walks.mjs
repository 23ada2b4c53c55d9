/** The workflows of docs/first-workflow.md, as their reader builds them. */
import { executeStep } from '../../e2e/support/browser.mjs';
import { ACCOUNT } from '../../e2e/support/world.mjs';

/** Paise. */
const TICK = 5;
/** Milliseconds within which a busy machine closes both legs of a strategy. */
const CLOSING_MS = 60_000;
const OURS = ['brokerage', 'Brokerage'];

/** The first price, by hand. */
export const firstPrice = {
  name: 'first-price',
  async walk(editor) {
    await editor.empty();
    await editor.firstByHand();
    await editor.then(...OURS, 'Get a current price');
    await editor.pick('INFY');
    await executeStep(editor.page, 'prev_close');
  },
};

/** An order below the market behind the first price, and its cancellation. */
export const orderAndCancel = {
  name: 'order-and-cancel',
  async walk(editor) {
    await firstPrice.walk(editor);
    await editor.back();
    await editor.then(...OURS, 'Place an order');
    await editor.pick('INFY');
    await editor.choose('pricesAs', 'Percent From a Price');
    await editor.fill('price', '-3');
    await executeStep(editor.page, 'OPEN');
    await editor.back();
    await editor.then(...OURS, 'Cancel an order');
    await editor.expression('orderId', '{{ $json.order_id }}');
    await executeStep(editor.page, 'CANCELLED');
  },
};

/** A rise of NIFTY becomes an order with exits. */
const riseToCall = {
  name: 'rise-to-call',
  async walk(editor, { sandbox }) {
    const { page } = editor;
    await moveNifty(sandbox, 0.85);
    await editor.empty();
    await editor.first(...OURS, 'On price alert');
    await editor.pick('NIFTY');
    await editor.choose('condition', 'Moves by Percent');
    await editor.choose('measuredFrom', 'Previous Close');
    await editor.choose('direction', 'Up');
    await editor.choose('repeat', 'Once a Day');
    await editor.back();
    await editor.then(...OURS, 'Get an option by its offset from the money');
    await editor.fill('underlying', 'NIFTY');
    await editor.back();
    await editor.then(...OURS, 'Place an order');
    await editor.locate('instrument', 'By Symbol', '={{ $json.symbol }}');
    await editor.fill('quantity', '1');
    await editor.choose('quantityUnit', 'Lots');
    await editor.choose('priceType', 'Market');
    await editor.add('Add exit', 'Stop Loss', 'stopLoss', '30');
    await editor.add('Add exit', 'Target', 'target', '60');
    await editor.back();
    await editor.save();
    await editor.listen();
    // On a busy machine the trigger listens some seconds after n8n says so, and a price that is there before does not count.
    await editor.done(async () => {
      await moveNifty(sandbox, 0.85);
      await page.waitForTimeout(3_000);
      await moveNifty(sandbox, 1.1);
    });
    await editor.result('order_id');
  },
};

/** The table's columns, named as the fields of a fill. */
const COLUMNS = { order_id: 'string', symbol: 'string', trade_qty: 'number', trade_price: 'number' };

/** Each fill becomes a row of a data table. */
const fillToTable = {
  name: 'fill-to-table',
  async walk(editor, { sandbox }) {
    const { page } = editor;
    await editor.table('Fills', COLUMNS);
    await editor.empty();
    await editor.first(...OURS, 'On order events');
    await editor.back();
    await editor.then('data table', 'Data table', 'Insert row');
    await editor.fromList('dataTableId', 'Fills');
    for (const column of Object.keys(COLUMNS))
      await editor.expression(column, `{{ $json.${column} }}`, `value["${column}"]`);
    await editor.back();
    await editor.save();
    await editor.listen();
    const other = await page.context().newPage();
    await openSandbox(other, sandbox);
    // The trigger listens some seconds after n8n says so: what fills before that is bought once more, by the same keys.
    await editor.done(async () => {
      await other.keyboard.press('b');
      await other.keyboard.type('25');
      await other.keyboard.press('Enter');
    });
    await other.close();
    await editor.row('Fills', 'INFY');
  },
};

/** The day's profit goes out as an e-mail at 15:35. */
const profitByEmail = {
  name: 'profit-by-email',
  async walk(editor, { sandbox, n8n, setTime }) {
    const { page, recorder } = editor;
    await editor.empty();
    await editor.first(...OURS, 'At a market time');
    await editor.fill('marketTimes', '15:35');
    await editor.back();
    await editor.then(...OURS, 'Get a summary of the portfolio');
    await editor.back();
    await editor.then('send email', 'Send Email', 'Send an Email');
    await editor.fill('fromEmail', 'me@example.com');
    await editor.fill('toEmail', 'me@example.com');
    await editor.fill('subject', 'My day');
    await editor.choose('emailFormat', 'Text');
    await editor.expression('text', '{{ $json.summary }}');
    await editor.back();
    await editor.save();
    // In the editor it starts at once.
    await editor.done(async () => await page.getByTestId('execute-workflow-button').click());
    const streams = async () => (await sandbox.journal('stream_open')).length;
    const before = await streams();
    await editor.publish();
    // n8n says so before the trigger follows the sandbox's clock, on a separate stream.
    await n8n.child.until(async () => (await streams()) > before, 60_000);
    await setTime('2026-11-20T15:35:01+05:30');
    await page.goto(`${sandbox.url}/_sandbox/`);
    await page.getByRole('tab', { name: 'Phone & mailbox' }).click();
    await page.locator('#panel-inbox').getByText('My day').nth(1).waitFor();
    await recorder.show(4);
  },
};

/** The walk in which a holding is sold when the price has come back from its best by 2 %. */
export const protectHolding = {
  name: 'protect-holding',
  async walk(editor, { sandbox }) {
    const { page } = editor;
    await editor.empty();
    await editor.first(...OURS, 'On order exits');
    await editor.choose('exitsOf', 'What I Hold');
    await editor.pick('INFY');
    await editor.add('Add exit', 'Trailing Stop', 'trailingStop', '2');
    await editor.back();
    await editor.save();
    await editor.publish();
    const other = await page.context().newPage();
    await openSandbox(other, sandbox);
    const kept = other.locator('#orders tbody').filter({ hasText: /Sell \d+ INFY/ });
    await editor.until(kept, async () => {
      await other.getByRole('button', { name: '+3 %' }).click();
      await other.waitForTimeout(3_000);
      await other.getByRole('button', { name: '−3 %' }).click();
    });
    await other.close();
  },
};

/** The walk in which a strategy is closed at its stop loss, once, and a later one at its target. */
export const strategyExits = {
  name: 'strategy-exits',
  async walk(editor, { sandbox }) {
    const { page } = editor;
    const other = await page.context().newPage();
    await openSandbox(other, sandbox);
    await trade(other, 'Sell', 'call');
    await trade(other, 'Sell', 'put');
    await editor.empty();
    await editor.first(...OURS, 'On order exits');
    await editor.choose('exitsOf', 'A Strategy, by Its Net Profit');
    await editor.fill('strategyLegs', 'NIFTY');
    await editor.add('Add exit', 'Stop Loss', 'stopLoss', '2000');
    await editor.add('Add exit', 'Target', 'target', '2000');
    await editor.back();
    await editor.save();
    await editor.publish();
    const placed = (text) =>
      other.locator('#orders tbody tr').filter({ hasText: text }).filter({ hasText: 'Brokerage Trigger' });
    const isClosedBy = async (orders, count) => {
      const rise = async () => {
        await open(other, 'NIFTY');
        await other.getByRole('button', { name: '+1 %' }).click();
        await other.getByRole('tab', { name: 'Orders' }).click();
      };
      await editor.until(orders.nth(count - 1), rise, CLOSING_MS);
      // Nothing more comes.
      await other.waitForTimeout(6_000);
      const found = await orders.count();
      if (found !== count) throw new Error(`The strategy was closed by ${found} orders, not ${count}.`);
    };
    await isClosedBy(placed(/Buy \d+ NIFTY/), 2);
    await trade(other, 'Buy', 'call');
    await isClosedBy(placed(/Sell \d+ NIFTY/), 1);
    await other.close();
  },
};

/** Opens an instrument of the watchlist on the sandbox's page. */
const open = async (page, symbol) => await page.getByText(symbol, { exact: true }).first().click();

/** Buys or sells NIFTY's call or put at the money by the ticket of the sandbox's page, and waits for the fill. */
async function trade(page, side, option) {
  // The list of orders: the note about a fill is gone before a busy machine has looked for it.
  const filled = page
    .locator('#orders tbody tr')
    .filter({ hasText: new RegExp(`${side} \\d+ NIFTY`) })
    .filter({ hasText: 'filled' });
  const before = await filled.count();
  await open(page, 'NIFTY');
  await page.getByRole('tab', { name: 'Option chain' }).click();
  const price = page.locator('#chain .at-money button');
  const contract = option === 'call' ? price.first() : price.last();
  await contract.click();
  await page.locator('#ticket').getByRole('radio', { name: side }).check();
  await page
    .locator('#ticket-send')
    .filter({ hasText: `${side} NIFTY` })
    .click();
  await page.getByRole('tab', { name: 'Orders' }).click();
  await filled.nth(before).waitFor();
}

/** Opens the sandbox's page, and waits until its keys and buttons work. */
async function openSandbox(page, sandbox) {
  await page.goto(`${sandbox.url}/_sandbox/`);
  await page.locator('#last-price').filter({ hasText: '₹' }).waitFor();
}

/** Moves NIFTY to `percent` percent from its previous close, as on the sandbox's page. */
async function moveNifty(sandbox, percent) {
  const found = await sandbox.control('GET', 'page/instruments?q=NIFTY');
  const { ref_id: refId } = found.find(({ symbol }) => symbol === 'NIFTY');
  const { previous_close: close } = await sandbox.control('GET', `page/market?ref_id=${refId}&phone=${ACCOUNT.phone}`);
  await sandbox.control('POST', 'market', {
    ref_id: refId,
    price: Math.round((close * (1 + percent / 100)) / TICK) * TICK,
  });
}

/** The walks whose moving pictures docs/first-workflow.md shows. */
export const WALKS = [riseToCall, fillToTable, profitByEmail];
