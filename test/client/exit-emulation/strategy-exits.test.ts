/** Profit of a leg from before its exits are kept: it is remembered for the day, so that nothing of it may come of an invalid value. */
import { earnedBefore } from '../../../client/exit-emulation/strategy-exits';
import type { Position } from '../../../client/portfolio/portfolio';

const held = {
  ...{ segment: 'stock', ref_id: 5, symbol: 'INFY', exchange: 'NSE', product: 'IDAY' },
  ...{ qty: 10, order_side: 'BUY', avg_price: 100, ltp: 110, pnl: 350, lot_size: 1 },
} as const satisfies Position;

test('is what the record shows beyond the open units', () => {
  expect(earnedBefore([held])).toBe(250);
  expect(earnedBefore([{ ...held, segment: 'closed', qty: 0, pnl: -700 }])).toBe(-700);
});

test.each<Partial<Position>>([
  ...[0, -1, null, 2 ** 31 - 1, 110.5].map((ltp) => ({ ltp })),
  ...[null, 'NaN'].map((pnl) => ({ pnl })),
  { avg_price: null },
  { qty: 'ten' },
  { segment: 'closed', pnl: null },
])('is not known of a record with %j', (change) => {
  expect(earnedBefore([{ ...held, ...change }])).toBeUndefined();
});
