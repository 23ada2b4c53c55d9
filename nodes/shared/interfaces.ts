import { KnownOrderApis } from '../../client/orders/account/account-api';

/** Order interface of each account: one for all nodes and executions of this process. */
export const knownInterfaces = new KnownOrderApis();
