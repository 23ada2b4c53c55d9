/** "Retry" in the list of executions of a real n8n, with an order in the workflow: after an error, and after n8n was killed. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import {
  brokerageNode,
  calledNode,
  callNode,
  chain,
  instrument,
  lastPrice,
  marketOrder,
  webhookNode,
} from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const order = { ...marketOrder, product: 'CNC', priceType: 'LIMIT' };

describe('Retry in the list of executions, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  /** A price at which a purchase of INFY rests, rupees. */
  let resting;

  before(
    async () => {
      world = await openWorld();
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      resting = Math.floor((await lastPrice(world.sandbox)) * 0.97);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const received = async () => (await world.sandbox.stats()).orders_received;

  /** Publishes a workflow of a webhook and nodes one after another; returns a function that delivers an alert, and the workflow. */
  async function published(name, nodes) {
    const webhook = webhookNode(name, { httpMethod: 'POST' });
    const workflow = await world.n8n.createWorkflow(chain(name, [webhook, ...nodes], credential));
    await world.n8n.activate(workflow);
    return {
      workflow,
      alert: async () =>
        assert.equal((await fetch(`${world.n8n.url}/webhook/${name}`, { method: 'POST' })).status, 200),
    };
  }

  const newest = async ({ id }) => (await world.n8n.executions(id))[0]?.id;

  async function retried(id, workflow, loadWorkflow = false) {
    const started = await world.n8n.request('POST', `/executions/${id}/retry`, { loadWorkflow });
    // Older n8n say only whether it went well.
    return await world.n8n.finished(started.id ?? (await newest(workflow)));
  }

  /** Kills n8n when so many orders were received, and starts it again. */
  async function killedAt(orders) {
    await world.n8n.child.until(async () => (await received()) === orders, 30_000);
    world.n8n.child.signal('SIGKILL');
    await world.n8n.child.ended;
    await world.n8n.start();
    await world.n8n.signIn();
  }

  it('after an error before the order: it is placed', async () => {
    const { workflow, alert } = await published('before', [
      brokerageNode('Price', { resource: 'quote', operation: 'getCurrentPrice', instrument }),
      brokerageNode('Place', { ...order, price: resting }),
    ]);
    const before = await received();
    await world.sandbox.control('POST', 'faults', {
      match: { method: 'GET', path: '/optionchains/INFY/price' },
      action: 'status',
      args: { status: 400, body: { error: 'not now' } },
      times: 1,
    });
    await alert();
    const id = await world.n8n.child.until(async () => await newest(workflow), 30_000);
    assert.equal((await world.n8n.finished(id)).status, 'error');
    const again = await retried(id, workflow);
    assert.equal(again.status, 'success', errorOf(again));
    assert.equal(outputOf(again, 'Place')[0].already_placed, false);
    assert.equal(await received(), before + 1);
  });

  it('after n8n was killed while a later step ran: each retry, also two at once, gives out both orders', async () => {
    const { workflow, alert } = await published('killed', [
      brokerageNode('First', { ...order, price: resting }),
      brokerageNode('Second', { ...order, price: resting, options: { waitFor: 'filled', waitSeconds: 25 } }),
    ]);
    const before = await received();
    await alert();
    await killedAt(before + 2);
    const id = await newest(workflow);
    assert.equal((await world.n8n.finished(id)).status, 'crashed');
    const both = await Promise.all([retried(id, workflow), retried(id, workflow, true)]);
    for (const again of [...both, await retried(id, workflow)]) {
      assert.equal(again.status, 'success', errorOf(again));
      for (const name of ['First', 'Second']) assert.equal(outputOf(again, name).at(-1).already_placed, true, name);
    }
    assert.equal(await received(), before + 2);
  });

  it('of a workflow that calls another one with orders in it: those that were placed are given out', async () => {
    const failing = brokerageNode('Fail', { resource: 'order', operation: 'get', orderId: '1' });
    const called = await world.n8n.createWorkflow(
      chain('called', [calledNode(), brokerageNode('Place', { ...order, price: resting }), failing], credential),
    );
    await world.n8n.activate(called).catch(() => undefined);
    const { workflow, alert } = await published('calls', [callNode(called.id)]);
    const before = await received();
    await alert();
    const id = await world.n8n.child.until(async () => await newest(workflow), 30_000);
    assert.equal((await world.n8n.finished(id)).status, 'error');
    await world.n8n.child.until(async () => (await received()) === before + 1, 30_000);
    for (let tries = 0; tries < 2; tries++) assert.equal((await retried(id, workflow)).status, 'error');
    assert.equal(await received(), before + 1);
    const [newestCalled] = await world.n8n.executions(called.id);
    assert.equal(outputOf(await world.n8n.finished(newestCalled.id), 'Place')[0].already_placed, true);
  });
});
