/**
 * Changes of the words of a reply's enumerations: an unknown word in their place, the same words in small letters, and with blanks around
 * them.
 */
import { isExactNumber } from './reply-changes';

type ValueChange = (name: string, value: unknown) => unknown;

/** A word that no list of the service has. */
export const UNKNOWN_WORD = 'PARKED';

/** Names of the fields of each kind of words, in the spellings of all endpoints. */
const WORDS = {
  status: /^(order_status|basket_status|status)$/,
  side: /^(order_side|side|orderSide)$/,
  product: /^(order_delivery_type|delivery_type|deliveryType|product)$/,
  'order type': /^(order_type|intentOrderType|price_type|priceType|execution_type)$/,
  validity: /^(validity_type|validityType)$/,
  exchange: /^exchange$/,
  segment: /^(derivative_type|derivativeType|option_type|optionType|asset_type|segment|series)$/,
} as const;
export type WordKind = keyof typeof WORDS;
export const WORD_KINDS = Object.keys(WORDS) as readonly WordKind[];

/** Prefixes with which some interfaces name the list of a word. */
const PREFIX =
  /^(?:ORDER_(?:DELIVERY_TYPE|SIDE|STATUS|TYPE)|BASKET_STATUS|INTENT_ORDER_(?:STATUS|TYPE)|PRICE_TYPE|VALIDITY_TYPE|EXCHANGE)_|/;

/** Lists by status, such as those of the day's intent orders: there the name of the list is the word. */
const isByStatus = (name: string, value: unknown): value is Record<string, unknown> =>
  name === 'orders' && typeof value === 'object' && value !== null && 'executed' in value;

/** An unknown word in place of every word of a kind. */
export const unknownWords =
  (kind: WordKind): ValueChange =>
  (name, value) => {
    if (kind === 'status' && isByStatus(name, value))
      return Object.fromEntries(Object.entries(value).map(([list, records]) => [`${UNKNOWN_WORD}_${list}`, records]));
    if (!WORDS[kind].test(name) || typeof value !== 'string' || value === '') return value;
    return `${PREFIX.exec(value)![0]}${UNKNOWN_WORD}`;
  };

/** Every word of every kind, spelled in another way. */
const respelled =
  (spell: (word: string) => string): ValueChange =>
  (name, value) => {
    if (isByStatus(name, value))
      return Object.fromEntries(Object.entries(value).map(([list, records]) => [spell(list), records]));
    const isWord = typeof value === 'string' && value !== '' && WORD_KINDS.some((kind) => WORDS[kind].test(name));
    return isWord ? spell(value) : value;
  };
export const lowerCaseWords = respelled((word) => word.toLowerCase());
export const paddedWords = respelled((word) => ` ${word} `);

/** No identifier is as long. */
export const LONG_ID = '9'.repeat(10_000);
/** No text of the service is as long: a megabyte. */
const LONG_TEXT = 'too long '.repeat(116_509);

/** Identifiers of 10,000 digits. */
export const longIds: ValueChange = (name, value) =>
  /^(order_id|basket_id|intentOrderId)$/.test(name) && (typeof value === 'string' || isExactNumber(value))
    ? LONG_ID
    : value;

const TEXTS =
  /^(rejection_msg|rejectionMsg|rejection_reason|reason|message|tag|display_name|displayName|name|description)$/;

/** A change of one reply: its first text for people has a megabyte. */
export function longText(): ValueChange {
  let isFirst = true;
  return (name, value) => {
    if (!isFirst || !TEXTS.test(name) || typeof value !== 'string') return value;
    isFirst = false;
    return LONG_TEXT;
  };
}
