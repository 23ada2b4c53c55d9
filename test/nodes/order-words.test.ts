/** Words of brokers and of alerts in the fields of an order: understood in each spelling, or refused with where they belong. */
import { ORDER_KINDS, PRICE_TYPES, PRODUCTS, SIDES, VALIDITIES } from '../../client/orders/model/order-terms';
import { wordOf } from '../../nodes/Brokerage/trading/orderForm';
import { ParameterReader } from '../../nodes/shared/parameters';
import { refusal } from '../support/refusal';

const read = (name: string, value: unknown, allowed: readonly string[]): string =>
  wordOf(new ParameterReader((asked) => (asked === name ? value : undefined), []), name, allowed);

const UNDERSTOOD: [name: string, allowed: readonly string[], words: Record<string, string>][] = [
  [
    'product',
    PRODUCTS,
    {
      'Carry Forward': 'CNC',
      CARRY_FORWARD: 'CNC',
      'carry-forward': 'CNC',
      nrml: 'CNC',
      ORDER_DELIVERY_TYPE_IDAY: 'IDAY',
    },
  ],
  [
    'orderType',
    ORDER_KINDS,
    {
      ...{ 'STOP LOSS': 'STOPLOSS', 'stop-loss': 'STOPLOSS', STOP_LOSS_LIMIT: 'STOPLOSS', 'SL LMT': 'STOPLOSS' },
      ...{ 'Stop Limit': 'STOPLOSS', STOP_MARKET: 'STOPLOSS', SL_MKT: 'STOPLOSS', 'SL-M': 'STOPLOSS' },
      ORDER_TYPE_STOP_LOSS: 'STOPLOSS',
    },
  ],
  ['side', SIDES, { b: 'BUY', ' Sell ': 'SELL', ORDER_SIDE_SELL: 'SELL' }],
  ['priceType', PRICE_TYPES, { mkt: 'MARKET', Lmt: 'LIMIT' }],
  ['validity', VALIDITIES, { 'Good Till Date': 'GTE', IMMEDIATE_OR_CANCEL: 'IOC' }],
];

it.each(
  UNDERSTOOD.flatMap(([name, allowed, words]) =>
    Object.entries(words).map(([word, is]) => [name, word, is, allowed] as const),
  ),
)('%s %s is %s', (name, word, is, allowed) => {
  expect(read(name, word, allowed)).toBe(is);
});

it.each([
  ...['long', 'Exit Long', 'close_short', 'SELL SHORT', 'Buy To Cover', 'cover', 'SHORT COVERING', 'square off'],
  ...['LONG ENTRY', 'entry short', 'LX', 'flat'],
])('the side %s names a position', (word) => {
  expect(refusal(() => read('side', word, SIDES))).toMatchObject({
    message: expect.stringContaining('which names a position'),
    hint: expect.stringContaining('"Order: Set Target Position"'),
    parameter: 'side',
  });
});

it.each(['Stop Loss', 'SL-M', 'STOP_LIMIT'])('the price type %s names a stop order', (word) => {
  expect(refusal(() => read('priceType', word, PRICE_TYPES)).message).toContain('which names a stop order');
});

it.each(['HOLD', 'B S', 'BUY SELL', '-B', 'BUYING', '1', '', 5, null])('the side %j is refused', (word) => {
  expect(refusal(() => read('side', word, SIDES)).message).toContain('side must be one of BUY, SELL');
});
