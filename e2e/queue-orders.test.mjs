/**
 * One key is one order over the processes of n8n's queue mode: deliveries twice at the same moment to two workers, and a worker that dies.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openQueueWorld } from './support/queue.mjs';
import { brokerageNode, chain, deliver as deliverTo, marketOrder, webhookNode } from './support/workflows.mjs';

const TIMEOUT_MS = 900_000;
const ALERTS = Number(process.env.QUEUE_ALERTS ?? 100);
/** Number of simultaneous deliveries: both workers are busy, and none of the requests waits for minutes. */
const TOGETHER = 40;

const placing = brokerageNode('Place Order', {
  ...marketOrder,
  options: { idempotencyKey: '={{ $json.body.alert }}' },
});

describe('Keyed orders in queue mode', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(
    async () => {
      world = await openQueueWorld();
      const { main, credential } = world;
      await main.activate(await main.createWorkflow(chain('Alerts', [webhookNode('alert'), placing], credential)));
      await main.child.until(async () => (await deliver('first')).status === 200, 60_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  const received = async () => (await world.sandbox.stats()).orders_received;

  async function deliver(alert) {
    const { status, text, json } = await deliverTo(world.main, 'alert', { alert });
    return { status, text, orderId: json?.order_id };
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
    for (const worker of world.workers) worker.child.signal('SIGKILL');
    for (const worker of world.workers) await worker.child.ended;
    for (const worker of world.workers) await worker.startWorker();
    const again = await Promise.all([deliver('after'), deliver('after'), deliver('held')]);
    for (const reply of again) assert.equal(reply.status, 200, reply.text);
    assert.equal(again[0].orderId, again[1].orderId);
    assert.equal(again[2].orderId, JSON.parse(text).order_id);
    assert.equal(await received(), before + 2);
  });
});
