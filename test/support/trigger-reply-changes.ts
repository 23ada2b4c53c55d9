/** Changes of one answer that a trigger reads, each with what the user must be told of it. */
import { LosslessNumber, parse, stringify } from 'lossless-json';
import type { ProxiedRequest, ProxyReply } from './proxy';
import { changeOfFields, mappedValues } from './reply-changes';
import { UNKNOWN_WORD, longIds, longText, lowerCaseWords, paddedWords, unknownWords, WORD_KINDS } from './word-changes';

export interface TriggerReplyChange {
  name: string;
  made(reply: ProxyReply): ProxyReply;
  /** Pattern of what names the cause. */
  says: RegExp;
  /** True if the whole answer is unusable: the user must be told once it lasts. */
  isUnusable?: true;
}

const OTHER_ID = new LosslessNumber('999999');
const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking</body></html>';
const page =
  (status: number): TriggerReplyChange['made'] =>
  () => ({ status, headers: { 'content-type': 'text/html' }, text: PAGE });
const value =
  (change: (name: string, value: unknown) => unknown): TriggerReplyChange['made'] =>
  (reply) => {
    if (!/^\s*[[{]/.test(reply.text)) return reply;
    const text = stringify(mappedValues(parse(reply.text), '', change))!;
    return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, text };
  };
const lists = (change: (list: unknown[]) => unknown): TriggerReplyChange['made'] =>
  value((_name, item) => (Array.isArray(item) ? change(item as unknown[]) : item));

const PROXY = /Something between n8n and the service answered/;
const LACKS =
  /does not (list|show)|no longer (lists|shows)|lacks|has no |lists no|list(s)? of|not in the|hold(s)? no|asked for that of/i;

export const TRIGGER_REPLY_CHANGES: readonly TriggerReplyChange[] = [
  {
    name: 'price 0',
    made: value(
      changeOfFields(
        /^(price|ltp|LTP|last_price|lastPrice|cp|avg_price|avgPrice|average_price)$/,
        new LosslessNumber('0'),
      ),
    ),
    says: /no (last |average )?price|average price/i,
  },
  {
    name: 'other instrument',
    made: value((name, item) => {
      const named = changeOfFields(/^(symbol|stock_name|stockName|display_name|displayName|asset|plat_name)$/, 'OTHER')(
        name,
        changeOfFields(/^(ref_?id|refId)$/i, OTHER_ID)(name, item),
      );
      const isSeries = typeof named === 'object' && named !== null && 'INFY' in named;
      return isSeries ? { OTHER: named.INFY } : named;
    }),
    says: /OTHER|999999|asked for that of|no derivatives of|No exchange has the instrument/,
  },
  {
    name: 'other account',
    made: value(changeOfFields(/^(client_code|clientCode)$/, 'SBX999')),
    says: /account/,
    isUnusable: true,
  },
  {
    name: 'other ids',
    made: value((name, item) =>
      /^(order_id|intentOrderId|basket_id)$/.test(name) && item !== null && String(item) !== '0'
        ? typeof item === 'string'
          ? `77${item.slice(2)}`
          : new LosslessNumber(`77${String(item).slice(2)}`)
        : item,
    ),
    says: LACKS,
  },
  { name: 'null lists', made: lists(() => null), says: LACKS },
  { name: 'empty lists', made: lists(() => []), says: LACKS },
  { name: 'reordered lists', made: lists((list) => [...list].reverse()), says: /^$/ },
  { name: 'each record twice', made: lists((list) => [...list, ...list]), says: /twice/ },
  { name: 'page 200', made: page(200), says: PROXY, isUnusable: true },
  { name: 'page 401', made: page(401), says: PROXY, isUnusable: true },
  { name: 'page 403', made: page(403), says: PROXY, isUnusable: true },
  {
    name: 'a cut JSON',
    made: (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/json' },
      text: reply.text.slice(0, Math.floor(reply.text.length * 0.7)),
    }),
    says: /not JSON|JSON|cut|incomplete|could not be read|cannot be read/,
    isUnusable: true,
  },
  ...WORD_KINDS.map((kind) => ({
    name: `unknown ${kind}`,
    made: value(unknownWords(kind)),
    says: new RegExp(`${UNKNOWN_WORD}|not known|does not|${LACKS.source}`, 'i'),
  })),
  { name: 'words in small letters', made: value(lowerCaseWords), says: /^$/ },
  { name: 'words with blanks', made: value(paddedWords), says: /^$/ },
  { name: 'ids of 10,000 digits', made: value(longIds), says: new RegExp(`has no number|${LACKS.source}`, 'i') },
  { name: 'a text of a megabyte', made: (reply) => value(longText())(reply), says: /longer than/ },
  {
    name: 'status and price apart',
    made: value(changeOfFields(/^(avg_filled_price|filledPrice|filled_price)$/, new LosslessNumber('0'))),
    says: /price/i,
  },
];

/** An endpoint, whatever id is asked for. */
export const endpointOf = ({ method, path }: Pick<ProxiedRequest, 'method' | 'path'>): string =>
  `${method} ${path.replace(/\d{5,}/g, '{id}').replace(/\d{4}-\d\d-\d\d/, '{day}')}`;

/** Returns true if a request only reads what a trigger works with. */
export function isRead({ method, path }: Pick<ProxiedRequest, 'method' | 'path'>): boolean {
  if (/userinfo|_sandbox|stream|ws/.test(path)) return false;
  return method === 'GET' || /^\/charts/.test(path);
}

/** Lines that a trigger writes by itself, whatever answer is changed. */
export const USUAL_LINES =
  /the stream is (lost|back)|prices are read over REST|market-data stream|baskets could not be read \(The service did not answer in time/;
