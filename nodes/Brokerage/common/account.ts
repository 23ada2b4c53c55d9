import { accountInterface, orderInterfaceOf, type AccountInterface } from '../../../client/orders/interfaces/account';
import { tradingScope } from '../../../client/orders/tags';
import { knownInterfaces } from '../../shared/interfaces';
import type { Service } from './runContext';

/**
 * The order interface of the credential's account.
 * @throws InputError when the credential names none that there is.
 */
export function accountOf({ credential, transport }: Pick<Service, 'credential' | 'transport'>): AccountInterface {
  return accountInterface(transport, {
    choice: orderInterfaceOf(credential),
    known: knownInterfaces,
    scope: tradingScope(credential),
  });
}
