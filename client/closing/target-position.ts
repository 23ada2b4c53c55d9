/** Brings a position to a target: buys or sells the missing units, open orders counted. Never past the target, never twice. */
import { InputError } from '../base/errors';
import { closePositions } from './close-positions';
import { openUnits } from './open-orders';
import { heldPositions, positionKey, unclearNet } from './positions';
import { notReconciled, type ClosingContext } from './reconcile-position';
import { readPositions } from './shown-positions';
import { whyPositionUnclear } from './traded-quantity';
import { dryRunOrder } from './dry-run';
import { asClosingRequest, type ClosingResult, type CloseRequest, type ClosingGoal } from './closing-request';

/** A position with a target. */
export type TargetRequest = CloseRequest & { goal: ClosingGoal };

/**
 * Checks a target.
 * @throws InputError (parameter `target`) for a target that no order can reach: a short position in delivery shares, and a quantity that is
 * no multiple of the lot.
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
 * Brings a position to its target. Two simultaneous executions do it one after the other, over all processes of an n8n.
 * @param waitMs milliseconds to wait for the end of each order.
 * @returns the result; `left` is the excess (above 0) or the shortfall (below 0).
 * @throws as `closePositions`; InputError as `checkTarget`; NetworkError if the lock is unavailable: nothing was sent.
 */
export async function setTarget(
  request: TargetRequest,
  waitMs: number,
  context: ClosingContext,
): Promise<ClosingResult> {
  checkTarget(request);
  return (await closePositions([request], waitMs, context))[0]!;
}

/**
 * Returns what setting the target would do while a guard says Dry Run: nothing is sent.
 * @throws any error of the reads; InputError as `checkTarget`.
 */
export async function dryRunTarget(request: TargetRequest, context: ClosingContext): Promise<ClosingResult> {
  checkTarget(request);
  const { position, goal } = request;
  const orders = await context.orders.list(context.signal, 'marked');
  const shown = heldPositions(await readPositions(context)).find(
    (heldPosition) => positionKey(heldPosition) === positionKey(position),
  );
  const held = shown === undefined ? 0 : shown.net;
  const open = goal.countsOpen ? openUnits(orders, position) : { units: 0 };
  const made: ClosingResult = { request, cancelled: [], baskets: [], orders: [], closed: 0, left: undefined };
  const whyUnclear = whyPositionUnclear(orders, position);
  if (whyUnclear !== undefined) return { ...made, error: notReconciled(position, whyUnclear) };
  if (held === undefined) return { ...made, error: notReconciled(position, unclearNet(shown ?? {})) };
  if (open.why !== undefined) return { ...made, error: notReconciled(position, open.why) };
  const left = held + open.units - goal.units;
  const common = { ...made, left, before: { held, open: open.units } };
  if (left === 0) return common;
  return { ...common, ...(await dryRunOrder(asClosingRequest(request, left, held), left, context)) };
}
