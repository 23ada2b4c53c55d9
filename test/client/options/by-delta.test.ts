import { InputError } from '../../../client/base/errors';
import type { OptionLeg, OptionStrike } from '../../../client/market/option-chain';
import { optionsByDelta, type OptionDeltas } from '../../../client/options/by-delta';
import type { OptionStrategyTerms } from '../../../client/orders/model/option-strategies';

const leg = (type: 'CE' | 'PE', strike: number, delta: number | null) =>
  ({ option_type: type, strike_price: strike, ref_id: strike, delta }) as OptionLeg;
/** Calls have 0.9 at 80 down to 0.1 at 120; puts the rest, below 0. */
const strikes = (hasDeltas = true): OptionStrike[] =>
  [80, 85, 90, 95, 100, 105, 110, 115, 120].map((strike, at) => ({
    strike_price: strike,
    at_the_money: strike === 100,
    ce: leg('CE', strike, hasDeltas ? 0.9 - at / 10 : null),
    pe: leg('PE', strike, hasDeltas ? -0.1 - at / 10 : null),
  }));
const chosen = (terms: Omit<OptionStrategyTerms, 'distance' | 'width'>, deltas: OptionDeltas, chain = strikes()) =>
  optionsByDelta({ strikes: chain, asset: 'NIFTY', expiry: '2026-11-24' }, terms, deltas).map(
    ({ leg: { side, ratio }, option }) => `${side} ${ratio} ${option.option_type} ${option.strike_price}`,
  );

it.each<[string, Omit<OptionStrategyTerms, 'distance' | 'width'>, OptionDeltas, string[]]>([
  ['strangle', { shape: 'strangle', side: 'SELL', madeOf: 'both' }, { inner: 0.22 }, ['SELL 1 CE 115', 'SELL 1 PE 85']],
  [
    'spread of calls',
    { shape: 'spread', side: 'BUY', madeOf: 'CE' },
    { inner: 0.7, outer: 0.3 },
    ['BUY 1 CE 90', 'SELL 1 CE 110'],
  ],
  [
    'spread of puts',
    { shape: 'spread', side: 'SELL', madeOf: 'PE' },
    { inner: 0.4, outer: 0.2 },
    ['SELL 1 PE 95', 'BUY 1 PE 85'],
  ],
  [
    'iron condor',
    { shape: 'condor', side: 'SELL', madeOf: 'both' },
    { inner: 0.3, outer: 0.1 },
    ['SELL 1 CE 110', 'SELL 1 PE 90', 'BUY 1 CE 120', 'BUY 1 PE 80'],
  ],
  [
    'condor of calls: its strikes below the money are those of the puts with the delta',
    { shape: 'condor', side: 'BUY', madeOf: 'CE' },
    { inner: 0.3, outer: 0.1 },
    ['BUY 1 CE 80', 'SELL 1 CE 90', 'SELL 1 CE 110', 'BUY 1 CE 120'],
  ],
  [
    'butterfly of puts',
    { shape: 'butterfly', side: 'BUY', madeOf: 'PE' },
    { outer: 0.2 },
    ['BUY 1 PE 85', 'SELL 2 PE 100', 'BUY 1 PE 115'],
  ],
])('chooses the strikes by delta: %s', (_, terms, deltas, expected) => expect(chosen(terms, deltas)).toEqual(expected));

it('refuses deltas between which no strike lies: two legs of one strike would cancel each other', () => {
  const condor = { shape: 'condor', side: 'SELL', madeOf: 'both' } as const;
  expect(() => chosen(condor, { inner: 0.22, outer: 0.18 })).toThrow(/same strike/);
  expect(() => chosen({ shape: 'butterfly', side: 'SELL', madeOf: 'both' }, { outer: 0.5 })).toThrow(/same strike/);
});

it('says that the service gives no deltas', () => {
  const strangle = { shape: 'strangle', side: 'SELL', madeOf: 'both' } as const;
  expect(() => chosen(strangle, { inner: 0.2 }, strikes(false))).toThrow(InputError);
  expect(() => chosen(strangle, { inner: 0.2 }, strikes(false))).toThrow(/gives no deltas/);
  expect(() => chosen(strangle, { inner: 0.2 }, [])).toThrow(/gives no deltas/);
});

it('says that an option is not in the chain', () => {
  const calls = { shape: 'condor', side: 'BUY', madeOf: 'CE' } as const;
  const chain = strikes().map((strike) => (strike.strike_price === 90 ? { ...strike, ce: null } : strike));
  expect(() => chosen(calls, { inner: 0.3, outer: 0.1 }, chain)).toThrow(/has no CE at the strike/);
});

it('refuses the nearest delta where it is far, and none lies beyond the wanted one', () => {
  const strangle = { shape: 'strangle', side: 'SELL', madeOf: 'both' } as const;
  const some = (from: number, to: number): OptionStrike[] =>
    strikes().map((strike) => {
      const hasDelta = strike.strike_price >= from && strike.strike_price <= to;
      return { ...strike, ce: leg('CE', strike.strike_price, hasDelta ? (strike.ce?.delta ?? null) : 0) };
    });
  expect(() => chosen(strangle, { inner: 0.2 }, some(80, 95))).toThrow(
    /no delta near 0\.2 for the NIFTY CE options .* from 0\.6 to 0\.9\./,
  );
  expect(chosen(strangle, { inner: 0.22 }, some(80, 110))[0]).toBe('SELL 1 CE 110');
  // On both sides of the wanted one: a chain has no strike between them.
  const around = strikes().map((strike, at) =>
    at < 2 || at === 8 ? strike : { ...strike, ce: leg('CE', strike.strike_price, 0) },
  );
  expect(chosen(strangle, { inner: 0.38 }, around)[0]).toBe('SELL 1 CE 120');
});
