/** Closes what is held once an exit of it was reached: by the one closing flow, position and holding together. */
import { closePositions } from '../closing/close-positions';
import type { Closed, CloseRequest, Goal } from '../closing/closing-request';
import type { ClosingContext } from '../closing/reconcile-position';
import type { TradedInstrument } from '../orders/model/order-terms';
import { tagFrom } from '../orders/model/tags';
import type { Held } from '../closing/held';

/** The end of each order is waited for so long, milliseconds. */
const WAIT_MS = 10_000;
/** An exit is not held back by a limit on its size; whether it may be sent at all is asked before. */
export const NO_LIMITS = { allowLiveOrders: true, dryRun: false, marketHoursOnly: false };

/** What is to be held of the position in the end, so that the holding beside it is sold too; undefined where it is closed alone. */
export function goalOf({ position, holding }: Held): Goal | undefined {
  if (holding === 0) return undefined;
  return { units: Math.min(position.net, 0) - holding, countsOpen: false };
}

/**
 * One try to close what is held, at the market. Open orders on it are cancelled first.
 * @param key stands for this try: the same in every process and after a restart, so that none is sent twice.
 * @param goal as `goalOf` gave it at the first try of the day: what was sold since counts.
 * @returns what became of it; `left` is what is still to be closed.
 * @throws what the first read of the orders throws.
 */
export async function closeHeld(
  { position }: Held,
  { key, goal, instrument }: { key: string; goal: Goal | undefined; instrument: TradedInstrument },
  context: ClosingContext,
): Promise<Closed> {
  const request: CloseRequest = {
    position,
    instrument,
    ...(goal === undefined ? {} : { goal }),
    request: (terms, part) => ({
      terms,
      tag: tagFrom('exit', { kind: 'key', key, part }, context.scope),
      keyed: false,
      isRepeat: true,
      guards: [NO_LIMITS],
      unit: 'rupees',
    }),
    placed: () => undefined,
  };
  return (await closePositions([request], WAIT_MS, context))[0]!;
}
