/** Numbers of holdings, positions, totals and funds that a service writes as text: numbers for everybody, or none. */
import { heldPositions } from '../../../client/closing/positions';
import { convertMoney, fundsIn, getFunds, getHoldings, getPositions } from '../../../client/portfolio/portfolio';
import type { Json } from '../../../client/values/json';
import { scriptedTransport } from '../../support/wire';

const CASES: readonly [Json, number | null][] = [
  [10, 10],
  ['10', 10],
  [' 10 ', 10],
  ['10.00', 10],
  ['1,00,000', 100_000],
  ['-5', -5],
  ['117230.5', 117_230.5],
  ['1,234.50', null],
  ['1.5e3', null],
  ['0x10', null],
  ['NaN', null],
  ['Infinity', null],
  ['', null],
  ['NA', null],
  ['--', null],
  ['१०', null],
  [true, null],
  [[10], null],
  [{ value: 10 }, null],
  [null, null],
  [0, 0],
  [2 ** 31 - 1, 2 ** 31 - 1],
];

test.each(CASES)('%j is %j in each record', async (value, number) => {
  const record = { ref_id: 7, symbol: '10', qty: value, avg_price: value, pnl: value, ltp: value };
  const { transport } = scriptedTransport([
    { json: { portfolio: { position_stats: { total_pnl: value }, stock_positions: [record] } } },
    { json: { portfolio: { holding_stats: { day_pnl: value }, holdings: [record] } } },
    { json: { port_funds_and_margin: { net_margin_available: value, client_code: '10' } } },
  ]);
  // A quantity that cannot be read stays: it is not none.
  const qty = value === '' ? null : (number ?? value);
  // A mean price of 0, below 0 or of 2^31 − 1 is none.
  const average = number !== null && number > 0 && number < 2 ** 31 - 1 ? number : null;
  const shown = { ref_id: 7, symbol: '10', qty, avg_price: average, pnl: number, ltp: number };
  const positions = await getPositions(transport);
  expect(positions).toMatchObject({ stats: { total_pnl: number }, positions: [{ segment: 'stock', ...shown }] });
  const holdings = await getHoldings(transport);
  expect(holdings).toMatchObject({ stats: { day_pnl: number }, holdings: [shown] });
  // Of the funds, which hold nothing but numbers, another type stays.
  const funds = await getFunds(transport);
  const isText = typeof value === 'string' || typeof value === 'number' || value === null;
  expect(funds).toEqual({ net_margin_available: isText ? number : value, client_code: '10' });
  const rupees = number === null ? null : number / 100;
  expect(convertMoney('rupees', positions.positions[0]!)).toMatchObject({
    qty,
    avg_price: average === null ? null : average / 100,
  });
  if (isText) expect(fundsIn('rupees', funds)).toMatchObject({ net_margin_available: rupees });
});

test.each([
  ['-10', 'SELL', -10, 'option'],
  ['10', 'BUY', 10, 'option'],
  ['0', undefined, 0, 'closed'],
  [-10, 'SELL', -10, 'option'],
])('the newer path gives a position of %j its side', async (netQuantity, side, net, segment) => {
  const record = { refId: '7', netQuantity, deliveryType: 'IDAY', derivativeType: 'OPT', ltp: '150' };
  const { transport } = scriptedTransport([{ json: { portfolio: { positions: [record] } } }]);
  const { positions } = await getPositions(transport, undefined, 'intent');
  expect(positions).toMatchObject([{ segment, ref_id: 7, qty: Math.abs(net), net_qty: net, ltp: 150 }]);
  expect(positions[0]!.order_side).toBe(side);
  const held = net === 0 ? [] : [{ refId: 7, net, product: 'IDAY', segment }];
  expect(heldPositions(positions)).toMatchObject(held);
});

test('a field of a record does not change the list in which it stood', async () => {
  const { transport } = scriptedTransport([
    { json: { portfolio: { opt_positions: [{ ref_id: 7, qty: 1, segment: 'closed' }] } } },
  ]);
  expect((await getPositions(transport)).positions).toMatchObject([{ segment: 'option' }]);
});

test.each(['1.5', 'ten', '1e2', '1,2'])('a position of %j units is not closed by a guess', async (qty) => {
  const record = { ref_id: 7, qty, order_side: 'BUY', product: 'ORDER_DELIVERY_TYPE_IDAY' };
  const { transport } = scriptedTransport([{ json: { portfolio: { stock_positions: [record] } } }]);
  expect(heldPositions((await getPositions(transport)).positions)).toMatchObject([{ refId: 7, net: undefined }]);
});
