/** The sandbox's own page, in a real browser: trading, the phone, scenarios and faults, by mouse and by keyboard. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createTransport } from 'nodemailer';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openPage, openTab, orderOf25 } from './support/page.mjs';

describe("The sandbox's page", { timeout: TIMEOUT_MS }, () => {
  let opened;
  let sandbox;
  let trade;
  let infy;
  let mailPort;
  let onPage;

  before(async () => {
    opened = await openPage();
    ({ sandbox, trade, infy, mailPort, onPage } = opened);
  });

  after(async () => {
    await opened?.close();
  });

  it('says where the legs of a strategy are while there is no other order', async () => {
    const refIdOf = async (symbol) => (await sandbox.control('GET', `page/instruments?q=${symbol}`))[0].ref_id;
    const legs = [
      { refId: await refIdOf('TCS'), unitQty: 1 },
      { refId: await refIdOf('SBIN'), unitQty: -1 },
    ];
    const terms = { qty: 1, side: 'BUY', deliveryType: 'IDAY', priceType: 'MARKET', validityType: 'IOC' };
    const strategy = { ...terms, isMultiLeg: true, stratTags: ['pair'], executionMode: 'ENTRY', legs };
    await trade('POST', '/sentinel/orders/create', { orders: [strategy] });
    await onPage({}, async ({ page }) => {
      await page.locator('#orders').filter({ hasText: 'No order today beside the legs under Strategies' }).waitFor();
    });
  });

  it('places an order from the ticket by keyboard, tells of its fill, and closes the position, without a reload', async () => {
    await onPage({}, async ({ page, shoot }) => {
      await page.locator('#orders').filter({ hasText: 'No order today' }).waitFor();
      await page.keyboard.press('b');
      await page.keyboard.type('25');
      await page.keyboard.press('Enter');
      await page.locator('#orders tbody').filter({ hasText: 'filled' }).waitFor();
      assert.match(await page.locator('#orders tbody').innerText(), /Buy 25 INFY at market, Intraday/);
      await page.locator('#toasts').filter({ hasText: 'Filled: Buy 25 INFY' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.locator('#keys[open]').getByText('Show a message when an order fills').click();
      await page.keyboard.press('Escape');
      await shoot('sandbox-page');
      await openTab(page, 'Positions');
      // The loss of sold options is none of it: a name that promises that stood at 0 beside a large one.
      const funds = await page.locator('#funds dt').allInnerTexts();
      assert.deepEqual(
        funds.filter((name) => /loss|Blocked/i.test(name)),
        ['Blocked for orders', 'Blocked for positions', 'Blocked for losses'],
      );
      await page.getByRole('button', { name: 'Exit INFY Intraday' }).click();
      await page.locator('#positions .closed').filter({ hasText: 'INFY' }).waitFor();
      assert.equal(
        await page.locator('#toasts').filter({ hasText: 'Filled: Sell' }).count(),
        0,
        'messages of fills are off',
      );
      await openTab(page, 'Performance');
      await page.locator('#trades tbody').filter({ hasText: 'Long 25 INFY' }).waitFor();
      await openTab(page, 'Journal');
      await page.locator('#journal').filter({ hasText: 'Bought 25 INFY' }).waitFor();
    });
  });

  it('fills the ticket from a price of the depth, tells cost and outcome, and opens an option of the chain', async () => {
    await onPage({}, async ({ page }) => {
      const offer = page.getByRole('button', { name: /^Buy at / }).first();
      // In one step: the market moves between two.
      const shown = await offer.evaluate((button) => {
        const text = button.innerText;
        button.click();
        return text;
      });
      const price = shown.replaceAll(',', '');
      assert.equal(await page.locator('#ticket [name=price]').inputValue(), price);
      await page.fill('#ticket [name=quantity]', '10');
      await page
        .locator('#ticket-cost')
        .filter({ hasText: /Takes ₹[\d,.]+, charges ₹/ })
        .waitFor();
      await page.fill('#ticket [name=price]', '1.00');
      await page.click('#ticket-send');
      await page
        .locator('#ticket-note')
        .filter({ hasText: /^Rejected\. The price must be between ₹/ })
        .waitFor();
      await page.fill('#ticket [name=price]', String((Number(price) * 1.01).toFixed(1)));
      await page.click('#ticket-send');
      await page
        .locator('#ticket-note')
        .filter({ hasText: /^Filled: 10 at ₹/ })
        .waitFor();
      await page.fill('#ticket [name=quantity]', '11');
      assert.equal(await page.locator('#ticket-note').innerText(), '', 'it is said of another order');
      await openTab(page, 'Option chain');
      const atMoney = page.locator('#chain .at-money');
      await atMoney.waitFor();
      assert.match(await page.locator('#chart-legend').innerText(), /^O [\d,.]+ +H /);
      await atMoney.getByRole('button', { name: /^Ticket for the call/ }).click();
      await page
        .locator('#instrument-symbol')
        .filter({ hasText: /^INFY.*CE$/ })
        .waitFor();
      await page
        .locator('#ticket-cost')
        .filter({ hasText: /1 lots? of/ })
        .waitFor();
    });
  });

  it('shows a limit order in the market depth, with its exits, modifies and cancels it', async () => {
    await onPage(
      {},
      async ({ page }) => {
        // Time passes by steps: on a slow machine the market would reach the order before it is modified.
        await sandbox.control('POST', 'clock', { mode: 'manual' });
        const shownInTime = async (locator) =>
          await sandbox.child.until(async () => {
            await sandbox.control('POST', 'clock', { advance: 'PT0.5S' });
            await page.waitForTimeout(200);
            return await locator.isVisible();
          }, 60_000);
        const orders = page.locator('#orders tbody');
        const { bids } = await sandbox.control('GET', `page/market?ref_id=${infy.ref_id}&phone=9000000001`);
        const rupees = (paise) => (paise / 100).toFixed(2);
        // In the middle of those that are shown, as the market moves meanwhile; then so far away that nobody trades with it.
        const { price } = bids.at(-3);
        const away = Math.round((price * 0.97) / 10) * 10;
        await page.getByLabel('Type').selectOption('LIMIT');
        await page.getByLabel('Quantity').fill('7');
        await page.getByLabel('Price ₹').fill(rupees(price));
        await page.getByLabel('Stop loss ₹').fill(rupees(Math.round((price * 0.9) / 10) * 10));
        await page.getByLabel('Target ₹').fill(rupees(Math.round((price * 1.1) / 10) * 10));
        await page.locator('#ticket-send').click();
        await shownInTime(orders.filter({ hasText: 'Stop loss' }));
        await shownInTime(page.locator('#ladder .own').filter({ hasText: '7' }));
        await page.getByRole('button', { name: 'Modify: Buy 7 INFY' }).click();
        await page.getByLabel('Limit ₹').fill(rupees(away));
        await page.locator('#modify').getByRole('button', { name: 'Modify' }).click();
        const changed = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }).format(away / 100);
        await shownInTime(orders.filter({ hasText: changed }));
        await sandbox.control('POST', 'clock', { mode: 'real' });
        const cancel = page.getByRole('button', { name: 'Cancel: Buy 7 INFY' });
        // The exchange takes no cancellation while it works on the modification; the page says so.
        await sandbox.child.until(async () => {
          const [reply] = await Promise.all([page.waitForResponse('**/page/cancel'), cancel.click()]);
          return reply.ok();
        }, 60_000);
        await orders.filter({ hasText: 'cancelled' }).waitFor();
      },
      /400/,
    );
  });

  it('draws an indicator over the candles: averages, bands, and the price of the day by volume', async () => {
    await onPage({}, async ({ page }) => {
      for (const name of ['EMA 20', 'EMA 50', 'Bollinger', 'VWAP', 'Indicator'])
        await page.getByLabel('Indicator').selectOption(name);
      const shown = await page.evaluate(async () => {
        const { INDICATORS } = await import('/_sandbox/indicators.js');
        const bars = Array.from({ length: 21 }, (_, at) => ({
          time: at * 60,
          high: at + 2,
          low: at,
          close: at + 1,
          volume: at + 1,
        }));
        const nextDay = { time: 86_400, high: 7, low: 4, close: 4, volume: 10 };
        const last = (name, of = bars) => INDICATORS[name](of).map((line) => line.at(-1));
        return [
          last('ema20'),
          last('ema20', bars.slice(0, 19)),
          last('bollinger', bars.slice(0, 20)),
          last('vwap'),
          last('vwap', [...bars, nextDay]),
        ];
      });
      // Of 1 to 20 the mean is 10.5 and the variance 33.25; the sum of squares to 21 is 3,311, that of the numbers 231.
      const width = 2 * Math.sqrt(33.25);
      assert.deepEqual(shown, [[11.5], [undefined], [10.5 + width, 10.5, 10.5 - width], [3311 / 231], [5]]);
    });
  });

  it('shows which node and execution placed an order; hostile names stay text; an index has neither depth nor ticket', async () => {
    await onPage({}, async ({ page }) => {
      const hostile = '<img src=x onerror="document.title=\'taken over\'">';
      await trade('POST', '/orders/v2/single', { ...orderOf25(infy, 'BUY'), tag: '<b>bold</b>' });
      await trade('POST', '/orders/v2/single', orderOf25(infy, 'BUY'), {
        'x-n8n-execution': '42',
        'x-n8n-workflow': 'abc',
        'x-n8n-workflow-name': encodeURIComponent(hostile),
        'x-n8n-node': 'Place',
      });
      await page.locator('#orders tbody').filter({ hasText: '<b>bold</b>' }).waitFor();
      await page
        .locator('#orders tbody')
        .filter({ hasText: `${hostile} · Place execution 42` })
        .waitFor();
      const link = page.locator('#orders').getByRole('link', { name: 'execution 42' });
      assert.equal(await link.getAttribute('href'), 'http://n8n.invalid:5678/workflow/abc/executions/42');
      assert.equal(await page.locator('#orders :is(img, b)').count(), 0);
      assert.equal(await page.title(), 'Brokerage Sandbox');
      await page.locator('#watchlist button').filter({ hasText: 'NIFTY' }).first().click();
      await page.locator('#ladder').filter({ hasText: 'is an index' }).waitFor();
      assert.equal(await page.locator('#ticket').isVisible(), false);
    });
  });

  it('shows a message sent to the phone, moves a price, runs the clock, breaks and mends', async () => {
    await onPage({}, async ({ page, shoot }) => {
      await page.locator('#account').selectOption('9000000002');
      const ask = (headers, skip) =>
        fetch(`${sandbox.url}/sendphoneotp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ phone: '9000000002', skip_totp: skip }),
        }).then((reply) => reply.json());
      const { temp_token: token } = await ask({}, false);
      await ask({ 'x-temp-token': token }, true);
      await page.locator('#tab-inbox .needs').filter({ hasText: /[1-9]/ }).waitFor();
      await openTab(page, 'Phone & mailbox');
      await page
        .locator('#inbox')
        .filter({ hasText: /\b\d{4,6}\b/ })
        .waitFor();

      await page.locator('#move input').fill('1300.00');
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.locator('#last-price').filter({ hasText: '1,300' }).waitFor();
      await page.getByRole('button', { name: '−3 %' }).click();
      await page
        .locator('#last-price')
        .filter({ hasText: /1,26[01]/ })
        .waitFor();

      const before = Date.parse((await sandbox.control('GET', 'clock')).now);
      await page.getByRole('button', { name: '+1 hour' }).click();
      await page.waitForFunction(
        (from) => Date.parse(document.querySelector('#now').dateTime) - from >= 3_600_000,
        before,
      );

      await page.getByLabel('What happens').selectOption('gap_down');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.locator('#toasts').filter({ hasText: 'NIFTY' }).waitFor();
      await page.getByLabel('Corporate action of the shown share').selectOption({ label: 'Dividend 1 %' });
      await page.getByRole('button', { name: 'Announce' }).click();
      await page.locator('#corporate-action-note').filter({ hasText: '1 announced' }).waitFor();
      const [action] = await sandbox.control('GET', 'corporate-actions');
      assert.equal(action.kind, 'dividend');
      assert.equal(action.effective, false);
      await page.locator('#toasts').filter({ hasText: action.story }).waitFor();
      await shoot('sandbox-corporate-action');
      await openTab(page, 'Faults');
      await page.getByRole('button', { name: 'Turn on: Stream messages come twice' }).click();
      await page.locator('#faults button[aria-pressed=true]').waitFor();
      assert.equal((await sandbox.control('GET', 'faults')).length, 1);
      await page.getByRole('button', { name: 'Turn on: Stream messages come twice' }).click();
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
        await openTab(page, 'Phone & mailbox');
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

  it('leaves a contract when it has expired, says so, and goes on', async () => {
    await onPage(
      {},
      async ({ page }) => {
        await openTab(page, 'Option chain');
        await page.locator('#chain .at-money').getByRole('button').first().click();
        const symbol = page.locator('#instrument-symbol');
        await symbol.filter({ hasText: /CE$/ }).waitFor();
        const option = await symbol.innerText();
        // Share options are monthly.
        await sandbox.control('POST', 'clock', { advance: 'P40D' });
        await page
          .locator('#toasts')
          .filter({ hasText: `${option} has expired. If you held it` })
          .waitFor();
        await symbol.filter({ hasText: /^INFY$/ }).waitFor();
        await page.locator('#ticket-send').filter({ hasText: 'Buy INFY at market' }).waitFor();
        await page.locator('#banner').waitFor({ state: 'hidden' });
      },
      /404/,
    );
  });
});
