/** Features of the package in an n8n, one short check for each column of the table in docs/versions.md. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { errorOf, outputOf, withCredential } from '../../scripts/n8n.mjs';
import { OtherNodes } from './other-nodes.mjs';

const NODES = ['n8n-nodes-brokerage.brokerage', 'n8n-nodes-brokerage.brokerageTrigger'];
const NAME = 'Brokerage Sandbox';
const READY_MS = 120_000;
const AT_ONCE = 3;

/** As an earlier version of the package left it in a credential, on an n8n before 2.34: the way of a login that is long over. */
const LEFT_BEHIND = { renewal: { step: 'login' }, unattended: true, loginClaim: 'k2x-7' };

const node = (name, type, parameters, more = {}) => ({
  id: name,
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  ...more,
});

/** A workflow that runs one operation of the node when its webhook is called, and answers with what comes out. */
function operation(name, parameters) {
  return {
    name,
    nodes: [
      node(
        'Webhook',
        'n8n-nodes-base.webhook',
        { path: name, responseMode: 'lastNode', options: {} },
        { typeVersion: 2, webhookId: name },
      ),
      node('Brokerage', NODES[0], parameters),
    ],
    connections: { Webhook: { main: [[{ node: 'Brokerage', type: 'main', index: 0 }]] } },
  };
}

const INSTRUMENT = { __rl: true, mode: 'symbol', value: 'NSE:INFY' };
const WORKFLOWS = {
  order: operation('order', {
    resource: 'order',
    operation: 'place',
    instrument: INSTRUMENT,
    side: 'BUY',
    quantity: 1,
    product: 'IDAY',
    orderType: 'REGULAR',
    priceType: 'MARKET',
    options: { idempotencyKey: '={{ $json.query.key }}' },
  }),
  user: operation('user', { resource: 'session', operation: 'getUser', simplify: true }),
  report: operation('report', { resource: 'report', operation: 'view', report: 'tradebook', dates: 'last30Days' }),
  fills: {
    name: 'fills',
    nodes: [
      node('Order Events', NODES[1], { watch: 'orders', events: ['fill'], options: {} }),
      node('Done', 'n8n-nodes-base.noOp', {}),
    ],
    connections: { 'Order Events': { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
  },
};

/** One n8n with the package in it, at a sandbox, from its start on. */
export class Features {
  constructor({ n8n, sandbox, credentialData }) {
    this.n8n = n8n;
    this.sandbox = sandbox;
    this.data = credentialData;
  }

  /** Both node types are there, and the credential's. */
  async load() {
    const types = await (
      await fetch(`${this.n8n.url}/types/nodes.json`, { headers: { cookie: this.n8n.cookie, connection: 'close' } })
    ).json();
    for (const name of NODES)
      assert.ok(
        types.some((type) => type.name === name),
        `${name} is not there`,
      );
  }

  /** Saved and tested, as the form does. */
  async credential() {
    const saved = await this.n8n.saveCredential(NAME, 'brokerageApi', this.data);
    const { status, message } = await this.n8n.testCredential(saved, this.data);
    assert.equal(status, 'OK', message);
    this.saved = saved;
    for (const workflow of Object.values(WORKFLOWS))
      await this.n8n.activate(await this.n8n.createWorkflow(withCredential(workflow, saved)));
    await this.#answering();
  }

  /** One order, and none where its key comes again. */
  async order() {
    const before = await this.#received();
    const key = randomUUID();
    const { order_id: id } = await this.#call('order', key);
    assert.match(String(id), /^\d{10,19}$/);
    assert.equal((await this.#call('order', key)).order_id, id);
    assert.equal(await this.#received(), before + 1, 'orders');
  }

  /** The instrument picker finds a symbol. */
  async search() {
    const { results } = await this.n8n.request('POST', '/dynamic-node-parameters/resource-locator-results', {
      nodeTypeAndVersion: { name: NODES[0], version: 1 },
      path: 'parameters.instrument',
      methodName: 'searchInstruments',
      filter: 'INFY',
      currentNodeParameters: { resource: 'quote', operation: 'getCurrentPrice' },
      credentials: { brokerageApi: { id: this.saved.id, name: NAME } },
    });
    assert.match(results[0].name, /^INFY/);
  }

  /** A report has rows of the last month. */
  async report() {
    assert.ok(Object.keys(await this.#call('report')).length > 3);
  }

  /** The fill of an order starts a workflow. */
  async trigger() {
    await this.#subscribed();
    const { id: workflowId } = await this.#workflow('fills');
    const { order_id: order } = await this.#call('order', randomUUID());
    await this.n8n.child.until(async () => {
      for (const { id, status } of await this.n8n.executions(workflowId)) {
        if (status !== 'success') continue;
        if (outputOf(await this.n8n.execution(id), 'Order Events').some((item) => item.order_id === order)) return true;
      }
      return false;
    }, READY_MS);
  }

  /** Expires a session: one login follows, and the run continues. */
  async renewal() {
    await this.#renewed(1);
  }

  /** The same in three runs at once, with the trigger listening: one login for all. */
  async renewals() {
    await this.#renewed(AT_ONCE);
    await this.#subscribed();
  }

  /** Nodes that are not ours get no request signed: HTTP Request, its tools, Code, and one that names the credential. */
  async otherNodes() {
    const before = await this.#received();
    const others = new OtherNodes({ n8n: this.n8n, sandbox: this.sandbox, credentialData: this.data });
    const { tried, signed, unexplained } = await others.tryAll();
    assert.ok(tried.length >= 4, `only these were tried: ${tried.join(', ')}`);
    assert.deepEqual([signed, unexplained], [[], []]);
    assert.equal(await this.#received(), before, 'orders');
  }

  /** Leaves in the credential what an earlier version of the package did, and no living session. */
  async age() {
    const stored = await this.#stored();
    await this.n8n.request('PATCH', `/credentials/${this.saved.id}`, {
      name: NAME,
      type: 'brokerageApi',
      data: { ...stored, ...LEFT_BEHIND },
    });
  }

  /**
   * In a home that another version of n8n has left: nothing is entered again, orders and trigger work, and what was left behind is gone.
   */
  async upgrade() {
    const credentials = await this.n8n.request('GET', '/credentials');
    this.saved = credentials.find(({ name }) => name === NAME);
    assert.ok(this.saved, 'the credential is gone');
    await this.#answering();
    await this.#expire();
    await this.order();
    await this.trigger();
    const left = Object.keys(await this.#stored()).filter((name) => name in LEFT_BEHIND && name !== 'loginClaim');
    assert.deepEqual(left, []);
  }

  async #renewed(runs) {
    await this.#subscribed();
    const { logins } = await this.sandbox.stats();
    await this.#expire();
    const replies = await Promise.all(Array.from({ length: runs }, async () => await this.#call('user')));
    for (const { client_code: code } of replies) assert.equal(code, 'SBX001');
    await this.#subscribed();
    assert.equal((await this.sandbox.stats()).logins, logins + 1, 'logins');
  }

  async #call(name, key = '') {
    const response = await fetch(`${this.n8n.url}/webhook/${name}?key=${key}`, { headers: { connection: 'close' } });
    if (response.ok) return await response.json();
    const { id: workflowId } = await this.#workflow(name);
    const [latest] = await this.n8n.executions(workflowId);
    throw new Error(`${name}: ${(latest && errorOf(await this.n8n.execution(latest.id))) ?? (await response.text())}`);
  }

  /** n8n answers before the webhooks of its workflows listen. */
  async #answering() {
    await this.n8n.child.until(async () => await this.#call('user'), READY_MS);
  }

  async #subscribed() {
    await this.n8n.child.until(async () => (await this.sandbox.stats()).streams_open === 1, READY_MS);
  }

  async #expire() {
    await this.sandbox.expireSessions();
  }

  async #received() {
    return (await this.sandbox.stats()).orders_received;
  }

  async #workflow(workflowName) {
    const list = await this.n8n.request('GET', '/workflows');
    return (list.results ?? list).find(({ name }) => name === workflowName);
  }

  async #stored() {
    return (await this.n8n.request('GET', `/credentials/${this.saved.id}?includeData=true`)).data;
  }
}
