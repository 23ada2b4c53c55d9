/**
 * Baskets in a real n8n, on both order interfaces: placed, waited for, changed, and closed once though the reply is lost and n8n runs the
 * node again.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain } from './support/workflows.mjs';
import { ACCOUNT, openWorld } from './support/world.mjs';

const EXITS = { exitsIn: 'percent', stopLossPrice: 60, targetPrice: 60 };
/** Every request that closes something, and every list that shows whether it did. */
const CLOSING = [
  '/sentinel/orders/modify',
  '/sentinel/orders/cancel',
  '/sentinel/orders/create',
  '/orders/v2/basket/*',
];
const LISTS = ['/sentinel/orders', '/orders/v2/basket'];

describe('Baskets in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;

  before(
    async () => {
      world = await openWorld({
        start: '2026-11-23T11:00:00+05:30',
        sandboxOptions: ['--hours', 'exchange', '--order-interface', 'both'],
      });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  const run = async (name, nodes) => {
    const workflow = await world.n8n.createWorkflow(chain(name, [byHand(), ...nodes], credential));
    return await world.n8n.finished(await world.n8n.run(workflow, 'Run by Hand'), 180_000);
  };
  const basket = (name, operation, given, more) =>
    brokerageNode(name, { resource: 'basket', operation, exchange: 'NSE', simplify: true, ...given }, more);

  /** Places a straddle, and waits until it has entered. */
  async function entered(options, more = []) {
    const placing = {
      name: 'Mine',
      strategy: 'straddle',
      underlying: 'NIFTY',
      expiry: 'nearest',
      quantity: 1,
      side: 'SELL',
    };
    const ran = await run('Place a basket', [
      basket('Place', 'place', { ...placing, quantityUnit: 'lots', product: 'IDAY', priceType: 'MARKET', options }),
      basket('Wait', 'waitForStatus', { basketId: '={{ $json.basket_id }}', waitFor: 'entered', deadlineSeconds: 60 }),
      ...more,
    ]);
    const [waited] = outputOf(ran, 'Wait');
    assert.equal(waited?.reached, true, errorOf(ran));
    return { ran, basketId: waited.basket_id };
  }

  /** Closes it with Retry On Fail, and reads what is still held. */
  async function closed(basketId) {
    const closing = { basketId, options: { waitSeconds: 30 } };
    const ran = await run('Close the basket', [
      basket('Close', 'close', closing, { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 }),
      brokerageNode('Positions', { resource: 'portfolio', operation: 'getPositions', returnAll: true, simplify: true }),
    ]);
    assert.equal(ran.status, 'success', errorOf(ran));
    return { basket: outputOf(ran, 'Close')[0], held: outputOf(ran, 'Positions').filter(({ qty }) => qty !== 0) };
  }

  async function loseReplies() {
    for (const path of CLOSING)
      await world.sandbox.control('POST', 'faults', {
        match: { method: 'POST', path },
        action: 'drop_after',
        times: 1,
      });
    // So many that the first try of the node finds nothing out.
    for (const path of LISTS)
      await world.sandbox.control('POST', 'faults', {
        match: { method: 'GET', path },
        action: 'status',
        args: { status: 503 },
        times: 12,
      });
  }

  for (const orderInterface of ['intent', 'v2'])
    describe(`order interface: ${orderInterface}`, () => {
      before(async () => {
        await world.sandbox.control('POST', `accounts/${ACCOUNT.phone}`, { order_interface: orderInterface });
      });

      it(orderInterface === 'intent' ? 'is modified' : 'a change is refused in words that say so', async () => {
        const change = { basketId: '={{ $json.basket_id }}', updateFields: { exitsIn: 'percent', targetPrice: 70 } };
        const { ran, basketId } = await entered(EXITS, [basket('Modify', 'modify', change)]);
        const [before, modified] = ['Wait', 'Modify'].map((node) => outputOf(ran, node)[0]);
        if (orderInterface === 'v2') assert.match(errorOf(ran), /does not have changes of a basket/);
        else {
          assert.ok(['done', 'requested'].includes(modified.result), JSON.stringify(modified));
          const [was, is] = [before, modified].map(({ basket_params: terms }) => terms.exit_price);
          if (modified.result === 'done') assert.ok(is > was, `${was} became ${is}`);
        }
        const { basket: end, held } = await closed(basketId);
        assert.equal(end.result, 'done');
        assert.deepEqual(held, []);
      });

      for (const [name, options] of Object.entries({ 'with exits': EXITS, 'without exits': {} }))
        it(`${name}: closed once, with the reply lost and the lists unreadable`, async () => {
          const { basketId } = await entered(options);
          await loseReplies();
          const { held } = await closed(basketId);
          await world.sandbox.control('DELETE', 'faults');
          assert.deepEqual(held, []);
          const again = await closed(basketId);
          assert.deepEqual([again.basket.result, again.held], ['done', []]);
        });
    });
});
