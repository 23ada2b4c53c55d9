/** Rounds of alerts in a real n8n that dies or whose clock is set: what was placed for each, and what its tries said. */
import assert from 'node:assert/strict';
import { errorOf, outputOf } from '../../scripts/n8n.mjs';
import { brokerageNode, chain, marketOrder, webhookNode } from './workflows.mjs';

/** The words of a step that does not know whether it has placed its order. */
const UNKNOWN = /not known|unknown/i;
const STEPS = ['First', 'Second'];

/** A whole number from 0 to below `count`, of the test's own chance: rounds that differ are the sense of it. */
export const below = (count) => Math.floor(Math.random() * count);
export const among = (list) => list[below(list.length)];
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const tagOf = (step) => `={{ 'r' + $('Webhook').first().json.body.round + '${step}' }}`;

/** Two orders for each alert, the second one waited for; its tags name the round and the step. */
export const twoOrders = (path, credential) =>
  chain(
    path,
    [
      webhookNode(path, { httpMethod: 'POST' }),
      ...STEPS.map((name) =>
        brokerageNode(name, {
          ...marketOrder,
          options: { tag: tagOf(name), ...(name === 'Second' ? { waitFor: 'filled', waitSeconds: 10 } : {}) },
        }),
      ),
    ],
    credential,
  );

/** One order with an Idempotency Key for each alert, which its delivery waits for. */
export const keyedOrder = (path, credential) =>
  chain(
    path,
    [
      webhookNode(path),
      brokerageNode('Place', {
        ...marketOrder,
        options: { idempotencyKey: '={{ $json.body.round }}', tag: tagOf('Key') },
      }),
    ],
    credential,
  );

/** Some replies to orders come late, and some never. */
export async function spoilReplies(sandbox) {
  const match = { method: 'POST', path: '/orders/v2/single' };
  await sandbox.control('POST', 'faults', { match, action: 'drop_after', probability: 0.15 });
  await sandbox.control('POST', 'faults', { match, action: 'delay', args: { ms: 700 }, probability: 0.6 });
}

/** Waits until n8n takes deliveries for a path of a workflow. */
export const listening = async (n8n, path) =>
  await n8n.child.until(
    async () => (await (await fetch(`${n8n.url}/webhook/${path}`)).text()).includes('POST'),
    60_000,
  );

/** Presses *Retry* one to three times, of the first try or of a retry, one after the other or all at once. @returns all tries */
export async function retried(n8n, first, workflow) {
  const press = async ({ id }) => {
    const started = await n8n.request('POST', `/executions/${id}/retry`, { loadWorkflow: below(2) === 0 });
    return await n8n.finished(started.id ?? (await n8n.executions(workflow.id))[0].id, 240_000);
  };
  const count = 1 + below(3);
  if (below(2) === 0) return [first, ...(await Promise.all(Array.from({ length: count }, async () => press(first))))];
  const tries = [first];
  for (let number = 0; number < count; number++) {
    const failed = tries.filter(({ status }) => status !== 'success');
    tries.push(await press(among(failed)));
  }
  return tries;
}

/** The tally of rounds: each of its orders is in the journal once, and no try says that one is there, or is not, that is otherwise. */
export class Tally {
  rounds = 0;
  tries = 0;
  doubled = [];
  lost = [];
  misreported = [];
  unknown = 0;

  /** @param journal of the orders of the sandbox @param tries the executions of one round, finished */
  judge(round, journal, tries) {
    this.rounds += 1;
    this.tries += tries.length;
    for (const step of STEPS) {
      const placed = this.placed(round, step, journal);
      if (placed.length > 1) this.doubled.push(`${round} ${step}: ${placed.join(' ')}`);
      // What n8n puts in the place of an output that it has lost has no id.
      for (const { order_id: id } of tries.flatMap((execution) => outputOf(execution, step)))
        if (id !== undefined && !placed.includes(id)) this.lost.push(`${round} ${step}: ${id}`);
      for (const execution of tries) {
        const error = errorOf(execution);
        const isHere = execution.data?.resultData?.lastNodeExecuted === step;
        if (error === undefined || !isHere || execution.status === 'crashed') continue;
        if (UNKNOWN.test(error)) this.unknown += 1;
        else if (placed.length > 0) this.misreported.push(`${round} ${step}: ${error}`);
      }
      const isDone = tries.some(({ status }) => status === 'success');
      if (isDone && placed.length === 0) this.lost.push(`${round} ${step}: none`);
    }
  }

  /** A round of one key. @param orderIds what its deliveries were answered with */
  judgeKey(round, journal, orderIds) {
    const placed = this.placed(round, 'Key', journal);
    this.rounds += 1;
    this.tries += orderIds.length;
    if (placed.length > 1) this.doubled.push(`${round} Key: ${placed.join(' ')}`);
    for (const id of orderIds) if (!placed.includes(id)) this.lost.push(`${round} Key: ${id}`);
  }

  placed(round, step, journal) {
    const mine = journal.filter(({ event, tag }) => event === 'received' && tag?.startsWith(`r${round}${step}-`));
    return mine.map(({ order_id: id }) => id);
  }

  /** Tells what there was, and fails where one was doubled, lost, or called failed though it is there. */
  end(title) {
    const { rounds, tries, doubled, lost, misreported, unknown } = this;
    console.log(
      `${title}: ${rounds} rounds, ${tries} tries, ${doubled.length} doubled, ${lost.length} lost, ${misreported.length} called failed that are there, ${unknown} unknown`,
    );
    assert.deepEqual({ doubled, lost, misreported }, { doubled: [], lost: [], misreported: [] });
  }
}
