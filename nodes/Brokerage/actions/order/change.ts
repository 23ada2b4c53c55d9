/** What cancelling and modifying share. */
import type { ChangeResult } from '../../../../client/orders/change';
import { readGuards } from '../../../../client/orders/guard-settings';
import { requireOrdersAllowed } from '../../../../client/orders/guards';
import { shown, type ServiceRequest } from '../../../../client/orders/order-interface';
import type { JsonObject } from '../../../../client/values/json';
import type { ItemContext } from '../../common/itemContext';
import type { Service } from '../../common/runContext';
import { orderOutput, type OutputOptions } from './output';

/** How long the person wants to follow the change, milliseconds. @param unsaidSeconds where nothing is said. */
export function waitMsOf(item: ItemContext, unsaidSeconds = 10): number {
  return (item.group('options').optionalWhole('waitSeconds', { min: 0, max: 300 }) ?? unsaidSeconds) * 1_000;
}

/** @throws InputError when the credential does not allow orders on its environment. */
export function requireAllowed({ connection, credential }: Service): void {
  requireOrdersAllowed(connection.environment, readGuards(credential));
}

/**
 * What a cancellation would send, where the credential's Dry Run is on; undefined where it is off, and then orders are
 * allowed.
 * @param write makes the request; undefined where nothing would be sent, as the order has ended.
 * @throws InputError when the credential does not allow orders on its environment.
 */
export async function cancelRehearsal(
  service: Service,
  write: () => Promise<ServiceRequest | undefined>,
): Promise<object | undefined> {
  if (readGuards(service.credential).dryRun) {
    const request = await write();
    const would = request === undefined ? null : shown(request);
    return { dry_run: true, would_send: would, environment: service.connection.environment };
  }
  requireAllowed(service);
  return undefined;
}

/** A change as an output item. @throws the error of one that was refused, came too late, or of which nobody can tell. */
export function changeOutput(change: ChangeResult, options: OutputOptions): JsonObject {
  if (change.error !== undefined) throw change.error;
  const order = change.order === undefined ? {} : orderOutput(change.order, options);
  return { ...order, order_id: change.orderId, result: change.result, environment: options.environment };
}
