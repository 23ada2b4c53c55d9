/**
 * `npm run gallery`: takes a picture of each example as n8n's editor shows it, for docs/templates.md. Arguments choose examples by name.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged, installIfMissing, root } from './support.mjs';

/** Steps of other services show a warning until they have a credential: any will do, as nothing is run. */
const OTHERS = [
  ['n8n-nodes-base.emailSend', 'smtp', 'SMTP', { host: '127.0.0.1', port: 25 }],
  ['n8n-nodes-base.postgres', 'postgres', 'Database', { host: '127.0.0.1' }],
  ['n8n-nodes-base.telegram', 'telegramApi', 'My Bot', { accessToken: '0:none' }],
  ['n8n-nodes-base.telegramTrigger', 'telegramApi', 'My Bot', { accessToken: '0:none' }],
  ['@n8n/n8n-nodes-langchain.lmChatOpenAi', 'openAiApi', 'Chat Model', { apiKey: 'none' }],
];
/** Parts of the editor over the edges of the canvas, pixels: left out. */
const EDGE = { left: 40, top: 20, right: 60, bottom: 54 };

/** Runs in the page: all steps of the canvas show their icons, which come after them. */
function haveIcons(steps) {
  const icons = [...document.querySelectorAll('.vue-flow .n8n-node-icon')];
  const isDrawn = (icon) =>
    icon.querySelector('svg') !== null ||
    [...icon.querySelectorAll('img')].some(({ complete, naturalWidth }) => complete && naturalWidth > 0);
  return icons.length >= steps && icons.every(isDrawn);
}

await installIfMissing();
await buildIfChanged();
const { openBrowser, signIn } = await import('../e2e/support/browser.mjs');
const { example, openWorld } = await import('../e2e/support/world.mjs');

const words = process.argv.slice(2);
const files = readdirSync(path.join(root, 'examples')).filter(
  (file) => file.endsWith('.json') && (words.length === 0 || words.some((word) => file.includes(word))),
);
const world = await openWorld({ editor: true });
const browser = await openBrowser({ width: 1600, height: 900 });
try {
  const { page } = browser;
  // A busy machine may take minutes over a page.
  page.setDefaultTimeout(180_000);
  const { n8n } = world;
  const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const others = {};
  for (const [node, type, name, data] of OTHERS) others[node] = await n8n.saveCredential(name, type, data);
  await signIn(page, n8n.url);
  for (const file of files) {
    const made = example(file, credential, others);
    const workflow = await n8n.createWorkflow(made);
    await page.goto(`${n8n.url}/workflow/${workflow.id}`);
    await page.getByTestId('sticky').first().waitFor();
    await page.waitForFunction(haveIcons, made.nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length);
    await page.getByTestId('zoom-to-fit').click();
    // The canvas glides to its place, and nothing tells when it is there.
    await page.waitForTimeout(1_500);
    const { x, y, width, height } = await page.locator('.vue-flow').first().boundingBox();
    await page.screenshot({
      path: path.join(root, 'docs', 'pictures', `template-${path.basename(file, '.json')}.png`),
      clip: {
        x: x + EDGE.left,
        y: y + EDGE.top,
        width: width - EDGE.left - EDGE.right,
        height: height - EDGE.top - EDGE.bottom,
      },
    });
    console.log(file);
  }
} finally {
  await browser.close();
  await world.close();
}
