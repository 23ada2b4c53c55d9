import { blackPrice } from '../../../../sandbox/src/market/prices/black76';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { volatilityOf } from '../../../../sandbox/src/market/prices/measured-volatility';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { NamedStraddle } from '../../../../sandbox/src/market/recordings/types';
import { dayOf, parseCompactDate } from '../../../../sandbox/src/shared/dates';
import { barsOf, fileOf, ist, recorded, recordingsOf } from './recording-support';

const RATE = 0.065;
const straddle = (forward: number, strike: number, years: number, volatility: number) => ({
  strike,
  call: blackPrice(forward, { strike, put: false, years, volatility, rate: RATE }),
  put: blackPrice(forward, { strike, put: true, years, volatility, rate: RATE }),
});

describe('The volatility of a straddle', () => {
  it.each([
    [2_500_000, 2_500_000, 5 / 365, 0.12],
    [2_510_000, 2_500_000, 30 / 365, 0.35],
    [1_00_000, 95_000, 0.5, 1.8],
  ])('is found again: forward %d, strike %d, %d years, %d', (forward, strike, years, volatility) => {
    expect(volatilityOf(straddle(forward, strike, years, volatility), years, RATE)).toBeCloseTo(volatility, 8);
  });

  it('is none where prices are worth less than their immediate value, or more than anything', () => {
    expect(volatilityOf({ strike: 100_00, call: 1, put: 10 }, 0.1, RATE)).toBeUndefined();
    expect(volatilityOf({ strike: 100_00, call: 100_00, put: 100_00 }, 0.01, RATE)).toBeUndefined();
    expect(volatilityOf({ strike: 100_00, call: 5, put: 200_00 }, 0.1, RATE)).toBeUndefined();
  });
});

describe('Options of a recorded index', () => {
  const [FIRST, NEXT, LATER] = ['2026-09-07', '2026-09-08', '2026-09-18'];
  const bars = barsOf(recorded, 'NIFTY', '1m', FIRST, '2026-09-19');
  const file = fileOf('NIFTY', bars, 60);
  const marketOf = (straddles: NamedStraddle[]): Market =>
    createMarket({ seed: 3, universe: 'demo', recordings: recordingsOf({ ...file, straddles }) });
  const noon = (date: string) => ist(`${date}T12:00:00`);
  /** The option nearest the money of the last expiry within seventy days. */
  const optionOf = (market: Market, at: number) => {
    const price = bars.findLast((bar) => bar.at <= at)!.close;
    const all = [...market.universe(at).all('NSE', ['OPT'])].filter(({ asset }) => asset === 'NIFTY');
    const expiry = Math.max(
      ...all
        .map((instrument) => instrument.expiry)
        .filter((value) => parseCompactDate(value) - dayOf(noon(LATER)) < 60),
    );
    const calls = all.filter((instrument) => instrument.expiry === expiry && instrument.optionType === 'CE');
    const apart = (strike: number) => Math.abs(strike - price);
    return calls.reduce((best, call) => (apart(call.strikePrice) < apart(best.strikePrice) ? call : best));
  };
  const volatilityAt = (market: Market, date: string) => market.greeks(optionOf(market, noon(date)), noon(date)).iv;
  const without = marketOf([]);
  const expiry = parseCompactDate(optionOf(without, noon(FIRST)).expiry);
  const evening = ist(`${FIRST}T15:30:00`);
  const years = (expiry - dayOf(evening)) / 365;
  const close = bars.findLast((bar) => bar.at < evening)!.close;
  const shown = (volatility: number): NamedStraddle => ({
    exchange: 'NSE',
    symbol: 'NIFTY',
    day: dayOf(evening),
    expiry,
    ...straddle(close, Math.round(close / 5000) * 5000, years, volatility),
  });

  it.each([0.1, 0.3, 0.6])('go on from what was shown on the evening before: %d', (volatility) => {
    const found = volatilityAt(marketOf([shown(volatility)]), NEXT);
    expect(found / volatility).toBeGreaterThan(0.9);
    expect(found / volatility).toBeLessThan(1.1);
  });

  it('show nothing of an evening on its day', () => {
    const market = marketOf([shown(0.6)]);
    const option = optionOf(without, noon(FIRST));
    for (const at of [noon(FIRST), evening - 1]) expect(market.price(option, at)).toBe(without.price(option, at));
    expect(market.price(option, noon(NEXT))).toBeGreaterThan(without.price(option, noon(NEXT)) * 1.5);
  });

  it('come back to the computed price with the days after it', () => {
    const ratio = (date: string) => volatilityAt(marketOf([shown(0.5)]), date) / volatilityAt(without, date);
    expect(ratio(LATER)).toBeLessThan(ratio(NEXT));
    expect(ratio(LATER)).toBeGreaterThan(1.2);
  });
});
