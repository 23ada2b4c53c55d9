import { logOut as endSession } from '../../../../client/session/account';
import { readState } from '../../../../client/session/settings';
import type { ItemOperation } from '../../common/operation';

export const logOut: ItemOperation = {
  name: 'Log Out',
  notForAgents: true,
  action: 'Log out',
  description: 'End the session. The next operation that needs a session logs in again, if the login method allows it.',
  properties: [],
  async execute(item) {
    const { transport, connection, credential } = await item.service();
    const hadSession = readState(credential).sessionToken !== '' && (await endSession(transport, item.run.signal));
    return [item.output({ logged_out: true, had_session: hadSession, environment: connection.environment })];
  },
};
