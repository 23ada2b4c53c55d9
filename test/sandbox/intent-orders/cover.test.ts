/**
 * Each row of the page on intent orders, each client's need and each way of logging in has a test that is named after it: the
 * words that its title begins with stand here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, SHARED_SPECIFICATION } from '../../support/needs';

/** The row as the page has it, and the beginnings of the titles of its tests. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  'Place one, several, or a strategy': ['Place one, several:', 'Place creates orders and a strategy with one request'],
  'Modify one or several': ['Modify: acknowledged', 'Modify and Cancel take several orders'],
  'Cancel orders, or one exit of an order': [
    'Cancel: the message',
    'an exit is taken off by a modify or by exitTriggerKind',
  ],
  "The day's orders": ['filters by id and tag keep the buckets'],
  'Margin and charges before placing': ['funds_required: margin, charges', 'funds_required: willBeAutoSliced'],
  Holdings: ['Holdings, Positions and Funds have the newer names'],
  Positions: ['Holdings, Positions and Funds have the newer names', 'Closing a position'],
  Funds: ['Holdings, Positions and Funds have the newer names'],
  refId: ['refId: an unknown one is refused'],
  qty: ['qty: units, in whole lots', 'qty of a strategy'],
  side: ['%s: no other word than those of the row'],
  deliveryType: ['%s: no other word than those of the row', 'deliveryType: a strategy with GTE is CNC'],
  priceType: ['priceType: LIMIT with entryPrice on the tick'],
  validityType: ['%s: no other word than those of the row', 'a good-till order is GTE in the bucket gtt'],
  goodTillDate: ['goodTillDate: required by GTE'],
  isMultiLeg: ['isMultiLeg: missing or null is a single order'],
  executionMode: ['executionMode fits what comes with it'],
  entryPrice: ['priceType: LIMIT with entryPrice on the tick', 'entryPrice of a strategy'],
  'entryConfig.triggers.ltp.{above, below, atOrAbove, atOrBelow}.value': ['entryConfig.triggers.ltp.%s'],
  'entryConfig.entryTime': ['entryConfig.entryTime: waits until then'],
  'exitConfig.stoplossParams.{stoplossTriggerPrice, stoplossLimitPrice}.value': ['exitConfig.stoplossParams:'],
  'exitConfig.stoplossParams.stoplossTrailJump': ['stoplossTrailJump: shown as TRAILING_STOP'],
  'exitConfig.targetParams.{targetProfitTriggerPrice, targetProfitLimitPrice}.value': ['exitConfig.targetParams:'],
  'exitConfig.exitTime': ['exitConfig.exitTime: 30 s after entryTime', 'exitConfig.exitTime: taken off by a modify'],
  icebergInfo: ['icebergInfo: maxQtyPerLeg or numberOfLegs'],
  legs: ['legs of a strategy', 'legs: on one exchange'],
  stratTags: ['stratTags'],
  echoFields: ['echoFields: given back as it was'],
  ticks: ['index: indices and instruments apart'],
  candles: ['index_bucket: the running candle', 'index_bucket of %s has its number'],
  depth: ['orderbook: twenty levels'],
  greeks: ['greeks: those of the option chain'],
  'option chain': ['option: one frame a chain'],
};

/** What stands in sentences, not in a table; what other clients need; how the working ones log in. */
const SENTENCES: readonly string[] = [
  'Errors: 403 for an IP that is not registered, 440 for a dead session',
  'Errors: 429 above ten requests of trading a second',
  'Cancel takes at most 20 orders',
  'an order waits for the next session, and willDefaultBePlacedAsAmo tells it beforehand',
  'A record has the fields of the page',
  'intentOrderType: REGULAR, TRIGGER, ICEBERG, FLEXI',
  'after the entry: the exit trades on the other side',
  'a partly filled order stays in open with filledQty above 0',
  'dialects: every variant that was seen',
  'Modify names only what changes',
  'Modify of a GTE order keeps validityType',
  'on the stream: each step of an exit is told',
  'socket_interval slows a channel down',
  'post_market: after the close nothing is told but the last picture',
  'a session has a budget of 50,000',
  'a wrong exchange is taken without an error and never ticks',
  '/ws: order updates after notifications notification and market data',
  "the service's own headers change nothing",
  'an orderId is a number or text',
  'with intent orders alone the older paths answer 403',
  'orders survive a restart with their exits',
  'benchmark_type is null where nothing is meant',
  'expiry and all_expiries of an option chain are text',
  'leg_margin is a list of objects, and a leg may have no order_type',
  'a basket has buy_qty, sell_qty, buy_avg, sell_avg, pnl and pnl_change of each leg; bytes follow a POST only',
  '/orders/v2 takes live=1, executed=1 and tag=; /orders/v2/executions has the trades',
  '/orders/v2/cancelV2 cancels orders and baskets',
  'PUT /orders/v2/basket/{id} changes the prices of a basket',
  '/portfolio/v2/positions is one list with a signed net',
  '/logout takes the token of the login too',
  '/public/indexes?format=csv is there without a login',
  'the order book has prev_close',
  'a query of type INDEX with tick_volume is refused',
  'more than ten values in a query are refused',
  'an index that is asked for as a share: ticker not found',
  'on VERIFY_MOBILE the first call has sent the OTP: one call is enough',
  'an unconditional second call replaces the live challenge',
  'on VERIFY_TOTP no OTP was sent: the second call, which skips TOTP, sends it',
  'with the dialect otp_first_call=silent the first call sends nothing',
];

/** The titles of all tests of the folders where the sandbox is called from outside. */
const titles = ['intent-orders', 'http', 'stream'].flatMap((folder) => {
  const at = path.join(__dirname, '..', folder);
  const files = readdirSync(at).filter((name) => name.endsWith('.test.ts') && name !== path.basename(__filename));
  const text = files.map((name) => readFileSync(path.join(at, name), 'utf8')).join('\n');
  // `it('…',` and `it.each([…])('…',`
  return [...text.matchAll(/(?:\b(?:it|test)|\))\(\s*(['"`])(.*?)\1,/g)].map(([, , title]) => title!);
});

it.each([...Object.values(ROWS).flat(), ...SENTENCES])('%s', (title) => {
  expect([title, titles.some((name) => name.startsWith(title))]).toEqual([title, true]);
});

describeWith(SHARED_SPECIFICATION, 'Every row of the page', (folder) => {
  it('is above', () => {
    const page = readFileSync(path.join(folder, 'intent-orders.md'), 'utf8');
    const cells = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!.trim());
    const rows = cells.flatMap((cell) => (cell === 'Field' ? [] : [cell.replace(/`/g, '')]));
    const missing = rows.filter((row) => !['Work', 'Channel'].includes(row) && ROWS[row] === undefined);
    expect([rows.length, missing]).toEqual([Object.keys(ROWS).length + 2, []]);
  });
});
