import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import { share } from '../../../support/sample';
import { ist, tradingDays } from './bots';
import { BOTS, earnings, masterBot, type Bot } from './earnings';

const SEED = 5;
const market = createMarket({ seed: SEED, universe: 'demo' });
const always = createMarket({ seed: SEED, universe: 'demo', hours: 'always' });
/** Errors that a lucky bot may be away from minus its costs. */
const LUCK = 4;
const AUCTION = 'closing auction (leak 3)';

const over = (of: Market, bot: Bot, count: number): Parameters<typeof earnings>[2] =>
  new Map(tradingDays(of, '2026-08-31', count).map((day) => [day, bot(of, day)]));

describe('A bot, after spreads and charges', () => {
  it.each(share(Object.entries(BOTS), 2, 0))('%s loses what it pays', (name, { hours, bot }) => {
    const found = earnings(
      name,
      hours === 'always' ? always : market,
      over(hours === 'always' ? always : market, bot, 16),
    );
    expect(found.bets).toBeGreaterThan(20);
    expect(found.costs).toBeGreaterThan(0);
    expect(Math.abs(found.score)).toBeLessThan(LUCK);
  });

  it('master of a future date (leak 1) loses what it pays', async () => {
    const trades = await masterBot(SEED, tradingDays(market, '2026-08-31', 4));
    const found = earnings('master', market, trades);
    expect(found.bets).toBe(12);
    expect(found.costs).toBeGreaterThan(0);
    expect(Math.abs(found.score)).toBeLessThan(LUCK);
  });

  it('is found where an auction shows its result at once', () => {
    const open: Market = {
      ...market,
      auctionPrice(instrument, at) {
        const day = new Date(at + 19_800_000).toISOString().slice(0, 10);
        return market.auctionPrice(instrument, at) && market.price(instrument, ist(`${day}T15:35:00`));
      },
    };
    const found = earnings(AUCTION, open, over(open, BOTS[AUCTION]!.bot, 16));
    expect(found.score).toBeGreaterThan(LUCK);
    expect(found.earned + found.costs).toBeGreaterThan(0);
  });
});
