/**
 * Orders that the newer interface shows a moment after they were placed (docs/service/order-life.md#acknowledgement-and-result), while the
 * older one shows them at
 * once, without their exits.
 */
import { ServiceError } from '../../base/errors';
import type { Clock } from '../../base/ports';
import type { OrderRecord } from '../../endpoints/orders';
import { nanosToMs } from '../../values/time';
import { orderIdOf, timesOf } from '../model/order-record';

/** Inputs for waiting until an order is shown, and for remembering that it belongs to the older interface. */
export interface LaggingRead {
  clock: Clock;
  known: { isOfV2(scope: string, orderId: string): boolean; placedByV2(scope: string, orderId: string): void };
  /** Environment and account. */
  scope: string;
}

const ASKED_AGAIN = 4;
const ASK_AGAIN_MS = 1_000;
/** Time after which an order is shown by every interface that has it. */
const SHOWN_MS = 60_000;

/** Returns true if an order may have been placed a moment ago. The time of a pending one has been seen to be garbage. */
function isRecent(order: OrderRecord, now: number): boolean {
  const placedAt = nanosToMs(timesOf(order).created);
  return placedAt === null || now - placedAt <= SHOWN_MS;
}

/**
 * Returns the latest record of an order that only the older interface shows: the newer interface's record, read again until it must show
 * the order; otherwise the older one placed it.
 * @param ask the newer interface; its refusal if it does not have the order.
 * @throws any error of `ask`; the signal's reason
 */
export async function readLatest(
  older: OrderRecord,
  ask: () => Promise<OrderRecord | ServiceError>,
  { clock, known, scope }: LaggingRead,
  signal?: AbortSignal,
): Promise<OrderRecord> {
  const orderId = orderIdOf(older);
  if (known.isOfV2(scope, orderId)) return older;
  for (let left = isRecent(older, clock.now()) ? ASKED_AGAIN : 0; left > 0; left--) {
    await clock.sleep(ASK_AGAIN_MS, signal);
    const requested = await ask();
    if (!(requested instanceof ServiceError)) return requested;
  }
  known.placedByV2(scope, orderId);
  return older;
}
