import { describe, expect, test } from '@jest/globals';
import { buyInPrice } from '../../../sandbox/src/simulation/delivery-auction';
import { cachedMarket } from '../../../sandbox/src/market/prices/market-cache';
import { withPriceOverrides } from '../../../sandbox/src/market/prices/overridden-market';
import { PriceOverrides } from '../../../sandbox/src/market/prices/price-overrides';
import { istInstant } from '../../../sandbox/src/shared/time';

const SEED = 7;
const [SOLD_ON, BOUGHT_ON] = ['2026-08-19', '2026-08-20'];
const evening = istInstant(BOUGHT_ON, '23:59');
const plain = cachedMarket({ seed: SEED, universe: 'demo', hours: 'exchange' });
const universe = plain.universe(evening);
const share = [...universe.all('NSE', ['STOCK'])].find(
  ({ series, bandPercent }) => series === 'EQ' && bandPercent !== null,
)!;

/** The market in which a share is at so many times its price all day, and not beyond its band. */
function market(times: number) {
  const overrides = new PriceOverrides();
  const { asset } = plain.exposure(share.refId);
  const from = istInstant(BOUGHT_ON, '00:00');
  overrides.run({ asset, from, knots: [{ at: from, value: Math.log(times), ramp: false }] });
  return withPriceOverrides(plain, overrides);
}

describe('the auction of shares that were not delivered', () => {
  test('has sellers who ask half to three percent above the last price, each share and day apart, and a seed the same', () => {
    const last = plain.price(share, istInstant(BOUGHT_ON, '14:30'));
    const { price, how } = buyInPrice(plain, SEED, share, SOLD_ON, evening);
    expect(how).toBe('AUCTION');
    expect(price % share.tickSize).toBe(0);
    expect(price / last).toBeGreaterThanOrEqual(1.005);
    expect(price / last).toBeLessThan(1.03 + share.tickSize / last);
    expect(buyInPrice(plain, SEED, share, SOLD_ON, evening).price).toBe(price);
    const others = [1, 2, 3].map((seed) => buyInPrice(plain, seed, share, SOLD_ON, evening).price);
    expect(new Set([price, ...others]).size).toBeGreaterThan(1);
  });

  test('costs no less than the close of the sale, where the share has fallen: the seller has no gain by it', () => {
    const fallen = market(0.9);
    const close = plain.previousClose(share, evening);
    const last = fallen.price(share, istInstant(BOUGHT_ON, '14:30'));
    expect(last * 1.03).toBeLessThan(close);
    expect(buyInPrice(fallen, SEED, share, SOLD_ON, evening)).toEqual({ price: close, how: 'VALUATION' });
  });

  test('costs that close less a dividend that the seller owes beside: it is not paid twice', () => {
    const fallen = market(0.9);
    const close = plain.previousClose(share, evening);
    expect(buyInPrice(fallen, SEED, share, SOLD_ON, evening, 200)).toEqual({ price: close - 200, how: 'VALUATION' });
    const { price } = buyInPrice(plain, SEED, share, SOLD_ON, evening);
    expect(buyInPrice(plain, SEED, share, SOLD_ON, evening, 200)).toEqual({ price, how: 'AUCTION' });
  });

  test('is closed out where nobody sells: a fifth above the close, or the highest price since the sale', () => {
    const held = market(3);
    const { price, how } = buyInPrice(held, SEED, share, SOLD_ON, evening);
    const close = held.bars(share, '1d', istInstant(BOUGHT_ON, '00:00'), evening, evening)[0]!.close;
    expect(how).toBe('CLOSE_OUT');
    expect(price).toBe(Math.ceil((close * 1.2) / share.tickSize) * share.tickSize);
  });
});
