/** One login for each death of a session, over the processes of n8n's queue mode: main and two workers, Redis, PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openQueueWorld } from './support/queue.mjs';
import { brokerageNode, chain, webhookNode } from './support/workflows.mjs';
import { example } from './support/world.mjs';

const TIMEOUT_MS = 900_000;
const DEATHS = 5;
const EXECUTIONS = 200;

describe('Sessions in queue mode', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(async () => void (world = await openQueueWorld()), { timeout: TIMEOUT_MS });

  after(async () => await world?.close());

  it(`${EXECUTIONS} executions while the session dies ${DEATHS} times: ${DEATHS} logins, ${EXECUTIONS} successes, the trigger stays subscribed`, async () => {
    const { main, sandbox, credential } = world;
    const user = brokerageNode('User', { resource: 'session', operation: 'getUser', simplify: true });
    const webhook = webhookNode('who-is-it', { responseMode: 'lastNode' });
    const who = `${main.url}/webhook/who-is-it`;
    await main.activate(await main.createWorkflow(chain('Who is it', [webhook, user], credential)));
    await main.child.until(async () => (await fetch(who)).ok, 60_000);
    await main.activate(await main.createWorkflow(example('on-fill.json', credential)));
    const subscribed = async () => (await sandbox.stats()).streams_open === 1;
    await main.child.until(subscribed, 60_000);

    const { logins: first } = await sandbox.stats();
    for (let death = 1; death <= DEATHS; death++) {
      await sandbox.expireSessions();
      const replies = await Promise.all(Array.from({ length: EXECUTIONS / DEATHS }, async () => await fetch(who)));
      const bodies = await Promise.all(replies.map(async (reply) => await reply.text()));
      assert.deepEqual(
        replies.map(({ status }) => status),
        replies.map(() => 200),
        bodies.find((body, index) => replies[index].status !== 200),
      );
      for (const body of bodies) assert.match(body, /client_code/);
      await main.child.until(subscribed, 60_000);
      assert.equal((await sandbox.stats()).logins, first + death);
    }
  });
});
