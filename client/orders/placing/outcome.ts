/** The outcome of placing an order or a basket. An unknown outcome is never called a failure. */
import type { BasketRecord } from '../../endpoints/baskets';
import type { OrderRecord } from '../../endpoints/orders';
import {
  BrokerageError,
  ForeignReplyError,
  InputError,
  NetworkError,
  RejectedError,
  ServiceError,
  SessionError,
  UnknownOutcomeError,
} from '../../base/errors';
import type { PlacementRequest } from '../account/placement-context';
import { marketClosedAdvice, squareOffAdvice } from '../account/market-closed-advice';
import { legsOf } from '../model/basket-record';
import { freezeAdvice } from '../model/freeze-quantity';
import { MAX_SENDS, type ServiceRequest } from '../api/order-api';
import { translateRefusal } from '../../refusals';
import { isAddressRefusal, REQUEST_TIMEOUT } from '../../service-errors';
import { redact } from '../../values/redact';
import { textFrom } from '../../values/record';
import { withoutFullStop } from '../../values/trim-end';
import { orderIdOf, reasonOf, statusOf, tagOf } from '../model/order-record';

/** The ends of placing one order, or one basket. */
export type Outcome<Rec = OrderRecord> =
  /** The service has it, under this id (decimal text). `alreadyPlaced`: it had it before this try. */
  | { outcome: 'confirmed'; tag: string; id: string; record: Rec; alreadyPlaced: boolean }
  /** Rejected by the service or the exchange; `record` is set if the list shows it nevertheless. */
  | { outcome: 'rejected'; tag: string; error: BrokerageError; record?: Rec; alreadyPlaced: boolean }
  /** Nothing was sent, or it is certain that nothing arrived. */
  | { outcome: 'refused'; tag: string; error: BrokerageError }
  /** Still unknown: look for the tag in the list, and do not send it again. */
  | { outcome: 'unknown'; tag: string; error: UnknownOutcomeError }
  /** A dry run: everything was checked, nothing was sent. `request` is what would be. */
  | { outcome: 'dryRun'; tag: string; request: ServiceRequest };

/** Meaning of a failed POST for the orders in it. */
export type PlacementFailure = 'refused' | 'rejected' | 'unknown';

/** The word for the placed object in errors. */
export type RecordNoun = 'order' | 'basket';

/** Returns the meaning of an error of a POST. Only a clear answer of the service, or a request that certainly never left, is a refusal. */
export function classifyFailure(error: unknown): PlacementFailure {
  if (error instanceof InputError || error instanceof SessionError) return 'refused';
  if (error instanceof NetworkError) return error.maySent ? 'unknown' : 'refused';
  if (error instanceof ServiceError)
    return error.status >= 500 || error.status === REQUEST_TIMEOUT || error.status < 300 ? 'unknown' : 'rejected';
  return 'unknown';
}

/** Status with which the service rejects the terms of an order. */
const BAD_REQUEST = 400;
const TOO_MANY_REQUESTS = 429;
/** Words with which the service explains a fault of an order. General words ("Bad Request") may come from anybody. */
const GIVES_REASON =
  /\b(must|should|needs?|required|missing|cannot|can'?t|not|no|unknown|invalid|only|exceeds?|above|below|greater|less|least|most|maximum|minimum|multiple|insufficient|outside|beyond|closed|use|already|duplicate)\b|[a-z]_[a-z]|\bERR\d/i;

/** Words after which an order may have been taken all the same: it came twice, or whatever passed it on did not hear what became of it. */
const MAY_BE_TAKEN =
  /\b(duplicate|exists|already (?:in use|placed|taken|received|submitted|processed)|in time|timed? ?out|respond(?:ed|ing)?|upstream|gateway|try again|unknown error|unexpected|internal|unavailable|process(?:ed|ing)?)\b/i;

/** Returns true if a refusal says what is wrong, in words that leave no doubt whether it was heeded. */
const givesReason = (text: string): boolean => GIVES_REASON.test(text) && !MAY_BE_TAKEN.test(text);

/**
 * Returns true if an error of placing is a refusal that excludes acceptance: refused before it left, or refused by the service itself for a
 * reason that it checks before it accepts anything. Any other answer (a proxy's page, a gateway's status, an expired session, too many
 * requests) may have replaced the answer to an accepted order.
 * @param count number of orders sent: if the service rejects one of several, it may have accepted others.
 */
export function isClearNo(error: unknown, count: number): error is BrokerageError {
  if (error instanceof InputError) return true;
  if (error instanceof NetworkError) return !error.maySent;
  if (error instanceof SessionError) return error.status === undefined;
  if (!(error instanceof ServiceError) || !error.isOwnForm) return false;
  const isOfOrder = count === 1 && error.status === BAD_REQUEST && givesReason(error.serviceText);
  return isOfOrder || isAddressRefusal(error);
}

/**
 * Returns true if a change must be looked for after its error: no clear answer came, or a refusal that is not in the service's own form, or
 * gives no reason. Somebody in between may have given that in place of the answer to a change that was taken.
 */
export function mayHaveChanged(error: unknown): boolean {
  const isDoubtful = error instanceof ServiceError && !(error.isOwnForm && givesReason(error.serviceText));
  return isDoubtful || classifyFailure(error) === 'unknown';
}

/**
 * Returns true if a failed change that a look at its order or basket did not show was refused; else its outcome is unknown.
 * @param error of the request. @param look at what was to be changed: if it could not be read, a doubtful refusal proves nothing.
 */
export function isRefusedUnlessSeen(
  error: unknown,
  look: { order?: object; error?: BrokerageError },
): error is BrokerageError {
  if (!(error instanceof BrokerageError) || classifyFailure(error) === 'unknown') return false;
  return !mayHaveChanged(error) || (look.order !== undefined && look.error === undefined);
}

/**
 * Returns true if an error of placing is a refusal once the day's list is sure to show none of it: every answer that means a refusal, by
 * whomever. After any other, the orders may still be on their way.
 */
export function isNoUnlessListed(error: unknown): error is BrokerageError {
  if (error instanceof SessionError) return true;
  if (error instanceof ForeignReplyError)
    return error.status >= 300 && error.status < 500 && error.status !== REQUEST_TIMEOUT;
  return error instanceof ServiceError && classifyFailure(error) === 'rejected';
}

/**
 * Returns true if the orders may be sent again once the list is sure not to show them: there were too many requests, or the session had
 * expired.
 */
export function isSentAgain(error: unknown, sends: number): boolean {
  if (error instanceof SessionError) return error.status !== undefined && sends === 1;
  const isTooMany = error instanceof ServiceError || error instanceof ForeignReplyError;
  return isTooMany && error.status === TOO_MANY_REQUESTS && sends < MAX_SENDS;
}

/** Returns the outcome of an order that a refusal prevented. @param error one for which `isClearNo` or `isNoUnlessListed` is true. */
export function noOutcome<Rec>(tag: string, error: BrokerageError): Outcome<Rec> {
  return error instanceof ServiceError
    ? { outcome: 'rejected', tag, error, alreadyPlaced: false }
    : { outcome: 'refused', tag, error };
}

/** Returns the error of an order or a basket that may or may not have been placed. */
export function unknownOutcome(tag: string, cause: unknown, noun: RecordNoun): UnknownOutcomeError {
  return new UnknownOutcomeError(
    `It is not known whether the ${noun} was placed: no clear answer came${reasonFor(cause)}, and the ${noun} list does not show it yet.`,
    {
      tag,
      hint: `Do not send it again. Look for the tag ${tag} in the order list (Order: Get Many) or in your broker's app: if it is there, it was placed.`,
      cause,
    },
  );
}

/**
 * Returns the error of a change that may or may not have reached an order or a basket.
 * @param whose the changed object: "order 7".
 * @param what the requested change: "cancelled", "modified".
 * @param lastRecord the current order, if it could be read.
 */
export function unknownChange(
  whose: string,
  what: string,
  cause: unknown,
  lastRecord?: OrderRecord,
): UnknownOutcomeError {
  const now = lastRecord === undefined ? '' : ` It is ${statusOf(lastRecord).toLowerCase().replace(/_/g, ' ')}.`;
  return new UnknownOutcomeError(
    `It is not known whether ${whose} is ${what}: no clear answer came${reasonFor(cause)}.${now}`,
    {
      tag: lastRecord === undefined ? '' : tagOf(lastRecord),
      hint: `It may still be. Look at ${whose} in the list or in your broker's app before you do anything about it.`,
      cause,
    },
  );
}

function reasonFor(cause: unknown): string {
  return cause instanceof BrokerageError ? ` (${withoutFullStop(cause.message)})` : '';
}

/** The reason for not sending an order whose earlier placement only the day's list could have shown. */
export const noListReason = (noun: RecordNoun): string =>
  `the ${noun} list of the day, which shows whether it was placed before, could not be read.`;
/** The same, where another process may be placing it. */
export const noLockReason = (): string =>
  'n8n could not get the lock that stops two of its processes from placing the same.';

/**
 * Returns the outcome of an unsent order whose earlier placement could not be checked. It is unknown if another process may have tried it
 * before, by its key or in the same execution. Without a session it is refused, unless an earlier try is certain.
 */
export function unsentOutcome<Rec>(
  { tag, keyed, isRepeat, isRetry }: Pick<PlacementRequest<unknown>, 'tag' | 'keyed' | 'isRepeat' | 'isRetry'>,
  cause: BrokerageError,
  noun: RecordNoun,
  reason: (noun: RecordNoun) => string,
): Outcome<Rec> {
  if (cause instanceof SessionError && isRetry !== true) return { outcome: 'refused', tag, error: cause };
  const why = `${reason(noun)} ${cause.message}`;
  if (keyed || isRepeat) {
    const earlierSender = keyed ? 'an earlier delivery with this key' : 'an earlier try';
    const error = new UnknownOutcomeError(
      `Nothing was sent now, and it is not known whether ${earlierSender} placed the ${noun}: ${why}`,
      {
        tag,
        hint: keyed
          ? 'Run it again with the same key when the service answers: it is placed then if it was not before.'
          : `Look for the tag ${tag} in the list (Get Many) or in your broker's app when the service answers, or retry the execution then: what is there is not placed again.`,
        cause,
      },
    );
    return { outcome: 'unknown', tag, error };
  }
  const error = new NetworkError(`The ${noun} was not sent: ${why}`, {
    maySent: false,
    hint: 'Nothing was placed. Try again when the service answers.',
    cause,
  });
  return { outcome: 'refused', tag, error };
}

/**
 * The error of an order that was not sent in a retry, as an earlier try placed another one at the same step.
 * @param tag of what the earlier try placed.
 */
export function unclearCause(noun: RecordNoun, tag: string): UnknownOutcomeError {
  return new UnknownOutcomeError(
    `Nothing was sent now, and it is not known whether an earlier try placed this ${noun}: at this step it placed the ${noun} with the tag ${tag}, with other terms or for another item.`,
    {
      tag,
      hint: `Look at that ${noun}. To place another one, run the workflow again from the start. With an Idempotency Key a retry finds what is its own.`,
    },
  );
}

/** Returns the error of an order or a basket that the list shows, and whose record contradicts itself. */
export function placedAndUnreadable(noun: RecordNoun, record: OrderRecord | BasketRecord): UnknownOutcomeError {
  const tag = tagOf(record);
  return new UnknownOutcomeError(
    `The ${noun} with the tag ${tag} was placed, but what has become of it is not known: ${textFrom(record.unreadable_reason)}`,
    { tag, hint: "Do not send it again. Look for it in your broker's app." },
  );
}

/** Returns the error of an unsent order: the same was placed shortly before midnight and cannot be read now. @param id decimal text */
export function placedBeforeMidnight(noun: RecordNoun, id: string, tag: string): UnknownOutcomeError {
  return new UnknownOutcomeError(
    `Nothing was sent: the same was placed before midnight as ${noun} ${id}, and it is not known what became of it, as the list of the new day does not show it.`,
    {
      tag,
      hint: `Look for ${noun} ${id} in your broker's app. A key can place again on the next trading day, six hours after that at the earliest.`,
    },
  );
}

/** Returns the error of an unsent order: an earlier process sent the same, and nothing shows what became of it. */
export function sentBefore(noun: RecordNoun, tag: string): UnknownOutcomeError {
  return new UnknownOutcomeError(
    `Nothing was sent: an earlier try sent the same, and it is not known whether the ${noun} was placed: the ${noun} list does not show it.`,
    {
      tag,
      hint: `Look for the tag ${tag} in your broker's app. If it was not placed, place it with another Idempotency Key, or run the workflow again from the start.`,
    },
  );
}

/** Lets errors of the client through as values. Everything else, and the stop of an execution, is thrown on. */
export function brokerageErrorOnly(error: unknown, signal?: AbortSignal): BrokerageError {
  if (signal?.aborted || !(error instanceof BrokerageError)) throw error;
  return error;
}

/** Returns what may help with a rejection that has no reason. */
function unexplainedAdvice(record: OrderRecord | BasketRecord): string {
  const legs = legsOf(record as BasketRecord);
  const orders = legs.length > 0 ? legs : [record as OrderRecord];
  const likely = squareOffAdvice(record) ?? orders.map(freezeAdvice).find((advice) => advice !== undefined);
  return `${likely === undefined ? '' : `${likely} `}Your broker's app or the trigger's event shows the reason.`;
}

/** The error of an order or a basket that the exchange or the risk check rejected after the service had taken it. */
export function rejectedError(record: OrderRecord | BasketRecord, id: RejectedError['id'], tag: string): RejectedError {
  const reason = redact(reasonOf(record));
  const [noun, number]: [RecordNoun, string] = 'order_id' in id ? ['order', id.order_id] : ['basket', id.basket_id];
  const translated = reason === '' ? undefined : translateRefusal(reason);
  const usual =
    reason === ''
      ? unexplainedAdvice(record)
      : (translated?.hint ?? 'Fix what the reason says and place the order again.');
  const advice = marketClosedAdvice(record, reason) ?? usual;
  const said =
    translated === undefined
      ? withoutFullStop(reason)
      : `${translated.message}. The service said: ${withoutFullStop(reason)}`;
  return new RejectedError(`The ${noun} was rejected${reason === '' ? '' : `: ${said}`}.`, {
    status: 200,
    serviceText: reason,
    hint: `${advice} In the list it is ${noun} ${number}, with the tag ${tag}.`,
    tag,
    id,
  });
}

/** The error of an order whose status is REJECTED. */
export function rejectedOrderError(order: OrderRecord, tag: string): RejectedError {
  return rejectedError(order, { order_id: orderIdOf(order) }, tag);
}
