import { WHOLE_MARKET, PriceOverrides } from '../../../../sandbox/src/market/prices/price-overrides';
import type { FactorExposure } from '../../../../sandbox/src/market/prices/exposures';

const [FIRST, SECOND]: [FactorExposure, FactorExposure] = [
  { asset: 'first', beta: 1, members: [] },
  { asset: 'second', beta: 1, members: [] },
];
const INDEX: FactorExposure = {
  asset: 'index',
  beta: 0,
  members: [FIRST, SECOND].map((of) => ({ of, weight: 0.5 })),
};
const FUND: FactorExposure = { asset: 'fund', beta: 0, members: [{ of: INDEX, weight: 1 }] };
const taken = (asset: string) => ({
  refId: 1,
  asset,
  liquidity: { volume: 1_000, lot: 1, volatility: 0.02, everywhere: 1_000 },
  waited: false,
});

describe('The instant from which prices are moved', () => {
  test('is that of an index and a fund, too, whatever begins to move their members, each time', () => {
    const overrides = new PriceOverrides();
    const seen = () => [INDEX, FUND].map((exposure) => [overrides.since(exposure), overrides.instants(exposure)]);
    expect(seen()).toEqual([
      [undefined, []],
      [undefined, []],
    ]);
    // A push stays with the share.
    overrides.push(taken('second'), 100, 5_000);
    overrides.push(taken('second'), 100, 6_000);
    expect(overrides.since(SECOND)).toBe(5_000);
    expect(seen()).toEqual([
      [undefined, []],
      [undefined, []],
    ]);
    overrides.set(SECOND, 3_000, 1.1);
    expect(seen()).toEqual([
      [3_000, [3_000]],
      [3_000, [3_000]],
    ]);
    overrides.run({ asset: 'first', from: 7_000, knots: [{ at: 7_000, value: 0.1, ramp: false }] });
    overrides.setMarket(2_000, 0.1);
    expect(seen()).toEqual([
      [2_000, [2_000, 3_000, 7_000]],
      [2_000, [2_000, 3_000, 7_000]],
    ]);
    expect(overrides.instants({ asset: 'bond', beta: 0, members: [] })).toEqual([]);
    overrides.run({ asset: WHOLE_MARKET, from: 8_000, knots: [{ at: 8_000, value: 0.1, ramp: false }] });
    expect(overrides.instants(FIRST)).toEqual([2_000, 7_000, 8_000]);
  });

  test('counts after a restore, also where somebody has asked before', () => {
    const overrides = new PriceOverrides();
    overrides.set(SECOND, 3_000, 1.1);
    overrides.push(taken('fund'), 100, 2_000);
    const restored = new PriceOverrides();
    expect(restored.since(FUND)).toBeUndefined();
    restored.restore(overrides.state());
    expect(restored.since(FUND)).toBe(2_000);
    expect(restored.instants(FUND)).toEqual([3_000]);
  });
});
