/** "Retry" in the list of executions of a real n8n, with an order in the workflow: after an error, and after n8n was killed. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, chain, instrument, lastPrice, marketOrder, webhookNode } from './support/workflows.mjs';
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

  /** Publishes a workflow of a webhook and nodes one after another; gives out what delivers an alert, and the workflow. */
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

  async function retried(id, workflow) {
    await world.n8n.request('POST', `/executions/${id}/retry`, { loadWorkflow: false });
    return await world.n8n.finished(await newest(workflow));
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

  it('after n8n was killed while the order was waited for: it is not placed again', async () => {
    const { workflow, alert } = await published('killed', [
      brokerageNode('Place', { ...order, price: resting, options: { waitFor: 'filled', waitSeconds: 30 } }),
    ]);
    const before = await received();
    await alert();
    await world.n8n.child.until(async () => (await received()) === before + 1, 30_000);
    world.n8n.child.signal('SIGKILL');
    await world.n8n.child.ended;
    await world.n8n.start();
    await world.n8n.signIn();
    const id = await newest(workflow);
    assert.equal((await world.n8n.finished(id)).status, 'crashed');
    const again = await retried(id, workflow);
    assert.match(errorOf(again) ?? '', /^This is a retry of an execution that kept no record/);
    assert.equal(await received(), before + 1);
  });
});
