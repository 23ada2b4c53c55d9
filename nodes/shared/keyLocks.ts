import type { IExecuteFunctions } from 'n8n-workflow';
import type { SharedEntries } from '../../client/base/ports';
import { SharedLock } from '../../client/orders/account/shared-lock';
import { clock } from '../host/clock';

const locks = new Map<string, SharedLock>();

/** The record that n8n keeps for a node in its database: all workers of an n8n share it. */
function entriesOf({ helpers }: IExecuteFunctions): SharedEntries {
  const mode = { mode: 'entries' as const };
  return {
    add: async (entries) => (await helpers.checkProcessedAndRecord([...entries], 'node', mode)).new.map(String),
    count: async () => await helpers.getProcessedDataCount('node', mode),
    clear: async () => await helpers.clearAllProcessedItems('node', mode),
  };
}

/** The lock of a node's keyed orders, one for the whole process; undefined for a workflow that n8n does not know. */
export function keyLockOf(functions: IExecuteFunctions): SharedLock | undefined {
  const { id } = functions.getWorkflow();
  if (id === undefined) return undefined;
  const name = `${id} ${functions.getNode().id}`;
  const lock = locks.get(name) ?? new SharedLock(entriesOf(functions), clock, Math.random);
  locks.set(name, lock);
  return lock;
}
