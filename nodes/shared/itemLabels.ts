/**
 * Plain words beside the codes of an item: `order_side: "BUY"` gets `side_label: "Buy"`. Every item of the node and of the trigger passes here,
 * so that no code comes without a label (test/support/item-codes.ts). What has a label already keeps it: its maker knew more.
 */
import type { INodeProperties } from 'n8n-workflow';
import { isDerivative } from '../../client/instruments/symbol';
import { EVENT_LABELS } from '../../client/orders/model/order-summary';
import { reportKinds } from '../../client/reports/kinds';
import { enumWord } from '../../client/values/enums';
import { productLabel, sideLabel, statusLabel } from '../../client/values/labels';

/** The first version of both nodes in which codes have plain words beside them. */
export const LABELS_VERSION = 1.2;

type Fields = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, string>>;

/** Label of a field of codes: its name, and the words. */
interface CodeField {
  label: string;
  /** Returns the plain words; undefined for a text that is no code of this field. */
  wordsOf(code: string, fields: Fields): string | undefined;
}

/** Parts of an item in the service's own form, as they were sent or came in. */
const EXACT: ReadonlySet<string> = new Set(['intent', 'raw', 'would_send', 'would_send_orders']);

/** Prefixes with which the service's older interface names the list of a word. */
const PREFIX = /^(?:ORDER_(?:DELIVERY_TYPE|SIDE|SOURCE|STATUS|TYPE)|PRICE_TYPE|STRATEGY_TYPE|VALIDITY_TYPE)_/;

/** Returns a code as a sentence would have it: `PARTLY_DONE` is "Partly done". */
export function codeInWords(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A list of words that is open: one that is not in the table is spelled out. */
const open =
  (words: Words): CodeField['wordsOf'] =>
  (code) =>
    code === '' ? undefined : (enumWord(words, code.replace(PREFIX, '')) ?? codeInWords(code.replace(PREFIX, '')));

/** A field that may also hold text for people: only words of the table are codes. */
const known =
  (words: Words): CodeField['wordsOf'] =>
  (code) =>
    enumWord(words, code.replace(PREFIX, ''));

const status: CodeField['wordsOf'] = (code) => {
  const word = code.replace(PREFIX, '');
  const label = statusLabel(word);
  return label === word && word !== '' ? codeInWords(word) : label;
};

const product: CodeField['wordsOf'] = (code, { derivative_type: kind, type, symbol }) => {
  const derivativeType = typeof kind === 'string' ? kind : typeof type === 'string' ? type : '';
  const isContract = typeof symbol === 'string' && isDerivative(symbol);
  return productLabel({ product: code, derivative_type: isContract ? 'FUT' : derivativeType });
};

const INSTRUMENTS = known({
  FUT: 'Future',
  INDEX: 'Index',
  OPT: 'Option',
  STOCK: 'Share',
  Board_Meeting: 'Board meeting',
});
const ORDER_TYPES = {
  FLEXI: 'Flexible (with exits, or of several legs)',
  ICEBERG: 'Iceberg',
  MARKET: 'Market',
  REGULAR: 'Regular',
  STOPLOSS: 'Stop loss',
};
const PRICE_TYPES = { LIMIT: 'Limit', MARKET: 'Market' };
const VALIDITIES = { DAY: 'Day', GTE: 'Good till date', IOC: 'Immediate or Cancel' };
const SIDES = { BUY: 'Buy', C: 'Closed', LONG: 'Bought first', SELL: 'Sell', SHORT: 'Sold first' };
/** Of an order, buying or selling; of a position, which has a quantity held, bought or sold. */
const orderSide: CodeField['wordsOf'] = (code, fields) =>
  'qty' in fields
    ? sideLabel({ order_side: code, segment: fields.qty === 0 ? 'closed' : '' })
    : open(SIDES)(code, fields);
const PARTS = {
  ENTRY: 'Entry',
  STOPLOSS: 'Stop loss',
  TARGET_PROFIT: 'Target',
  TRAILING_STOP: 'Trailing stop',
  entry: 'Entry',
  stop: 'Stop loss',
  target: 'Target',
  time: 'Exit time',
  trail: 'Trailing stop',
};
const RESULTS = {
  closed: 'Closed',
  done: 'Done',
  not_closed: 'Not closed',
  open: 'Still open',
  not_reached: 'Target not reached',
  partly_closed: 'Partly closed',
  partly_reached: 'Target partly reached',
  reached: 'Target reached',
  refused: 'Refused',
  requested: 'Requested, not seen done yet',
  skipped: 'Left as it is',
  too_late: 'Too late: it had ended before',
  unknown: 'Not known: look at the order before you act',
};
const VERSIONS = known({ ACTIVE: 'Up to date' });
const EVENTS = {
  ...EVENT_LABELS,
  candle: 'Candle Closed',
  closedByHand: 'Closed Elsewhere',
  connectionLost: 'Connection Lost',
  connectionRestored: 'Connection Restored',
  dayOver: 'Day Over',
  depth: 'Market Depth',
  exitFailed: 'Exit Failed',
  exitsKept: 'Exits Kept',
  greeks: 'Greeks',
  holdingsUpdated: 'Holdings Changed',
  marketTime: 'At Market Time',
  optionChain: 'Option Chain',
  optionChainAlert: 'Option Chain Alert',
  portfolioAlert: 'Portfolio Alert',
  positionClosed: 'Position Closed',
  positionsUpdated: 'Positions Changed',
  priceAlert: 'Price Alert',
  stopPlaced: 'Stop Loss Placed',
  stopReached: 'Stop Loss Reached',
  targetReached: 'Target Reached',
  tick: 'Price',
  trailingStopReached: 'Trailing Stop Reached',
};

const FIELDS: Readonly<Record<string, CodeField>> = {
  accounts: { label: 'accounts_label', wordsOf: known({ CONSOLIDATED: 'Consolidated', STANDALONE: 'Standalone' }) },
  actionTypes: { label: 'actionTypes_label', wordsOf: open({}) },
  asset_type: {
    label: 'asset_type_label',
    wordsOf: open({
      INDEX_FO: 'Futures and options of indices',
      STOCK_FO: 'Futures and options of shares',
    }),
  },
  basket_step: { label: 'basket_step_label', wordsOf: known({ closed: 'Closed', entered: 'Entered' }) },
  basket_status: { label: 'status_label', wordsOf: status },
  dateRangeOptions: {
    label: 'dateRangeOptions_label',
    wordsOf: open({ DATE: 'One day', DATE_RANGE: 'From a day to a day' }),
  },
  day_result_after: {
    label: 'day_result_after_label',
    wordsOf: known({ all_charges: 'After all charges', brokerage: 'After brokerage', nothing: 'Before charges' }),
  },
  derivative_type: { label: 'derivative_type_label', wordsOf: INSTRUMENTS },
  downloadFileTypes: { label: 'downloadFileTypes_label', wordsOf: open({ EXCEL: 'Excel (XLSX)', PDF: 'PDF' }) },
  event: { label: 'event_label', wordsOf: open(EVENTS) },
  execution_type: { label: 'execution_type_label', wordsOf: open({ ...PRICE_TYPES, ...VALIDITIES }) },
  exit_kind: { label: 'exit_kind_label', wordsOf: open(PARTS) },
  fill_of: { label: 'fill_of_label', wordsOf: open(PARTS) },
  intent_status: { label: 'intent_status_label', wordsOf: status },
  kind: { label: 'kind_label', wordsOf: known(PARTS) },
  option_type: { label: 'option_type_label', wordsOf: known({ CE: 'Call', PE: 'Put' }) },
  order_delivery_type: { label: 'product_label', wordsOf: product },
  order_side: { label: 'side_label', wordsOf: orderSide },
  order_source: { label: 'order_source_label', wordsOf: open({}) },
  order_status: { label: 'status_label', wordsOf: status },
  order_type: { label: 'order_type_label', wordsOf: open(ORDER_TYPES) },
  outcome: { label: 'outcome_label', wordsOf: known({ rejected: 'Rejected', unknown: 'Not known' }) },
  price_source: {
    label: 'price_source_label',
    wordsOf: known({ history: 'Recorded prices', rest: 'Asked for once', stream: 'Live stream' }),
  },
  price_type: { label: 'price_type_label', wordsOf: open(PRICE_TYPES) },
  product: { label: 'product_label', wordsOf: product },
  reason: { label: 'reason_label', wordsOf: known(PARTS) },
  report: { label: 'report_label', wordsOf: (name) => enumWord<{ title: string }>(reportKinds, name)?.title },
  result: { label: 'result_label', wordsOf: open(RESULTS) },
  segment: {
    label: 'segment_label',
    wordsOf: known({ closed: 'Closed', future: 'Futures', option: 'Options', stock: 'Shares' }),
  },
  side: { label: 'side_label', wordsOf: known(SIDES) },
  status: { label: 'status_label', wordsOf: (code, fields) => ('kind' in fields ? status : VERSIONS)(code, fields) },
  trade_side: { label: 'trade_side_label', wordsOf: open({ BUY: 'Bought', SELL: 'Sold' }) },
  type: { label: 'type_label', wordsOf: INSTRUMENTS },
  validity_type: { label: 'validity_type_label', wordsOf: open(VALIDITIES) },
  version_status: { label: 'version_status_label', wordsOf: VERSIONS },
};

/** Returns the name that the panel shows for a value of a field; undefined if the field has no such choice. */
export type ChoiceName = (field: string, value: string) => string | undefined;

/** Returns the names of the choices of an operation. */
export function choiceName(properties: readonly INodeProperties[]): ChoiceName {
  const choices = new Map<string, Map<unknown, string>>();
  for (const { name: field, options = [] } of properties) {
    const known = choices.get(field) ?? new Map<unknown, string>();
    for (const option of options) if ('value' in option) known.set(option.value, option.name);
    if (known.size > 0) choices.set(field, known);
  }
  return (field, value) => choices.get(field)?.get(value);
}

/** Returns an item with a plain label after each code, at any depth. @param choiceName for codes that the user chose */
export function withLabels<Item extends object>(item: Item, choiceName: ChoiceName = () => undefined): Item {
  return labelled(item, choiceName) as Item;
}

function labelled(value: unknown, choiceName: ChoiceName): unknown {
  if (Array.isArray(value)) return labelledList(value, choiceName);
  if (!isRecord(value)) return value;
  const entries: [string, unknown][] = [];
  let isChanged = false;
  for (const [name, inner] of Object.entries(value)) {
    const own = typeof inner !== 'object' || EXACT.has(name) ? inner : labelled(inner, choiceName);
    entries.push([name, own]);
    isChanged ||= own !== inner;
    const label =
      typeof inner === 'string' || Array.isArray(inner) ? labelBeside(name, inner, value, choiceName) : undefined;
    if (label === undefined) continue;
    entries.push(label);
    isChanged = true;
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

/** Returns the list itself if nothing in it has a code: a file of candles is not held twice. */
function labelledList(list: readonly unknown[], choiceName: ChoiceName): readonly unknown[] {
  const made = list.map((entry) => labelled(entry, choiceName));
  return made.some((entry, index) => entry !== list[index]) ? made : list;
}

/** Returns the name and the words of the label of a field: one text, or a list where the field is a list of codes. */
function labelBeside(
  name: string,
  inner: unknown,
  fields: Fields,
  choiceName: ChoiceName,
): [string, unknown] | undefined {
  const field = enumWord(FIELDS, name);
  const label = field?.label ?? `${name}_label`;
  if (label in fields) return undefined;
  const wordsOf = (code: string): string | undefined => field?.wordsOf(code, fields) ?? choiceName(name, code);
  if (typeof inner === 'string') {
    const words = wordsOf(inner);
    return words === undefined || words === '' || words === inner ? undefined : [label, words];
  }
  if (field === undefined || !isTexts(inner) || inner.length === 0) return undefined;
  return [label, inner.map((code) => wordsOf(code) ?? code)];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** Dates of an item stay what they are. */
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
