import { marketProtection } from '../../../../client/orders/model/market-protection';

const SHARE = { symbol: 'INFY', derivative: false };
const OPTION = { symbol: 'NIFTY26NOV24500CE', derivative: true };
const FUTURE = { symbol: 'NIFTY26NOVFUT', derivative: true };

it.each([
  [SHARE, 9_999, 2],
  [SHARE, 10_000, 1],
  [SHARE, 50_000, 0.5],
  [FUTURE, 2_450_000, 0.5],
  [OPTION, 999, 5],
  [OPTION, 1_000, 3],
  [OPTION, 10_000, 2],
  [OPTION, 50_000, 1],
  [SHARE, 0, null],
  [{ symbol: 'FORCE', derivative: false }, 100_000, 0.5],
])('%j at %d paise has a market protection of %p percent', (instrument, price, percent) => {
  expect(marketProtection(instrument, price)).toBe(percent);
});
