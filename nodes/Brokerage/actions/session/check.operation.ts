import { isSessionAlive } from '../../../../client/session/account';
import { readState } from '../../../../client/session/settings';
import { tokenExpiry } from '../../../../client/session/token';
import { toIst } from '../../../../client/values/time';
import { placements } from '../../../shared/placements';
import type { ItemContext } from '../../common/itemContext';
import type { ItemOperation } from '../../common/operation';

/** Returns the tags that the service changed. A user who runs it by hand has seen them: orders with a key are allowed again. */
function changedTags({ run }: ItemContext): object {
  if (run.functions.getMode() !== 'manual') return {};
  const changed = placements.takeChangedTags();
  return changed.length === 0 ? {} : { changed_tags: changed };
}

export const check: ItemOperation = {
  name: 'Check',
  action: 'Check the session',
  description: 'Check whether the session is valid, and until when. It never logs in.',
  properties: [],
  async execute(item) {
    const { transport, connection, credential } = await item.service();
    const { sessionToken } = readState(credential);
    const alive = sessionToken !== '' && (await isSessionAlive(transport, item.run.signal));
    const expiry = alive ? tokenExpiry(sessionToken) : undefined;
    return [
      item.output({
        alive,
        expires_at: expiry === undefined ? null : toIst(expiry),
        environment: connection.environment,
        ...changedTags(item),
      }),
    ];
  },
};
