/** The form of a rule about a refusal, and the remedies that several rules or errors name. */

/** One kind of refusal. */
export interface RefusalRule {
  /** Only with this status of a reply; left out if the text alone says it. */
  status?: number;
  /** Pattern of the service's code or words. */
  text: RegExp;
  /** The service's code or words, for display; … replaces a figure or a name. */
  said: string;
  /** Meaning of a text without readable figures. */
  message: string;
  /** Pattern of the figures in the text, and the sentence with them. */
  figures?: { in: RegExp; say(...matches: string[]): string };
  hint: string;
}

/** Remedy for a wrong field. */
export const REMEDY_CORRECT_FIELD = 'Correct it and run it again. Nothing has changed at the exchange.';
/** Remedy for an account without this order system. */
export const REMEDY_ORDER_SYSTEM =
  'Ask the broker to move the account to this order system (V3), or use an account that is on it.';
/** Remedy for orders from an unregistered address, wherever n8n runs. */
export const REMEDY_REGISTER_IP =
  'Register the public IP address of n8n with the broker: that of its server, or of the proxy where there is one. It must always be the same, which n8n Cloud and most connections at home do not offer: then run n8n on a server. "Session: Check Static IP" shows the current and the registered addresses; the page "The rules since April 2026" of the documentation tells more.';
/** Remedy for a price beyond the band of the day. */
export const REMEDY_PRICE_IN_BAND =
  'Choose a price within the band around the previous close. To wait for one beyond it, give the order an Entry Condition at that price.';
/** Remedy while the market is closed. */
export const REMEDY_MARKET_OPEN = 'Try again when it is open: the trigger\'s "At Market Time" starts a workflow then.';
/** Remedy where an order may have changed meanwhile. */
export const REMEDY_READ_ORDER = 'Read it first: "Order: Get" shows what became of it.';

/** The service's words for a market that is closed. A closed session is one of the account, so it does not count. */
export const MARKET_CLOSED_PATTERN =
  /(markets?|exchange|trading)[\s_]*((is|has|was|are)[\s_]*)?(closed|not open)|after[\s_-]*market|outside (of )?(market|trading) (hours|session)/i;
