/** Shares whose number changed between two trades: what was bought is not what is sold. */
import { findChangedShares } from '../../../client/performance/changed-shares';
import type { Fill } from '../../../client/performance/fills';
import { ONE_SHARE } from '../../../client/values/contract-value';
import { fillPriceIn } from '../../../client/values/market-price';

const TODAY = '2026-11-27';
const fill = (date: string, quantity: number, price: number, more: Partial<Fill> = {}): Fill => ({
  at: Date.parse(`${date}T10:00:00+05:30`),
  symbol: 'INFY',
  product: 'CNC',
  quantity,
  price: fillPriceIn(price)!,
  charges: 0,
  contract: ONE_SHARE,
  orderId: '1',
  tag: '',
  ...more,
});
/** Candles as the service shows them today, after a split of 1 share into 5 on 25 November. */
const rangeOn = (symbol: string, date: string) =>
  symbol === 'TCS' ? undefined : date < '2026-11-25' ? { low: 29_800, high: 30_200 } : { low: 30_000, high: 30_500 };
const BEFORE = fill('2026-11-20', 10, 150_000);

it.each<[string, Fill[], boolean]>([
  ['bought before, sold after', [BEFORE, fill('2026-11-26', -50, 30_100)], true],
  ['bought before, held still', [BEFORE], true],
  ['bought and sold before', [BEFORE, fill('2026-11-23', -10, 149_500)], false],
  [
    'bought and sold before, and bought again after',
    [BEFORE, fill('2026-11-23', -10, 149_500), fill('2026-11-26', 1, 30_100)],
    true,
  ],
  ['bought and sold after', [fill('2026-11-25', 10, 30_100), fill('2026-11-26', -10, 30_400)], false],
  ['bought after, held still', [fill('2026-11-25', 10, 30_100)], false],
  ['bought and sold on one day before', [BEFORE, fill('2026-11-20', -10, 150_100)], false],
  ['traded within a day', [fill('2026-11-20', 10, 150_000, { product: 'IDAY' })], false],
  ['a trade on the other exchange, a little beside the candle', [fill('2026-11-25', 10, 30_700)], false],
  ['a contract', [fill('2026-11-20', 10, 150_000, { symbol: 'INFY26NOVFUT' })], false],
  ['a share without candles', [fill('2026-11-20', 10, 150_000, { symbol: 'TCS' })], false],
  ['a share of which eleven are for ten', [fill('2026-11-20', 10, 33_100)], true],
  ['a consolidation of ten into one', [fill('2026-11-20', 10, 3_000)], true],
])('%s', (_, fills, isChanged) => {
  const [{ symbol }] = fills as [Fill];
  expect([...findChangedShares(fills, TODAY, rangeOn)]).toEqual(isChanged ? [symbol] : []);
});
