/** The kill switch over the processes of n8n's queue mode: stopped by one worker, refused by all, also while others renew the session. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openQueueWorld } from './support/queue.mjs';
import { brokerageNode, chain, deliver, marketOrder, webhookNode } from './support/workflows.mjs';
import { ACCOUNT } from './support/world.mjs';

const TIMEOUT_MS = 900_000;
const ROUNDS = 3;
/** Enough for both workers to have some. */
const AT_ONCE = 12;

describe('Stop Trading in queue mode', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(
    async () => {
      world = await openQueueWorld();
      const { main, credential } = world;
      const steps = {
        buy: marketOrder,
        stop: { resource: 'session', operation: 'stopTrading' },
        user: { resource: 'session', operation: 'getUser', simplify: true },
      };
      for (const [name, parameters] of Object.entries(steps))
        await main.activate(
          await main.createWorkflow(chain(name, [webhookNode(name), brokerageNode(name, parameters)], credential)),
        );
      await main.child.until(async () => (await deliver(main, 'user')).status === 200, 90_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  it(`${ROUNDS} times: one worker stops while others renew the session; then no worker places an order`, async () => {
    const { main, sandbox, credential } = world;
    const stored = async () => (await main.request('GET', `/credentials/${credential.id}?includeData=true`)).data;
    const received = async () => (await sandbox.stats()).orders_received;
    const many = (name) => Array.from({ length: AT_ONCE }, async () => await deliver(main, name));
    for (let round = 1; round <= ROUNDS; round++) {
      const before = await received();
      for (const { status, text } of await Promise.all(many('buy'))) assert.equal(status, 200, text);
      assert.equal(await received(), before + AT_ONCE);
      await sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { expire_sessions: true });
      const replies = await Promise.all([...many('user'), deliver(main, 'stop'), ...many('user')]);
      for (const { status, text } of replies) assert.equal(status, 200, text);
      assert.equal((await stored()).tradingStopped, true);
      for (const { status } of await Promise.all(many('buy'))) assert.equal(status, 500);
      assert.equal(await received(), before + AT_ONCE);
      await main.request('PATCH', `/credentials/${credential.id}`, {
        name: credential.name,
        type: credential.type,
        data: { ...(await stored()), tradingStopped: false },
      });
    }
  });
});
