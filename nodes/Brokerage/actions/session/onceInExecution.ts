/** What may be sent once only, although n8n's Retry On Fail runs a failed node again, with all its items, without telling it. */
import type { ItemContext } from '../itemContext';

/** Why it failed, by execution, node and run; the oldest leave first. */
const failures = new Map<string, unknown>();
const KEPT = 500;

/**
 * Does the work; where it failed before in the same run of the node, for another item or in an earlier try, that error is
 * thrown again and nothing is sent.
 */
export async function onceInExecution<T>(item: ItemContext, work: () => Promise<T>): Promise<T> {
  const { functions } = item.run;
  const key = JSON.stringify([functions.getExecutionId() ?? item.run.id, functions.getNode().id, functions.getWorkflowDataProxy(item.index).$runIndex]);
  if (failures.has(key)) throw failures.get(key);
  try {
    return await work();
  } catch (error) {
    for (const oldest of failures.keys()) {
      if (failures.size < KEPT) break;
      failures.delete(oldest);
    }
    failures.set(key, error);
    throw error;
  }
}
