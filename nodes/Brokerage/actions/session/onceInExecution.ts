/** Actions that may happen only once, although n8n's Retry On Fail runs a failed node again, with all its items, without a hint. */
import type { ItemContext } from '../../common/itemContext';

/** Attempts without success, by execution, node and run; the oldest leave first. */
const attempts = new Map<string, Promise<string>>();
const KEPT = 500;

/**
 * Does the work; where it failed before in the same run of the node, for another item or in an earlier try, that error is
 * thrown again and nothing is sent.
 */
export async function onceInExecution(item: ItemContext, work: () => Promise<string>): Promise<string> {
  const { functions, node } = item.run;
  const runIndex: unknown = item.run.workflowData.$runIndex;
  const key = JSON.stringify([functions.getExecutionId() ?? item.run.id, node.id, runIndex]);
  const startedAttempt = attempts.get(key);
  if (startedAttempt !== undefined) return await startedAttempt;
  for (const oldest of attempts.keys()) {
    if (attempts.size < KEPT) break;
    attempts.delete(oldest);
  }
  const attempt = work();
  attempts.set(key, attempt);
  const result = await attempt;
  attempts.delete(key);
  return result;
}
