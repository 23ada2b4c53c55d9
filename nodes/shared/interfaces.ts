import { KnownOrderApis } from '../../client/orders/account/account-api';

/** Which order interface each account has: one for all nodes and executions of this process. */
export const knownInterfaces = new KnownOrderApis();
