/**
 * Recognises the reply of another endpoint. A reply about an account without positions holds as little as one about something else: a
 * reader that finds none of its lists must not take it for an empty one.
 */
import { UnreadableReplyError } from './base/errors';
import { asObject, type Json, type JsonObject } from './values/json';

/** Lists of a portfolio, by their names in both spellings. */
const PORTFOLIO_NAMES = {
  holdings: ['holdings', 'holding_stats', 'holdingStats'],
  positions: [
    ...['positions', 'position_stats', 'positionStats'],
    ...['stock_positions', 'fut_positions', 'opt_positions', 'close_positions'],
  ],
} as const;

export type PortfolioPart = keyof typeof PORTFOLIO_NAMES;

/** Returns true if a portfolio has the names of its other part alone. */
export function isOtherPart(portfolio: JsonObject, part: PortfolioPart): boolean {
  const other = part === 'holdings' ? 'positions' : 'holdings';
  const has = (of: PortfolioPart): boolean => PORTFOLIO_NAMES[of].some((name) => Object.hasOwn(portfolio, name));
  return has(other) && !has(part);
}

/** Kinds of replies in words, each with names that all are in it. */
const KINDS: readonly (readonly [what: string, names: readonly string[]])[] = [
  ['an order', ['order_id', 'order_status']],
  ['an order', ['intentOrderId']],
  ['a basket', ['basket_id']],
  ['a list of orders', ['orders']],
  ['a list of baskets', ['baskets']],
  ['holdings or positions', ['portfolio']],
  ['the funds', ['port_funds_and_margin']],
  ['the funds', ['portFundsAndMargin']],
  ['an option chain', ['chain']],
  ['a list of instruments', ['refdata']],
  ['an order book', ['orderBook']],
  ['a price', ['price', 'prev_close']],
  ['a margin', ['total_margin']],
  ['a margin', ['marginInfo']],
  ['an account', ['env_info']],
];
/** Results of company figures. */
const COMPANY_NAMES = ['keyratios_shareholding', 'shareholding_pattern', 'corporate_actions', 'profit_loss'];
/** The acknowledgement of an order that was placed, changed or cancelled. */
const PUSHED = /\brequest pushed\b/i;

/** Returns what a reply is, in words that follow "with"; undefined if it is none of what other endpoints than those of reports answer. */
export function knownKind(reply: Json): string | undefined {
  const record = asObject(Array.isArray(reply) ? reply[0] : reply);
  if (record === undefined) return undefined;
  const kind = KINDS.find(([, names]) => names.every((name) => Object.hasOwn(record, name)));
  if (kind !== undefined) return kind[0];
  const { message, result } = record;
  if (typeof message === 'string' && PUSHED.test(message)) return 'the acknowledgement of an order';
  if (result === undefined) return undefined;
  if (message === 'charts') return 'charts';
  const figures = asObject(result) ?? {};
  return COMPANY_NAMES.some((name) => Object.hasOwn(figures, name)) ? 'figures of a company' : undefined;
}

/** The error of a reply of another kind. @param what what came. @param requested what was asked: "GET /portfolio/positions". */
export function otherKindError(what: string, requested: string): UnreadableReplyError {
  return new UnreadableReplyError(`The service answered ${requested} with ${what}, which is something else.`, {
    hint: 'Nothing of the answer was used. Try again. If it stays, something between n8n and the service gives other answers.',
  });
}
