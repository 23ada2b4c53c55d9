/** Former findings of attacks on orders, in a real n8n that is driven by its API: evaded limits, and lost replies. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { errorOf, outputOf } from '../scripts/n8n.mjs';
import { TIMEOUT_MS } from './support/limits.mjs';
import { brokerageNode, byHand, chain, lastPrice, madeItems, marketOrder } from './support/workflows.mjs';
import { openWorld } from './support/world.mjs';

const PLACING = { method: 'POST', path: '/orders/v2/*' };
const LISTING = { method: 'GET', path: '/orders' };

describe('Orders under attack, in a real n8n', { timeout: TIMEOUT_MS }, () => {
  let world;
  let credential;
  /** Rupees. */
  let last;

  before(
    async () => {
      world = await openWorld();
      credential = await world.n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
      last = await lastPrice(world.sandbox);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => await world?.close());
  afterEach(async () => await world.sandbox.control('DELETE', 'faults'));

  const tagsReceived = async () =>
    (await world.sandbox.journal('order')).filter(({ event }) => event === 'received').map(({ tag }) => tag);

  /** Starts a workflow by hand that feeds so many items into an order node. */
  async function started(name, parameters, items = 1) {
    const nodes = [byHand(), madeItems(items), brokerageNode('Order', { ...marketOrder, ...parameters })];
    const workflow = await world.n8n.createWorkflow(chain(name, nodes, credential));
    return { workflow, id: await world.n8n.run(workflow, 'Run by Hand') };
  }

  const ran = async (...workflow) => await world.n8n.finished((await started(...workflow)).id, 120_000);

  /** Starts a workflow whose orders arrive, though no reply comes back and then no list can be read; the faults stay. */
  async function startedWithoutAnswers(name, parameters, items) {
    const before = (await tagsReceived()).length;
    await world.sandbox.control('POST', 'faults', { match: PLACING, action: 'drop_after', times: 1 });
    const run = await started(name, parameters, items);
    // The first look for a lost order comes 0.7 s after it: no longer pause between two polls.
    while ((await tagsReceived()).length < before + items) await new Promise((resolve) => setTimeout(resolve, 10));
    await world.sandbox.control('POST', 'faults', { match: LISTING, action: 'status', args: { status: 503 } });
    return run;
  }

  it('a value limit counts a sale at the last price, however low its limit is', async () => {
    const before = await tagsReceived();
    const price = Math.floor(last * 0.97);
    const limited = { priceType: 'LIMIT', price, quantity: 15, safety: { maxOrderValue: price * 15 } };
    const sale = await ran('A sale', { ...limited, side: 'SELL' });
    assert.match(errorOf(sale) ?? '', /Refused by the guard "Largest Order Value"/);
    assert.deepEqual(await tagsReceived(), before);
    const purchase = await ran('A purchase', { ...limited, side: 'BUY' });
    assert.equal(purchase.status, 'success', errorOf(purchase));
    assert.equal((await tagsReceived()).length, before.length + 1);
  });

  it('limits and options that are no set of fields place nothing, whatever n8n makes of them', async () => {
    const before = await tagsReceived();
    for (const shape of [
      '={{ { dryRun: true } }}',
      '={{ $json.limits }}',
      'dryRun',
      1,
      true,
      [{ dryRun: true }],
      { DryRun: true },
    ])
      for (const name of ['safety', 'options']) {
        const execution = await ran(`${name} as ${JSON.stringify(shape)}`, { [name]: shape });
        assert.match(errorOf(execution) ?? 'no error', /must be set field by field|has no field "DryRun"/);
      }
    const dry = await ran('A dry run', { safety: { dryRun: true } });
    assert.equal(outputOf(dry, 'Order')[0].dry_run, true);
    assert.deepEqual(await tagsReceived(), before);
  });

  it('the reply to Place Many lost and no list to be read: every tag is named', async () => {
    const before = await tagsReceived();
    // As many as one request may hold: Orders per Second.
    const { id } = await startedWithoutAnswers('Place Many', { operation: 'placeMany' }, 8);
    const error = errorOf(await world.n8n.finished(id, 120_000));
    const tags = (await tagsReceived()).slice(before.length);
    assert.equal(new Set(tags).size, 8);
    assert.match(error, /not known whether/);
    for (const tag of tags) assert.ok(error.includes(tag), `${tag} is not named: ${error}`);
  });

  it('Retry in the list of executions while no list can be read: unknown, and nothing is sent', async () => {
    const before = await tagsReceived();
    const { workflow, id } = await startedWithoutAnswers('Retry', {}, 1);
    assert.match(errorOf(await world.n8n.finished(id, 120_000)), /not known whether/);
    await world.n8n.request('POST', `/executions/${id}/retry`, { loadWorkflow: false });
    const [{ id: retry }] = await world.n8n.executions(workflow.id);
    assert.notEqual(retry, id);
    const error = errorOf(await world.n8n.finished(retry, 120_000));
    assert.match(error, /not known whether/);
    assert.doesNotMatch(error, /Nothing was placed/);
    assert.equal((await tagsReceived()).length, before.length + 1);
  });

  it('a stopped execution: what it placed before stands in its custom data, and what was under way too in the log', async () => {
    const before = await tagsReceived();
    const { n8n, sandbox } = world;
    // The fourth order is in progress while the execution is stopped.
    await sandbox.control('POST', 'faults', { match: PLACING, action: 'delay', args: { ms: 1 }, times: 3 });
    const [{ id: rule }] = await sandbox.control('POST', 'faults', {
      match: PLACING,
      action: 'delay',
      args: { ms: 3_000 },
      times: 1,
    });
    const { id } = await started('Stopped', {}, 8);
    await n8n.child.until(
      async () => (await sandbox.control('GET', 'faults')).find((one) => one.id === rule)?.used === 1,
      60_000,
    );
    await n8n.request('POST', `/executions/${id}/stop`);
    assert.equal((await n8n.finished(id)).status, 'canceled');
    const log = () => readFileSync(path.join(n8n.userFolder, 'n8n.log'), 'utf8');
    const placed = async () =>
      (await sandbox.journal('order')).filter(({ event }) => event === 'received').slice(before.length);
    // The reply to the fourth comes after n8n has stored the execution.
    await n8n.child.until(
      async () => (await placed()).length === 4 && (await placed()).every(({ tag }) => log().includes(tag)),
      30_000,
    );
    const kept = keptBy(n8n, id);
    for (const { order_id: orderId } of (await placed()).slice(0, 3))
      assert.ok(kept.includes(orderId), `${orderId} is not in the custom data`);
  });
});

/** Returns n8n's custom data of an execution's orders. */
function keptBy(n8n, executionId) {
  const database = new DatabaseSync(path.join(n8n.userFolder, '.n8n', 'database.sqlite'), { readOnly: true });
  try {
    const row = database
      .prepare("select value from execution_metadata where executionId = ? and key = 'brokerage_orders'")
      .get(Number(executionId));
    return String(row?.value ?? '');
  } finally {
    database.close();
  }
}
