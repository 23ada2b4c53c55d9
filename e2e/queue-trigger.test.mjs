/** The trigger in queue mode: it listens in the main process, its workflow runs on two workers; nothing missed, nothing twice. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { errorOf, pack } from '../scripts/n8n.mjs';
import { ensureRuntime } from '../scripts/runtime.mjs';
import { freePort } from '../scripts/support.mjs';
import { placeLadder, sameAsJournal, watchWorkflow } from './support/ladder.mjs';
import { startQueueMode } from './support/queue.mjs';
import { Sandbox, credentialData } from './support/world.mjs';

const TIMEOUT_MS = 600_000;
const RUNGS = 20;

describe('The trigger in queue mode', { timeout: TIMEOUT_MS }, () => {
  let folder;
  let sandbox;
  let queue;
  let ladder;
  let watch;

  before(
    async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'brokerage-queue-'));
      // PostgreSQL runs as a user of its own and must come through.
      chmodSync(folder, 0o755);
      sandbox = new Sandbox(folder, await freePort());
      await sandbox.start();
      queue = await startQueueMode({
        runtime: await ensureRuntime(),
        folder: path.join(folder, 'n8n'),
        tarball: pack(path.join(folder, 'package')),
      });
      const n8n = queue.main;
      const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', credentialData(sandbox.url));
      // n8n answers before the trigger listens; what happens until then is past for it. So the orders come after it.
      watch = await n8n.createWorkflow(watchWorkflow(credential));
      await n8n.activate(watch);
      await n8n.child.until(async () => (await sandbox.stats()).streams_open === 1, 120_000);
      ladder = await placeLadder({ n8n, sandbox, credential, rungs: RUNGS });
      assert.equal(ladder.execution.status, 'success', errorOf(ladder.execution));
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await queue?.stop();
    await sandbox?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('events while all is well, with the stream cut, and with frames lost', async () => {
    await ladder.fill(5);
    await sandbox.control('POST', 'faults', { match: { stream: true }, action: 'disconnect', times: 1 });
    await ladder.fill(8);
    await sandbox.control('POST', 'faults', { match: { stream: true }, action: 'drop_frame', times: 3 });
    await ladder.fill(10);
    await sameAsJournal({ n8n: queue.main, sandbox, ladder, watch, filled: 10 });
  });

  it('the main process stopped in the middle of trading', async () => {
    await ladder.fill(12);
    await queue.main.stop();
    await ladder.fill(16);
    await queue.main.start();
    await queue.main.signIn();
    await ladder.fill(RUNGS);
    await sameAsJournal({ n8n: queue.main, sandbox, ladder, watch, filled: RUNGS });
  });
});
