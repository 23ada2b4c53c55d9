/**
 * Appearance and accessibility of the sandbox's page, in a real browser: search and watchlist, screens of all sizes; axe looks for
 * barriers.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openPage, openTab, orderOf25 } from './support/page.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Widths of a phone, tablets, a laptop and a wide screen, in both colours. */
const SIZES = [
  ['a phone', { width: 360, height: 780 }],
  ['a tablet held upright', { width: 768, height: 1024 }],
  ['a tablet', { width: 900, height: 800 }],
  ['small', { width: 1280, height: 800 }],
  ['wide', { width: 1920, height: 1080 }],
].flatMap(([name, size]) =>
  ['light', 'dark'].map((colorScheme) => [`${name}, ${colorScheme}`, { ...size, colorScheme }]),
);

describe("The look of the sandbox's page", { timeout: TIMEOUT_MS }, () => {
  let opened;
  let sandbox;
  let trade;
  let infy;
  let onPage;

  before(async () => {
    opened = await openPage();
    ({ sandbox, trade, infy, onPage } = opened);
  });

  after(async () => {
    await opened?.close();
  });

  it('chooses an instrument by keyboard', async () => {
    await onPage({}, async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('RELIANCE');
      await page.locator('#instrument-list [role=option]').first().filter({ hasText: 'RELIANCE' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page
        .locator('#instrument-name')
        .filter({ hasText: /RELIANCE/i })
        .waitFor();
      assert.equal(await page.locator('#instrument-list').isVisible(), false);
    });
  });

  it('chooses what was typed, also where Enter is quicker than the list', async () => {
    await onPage({}, async ({ page }) => {
      const held = [];
      await page.route('**/page/instruments?q=*', (route) => void held.push(route));
      await page.keyboard.press('/');
      await page.keyboard.type('RELIANCE');
      await page.keyboard.press('Enter');
      while (held.length < 'RELIANCE'.length) await page.waitForTimeout(10);
      for (const route of held.reverse()) await route.continue();
      await page
        .locator('#instrument-name')
        .filter({ hasText: /RELIANCE/i })
        .waitFor();
      assert.equal(await page.locator('#instrument-list').isVisible(), false);
      assert.equal(await page.locator('#instrument-search').inputValue(), '');
    });
  });

  it('adds to the watchlist and takes off, and keeps it when the page is opened again', async () => {
    await onPage({}, async ({ page }) => {
      const watched = (symbol) => page.locator('#watchlist .watched').filter({ hasText: symbol });
      await watched('SBIN').click();
      await page.locator('#instrument-symbol').filter({ hasText: 'SBIN' }).waitFor();
      await page.getByRole('button', { name: '− Watch' }).click();
      await watched('SBIN').waitFor({ state: 'detached' });
      await page.reload();
      await watched('INFY').waitFor();
      assert.equal(await watched('SBIN').count(), 0);
    });
  });

  /** Adds up the page's layout shifts without user input. */
  async function watchShifts(page) {
    await page.addInitScript(() => {
      globalThis.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    await page.locator('#last-price').filter({ hasText: '₹' }).waitFor();
  }

  /**
   * Runs in the page: what can be used there but is outside of its part of it, on a narrow screen also after the choice of the other one.
   */
  function cutOff() {
    const isOutside = (control) => {
      const own = control.getBoundingClientRect();
      const part = control.closest('section, .side').getBoundingClientRect();
      const isBelow = !control.closest('.watchlist') && innerWidth > 760 && own.bottom > part.bottom + 1;
      return own.width > 0 && (own.right > part.right + 1 || isBelow);
    };
    const found = [];
    for (const side of document.querySelectorAll('.which button')) {
      side.click();
      found.push(...[...document.querySelectorAll('.market :is(button, input, select, .plot)')].filter(isOutside));
    }
    return found.map(({ outerHTML }) => outerHTML);
  }

  /** Returns the barriers that axe finds in a part of the page. Only the whole of it, `html`, is looked at for its landmarks. */
  async function barriers(page, part) {
    const { violations } = await page.evaluate((where) => globalThis.axe.run(where), part);
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`);
  }

  it('shows market depth or ticket where there is no room for both; a key opens the ticket', async () => {
    await onPage({ width: 390, height: 844 }, async ({ page }) => {
      const isShown = async () => [
        await page.locator('#ladder').isVisible(),
        await page.locator('#ticket').isVisible(),
      ];
      assert.deepEqual(await isShown(), [true, false]);
      await page.getByRole('button', { name: 'Order ticket' }).click();
      assert.deepEqual(await isShown(), [false, true]);
      await page.getByRole('button', { name: 'Market depth' }).click();
      await page.keyboard.press('b');
      assert.deepEqual(await isShown(), [false, true]);
    });
  });

  it('shows cost and outcome of an order below its button, until the next day', async () => {
    await onPage({ width: 1280, height: 800 }, async ({ page }) => {
      const isInSight = async (id) =>
        await page.locator(id).evaluate((line) => {
          const { left, bottom } = line.getBoundingClientRect();
          return line.contains(document.elementFromPoint(left + 2, bottom - 2));
        });
      await page
        .locator('#ticket-cost')
        .filter({ hasText: /^Takes ₹/ })
        .waitFor();
      assert.ok(await isInSight('#ticket-cost'), 'cost');
      await page.click('#ticket-send');
      const note = page.locator('#ticket-note');
      await note.filter({ hasText: /^Filled: 1 at ₹/ }).waitFor();
      assert.ok(await isInSight('#ticket-note'), 'outcome');
      await sandbox.control('POST', 'clock', { advance: 'P1D' });
      await note.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    });
  });

  it('keeps the expiry of the option chain in sight, and shows all Greeks on a wide screen', async () => {
    await onPage({ width: 1920, height: 1080 }, async ({ page }) => {
      await openTab(page, 'Option chain');
      await page.locator('#chain .at-money').waitFor();
      const { top, bottom } = await page.locator('#chain-expiry').evaluate((select) => {
        const own = select.getBoundingClientRect();
        const panel = select.closest('.panel').getBoundingClientRect();
        return { top: own.top - panel.top, bottom: panel.bottom - own.bottom };
      });
      assert.ok(top >= 0 && bottom >= 0, 'the expiry is out of sight');
      const heads = await page.locator('#chain thead th:visible').allInnerTexts();
      const greeks = ['IV %', 'Vega', 'Gamma', 'Theta'];
      for (const name of greeks) assert.equal(heads.filter((head) => head === name).length, 2, name);
      assert.equal(await page.locator('#chain .at-money td:visible').count(), heads.length);
    });
  });

  it('shows the whole width of the option chain on a phone, and its expiry', async () => {
    await onPage({ width: 360, height: 780 }, async ({ page }) => {
      await page.locator('.views [data-view=more]').click();
      await openTab(page, 'Option chain');
      await page.locator('#chain .at-money').waitFor();
      const { left, right } = await page.locator('#chain').evaluate((table) => {
        const { left, right } = table.getBoundingClientRect();
        return { left, right };
      });
      assert.ok(left >= 0 && right <= 360, `it reaches from ${left} to ${right}`);
      assert.ok((await page.locator('#chain-expiry').boundingBox()).y >= 0, 'the expiry is out of sight');
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    });
  });

  for (const [name, options] of [
    ['a phone', { width: 390, height: 844 }],
    ['a low window', { width: 1280, height: 560 }],
  ])
    it(`keeps "SIMULATED" in sight however far one scrolls: ${name}`, async () => {
      await onPage(options, async ({ page }) => {
        const isSeen = async () => {
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          return await page.locator('#simulated').evaluate((badge) => {
            const { left, top, width, height } = badge.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === badge;
          });
        };
        assert.ok(await isSeen());
        if (options.width > 760) return;
        for (const view of await page.locator('.views button').all()) {
          await view.click();
          assert.ok(await isSeen(), await view.innerText());
        }
      });
    });

  for (const [name, options] of SIZES) {
    const isNarrow = options.width <= 760;

    it(`has no barrier and no sideways scrolling, and nothing moves when data arrive: ${name}`, async () => {
      await onPage(options, async ({ page, shoot }) => {
        await watchShifts(page);
        await trade('POST', '/orders/v2/single', orderOf25(infy, 'BUY'));
        await page.locator('#toasts').filter({ hasText: 'Filled' }).waitFor();
        assert.ok((await page.evaluate(() => globalThis.shifted)) < 0.05, 'it moves');
        await shoot(`sandbox-page-${name.replaceAll(/[ ,]+/g, '-')}`);
        await page.evaluate(axe);
        assert.deepEqual(await page.evaluate(cutOff), [], 'it is cut off');
        assert.deepEqual(await barriers(page, 'html'), []);
        const parts = page.locator(isNarrow ? '.views button' : '[role=tab]');
        for (let at = 0; at < (await parts.count()); at++) {
          await parts.nth(at).click();
          assert.deepEqual(await barriers(page, isNarrow ? 'html' : '.bottom'), [], `part ${at}`);
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = await page.evaluate(() => {
            const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
            return { scrollWidth, clientWidth, scrollHeight, clientHeight };
          });
          assert.ok(scrollWidth <= clientWidth, `it scrolls sideways in part ${at}`);
          assert.ok(
            isNarrow || scrollHeight <= clientHeight,
            `it scrolls in part ${at}: ${scrollHeight} in ${clientHeight}`,
          );
        }
        await page.getByRole('button', { name: 'Test logins' }).click();
        await page.locator('#logins[open]').filter({ hasText: 'KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU' }).waitFor();
        assert.deepEqual(await barriers(page, '#logins'), [], 'test logins');
      });
    });
  }
});
