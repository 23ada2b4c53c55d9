/**
 * An order, or a basket, from one record of the day's lists or one message of the stream. Every reader makes this one shape, and this file
 * defines the meaning of words and numbers for all of them. Prices are integers in paise. Times are nanoseconds since the Unix epoch as
 * decimal text, '0' if unknown.
 */
import type { Json } from '../../values/json';
import { contractOf, type Contract } from '../../values/contract-value';
import { enumWord, spelledWord } from '../../values/enums';
import { tradingSymbol } from '../../instruments/symbol';
import type { PriceCondition, OrderKind, Side } from './order-terms';
import { statusFrom } from './order-status';
import { isMadeTag } from './tags';

/** Events of an order (docs/service/streams.md#order-update-enums). */
export const ORDER_EVENTS = [
  'accepted',
  'cancelled',
  'cancelRejected',
  'entryTriggered',
  'executed',
  'exitArmed',
  'exitCancelled',
  'exitFilled',
  'exitTimeReached',
  'expired',
  'fill',
  'modified',
  'modifyRejected',
  'other',
  'rejected',
  'stopLossTriggered',
  'targetTriggered',
  'trailUpdated',
  'unsolicitedCancel',
] as const;
export type OrderEventType = (typeof ORDER_EVENTS)[number];

/** The events that end the life of an order. */
export const END_EVENTS: readonly OrderEventType[] = [
  'executed',
  'cancelled',
  'unsolicitedCancel',
  'expired',
  'rejected',
];

/** Events of an order's exits. */
export const EXIT_EVENTS: readonly OrderEventType[] = [
  'exitArmed',
  'exitCancelled',
  'exitFilled',
  'exitTimeReached',
  'stopLossTriggered',
  'targetTriggered',
  'trailUpdated',
];

/** The final state of an order; '' while it is open. */
export type OrderEnd = '' | 'executed' | 'cancelled' | 'expired' | 'rejected';

export type ExitKind = 'stop' | 'target' | 'time';
/**
 * The part of a strategy that a trade belongs to: its entry, one of its exits, or `close` if it was closed on request, or reversed because
 * a leg found no counterparty. Null if no list shows the exit.
 */
export type StrategyPart = 'entry' | ExitKind | 'close' | null;
export type ExitStatus = 'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED';

/** One exit of an order, as a view shows it. */
export interface ExitView {
  kind: ExitKind;
  status: ExitStatus;
  /** Paise; 0 of an exit time. */
  trigger: number;
  /** True if it is a trailing stop loss. */
  trails: boolean;
  /** Cumulative quantity that it has closed; the stream does not tell. */
  filled?: number;
}

/** Filled quantity of one instrument of an order. An order has one leg, a basket may have several. */
export interface LegFill {
  refId: number;
  /** Cumulative quantity. */
  filled: number;
  /** Paise per unit, the average over `filled`; 0 when not known. */
  averagePrice: number;
  /** Instrument of this leg; only of a basket. */
  instrument?: OrderInstrument;
  /** Entry of the leg; always and only for a basket in the list of orders. */
  entry?: ListedEntry;
  /** BUY or SELL, of its entry; only of a basket. */
  side?: string;
}

/** Filled quantity of a leg's entry, and the time of its last fill (nanoseconds). Fills of the leg beyond it are its exit. */
export interface ListedEntry {
  side: string;
  filled: number;
  averagePrice: number;
  at: string;
}

export interface OrderInstrument {
  refId: number;
  exchange: string;
  /** Trading symbol. */
  symbol: string;
  /** The underlying of a derivative. */
  asset: string;
  /** FUT, OPT, STOCK, as the service says it; '' if it does not. */
  derivativeType: string;
  platName: string;
  displayName: string;
  /** Its contract value, as far as known. */
  contract: Contract;
}

/** An order as one message of the stream, or one record of the day's lists, shows it. */
export interface OrderSnapshot {
  /**
   * Kind: `strategy`: a basket, which the stream reports as one order with legs. `leg`: an order that a basket placed, which the list shows
   * and the stream does not report separately (docs/service/streams.md#routing-rules).
   */
  kind: 'order' | 'strategy' | 'leg';
  orderId: string;
  /** '0' when not part of a basket. */
  basketId: string;
  instrument: OrderInstrument;
  /** BUY or SELL; anything else as the service sent it. */
  side: string;
  /** CNC or IDAY. */
  product: string;
  orderType: string;
  priceType: string;
  validity: string;
  /** The service's own word for the status, without its prefix. */
  status: string;
  quantity: number;
  filled: number;
  price: number;
  averagePrice: number;
  /** The reason for which an average price cannot be read, as a sentence. */
  unreadablePrice?: string;
  /** Trigger price; undefined if the source does not show it. */
  triggerPrice: number | undefined;
  legs: LegFill[];
  tags: string[];
  reason: string;
  /** Exits of an order, or of a strategy of intent orders. */
  exits?: readonly ExitView[];
  /** True if the exchange has accepted it. */
  accepted: boolean;
  /** True if its entry was triggered, as far as the source shows. */
  triggered: boolean;
  end: OrderEnd;
  /** True if it was entered in full; only of a basket's record. */
  entered?: boolean;
  /** True if its record shows all fills of its entry, and no list shows orders of its legs; only of a strategy of intent orders. */
  isWhole?: boolean;
  /** Possible causes of its end; only of a basket's record, which does not show the cause. */
  causes?: readonly OrderEventType[];
  times: { created: string; accepted: string; filled: string; cancelled: string; modified: string; updated: string };
  source: 'stream' | 'orders';
}

/** Statuses after which nothing more can be filled of the order itself. */
const ENDS: Readonly<Record<string, OrderEnd>> = {
  FILLED: 'executed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
};
/** Statuses, beside those of the ends, of an order that the exchange has taken. */
const TAKEN: ReadonlySet<string> = new Set(['OPEN', 'PARTIAL_FILLED', 'TRIGGERED']);
/** Statuses of an order that may have filled further than they say. */
const MAY_FILL: ReadonlySet<string> = new Set(['PENDING', 'SENT', 'OPEN', 'PARTIAL_FILLED']);

/**
 * Returns the status that the fills of an order prove, where they are told before it.
 * @param status as `statusFrom` gives it. @param quantity units; 0 if unknown. @param filled units.
 */
export function provedStatus(status: string, quantity: number, filled: number): string {
  if (!MAY_FILL.has(status) || filled === 0) return status;
  return quantity > 0 && filled >= quantity ? 'FILLED' : 'PARTIAL_FILLED';
}

/**
 * Returns the units that the status of an order proves, where it is told before them: an order that is filled has all of its quantity,
 * unless an exit has triggered, which cancels the open rest of its entry.
 * @param reported units. @param hasTriggered true if an exit of the order is no longer open.
 */
export function provedFill(status: string, quantity: number, reported: number, hasTriggered: boolean): number {
  return status === 'FILLED' && !(hasTriggered && reported > 0) ? Math.max(quantity, reported) : reported;
}

/** Returns the final state of an order, by its status (see `statusFrom`); '' while it is open, and for an unknown word. */
export function endFrom(status: string): OrderEnd {
  return enumWord(ENDS, status) ?? '';
}

/** Returns true if the exchange has accepted an order. @param filled units. */
export function isAccepted(status: string, filled: number): boolean {
  const end = endFrom(status);
  return TAKEN.has(status) || (end !== '' && end !== 'rejected') || filled > 0;
}

/** Returns true if the entry of an order was triggered. @param waits true for a stop-loss order, or one that waits for a price. */
export function isTriggered(status: string, waits: boolean, filled: number): boolean {
  return status === 'TRIGGERED' || (waits && filled > 0);
}

/** The word that a word of the service ends with: `ORDER_SIDE_BUY`, `buy` and ` BUY ` are BUY. Undefined for any other. */
export function wordAmong<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
  const upper = spelledWord(text);
  return words.find((word) => upper === word || upper.endsWith(`_${word}`));
}

/**
 * Returns the type of an order of the newer interface, which has none for a stop loss: there it is a limit order that waits for a price
 * beyond it.
 * @param type as named there, without its prefix. @param when the condition of its entry; undefined for none.
 */
export function kindFrom(type: string, when: string | undefined, side: Side | undefined, priceType: string): OrderKind {
  if (type === 'ICEBERG') return 'ICEBERG';
  const beyond: PriceCondition = side === 'SELL' ? 'AT_OR_BELOW' : 'AT_OR_ABOVE';
  // Where the condition is not told, the type alone says that it waits for a price.
  return (when === undefined ? type === 'TRIGGER' : when === beyond && priceType === 'LIMIT') ? 'STOPLOSS' : 'REGULAR';
}

/** The zeros that make nanoseconds of a time of today in seconds, milliseconds or microseconds, by its digits. */
const ZEROS_TO_NANOS: ReadonlyMap<number, string> = new Map([
  [10, '000000000'],
  [13, '000000'],
  [16, '000'],
]);

/** RFC 3339 with up to nine decimals, also with a blank for its T and without the colon of its zone. Without a zone it may be any. */
const RFC_3339 = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:(Z)|([+-]\d\d):?(\d\d))$/i;
const NS_PER_MS = 1_000_000n;
const DECIMALS = 9;

/**
 * A nanosecond time; '0' for none, and for the garbage that orders have while they are pending (docs/service/orders-v2.md#order-record).
 * In a coarser unit it gets its zeros: read as nanoseconds it would lie in 1970. A time in words of RFC 3339 is read too.
 */
export function timeFrom(text: string): string {
  if (/^\d{1,19}$/.test(text)) return `${text}${ZEROS_TO_NANOS.get(text.length) ?? ''}`;
  const [whole, date, clock, fraction = '', utc, hours, minutes] = RFC_3339.exec(text) ?? [];
  if (whole === undefined) return '0';
  const ms = Date.parse(`${date}T${clock}${utc === undefined ? `${hours}:${minutes}` : 'Z'}`);
  return Number.isNaN(ms) || ms < 0 ? '0' : String(BigInt(ms) * NS_PER_MS + BigInt(fraction.padEnd(DECIMALS, '0')));
}

/** The tags of an order, the one that it is found by first: among several it is the one that we made. */
export function tagsFrom(tags: readonly string[]): string[] {
  const own = tags.filter((tag) => tag !== '');
  const made = own.find(isMadeTag);
  return made === undefined ? own : [made, ...own.filter((tag) => tag !== made)];
}

/** Known fields of an instrument; undefined or '' for an unknown one. */
export interface ReportedInstrument {
  refId: number;
  /** The ref_id beside its names; undefined or 0 if it is not told. Names of another instrument are not those of this one. */
  namedRefId?: number;
  exchange?: string;
  stockName?: string;
  asset?: string;
  derivativeType?: string;
  platName?: string;
  displayName?: string;
  lotSize?: number;
  qtyMultiplier?: Json;
}

/** The instrument of an order. Its symbol is its name where that is one, else the one within its platform name. */
export function instrumentFrom(reported: ReportedInstrument): OrderInstrument {
  const { refId, namedRefId = 0, exchange } = reported;
  const isOfOther = namedRefId > 0 && refId > 0 && namedRefId !== refId;
  return describedInstrument(isOfOther ? { refId, exchange } : reported);
}

function describedInstrument({
  refId,
  exchange = '',
  stockName = '',
  asset = '',
  derivativeType = '',
  platName = '',
  displayName = '',
  lotSize = 0,
  qtyMultiplier,
}: ReportedInstrument): OrderInstrument {
  const contract = contractOf({ exchange, asset, lotSize, qtyMultiplier });
  const symbol = tradingSymbol(stockName, platName);
  return { refId, exchange, symbol, asset, derivativeType, platName, displayName, contract };
}

const EXIT_KINDS: Readonly<Record<string, ExitKind>> = {
  STOPLOSS: 'stop',
  TRAILING_STOP: 'stop',
  TARGET_PROFIT: 'target',
  EXIT_TIME: 'time',
};
const EXIT_STATUSES: readonly ExitStatus[] = ['OPEN', 'TRIGGERED', 'FILLED', 'CANCELLED'];

/** The status of an exit, by the service's word for it in any spelling; OPEN for a missing and for an unknown one. */
export function exitStatusFrom(word: string): ExitStatus {
  return wordAmong(statusFrom(word), EXIT_STATUSES) ?? 'OPEN';
}

/**
 * Returns one exit of an order, by the service's words without their prefixes.
 * @param trigger paise; 0 of an exit time. @param filled units; undefined if unknown.
 * @returns undefined for an unknown kind of exit.
 */
export function exitFrom(kindWord: string, status: string, trigger: number, filled?: number): ExitView | undefined {
  const kind = enumWord(EXIT_KINDS, kindWord);
  if (kind === undefined) return undefined;
  return {
    kind,
    status: exitStatusFrom(status),
    trigger,
    trails: kindWord === 'TRAILING_STOP',
    ...(filled === undefined ? {} : { filled }),
  };
}

/** Compares decimal texts without sign by their value. */
export function isLater(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
