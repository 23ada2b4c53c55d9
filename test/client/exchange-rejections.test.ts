/** Rejections as users of Indian brokers' APIs have published them: each is told in words, with its figures in rupees. */
import { translateRefusal } from '../../client/refusals';
import { EXCHANGE_REJECTIONS } from '../../client/exchange-rejections';

const ACROSS = ' for entity account-XX123 across exchange across segment across product ';

it.each([
  [
    `RMS:Margin Exceeds,Required:95417.84, Available:74251.80${ACROSS}`,
    'There is not enough margin for this order: it needs ₹95,417.84, and ₹74,251.80 is available',
  ],
  [
    `RMS: Margin Exceeds, Required:[80000], Available:[50000],${ACROSS}`,
    'There is not enough margin for this order: it needs ₹80,000.00, and ₹50,000.00 is available',
  ],
  [
    'Insufficient funds. Required margin is 95417.84 but available margin is 74251.80. Check the orderbook for open orders.',
    'There is not enough margin for this order: it needs ₹95,417.84, and ₹74,251.80 is available',
  ],
  [
    `RMS:Margin Exceeds,Cash Available:1537430.61,Additional margin required:321.49${ACROSS}`,
    'There is not enough margin for this order: ₹321.49 more is needed',
  ],
  [
    'RED:Margin Shortfall:INR 203.50 Available:INR 7236.50 for C-XX [RISK2]',
    'There is not enough margin for this order: ₹203.50 more is needed',
  ],
  [
    'RED:RULE:{Check Peak Margin}Available:INR -12345.67 Peak Margin:INR 999.00 for C-XX [RISK]',
    'There is not enough margin for this order: it needs ₹999.00, and -₹12,345.67 is available',
  ],
  [
    'You need to add Rs. 138385.27 in your account to place this trade.',
    'There is not enough margin for this order: ₹1,38,385.27 more is needed',
  ],
  ['RMS:Margin Exceeds', 'There is not enough margin for this order'],
  [
    'RED:RULE:{Check circuit limit including square off order}Current:INR 3999.00 LowerCircuit:INR 3215.80 UpperCircuit:INR 3930.40:NSE.SIEMENS-EQ for C-XX [RISK2]',
    'The price must be between ₹3,215.80 and ₹3,930.40 today',
  ],
  [
    'RMS:Rule: Check circuit limit including square off order exceeds : Circuit breach, Order Price :1860.40,  Low Price Range:1682.20 High Price Range:1859.20',
    'The price must be between ₹1,682.20 and ₹1,859.20 today',
  ],
  [
    'Order rejected by RMS. Limit price should be within circuit limit(358.7 - 538)',
    'The price must be between ₹358.70 and ₹538.00 today',
  ],
  [
    `RMS:Rule: Check circuit limit including square off order exceeds ${ACROSS}`,
    'The price is outside the price band of the day',
  ],
  [
    'Your order price is lower than the current lower circuit limit of 70.65. Place an order within the daily range.',
    'The price must be ₹70.65 or higher today',
  ],
  [
    'Your order price is higher than the current upper circuit limit of 1,101.5',
    'The price must be ₹1,101.50 or lower today',
  ],
  ["Order price is out of Day's price range", 'The price is outside the price band of the day'],
  [
    '17070 : The Price is out of the current execution range',
    'The price is too far from the last price: the exchange does not trade there now',
  ],
  [
    '16283 : The order price is out of the current execution range',
    'The price is too far from the last price: the exchange does not trade there now',
  ],
  [
    '16448 : Difference between limit price and trigger price is beyond permissible range',
    'Price and Trigger Price are too far apart for the exchange',
  ],
  [
    'RED:Freeze qty Set:5000 Current:9000 for C-XX',
    'The quantity is above the freeze quantity of the exchange, which is told as 5,000',
  ],
  [
    'RED:RULE:{Check Freeze qty including square off order}Current:7800 Set:1801',
    'The quantity is above the freeze quantity of the exchange, which is told as 1,801',
  ],
  [
    'Quantity exceeds the freeze limit',
    'The quantity is above the largest that the exchange takes in one order (its freeze quantity)',
  ],
  ['Order quantity is not multiple of regular lot quantity', 'The quantity is not a multiple of the lot size'],
  ['RATE NOT MULTIPLE OF TICK [0.05000000]', 'The price must be a multiple of the tick, which is ₹0.05'],
  [
    `RMS:Rule: Check T1 holdings including TT/BE/Z/T/TS ,No Holdings Present ${ACROSS}`,
    'This share is traded for delivery only, and can be sold only when it has arrived in the demat account',
  ],
  [
    'RED:RULE:{Check Holdings Including BTST}Eligible Sell:95 for C-XX [RISK]',
    'More of the share is sold than is held and free, which is 95',
  ],
  [
    'RED:RULE:{Check Holdings Including BTST except t2t}No Holdings uploaded for C-XX [ONLINE]',
    'More of the share is sold than is held and free',
  ],
  [
    'Order rejected by RMS. Check holding, Short selling restricted in delivery product for equity',
    'More of the share is sold than is held and free',
  ],
  ['CDSL TPIN authorisation required', 'The sale is not authorised at the depository'],
  [
    'RMS:Blocked for NSE ABFRL nse_fo Remarks:F&O ban period block type: ALL',
    'The share is in the F&O ban period of the exchange: its contracts can only be closed',
  ],
  [
    'Scrip ABFRL is in Ban Period',
    'The share is in the F&O ban period of the exchange: its contracts can only be closed',
  ],
  [
    'RMS:Blocked for nse_foMISRemarks:MIS PRODUCT TYPE BLOCKED  block type: ALL',
    'The broker takes no intraday order in this instrument now',
  ],
  ['RMS:Auto Square Off Block', 'The broker takes no intraday order in this instrument now'],
  [
    'RMS:Blocked for 522261 bse_cm X Remarks: BSE GSM STAGE 1 block type: ALL',
    'The exchange has this share under surveillance, and the broker restricts orders in it',
  ],
  [
    'Market orders are blocked for stock options due to illiquidity. Try placing a limit order.',
    'No market order is taken in this instrument now',
  ],
  ['Market orders without market protection are not allowed', 'No market order is taken in this instrument now'],
  ['Admin stopped AMO', 'The broker takes no orders outside market hours now'],
  ['ORA:AMO is stopped', 'The broker takes no orders outside market hours now'],
  ['ORA: clientid XX1-KFS is not active : Suspended', 'The account is not open for trading'],
  ['Account is deactivated', 'The account is not open for trading'],
  ['RMS:PAN not linked with Aadhaar', 'The account is not open for trading'],
  [
    'ORA:Product MTF not enabled for Account XX-VRD',
    'The account is not enabled for this exchange, segment or product',
  ],
  ['Exchange not enabled for this account', 'The account is not enabled for this exchange, segment or product'],
  ['RMS:Option writing not allowed', 'The account is not enabled for this exchange, segment or product'],
  ['16052 : function not available', 'The exchange does not take this kind of order in this instrument now'],
  [
    '16419: This error code will be returned for invalid data in the order packet.',
    'The exchange does not take one of the values of this order',
  ],
  [
    'Trigger price for stoploss sell orders should be lower than the last traded price',
    'Trigger Price is on the wrong side of the last price',
  ],
  ['Trigger price should be less than limit price for buy order', 'Trigger Price and Price are the wrong way round'],
  [
    `RMS:Rule: Position limit including CNC exceeds ,Current:15, limit set:1 ${ACROSS}`,
    'The position would be 15, and the limit for this account is 1',
  ],
  [
    'RMS:Order Value exceeds single order limit of 10000000',
    'The value of the order is above the largest that the broker takes in one',
  ],
  ['Maximum allowed order modifications exceeded.', 'The order has already been changed as often as is allowed'],
  ['SAF:order is not open to cancel', 'It is too late for this change: the order is not open any more'],
  [
    'ONLY IOC ORDER ALLOWED IN RRM MODE',
    'The broker is in the risk reduction mode of the exchange, which takes only orders that trade at once',
  ],
  [
    '16795 Order cancelled due to voluntary close out',
    'The exchange cancelled the order when the broker closed out its orders',
  ],
  [
    'RMS:Blocked for  EQ  nse_cm  BO Remarks: Due to expected volatility, BO and CO will remain blocked.  block type: ALL',
    'The broker has blocked new orders like this one',
  ],
  ['RED:Block Type:NonSqoff Reason:Continuous Debit[ XX-ISB M ]', 'The broker has blocked new orders like this one'],
  ['Markets are closed right now. Use GTT for placing long standing orders instead.', 'The market is closed'],
])('%s', (text, message) => {
  const translated = translateRefusal(text);
  expect(translated?.message).toBe(message);
  expect(translated?.hint).not.toBe('');
  // The service says the same where it answers a request.
  expect(translateRefusal(text, 400)).toEqual(translated);
});

it('each rule is told as a sentence without a full stop, and has something to do', () => {
  for (const { message, hint } of EXCHANGE_REJECTIONS) {
    expect(message).toMatch(/^[A-Z][^.]*$/);
    expect(hint).toMatch(/\.$/);
  }
});
