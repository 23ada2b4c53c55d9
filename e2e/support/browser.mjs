/** A real browser on n8n's editor. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, selectors } from 'playwright-core';
import { OWNER } from '../../scripts/n8n.mjs';
import { root } from '../../scripts/support.mjs';

// n8n's editor marks its parts so.
selectors.setTestIdAttribute('data-test-id');

/** Folder of the screenshots. */
export const screenshots = path.join(root, 'e2e', 'output');

/** The system's Chromium: Debian's name first. */
function executable() {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
    existsSync(file),
  );
  if (!found) throw new Error('No Chromium was found. Install it (on Debian: apt-get install chromium).');
  return found;
}

/**
 * Opens a browser with one page.
 * @returns {Promise<{page: import('playwright-core').Page, shoot(name: string, shown?: import('playwright-core').Page): Promise<void>, close(): Promise<void>}>}
 */
export async function openBrowser({ width = 1440, height = 900, colorScheme = 'light' } = {}) {
  mkdirSync(screenshots, { recursive: true });
  const profile = mkdtempSync(path.join(tmpdir(), 'brokerage-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable(),
    headless: true,
    viewport: { width, height },
    colorScheme,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The editor asks n8n's own servers for templates and notices: nothing outside this machine is asked. A route of playwright's would
      // turn the browser's cache off, and each page loads some hundred files.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
  // Of every page: one that is opened later would have playwright's 30 s.
  context.setDefaultTimeout(60_000);
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    page,
    shoot: async (name, shown = page) => {
      await shown.screenshot({ path: path.join(screenshots, `${name}.png`), animations: 'disabled' });
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

/** Opens a workflow in the editor, and one of its nodes. */
export async function openNode(page, url, workflow, name) {
  await page.goto(`${url}/workflow/${workflow.id}`);
  await page
    .locator(`[data-node-name="${name}"]`)
    .first()
    .dblclick({ position: { x: 40, y: 40 } });
  await page.getByTestId('ndv').waitFor();
}

/** A parameter in the panel of the open node, by its internal name; `at` counts where a list repeats it, -1 is the last. */
const parameter = (page, name, at = -1) => page.getByTestId(`parameter-input-${name}`).nth(at);

/** Largest number of clicks on a field that opens a list. */
const MAX_CLICKS = 5;
/** Longest time for a list to open after a click, milliseconds. */
const MAX_OPENING_MS = 3_000;

/**
 * Chooses an entry of a closed list by its name: `chooseOption(page, 'resource', 'Quote')`.
 * n8n draws the panel again when it has evaluated an expression of the field before. A list that has just opened closes by that, so it is opened again.
 */
export async function chooseOption(page, name, option, at) {
  const entry = page
    .getByRole('option')
    .filter({ visible: true, has: page.getByText(option, { exact: true }) })
    .first();
  for (let clicks = 0; clicks < MAX_CLICKS && !(await entry.isVisible()); clicks += 1) {
    await parameter(page, name, at).click();
    await entry.waitFor({ timeout: MAX_OPENING_MS }).catch(() => undefined);
  }
  await entry.click();
  await page.getByRole('option').filter({ visible: true }).first().waitFor({ state: 'hidden' });
}

/** Chooses a resource and one of its operations in the open node. */
export async function openOperation(page, resource, operation) {
  await chooseOption(page, 'resource', resource);
  await chooseOption(page, 'operation', operation);
}

/** Types into a text or number field. */
export async function fillField(page, name, value) {
  await parameter(page, name).locator('input').last().fill(value);
}

/**
 * Opens the instrument picker and types into it.
 * @returns {Promise<import('playwright-core').Locator>} the lines that came, once one holds the text
 */
export async function searchInstrument(page, query, text = query) {
  await parameter(page, 'instrument').getByTestId('rlc-input').click();
  await page.getByTestId('rlc-search').filter({ visible: true }).fill(query);
  const lines = page.getByTestId('rlc-item').filter({ visible: true });
  await lines.filter({ hasText: text }).first().waitFor();
  return lines;
}

/** Types into the instrument picker and takes the first line that holds the text. */
export async function pickInstrument(page, query, text = query) {
  const lines = await searchInstrument(page, query, text);
  await lines.filter({ hasText: text }).first().click();
}

/** Runs the open node and waits until its output holds the text. */
export async function executeStep(page, text) {
  await page.getByTestId('node-execute-button').click();
  await page.getByTestId('output-panel').filter({ hasText: text }).waitFor();
  await page.getByTestId('node-execute-button').filter({ hasText: 'Execute step' }).waitFor();
}

/** Presses "Execute workflow" in the open workflow, from the trigger of that name, and waits until it has ended well. */
export async function executeWorkflow(page, trigger) {
  const button = page.getByTestId('execute-workflow-button');
  await button.waitFor();
  const menu = page.getByLabel('Select trigger node');
  if (trigger && (await menu.isVisible()) && !(await button.innerText()).includes(trigger)) {
    await menu.click();
    await page.getByRole('menuitem', { name: trigger }).click();
  }
  await button.click();
  await page.getByText('Workflow executed successfully').waitFor({ timeout: 60_000 });
}
