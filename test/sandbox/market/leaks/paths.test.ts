import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { ist } from './bots';
import { firstMove, morning, overNight, tradingDays } from './bots';

const market = createMarket({ seed: 5, universe: 'demo' });
const days = tradingDays(market, '2026-08-31', 50);
const universe = market.universe(ist('2026-11-20T12:00:00'));
const of = (exchange: 'NSE' | 'BSE' | 'MCX', symbol: string) => universe.bySymbol(exchange, symbol)!;
const far = universe.futures('NSE', 'NIFTY').at(-1)!;
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** Errors that a lucky bot may be away from nothing: one in thirty thousand. */
const LUCK = 4;

describe('Leak 2: the first moves of a stretch', () => {
  it.each([
    ['NIFTY', { first: second, whole: minute }, 5],
    ['RELIANCE', { first: second, whole: minute }, 5],
    ['MARUTI', { first: second, whole: minute }, 5],
    ['NIFTY', { first: 10 * second, whole: minute }, 5],
    ['NIFTY', { first: minute, whole: 5 * minute }, 25],
    ['INFY', { first: minute, whole: hour }, 50],
    ['NIFTY', { first: 15 * minute, whole: hour }, 50],
  ] as const)('do not tell the end of %s within %j', (symbol, span, count) => {
    const bets = firstMove(market, of('NSE', symbol), days.slice(0, count), span);
    expect(bets.count).toBeGreaterThan(100);
    expect(Math.abs(bets.score)).toBeLessThan(LUCK);
    expect(bets.right / bets.count).toBeLessThan(0.6);
  });

  it.each(['NIFTY', 'INFY', 'TATASTEEL'])('do not tell the end of a day of %s', (symbol) => {
    for (const until of ['10:00:00', '11:30:00', '13:00:00', '14:30:00']) {
      const bets = morning(market, of('NSE', symbol), days, until);
      expect(Math.abs(bets.score)).toBeLessThan(LUCK);
    }
  });

  it('do not tell the next open in the last minutes of derivatives', () => {
    const bets = overNight(market, far, days);
    expect(Math.abs(bets.score)).toBeLessThan(LUCK);
  });
});
