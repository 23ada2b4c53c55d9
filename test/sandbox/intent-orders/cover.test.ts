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
  'Modify one or several': [
    'a modify is acknowledged, and seen in the list by orderPrice and lastModifiedAt',
    'Modify and Cancel take several orders',
  ],
  'Cancel orders, or one exit of an order': [
    'Cancel: the message',
    'an exit is taken off by a modify or by exitTriggerKind',
  ],
  "The day's orders": ['filters by id and tag keep the buckets'],
  'Margin and charges before placing': [
    'funds_required tells margin, charges, and whether the order waits or is sliced',
    'funds_required: tells willBeAutoSliced above the freeze quantity',
  ],
  Holdings: ['Holdings, Positions and Funds have the newer names'],
  Positions: ['Holdings, Positions and Funds have the newer names', 'Closing a position'],
  Funds: ['Holdings, Positions and Funds have the newer names'],
  refId: ['refId: an unknown one is refused'],
  qty: ['qty: units are taken in whole lots', 'qty of a strategy'],
  side: ['%s: takes no other word than those of the row, so not %s'],
  deliveryType: [
    '%s: takes no other word than those of the row, so not %s',
    'deliveryType: a strategy with GTE is CNC',
  ],
  priceType: ['priceType: LIMIT is taken with entryPrice on the tick; MARKET without it and with IOC'],
  validityType: [
    '%s: takes no other word than those of the row, so not %s',
    'a good-till order is GTE in the bucket gtt',
  ],
  goodTillDate: [
    'goodTillDate: is required by GTE; one year at most for shares; beyond today CNC only; not beyond the expiry',
  ],
  isMultiLeg: ['isMultiLeg makes a single order where it is missing or null; true needs legs; legs need true'],
  executionMode: ['executionMode fits what comes with it'],
  entryPrice: [
    'priceType: LIMIT is taken with entryPrice on the tick; MARKET without it and with IOC',
    'entryPrice of a strategy',
  ],
  'entryConfig.triggers.ltp.{above, below, atOrAbove, atOrBelow}.value': ['entryConfig.triggers.ltp.%s'],
  'entryConfig.entryTime': ['entryConfig.entryTime: waits until then'],
  'exitConfig.stoplossParams.{stoplossTriggerPrice, stoplossLimitPrice}.value': ['exitConfig.stoplossParams:'],
  'exitConfig.stoplossParams.stoplossTrailJump': ['stoplossTrailJump: is shown as TRAILING_STOP, taken off by %s'],
  'exitConfig.targetParams.{targetProfitTriggerPrice, targetProfitLimitPrice}.value': ['exitConfig.targetParams:'],
  'exitConfig.exitTime': [
    'exitConfig.exitTime: is 30 s after entryTime, inside the session, not with GTE',
    'exitConfig.exitTime: is taken off by a modify',
  ],
  icebergInfo: ['icebergInfo: takes maxQtyPerLeg or numberOfLegs, never both'],
  legs: ['legs of a strategy', 'legs: are on one exchange; a single order has none'],
  stratTags: ['stratTags'],
  echoFields: ['echoFields: comes back unchanged'],
  ticks: ['index: tells indices and instruments apart, by symbol, by the name of an index and by full name, as asked'],
  candles: [
    'index_bucket: tells the running candle, and the closed one in full as the history has it',
    'index_bucket of %s has its number',
  ],
  depth: ['orderbook: tells twenty levels, or as many as orderbook_depth says before it'],
  greeks: ['greeks: are those of the option chain, with the close of the day before'],
  'option chain': ['option: comes as one frame a chain'],
};

/** Facts in sentences, not in a table; the needs of other clients; the login of the working ones. */
const SENTENCES: readonly string[] = [
  'Errors: 403 comes for an IP that is not registered, 440 for an expired session, each with text and an empty code',
  'Errors: 429 comes above ten requests of trading a second',
  'Cancel takes at most 20 orders',
  'an order waits for the next session, and willDefaultBePlacedAsAmo tells it beforehand',
  'A record has the fields of the page',
  'intentOrderType: is REGULAR, TRIGGER, ICEBERG or FLEXI',
  'an exit trades on the other side after the entry: filledQty and filledPrice stay, the older list shows the entry only',
  'a partly filled order stays in open with filledQty above 0',
  'every seen variant can be chosen as a dialect',
  'a modify names only what changes: legs, refId and side of another order are refused, and so is a wrong mode',
  'Modify of a GTE order keeps validityType',
  'the stream tells each step of an exit, at /stream and at the older /ws',
  'socket_interval slows a channel down',
  'post_market: tells nothing after the close but the last values to those who ask for it',
  'a session has a budget of 50,000',
  'a wrong exchange is taken without an error and never ticks',
  '/ws: tells order updates after notifications notification and market data, told apart by the command, under full names',
  "the service's own headers change nothing",
  'an orderId is a number or text',
  'the older paths answer 403 with intent orders alone, and /sentinel 404 with the older one alone; also per account',
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
  'a query of more than ten values is refused: maximum 10 values allowed in one query',
  'an index that is asked for as a share is answered by: ticker not found',
  'needs one call with VERIFY_MOBILE, as the first call has sent the OTP',
  'replaces the live challenge by an unconditional second call: the first code is then unauthorized',
  'sends no OTP with VERIFY_TOTP: the second call, which skips TOTP, sends it',
  'sends nothing at the first call with the dialect otp_first_call=silent, as the specification tells it',
];

/** The titles of all tests of the folders where the sandbox is called from outside. */
const titles = ['intent-orders', 'http', 'stream'].flatMap((folder) => {
  const at = path.join(__dirname, '..', folder);
  const files = readdirSync(at).filter((name) => name.endsWith('.test.ts') && name !== path.basename(__filename));
  const text = files.map((name) => readFileSync(path.join(at, name), 'utf8')).join('\n');
  // `it('…',` and `it.each([…])('…',`
  return [...text.matchAll(/(?:\b(?:it|test)|\))\(\s*(['"`])(.*?)\1,/g)].map(([, , title]) => title!);
});

it.each([...Object.values(ROWS).flat(), ...SENTENCES])('the row %s has a test', (title) => {
  expect([title, titles.some((name) => name.startsWith(title))]).toEqual([title, true]);
});

describeWith(SHARED_SPECIFICATION, 'Every row of the page', (folder) => {
  it('each row of the specification is above', () => {
    const page = readFileSync(path.join(folder, 'intent-orders.md'), 'utf8');
    const cells = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!.trim());
    const rows = cells.flatMap((cell) => (cell === 'Field' ? [] : [cell.replace(/`/g, '')]));
    const missing = rows.filter((row) => !['Work', 'Channel'].includes(row) && ROWS[row] === undefined);
    expect([rows.length, missing]).toEqual([Object.keys(ROWS).length + 2, []]);
  });
});
