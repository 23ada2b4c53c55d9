/** The trigger in queue mode: it listens in the main process, its workflow runs on two workers; nothing missed, nothing twice. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf } from '../scripts/n8n.mjs';
import { placeLadder, sameAsJournal, watchWorkflow } from './support/resting-limit-orders.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openQueueWorld } from './support/queue.mjs';

const RUNGS = 20;

describe('The trigger in queue mode', { timeout: TIMEOUT_MS }, () => {
  let world;
  let ladder;
  let watch;

  before(
    async () => {
      world = await openQueueWorld();
      const { main: n8n, sandbox, credential } = world;
      // n8n answers before the trigger listens; what happens until then is past for it. So the orders come after it.
      watch = await n8n.createWorkflow(watchWorkflow(credential));
      await n8n.activate(watch);
      await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
      ladder = await placeLadder({ n8n, sandbox, credential, rungs: RUNGS });
      assert.equal(ladder.execution.status, 'success', errorOf(ladder.execution));
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  it('events while all is well, with the stream cut, and with frames lost', async () => {
    const { main: n8n, sandbox } = world;
    await ladder.fill(5);
    await sandbox.control('POST', 'faults', { match: { stream: true }, action: 'disconnect', times: 1 });
    await ladder.fill(8);
    await sandbox.control('POST', 'faults', { match: { stream: true }, action: 'drop_frame', times: 3 });
    await ladder.fill(10);
    await sameAsJournal({ n8n, sandbox, ladder, watch, filled: 10 });
  });

  it('the main process stopped in the middle of trading', async () => {
    const { main: n8n, sandbox } = world;
    await ladder.fill(12);
    await n8n.stop();
    await ladder.fill(16);
    await n8n.start();
    await n8n.signIn();
    await ladder.fill(RUNGS);
    await sameAsJournal({ n8n, sandbox, ladder, watch, filled: RUNGS });
  });
});
