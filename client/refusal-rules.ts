/** The refusals whose meaning is known: by what each is known, what it means, and what to do. */
import { EXCHANGE_REJECTIONS } from './exchange-rejections';
import { ORDER_REJECTIONS } from './order-rejections';
import { REMEDY_CORRECT_FIELD, REMEDY_READ_ORDER, type RefusalRule } from './refusal-remedies';
import { groupedDigits, refusedFieldLabel, paiseDigitsInRupees, capitalise } from './refusal-words';

/** Refusals whose meaning is known. The first that matches counts. */
export const REFUSALS: readonly RefusalRule[] = [
  ...EXCHANGE_REJECTIONS,
  ...ORDER_REJECTIONS,
  {
    text: /report generation failed/i,
    said: 'Report generation failed',
    message: 'The service could not make the report',
    hint: 'There may be no data in this range. Choose another range, or add "When There Is No Data" under Options to go on without it.',
  },
  {
    text: /\w{1,60} -?\d{1,12} must be (above|below) the entry/,
    said: 'stoplossTriggerPrice 150000 must be below the entry (149000)',
    message: 'An exit is on the wrong side of the entry',
    figures: {
      in: /(\w{1,60}) (-?\d{1,12}) must be (above|below) the entry \((-?\d{1,12})\)/,
      say: (name, price, where, entry) =>
        capitalise(
          `${refusedFieldLabel(name!)} ${paiseDigitsInRupees(price!)} must be ${where} the entry (${paiseDigitsInRupees(entry!)})`,
        ),
    },
    hint: `${REMEDY_CORRECT_FIELD} If the number is no price, set Exits Given As to what it is.`,
  },
  {
    text: /stop loss -?\d{1,12} must be (above|below) target/i,
    said: 'stop loss 90000 must be below target 80000',
    message: 'The stop loss is on the wrong side of the target',
    figures: {
      in: /stop loss (-?\d{1,12}) must be (above|below) target (-?\d{1,12})/,
      say: (stop, where, target) =>
        `Stop Loss ${paiseDigitsInRupees(stop!)} must be ${where} Target ${paiseDigitsInRupees(target!)}`,
    },
    hint: REMEDY_CORRECT_FIELD,
  },
  {
    text: /must be a whole number of paise/i,
    said: 'order_price must be a whole number of paise',
    message: 'A price must be above ₹0 and have two decimals at most',
    figures: {
      in: /(?<!\S)(\S{1,60}) must be a whole number of paise/,
      say: (name) => `${refusedFieldLabel(name!)} must be above ₹0 and have two decimals at most`,
    },
    hint: REMEDY_CORRECT_FIELD,
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
    hint: REMEDY_CORRECT_FIELD,
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
      say: (quantity, symbol, free) =>
        `${groupedDigits(quantity!)} ${symbol} are to be sold, and ${groupedDigits(free!)} are held and free`,
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
      say: (quantity, symbol, authorised) =>
        `${groupedDigits(quantity!)} ${symbol} are to be sold, and ${groupedDigits(authorised!)} are authorised at the depository`,
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
    hint: REMEDY_READ_ORDER,
  },
  {
    text: /it can'?t be (modified|cancelled|exited|changed) any more/i,
    said: "it can't be modified any more",
    message: 'It is too late for this change: the order or basket has ended',
    hint: REMEDY_READ_ORDER,
  },
  {
    text: /exit_?time must be inside the session/i,
    said: 'exitConfig.exitTime must be inside the session',
    message: 'Exit Time is at a time at which the order does not trade with this product',
    hint: 'Choose an earlier Exit Time. Intraday is squared off before the close: "Order: Preview" shows in trading_slot when, and a sandbox that keeps the exchanges\' hours does it at 15:10 with shares, at 15:30 with futures and options. With Delivery, a share whose close is found by an auction trades until 15:15.',
  },
  {
    text: /entry_?time must be before the close of the session/i,
    said: 'entryConfig.entryTime must be before the close of the session',
    message: 'Entry Time is after the end of its session: no intraday position is opened once the broker squares off',
    hint: 'Choose an earlier Entry Time. "Order: Preview" shows in trading_slot until when it may be.',
  },
  {
    text: /it is too late today for an intraday basket/i,
    said: 'it is too late today for an intraday basket',
    message: 'It is too late for an intraday basket today: the usual exit time has passed',
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
    hint: REMEDY_READ_ORDER,
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
    hint: REMEDY_READ_ORDER,
  },
  {
    text: /already filled/i,
    said: 'order_qty must be above the … that are already filled',
    message: 'The quantity must be above what is already filled',
    figures: {
      in: /above the (\d{1,12}) that are already filled/,
      say: (filled) => `The quantity must be above ${groupedDigits(filled!)}, which are already filled`,
    },
    hint: 'Enter the new quantity of the whole order. To keep only what is filled, cancel the order.',
  },
  {
    text: /has been triggered/i,
    said: 'the entry of order … has been triggered: entryConfig is behind it',
    message: 'The entry of the order has been triggered: what it waited for cannot be changed any more',
    hint: REMEDY_READ_ORDER,
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
