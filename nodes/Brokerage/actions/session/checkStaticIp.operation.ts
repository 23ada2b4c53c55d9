import { checkStaticIp as askStaticIp } from '../../../../client/session/account';
import type { ItemOperation } from '../../common/operation';

export const checkStaticIp: ItemOperation = {
  name: 'Check Static IP',
  action: 'Check the static IP address',
  description: "Check whether this machine's IP address is registered with your broker, as trading may require",
  properties: [],
  async execute(item) {
    const { transport, connection } = await item.service();
    return [item.output({ ...(await askStaticIp(transport, item.run.signal)), environment: connection.environment })];
  },
};
