/** Brings a position to a target: buys or sells what is missing, open orders counted. Never past the target, never twice. */
import { InputError } from '../base/errors';
import { closePositions } from './close-positions';
import { openUnits } from './open-orders';
import { heldPositions, keyOf } from './positions';
import { notReconciled, type ClosingContext } from './reconcile-position';
import { dryRunOrder } from './dry-run';
import type { Closed, CloseRequest, Goal } from './closing-request';

/** A position with a target. */
export type TargetRequest = CloseRequest & { goal: Goal };

/**
 * @throws InputError (parameter `target`) for a target that no order can reach: shares that are sold for delivery and not
 *   held, and what is no multiple of the lot.
 */
export function checkTarget({ goal, instrument, position: { product, segment } }: TargetRequest): void {
  const { symbol, lotSize } = instrument;
  if (segment === 'stock' && product === 'CNC' && goal.units < 0)
    throw new InputError(`A delivery position in ${symbol} cannot go below 0. Nothing was sent.`, {
      parameter: 'target',
      hint: 'Shares that you do not hold cannot be sold for delivery: choose the product Intraday, or a target of 0 or more.',
    });
  if (lotSize > 1 && goal.units % lotSize !== 0)
    throw new InputError(`Target Position ${goal.units} is not a multiple of the lot size ${lotSize} of ${symbol}.`, {
      parameter: 'target',
      hint: 'To count in lots, set Quantity In to Lots.',
    });
}

/**
 * Brings a position to its target. Two executions at once do it one after the other, over all processes of an n8n.
 * @param waitMs milliseconds to wait for the end of each order.
 * @returns what became of it; `left` is what is too much (above 0) or missing (below 0).
 * @throws as `closePositions`; InputError as `checkTarget`; NetworkError where the lock could not be had: nothing was sent.
 */
export async function setTarget(request: TargetRequest, waitMs: number, context: ClosingContext): Promise<Closed> {
  checkTarget(request);
  return (await closePositions([request], waitMs, context))[0]!;
}

/**
 * What setting the target would do, where a guard says Dry Run: nothing is sent.
 * @throws what the reads throw; InputError as `checkTarget`.
 */
export async function dryRunTarget(request: TargetRequest, context: ClosingContext): Promise<Closed> {
  checkTarget(request);
  const { position, goal } = request;
  const orders = await context.orders.list(context.signal);
  const shown = heldPositions(await context.positions(context.signal)).find(
    (heldPosition) => keyOf(heldPosition) === keyOf(position),
  );
  const held = shown === undefined ? 0 : shown.net;
  const open = goal.countsOpen ? openUnits(orders, position) : { units: 0 };
  const made: Closed = { request, cancelled: [], baskets: [], orders: [], closed: 0, left: undefined };
  if (held === undefined)
    return { ...made, error: notReconciled(position, 'the service does not say whether it was bought or sold') };
  if (open.why !== undefined) return { ...made, error: notReconciled(position, open.why) };
  const left = held + open.units - goal.units;
  const known = { ...made, left, before: { held, open: open.units } };
  if (left === 0) return known;
  return { ...known, ...(await dryRunOrder(request, left, context)) };
}
