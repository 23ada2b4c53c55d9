/** Changes of one answer that an operation asks for, each with what its error must say and what no item may hold. */
import { LosslessNumber } from 'lossless-json';
import type { ProxyReply } from './proxy';
import { changeOfFields } from './reply-changes';
import { UNKNOWN_WORD, longIds, longText, lowerCaseWords, paddedWords, unknownWords, WORD_KINDS } from './word-changes';

const MARKET_PRICE = /^(price|ltp|LTP|last_traded_price|lastTradedPrice|last_trade_price|last_price|cp|v)$/;
const OTHER_ID = new LosslessNumber('999999');
/** Replies that are about an instrument that was asked for; a list, and the record of an order that was asked for by its id, prove nothing of it. */
const ABOUT_INSTRUMENT =
  /^GET \/(orderbooks|optionchains)\/|^POST \/(charts\/|orders\/v2\/(single|multi|basket)$|sentinel\/orders\/create$)/;
const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>';
const page = (status: number): ProxyReply => ({ status, headers: { 'content-type': 'text/html' }, text: PAGE });

/** Statuses that an order with an unknown one has not. */
const ENDED = /^\[\{[^[]*"(order_status|basket_status)":"(FILLED|EXECUTED|CANCELLED|REJECTED|EXPIRED|CLOSED)"/;
const LONG = /longer than|has no number|is different|not known whether/;

export interface OperationReplyChange {
  name: string;
  /** Of one value of the reply by its name. */
  value?: (name: string, value: unknown) => unknown;
  /** The same, made for each reply. */
  valuesOf?: () => (name: string, value: unknown) => unknown;
  /** The whole reply. */
  reply?: ProxyReply;
  /** Endpoints whose replies are changed, all if left out. `of` selects the operations. */
  at?: RegExp;
  of?: RegExp;
  /** Pattern that an error must match. */
  says: RegExp;
  /** Pattern that no item may match. */
  never?: RegExp;
  /** Pattern that no item may match where no other answer of the operation has the fields. */
  neverAlone?: RegExp;
  /** True if the output of reading must equal that without the change. */
  isHarmless?: true;
}

export const OPERATION_REPLY_CHANGES: readonly OperationReplyChange[] = [
  {
    name: 'price 0',
    value: changeOfFields(MARKET_PRICE, new LosslessNumber('0')),
    says: /no (last )?price|gives 0|does not tell .*price/i,
  },
  {
    name: 'other instrument',
    value: (name, value) => {
      if (name === '') return value;
      const named = changeOfFields(/^(symbol|stock_name|asset)$/, 'OTHER')(name, value);
      const isSeries = typeof named === 'object' && named !== null && 'INFY' in named;
      return isSeries ? { OTHER: named.INFY } : changeOfFields(/^(ref_?id|refId)$/i, OTHER_ID)(name, named);
    },
    at: ABOUT_INSTRUMENT,
    says: /n8n asked for that of|not known whether|do not agree/,
    never: /999999|"OTHER"/,
  },
  {
    name: 'other order',
    value: changeOfFields(/^(order_id|intentOrderId|basket_id)$/, new LosslessNumber('1')),
    // A list of everything is about no order: only who asks for one by its id can tell.
    at: /^GET \/(orders\/\d+|sentinel\/orders)$/,
    of: /^order: (get|modify|waitForStatus|cancel|cancelMany|cancelExit)$/,
    says: /of 1, but n8n asked for that of|has no order|no order 1 today|not known whether/,
    never: /"(order|basket)_id":"1"/,
  },
  {
    name: 'other expiry',
    value: changeOfFields(/^expiry$/, new LosslessNumber('20300101')),
    at: /^GET \/optionchains\//,
    says: /of 2030-01-01, but n8n asked for that of/,
    never: /2030-01-01/,
  },
  { name: 'page 200', reply: page(200), says: /between n8n and the service|not known whether/ },
  { name: 'page 403', reply: page(403), says: /between n8n and the service|not known whether/ },
  {
    name: 'status and price apart',
    value: changeOfFields(/^(avg_filled_price|filledPrice|filled_price)$/, new LosslessNumber('0')),
    says: /no price|price/i,
  },
  { name: 'null lists', value: (_, value) => (Array.isArray(value) ? null : value), says: /./ },
  {
    name: 'reordered lists',
    value: (_, value) => (Array.isArray(value) ? [...(value as unknown[])].reverse() : value),
    says: /./,
    isHarmless: true,
  },
  ...WORD_KINDS.map((kind) => ({
    name: `unknown ${kind}`,
    value: unknownWords(kind),
    says: new RegExp(`${UNKNOWN_WORD}|not known|does not (tell|show)|too late`),
    ...(kind === 'status' ? { neverAlone: ENDED } : {}),
  })),
  { name: 'words in small letters', value: lowerCaseWords, says: /./, isHarmless: true },
  { name: 'words with blanks', value: paddedWords, says: /./, isHarmless: true },
  { name: 'ids of 10,000 digits', value: longIds, says: LONG },
  { name: 'a text of a megabyte', valuesOf: longText, says: LONG },
];

/** Prices that no item may hold. */
export const NEVER: Readonly<Record<string, RegExp>> = {
  'price 0': /"(price|ltp|LTP|premium|underlying_price|last_price)":0[,}]/,
  'status and price apart': /"avg_filled_price":0[,}]/,
};
