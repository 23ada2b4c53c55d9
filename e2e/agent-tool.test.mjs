/**
 * An AI agent in a real n8n's editor, with a chat model that follows a script: its tool opens on a read, places nothing before a limit
 * on the size of its orders is set, and then what is within it. All cases are in test/engine/tool.test.ts.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Editor } from '../scripts/walks/editor.mjs';
import { chooseOption, openBrowser, pickInstrument, signIn } from './support/browser.mjs';
import { openExamples } from './support/examples.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { startModel } from './support/scripted-chat-model.mjs';

const TOOL = 'Place an order in Brokerage';
/** A tool's name as the model is told it. */
const TOOL_FUNCTION_NAME = TOOL.replaceAll(' ', '_');

describe('An AI agent whose tool a person sets up', { timeout: TIMEOUT_MS }, () => {
  let model;
  let world;
  let browser;
  let editor;
  let workflow;

  before(
    async () => {
      model = await startModel();
      world = await openExamples(
        { editor: true },
        {
          '@n8n/n8n-nodes-langchain.lmChatOpenAi': {
            name: 'Chat model',
            credentialType: 'openAiApi',
            data: { apiKey: 'none', url: `${model.url}/v1` },
          },
        },
      );
      workflow = await world.imported('ai-agent.json');
      browser = await openBrowser({ width: 1400, height: 860 });
      await signIn(browser.page, world.n8n.url);
      editor = new Editor({ page: browser.page, show: async () => {} }, world.n8n.url);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await browser?.close();
    await world?.close();
    await model?.stop();
  });

  /** Asks in the chat below the canvas, and waits for the model's last word. */
  async function ask(question, ...turns) {
    const { page } = browser;
    model.script(...turns);
    const chat = page.getByTestId('canvas-chat');
    const field = chat.locator('textarea').last();
    if (!(await field.isVisible())) await page.getByTestId('workflow-chat-button').click();
    await field.fill(question);
    await field.press('Enter');
    await chat.getByText(turns.at(-1)).waitFor();
  }
  const received = async () => (await world.sandbox.journal('order')).filter(({ event }) => event === 'received');

  /** Takes a picture where a step fails. */
  const seen = (step) => async () => {
    try {
      await step();
    } catch (error) {
      await browser.shoot('agent-tool-failed');
      throw error;
    }
  };

  it(
    'is given a tool that opens on a read',
    seen(async () => {
      const { page } = browser;
      await page.goto(`${world.n8n.url}/workflow/${workflow.id}`);
      const creator = page.getByTestId('node-creator');
      const ours = creator.getByText('Brokerage Tool', { exact: true }).first();
      // Opened before n8n has read its nodes, the list is one of groups, and stays that.
      await editor.until(ours, async () => {
        if (await creator.isVisible()) await page.keyboard.press('Escape');
        // Another + goes on behind the agent.
        await page
          .locator('[data-test-id="canvas-handle-plus-wrapper"]:not([data-plus-type])')
          .getByTestId('canvas-handle-plus')
          .click();
        await page.getByTestId('node-creator-search-bar').fill('brokerage');
      });
      await ours.click();
      await page.getByTestId('ndv').waitFor();
      assert.equal(
        await page.getByTestId('parameter-input-operation').locator('input').last().inputValue(),
        'Get Many',
      );
      await browser.shoot('agent-tool-opens');
    }),
  );

  it(
    'places nothing before a limit is set, and says how',
    seen(async () => {
      const { page } = browser;
      await chooseOption(page, 'operation', 'Place');
      await page.getByText('Under Safety Limits set Largest Order Value').waitFor();
      await pickInstrument(page, 'INFY');
      await chooseOption(page, 'priceType', 'Market');
      await editor.back();
      await ask('Buy one INFY.', [[TOOL_FUNCTION_NAME, {}]], 'I was refused.');
      assert.match(model.answers().at(-1), /only within a limit on their size, and none is set/);
      await browser.shoot('agent-tool-refused');
      assert.deepEqual(await received(), []);
    }),
  );

  it(
    'places within the limit that the panel sets, and refuses what is beyond it',
    seen(async () => {
      const { page } = browser;
      // It lies over the tools.
      await page.getByTestId('workflow-chat-button').click();
      await page
        .locator(`[data-node-name="${TOOL}"]`)
        .first()
        .dblclick({ position: { x: 40, y: 40 } });
      await page.getByTestId('ndv').waitFor();
      await editor.expression('quantity', "{{ $fromAI('quantity', 'How many shares', 'number') }}");
      await editor.add('Add limit', 'Largest Order Value \\(Rupees\\)', 'maxOrderValue', '5000');
      await browser.shoot('agent-tool-limit');
      await editor.back();
      await ask('Buy two INFY.', [[TOOL_FUNCTION_NAME, { quantity: 2 }]], 'Two are bought.');
      const placed = model.answers().at(-1);
      assert.match(placed, /"order_status":\s*"FILLED"/);
      assert.match(placed, /"order_qty":\s*2\b/);
      await browser.shoot('agent-tool-placed');
      await ask('Buy a hundred INFY.', [[TOOL_FUNCTION_NAME, { quantity: 100 }]], 'That is too many.');
      assert.match(model.answers().at(-1), /Largest Order Value/);
      await browser.shoot('agent-tool-beyond');
      assert.deepEqual(
        (await received()).map(({ quantity }) => quantity),
        [2],
      );
    }),
  );

  it('sums the portfolio up by the tools that read', async () => {
    await ask('How is my portfolio?', [['Holdings', {}]], 'Your shares have gained.');
    assert.match(model.answers().at(-1), /"net_pnl":\s*-?[\d.]+/);
    await ask('What is my result today?', [['Result_of_Today', {}]], 'You have earned something today.');
    assert.match(model.answers().at(-1), /Positions today: [+−]?₹[\d,.]+ Holdings today: [+−]?₹[\d,.]+"/);
  });
});
