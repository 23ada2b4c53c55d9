/** The sandbox's page by the keyboard alone, in a real browser: everything is reached by Tab, the focus is seen, an order is placed, changed and cancelled. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openPage } from './support/page.mjs';

/** More presses of Tab than the page has controls. */
const MAX_TABS = 500;
const SIZES = [
  ['a phone', { width: 360, height: 780 }],
  ['a laptop', { width: 1280, height: 800 }],
  ['wide', { width: 1920, height: 1080 }],
];

/**
 * Presses Tab from the beginning of the page until the focus comes back to where it has been.
 * @returns what can be used and was not reached, and what has the focus where it is covered or not marked
 */
async function tabbed(page) {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    globalThis.reached = new Set();
  });
  const unseen = new Set();
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    await page.keyboard.press('Tab');
    const problem = await page.evaluate(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return 'left';
      if (globalThis.reached.has(one)) return 'again';
      globalThis.reached.add(one);
      const { left, top, width, height } = one.getBoundingClientRect();
      const shown = document.elementFromPoint(left + width / 2, top + height / 2);
      const isOnTop =
        shown !== null && (one.contains(shown) || shown.contains(one) || shown.closest('label')?.contains(one));
      const { outlineStyle, boxShadow } = getComputedStyle(one.closest('label') ?? one);
      const own = getComputedStyle(one);
      const isMarked = [outlineStyle, boxShadow, own.outlineStyle, own.boxShadow].some((style) => style !== 'none');
      if (isOnTop && isMarked) return '';
      return `${isMarked ? 'covered' : 'unmarked'}: ${one.outerHTML.slice(0, 200)}`;
    });
    if (problem === 'left' || problem === 'again') break;
    if (problem !== '') unseen.add(problem);
  }
  const missing = await page.evaluate(() =>
    [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
      .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }))
      // Of radio buttons the chosen one is reached; arrows reach the others.
      .filter((one) => one.type !== 'radio' || one.checked)
      .filter((one) => !globalThis.reached.has(one) && document.contains(one))
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  );
  return { missing, unseen: [...unseen] };
}

describe("The sandbox's page by the keyboard alone", { timeout: TIMEOUT_MS }, () => {
  let opened;
  let sandbox;
  let onPage;

  before(async () => {
    opened = await openPage();
    ({ sandbox, onPage } = opened);
  });

  after(async () => {
    await opened?.close();
  });

  for (const [name, options] of SIZES)
    it(`is reached as a whole, with the focus in sight: ${name}`, async () => {
      await onPage(options, async ({ page }) => {
        // Prices that stay where they are: what is shown does not change between two presses.
        await sandbox.control('POST', 'clock', { mode: 'manual' });
        const views = page.locator(options.width <= 760 ? '.views button' : '[role=tab]');
        for (let at = 0; at < (await views.count()); at++) {
          await views.nth(at).focus();
          await page.keyboard.press('Enter');
          const { missing, unseen } = await tabbed(page);
          assert.deepEqual(missing, [], `not reached in part ${at}`);
          assert.deepEqual(unseen, [], `the focus is not seen in part ${at}`);
        }
        await sandbox.control('POST', 'clock', { mode: 'real' });
      });
    });

  /** Presses Tab until the focus is on what fits, as somebody does who looks at the screen. */
  async function tabTo(page, target, key = 'Tab') {
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if (await target.evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press(key);
    }
    assert.fail(`Tab never reaches ${target}`);
  }

  it('buys a share, changes the order, cancels it, and moves the clock', async () => {
    await onPage(
      { width: 1280, height: 800 },
      async ({ page, shoot }) => {
        const { last_price: price } = await sandbox.control(
          'GET',
          `page/market?ref_id=${opened.infy.ref_id}&phone=9000000001`,
        );
        const away = (Math.round((price * 0.95) / 10) / 10).toFixed(2);
        const type = async (target, text) => {
          await tabTo(page, target);
          await page.keyboard.press('Control+a');
          await page.keyboard.type(text);
        };
        await tabTo(page, page.locator('#ticket select[name=kind]'));
        await page.keyboard.type('L');
        await page.keyboard.press('Shift+Tab');
        await type(page.locator('#ticket input[name=quantity]'), '7');
        await type(page.locator('#ticket input[name=price]'), away);
        await page.keyboard.press('Enter');
        const order = page.locator('#orders tbody tr').filter({ hasText: 'Buy 7 INFY' });
        await order.filter({ hasText: 'open' }).waitFor();

        // Letters of shortcuts are no numbers: from the quantity, S makes the ticket a sale, and B a purchase again.
        await tabTo(page, page.locator('#ticket input[name=quantity]'));
        for (const side of ['SELL', 'BUY']) {
          await page.keyboard.press(side[0]);
          assert.equal(await page.locator('#ticket [name=side]:checked').getAttribute('value'), side);
          assert.equal(await page.locator('#ticket input[name=quantity]').inputValue(), '7');
        }

        await tabTo(page, page.getByRole('button', { name: 'Modify: Buy 7 INFY' }));
        await shoot('sandbox-page-focus');
        await page.keyboard.press('Enter');
        await type(page.locator('#modify input[name=quantity]'), '9');
        await page.keyboard.press('Enter');
        await page.locator('#modify').waitFor({ state: 'hidden' });
        await page.locator('#orders tbody tr').filter({ hasText: 'Buy 9 INFY' }).waitFor();

        await tabTo(page, page.getByRole('button', { name: 'Cancel: Buy 9 INFY' }));
        const cancelled = page.locator('#orders tbody').filter({ hasText: 'cancelled' });
        // The exchange takes no cancellation while it works on the modification; the page says so.
        await sandbox.child.until(async () => {
          await page.keyboard.press('Enter');
          await cancelled.waitFor({ timeout: 3_000 });
          return true;
        }, 60_000);

        const before = (await sandbox.control('GET', 'clock')).now;
        await tabTo(page, page.locator('#goto-open'), 'Shift+Tab');
        await page.keyboard.press('Enter');
        await tabTo(page, page.getByRole('button', { name: 'Next trading day, 09:00' }));
        await page.keyboard.press('Enter');
        await page.locator('#now').filter({ hasText: '09:00' }).waitFor();
        assert.notEqual((await sandbox.control('GET', 'clock')).now.slice(0, 10), before.slice(0, 10));
        assert.equal(await page.locator('dialog[open]').count(), 0, 'the window closes');
      },
      /400/,
    );
  });
});
