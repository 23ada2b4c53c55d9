/** The examples at n8n's editor, as a user imports them: from the file, in a real browser. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../scripts/support.mjs';
import { openEditor } from './support/editor.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { example } from './support/world.mjs';

const folder = path.join(root, 'examples');
/** Steps of other services, whose credentials the user has to add; n8n itself finds the broker's. */
const OF_OTHERS = [
  '@n8n/n8n-nodes-langchain.lmChatOpenAi',
  'n8n-nodes-base.emailSend',
  'n8n-nodes-base.postgres',
  'n8n-nodes-base.telegram',
  'n8n-nodes-base.telegramTrigger',
];

describe('The examples in the editor', { timeout: TIMEOUT_MS }, () => {
  let opened;
  let world;
  let browser;
  let credential;

  before(
    async () => {
      opened = await openEditor();
      ({ world, credential, browser } = opened);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await opened?.close();
  });

  const nodes = () => browser.page.getByTestId('canvas-node');

  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    it(`${file} is imported, with all its steps and notes, and lacks nothing but the credentials of others`, async () => {
      const { page } = browser;
      const workflow = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
      const notes = workflow.nodes.filter(({ type }) => type.endsWith('.stickyNote'));
      const steps = workflow.nodes.filter((node) => !notes.includes(node));
      await page.goto(`${world.n8n.url}/workflow/new`);
      await page.getByTestId('canvas-add-button').waitFor();
      await page.getByTestId('workflow-import-input').setInputFiles(path.join(folder, file));
      await page
        .getByTestId('sticky')
        .nth(notes.length - 1)
        .waitFor();
      for (const { name } of steps)
        await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).waitFor();
      const faulty = await nodes()
        .filter({ has: page.getByTestId('node-issues') })
        .evaluateAll((found) => found.map((node) => node.dataset.nodeName));
      assert.deepEqual(
        faulty.sort(),
        steps
          .filter(({ type }) => OF_OTHERS.includes(type))
          .map(({ name }) => name)
          .sort(),
      );
    });
  }

  it('the first order is placed by the button of the editor', async () => {
    const { page, shoot } = browser;
    const workflow = await world.n8n.createWorkflow(example('first-order.json', credential));
    await page.goto(`${world.n8n.url}/workflow/${workflow.id}`);
    await page.getByTestId('execute-workflow-button').click();
    await nodes().filter({ hasText: 'Place Order' }).getByTestId('canvas-node-status-success').waitFor();
    await shoot('example-first-order');
    assert.equal((await world.sandbox.journal('order')).filter(({ event }) => event === 'received').length, 1);
  });
});
