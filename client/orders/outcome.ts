/** The four ends of an order command: confirmed, rejected, refused here, unknown. Unknown is never called failed. */
import { BrokerageError, InputError, NetworkError, ServiceError, SessionError, UnknownOutcomeError } from '../errors';
import type { OrderRecord } from './order';

export type Outcome =
  /** The service has the order. `alreadyPlaced`: it had it before this try. */
  | { outcome: 'confirmed'; tag: string; order: OrderRecord; alreadyPlaced: boolean }
  /** The service or the exchange said no; `order` is there when it is in the order list all the same. */
  | { outcome: 'rejected'; tag: string; error: BrokerageError; order?: OrderRecord; alreadyPlaced: boolean }
  /** Nothing was sent, or it is certain that nothing arrived. */
  | { outcome: 'refused'; tag: string; error: BrokerageError }
  /** Nobody can tell yet: look for the tag in the order list, and do not send it again. */
  | { outcome: 'unknown'; tag: string; error: UnknownOutcomeError };

/** What a failed POST means for what it should have placed. */
export type Failure = 'refused' | 'rejected' | 'unknown';

const REQUEST_TIMEOUT = 408;

/**
 * What an error of a POST means. Only a clear answer of the service, and only what certainly never left, is a no.
 */
export function meaningOfFailure(error: unknown): Failure {
  if (error instanceof InputError || error instanceof SessionError) return 'refused';
  if (error instanceof NetworkError) return error.maySent ? 'unknown' : 'refused';
  if (error instanceof ServiceError) return error.status >= 500 || error.status === REQUEST_TIMEOUT || error.status < 300 ? 'unknown' : 'rejected';
  return 'unknown';
}

/** The error of an order of which nobody can tell whether it was placed. */
export function unknownOutcome(tag: string, cause: unknown, what = 'order'): UnknownOutcomeError {
  const why = cause instanceof BrokerageError ? ` (${cause.message.replace(/[.\s]+$/, '')})` : '';
  return new UnknownOutcomeError(`It is not known whether the ${what} was placed: no clear answer came${why}, and the ${what} list does not show it yet.`, {
    tag,
    hint: `Do not send it again. Look for the tag ${tag} in the order list (Order: Get Many) or in your broker's app: if it is there, it was placed.`,
    cause,
  });
}

/** The error that a node throws for an outcome; undefined when the order is confirmed. */
export function errorOf(outcome: Outcome): BrokerageError | undefined {
  return outcome.outcome === 'confirmed' ? undefined : outcome.error;
}

/** The error of an order that the exchange or the risk check rejected after the service had taken it. */
export function rejectedOrder(status: string, reason: string): ServiceError {
  return new ServiceError(`The order was rejected${reason === '' ? '' : `: ${reason}`}.`, {
    status: 200,
    serviceText: reason,
    hint: reason === '' ? `Its status is ${status}; your broker's app or the trigger's event shows the reason.` : 'Correct what the reason names and place it anew.',
  });
}
