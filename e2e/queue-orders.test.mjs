/** One key is one order over the processes of n8n's queue mode: deliveries twice at the same moment to two workers, and a worker that dies. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pack, withCredential } from '../scripts/n8n.mjs';
import { ensureRuntime } from '../scripts/runtime.mjs';
import { freePort } from '../scripts/support.mjs';
import { startQueueMode } from './support/queue.mjs';
import { Sandbox, credentialData } from './support/world.mjs';

const TIMEOUT_MS = 900_000;
const ALERTS = Number(process.env.QUEUE_ALERTS ?? 100);
/** Deliveries under way at the same moment: both workers are busy, and none of the requests waits for minutes. */
const TOGETHER = 40;

const alertWorkflow = (credential) =>
  withCredential(
    {
      name: 'Alerts',
      nodes: [
        {
          id: '1',
          name: 'Alert',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [0, 0],
          webhookId: 'alert',
          parameters: { path: 'alert', httpMethod: 'POST', responseMode: 'lastNode', options: {} },
        },
        {
          id: '2',
          name: 'Place Order',
          type: 'n8n-nodes-brokerage.brokerage',
          typeVersion: 1,
          position: [220, 0],
          parameters: {
            resource: 'order',
            operation: 'place',
            instrument: { __rl: true, mode: 'symbol', value: 'NSE:INFY' },
            side: 'BUY',
            quantity: 1,
            product: 'IDAY',
            orderType: 'REGULAR',
            priceType: 'MARKET',
            options: { idempotencyKey: '={{ $json.body.alert }}' },
          },
        },
      ],
      connections: { Alert: { main: [[{ node: 'Place Order', type: 'main', index: 0 }]] } },
    },
    credential,
  );

describe('Keyed orders in queue mode', { timeout: TIMEOUT_MS }, () => {
  let folder;
  let sandbox;
  let n8n;
  let address;

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
      const { main } = n8n;
      const credential = await main.saveCredential('Brokerage Sandbox', 'brokerageApi', credentialData(sandbox.url));
      await main.activate(await main.createWorkflow(alertWorkflow(credential)));
      address = `${main.url}/webhook/alert`;
      await main.child.until(async () => (await deliver('first')).status === 200, 60_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await n8n?.stop();
    await sandbox?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const received = async () => (await sandbox.stats()).orders_received;

  async function deliver(alert) {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ alert }),
    });
    const text = await reply.text();
    return { status: reply.status, text, orderId: reply.ok ? JSON.parse(text).order_id : undefined };
  }

  it(`${ALERTS} alerts, each delivered twice at the same moment to two workers: ${ALERTS} orders`, async () => {
    const before = await received();
    const deliveries = Array.from({ length: ALERTS }, (_, alert) => [`alert-${alert}`, `alert-${alert}`]).flat();
    const replies = [];
    const started = Date.now();
    for (let from = 0; from < deliveries.length; from += TOGETHER)
      replies.push(...(await Promise.all(deliveries.slice(from, from + TOGETHER).map(deliver))));
    console.log(`${deliveries.length} deliveries in ${Math.round((Date.now() - started) / 1_000)} s`);
    for (const { status, text } of replies) assert.equal(status, 200, text);
    assert.equal(await received(), before + ALERTS);
    for (let alert = 0; alert < ALERTS; alert++)
      assert.equal(replies[2 * alert].orderId, replies[2 * alert + 1].orderId);
  });

  it('workers that are killed while one holds the lock: the next order waits until it is broken, and comes once', async () => {
    const before = await received();
    const { status, text } = await deliver('held');
    assert.equal(status, 200, text);
    // Whichever of them placed it holds the lock until the list shows the order.
    for (const worker of n8n.workers) worker.child.signal('SIGKILL');
    for (const worker of n8n.workers) await worker.child.ended;
    for (const worker of n8n.workers) await worker.startWorker();
    const again = await Promise.all([deliver('after'), deliver('after'), deliver('held')]);
    for (const reply of again) assert.equal(reply.status, 200, reply.text);
    assert.equal(again[0].orderId, again[1].orderId);
    assert.equal(again[2].orderId, JSON.parse(text).order_id);
    assert.equal(await received(), before + 2);
  });
});
