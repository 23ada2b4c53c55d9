/** A session expires in a real n8n: under parallel executions, while n8n is away, and under a trigger. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { withCredential } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { example, openWorld } from './support/world.mjs';

const EXECUTIONS = 20;

describe('Sessions in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let address;

  before(
    async () => {
      world = await openWorld();
      const { n8n } = world;
      const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      const user = {
        name: 'Who is it',
        nodes: [
          {
            id: '1',
            name: 'Webhook',
            type: 'n8n-nodes-base.webhook',
            typeVersion: 2,
            position: [0, 0],
            webhookId: 'who-is-it',
            parameters: { path: 'who-is-it', responseMode: 'lastNode', options: {} },
          },
          {
            id: '2',
            name: 'User',
            type: 'n8n-nodes-brokerage.brokerage',
            typeVersion: 1,
            position: [220, 0],
            parameters: { resource: 'session', operation: 'getUser', simplify: true },
          },
        ],
        connections: { Webhook: { main: [[{ node: 'User', type: 'main', index: 0 }]] } },
      };
      await n8n.activate(await n8n.createWorkflow(withCredential(user, credential)));
      address = `${n8n.url}/webhook/who-is-it`;
      await answering();
      await n8n.activate(await n8n.createWorkflow(example('on-fill.json', credential)));
      await subscribed();
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const logins = async () => (await world.sandbox.stats()).logins;
  const answering = async () => await world.n8n.child.until(async () => (await fetch(address)).ok, 90_000);
  const subscribed = async () =>
    await world.n8n.child.until(async () => (await world.sandbox.stats()).streams_open === 1, 90_000);

  /** As many executions at once; each must succeed. */
  async function runAll() {
    const replies = await Promise.all(Array.from({ length: EXECUTIONS }, async () => await fetch(address)));
    for (const reply of replies) {
      const body = await reply.text();
      assert.equal(reply.status, 200, body);
      assert.match(body, /client_code/);
    }
  }

  it(`${EXECUTIONS} executions at once on a dead session: one login, ${EXECUTIONS} successes, and the trigger is subscribed again`, async () => {
    const before = await logins();
    await world.sandbox.expireSessions();
    await runAll();
    await subscribed();
    assert.equal(await logins(), before + 1);
  });

  it('a cold start of n8n with a stored token that is dead: one login for the trigger and all executions', async () => {
    const before = await logins();
    await world.n8n.stop();
    await world.sandbox.expireSessions();
    await world.n8n.start();
    await answering();
    await runAll();
    await subscribed();
    assert.equal(await logins(), before + 1);
  });

  it('a cold start with a stored token that lives: no login', async () => {
    const before = await logins();
    await world.n8n.stop();
    await world.n8n.start();
    await answering();
    await runAll();
    await subscribed();
    assert.equal(await logins(), before);
  });
});
