import { disableTotp } from '../../../../client/session/account';
import { readMpin } from '../../../../client/session/settings';
import type { ItemOperation } from '../../common/operation';
import { onceInExecution } from './onceInExecution';

export const totpDisable: ItemOperation = {
  name: 'TOTP: Disable',
  notForAgents: true,
  action: 'Disable TOTP',
  description:
    'Switch TOTP off, with the MPIN of the credential. A credential that logs in by TOTP can then no longer log in.',
  properties: [],
  async execute(item) {
    const service = await item.service();
    const message = await onceInExecution(
      item,
      async () => await disableTotp(service.transport, readMpin(service.credential), item.run.signal),
    );
    return [item.output({ totp_enabled: false, message, environment: service.connection.environment })];
  },
};
