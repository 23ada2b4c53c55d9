/** The trigger misses nothing and repeats nothing, in a real n8n: faults of the stream, the sandbox killed, n8n stopped and killed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { errorOf } from '../scripts/n8n.mjs';
import { placeLadder, sameAsJournal, watchWorkflow } from './support/resting-limit-orders.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { openWorld } from './support/world.mjs';

const RUNGS = 40;

describe('The trigger in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let data;
  let world;
  let watch;
  let ladder;

  before(
    async () => {
      data = mkdtempSync(path.join(tmpdir(), 'brokerage-data-'));
      world = await openWorld({ sandboxOptions: ['--data', data] });
      const { n8n, sandbox } = world;
      const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      // n8n answers before the trigger listens; what happens until then is past for it. So the orders come after it.
      watch = await n8n.createWorkflow(watchWorkflow(credential));
      await n8n.activate(watch);
      await subscribed();
      ladder = await placeLadder({ n8n, sandbox, credential, rungs: RUNGS });
      assert.equal(ladder.execution.status, 'success', errorOf(ladder.execution));
      assert.equal(new Set(ladder.orderIds).size, RUNGS);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
    if (data) rmSync(data, { recursive: true, force: true });
  });

  async function subscribed() {
    await world.n8n.child.until(async () => (await world.sandbox.stats()).streams_open === 1, 120_000);
  }

  async function comparedWithJournal(filled) {
    await sameAsJournal({ ...world, ladder, watch, filled });
  }

  it('gives out each fill and each completion once while all is well', async () => {
    await ladder.fill(5);
    await comparedWithJournal(5);
  });

  it('the stream cut, deaf, and refusing its token', async () => {
    const { sandbox } = world;
    const stream = { stream: true };
    await sandbox.control('POST', 'faults', { match: stream, action: 'disconnect', times: 1 });
    await ladder.fill(7);
    await comparedWithJournal(7);
    await sandbox.control('POST', 'faults', { match: stream, action: 'drop_frame', times: 3 });
    await ladder.fill(10);
    await comparedWithJournal(10);
    await sandbox.control('POST', 'faults', { match: stream, action: 'invalid_token', times: 1 });
    await ladder.fill(12);
    await comparedWithJournal(12);
    await subscribed();
  });

  it('the sandbox killed in the middle of trading', async () => {
    const { sandbox } = world;
    await ladder.fill(16);
    await sandbox.stop('SIGKILL');
    await sandbox.start();
    await ladder.fill(20);
    await comparedWithJournal(20);
    await subscribed();
  });

  it('n8n stopped in the middle of trading', async () => {
    const { n8n } = world;
    await ladder.fill(23);
    await n8n.stop();
    await ladder.fill(27);
    await n8n.start();
    await n8n.signIn();
    await ladder.fill(30);
    await comparedWithJournal(30);
  });

  it('n8n killed, and the session dead when it comes back', async () => {
    const { n8n, sandbox } = world;
    n8n.child.signal('SIGKILL');
    await n8n.child.ended;
    await ladder.fill(36);
    await sandbox.expireSessions();
    await n8n.start();
    await n8n.signIn();
    await ladder.fill(RUNGS);
    await comparedWithJournal(RUNGS);
    await subscribed();
  });
});
