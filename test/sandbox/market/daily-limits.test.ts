/** Daily price limits of MCX: 3 or 4 % from the open on, 6 % at once, 9 % after a quarter of an hour (docs/service/exchange-rules.md#prices). */
import { dailyLimit, withDailyLimits } from '../../../sandbox/src/market/prices/daily-limits';
import { createMarket } from '../../../sandbox/src/market/prices/market';
import type { Bar } from '../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../sandbox/src/market/reference/types';
import { fixedBand } from '../../../sandbox/src/market/reference/fixed-band';
import { ist } from './leaks/bots';
import { Trader } from './leaks/trips';

const MINUTE = 60_000;
const [seed, DAY] = [1, '2026-03-25'];
const free = createMarket({ seed, universe: 'demo' });
const market = withDailyLimits(free, () => true);
const gas = market.universe(ist(`${DAY}T12:00:00`)).futures('MCX', 'NATURALGAS')[0]!;
const [open, close] = [ist(`${DAY}T09:00:00`), ist(`${DAY}T23:55:00`)];
const previous = free.previousClose(gas, open);
const away = (paise: number) => Math.abs(paise / previous - 1) * 100;

/** The first second at which the price without limits is at six percent. */
function firstAway(): number {
  const { low, high } = fixedBand(previous, 6, gas.tickSize);
  for (let at = open; at < close; at += 1_000) if (free.price(gas, at) <= low || free.price(gas, at) >= high) return at;
  throw new Error('the day knows no 6 %');
}

const bar = (at: number, price: number): Bar => ({
  ...{ at, open: price, high: price, low: price, close: price },
  ...{ volume: 1, openInterest: 0 },
});

describe('the limit by what has traded', () => {
  /** A day on which one price is traded, for a second. */
  const priceSource = (trades: readonly [time: string, price: number][]) => ({
    previousClose: () => 10_000,
    bars: (_of: Instrument, _interval: string, from: number, to: number) =>
      trades
        .map(([time, price]) => bar(ist(`${DAY}T${time}`), price))
        .filter(({ at }) => Math.floor(at / 3_600_000) * 3_600_000 < to && at < to && at >= from - 3_600_000),
  });
  const of = (asset: string): Instrument => ({ ...gas, asset, tickSize: 10 });
  const at = (time: string) => ist(`${DAY}T${time}`);

  it.each([
    ['GOLD', [], '12:00:00', 3, 6, undefined],
    ['CRUDEOIL', [], '12:00:00', 4, 6, undefined],
    ['CRUDEOIL', [['10:00:00', 9_600]], '10:00:01', 6, 9, undefined],
    ['CRUDEOIL', [['10:00:00', 10_600]], '10:14:59', 6, 9, '10:15:00'],
    ['CRUDEOIL', [['10:00:00', 10_600]], '10:15:00', 9, 12, undefined],
    ['KAPAS', [['10:00:00', 10_400]], '10:14:00', 4, 6, '10:15:00'],
    ['KAPAS', [['10:00:00', 10_400]], '10:16:00', 6, undefined, undefined],
  ] as const)('is right for %s after %j at %s: %d percent', (asset, trades, time, percent, next, from) => {
    const found = dailyLimit(priceSource(trades as never), of(asset), at(time))!;
    expect(found.percent).toBe(percent);
    expect([found.low, found.high]).toEqual([10_000 - percent * 100, 10_000 + percent * 100]);
    expect(found.next?.percent).toBe(next);
    expect(found.next?.at).toBe(from && at(from));
  });

  it('is none of an option, and none of a share', () => {
    for (const other of [{ ...gas, derivativeType: 'OPT' } as const, { ...gas, exchange: 'NSE' } as const])
      expect(dailyLimit(priceSource([]), other, open)).toBeUndefined();
  });
});

describe('a day that goes beyond six percent', () => {
  const locked = firstAway();
  const limit = dailyLimit(market, gas, locked + MINUTE)!;

  it('keeps the price at the limit for a quarter of an hour, with a book on one side, and frees it after that', () => {
    expect(limit).toMatchObject({ percent: 6, next: { percent: 9, at: locked + 15 * MINUTE } });
    const seen = new Set<number>();
    for (let at = locked; at < locked + 15 * MINUTE; at += 7_000) {
      const price = market.price(gas, at);
      seen.add(price);
      const { bids, asks } = market.depth(gas, at, price, 20);
      expect([...bids, ...asks].filter((level) => level.price < limit.low || level.price > limit.high)).toEqual([]);
      if (price === limit.high) expect(asks).toEqual([]);
      if (price === limit.low) expect(bids).toEqual([]);
    }
    expect([...seen].every((price) => price >= limit.low && price <= limit.high)).toBe(true);
    expect([...seen].some((price) => price === limit.low || price === limit.high)).toBe(true);
    const later = locked + 15 * MINUTE;
    expect(market.price(gas, later)).toBe(free.price(gas, later));
  });

  it('has candles of what traded, and the same volume', () => {
    for (const interval of ['1m', '5m', '1h', '1d']) {
      const bars = market.bars(gas, interval, open, close, locked + 10 * MINUTE);
      expect(Math.max(...bars.map(({ high }) => high))).toBeLessThanOrEqual(limit.high);
      expect(Math.min(...bars.map(({ low }) => low))).toBeGreaterThanOrEqual(limit.low);
      expect(bars.at(-1)!.close).toBe(market.price(gas, locked + 10 * MINUTE - 1));
      const usual = free.bars(gas, interval, open, close, locked + 10 * MINUTE);
      expect(bars.map(({ volume }) => volume)).toEqual(usual.map(({ volume }) => volume));
    }
  });

  it('refuses an order beyond the limit, in words, and fills none at it', () => {
    const trader = new Trader(market, locked + MINUTE, seed);
    const upper = market.price(gas, trader.now) === limit.high;
    const side = upper ? 'BUY' : 'SELL';
    const terms = { priceType: 'LIMIT', validity: 'DAY' } as const;
    const beyond = upper ? limit.high + gas.tickSize : limit.low - gas.tickSize;
    const refused = trader.exchange.order(trader.order(gas, side, gas.lotSize, { ...terms, price: beyond })!)!;
    expect(refused).toMatchObject({ status: 'REJECTED' });
    expect(refused.reason).toMatch(
      /^PRICE_BAND_HIT: order_price \d+ is outside .*: the daily price limit of NATURALGAS on MCX is 6 % now, and becomes 9 % at \d\d:\d\d:\d\d, after the cooling-off period$/,
    );
    trader.order(gas, side, gas.lotSize, { ...terms, price: upper ? limit.high : limit.low });
    trader.trade(gas, side, gas.lotSize);
    trader.pass(10_000);
    if (away(free.price(gas, trader.now)) >= 6) expect(trader.traded).toBe(0);
    const gold = market.universe(open).futures('MCX', 'GOLD')[0]!;
    const far = Math.round((market.previousClose(gold, open) * 1.04) / gold.tickSize) * gold.tickSize;
    const first = trader.exchange.order(trader.order(gold, 'SELL', gold.lotSize, { ...terms, price: far })!)!;
    expect(first.reason).toMatch(/of GOLD on MCX is 3 % now, and becomes 6 % once something has traded at it$/);
  });
});
