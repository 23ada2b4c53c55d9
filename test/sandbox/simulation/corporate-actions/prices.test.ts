/** Prices, contracts, candles and indices through an ex-date. */
import { describe, expect, test } from '@jest/globals';
import { bhavcopy } from '../../../../sandbox/src/market/prices/bhavcopy';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { at, BEFORE, begin, EX, MIDNIGHT, type Begun } from './support';

describe('prices through a split', () => {
  const DAY = 86_400_000;
  const near = (value: number, requested: number, room: number) =>
    expect(Math.abs(value - requested)).toBeLessThanOrEqual(room);

  /** A sandbox that has split RELIANCE one to five, at ten o'clock of the ex-date, and one that has not. */
  function both(hours: 'exchange' | 'always' = 'exchange') {
    const [plain, split] = [begin(hours), begin(hours)];
    split.world.announceCorporateAction({ kind: 'split', from: 5, to: 1, refId: split.share().refId, exDate: EX });
    for (const item of [plain, split]) item.go(at(EX, '10:00'));
    return { plain, split };
  }
  const contracts = ({ world }: Begun): Instrument[] => {
    const universe = world.universe();
    const { ce, pe } = universe.options('NSE', 'RELIANCE', universe.expiries('NSE', 'RELIANCE')[0]!);
    const middle = Math.floor(ce.length / 2);
    return [...universe.futures('NSE', 'RELIANCE'), ce[middle]!, pe[middle - 2]!, pe[middle + 2]!];
  };

  test.each(['exchange', 'always'] as const)('are a fifth of the others (hours %s)', (hours) => {
    const { plain, split } = both(hours);
    const before = [plain.share(), plain.world.universe().bySymbol('BSE', 'RELIANCE')!, ...contracts(plain)];
    for (const listed of before) {
      const now = split.world.instrument(listed.refId)!;
      near(split.world.lastPrice(now), plain.world.lastPrice(listed) / 5, now.tickSize);
      near(
        split.world.market.previousClose(now, at(EX, '10:00')),
        plain.world.market.previousClose(listed, at(EX, '10:00')) / 5,
        now.tickSize,
      );
      const range = (begun: typeof plain, of: Instrument) =>
        begun.world.market.bars(of, '1m', at(EX, '09:30'), at(EX, '10:01'), at(EX, '10:00') + 1);
      const [old, fresh] = [range(plain, listed), range(split, now)];
      expect(fresh).toHaveLength(old.length);
      fresh.forEach((bar, index) => {
        near(bar.close, old[index]!.close / 5, now.tickSize);
        expect(bar.volume).toBe(old[index]!.volume * 5);
      });
      expect(fresh.at(-1)?.close).toBe(split.world.market.price(now, at(EX, '10:00')));
    }
  });

  test('contracts have a fifth of the strike, five times the lot, and a name for it', () => {
    const { plain, split } = both();
    const universe = split.world.universe();
    for (const listed of contracts(plain)) {
      const now = universe.byRefId(listed.refId)!;
      expect(now).toMatchObject({ lotSize: listed.lotSize * 5, strikePrice: listed.strikePrice / 5 });
      expect(universe.bySymbol('NSE', now.symbol)).toBe(now);
      expect(universe.byPlatName('NSE', now.platName)).toBe(now);
      if (listed.derivativeType === 'FUT') continue;
      expect(now.symbol).toBe(
        listed.symbol.replace(String(listed.strikePrice / 100), String(listed.strikePrice / 500)),
      );
      expect(universe.bySymbol('NSE', listed.symbol)?.strikePrice ?? listed.strikePrice).toBe(listed.strikePrice);
      const greeks = (begun: typeof plain, of: Instrument) => begun.world.market.greeks(of, at(EX, '10:00'));
      const [old, fresh] = [greeks(plain, listed), greeks(split, now)];
      expect(fresh.delta).toBeCloseTo(old.delta, 6);
      expect(fresh.iv).toBeCloseTo(old.iv, 6);
      expect(fresh.vega).toBeCloseTo(old.vega / 5, 6);
      expect(fresh.gamma).toBeCloseTo(old.gamma * 5, 6);
    }
    const names = [...universe.all('NSE', ['OPT'])].map(({ symbol }) => symbol);
    expect(new Set(names).size).toBe(names.length);
  });

  test('former candles are adjusted for days, weeks and months; end-of-day files are not', () => {
    const { plain, split } = both();
    const now = at(EX, '10:00') + 1;
    const [old, fresh] = [plain.share(), split.share()];
    const bars = (begun: typeof plain, of: Instrument, interval: string, asOf = now) =>
      begun.world.market.bars(of, interval, at('2026-09-01', '00:00'), now, asOf);
    for (const interval of ['1d', '1w', '1mth', '1h']) {
      const [was, is] = [bars(plain, old, interval), bars(split, fresh, interval)];
      expect(is).toHaveLength(was.length);
      is.forEach((bar, index) => {
        for (const field of ['open', 'high', 'low', 'close'] as const)
          near(bar[field], was[index]![field] / 5, fresh.tickSize);
        near(bar.volume, was[index]!.volume * 5, 5);
      });
    }
    expect(bars(split, fresh, '1d', MIDNIGHT)).toEqual(bars(plain, old, '1d', MIDNIGHT));
    const file = (begun: typeof plain, date: number) =>
      [...bhavcopy(begun.world.market, 'BhavcopySec', date)!.rows].find(([symbol]) => symbol === 'RELIANCE')!;
    expect(file(split, 20261117)).toEqual(file(plain, 20261117));
    const year = (begun: typeof plain, of: Instrument) =>
      begun.world.market.closeRange(of, at('2025-11-18', '00:00'), at(EX, '00:00') + DAY)!;
    near(year(split, fresh).high, year(plain, old).high / 5, fresh.tickSize);
    near(year(split, fresh).low, year(plain, old).low / 5, fresh.tickSize);
  });

  test('the index does not jump, nor does a fund', () => {
    const { plain, split } = both();
    for (const symbol of ['NIFTY', 'NIFTYBEES'])
      expect(split.world.lastPrice(split.share(symbol))).toBe(plain.world.lastPrice(plain.share(symbol)));
  });

  test('price moves by users go on', () => {
    const [plain, split] = [begin(), begin()];
    split.world.announceCorporateAction({ kind: 'split', from: 5, to: 1, refId: split.share().refId, exDate: EX });
    for (const item of [plain, split]) {
      item.world.trade.movePrice(item.share().refId, Math.round((item.world.lastPrice(item.share()) * 1.04) / 10) * 10);
      item.go(at(EX, '10:00'));
    }
    const [old, fresh] = [plain.share(), split.share()];
    near(split.world.lastPrice(fresh), plain.world.lastPrice(old) / 5, fresh.tickSize);
    const close = (begun: typeof plain, of: Instrument) => begun.world.market.previousClose(of, at(EX, '10:00'));
    near(close(split, fresh), close(plain, old) / 5, fresh.tickSize);
    const day = (begun: typeof plain, of: Instrument) =>
      begun.world.market.bars(of, '1d', at(BEFORE, '00:00'), at(EX, '10:00'), at(EX, '10:00') + 1)[0]!;
    near(day(split, fresh).close, day(plain, old).close / 5, fresh.tickSize);
    near(day(split, fresh).high, day(plain, old).high / 5, fresh.tickSize);
  });

  test('a share that is pushed keeps its former close, which lies outside of the band of the days before', () => {
    const [plain, split] = [begin(), begin()];
    const banded = [...plain.world.universe().all('NSE', ['STOCK'])].find(({ bandPercent }) => bandPercent === 20)!;
    const { asset } = plain.world.market.exposure(banded.refId);
    split.world.announceCorporateAction({ kind: 'split', from: 5, to: 1, refId: banded.refId, exDate: EX });
    for (const item of [plain, split]) {
      const from = item.sandbox.instant;
      const prices = [{ asset, from, knots: [{ at: from, value: Math.log(1.05), ramp: false }] }];
      item.world.exchange.impose({ prices, volatilities: [], books: [], haltCheckTimes: [] }, from);
      item.go(at(EX, '10:00'));
    }
    const close = ({ world }: Begun) => world.market.previousClose(world.instrument(banded.refId)!, at(EX, '10:00'));
    near(close(split), close(plain) / 5, split.world.instrument(banded.refId)!.tickSize);
  });
});

describe('a dividend', () => {
  const EXTRAORDINARY = 5_000;

  test('lowers the price by itself where it is ordinary, contracts from its announcement on, and adjusts nothing', () => {
    const [plain, paid] = [begin(), begin()];
    const { refId } = paid.share();
    const future = paid.world.universe().futures('NSE', 'RELIANCE')[0]!;
    const was = paid.world.lastPrice(future);
    const { extraordinary } = paid.world.announceCorporateAction({
      kind: 'dividend',
      perShare: 1_000,
      refId,
      exDate: EX,
    });
    expect(extraordinary).toBe(false);
    expect(Math.abs(paid.world.lastPrice(future) - (was - 1_000))).toBeLessThan(20);
    for (const item of [plain, paid]) item.go(at(EX, '10:00'));
    const fell = plain.world.lastPrice(plain.share()) - paid.world.lastPrice(paid.share());
    expect(Math.abs(fell - 1_000)).toBeLessThan(50);
    const close = (begun: typeof plain, of: Instrument) => begun.world.market.previousClose(of, at(EX, '10:00'));
    expect(close(paid, paid.share())).toBe(close(plain, plain.share()));
    expect(paid.world.instrument(future.refId)).toMatchObject({ lotSize: future.lotSize, symbol: future.symbol });
    const bars = (begun: typeof plain) =>
      begun.world.market.bars(begun.share(), '1d', at('2026-11-09', '00:00'), MIDNIGHT, at(EX, '10:00'));
    expect(bars(paid)).toEqual(bars(plain));
    // A future that is sold before and bought back after the ex-date has earned nothing by the dividend.
    const confirmed = close(paid, paid.world.instrument(future.refId)!);
    expect(Math.abs(close(plain, future) - 1_000 - confirmed)).toBeLessThan(30);
  });

  test('adjusts strikes, the previous close, carried futures and candles where it is extraordinary', () => {
    const [plain, paid] = [begin(), begin()];
    const { refId } = paid.share();
    const universe = paid.world.universe();
    const future = universe.futures('NSE', 'RELIANCE')[0]!;
    const [call] = universe.options('NSE', 'RELIANCE', universe.expiries('NSE', 'RELIANCE')[0]!).ce.slice(10);
    paid.world.announceCorporateAction({ kind: 'dividend', perShare: EXTRAORDINARY, refId, exDate: EX });
    for (const item of [plain, paid]) item.go(at(EX, '10:00'));
    const close = (begun: typeof plain, of: Instrument) =>
      begun.world.market.previousClose(begun.world.instrument(of.refId)!, at(EX, '10:00'));
    const share = paid.share();
    expect(Math.abs(close(paid, share) - (close(plain, share) - EXTRAORDINARY))).toBeLessThanOrEqual(share.tickSize);
    expect(Math.abs(close(paid, future) - (close(plain, future) - EXTRAORDINARY))).toBeLessThanOrEqual(share.tickSize);
    expect(paid.world.instrument(call!.refId)).toMatchObject({
      strikePrice: call!.strikePrice - EXTRAORDINARY,
      lotSize: call!.lotSize,
    });
    expect(close(paid, call!)).toBe(close(plain, call!));
    const change = paid.world.lastPrice(paid.world.instrument(call!.refId)!) - plain.world.lastPrice(call!);
    expect(Math.abs(change)).toBeLessThan(0.02 * plain.world.lastPrice(call!) + 100);
    const bars = (begun: typeof plain) =>
      begun.world.market.bars(begun.share(), '1d', at('2026-11-09', '00:00'), MIDNIGHT, at(EX, '10:00'));
    const factor = 1 - EXTRAORDINARY / close(plain, share);
    bars(paid).forEach((bar, index) =>
      expect(Math.abs(bar.close - bars(plain)[index]!.close * factor)).toBeLessThanOrEqual(1),
    );
  });
});
