/**
 * Rejections in the words of India's exchanges and of the risk systems that most brokers use. The service passes them on unchanged. Their
 * amounts are rupees. Words: rejections that users of other brokers' APIs have published, and support pages of brokers, 2017 to 2026.
 */
import { REMEDY_PRICE_IN_BAND, REMEDY_MARKET_OPEN, REMEDY_READ_ORDER, type RefusalRule } from './refusal-remedies';
import { groupedDigits, groupedRupees } from './refusal-words';

const ADD_FUNDS = 'Reduce the quantity or add funds. "Order: Preview" shows the margin that an order needs.';
const TOO_LITTLE = 'There is not enough margin for this order';
const OUTSIDE_BAND = 'The price is outside the price band of the day';
const NEARER = 'Choose a price nearer to the last price.';

/** In the order in which they are tried. */
export const EXCHANGE_REJECTIONS: readonly RefusalRule[] = [
  {
    text: /required(?: margin is)?[:\s]{1,3}\S{1,24},?(?: but)? available/i,
    said: 'RMS:Margin Exceeds,Required:…, Available:…',
    message: TOO_LITTLE,
    figures: {
      in: /required(?: margin is)?[:\s]{1,3}\[?(-?[\d,]{1,15}(?:\.\d{1,2})?)\]?,?(?: but)? available(?: margin is)?[:\s]{1,3}\[?(-?[\d,]{1,15}(?:\.\d{1,2})?)/i,
      say: (needs, free) =>
        `${TOO_LITTLE}: it needs ${groupedRupees(needs!)}, and ${groupedRupees(free!)} is available`,
    },
    hint: ADD_FUNDS,
  },
  {
    text: /check peak margin/i,
    said: 'RED:RULE:{Check Peak Margin}Available:INR … Peak Margin:INR …',
    message: TOO_LITTLE,
    figures: {
      in: /available:\s?inr (-?[\d,]{1,15}(?:\.\d{1,2})?) peak margin:\s?inr ([\d,]{1,15}(?:\.\d{1,2})?)/i,
      say: (free, needs) =>
        `${TOO_LITTLE}: it needs ${groupedRupees(needs!)}, and ${groupedRupees(free!)} is available`,
    },
    hint: ADD_FUNDS,
  },
  {
    text: /margin exceeds|shortfall:|you need to add rs/i,
    said: 'RED:Margin Shortfall:INR …',
    message: TOO_LITTLE,
    figures: {
      in: /(?:shortfall:\s?inr |additional margin required:\s?|need to add rs\.? ?)([\d,]{1,15}(?:\.\d{1,2})?)/i,
      say: (lacking) => `${TOO_LITTLE}: ${groupedRupees(lacking!)} more is needed`,
    },
    hint: ADD_FUNDS,
  },
  {
    text: /low(er)?\s?(circuit|price range):|within circuit limit\s?\(/i,
    said: 'RED:RULE:{Check circuit limit including square off order}… LowerCircuit:INR … UpperCircuit:INR …',
    message: OUTSIDE_BAND,
    figures: {
      in: /(?:lowercircuit:\s?inr |low price range:\s?|within circuit limit\s?\()([\d,]{1,15}(?:\.\d{1,2})?)(?: uppercircuit:\s?inr | high price range:\s?| - )([\d,]{1,15}(?:\.\d{1,2})?)/i,
      say: (low, high) => `The price must be between ${groupedRupees(low!)} and ${groupedRupees(high!)} today`,
    },
    hint: REMEDY_PRICE_IN_BAND,
  },
  {
    text: /(current \[?lower circuit|lower circuit limit of)/i,
    said: 'Your order price is lower than the current lower circuit limit of …',
    message: OUTSIDE_BAND,
    figures: {
      in: /lower circuit limit of ([\d,]{1,15}(?:\.\d{1,2})?)/i,
      say: (low) => `The price must be ${groupedRupees(low!)} or higher today`,
    },
    hint: REMEDY_PRICE_IN_BAND,
  },
  {
    text: /(current \[?upper circuit|upper circuit limit of)/i,
    said: 'Your order price is higher than the current upper circuit limit of …',
    message: OUTSIDE_BAND,
    figures: {
      in: /upper circuit limit of ([\d,]{1,15}(?:\.\d{1,2})?)/i,
      say: (high) => `The price must be ${groupedRupees(high!)} or lower today`,
    },
    hint: REMEDY_PRICE_IN_BAND,
  },
  {
    text: /current execution range|lpp range|max price breached/i,
    said: '17070 : The Price is out of the current execution range',
    message: 'The price is too far from the last price: the exchange does not trade there now',
    hint: `${NEARER} A market order can also end like this where the order book is thin: use a limit order.`,
  },
  {
    text: /day'?s price range/i,
    said: "Order price is out of Day's price range",
    message: OUTSIDE_BAND,
    hint: REMEDY_PRICE_IN_BAND,
  },
  {
    text: /difference between limit price and trigger price|\b16448\b/i,
    said: '16448 : Difference between limit price and trigger price is beyond permissible range',
    message: 'Price and Trigger Price are too far apart for the exchange',
    hint: 'Choose a Price nearer to the Trigger Price.',
  },
  {
    text: /check freeze qty|freeze (qty set|quantity|limit)|quantity freeze/i,
    said: 'RED:Freeze qty Set:… Current:…',
    message: 'The quantity is above the largest that the exchange takes in one order (its freeze quantity)',
    figures: {
      in: /\bset:(\d{1,12})/i,
      say: (freeze) =>
        `The quantity is above the freeze quantity of the exchange, which is told as ${groupedDigits(freeze!)}`,
    },
    hint: 'Place it with "Order: Place", with a lower "Split Above" under Options: it becomes several orders.',
  },
  {
    text: /multiple of (the )?(regular|market|board|minimum) lot/i,
    said: 'Order quantity is not multiple of regular lot quantity',
    message: 'The quantity is not a multiple of the lot size',
    hint: 'Set Quantity In to Lots, or enter a multiple of the lot size, which "Instrument: Get" shows.',
  },
  {
    text: /not multiple of tick/i,
    said: 'RATE NOT MULTIPLE OF TICK [0.05000000]',
    message: 'The price is not a multiple of the tick size',
    figures: {
      in: /multiple of tick \[(\d{1,6}(?:\.\d{1,8})?)\]/i,
      say: (tick) => `The price must be a multiple of the tick, which is ${groupedRupees(tick!)}`,
    },
    hint: 'Set Round to Tick to Safe Side, or choose a price that is a multiple of the tick.',
  },
  {
    text: /trade[- ]to[- ]trade security|check (t2t|t1) holdings/i,
    said: 'RMS:Rule: Check T1 holdings including TT/BE/Z/T/TS',
    message: 'This share is traded for delivery only, and can be sold only when it has arrived in the demat account',
    hint: 'Choose the product Delivery (CNC). What was bought today can be sold on the next trading day.',
  },
  {
    text: /check holdings?\b|no holdings? (present|uploaded)|(sufficient|enough) holdings|short selling restricted in delivery/i,
    said: 'RED:RULE:{Check Holdings Including BTST}Eligible Sell:…',
    message: 'More of the share is sold than is held and free',
    figures: {
      in: /eligible sell:(\d{1,12})/i,
      say: (free) => `More of the share is sold than is held and free, which is ${groupedDigits(free!)}`,
    },
    hint: 'Sell fewer. To sell what you do not hold, choose the product Intraday. "Portfolio: Get Holdings" shows what is held.',
  },
  {
    text: /\btpin\b|\bddpi\b|\bpoa not\b/i,
    said: 'CDSL TPIN authorisation required',
    message: 'The sale is not authorised at the depository',
    hint: "Authorise the sale in your broker's app (TPIN, for the day), or sign a DDPI (once for all).",
  },
  {
    text: /ban period|\bmwpl\b|market[- ]wide position limit/i,
    said: 'RMS:Blocked for … F&O ban period',
    message: 'The share is in the F&O ban period of the exchange: its contracts can only be closed',
    hint: 'Place only orders that reduce a position, or wait for the end of the ban: the exchange publishes the list each trading day.',
  },
  {
    text: /\bmis (product type|trading|order)|nse_\w{2} ?mis|auto square ?off block|intraday (trading|orders?) (is|are) (stopped|blocked)/i,
    said: 'RMS:Blocked for nse_fo MIS Remarks:MIS PRODUCT TYPE BLOCKED',
    message: 'The broker takes no intraday order in this instrument now',
    hint: 'Choose the product Delivery (CNC). Before the close, brokers take no new intraday orders.',
  },
  {
    text: /\b(asm|gsm|esm)\b|under surveillance/i,
    said: 'RMS:Blocked for … BSE GSM stage',
    message: 'The exchange has this share under surveillance, and the broker restricts orders in it',
    hint: "Your broker's app shows what is allowed: often delivery only, at a limit price.",
  },
  {
    text: /market orders? (is|are) (blocked|not allowed)|market orders? without market protection|only limit orders/i,
    said: 'Market orders are blocked for stock options due to illiquidity',
    message: 'No market order is taken in this instrument now',
    hint: 'Choose the price type Limit, and a price near the last price.',
  },
  {
    text: /\bamo (is )?(stopped|not allowed|not available|blocked)|stopped amo/i,
    said: 'ORA:AMO is stopped',
    message: 'The broker takes no orders outside market hours now',
    hint: REMEDY_MARKET_OPEN,
  },
  {
    text: /account is (deactivated|suspended|dormant|blocked|inactive)|clientid \S{1,30} is not active|non-compliant client|not linked with aadhaar/i,
    said: 'ORA: clientid … is not active : Suspended',
    message: 'The account is not open for trading',
    hint: 'Ask the broker: incomplete KYC, a missing nominee, a debit balance or long inactivity are usual reasons.',
  },
  {
    text: /(exchange|segment|product( \w{1,12})?|client|option writing) not (enabled|activated|allowed)/i,
    said: 'ORA:Product MTF not enabled for Account …',
    message: 'The account is not enabled for this exchange, segment or product',
    hint: "Have it enabled in your broker's app, or choose another product.",
  },
  {
    text: /function not available|not allowed to trade in this market/i,
    said: '16052 : function not available',
    message: 'The exchange does not take this kind of order in this instrument now',
    hint: 'Choose the order type Regular and the price type Limit. Stop-loss orders at market are not taken in options.',
  },
  {
    text: /invalid data in the order packet|\b16419\b/i,
    said: '16419 : invalid data in the order packet',
    message: 'The exchange does not take one of the values of this order',
    hint: 'Check the quantity (lots), the price (tick) and the validity against "Instrument: Get".',
  },
  {
    text: /trigger price .{1,60}last traded price/i,
    said: 'Trigger price for stoploss buy orders should be higher than the last traded price',
    message: 'Trigger Price is on the wrong side of the last price',
    hint: 'To buy, it must be above the last price; to sell, below it.',
  },
  {
    text: /trigger price should be (less|lower|greater|higher) than (the )?(limit )?price/i,
    said: 'Trigger price should be less than limit price for buy order',
    message: 'Trigger Price and Price are the wrong way round',
    hint: 'To buy, Price must not be below Trigger Price; to sell, not above it.',
  },
  {
    text: /position limit/i,
    said: 'RMS:Rule: Position limit including CNC exceeds ,Current:…, limit set:…',
    message: 'The position would be above the limit for this account',
    figures: {
      in: /current:(\d{1,12}), ?limit set:(\d{1,12})/i,
      say: (now, limit) =>
        `The position would be ${groupedDigits(now!)}, and the limit for this account is ${groupedDigits(limit!)}`,
    },
    hint: 'Reduce the quantity, or close something first. The broker sets this limit.',
  },
  {
    text: /order value .{0,40}exceeds|single order limit/i,
    said: 'RMS:Order Value exceeds single order limit of …',
    message: 'The value of the order is above the largest that the broker takes in one',
    hint: 'Split the order into smaller ones.',
  },
  {
    text: /maximum allowed order modifications/i,
    said: 'Maximum allowed order modifications exceeded.',
    message: 'The order has already been changed as often as is allowed',
    hint: 'Cancel it and place another.',
  },
  {
    text: /order is already (complete|executed|cancelled|rejected)|order is not open to/i,
    said: 'SAF:order is not open to cancel',
    message: 'It is too late for this change: the order is not open any more',
    hint: REMEDY_READ_ORDER,
  },
  {
    text: /only ioc order/i,
    said: 'ONLY IOC ORDER ALLOWED IN RRM MODE',
    message: 'The broker is in the risk reduction mode of the exchange, which takes only orders that trade at once',
    hint: 'Choose the validity Immediate or Cancel, or try again later.',
  },
  {
    text: /voluntary close ?out/i,
    said: '16795 Order cancelled due to voluntary close out',
    message: 'The exchange cancelled the order when the broker closed out its orders',
    hint: 'Look at your position first. Then place it again if you still want it.',
  },
  {
    text: /^(rms|red): ?block(ed)?\b|block type:/i,
    said: 'RMS:Blocked for … block type: ALL',
    message: 'The broker has blocked new orders like this one',
    hint: "The service's words name what is blocked. Ask the broker how long, or place it with another product.",
  },
];
