/**
 * Two workflows that set a target for one position at the same moment, in queue mode with two workers: they come to it once. `ROUNDS=200`
 * for more of them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openQueueWorld } from './support/queue.mjs';
import { brokerageNode, chain, deliver, instrument, webhookNode } from './support/workflows.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 6);
const TIMEOUT_MS = 900_000 + ROUNDS * 40_000;
const TARGET = 10;
const NAMES = ['one', 'other'];

const target = brokerageNode('Target', {
  resource: 'order',
  operation: 'setTargetPosition',
  instrument,
  target: '={{ $json.body.target }}',
  quantityUnit: 'units',
  product: 'IDAY',
  openOrders: 'count',
  closeAt: 'market',
});

describe('Targets of one position in queue mode', { timeout: TIMEOUT_MS }, () => {
  let world;

  before(
    async () => {
      world = await openQueueWorld();
      const { main, credential } = world;
      for (const name of NAMES)
        await main.activate(await main.createWorkflow(chain(name, [webhookNode(name), target], credential)));
      for (const name of NAMES)
        await main.child.until(async () => (await deliver(main, name, { target: 0 })).status === 200, 60_000);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  /** Shares that are held, as the exchange has filled them. */
  async function held() {
    const trades = await world.sandbox.journal('trade');
    return trades.reduce((sum, { side, quantity }) => sum + (side === 'BUY' ? quantity : -quantity), 0);
  }

  it(`${ROUNDS} rounds: both come to it, and to no more`, { timeout: TIMEOUT_MS }, async () => {
    const wrong = [];
    for (let round = 0; round < ROUNDS; round++) {
      const targetQuantity = round % 2 === 0 ? TARGET : 0;
      const replies = await Promise.all(
        NAMES.map(async (name) => await deliver(world.main, name, { target: targetQuantity })),
      );
      const is = await held();
      const errors = replies.flatMap(({ status, text }) => (status === 200 ? [] : [text]));
      if (is !== targetQuantity || errors.length > 0) wrong.push({ round, targetQuantity, is, errors });
      if (is !== targetQuantity) await deliver(world.main, NAMES[0], { target: targetQuantity });
    }
    console.log(`${ROUNDS} rounds, ${wrong.length} that came to something else`);
    assert.deepEqual(wrong, []);
  });
});
