/** Shared parts of cancelling and modifying. */
import type { INodeProperties } from 'n8n-workflow';
import type { ChangeResult } from '../../../client/orders/changing/change-order';
import { isDryRun, readGuards, type Guards } from '../../../client/orders/model/guard-settings';
import { requireOrdersAllowed } from '../../../client/orders/guards/guards';
import { requestOutput, type ServiceRequest } from '../../../client/orders/api/order-api';
import type { PlacementContext } from '../../../client/orders/account/placement-context';
import type { JsonObject } from '../../../client/values/json';
import { collection, priceUnitField } from '../../shared/fields';
import type { ItemContext } from '../common/itemContext';
import { waitSecondsField } from './orderFields';
import { orderOutput, outputOptions, type OutputOptions } from './orderOutput';
import { placementContext } from './placement';
import { roundToTickField } from './priceFields';
import { guardsOf, safetyField } from './safetyLimits';
import type { Service } from '../../shared/service';

/** The fields below what is modified. */
export const changeFields: INodeProperties[] = [
  collection('Options', 'options', [priceUnitField, roundToTickField, waitSecondsField]),
  safetyField,
];

/** Returns the time for which to follow the change, milliseconds. @param unsaidSeconds the default. */
export function waitMsOf(item: ItemContext, unsaidSeconds = 10): number {
  return (item.group('options').optionalWhole('waitSeconds', { min: 0, max: 300 }) ?? unsaidSeconds) * 1_000;
}

/** @throws InputError if the credential does not allow orders on its environment. */
export function requireAllowed({ connection, credential }: Service): void {
  requireOrdersAllowed(connection.environment, readGuards(credential));
}

/** Inputs of modifying beside the order or the basket. */
export interface ChangeContext {
  service: Service;
  context: PlacementContext;
  output: OutputOptions;
  guards: Guards[];
  /** Time for which the change is followed, milliseconds. */
  waitMs: number;
}

/**
 * Reads what is said around a modification, before anything is asked of the service.
 * @throws InputError for a bad option, and when the credential does not allow orders on its environment and this is no dry run.
 */
export async function changeContext(item: ItemContext): Promise<ChangeContext> {
  const waitMs = waitMsOf(item);
  const output = await outputOptions(item);
  const service = await item.service();
  const guards = guardsOf(item, service);
  if (!isDryRun(guards)) requireAllowed(service);
  return { service, context: await placementContext(item.run), output, guards, waitMs };
}

/**
 * Returns the request of a cancellation if the credential's Dry Run is on; undefined if it is off, and then orders are allowed.
 * @param write makes the request; undefined if nothing would be sent, because the order has ended.
 * @throws InputError if the credential does not allow orders on its environment.
 */
export async function dryRunCancel(
  service: Service,
  write: () => Promise<ServiceRequest | undefined>,
): Promise<object | undefined> {
  if (readGuards(service.credential).dryRun) {
    const request = await write();
    const would = request === undefined ? null : requestOutput(request);
    return { dry_run: true, would_send: would, environment: service.connection.environment };
  }
  requireAllowed(service);
  return undefined;
}

/** Returns a change as an output item. @throws the error of one that was refused, came too late, or has an unknown outcome. */
export function changeOutput(change: ChangeResult, options: OutputOptions): JsonObject {
  if (change.error !== undefined) throw change.error;
  const order = change.order === undefined ? {} : orderOutput(change.order, options);
  return {
    ...order,
    ...summaryOf(order, change.result),
    ...{ order_id: change.orderId, result: change.result, environment: options.environment },
  };
}

/** Returns the summary of an order or a basket after a change, which says where the change is not seen in it. */
export function summaryOf({ summary }: JsonObject, result: string): { summary?: string } {
  return result === 'requested' && typeof summary === 'string' ? { summary: `${summary} ${NOT_SEEN}` } : {};
}

const NOT_SEEN = 'This does not show what was requested: it may take longer, or the exchange has refused it.';
