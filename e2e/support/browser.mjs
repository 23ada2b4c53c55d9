/** A real browser on n8n's editor. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, selectors } from 'playwright-core';
import { OWNER } from '../../scripts/n8n.mjs';
import { root } from '../../scripts/support.mjs';

// n8n's editor marks its parts so.
selectors.setTestIdAttribute('data-test-id');

/** Where screenshots are kept. */
export const screenshots = path.join(root, 'e2e', 'output');

/** The system's Chromium: Debian's name first. */
function executable() {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));
  if (!found) throw new Error('No Chromium was found. Install it (on Debian: apt-get install chromium).');
  return found;
}

/** Opens a browser with one page. @returns {Promise<{page: import('playwright-core').Page, shoot(name: string): Promise<void>, close(): Promise<void>}>} */
export async function openBrowser({ width = 1440, height = 900, colorScheme = 'light' } = {}) {
  mkdirSync(screenshots, { recursive: true });
  const profile = mkdtempSync(path.join(tmpdir(), 'brokerage-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable(),
    headless: true,
    viewport: { width, height },
    colorScheme,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  // The editor asks n8n's own servers for templates and notices: nothing outside this machine is asked.
  await context.route(
    (url) => !['127.0.0.1', 'localhost'].includes(url.hostname) && url.protocol.startsWith('http'),
    (route) => route.abort(),
  );
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(20_000);
  return {
    page,
    shoot: async (name) => {
      await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    },
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Signs in to the editor as the owner. */
export async function signIn(page, url) {
  await page.goto(`${url}/signin`);
  await page.locator('input[name="emailOrLdapLoginId"], input[name="email"]').first().fill(OWNER.email);
  await page.locator('input[name="password"]').fill(OWNER.password);
  await page.getByTestId('form-submit-button').click();
  await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
}
