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
import type { OrderApiKind } from './order-api';

/** Inputs for waiting until an order is shown, and for remembering which interface it belongs to. */
export interface LaggingRead {
  clock: Clock;
  known: {
    /** Returns the interface that is known to have placed the order. */
    placedWith(scope: string, orderId: string): OrderApiKind | undefined;
    notePlaced(scope: string, orderId: string, apiKind: OrderApiKind): void;
  };
  /** Environment and account. */
  scope: string;
}

/** Repeated requests to the newer interface: their number, and the pause before each, milliseconds. */
const ASKS = { times: 4, everyMs: 1_000 };
/**
 * The same for an order that the newer interface has placed. A sandbox whose clock waits for a run counts requests, a tenth of a second each:
 * it shows an order after up to fifteen.
 */
const ASKS_OF_INTENT = { times: 25, everyMs: 200 };
/** Time after which an order is shown by every interface that has it. */
const SHOWN_MS = 60_000;

/** Returns true if an order may have been placed a moment ago. The time of a pending one has been seen to be garbage. */
function isRecent(order: OrderRecord, now: number): boolean {
  const placedAt = nanosToMs(timesOf(order).created);
  return placedAt === null || now - placedAt <= SHOWN_MS;
}

/**
 * Returns the latest record of an order that only the older interface shows: the newer interface's record, read again until it must show
 * the order; otherwise the older one placed it, unless it is known that the newer one did.
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
  const placedWith = known.placedWith(scope, orderId);
  if (placedWith === 'v2') return older;
  const isIntent = placedWith === 'intent';
  const { times, everyMs } = isIntent ? ASKS_OF_INTENT : ASKS;
  for (let left = isIntent || isRecent(older, clock.now()) ? times : 0; left > 0; left--) {
    await clock.sleep(everyMs, signal);
    const requested = await ask();
    if (!(requested instanceof ServiceError)) return requested;
  }
  if (!isIntent) known.notePlaced(scope, orderId, 'v2');
  return older;
}
