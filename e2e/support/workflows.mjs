/** Workflows of the tests: a start by hand, by a webhook or with made-up items, and nodes one after another. */
import { withCredential } from '../../scripts/n8n.mjs';
import { ACCOUNT } from './world.mjs';

export const instrument = { __rl: true, mode: 'symbol', value: 'NSE:INFY' };

/** Parameters of an order of one share of INFY at the market. */
export const marketOrder = {
  resource: 'order',
  operation: 'place',
  instrument,
  side: 'BUY',
  quantity: 1,
  product: 'IDAY',
  orderType: 'REGULAR',
  priceType: 'MARKET',
};

const node = (type, typeVersion, name, parameters, more = {}) => ({
  id: name,
  name,
  type,
  typeVersion,
  position: [0, 0],
  parameters,
  ...more,
});

/** A node of ours; `more` are n8n's own settings of a node, such as `retryOnFail`. */
export const brokerageNode = (name, parameters, more) =>
  node('n8n-nodes-brokerage.brokerage', 1, name, parameters, more);

export const byHand = () => node('n8n-nodes-base.manualTrigger', 1, 'Run by Hand', {});

/** Returns `count` items, each with its index as `item`. */
export const madeItems = (count) =>
  node('n8n-nodes-base.code', 2, 'Items', {
    jsCode: `return Array.from({ length: ${count} }, (_, item) => ({ json: { item } }));`,
  });

/** A webhook at its path; `more` are parameters such as the method and when it answers. */
export const webhookNode = (path, more = { httpMethod: 'POST', responseMode: 'lastNode' }) =>
  node('n8n-nodes-base.webhook', 2, 'Webhook', { path, options: {}, ...more }, { webhookId: path });

/** The start of a workflow that others call. */
export const calledNode = () =>
  node('n8n-nodes-base.executeWorkflowTrigger', 1.1, 'When Called', { inputSource: 'passthrough' });

/** Calls a workflow for each item, and waits for it. */
export const callNode = (id) =>
  node('n8n-nodes-base.executeWorkflow', 1.2, 'Call', {
    workflowId: { __rl: true, mode: 'id', value: id },
    mode: 'each',
    options: { waitForSubWorkflow: true },
  });

/** A workflow in which each node feeds the next, with the credential in those of ours. */
export function chain(name, nodes, credential) {
  const placed = nodes.map((one, at) => ({ ...one, position: [220 * at, 0] }));
  const connections = Object.fromEntries(
    placed
      .slice(0, -1)
      .map((from, at) => [from.name, { main: [[{ node: placed[at + 1].name, type: 'main', index: 0 }]] }]),
  );
  return withCredential({ name, nodes: placed, connections }, credential);
}

/** A workflow of one order of INFY, started by hand; `more` are n8n's own settings of the node *Place Order*. */
export const orderWorkflow = (name, parameters, credential, more) =>
  chain(name, [byHand(), brokerageNode('Place Order', { ...marketOrder, ...parameters }, more)], credential);

/**
 * Sends JSON to a webhook of n8n.
 * @returns {Promise<{status: number, text: string, json: any}>} `json` where it was answered with success
 */
export async function deliver(n8n, path, body = {}) {
  const reply = await fetch(`${n8n.url}/webhook/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  return { status: reply.status, text, json: reply.ok ? JSON.parse(text) : undefined };
}

/** The last price of INFY on the exchange NSE, rupees. */
export async function lastPrice(sandbox) {
  const [{ ref_id: refId }] = await sandbox.control('GET', 'page/instruments?q=INFY');
  return (await sandbox.control('GET', `page/market?ref_id=${refId}&phone=${ACCOUNT.phone}`)).last_price / 100;
}
