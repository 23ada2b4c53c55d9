import * as fc from 'fast-check';
import { figuresOfChain, rankOf, skewStrikeOf, type ChainOption } from '../../../client/options/chain-figures';

const option = (strike: number, more: Partial<ChainOption> = {}): ChainOption => ({
  strike,
  lastPrice: 100_00,
  iv: 0.15,
  delta: 0.5,
  openInterest: 100,
  previousOpenInterest: 80,
  ...more,
});

/** Max pain by its definition: what holders of all options would get, strike by strike. */
function painBySums(calls: readonly ChainOption[], puts: readonly ChainOption[]): number[] {
  const strikes = [...new Set([...calls, ...puts].map(({ strike }) => strike))].sort((a, b) => a - b);
  const payouts = strikes.map(
    (at) =>
      calls.reduce((sum, { strike, openInterest }) => sum + (openInterest ?? 0) * Math.max(0, at - strike), 0) +
      puts.reduce((sum, { strike, openInterest }) => sum + (openInterest ?? 0) * Math.max(0, strike - at), 0),
  );
  const least = Math.min(...payouts);
  return strikes.filter((_, at) => payouts[at] === least);
}

const interest = fc.option(fc.integer({ min: 0, max: 5_000_000 }), { nil: null });
const side = fc
  .uniqueArray(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 })
  .chain((strikes) =>
    fc.tuple(...strikes.map((strike) => interest.map((held) => option(strike * 50_00, { openInterest: held })))),
  );

it('max pain is the strike at which all options would pay least, by summing each', () => {
  fc.assert(
    fc.property(side, side, (calls, puts) => {
      const { maxPain, callInterest, putInterest } = figuresOfChain({ atTheMoney: null, calls, puts });
      const hasBothSides = [calls, puts].every((options) => options.some(({ openInterest }) => openInterest !== null));
      const any = hasBothSides && [...calls, ...puts].some(({ openInterest }) => (openInterest ?? 0) > 0);
      if (any) expect(painBySums(calls, puts)).toContain(maxPain);
      else expect(maxPain).toBeNull();
      expect(callInterest).toBe(calls.map(({ openInterest }) => openInterest ?? 0).reduce((a, b) => a + b, 0));
      expect(putInterest).toBe(puts.map(({ openInterest }) => openInterest ?? 0).reduce((a, b) => a + b, 0));
    }),
  );
});

it('works out ratio, largest strikes, straddle, IV and skew', () => {
  const figures = figuresOfChain({
    atTheMoney: 200,
    calls: [
      option(100, { delta: 0.8, openInterest: 50 }),
      option(200, { lastPrice: 120, iv: 0.14, openInterest: 300, previousOpenInterest: 350 }),
      option(300, { delta: 0.27, iv: 0.16, openInterest: 300 }),
    ],
    puts: [
      option(100, { delta: -0.24, iv: 0.2, openInterest: 900, previousOpenInterest: null }),
      option(200, { delta: -0.5, lastPrice: 80, iv: 0.18, openInterest: 400 }),
      option(300, { delta: -0.8, openInterest: null }),
    ],
  });
  expect(figures).toEqual({
    callInterest: 650,
    putInterest: 1300,
    putCallRatio: 2,
    largestCall: { strike: 200, openInterest: 300, change: -50 },
    largestPut: { strike: 100, openInterest: 900, change: null },
    maxPain: 200,
    straddlePrice: 200,
    atmIv: expect.closeTo(16, 9),
    skew: expect.closeTo(4, 9),
  });
});

it.each([
  ['no open interest', { calls: [option(100, { openInterest: 0 })], puts: [option(100, { openInterest: null })] }],
  ['no options', { calls: [], puts: [] }],
])('%s is no figure', (_name, sides) => {
  expect(figuresOfChain({ atTheMoney: null, ...sides })).toMatchObject({
    putCallRatio: null,
    largestCall: null,
    largestPut: null,
    maxPain: null,
    straddlePrice: null,
    atmIv: null,
  });
});

it.each<[string, readonly ChainOption[]]>([
  ['lacks', []],
  ['tells no open interest of', [option(100, { openInterest: null })]],
])('a chain that %s one side has neither ratio nor max pain', (_, none) => {
  const side = [option(100), option(200)];
  for (const [calls, puts] of [
    [none, side],
    [side, none],
  ] as const)
    expect(figuresOfChain({ atTheMoney: 100, calls, puts })).toMatchObject({ putCallRatio: null, maxPain: null });
  expect(figuresOfChain({ atTheMoney: 100, calls: side, puts: side })).toMatchObject({ putCallRatio: 1 });
});

it('a price or an IV of 0 is none, and one of two IVs is enough', () => {
  const at = (call: Partial<ChainOption>, put: Partial<ChainOption>) =>
    figuresOfChain({ atTheMoney: 100, calls: [option(100, call)], puts: [option(100, put)] });
  expect(at({ lastPrice: 0 }, {}).straddlePrice).toBeNull();
  expect(at({ lastPrice: null }, {}).straddlePrice).toBeNull();
  expect(at({ iv: 0 }, { iv: 0.2 }).atmIv).toBeCloseTo(20, 9);
  expect(at({ iv: 0 }, { iv: null }).atmIv).toBeNull();
});

it('skew needs options with about the delta', () => {
  expect(skewStrikeOf([option(100, { delta: 0.5 }), option(200, { delta: 0.36 })])).toBeNull();
  expect(skewStrikeOf([option(100, { delta: null })])).toBeNull();
  expect(skewStrikeOf([option(100, { delta: -0.31 }), option(200, { delta: -0.2 })])).toBe(200);
});

it('a rank is the place of a value in its history', () => {
  expect(rankOf(15, [10, 20])).toBe(50);
  expect(rankOf(25, [10, 20])).toBe(100);
  expect(rankOf(5, [10, 20])).toBe(0);
  expect(rankOf(5, [])).toBeNull();
  expect(rankOf(5, [5, 5])).toBeNull();
});
