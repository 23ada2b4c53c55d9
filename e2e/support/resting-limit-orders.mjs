/** Orders that rest on a ladder of prices and fill one by one as the price comes down: trading without a client. */
import assert from 'node:assert/strict';
import { errorOf, outputOf, withCredential } from '../../scripts/n8n.mjs';
import { ACCOUNT } from './world.mjs';

export const SYMBOL = 'INFY';
/** Paise between two rungs, at most. */
const WIDEST = 160;
/** Rungs between the last price and the first order, so that none fills by itself. */
const FIRST = 10;
/** The lowest rung, of the previous close: the exchange refuses orders of more than a tenth below it. */
const MIN_SHARE = 0.915;
const ENDED = ['success', 'error', 'crashed', 'canceled'];

/** Workflow that places an order at each price. */
function ladderWorkflow(credential, prices, quantity = 1) {
  return withCredential(
    {
      name: 'Ladder of orders',
      nodes: [
        {
          id: '1',
          name: 'Run by Hand',
          type: 'n8n-nodes-base.manualTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: {},
        },
        {
          id: '2',
          name: 'Rungs',
          type: 'n8n-nodes-base.set',
          typeVersion: 3.4,
          position: [220, 0],
          parameters: { mode: 'raw', jsonOutput: JSON.stringify({ prices }), options: {} },
        },
        {
          id: '3',
          name: 'Each Rung',
          type: 'n8n-nodes-base.splitOut',
          typeVersion: 1,
          position: [440, 0],
          parameters: { fieldToSplitOut: 'prices', options: { destinationFieldName: 'price' } },
        },
        {
          id: '4',
          name: 'Place Order',
          type: 'n8n-nodes-brokerage.brokerage',
          typeVersion: 1,
          position: [660, 0],
          parameters: {
            resource: 'order',
            operation: 'place',
            instrument: { __rl: true, mode: 'symbol', value: `NSE:${SYMBOL}` },
            side: 'BUY',
            quantity,
            product: 'CNC',
            orderType: 'REGULAR',
            priceType: 'LIMIT',
            price: '={{ $json.price }}',
          },
        },
      ],
      connections: {
        'Run by Hand': { main: [[{ node: 'Rungs', type: 'main', index: 0 }]] },
        Rungs: { main: [[{ node: 'Each Rung', type: 'main', index: 0 }]] },
        'Each Rung': { main: [[{ node: 'Place Order', type: 'main', index: 0 }]] },
      },
    },
    credential,
  );
}

/** Workflow that an order's fill starts, and its completion once more. */
export function watchWorkflow(credential) {
  return withCredential(
    {
      name: 'Fills and completions',
      nodes: [
        {
          id: '1',
          name: 'Order Events',
          type: 'n8n-nodes-brokerage.brokerageTrigger',
          typeVersion: 1,
          position: [0, 0],
          parameters: { watch: 'orders', events: ['fill', 'executed'], options: { compareEvery: 5 } },
        },
        { id: '2', name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [220, 0], parameters: {} },
      ],
      connections: { 'Order Events': { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
    },
    credential,
  );
}

/**
 * Rests the orders.
 * @returns {Promise<{execution: object, orderIds: string[], fill(upTo: number): Promise<void>}>} `fill` lets the price fall until so many
 * are filled
 */
export async function placeLadder({ n8n, sandbox, credential, rungs }) {
  const { refId, last, previousClose } = await priceOf(sandbox);
  const room = (last - previousClose * MIN_SHARE) / (FIRST + rungs);
  const apart = Math.min(WIDEST, Math.floor(room / 20) * 20);
  const top = Math.floor(last / 100) * 100 - FIRST * apart;
  const prices = Array.from({ length: rungs }, (_, rung) => top - rung * apart);
  const saved = await n8n.createWorkflow(
    ladderWorkflow(
      credential,
      prices.map((price) => price / 100),
    ),
  );
  const execution = await n8n.finished(await n8n.run(saved, 'Run by Hand'), 120_000);
  const orderIds = outputOf(execution, 'Place Order').map(({ order_id: id }) => id);
  return {
    execution,
    orderIds,
    fill: async (upTo) => {
      const isFilled = async () => (await tradesOf(sandbox, orderIds)).length >= upTo;
      await sandbox.child.until(async () => {
        if (await isFilled()) return true;
        // Below the rung, since offers are above the last price; again and again, since the price continues by itself.
        await sandbox.control('POST', 'market', { ref_id: refId, price: prices[upTo - 1] - apart / 2 });
        return await isFilled();
      }, 60_000);
    },
  };
}

/**
 * Places one order that takes what is offered up to 2 % above the last price.
 * @returns {Promise<{orderIds: string[], trades(isDone: (state: {filled: number}) => boolean): Promise<object[]>}>}
 */
export async function placeAtOnce({ n8n, sandbox, credential, quantity }) {
  const { last } = await priceOf(sandbox);
  const saved = await n8n.createWorkflow(ladderWorkflow(credential, [Math.ceil((last / 100) * 1.02)], quantity));
  const execution = await n8n.finished(await n8n.run(saved, 'Run by Hand'), 120_000);
  assert.equal(execution.status, 'success', errorOf(execution));
  const orderIds = outputOf(execution, 'Place Order').map(({ order_id: id }) => id);
  return {
    orderIds,
    trades: async (isDone) =>
      await sandbox.child.until(async () => {
        const trades = await tradesOf(sandbox, orderIds);
        return isDone({ filled: trades.reduce((sum, trade) => sum + trade.quantity, 0) }) ? trades : undefined;
      }, 60_000),
  };
}

export async function priceOf(sandbox) {
  const { ref_id: refId } = (await sandbox.control('GET', `page/instruments?q=${SYMBOL}`)).find(
    ({ symbol, label }) => symbol === SYMBOL && label.startsWith('NSE'),
  );
  const { last_price: last, previous_close: previousClose } = await sandbox.control(
    'GET',
    `page/market?ref_id=${refId}&phone=${ACCOUNT.phone}`,
  );
  return { refId, last, previousClose };
}

/** The trades of the orders as the sandbox's journal has them. */
async function tradesOf(sandbox, orderIds) {
  return (await sandbox.journal('trade')).filter(({ order_id: id }) => orderIds.includes(id));
}

/** One line for each event that the journal makes due: the fill of each trade, and the end of each order. */
function dueEvents(trades) {
  const ends = new Set(trades.map(({ order_id: id }) => `${id} executed`));
  return [
    ...trades.map(({ order_id: id, quantity, price }) => `${id} fill ${quantity} at ${price / 100}`),
    ...ends,
  ].sort();
}

/** The same lines, from the executions of the watching workflow, and those that did not succeed. */
async function givenEvents(n8n, executions) {
  const events = [];
  const failed = [];
  for (const { id, status } of executions) {
    if (status !== 'success') {
      failed.push(`${id}: ${status}`);
      continue;
    }
    for (const { event, order_id: order, trade_qty: quantity, trade_price: price } of outputOf(
      await n8n.execution(id),
      'Order Events',
    )) {
      events.push(event === 'fill' ? `${order} fill ${quantity} at ${price}` : `${order} ${event}`);
    }
  }
  return { events: events.sort(), failed };
}

/**
 * Waits until as many runs have ended as are due, then compares what they were given with the journal, one by one.
 * `filled`: how many trades there must be at least; every order that traded is filled.
 */
export async function sameAsJournal({ n8n, sandbox, ladder, watch, filled }) {
  const ended = async () => (await n8n.executions(watch.id)).filter(({ status }) => ENDED.includes(status));
  const due = async () => dueEvents(await tradesOf(sandbox, ladder.orderIds));
  // Where too few come, the comparison below tells which are missing.
  await n8n.child.until(async () => (await ended()).length >= (await due()).length, 120_000).catch(() => undefined);
  const trades = await tradesOf(sandbox, ladder.orderIds);
  assert.ok(trades.length >= filled);
  const executions = await n8n.executions(watch.id);
  assert.ok(executions.length < 100, 'one page of executions holds them all');
  const { events, failed } = await givenEvents(n8n, executions);
  assert.deepEqual(failed, []);
  assert.deepEqual(events, dueEvents(trades));
}
