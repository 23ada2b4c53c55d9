/**
 * Exits that the trigger keeps, in a real n8n on the older order interface: of an entry and of what is held, at the target, closed by hand,
 * and over a restart.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain, instrument, lastPrice, orderWorkflow } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const QUANTITY = 10;
/** Percent from the price at which the entry filled, for stop loss and target. */
const EXIT_PERCENT = 3;
/** Maximum delay of the list of orders. */
const LISTED_MS = 30_000;

describe('Order Exits in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  let keeping;
  let refId;
  let first;

  before(
    async () => {
      world = await openWorld({ sandboxOptions: ['--hours', 'always'] });
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      [{ ref_id: refId }] = await world.sandbox.control('GET', 'page/instruments?q=INFY');
      first = await lastPrice(world.sandbox);
      keeping = await world.n8n.createWorkflow(
        chain(
          'Keep exits',
          [
            {
              id: 'trigger',
              name: 'Order Exits',
              type: 'n8n-nodes-brokerage.brokerageTrigger',
              typeVersion: 1.1,
              position: [0, 0],
              parameters: { watch: 'orderExits' },
            },
          ],
          credential,
        ),
      );
      await world.n8n.activate(keeping);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await world?.close();
  });

  /** Runs a workflow by hand. @returns the output of its last node */
  async function run(workflow, node) {
    const created = await world.n8n.createWorkflow(workflow);
    const ran = await world.n8n.finished(await world.n8n.run(created, 'Run by Hand'));
    assert.equal(ran.status, 'success', errorOf(ran));
    return outputOf(ran, node);
  }
  const market = async (more) =>
    (
      await run(
        orderWorkflow('Market order', { quantity: QUANTITY, options: { waitFor: 'filled' }, ...more }, credential, {
          typeVersion: 1.1,
        }),
        'Place Order',
      )
    )[0];
  const buy = async () => await market({ exits: { keptBy: 'trigger', stopLoss: EXIT_PERCENT, target: EXIT_PERCENT } });

  /** Moves INFY to a share of its first price. */
  const move = async (share) =>
    await world.sandbox.control('POST', 'market', { ref_id: refId, price: Math.round(first * share * 10) * 10 });

  /** Waits until the trigger has started a workflow with this event of an order. @returns all events of it, oldest first */
  const awaitExitEvent = async (order, event) =>
    await world.n8n.child.until(async () => {
      const events = [];
      for (const { id, status } of await world.n8n.executions(keeping.id))
        if (status === 'success') events.push(...outputOf(await world.n8n.execution(id), 'Order Exits'));
      const own = events.filter(({ order_id: id }) => id === order.order_id).reverse();
      return own.some((one) => one.event === event) ? own.map((one) => one.event) : undefined;
    }, 60_000);

  /** The day's orders that the trigger placed, newest first. */
  const exits = async () => {
    const list = brokerageNode('Orders', {
      resource: 'order',
      operation: 'getMany',
      returnAll: true,
      filters: { tag: 'exit' },
    });
    const orders = await run(chain('Orders', [byHand(), list], credential), 'Orders');
    return orders.map(({ order_type: type, order_qty: quantity, filled_qty: filled, order_status: status }) =>
      [type === 'STOPLOSS' ? 'stop loss' : 'sale', quantity, filled, status].join(' '),
    );
  };
  /** Waits until the day's orders show these exits: the list is behind what was acknowledged. */
  const listed = async (expected) => {
    let shown;
    await world.n8n.child
      .until(async () => {
        shown = await exits();
        return isDeepStrictEqual(shown, expected);
      }, LISTED_MS)
      .catch(() => assert.deepEqual(shown, expected));
  };
  /** Shares of INFY that are held within the day. */
  const held = async () => {
    const list = brokerageNode('Positions', { resource: 'portfolio', operation: 'getPositions', returnAll: true });
    const positions = await run(chain('Positions', [byHand(), list], credential), 'Positions');
    return positions.reduce((sum, { qty = 0 }) => sum + Math.abs(qty), 0);
  };
  const SOLD = [`sale ${QUANTITY} ${QUANTITY} FILLED`, `stop loss ${QUANTITY} 0 CANCELLED`];

  it('places the stop loss; at the target cancels it, and sells what is held, once', async () => {
    const order = await buy();
    assert.equal(order.exits_kept_by, 'trigger');
    await awaitExitEvent(order, 'stopPlaced');
    await listed([`stop loss ${QUANTITY} 0 OPEN`]);
    assert.equal(await held(), QUANTITY);
    await move(1.05);
    assert.deepEqual(await awaitExitEvent(order, 'positionClosed'), ['stopPlaced', 'targetReached', 'positionClosed']);
    await listed(SOLD);
    assert.equal(await held(), 0);
  });

  it('takes the stop loss away where a person closes the position', async () => {
    const order = await buy();
    await awaitExitEvent(order, 'stopPlaced');
    await market({ side: 'SELL' });
    assert.deepEqual(await awaitExitEvent(order, 'closedByHand'), ['stopPlaced', 'closedByHand']);
    await listed([`stop loss ${QUANTITY} 0 CANCELLED`, ...SOLD]);
    assert.equal(await held(), 0);
  });

  it('n8n stopped in between: the stop loss rests at the exchange, and after the start the target sells, once', async () => {
    const before = await exits();
    const order = await buy();
    await awaitExitEvent(order, 'stopPlaced');
    await world.n8n.stop();
    await move(1.11);
    await world.n8n.start();
    await world.n8n.signIn();
    const events = await awaitExitEvent(order, 'positionClosed');
    assert.deepEqual(events, ['stopPlaced', 'targetReached', 'positionClosed']);
    await listed([...SOLD, ...before]);
    assert.equal(await held(), 0);
  });

  it('n8n stopped in between: exits of what is held go on, and the stop loss sells once', async () => {
    await move(1);
    await market({});
    const exitNode = {
      id: 'held',
      name: 'Held Exits',
      type: 'n8n-nodes-brokerage.brokerageTrigger',
      typeVersion: 1.2,
      position: [0, 0],
      parameters: {
        ...{ watch: 'orderExits', exitsOf: 'held', instrument, heldProducts: ['IDAY'] },
        heldExits: { stopLoss: 2 },
      },
    };
    const workflow = await world.n8n.createWorkflow(chain('Keep what is held', [exitNode], credential));
    await world.n8n.activate(workflow);
    const events = async () => {
      const finished = (await world.n8n.executions(workflow.id)).filter(({ status }) => status === 'success');
      const read = finished.map(async ({ id }) => outputOf(await world.n8n.execution(id), 'Held Exits'));
      return (await Promise.all(read)).flat().reverse();
    };
    const event = async (name) =>
      await world.n8n.child.until(async () => (await events()).find((item) => item.event === name), 60_000);
    await event('exitsKept');
    await world.n8n.stop();
    await world.n8n.start();
    await world.n8n.signIn();
    await move(0.95);
    const closed = await event('positionClosed');
    assert.deepEqual([closed.reason, closed.closed_qty], ['stop', QUANTITY]);
    assert.deepEqual(
      (await events()).map((item) => item.event),
      ['exitsKept', 'stopReached', 'positionClosed'],
    );
    assert.equal(await held(), 0);
  });
});
