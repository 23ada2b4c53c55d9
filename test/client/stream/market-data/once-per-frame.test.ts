import { oncePerFrame } from '../../../../client/stream/market-data/once-per-frame';
import { LivePnl } from '../../../../client/portfolio/live-pnl';
import type { Positions } from '../../../../client/portfolio/portfolio';
import type { MarketPrice } from '../../../../client/values/market-price';

const price = (paise: number): MarketPrice => paise as MarketPrice;
const noError = (error: unknown): never => {
  throw error;
};

/** Ten shares that were bought and ten of another that were sold, both at ₹100: what one earns, the other loses. */
function pair(): LivePnl {
  const pnl = new LivePnl();
  const positions = [
    { ref_id: 1, qty: 10, order_side: 'ORDER_SIDE_BUY' },
    { ref_id: 2, qty: 10, order_side: 'ORDER_SIDE_SELL' },
  ].map((one) => ({ ...one, symbol: `S${one.ref_id}`, exchange: 'NSE', ltp: 10_000, pnl: 0, segment: 'open' }));
  pnl.read({ client_code: '', stats: {}, positions } as unknown as Positions);
  return pnl;
}

it('judges the sum of two legs once both have the prices of the frame, and never between them', async () => {
  const pnl = pair();
  const seen: (number | undefined)[] = [];
  const judge = oncePerFrame(() => seen.push(pnl.all), noError);
  for (const paise of [10_500, 11_000]) {
    for (const refId of [1, 2]) {
      pnl.price(refId, price(paise));
      judge();
      // Until both have a price, the profit is that of the reading.
      if (refId === 1) expect(pnl.all).toBe(paise === 10_500 ? 0 : 5_000);
    }
    expect(seen).toHaveLength(paise === 10_500 ? 0 : 1);
    await Promise.resolve();
  }
  expect(seen).toEqual([0, 0]);
});

it('hands an error of the judgement over, and judges the next frame', async () => {
  const errors: unknown[] = [];
  let frames = 0;
  const judge = oncePerFrame(
    () => {
      frames += 1;
      if (frames === 1) throw new Error('no sum');
    },
    (error) => errors.push(error),
  );
  judge();
  await Promise.resolve();
  judge();
  await Promise.resolve();
  expect([frames, errors]).toEqual([2, [new Error('no sum')]]);
});
