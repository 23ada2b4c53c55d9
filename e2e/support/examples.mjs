/** A world in which example workflows are imported and run by hand. */
import assert from 'node:assert/strict';
import { errorOf, outputOf } from '../../scripts/n8n.mjs';
import { byHand, brokerageNode, chain, marketOrder } from './workflows.mjs';
import { example, openWorld } from './world.mjs';

/**
 * Opens a world with the broker's credential in it.
 * @param {Parameters<typeof openWorld>[0]} options
 * @param {Record<string, {name: string, data: object}>} others credentials of other types, by the type of node that needs them
 */
export async function openExamples(options, others = {}) {
  const world = await openWorld(options);
  const { n8n, sandbox } = world;
  const credential = await n8n.saveCredential('Brokerage Sandbox', 'brokerageApi', world.credentialData());
  const taken = {};
  for (const [type, { name, credentialType, data }] of Object.entries(others))
    taken[type] = await n8n.saveCredential(name, credentialType, data);

  /** Runs a workflow by hand from its trigger. @returns {Promise<object>} the execution, which has succeeded */
  async function run(workflow, trigger) {
    const ran = await n8n.finished(await n8n.run(workflow, trigger));
    assert.equal(ran.status, 'success', errorOf(ran));
    return ran;
  }

  /** Places an order of one share of INFY, or another, and returns its record when it has filled. */
  async function bought(parameters) {
    const place = brokerageNode('Place Order', { ...marketOrder, ...parameters });
    const wait = brokerageNode('Wait', {
      resource: 'order',
      operation: 'waitForStatus',
      orderId: '={{ $json.order_id }}',
      waitFor: 'filled',
      deadlineSeconds: 30,
      options: { whenMissed: 'error' },
    });
    const workflow = await n8n.createWorkflow(chain('Buy', [byHand(), place, wait], credential));
    return outputOf(await run(workflow, 'Run by Hand'), 'Wait')[0];
  }

  return {
    ...world,
    credential,
    run,
    bought,
    imported: async (file, edit = (workflow) => workflow) =>
      await n8n.createWorkflow(edit(example(file, credential, taken))),
    /** The orders that the exchange has received under a tag of the person's own. */
    receivedAs: async (tag) =>
      (await sandbox.journal('order')).filter((entry) => entry.event === 'received' && entry.tag.startsWith(tag)),
    /** The next execution of a published workflow after those that are known, once it has ended. */
    next: async (workflow, known = 0) => {
      const id = await n8n.child.until(async () => {
        const list = await n8n.executions(workflow.id);
        return list.length > known ? list[0].id : undefined;
      }, 60_000);
      return await n8n.finished(id);
    },
  };
}

/** A workflow with the value set on the right of a condition of one of its IF steps. */
export function withAnswer(workflow, step, condition, value) {
  const copy = structuredClone(workflow);
  const { conditions } = copy.nodes.find(({ name }) => name === step).parameters.conditions;
  conditions.find(({ id }) => id === condition).rightValue = value;
  return copy;
}
