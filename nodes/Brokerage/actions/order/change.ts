/** What cancelling and modifying share. */
import type { Endpoint } from '../../../../client/endpoints';
import type { ChangeResult, WaitOptions } from '../../../../client/orders/change';
import { readGuards, requireOrdersAllowed } from '../../../../client/orders/guards';
import type { Environment } from '../../../../client/session/settings';
import type { JsonInput, JsonObject } from '../../../../client/values/json';
import type { MoneyUnit } from '../../../../client/values/money';
import type { ItemContext } from '../itemContext';
import type { Service } from '../runContext';
import { orderOutput } from './output';

/** How long the person wants to follow the change. */
export function waitOptionsOf(item: ItemContext): WaitOptions {
  const seconds = item.group('options').optionalWhole('waitSeconds', { min: 0, max: 300 }) ?? 10;
  return { waitMs: seconds * 1_000, signal: item.run.signal };
}

/** @throws InputError when the credential does not allow orders on its environment. */
export function requireAllowed({ connection, credential }: Service): void {
  requireOrdersAllowed(connection.environment, readGuards(credential));
}

/**
 * What a cancellation would send, where the credential's Dry Run is on; undefined where it is off, and then orders are
 * allowed.
 * @throws InputError when the credential does not allow orders on its environment.
 */
export function cancelRehearsal(
  service: Service,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  body?: JsonInput,
): object | undefined {
  if (readGuards(service.credential).dryRun) {
    return {
      dry_run: true,
      would_send: { method, path, ...(body === undefined ? {} : { body }) },
      environment: service.connection.environment,
    };
  }
  requireAllowed(service);
  return undefined;
}

/** A change as an output item. @throws the error of one that was refused, came too late, or of which nobody can tell. */
export function changeOutput(
  change: ChangeResult,
  options: { unit: MoneyUnit; simplify: boolean; environment: Environment },
): JsonObject {
  if (change.error !== undefined) throw change.error;
  const order = change.order === undefined ? {} : orderOutput(change.order, options);
  return { ...order, order_id: change.orderId, result: change.result, environment: options.environment };
}
