/**
 * The one translator of refusals: what the service, the exchange and the risk check say, in the words of the panel. Rupees in place of paise, the
 * label of the field, what is allowed, and what to do next. Callers keep the service's own words beside it.
 */

/** A refusal in the user's words; the message is a sentence without its full stop. */
export interface TranslatedRefusal {
  message: string;
  hint: string;
}

/** One kind of refusal. */
export interface RefusalRule {
  /** Only with this status of a reply; left out where the text alone says it. */
  status?: number;
  /** Pattern of the service's code or words. */
  text: RegExp;
  /** The service's code or words, for display; … replaces a figure or a name. */
  said: string;
  /** Meaning of a text without readable figures. */
  message: string;
  /** Pattern of the figures in the text, and the sentence with them. */
  figures?: { in: RegExp; say(...found: string[]): string };
  hint: string;
}

/** Words of the wire for fields, by what the panel calls them; the longer ones stand first. `isPrice`: what follows is paise. `isFirst`:
 * a word of other sentences too, it is the field where the text begins with it. */
const FIELDS: readonly { name: string; label: string; isPrice?: true; isFirst?: true }[] = [
  { name: 'basket_params.momentum_trigger_price', label: 'Trigger Price', isPrice: true },
  { name: 'basket_params.stoploss_price', label: 'Stop Loss', isPrice: true },
  { name: 'basket_params.entry_price', label: 'Price', isPrice: true },
  { name: 'basket_params.exit_price', label: 'Target', isPrice: true },
  { name: 'basket_params.trail_jump', label: 'Trail By', isPrice: true },
  { name: 'basket_params.entry_time', label: 'Entry Time' },
  { name: 'basket_params.exit_time', label: 'Exit Time' },
  { name: 'basket_params.multiplier', label: 'Multiplier' },
  { name: 'algo_params.trigger_price', label: 'Trigger Price', isPrice: true },
  { name: 'algo_params.leg_size', label: 'Leg Size' },
  { name: 'icebergInfo.numberOfLegs', label: 'Number of Slices' },
  { name: 'icebergInfo.maxQtyPerLeg', label: 'Leg Size' },
  { name: 'entryConfig.entryTime', label: 'Entry Time' },
  { name: 'exitConfig.exitTime', label: 'Exit Time' },
  { name: 'targetProfitTriggerPrice', label: 'Target', isPrice: true },
  { name: 'targetProfitLimitPrice', label: 'limit of the Target', isPrice: true },
  { name: 'stoplossTriggerPrice', label: 'Stop Loss', isPrice: true },
  { name: 'stoplossLimitPrice', label: 'limit of the Stop Loss', isPrice: true },
  { name: 'stoplossTrailJump', label: 'Trail By', isPrice: true },
  { name: 'stoploss_price', label: 'Stop Loss', isPrice: true },
  { name: 'trigger_price', label: 'Trigger Price', isPrice: true },
  { name: 'entryPrice', label: 'Price', isPrice: true },
  { name: 'order_price', label: 'Price', isPrice: true },
  { name: 'exit_price', label: 'Target', isPrice: true },
  { name: 'validity_type', label: 'Validity' },
  { name: 'validityType', label: 'Validity' },
  { name: 'goodTillDate', label: 'Good Till Date' },
  { name: 'icebergInfo', label: 'the iceberg' },
  { name: 'entryConfig', label: 'the entry' },
  { name: 'exitConfig', label: 'the exits' },
  { name: 'price_type', label: 'Price Type' },
  { name: 'order_type', label: 'Order Type' },
  { name: 'stratTags', label: 'Tag' },
  { name: 'priceType', label: 'Price Type' },
  { name: 'order_qty', label: 'Quantity' },
  { name: 'leg_size', label: 'Leg Size' },
  { name: 'exit_time', label: 'Exit Time' },
  { name: 'unitQty', label: 'Quantity of the leg' },
  { name: 'ref_id', label: 'ref_id' },
  { name: 'refId', label: 'ref_id' },
  { name: 'orders', label: 'Legs', isFirst: true },
  { name: 'legs', label: 'Legs', isFirst: true },
  { name: 'side', label: 'Side', isFirst: true },
  { name: 'qty', label: 'Quantity', isFirst: true },
];

/** Words of the wire for values. */
const VALUES: Readonly<Record<string, string>> = {
  ORDER_TYPE_STOPLOSS: 'stop-loss orders',
  ORDER_TYPE_ICEBERG: 'iceberg orders',
  ORDER_DELIVERY_TYPE_IDAY: 'Intraday',
  ORDER_DELIVERY_TYPE_CNC: 'Delivery',
  LIMIT: 'Limit',
  MARKET: 'Market',
  IOC: 'Immediate or Cancel',
  DAY: 'Day',
  GTE: 'Good Till Date',
};

const amount = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const whole = new Intl.NumberFormat('en-IN');

/** Paise, as digits, in rupees: ₹1,065.50. */
export const rupees = (paise: string): string => amount.format(Number(paise) / 100);
const count = (digits: string): string => whole.format(Number(digits));
/** Rupees with or without separators, as the risk check writes them. */
const money = (text: string): string => amount.format(Number(text.replaceAll(',', '')));

const labelOf = (name: string): string => FIELDS.find((field) => name.endsWith(field.name))?.label ?? name;

const CORRECT = 'Correct it and run it again. Nothing of this order is at the exchange.';
export const ENABLE_ORDERS =
  'Ask the broker to move the account to this order system (V3), or use an account that is on it.';
/** Remedy for orders from an unregistered address, wherever n8n runs. */
export const REGISTER_IP =
  'Register with the broker the address at which n8n leaves your network: of a server its own, behind a proxy that of the proxy. n8n Cloud and most connections at home have none that stays: run n8n on a server. "Session: Check Static IP" shows the current and the registered addresses; the page "The rules since April 2026" of the documentation tells more.';
const OPEN_AGAIN = 'Try again when it is open: the trigger\'s "At Market Time" starts a workflow then.';
const LOOK = 'Read it first: "Order: Get" shows what became of it.';

/** The service's words for a market that is closed. A closed session is one of the account, so it does not count. */
export const MARKET_CLOSED =
  /(market|exchange|trading)[\s_]*((is|has|was|are)[\s_]*)?(closed|not open)|after[\s_-]*market|outside (of )?(market|trading) (hours|session)/i;

/** Refusals whose meaning is known. The first that matches counts. */
export const REFUSALS: readonly RefusalRule[] = [
  {
    status: 403,
    text: /oms|order system|not enabled/i,
    said: 'OMS v2 is not enabled',
    message: 'The account may not use this order system',
    hint: ENABLE_ORDERS,
  },
  {
    text: /no ip address(es)? registered/i,
    said: 'No IP addresses registered for user',
    message: 'No IP address is registered for this account',
    hint: REGISTER_IP,
  },
  {
    status: 403,
    text: /\bip\b|ip address|static/i,
    said: 'The request does not come from the registered IP address',
    message: 'The IP address of this machine is not registered for this account',
    hint: REGISTER_IP,
  },
  {
    text: /insufficient[_ ]margin|insufficient (funds|balance)/i,
    said: 'INSUFFICIENT_MARGIN',
    message: 'There is not enough margin for this order',
    figures: {
      in: /needs Rs ([\d,.]{1,20}), available are Rs ([\d,.]{1,20}\d)/,
      say: (needs, free) =>
        `There is not enough margin for this order: it needs ${money(needs!)}, and ${money(free!)} is available`,
    },
    hint: 'Reduce the quantity or add funds. "Order: Preview" shows the margin that an order needs.',
  },
  {
    text: /freeze qty/i,
    said: 'ORDER QTY IS GREATER THAN FREEZE QTY',
    message: 'The quantity is above the freeze quantity of the exchange',
    figures: {
      in: /: (\d{1,12}) is above (\d{1,12})/,
      say: (wanted, most) =>
        `The quantity must be ${count(most!)} at most in one order, which is the freeze quantity of the exchange; it is ${count(wanted!)}`,
    },
    hint: 'Place it with "Order: Place", with a lower "Split Above" under Options: it becomes several orders.',
  },
  {
    text: /exceeds the maximum order quantity/i,
    said: 'exceeds the maximum order quantity limit',
    message: 'The quantity is above the largest that one order may have',
    figures: { in: /limit of (\d{1,12})/, say: (most) => `The quantity must be ${count(most!)} at most in one order` },
    hint: 'Split the order into smaller ones.',
  },
  {
    text: /multiple of (the )?(current )?lots? size/i,
    said: 'quantity entered is not a multiple of current lots size',
    message: 'The quantity is not a multiple of the lot size',
    figures: {
      in: /(\d{1,12}) is not a multiple of (\d{1,12})/,
      say: (wanted, lot) =>
        `The quantity must be a multiple of the lot, which is ${count(lot!)}; it is ${count(wanted!)}`,
    },
    hint: 'Set Quantity In to Lots, or enter a multiple of the lot size, which "Instrument: Get" shows.',
  },
  {
    text: /price[_ ]band[_ ]hit|circuit/i,
    said: 'PRICE_BAND_HIT',
    message: 'The price is outside the price band of the day',
    figures: {
      in: /band of (\d{1,12}) to (\d{1,12})/,
      say: (low, high) => `The price must be between ${rupees(low!)} and ${rupees(high!)} today`,
    },
    hint: 'Choose a price within the band around the previous close.',
  },
  {
    text: /multiple of the tick size/i,
    said: 'order_price … is not a multiple of the tick size …',
    message: 'The price is not a multiple of the tick size',
    figures: {
      in: /(\S{1,60}) \d{1,12} is not a multiple of the tick size (\d{1,12}): nearest are (\d{1,12}) and (\d{1,12})/,
      say: (name, tick, below, above) =>
        `${labelOf(name!)} must be a multiple of the tick, which is ${rupees(tick!)}: the nearest are ${rupees(below!)} and ${rupees(above!)}`,
    },
    hint: 'Set Round to Tick to Safe Side, or enter one of the nearest prices.',
  },
  {
    text: /limit_price_protection/i,
    said: 'LIMIT_PRICE_PROTECTION',
    message: 'The limit is too far from the price of the option',
    figures: {
      in: /order_price \d{1,12} is (above|below) (\d{1,12})/,
      say: (where, worst) =>
        `The price must be ${where === 'above' ? 'at most' : 'at least'} ${rupees(worst!)} now: beyond that it is too far from the price of the option`,
    },
    hint: 'Choose a price nearer to the last one.',
  },
  {
    text: /above_aggressor_limit/i,
    said: 'ABOVE_AGGRESSOR_LIMIT',
    message: 'The price is further from the market than the service lets an order trade at once',
    hint: 'Choose a price nearer to the last one.',
  },
  {
    text: /short_option_restricted/i,
    said: 'SHORT_OPTION_RESTRICTED',
    message: 'Options of this kind may not be sold on this account now',
    hint: 'Buy an option instead, or ask the broker why selling is restricted.',
  },
  {
    text: /beyond the asset expiry/i,
    said: 'ERR011 You cannot place an order beyond the asset expiry',
    message: 'The order would last beyond the day on which its contract expires',
    hint: 'Choose an earlier Good Till Date, or a later contract.',
  },
  {
    text: /limit order for day validity/i,
    said: 'Use a Limit Order for Day validity.',
    message: 'A market order cannot have the validity Day',
    hint: 'Choose the validity Immediate or Cancel, or the price type Limit.',
  },
  {
    text: /intraday orders cannot have an expiry/i,
    said: 'Intraday orders cannot have an expiry beyond today',
    message: 'An intraday order cannot last beyond today',
    hint: 'Choose another expiry, or delivery (CNC).',
  },
  {
    text: /intraday_closed/i,
    said: 'INTRADAY_CLOSED',
    message: 'No intraday position can be opened any more today',
    figures: {
      in: /opened after (\d\d:\d\d)/,
      say: (time) => `No intraday position can be opened after ${time} IST today`,
    },
    hint: 'Choose the product Delivery (CNC), or place it on the next trading day.',
  },
  {
    text: /trade for trade, intraday orders are not allowed/i,
    said: 'X is in series BE of NSE: trade for trade, intraday orders are not allowed',
    message: 'Shares of this series are for delivery only',
    hint: 'Choose the product Delivery (CNC).',
  },
  {
    text: /market_halted/i,
    said: 'MARKET_HALTED',
    message: 'Trading is halted: the exchange takes no orders',
    hint: 'Try again when trading goes on.',
  },
  {
    text: /session_not_allowed/i,
    said: 'SESSION_NOT_ALLOWED',
    message: 'The session of the exchange that is on now does not take this kind of order',
    hint: 'In an auction and after the close only regular orders are taken, after the close at the closing price. Place it in market hours.',
  },
  {
    text: /market_data_behind/i,
    said: 'MARKET_DATA_BEHIND',
    message: 'The price of the instrument is not known to the sandbox now, as its live market is behind',
    hint: 'Try again when the mirror is live.',
  },
  {
    text: /can'?t cancel this order right now/i,
    said: "Can't cancel this order right now",
    message: 'The order cannot be cancelled right now',
    hint: 'A modification may be in progress: check its status and try again.',
  },
  {
    text: /can'?t modify this order right now|modif\w{1,10} .{0,30}right now/i,
    said: "Can't modify this order right now",
    message: 'The order cannot be modified right now',
    hint: 'Another change may be in progress: check its status and try again.',
  },
  { text: MARKET_CLOSED, said: 'MARKET_CLOSED', message: 'The market is closed', hint: OPEN_AGAIN },
  {
    text: /report generation failed/i,
    said: 'Report generation failed',
    message: 'The service could not make the report',
    hint: 'There may be no data in this range. Choose another range, or try again later.',
  },
  {
    text: /stop loss \d{1,12} must be (above|below) target/i,
    said: 'stop loss 90000 must be below target 80000',
    message: 'The stop loss is on the wrong side of the target',
    figures: {
      in: /stop loss (\d{1,12}) must be (above|below) target (\d{1,12})/,
      say: (stop, where, target) => `Stop Loss ${rupees(stop!)} must be ${where} Target ${rupees(target!)}`,
    },
    hint: CORRECT,
  },
  {
    text: /must be a whole number of paise/i,
    said: 'order_price must be a whole number of paise',
    message: 'A price must be above ₹0 and have two decimals at most',
    figures: {
      in: /(\S{1,60}) must be a whole number of paise/,
      say: (name) => `${labelOf(name!)} must be above ₹0 and have two decimals at most`,
    },
    hint: CORRECT,
  },
  {
    text: /is already in orders\[|is in legs twice/i,
    said: 'ref_id … is already in orders[0]',
    message: 'Two legs have the same instrument',
    hint: 'Take one of the two out, or give the sum in one leg.',
  },
  {
    text: /has either maxQtyPerLeg or numberOfLegs/i,
    said: 'icebergInfo has either maxQtyPerLeg or numberOfLegs',
    message: 'An iceberg order has Leg Size or Number of Slices, never both',
    hint: CORRECT,
  },
  {
    text: /has no trigger$/i,
    said: 'order … has no trigger',
    message: 'The order has no trigger that could be changed',
    hint: 'Leave Trigger Price out: only a stop-loss order has one.',
  },
  {
    text: /is a strategy of an intent order/i,
    said: '… is a strategy of an intent order',
    message: 'This is a strategy of several legs',
    hint: 'Change it with "Basket: Modify".',
  },
  {
    text: /rejected by the compliance check|edis/i,
    said: 'Rejected by the compliance check',
    message: 'More of the share is sold than is authorised at the depository',
    figures: {
      in: /: (\d{1,12}) of (.{1,40}) to sell, (\d{1,12}) authorised/,
      say: (wanted, symbol, authorised) =>
        `${count(wanted!)} ${symbol} are to be sold, and ${count(authorised!)} are authorised at the depository`,
    },
    hint: "Authorise the sale in your broker's app (eDIS or DDPI), or sell fewer.",
  },
  {
    text: /cannot be paid out/i,
    said: '… cannot be paid out',
    message: 'So much cannot be paid out: it is not free',
    hint: 'Take out less.',
  },
  {
    text: /it can'?t be (modified|cancelled|exited|changed) any more/i,
    said: "it can't be modified any more",
    message: 'It is too late for this change: it has ended',
    hint: LOOK,
  },
  {
    text: /it is too late today for an intraday basket/i,
    said: 'it is too late today for an intraday basket',
    message: 'It is too late for an intraday basket today: the usual exit time is over',
    hint: 'Choose the product Delivery (CNC), or place it on the next trading day.',
  },
  {
    text: /the underlying .{1,40}, all legs must have|all legs must be on/i,
    said: 'all legs must be on one exchange',
    message: 'All legs must be of one underlying and on one exchange',
    hint: 'Correct the legs, or place them as separate orders.',
  },
  {
    text: /is not an instrument of this environment/i,
    said: 'ref_id … is not an instrument of this environment today',
    message: 'The instrument is not known in this environment today',
    hint: 'Pick it again, or enter its symbol: a ref_id belongs to one environment.',
  },
  {
    text: /which can'?t be traded/i,
    said: "the index …, which can't be traded",
    message: 'An index cannot be traded itself',
    hint: 'Choose one of its futures or options, or an ETF that follows it.',
  },
  {
    text: /only (a pending order|an open or filled basket|its exits) can be|can be (cancelled|modified|exited|changed) (only|now)|does not work at the exchange/i,
    said: 'only a pending order can be modified',
    message: 'It is too late for this change: the order is not waiting any more',
    hint: LOOK,
  },
  {
    text: /is not an? (order|basket) of today|there is no (order|basket)/i,
    said: 'order … is not an order of today',
    message: 'There is no such order or basket today',
    hint: 'Check the id: the service keeps orders of one day.',
  },
  {
    text: /has no such exit that is still open|there is no such exit|nothing of it is open/i,
    said: 'order … has no such exit that is still open',
    message: 'There is no such exit any more',
    hint: LOOK,
  },
  {
    text: /already filled|has been triggered|is at the exchange|is being entered|was sliced|is on its way|already being|whole order|as a whole/i,
    said: 'a request for the order is on its way',
    message: 'The order cannot be changed in this way any more',
    hint: LOOK,
  },
  {
    text: /pledge|released/i,
    said: 'a pledge is refused',
    message: 'The pledge is refused',
    hint: 'Check how many of the holding are free and pledged: "Portfolio: Get Holdings".',
  },
  {
    text: /net premium was not there/i,
    said: 'the net premium was not there',
    message: 'The net premium of the strategy was not there, and it was cancelled at once',
    hint: 'Choose another price, or the validity Day.',
  },
  {
    text: /not filled by the close/i,
    said: 'not filled by the close',
    message: 'It was not filled by the close of the market, and has ended',
    hint: 'Place it again on the next trading day.',
  },
];

/**
 * Translates a refusal to the words of the panel.
 * @param text the service's code or words. @param status of the reply; undefined for a rejection in a record or a message
 * @returns undefined for unknown words.
 */
export function translateRefusal(text: string, status?: number): TranslatedRefusal | undefined {
  const known = REFUSALS.find((rule) => (rule.status === undefined || rule.status === status) && rule.text.test(text));
  const isOfOrder = status === undefined || status === 400 || status === 422;
  if (known === undefined) return isOfOrder ? ofField(text) : undefined;
  const found = known.figures?.in.exec(text);
  return {
    message: found ? known.figures!.say(...found.slice(1)) : known.message,
    hint: known.hint,
  };
}

/** A rule about a field that the service names: its own sentence, with the panel's label and rupees in place of its words. */
function ofField(text: string): TranslatedRefusal | undefined {
  let sentence = text;
  let named: string | undefined;
  for (const { name, label, isPrice, isFirst } of FIELDS) {
    if (isFirst ? !sentence.startsWith(`${name} `) : !sentence.includes(name)) continue;
    const parts = sentence.split(name);
    // A name within a longer word is another word.
    if (parts.slice(1).every((part) => /^\w/.test(part))) continue;
    named ??= label;
    sentence = parts
      .map((part, at) =>
        at > 0 && isPrice
          ? part.replace(/^(\s\(?)(\d{1,12})\b/, (_, gap: string, paise: string) => gap + rupees(paise))
          : part,
      )
      .join(label);
  }
  if (named === undefined) return undefined;
  const words = sentence.replace(/\b[A-Z][A-Z_]{2,40}\b/g, (word) => VALUES[word] ?? word);
  return {
    message: words.charAt(0).toUpperCase() + words.slice(1),
    hint: `${CORRECT} The field is ${named}.`,
  };
}
