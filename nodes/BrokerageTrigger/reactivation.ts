/**
 * Workflows that n8n activates again on its own because a trigger of theirs has failed. n8n says of it what it says of the
 * first activation; but it is no person who publishes the workflow, and what happened meanwhile counts.
 */
import { clock } from '../host/clock';

interface Retried {
  /** When a trigger failed last, or could not be started again, milliseconds since the epoch. */
  failedAt: number;
  /** The longest that n8n has waited so far before it tried again. */
  waitedMs: number;
}

const retried = new Map<string, Retried>();
/** n8n waits twice as long before each attempt; who comes much later is a person. */
const SLACK_MS = 60_000;

/** A trigger of the workflow has failed, and n8n will try again. */
export function failed(workflowId: string): void {
  retried.set(workflowId, { failedAt: clock.now(), waitedMs: retried.get(workflowId)?.waitedMs ?? 0 });
}

/** Whether an activation that begins now is n8n's own. */
export function isRetry(workflowId: string): boolean {
  const last = retried.get(workflowId);
  if (last === undefined) return false;
  const waitedMs = clock.now() - last.failedAt;
  if (waitedMs > 2 * last.waitedMs + SLACK_MS) {
    retried.delete(workflowId);
    return false;
  }
  last.waitedMs = Math.max(last.waitedMs, waitedMs);
  return true;
}

/** A trigger that began at an instant was ended: unless one of the workflow has failed since, a person has ended it. */
export function ended(workflowId: string, beganAt: number): void {
  if ((retried.get(workflowId)?.failedAt ?? 0) < beganAt) retried.delete(workflowId);
}
