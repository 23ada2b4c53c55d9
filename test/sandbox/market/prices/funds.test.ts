import fc from 'fast-check';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { funds } from '../../../../sandbox/src/market/reference/dated-tables';
import { leaks, search } from '../leaks/search';
import { Bets, correlation } from '../leaks/statistics';
import { share } from '../../../support/sample';
import { barsOf, fileOf, instrumentOf, recorded, recordingsOf } from './recording-support';

const market = createMarket({ seed: 5, universe: 'demo' });
const always = createMarket({ seed: 5, universe: 'demo', hours: 'always' });
const at = (text: string): number => Date.parse(`${text}+05:30`);
const NOON = at('2026-11-23T12:00:00');
const universe = market.universe(NOON);
const find = (symbol: string): Instrument => universe.bySymbol('NSE', symbol)!;
const [nifty, bees, goldBees] = [find('NIFTY'), find('NIFTYBEES'), find('GOLDBEES')];
/** A future that is listed through all days that are looked at. */
const gold = universe.futures('MCX', 'GOLD')[3]!;
const [SECOND, MINUTE] = [1_000, 60_000];
/** Largest premium that is ever met: six of its deviations, and half a tick of either price. */
const NEAR = 6 * 0.00015 + 0.00005;

const days = (count: number): string[] => {
  const found: string[] = [];
  // Muhurat trading has no pre-open.
  const hasPreOpen = (day: string): boolean => market.calendar.sessions('NSE', false, day)[0]?.phase === 'PRE_OPEN';
  for (let day = '2026-10-01'; found.length < count; day = market.calendar.nextTradingDay('NSE', day))
    if (hasPreOpen(day) && market.calendar.isTradingDay('MCX', day)) found.push(day);
  return found;
};

/** By how much a fund's price has moved against what it holds, from one instant to another, as a logarithm. */
const apart = (of: Market, fund: Instrument, holds: Instrument, from: number, to: number): number =>
  Math.log(of.price(fund, to) / of.price(fund, from)) - Math.log(of.price(holds, to) / of.price(holds, from));

describe('A fund', () => {
  it('is never far from what it holds, at any second of the session', () => {
    const second = fc
      .integer({ min: 1, max: 360 * 60 - 1 })
      .map((seconds) => at('2026-11-23T09:15:00') + seconds * SECOND);
    fc.assert(
      fc.property(second, second, (from, to) => {
        expect(Math.abs(apart(market, bees, nifty, from, to))).toBeLessThan(2 * NEAR);
        expect(Math.abs(apart(market, goldBees, gold, from, to))).toBeLessThan(2 * NEAR);
      }),
      { numRuns: 100 },
    );
  });

  it('goes with it from day to day as funds do, at 0.98 or more', () => {
    const closes = (instrument: Instrument): number[] =>
      days(80).map((day) =>
        Math.log(market.previousClose(instrument, at(`${market.calendar.nextTradingDay('NSE', day)}T08:00:00`))),
      );
    const afternoons = (instrument: Instrument): number[] =>
      days(80).map((day) => Math.log(market.price(instrument, at(`${day}T15:20:00`))));
    const changes = (values: readonly number[]): number[] => values.slice(1).map((value, i) => value - values[i]!);
    expect(correlation(changes(closes(bees)), changes(closes(nifty)))).toBeGreaterThan(0.98);
    expect(correlation(changes(afternoons(goldBees)), changes(afternoons(gold)))).toBeGreaterThan(0.98);
  });

  it('has the close of the tables on their date to the paisa, whatever the seed', () => {
    const full = createMarket({ seed: 9, universe: 'full' });
    const after = full.universe(at('2026-08-24T12:00:00'));
    for (const { symbols } of funds())
      expect(full.previousClose(after.bySymbol('NSE', symbols[0]!)!, at('2026-08-24T12:00:00'))).toBeGreaterThan(0);
    expect(full.previousClose(after.bySymbol('NSE', 'NIFTYBEES')!, at('2026-08-24T12:00:00'))).toBe(27_676);
    expect(full.previousClose(after.bySymbol('NSE', 'GOLDBEES')!, at('2026-08-24T12:00:00'))).toBe(13_132);
  });

  it('has in its candles what its seconds were, and closes at its last trade', () => {
    const funds = [
      [market, bees],
      [market, goldBees],
      [always, bees],
      [always, goldBees],
    ] as const;
    for (const [of, fund] of share(funds, 3, 0)) {
      const [open, end] = [at('2026-11-23T09:15:00'), at('2026-11-23T15:30:00')];
      const seconds = Array.from({ length: (end - open) / SECOND }, (_, i) => of.price(fund, open + i * SECOND));
      const minutes = of.bars(fund, '1m', open, end, NOON * 2).filter((bar) => bar.at < end);
      expect(minutes).toHaveLength(375);
      minutes.forEach((bar, i) => {
        const within = seconds.slice(i * 60, i * 60 + 60);
        expect(bar).toMatchObject({
          open: within[0],
          high: Math.max(...within),
          low: Math.min(...within),
          close: within.at(-1),
        });
      });
      const [day] = of.bars(fund, '1d', open, end, NOON * 2);
      expect(day).toMatchObject({ open: seconds[0], high: Math.max(...seconds), low: Math.min(...seconds) });
      expect(of.previousClose(fund, at('2026-11-24T08:00:00'))).toBe(seconds.at(-1));
    }
  });

  it('opens where it holds gold at the gold price of the end of the pre-open, and tells no move of gold until the first trade', () => {
    const list = days(120);
    const [at0908, at0915]: [number[], number[]] = [[], []];
    list.slice(1).forEach((day, i) => {
      const [before, known] = [at(`${list[i]!}T15:20:00`), at(`${day}T09:08:00`)];
      const opened = Math.log(market.price(goldBees, known) / market.price(goldBees, before));
      const ofGold = (time: number): number => Math.log(market.price(gold, time) / market.price(gold, before));
      at0908.push(Math.abs(opened - ofGold(known)));
      at0915.push(Math.abs(opened - ofGold(known + 7 * MINUTE)));
      expect(market.price(goldBees, known + 6 * MINUTE)).toBe(market.price(goldBees, known));
    });
    // Over a long weekend the future comes nearer to gold by a ten-thousandth a day.
    expect(Math.max(...at0908)).toBeLessThan(2 * NEAR + 0.0005);
    expect(Math.max(...at0915)).toBeGreaterThan(2 * NEAR + 0.0005);
  });

  it('shows in the pre-open where it holds gold the gold price of then, not the one to come', () => {
    const list = days(120);
    const [shown, becomes]: [number[], number[]] = [[], []];
    for (const seed of [5, 6, 7, 8]) {
      const market = createMarket({ seed, universe: 'demo' });
      const listed = market.universe(NOON);
      const [fund, future] = [listed.bySymbol('NSE', 'GOLDBEES')!, listed.futures('MCX', 'GOLD')[3]!];
      list.slice(1).forEach((day, i) => {
        const [before, time, known] = [at(`${list[i]!}T15:20:00`), at(`${day}T09:01:05`), at(`${day}T09:08:00`)];
        const indicated = Math.log(market.auctionPrice(fund, time)! / market.price(fund, before));
        shown.push(indicated - Math.log(market.price(future, time) / market.price(future, before)));
        becomes.push(Math.log(market.price(future, known) / market.price(future, time)));
      });
    }
    expect(Math.abs(correlation(shown, becomes))).toBeLessThan(3 / Math.sqrt(shown.length));
  });

  it('moves on through nights, Sundays and holidays of MCX around the clock, with no jump where a session begins or ends', () => {
    const time = fc.integer({ min: at('2026-11-19T00:00:00'), max: at('2026-11-27T00:00:00') });
    for (const edge of ['09:00:00', '09:08:00', '09:15:00', '15:30:00', '15:40:00', '23:30:00', '23:55:00'])
      for (const day of ['2026-11-23', '2026-11-24', '2026-11-25'])
        for (const fund of [bees, goldBees]) {
          const [before, after] = [
            always.price(fund, at(`${day}T${edge}`) - 1),
            always.price(fund, at(`${day}T${edge}`)),
          ];
          expect(Math.abs(after / before - 1)).toBeLessThan(0.002);
        }
    fc.assert(
      fc.property(time, (instant) => {
        expect(Math.abs(apart(always, goldBees, gold, instant, instant + MINUTE))).toBeLessThan(2 * NEAR);
        expect(Math.abs(apart(always, bees, nifty, instant, instant + MINUTE))).toBeLessThan(2 * NEAR);
      }),
      { numRuns: 100 },
    );
  });

  it('earns nobody what trading costs, however dear or cheap it is against what it holds', () => {
    for (const [fund, holds] of [
      [bees, nifty],
      [goldBees, gold],
    ] as const) {
      const bets = new Bets();
      for (const day of days(60)) {
        const first = at(`${day}T09:30:00`);
        for (let time = first; time < at(`${day}T14:30:00`); time += 40 * MINUTE) {
          const premium = apart(market, fund, holds, first - 10 * MINUTE, time);
          if (Math.abs(premium) < 0.0002) continue;
          const gain = Math.log(market.price(fund, time + 40 * MINUTE) / market.price(fund, time));
          const hedge = Math.log(market.price(holds, time + 40 * MINUTE) / market.price(holds, time));
          bets.add(-Math.sign(premium) * (gain - hedge));
        }
      }
      expect(bets.count).toBeGreaterThan(50);
      // Charges of a purchase and a sale within the day, without the brokerage: three and a half basis points.
      expect(bets.mean + 2 * bets.error).toBeLessThan(0.00035);
    }
  });

  it('tells nothing of what its price does next', () => {
    expect(leaks(search(market, ['NIFTYBEES', 'GOLDBEES'], '2026-08-31', 12))).toEqual([]);
  });

  it('goes with the recording of an index that was recorded', () => {
    const bars = barsOf(recorded, 'NIFTY', '1m', '2026-11-23', '2026-11-26');
    const replay = createMarket({ seed: 77, universe: 'demo', recordings: recordingsOf(fileOf('NIFTY', bars, 60)) });
    const [fund, index] = ['NIFTYBEES', 'NIFTY'].map((symbol) => instrumentOf(replay, symbol, NOON)) as [
      Instrument,
      Instrument,
    ];
    const first = at('2026-11-23T09:30:00');
    for (const time of ['2026-11-23T14:00:00', '2026-11-24T11:11:11', '2026-11-25T15:00:00'])
      expect(Math.abs(apart(replay, fund, index, first, at(time)))).toBeLessThan(2 * NEAR);
    expect(replay.price(index, first)).toBe(recorded.price(nifty, first));
  });
});
