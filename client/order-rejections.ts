/** Rejections of an order by the account's rights, the risk check, the limits of the exchange and the hours of the market. */
import {
  REMEDY_ORDER_SYSTEM,
  REMEDY_PRICE_IN_BAND,
  MARKET_CLOSED_PATTERN,
  REMEDY_MARKET_OPEN,
  REMEDY_REGISTER_IP,
  type RefusalRule,
} from './refusal-remedies';
import { groupedDigits, refusedFieldLabel, groupedRupees, paiseDigitsInRupees } from './refusal-words';

/** In the order in which they are tried. */
export const ORDER_REJECTIONS: readonly RefusalRule[] = [
  {
    status: 403,
    text: /oms|order system|not enabled/i,
    said: 'OMS v2 is not enabled',
    message: 'The account may not use this order system',
    hint: REMEDY_ORDER_SYSTEM,
  },
  {
    text: /no ip address(es)? registered/i,
    said: 'No IP addresses registered for user',
    message: 'No IP address is registered for this account',
    hint: REMEDY_REGISTER_IP,
  },
  {
    status: 403,
    text: /\bip\b|ip address|static/i,
    said: 'The request does not come from the registered IP address',
    message: 'The IP address of this machine is not registered for this account',
    hint: REMEDY_REGISTER_IP,
  },
  {
    text: /insufficient[_ ]margin|insufficient (funds|balance)/i,
    said: 'INSUFFICIENT_MARGIN',
    message: 'There is not enough margin for this order',
    figures: {
      in: /needs Rs ([\d,.]{1,20}), available are Rs ([\d,.]{1,20}\d)/,
      say: (needs, free) =>
        `There is not enough margin for this order: it needs ${groupedRupees(needs!)}, and ${groupedRupees(free!)} is available`,
    },
    hint: 'Reduce the quantity or add funds. "Order: Preview" shows the margin that an order needs.',
  },
  {
    text: /freeze qty/i,
    said: 'ORDER QTY IS GREATER THAN FREEZE QTY',
    message: 'The quantity is above the largest that the exchange takes in one order (its freeze quantity)',
    figures: {
      in: /: (\d{1,12}) is above (\d{1,12})/,
      say: (quantity, max) =>
        `The quantity must be ${groupedDigits(max!)} at most in one order, which is the freeze quantity of the exchange; it is ${groupedDigits(quantity!)}`,
    },
    hint: 'Place it with "Order: Place", with a lower "Split Above" under Options: it becomes several orders.',
  },
  {
    text: /exceeds the maximum order quantity/i,
    said: 'exceeds the maximum order quantity limit',
    message: 'The quantity is above the largest that one order may have',
    figures: {
      in: /limit of (\d{1,12})/,
      say: (max) => `The quantity must be ${groupedDigits(max!)} at most in one order`,
    },
    hint: 'Split the order into smaller ones.',
  },
  {
    text: /multiple of (the )?(current )?lots? size/i,
    said: 'quantity entered is not a multiple of current lots size',
    message: 'The quantity is not a multiple of the lot size',
    figures: {
      in: /(\d{1,12}) is not a multiple of (\d{1,12})/,
      say: (quantity, lot) =>
        `The quantity must be a multiple of the lot, which is ${groupedDigits(lot!)}; it is ${groupedDigits(quantity!)}`,
    },
    hint: 'Set Quantity In to Lots, or enter a multiple of the lot size, which "Instrument: Get" shows.',
  },
  {
    text: /price[_ ]band[_ ]hit|circuit/i,
    said: 'PRICE_BAND_HIT',
    message: 'The price is outside the price band of the day',
    figures: {
      in: /band of (\d{1,12}) to (\d{1,12})/,
      say: (low, high) =>
        `The price must be between ${paiseDigitsInRupees(low!)} and ${paiseDigitsInRupees(high!)} today`,
    },
    hint: REMEDY_PRICE_IN_BAND,
  },
  {
    text: /multiple of the tick size/i,
    said: 'order_price … is not a multiple of the tick size …',
    message: 'The price is not a multiple of the tick size',
    figures: {
      in: /(\S{1,60}) \d{1,12} is not a multiple of the tick size (\d{1,12}): nearest are (\d{1,12}) and (\d{1,12})/,
      say: (name, tick, below, above) =>
        `${refusedFieldLabel(name!)} must be a multiple of the tick, which is ${paiseDigitsInRupees(tick!)}: the nearest are ${paiseDigitsInRupees(below!)} and ${paiseDigitsInRupees(above!)}`,
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
        `The price must be ${where === 'above' ? 'at most' : 'at least'} ${paiseDigitsInRupees(worst!)} now: beyond that it is too far from the price of the option`,
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
      say: (price) => `After the close, trading is at the closing price only, which is ${paiseDigitsInRupees(price!)}`,
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
  { text: MARKET_CLOSED_PATTERN, said: 'MARKET_CLOSED', message: 'The market is closed', hint: REMEDY_MARKET_OPEN },
];
