/**
 * A webhook hands a megabyte to each field of *Order: Place* in a real n8n: the order is refused in words, and n8n answers everybody
 * else at once throughout. Before, 60 KB in *Quantity* stopped it for up to 16 seconds.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, chain, deliver, marketOrder, webhookNode } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const MEGABYTE = 1_000_000;
/** Within so long `/healthz` answers, milliseconds. */
const HEALTHY_WITHIN_MS = 500;
const ASK_EVERY_MS = 20;
/** Number of tries; the best one counts, since a busy machine makes an answer later, never earlier. */
const TRIES = 3;
/** Texts that the non-linear expressions scanned again and again. */
const PARTS = ['0', ' ', 'A', '\\', 'NSE '];
const VALUE = '={{ $json.body.text }}';

/** Fields that receive the webhook's text. Fields with fixed values, such as limits, are refused unread. */
const FIELDS = {
  instrument: { instrument: { __rl: true, mode: 'symbol', value: VALUE } },
  side: { side: VALUE },
  quantity: { quantity: VALUE },
  quantityUnit: { quantityUnit: VALUE },
  product: { product: VALUE },
  orderType: { orderType: VALUE },
  priceType: { priceType: VALUE },
  price: { priceType: 'LIMIT', price: VALUE },
  tag: { options: { tag: VALUE } },
  idempotencyKey: { options: { idempotencyKey: VALUE } },
  validity: { options: { validity: VALUE } },
};

describe('A megabyte in each field of an order, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(
    async () => {
      world = await openWorld();
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());

  const received = async () => (await world.sandbox.stats()).orders_received;

  /** Asks n8n for its health again and again. @returns what ends it, with the longest that an answer took, milliseconds */
  function watchHealth() {
    let isOver = false;
    let longest = 0;
    const asked = (async () => {
      while (!isOver) {
        const from = performance.now();
        const reply = await fetch(`${world.n8n.url}/healthz`);
        await reply.text();
        assert.equal(reply.status, 200);
        longest = Math.max(longest, performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      }
      return longest;
    })();
    return async () => {
      isOver = true;
      return await asked;
    };
  }

  for (const [field, parameters] of Object.entries(FIELDS))
    it(`is refused in ${field}, and n8n stays well`, async () => {
      const path = `long-${field}`;
      const order = brokerageNode(
        'Order',
        { ...marketOrder, ...parameters },
        { onError: 'continueRegularOutput', typeVersion: 1.1 },
      );
      await world.n8n.activate(await world.n8n.createWorkflow(chain(path, [webhookNode(path), order], credential)));
      // The first run loads the node and the instruments; in some fields it places an order.
      await deliver(world.n8n, path, { text: 'x' });
      const before = await received();
      let best = Infinity;
      for (let tried = 0; tried < TRIES && best >= HEALTHY_WITHIN_MS; tried++) {
        const longest = watchHealth();
        for (const part of PARTS) {
          const { status, json } = await deliver(world.n8n, path, { text: part.repeat(MEGABYTE / part.length) });
          assert.equal(status, 200);
          assert.match(JSON.stringify(json), /is 1,000,000 characters long: at most 50,000 are read\. It begins with/);
          assert.equal(json.details.parameter, field);
        }
        best = Math.min(best, await longest());
      }
      assert.ok(best < HEALTHY_WITHIN_MS, `/healthz answered after ${best.toFixed(0)} ms`);
      assert.equal(await received(), before);
    });
});
