import fc from 'fast-check';
import { IndexPriceProcess } from '../../../sandbox/src/market/prices/index-process';
import { PriceProcesses } from '../../../sandbox/src/market/prices/price-processes';
import { AssetCatalog } from '../../../sandbox/src/market/reference/catalog';
import { createCalendar } from '../../../sandbox/src/market/reference/calendar';
import { parseDayNumber } from '../../../sandbox/src/shared/dates';
import { IdPermutation } from '../../../sandbox/src/market/reference/ids';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import { equities, indexMembers, indices } from '../../../sandbox/src/market/reference/dated-tables';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { IS_WHOLE } from '../../support/sample';

const ist = (text: string) => Date.parse(`${text}+05:30`);
const SEED = 21;
const market = createMarket({ seed: SEED, universe: 'full' });
const at = ist('2026-11-20T12:00:00');
const universe = market.universe(at);
const DAY = 86_400_000;

const rows = equities();
const shares = rows.flatMap((row) => [
  ...(row.symbol === '' ? [] : [['NSE', row.symbol] as const]),
  ...(row.bseSymbol === '' ? [] : [['BSE', row.bseSymbol] as const]),
]);
const find = (exchange: 'NSE' | 'BSE' | 'MCX', symbol: string): Instrument => {
  const found = universe.bySymbol(exchange, symbol);
  if (!found) throw new Error(`${symbol} is not in the universe`);
  return found;
};
const share = fc.constantFrom(...shares).map(([exchange, symbol]) => find(exchange, symbol));
const moment = fc.integer({ min: 0, max: 300 * 86_400 }).map((seconds) => at - seconds * 1000);

/** Tick of cash prices (docs/service/exchange-rules.md#prices), in paise. */
function tickBy(close: number): number {
  for (const [below, tick] of [
    [25_000, 1],
    [100_000, 5],
    [500_000, 10],
    [1_000_000, 50],
    [2_000_000, 100],
  ] as const)
    if (close < below) return tick;
  return 500;
}

/** Tick of what is traded like a share, at an instant: of a fund a paisa, on NSE's SME platform five, of others by the close before. */
const tickOf = (instrument: Instrument, time: number): number =>
  instrument.isin.startsWith('INF')
    ? 1
    : ['SM', 'ST', 'SZ'].includes(instrument.series)
      ? 5
      : tickBy(market.previousClose(instrument, time));

describe('The full universe', () => {
  it('has more than 150,000 instruments over three exchanges, each with a separate ref_id, symbol and token', () => {
    const seen = new Set<number>();
    const symbols = new Set<string>();
    const tokens = new Set<string>();
    const count: Record<string, number> = {};
    for (const instrument of universe.all()) {
      seen.add(instrument.refId);
      symbols.add(`${instrument.exchange} ${instrument.symbol}`);
      tokens.add(`${instrument.exchange} ${instrument.token}`);
      count[instrument.exchange] = (count[instrument.exchange] ?? 0) + 1;
    }
    expect(seen.size).toBe(universe.size);
    expect(symbols.size).toBe(universe.size);
    expect(tokens.size).toBe(universe.size);
    expect(seen.size).toBeGreaterThan(150_000);
    for (const exchange of ['NSE', 'BSE', 'MCX']) expect(count[exchange]).toBeGreaterThan(15_000);
  });

  it('gives each share the tick of its last close, its band and its freeze quantity', () => {
    for (const [exchange, symbol] of shares) {
      const instrument = find(exchange, symbol);
      if (instrument.tickSize !== tickOf(instrument, at)) {
        throw new Error(
          `${exchange} ${symbol}: tick ${instrument.tickSize} at ${market.previousClose(instrument, at)}`,
        );
      }
      if (instrument.bandPercent !== null && ![2, 5, 10, 20, 40].includes(instrument.bandPercent))
        throw new Error(`${symbol}: band ${instrument.bandPercent}`);
    }
    expect(find('NSE', 'RELIANCE')).toMatchObject({
      isin: 'INE002A01018',
      bandPercent: null,
      closingAuction: true,
      lotSize: 1,
      token: 2885,
    });
    const [nifty] = universe.futures('NSE', 'NIFTY');
    expect(nifty).toMatchObject({
      lotSize: 65,
      freezeQty: 1800,
      derivativeType: 'FUT',
      underlyingRefId: find('NSE', 'NIFTY').refId,
    });
  });

  it('had other lots and freeze quantities in 2025', () => {
    const then = market.universe(ist('2025-11-20T12:00:00'));
    expect(then.futures('NSE', 'NIFTY')[0]?.lotSize).toBe(75);
    expect(then.futures('NSE', 'FINNIFTY')[0]?.freezeQty).toBe(1800);
    const later = market.universe(ist('2025-12-10T12:00:00'));
    expect(later.futures('NSE', 'FINNIFTY')[0]?.freezeQty).toBe(1200);
    expect(universe.futures('NSE', 'FINNIFTY')[0]?.freezeQty).toBe(1800);
  });

  it('trades companies of the SME platforms in lots, and shows no part of one', () => {
    const counted: Record<string, number> = {};
    for (const [exchange, symbol] of shares) {
      const instrument = find(exchange, symbol);
      if (instrument.lotSize === 1) continue;
      counted[instrument.series] = (counted[instrument.series] ?? 0) + 1;
      const { bids, asks } = market.depth(instrument, at, market.price(instrument, at), 5);
      for (const { quantity } of [...bids, ...asks]) expect(quantity % instrument.lotSize).toBe(0);
      expect(market.volume(instrument, at - DAY, at) % instrument.lotSize).toBe(0);
    }
    expect(counted).toEqual({
      SM: 439,
      ST: 120,
      SZ: 2,
      IV: 12,
      E1: 1,
      M: 373,
      MT: 140,
      MS: 5,
      P: 62,
      TS: 7,
      ZP: 7,
      IF: 9,
    });
    expect(find('NSE', 'AAKAAR')).toMatchObject({ series: 'SM', lotSize: 1600, lotMultiplier: 1600, tickSize: 5 });
    expect(find('BSE', 'MSECL')).toMatchObject({ series: 'M', lotSize: 600 });
  });

  it('drops contracts after their expiry and keeps the ref_ids of the rest', () => {
    const later = market.universe(ist('2026-11-24T12:00:00'));
    const dead = find('NSE', 'NIFTY26NOVFUT');
    const living = find('NSE', 'NIFTY26DECFUT');
    expect(later.byRefId(dead.refId)).toBeUndefined();
    expect(later.byRefId(living.refId)?.symbol).toBe('NIFTY26DECFUT');
    expect(later.expiries('NSE', 'NIFTY')).not.toContain(20261123);
  });

  const small = createMarket({ seed: SEED, universe: 'demo' });
  it.each(['2033-12-30', ...(IS_WHOLE ? ['2010-06-01', '2015-03-02', '2019-02-20'] : [])])(
    'exists on %s too, with prices for all of it',
    (date) => {
      const then = ist(`${date}T12:00:00`);
      const seen = new Set<number>();
      const kinds = new Set<string>();
      for (const instrument of small.universe(then).all()) {
        seen.add(instrument.refId);
        const kind = `${instrument.exchange} ${instrument.derivativeType}`;
        const isFirst = !kinds.has(kind);
        kinds.add(kind);
        // In `npm test` the first of each kind, and one in fifty.
        if (!IS_WHOLE && !isFirst && seen.size % 50 !== 0) continue;
        if (!(small.price(instrument, then) > 0 && small.previousClose(instrument, then) > 0))
          throw new Error(`${instrument.symbol} has no price`);
      }
      expect(seen.size).toBe(small.universe(then).size);
      expect(seen.size).toBeGreaterThan(2500);
    },
  );

  it('keeps every strike of a series until it expires', () => {
    const strikes = (date: string) =>
      market
        .universe(ist(`${date}T12:00:00`))
        .options('NSE', 'NIFTY', 20261229)
        .ce.map((instrument) => instrument.strikePrice);
    let before = strikes('2026-10-12');
    for (const date of ['2026-10-19', '2026-11-02', '2026-11-16', '2026-12-01', '2026-12-15', '2026-12-29']) {
      const now = strikes(date);
      expect(now).toEqual(expect.arrayContaining(before));
      before = now;
    }
  });

  it('knows no ref_id that it did not give', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 2 ** 33 }), (refId) => {
        const found = universe.byRefId(refId);
        expect(found === undefined || found.refId === refId).toBe(true);
      }),
    );
    expect(universe.byRefId(1.5)).toBeUndefined();
  });

  it('knows no code that differs in one bit from that of another, unless it gave it too', () => {
    const given = new Set(Array.from(universe.all(), (instrument) => instrument.refId));
    const scramble = new IdPermutation(SEED);
    const kinds = [
      find('NSE', 'RELIANCE'),
      find('BSE', 'RELIANCE'),
      find('NSE', 'NIFTY'),
      ...universe.futures('NSE', 'NIFTY'),
      ...universe.options('NSE', 'NIFTY', 20261229).ce,
    ];
    for (const { refId } of kinds) {
      for (let bit = 0; bit < 31; bit++) {
        const near = scramble.scramble(scramble.restore(refId) ^ (1 << bit));
        expect(universe.byRefId(near)?.refId).toBe(given.has(near) ? near : undefined);
      }
    }
  });
});

describe('Prices', () => {
  it('are on a tick for shares, inside the band of the day', () => {
    fc.assert(
      fc.property(share, moment, (instrument, time) => {
        const price = market.price(instrument, time);
        const previous = market.previousClose(instrument, time);
        // Before the open the last price is that of the day before, on its tick.
        const night = market.price(instrument, time - ((time + 19_800_000) % DAY));
        expect(price === night || price % tickOf(instrument, time) === 0).toBe(true);
        const band = (instrument.bandPercent ?? 20) / 100;
        // A share of a few paise may move by a tick.
        const room = Math.max(previous * band, tickOf(instrument, time));
        expect(Math.abs(price - previous)).toBeLessThanOrEqual(room + 1e-6);
      }),
      { numRuns: 300 },
    );
  });

  it('are the same on NSE and BSE at the close and nearly so before', () => {
    for (const symbol of ['RELIANCE', 'INFY', 'TATASTEEL']) {
      const [nse, bse] = [find('NSE', symbol), find('BSE', symbol)];
      expect(market.price(bse, at + 8 * 3_600_000)).toBe(market.price(nse, at + 8 * 3_600_000));
      expect(Math.abs(market.price(bse, at) / market.price(nse, at) - 1)).toBeLessThan(0.001);
    }
  });

  it('never leave a bar on a day without trading', () => {
    fc.assert(
      fc.property(
        share,
        fc.constantFrom('1h', '1d'),
        fc.integer({ min: 0, max: 3000 }),
        (instrument, interval, back) => {
          const from = ist('2026-11-21T00:00:00') - back * DAY;
          for (const bar of market.bars(instrument, interval, from, from + 6 * DAY)) {
            expect(
              market.calendar.isTradingDay(
                instrument.exchange,
                new Date(bar.at + 330 * 60_000).toISOString().slice(0, 10),
              ),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(market.bars(find('NSE', 'INFY'), '1m', ist('2026-11-21T00:00:00'), ist('2026-11-23T00:00:00'))).toEqual([]);
  });

  it('are made of their days for weeks and months', () => {
    const instrument = find('NSE', 'HDFCBANK');
    const [from, to] = [ist('2026-01-01T00:00:00'), ist('2026-11-01T00:00:00')];
    const days = market.bars(instrument, '1d', from, to);
    const months = market.bars(instrument, '1mth', from, to);
    expect(months).toHaveLength(10);
    months.forEach((month, i) => {
      const inside = days.filter((day) => day.at >= month.at && day.at < (months[i + 1]?.at ?? to));
      expect([month.open, month.high, month.low, month.close, month.volume]).toEqual([
        inside[0]?.open,
        Math.max(...inside.map((day) => day.high)),
        Math.min(...inside.map((day) => day.low)),
        inside.at(-1)?.close,
        inside.reduce((sum, day) => sum + day.volume, 0),
      ]);
    });
    const weeks = market.bars(instrument, '1w', from, to, at);
    expect(weeks.reduce((sum, week) => sum + week.volume, 0)).toBeGreaterThan(0);
    for (const week of weeks) expect(days.some((day) => day.at === week.at)).toBe(true);
  });

  it('end with the last day of an expired contract', () => {
    const future = find('NSE', 'NIFTY26NOVFUT');
    const late = market.bars(future, '1d', ist('2026-11-19T00:00:00'), ist('2026-12-05T00:00:00'));
    expect(late.map((bar) => new Date(bar.at).toISOString().slice(0, 10))).toEqual([
      '2026-11-19',
      '2026-11-20',
      '2026-11-23',
    ]);
    expect(market.price(future, ist('2026-12-03T12:00:00'))).toBe(late.at(-1)?.close);
    const spot =
      market.bars(find('NSE', 'NIFTY'), '1d', ist('2026-11-23T00:00:00'), ist('2026-11-24T00:00:00'))[0]?.close ?? 0;
    expect(Math.abs((late.at(-1)?.close ?? 0) / spot - 1)).toBeLessThan(0.003);
  });
});

describe('Volumes', () => {
  it('are many at the open and the close, few at noon, and never shrink', () => {
    const instrument = find('NSE', 'SBIN');
    // Half an hour can be busier than others by chance: two weeks of them are not.
    const halves = Array.from({ length: 13 }, () => 0);
    for (let day = ist('2026-07-13T00:00:00'); day < ist('2026-07-25T00:00:00'); day += DAY)
      market.bars(instrument, '30m', day, day + DAY).forEach((bar, i) => (halves[i] = (halves[i] ?? 0) + bar.volume));
    expect(halves[0]).toBeGreaterThan(1.5 * (halves[6] ?? 0));
    expect(halves[11]).toBeGreaterThan(1.2 * (halves[6] ?? 0));
    fc.assert(
      fc.property(
        share,
        moment,
        fc.integer({ min: 0, max: 5_000_000 }),
        fc.integer({ min: 0, max: 5_000_000 }),
        (any, time, first, second) => {
          const whole = market.volume(any, time, time + first + second);
          const parts =
            market.volume(any, time, time + first) + market.volume(any, time + first, time + first + second);
          expect(parts).toBe(whole);
          expect(whole).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('The closing auction', () => {
  const instrument = find('NSE', 'INFY');
  const clock = (time: string) => ist(`2026-11-20T${time}`);

  it('holds the last price, shows where it is heading, then prints one price', () => {
    const frozen = market.price(instrument, clock('15:14:59'));
    expect(market.price(instrument, clock('15:25:00'))).toBe(frozen);
    expect(market.indicativeClose(instrument, clock('15:14:59'))).toBeNull();
    expect(market.indicativeClose(instrument, clock('15:25:00'))).toBeGreaterThan(0);
    expect(market.indicativeClose(instrument, clock('15:36:00'))).toBeNull();
    const close = market.price(instrument, clock('15:35:00'));
    expect(market.price(instrument, clock('18:00:00'))).toBe(close);
    const [last] = market.bars(instrument, '1m', clock('15:16:00'), clock('16:00:00'));
    expect(last).toMatchObject({ at: clock('15:35:00'), open: close, high: close, low: close, close });
    expect(market.bars(instrument, '1d', clock('00:00:00'), clock('16:00:00'))[0]?.close).toBe(close);
  });

  it('is not for shares without derivatives, nor for days before it was introduced', () => {
    const small = find('NSE', '20MICRONS');
    expect(market.indicativeClose(small, clock('15:25:00'))).toBeNull();
    expect(market.indicativeClose(instrument, ist('2026-07-20T15:25:00'))).toBeNull();
    expect(market.bars(small, '1m', clock('15:16:00'), clock('16:00:00'))).toHaveLength(14);
  });
});

describe('Indices', () => {
  const { days } = createCalendar();
  const processes = new PriceProcesses(SEED, new AssetCatalog(), days);

  it.each(['NIFTY', 'BANKNIFTY', 'SENSEX'])('%s is the weighted sum of its members at every second', (symbol) => {
    const row = indices().findIndex((index) => index.symbol === symbol);
    const root = processes.indexProcess(row);
    if (!(root instanceof IndexPriceProcess)) throw new Error(`${symbol} has no members`);
    const sum = (index: number, price: (member: IndexPriceProcess['members'][number]['root']) => number) =>
      root.members.reduce(
        (all, member) => all + (member.weight * price(member.root)) / member.root.close(index - 1),
        0,
      ) * root.close(index - 1);
    for (const date of ['2026-11-20', '2026-03-12', '2019-06-03']) {
      const index = days.equity.indexOf(parseDayNumber(date));
      const path = root.path(index);
      const closing = root.closingMinute(path.grid);
      for (let k = 0; k <= path.grid.minutes; k++) {
        const off = Math.abs((path.knots[k] ?? 0) / sum(index, (member) => member.path(index).knots[k] ?? 0) - 1);
        if (off > (k === closing ? 2e-8 : 1e-12)) throw new Error(`minute ${k} is ${off} off`);
      }
      for (const k of [0, 1, 100, 200, closing - 1]) {
        for (let s = 0; s < 60; s++) {
          const off = Math.abs(path.second(k, s) / sum(index, (member) => member.path(index).second(k, s)) - 1);
          if (off > 2e-8) throw new Error(`second ${s} of minute ${k} is ${off} off`);
        }
      }
    }
  });

  it('follows the closes of its members as anybody sees them', () => {
    const { members } = indexMembers().find((entry) => entry.index === 'NIFTY') ?? { members: [] };
    const weights = members.reduce((sum, member) => sum + member.weight, 0);
    const from = ist('2026-11-19T00:00:00');
    const change = (instrument: Instrument) => {
      const [before, after] = market.bars(instrument, '1d', from, from + 2 * DAY);
      return (after?.close ?? NaN) / (before?.close ?? NaN);
    };
    const sum = members.reduce(
      (total, { symbol, weight }) => total + (weight / weights) * change(find('NSE', symbol)),
      0,
    );
    expect(change(find('NSE', 'NIFTY'))).toBeCloseTo(sum, 4);
  });
});
