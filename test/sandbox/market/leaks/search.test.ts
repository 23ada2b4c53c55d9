import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import { leaks, search } from './search';

const market = createMarket({ seed: 5, universe: 'demo' });

describe('Leak 7: a search over all that is shown', () => {
  it('finds nothing that tells the rest of a minute, nor the next minute, hour or day', () => {
    const found = search(market, ['NIFTY', 'RELIANCE', 'TATASTEEL'], '2026-08-31', 12);
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ coefficient }) => coefficient !== 0).length).toBeGreaterThan(100);
    expect(leaks(found)).toEqual([]);
  });

  it('finds nothing in the nights and weekends of a market that is always open', () => {
    const always = createMarket({ seed: 5, universe: 'demo', hours: 'always' });
    const found = search(always, ['RELIANCE'], '2026-08-31', 6);
    const nights = found.filter(({ hours }) => hours === 'night or weekend');
    expect(nights.length).toBe(found.length / 2);
    expect(nights.filter(({ coefficient }) => coefficient !== 0).length).toBeGreaterThan(30);
    expect(leaks(found)).toEqual([]);
  });

  it('finds a night that rehearses the session', () => {
    const always = createMarket({ seed: 5, universe: 'demo', hours: 'always' });
    const open: Market = {
      ...always,
      price: (instrument, at, otherwise) => {
        const hour = new Date(at + 19_800_000).getUTCHours();
        return always.price(instrument, hour === 7 || hour === 8 ? at + 9_000_000 : at, otherwise);
      },
    };
    expect(leaks(search(open, ['RELIANCE'], '2026-08-31', 6))[0]).toMatchObject({
      signal: 'minute two and a half hours ago',
      horizon: 'minute',
    });
  });

  it('finds a market whose book leans to where its price goes', () => {
    const open: Market = {
      ...market,
      depth(instrument, at, around, levels) {
        const { bids, asks } = market.depth(instrument, at, around, levels);
        const rises = market.price(instrument, at + 60_000) > market.price(instrument, at);
        const lean = (side: typeof bids, more: boolean) =>
          side.map((level) => ({ ...level, quantity: level.quantity * (more ? 2 : 1) }));
        return { bids: lean(bids, rises), asks: lean(asks, !rises) };
      },
    };
    expect(leaks(search(open, ['RELIANCE'], '2026-08-31', 6))[0]).toMatchObject({
      signal: 'order book, imbalance',
      horizon: 'minute',
    });
  });
});
