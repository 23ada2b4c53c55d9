/** Closes a held quantity once an exit of it was reached: by the one closing flow, position and holding together. */
import { closePositions } from '../closing/close-positions';
import type { ClosingResult, CloseRequest, ClosingGoal } from '../closing/closing-request';
import type { ClosingContext } from '../closing/reconcile-position';
import type { TradedInstrument } from '../orders/model/order-terms';
import { tagFrom } from '../orders/model/tags';
import type { HeldQuantity } from '../closing/held';

/** Maximum time to wait for the end of each order, milliseconds. */
const WAIT_MS = 10_000;
/** An exit is not held back by a limit on its size; whether it may be sent at all is asked before. */
export const NO_GUARDS = { allowLiveOrders: true, dryRun: false, marketHoursOnly: false };

/** Returns the position to reach in the end, so that the holding beside it is sold too; undefined if the position is closed alone. */
export function goalOf({ position, holding }: HeldQuantity): ClosingGoal | undefined {
  if (holding === 0) return undefined;
  return { units: Math.min(position.net, 0) - holding, countsOpen: false };
}

/** Closing of one held quantity. */
export interface HeldClosing {
  held: HeldQuantity;
  /** Result of `goalOf` at the first try of the day: later sales count. */
  goal: ClosingGoal | undefined;
  instrument: TradedInstrument;
}

/**
 * Tries once to close held quantities at the market, one after the other. Cancels open orders on them first.
 * @param key identifies this try: the same in every process and after a restart, so that none is sent twice.
 * @returns the results in order; `left` is the remaining quantity.
 * @throws any error of the first read of the orders.
 */
export async function closeHeld(
  closings: readonly HeldClosing[],
  key: string,
  context: ClosingContext,
): Promise<ClosingResult[]> {
  const requests = closings.map(({ held: { position }, goal, instrument }): CloseRequest => ({
    position,
    instrument,
    ...(goal === undefined ? {} : { goal }),
    request: (terms, part) => ({
      terms,
      tag: tagFrom('exit', { kind: 'key', key, part }, context.scope),
      keyed: false,
      isRepeat: true,
      guards: [NO_GUARDS],
      unit: 'rupees',
    }),
    placed: () => undefined,
  }));
  return await closePositions(requests, WAIT_MS, context);
}
