/** Orders that wait at a price limit with nobody on the other side: what is filled there is worth less than it costs. */
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { fixedBand } from '../../../../sandbox/src/market/reference/fixed-band';
import { ist, tradingDays } from './bots';
import { Trader } from './trips';

const SEED = 2;
const RUPEES = 5_00_000;

it('At a locked limit nothing is filled before the price has left it, whatever waits there or comes as a market order', () => {
  const market = createMarket({ seed: SEED, universe: 'demo' });
  const found = { locked: 0, filled: 0 };
  for (const day of tradingDays(market, '2026-02-25', 12)) {
    const noon = ist(`${day}T12:00:00`);
    for (const share of market.universe(noon).all('NSE', ['STOCK'])) {
      if (share.bandPercent === null) continue;
      const { low, high } = fixedBand(market.previousClose(share, noon), share.bandPercent, share.tickSize);
      const limit = market.price(share, noon);
      if (limit !== low && limit !== high) continue;
      found.locked += 1;
      const [side, way] = limit === high ? (['BUY', -1] as const) : (['SELL', 1] as const);
      const trader = new Trader(market, noon, SEED);
      const quantity = Math.max(1, Math.round((RUPEES * 100) / limit));
      trader.trade(share, side, quantity);
      expect([share.symbol, day, trader.traded]).toEqual([share.symbol, day, 0]);
      trader.exchange.onEvent((event) => {
        if (event.type !== 'trade') return;
        const price = market.price(share, Number(event.trade.at / 1_000_000n));
        found.filled += 1;
        expect([share.symbol, day, Math.sign(price - limit)]).toEqual([share.symbol, day, way]);
      });
      trader.order(share, side, quantity, { priceType: 'LIMIT', validity: 'DAY', price: limit });
      trader.pass(ist(`${day}T15:30:00`) - noon);
    }
  }
  expect(found.locked).toBeGreaterThan(6);
  expect(found.filled).toBeGreaterThan(2);
});
