/** One login for each death of a session, over the processes of n8n's queue mode: main and two workers, Redis, PostgreSQL. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pack, withCredential } from '../scripts/n8n.mjs';
import { ensureRuntime } from '../scripts/runtime.mjs';
import { freePort } from '../scripts/support.mjs';
import { startQueueMode } from './support/queue.mjs';
import { ACCOUNT, Sandbox, credentialData, example } from './support/world.mjs';

const TIMEOUT_MS = 900_000;
const DEATHS = 5;
const EXECUTIONS = 200;

/** Answers a web request with the user of the account. */
const userWorkflow = (credential) =>
  withCredential(
    {
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
    },
    credential,
  );

describe('Sessions in queue mode', { timeout: TIMEOUT_MS }, () => {
  let folder;
  let sandbox;
  let n8n;

  before(
    async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'brokerage-queue-'));
      // PostgreSQL runs as a user of its own and must come through.
      chmodSync(folder, 0o755);
      sandbox = new Sandbox(folder, await freePort());
      await sandbox.start();
      n8n = await startQueueMode({
        runtime: await ensureRuntime(),
        folder: path.join(folder, 'n8n'),
        tarball: pack(path.join(folder, 'package')),
      });
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await n8n?.stop();
    await sandbox?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it(`${EXECUTIONS} executions while the session dies ${DEATHS} times: ${DEATHS} logins, ${EXECUTIONS} successes, the trigger stays subscribed`, async () => {
    const { main } = n8n;
    const credential = await main.saveCredential('Brokerage Sandbox', 'brokerageApi', credentialData(sandbox.url));
    const who = `${main.url}/webhook/who-is-it`;
    await main.activate(await main.createWorkflow(userWorkflow(credential)));
    await main.child.until(async () => (await fetch(who)).ok, 60_000);
    await main.activate(await main.createWorkflow(example('on-fill.json', credential)));
    const subscribed = async () => (await sandbox.stats()).streams_open === 1;
    await main.child.until(subscribed, 60_000);

    const { logins: first } = await sandbox.stats();
    for (let death = 1; death <= DEATHS; death++) {
      await sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { expire_sessions: true });
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
