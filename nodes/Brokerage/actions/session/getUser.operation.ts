import { getUserInfo } from '../../../../client/session/account';
import { recordIn } from '../../../../client/values/record';
import { simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';

export const getUser: ItemOperation = {
  name: 'Get User',
  action: 'Get the user',
  description: 'Get the account that the credential logs in to, with its client code',
  properties: [simplifyField],
  async execute(item) {
    const { transport, connection } = await item.service();
    const user = await getUserInfo(transport, item.run.signal);
    if (!item.flag('simplify')) return [item.output({ ...user, environment: connection.environment })];
    return [
      item.output({
        client_code: user.client_code ?? null,
        version_status: recordIn(user, 'version_info')?.status ?? null,
        environment: connection.environment,
      }),
    ];
  },
};
