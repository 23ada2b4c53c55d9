import { openAccountApi, orderInterfaceOf, type AccountApi } from '../../client/orders/account/account-api';
import { tradingScope } from '../../client/orders/model/tags';
import { knownInterfaces } from './interfaces';
import type { Service } from './service';

/**
 * The order interface of the credential's account.
 * @throws InputError if the credential names none that there is.
 */
export function accountOf({ credential, transport }: Pick<Service, 'credential' | 'transport'>): AccountApi {
  return openAccountApi(transport, {
    choice: orderInterfaceOf(credential),
    known: knownInterfaces,
    scope: tradingScope(credential),
  });
}
