/** The refusals whose meaning is known: by what each is known, what it means, and what to do. */
import { count, labelOf, money, rupees } from './refusal-words';

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
  figures?: { in: RegExp; say(...found: string[]): string };
  hint: string;
}

/** Remedy for a wrong field. */
export const CORRECT = 'Correct it and run it again. Nothing has changed at the exchange.';
export const ENABLE_ORDERS =
  'Ask the broker to move the account to this order system (V3), or use an account that is on it.';
/** Remedy for orders from an unregistered address, wherever n8n runs. */
export const REGISTER_IP =
  'Register the public IP address of n8n with the broker: that of its server, or of the proxy where there is one. It must always be the same, which n8n Cloud and most connections at home do not offer: then run n8n on a server. "Session: Check Static IP" shows the current and the registered addresses; the page "The rules since April 2026" of the documentation tells more.';
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
    message: 'The quantity is above the largest that the exchange takes in one order (its freeze quantity)',
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
    hint: 'Choose a price nearer to the last price.',
  },
  {
    text: /above_aggressor_limit/i,
    said: 'ABOVE_AGGRESSOR_LIMIT',
    message: 'The price is so far beyond the market that the broker does not let the order trade at once',
    hint: 'Choose a price nearer to the last price.',
  },
  {
    text: /short_option_restricted/i,
    said: 'SHORT_OPTION_RESTRICTED',
    message: 'This account may not sell this option now',
    hint: 'Ask the broker why selling is restricted, or buy an option instead.',
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
    hint: 'Choose an earlier Exit Time or Good Till Date, or the product Delivery (CNC).',
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
    hint: 'Try again when trading has resumed.',
  },
  {
    text: /after the close trading is at the closing price/i,
    said: 'SESSION_NOT_ALLOWED: after the close trading is at the closing price of … only',
    message: 'After the close, trading is at the closing price only',
    figures: {
      in: /closing price of (\d{1,12}) only/,
      say: (price) => `After the close, trading is at the closing price only, which is ${rupees(price!)}`,
    },
    hint: 'Enter the closing price, choose the price type Market, or place it in market hours.',
  },
  {
    text: /a call auction takes no ioc orders/i,
    said: 'SESSION_NOT_ALLOWED: a call auction takes no IOC orders',
    message: 'An auction takes no orders with the validity Immediate or Cancel',
    hint: 'Choose the validity Day, or place it in market hours.',
  },
  {
    text: /session_not_allowed/i,
    said: 'SESSION_NOT_ALLOWED',
    message: 'The exchange does not take this kind of order at this time of the day',
    hint: 'In an auction and after the close it takes regular orders only. Choose the order type Regular, or place it in market hours.',
  },
  {
    text: /market_data_behind/i,
    said: 'MARKET_DATA_BEHIND',
    message: 'The sandbox has no current price of the instrument: its connection to the live market is behind',
    hint: 'Try again when the page of the sandbox says that the mirror is live.',
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
    text: /insufficient_holdings|free; the rest is pledged/i,
    said: 'INSUFFICIENT_HOLDINGS',
    message: 'More of the share is sold than is held and free',
    figures: {
      in: /: (\d{1,12}) of (.{1,40}) to sell, (\d{1,12}) free/,
      say: (wanted, symbol, free) =>
        `${count(wanted!)} ${symbol} are to be sold, and ${count(free!)} are held and free`,
    },
    hint: 'Sell fewer. What is pledged or in another sell order is not free: "Portfolio: Get Holdings" and "Order: Get Many" show it.',
  },
  {
    text: /can't become ORDER_TYPE_STOPLOSS/,
    said: "order_type of an order with fills or a trigger behind it can't become ORDER_TYPE_STOPLOSS",
    message: 'An order that is partly filled or has been triggered cannot become a stop-loss order',
    hint: 'Cancel it and place a stop-loss order.',
  },
  {
    text: /rejected by the compliance check|edis/i,
    said: 'Rejected by the compliance check',
    message: 'More of the share is sold than you have authorised at the depository',
    figures: {
      in: /: (\d{1,12}) of (.{1,40}) to sell, (\d{1,12}) authorised/,
      say: (wanted, symbol, authorised) =>
        `${count(wanted!)} ${symbol} are to be sold, and ${count(authorised!)} are authorised at the depository`,
    },
    hint: "Authorise the sale in your broker's app (eDIS, for the day), sign a DDPI (once for all), or sell fewer.",
  },
  {
    text: /cannot be paid out/i,
    said: '… cannot be paid out',
    message: 'This amount cannot be paid out: not so much money is free',
    hint: 'Take out less. "Portfolio: Get Funds" shows what is free.',
  },
  {
    text: /an exit of .{1,40} has been triggered/i,
    said: 'an exit of order … has been triggered',
    message: 'An exit of the order has been triggered and cannot be changed any more',
    hint: LOOK,
  },
  {
    text: /it can'?t be (modified|cancelled|exited|changed) any more/i,
    said: "it can't be modified any more",
    message: 'It is too late for this change: the order or basket has ended',
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
    text: /only its exits can be changed/i,
    said: 'the entry of order … is over: only its exits can be changed',
    message: 'The entry of the order is over: only its exits can be changed',
    hint: 'Change Stop Loss, Target or Exit Time alone.',
  },
  {
    text: /only an open or filled basket can be/i,
    said: 'only an open or filled basket can be cancelled or exited',
    message: 'It is too late for this change: the basket has ended',
    hint: 'Read it first: "Basket: Get" shows what became of it.',
  },
  {
    text: /only a pending order can be|can be (cancelled|modified|exited|changed) (only|now)|does not work at the exchange/i,
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
    text: /already filled/i,
    said: 'order_qty must be above the … that are already filled',
    message: 'The quantity must be above what is already filled',
    figures: {
      in: /above the (\d{1,12}) that are already filled/,
      say: (filled) => `The quantity must be above ${count(filled!)}, which are already filled`,
    },
    hint: 'Enter the new quantity of the whole order. To keep only what is filled, cancel the order.',
  },
  {
    text: /has been triggered/i,
    said: 'the entry of order … has been triggered: entryConfig is behind it',
    message: 'The entry of the order has been triggered: what it waited for cannot be changed any more',
    hint: LOOK,
  },
  {
    text: /is at the exchange/i,
    said: "order … is at the exchange: it can't wait for a condition any more",
    message: 'The order is at the exchange already and cannot wait for a condition any more',
    hint: 'Cancel it, and place one with the condition.',
  },
  {
    text: /is being entered/i,
    said: "strategy … is being entered: its qty can't be changed",
    message: 'The strategy is being entered: its quantity cannot be changed now',
    hint: 'Try again when it is entered: "Basket: Get" shows it.',
  },
  {
    text: /was sliced/i,
    said: "order … was sliced: its qty can't be changed, cancel it and place another",
    message: 'The order was split into slices: its quantity cannot be changed',
    hint: 'Cancel it and place another.',
  },
  {
    text: /as a whole|whole order/i,
    said: 'order … is a leg of basket …, which is cancelled or exited as a whole',
    message: 'The order is a leg of a basket, which is changed as a whole',
    hint: 'Use "Basket: Modify", "Basket: Cancel" or "Basket: Close".',
  },
  {
    text: /is on its way|already being/i,
    said: 'a request for the order is on its way',
    message: 'Another change of it is in progress',
    hint: 'Try again in a moment.',
  },
  {
    text: /pledge of .{1,40} carries margin that is in use/i,
    said: 'the pledge of … carries margin that is in use',
    message: 'The pledge cannot be released: it carries margin that is in use',
    hint: 'Close positions or add funds first.',
  },
  {
    text: /pledge|released/i,
    said: 'a pledge is refused',
    message: 'The pledge is refused',
    hint: '"Portfolio: Get Holdings" shows how many shares are free and how many are pledged.',
  },
  {
    text: /net premium was not there/i,
    said: 'the net premium was not there',
    message: 'Nobody traded the strategy at your net price, so it was cancelled at once',
    hint: 'Choose another price, or the validity Day, with which it waits.',
  },
  {
    text: /not filled by the close/i,
    said: 'not filled by the close',
    message: 'It was not filled by the close of the market, and has ended',
    hint: 'Place it again on the next trading day.',
  },
];
