/** The words of an order's status: every spelling of a service becomes the word of the order record. */
import { enumWord, withoutPrefix } from '../../values/enums';

/**
 * The other words for each status of the order record: those of the newer interface and the stream, and those that clients of Indian
 * brokers print. A word that waits for an exchange or a broker to do something says nothing of its result.
 */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  FILLED: [
    ...['EXECUTED', 'COMPLETE', 'COMPLETED', 'TRADED', 'FULLY_FILLED', 'FULLY_EXECUTED', 'COMPLETELY_FILLED'],
    ...['COMPLETELY_EXECUTED', 'FULL_FILLED', 'DELIVERY_AWAITED'],
  ],
  PARTIAL_FILLED: [
    ...['PARTIALLY_FILLED', 'PARTIAL_FILL', 'PARTLY_FILLED', 'PARTIALLY_EXECUTED', 'PARTIALLY_TRADED', 'PART_TRADED'],
    ...['PARTLY_EXECUTED', 'PARTLY_TRADED', 'PART_FILLED', 'PART_EXECUTED'],
  ],
  CANCELLED: [
    ...['CANCELLED_AMO', 'AMO_CANCELLED', 'CANCELLED_AFTER_MARKET_ORDER', 'PARTIALLY_FILLED_CANCELLED'],
    ...['PARTIALLY_EXECUTED_AND_CANCELLED', 'PARTIALLY_FILLED_AND_CANCELLED', 'PARTIALLY_CANCELLED'],
    ...['CANCELLED_AFTER_PARTIAL_FILL', 'CANCELLED_BY_EXCHANGE', 'CANCELLED_BY_USER', 'CANCELLED_BY_SYSTEM'],
    ...[
      'CANCELLED_BY_BROKER',
      'SYSTEM_CANCELLED',
      'IOC_CANCELLED',
      'EOD_CANCELLED',
      'CANCELLED_BY_RMS',
      'RMS_CANCELLED',
    ],
    ...['API_CANCELLED', 'USER_CANCELLED', 'BROKER_CANCELLED', 'PARTLY_CANCELLED', 'PARTLY_FILLED_CANCELLED'],
    ...['EXCHANGE_CANCELLED', 'AUTO_CANCELLED', 'UNSOLICITED_CANCEL', 'CANCELLED_PARTIALLY_FILLED'],
  ],
  EXPIRED: [
    ...['LAPSED', 'PARTIALLY_EXECUTED_AND_EXPIRED', 'PARTIALLY_FILLED_AND_EXPIRED', 'PARTIALLY_FILLED_EXPIRED'],
    ...['PARTIALLY_EXPIRED', 'EXPIRED_AFTER_PARTIAL_FILL', 'EXPIRED_IN_MATCH'],
  ],
  TRIGGERED: ['SL_TRIGGERED'],
  REJECTED: [
    ...[
      'REJECTED_BY_5P',
      'REJECTED_BY_EXCH',
      'REJECTED_BY_EXCHANGE',
      'REJECTED_BY_BROKER',
      'AMO_REJECTED',
      'REJECTED_BY_RMS',
    ],
    ...['REJECTED_RMS', 'RMS_REJECTED', 'EXCHANGE_REJECTED'],
  ],
  OPEN: [
    ...['GTE', 'TRIGGER_PENDING', 'MODIFIED', 'REPLACED', 'NOT_MODIFIED', 'NOT_CANCELLED', 'MODIFY_PENDING'],
    ...['MODIFY_VALIDATION_PENDING', 'CANCEL_PENDING', 'PENDING_REPLACE', 'PENDING_MODIFY', 'PENDING_CANCEL'],
    ...['MODIFICATION_REQUESTED', 'CANCELLATION_REQUESTED', 'MODIFY_REQUESTED', 'CANCEL_REQUESTED', 'MODIFY_REJECTED'],
    ...['CANCEL_REJECTED', 'REPLACE_REJECTED', 'ACKED', 'ORDERED'],
  ],
  PENDING: [
    ...['PUT_ORDER_REQ_RECEIVED', 'VALIDATION_PENDING', 'OPEN_PENDING', 'PENDING_NEW', 'TRANSIT', 'IN_TRANSIT'],
    ...['AFTER_MARKET_ORDER_REQ_RECEIVED', 'MODIFY_AFTER_MARKET_ORDER_REQ_RECEIVED', 'AMO_REQ_RECEIVED'],
    ...['MODIFY_AMO_REQ_RECEIVED', 'AMO_SUBMITTED', 'AMO_MODIFIED', 'AH_PLACED', 'XMITTED', 'REQUESTED', 'QUEUED'],
  ],
};
const STATUSES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(OTHER_WORDS).flatMap(([status, words]) => words.map((word) => [word, status])),
);
const STATUS_PREFIXES = ['BASKET_STATUS_', 'INTENT_', 'ORDER_STATUS_', 'ORDER_'] as const;
/** No word of a status is as long. */
const MAX_STATUS_LENGTH = 60;
/** Statuses by their words, so that a list of a thousand orders reads each word once. */
const readStatuses = new Map<string, string>();
/** More words than a service has, with each of their spellings. */
const MAX_READ_STATUSES = 500;

/**
 * Returns the status in the word of the order record, without its prefix: OPEN, FILLED, …; any word may come, '' for none.
 * @param word in the spelling of a record or a message: in any case, with or without its prefix, with blanks or underscores.
 */
export function statusFrom(word: string): string {
  const known = readStatuses.get(word);
  if (known !== undefined) return known;
  const status = readStatus(word.slice(0, MAX_STATUS_LENGTH));
  if (readStatuses.size < MAX_READ_STATUSES && word.length <= MAX_STATUS_LENGTH) readStatuses.set(word, status);
  return status;
}

function readStatus(word: string): string {
  const spelled = word
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_/, '')
    .toUpperCase()
    .replaceAll('CANCELED', 'CANCELLED');
  const bare = STATUS_PREFIXES.reduce((rest, prefix) => withoutPrefix(prefix, rest), spelled).replace(/_$/, '');
  return enumWord(STATUSES, bare) ?? bare;
}
