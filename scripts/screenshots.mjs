/**
 * `npm run screenshots`: makes the pictures of README and docs again, from the real thing, into docs/pictures. Arguments choose pictures by
 * name.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildIfChanged, freePort, installIfMissing, root } from './support.mjs';

const words = process.argv.slice(2);
const isChosen = (name) => words.length === 0 || words.includes(name);
const pictures = path.join(root, 'docs', 'pictures');
const symbol = (value) => ({ __rl: true, mode: 'symbol', value });
const option = (optionType) => ({
  resource: 'instrument',
  operation: 'getOptionByOffset',
  underlying: 'NIFTY',
  optionType,
  moneyness: 'ATM',
});
const leg = (node) => ({
  instrument: symbol(`={{ $('${node}').first().json.instrument }}`),
  quantity: 1,
  quantityUnit: 'lots',
  side: 'BUY',
});

/** By name of the picture: what its node does, and a word that its output then holds. */
const RESOURCES = {
  instrument: [option('CE'), 'strike_price'],
  quote: [{ resource: 'quote', operation: 'getOrderBook', instrument: symbol('INFY') }, 'best_bid'],
  candle: [{ resource: 'candle', operation: 'get', instrument: symbol('INFY') }, 'close'],
  company: [{ resource: 'company', operation: 'getKeyRatios', instrument: symbol('INFY') }, 'p_e_ratio'],
  bhavcopy: [{ resource: 'bhavcopy', operation: 'getRows' }, 'TckrSymb'],
  order: [
    {
      resource: 'order',
      operation: 'place',
      instrument: symbol('INFY'),
      side: 'BUY',
      quantity: 10,
      product: 'IDAY',
      orderType: 'REGULAR',
      priceType: 'MARKET',
    },
    'order_id',
  ],
  basket: [
    {
      resource: 'basket',
      operation: 'place',
      name: 'Straddle',
      legs: { leg: [leg('Call'), leg('Put')] },
      side: 'BUY',
      product: 'IDAY',
      priceType: 'MARKET',
    },
    'basket_id',
  ],
  portfolio: [{ resource: 'portfolio', operation: 'getHoldings' }, 'avg_price'],
  report: [{ resource: 'report', operation: 'download', report: 'contractNote', dates: 'lastMonth' }, 'contract'],
  session: [{ resource: 'session', operation: 'check' }, 'alive'],
};

/** A workflow for one picture; a basket's legs are two options, found before. */
function workflowOf(name) {
  const [parameters] = RESOURCES[name];
  const before = name === 'basket' ? { Call: option('CE'), Put: option('PE') } : {};
  const steps = Object.entries({ 'Run by Hand': {}, ...before, [titleOf(name)]: parameters });
  const type = (title) => (title === 'Run by Hand' ? 'n8n-nodes-base.manualTrigger' : 'n8n-nodes-brokerage.brokerage');
  return {
    name: `Picture: ${name}`,
    nodes: steps.map(([title, given], index) => ({
      id: String(index),
      name: title,
      type: type(title),
      typeVersion: title === 'Run by Hand' ? 1 : 1.1,
      position: [220 * index, 0],
      parameters: given,
    })),
    connections: Object.fromEntries(
      steps.slice(1).map(([title], index) => [steps[index][0], { main: [[{ node: title, type: 'main', index: 0 }]] }]),
    ),
  };
}

/** By name of the picture: the title of a trigger, and what it waits for. */
const TRIGGERS = {
  'price-alert': [
    'Price Alert',
    { watch: 'price', condition: 'fallsBy', distance: 3, turnsFrom: 'extreme', since: 'day', repeat: 'onceADay' },
  ],
  'order-exits': ['Exits', { watch: 'orderExits', exitsOf: 'held', heldExits: { trailingStop: 2, trailAfter: 3 } }],
};

/** A workflow for the picture of a trigger of INFY. */
function triggerOf(name) {
  const [title, given] = TRIGGERS[name];
  const parameters = { ...given, instrument: symbol('INFY') };
  const type = 'n8n-nodes-brokerage.brokerageTrigger';
  return {
    name: `Picture: ${name}`,
    nodes: [{ id: '0', name: title, type, typeVersion: 1.2, position: [0, 0], parameters }],
    connections: {},
  };
}

const titleOf = (name) => name[0].toUpperCase() + name.slice(1);

await installIfMissing();
await buildIfChanged();
const { openBrowser, openNode, executeStep, executeWorkflow, signIn } = await import('../e2e/support/browser.mjs');
const { example, openWorld } = await import('../e2e/support/world.mjs');
const { withCredential } = await import('./n8n.mjs');

mkdirSync(pictures, { recursive: true });
const mailPort = await freePort();
const world = await openWorld({ editor: true, sandboxOptions: ['--mail-port', String(mailPort)] });
const browser = await openBrowser({ width: 1440, height: 800 });
const { page } = browser;
const { url } = world.n8n;
const shoot = async (name, target = page) => {
  if (!isChosen(name)) return;
  // What is still moving when all is there: fading messages, the canvas that glides to its place.
  await page.waitForTimeout(1_500);
  await target.screenshot({ path: path.join(pictures, `${name}.png`) });
};

/** Runs an example from its step "Try It", as its note says. */
async function tryIt(workflow) {
  await page.goto(`${url}/workflow/${workflow.id}`);
  await executeWorkflow(page, 'Try It');
}

try {
  const credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const mailbox = await world.n8n.saveCredential("Sandbox's Mailbox", 'smtp', {
    host: '127.0.0.1',
    port: mailPort,
    secure: false,
    disableStartTls: true,
  });
  const senders = { 'n8n-nodes-base.emailSend': mailbox };
  const create = async (file) => await world.n8n.createWorkflow(example(file, credential, senders));
  const alert = await create('alert-to-order.json');
  const report = await create('report-by-email.json');
  const onFill = await create('on-fill.json');
  await signIn(page, url);

  await tryIt(alert);
  await page.getByTestId('zoom-to-fit').click();
  await shoot('workflow');
  await tryIt(report);

  await page.goto(`${world.sandbox.url}/_sandbox/`);
  await page.locator('#orders tbody').filter({ hasText: 'filled' }).waitFor();
  await shoot('sandbox');
  await page.getByRole('tab', { name: 'Phone & mailbox' }).click();
  await page.frameLocator('#inbox iframe').getByText('Your portfolio on').waitFor();
  await shoot('mailbox', page.locator('#panel-inbox'));
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot('mailbox-dark', page.locator('#panel-inbox'));
  await page.emulateMedia({ colorScheme: 'light' });

  await page.setViewportSize({ width: 1440, height: 800 });
  for (const [name, [, shows]] of Object.entries(RESOURCES).filter(([picture]) => isChosen(picture))) {
    await openNode(
      page,
      url,
      await world.n8n.createWorkflow(withCredential(workflowOf(name), credential)),
      titleOf(name),
    );
    await executeStep(page, shows);
    // It covers what came out.
    await page
      .getByText('executed successfully')
      .locator('xpath=ancestor::*[@role="alert"]')
      .first()
      .evaluate((message) => message.remove());
    await shoot(name);
  }

  await openNode(page, url, onFill, 'When an Order Fills');
  await shoot('trigger');
  for (const [name, [title]] of Object.entries(TRIGGERS).filter(([picture]) => isChosen(picture))) {
    const workflow = await world.n8n.createWorkflow(withCredential(triggerOf(name), credential));
    await openNode(page, url, workflow, title);
    await shoot(name);
  }

  await page.goto(`${url}/home/credentials`);
  await page.getByText('Brokerage Sandbox').first().click();
  await page.getByText('Environment').first().waitFor();
  await shoot('credential');
} finally {
  await browser.close();
  await world.close();
}
