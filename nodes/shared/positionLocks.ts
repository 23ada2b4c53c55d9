import type { IWorkflowMetadata } from 'n8n-workflow';
import { CredentialEntries } from '../../client/session/credential-entries';
import type { LockingStore } from '../../client/session/session-manager';
import { POSITION_LOCK, SharedLock } from '../../client/orders/account/shared-lock';
import { clock } from '../host/clock';
import { CREDENTIAL_TYPE, storeOf, type HttpContext } from '../host/http';

const locks = new Map<string, SharedLock>();
/** The credential of each lock, as the newest execution reads it. */
const stores = new Map<string, LockingStore>();

/**
 * The lock of the positions of a credential's account, one for the whole process: all workflows and workers of an n8n share its record.
 * @returns undefined for a workflow that n8n does not know, and for a node without a stored credential
 */
export function positionLockOf(context: HttpContext & { getWorkflow(): IWorkflowMetadata }): SharedLock | undefined {
  const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
  if (typeof id !== 'string' || context.getWorkflow().id === undefined) return undefined;
  stores.set(id, storeOf(context, new Set()));
  const cachedLock = locks.get(id);
  if (cachedLock !== undefined) return cachedLock;
  const entries = new CredentialEntries(() => stores.get(id)!, clock, Math.random);
  const lock = new SharedLock(entries, clock, Math.random, POSITION_LOCK);
  locks.set(id, lock);
  return lock;
}
