import { candleParts, type CandleQuery } from '../../../../sandbox/src/market/prices/candles';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import { candleFields, type CandleField } from '../../../../sandbox/src/market/prices/candle-fields';
import { share } from '../../../support/sample';

const market = createMarket({ seed: 3, universe: 'demo' });
const at = Date.parse('2026-11-20T11:30:00+05:30');
const open = Date.parse('2026-11-20T09:15:00+05:30');
const DAY = 86_400_000;
const IST = 330 * 60_000;
const universe = market.universe(at);
const [expiry = 0] = universe.expiries('NSE', 'NIFTY');
const option = universe.options('NSE', 'NIFTY', expiry).ce[20];
if (!option) throw new Error('no option');

function ask(change: Partial<CandleQuery>): Record<CandleField, { at: number; value: number }[]> {
  const query: CandleQuery = {
    exchange: 'NSE',
    type: 'STOCK',
    symbol: 'RELIANCE',
    fields: candleFields,
    interval: '5m',
    from: open,
    to: at,
    asOf: at,
    ...change,
  };
  return candleParts(market, query)?.(query.from, query.to) as Record<CandleField, { at: number; value: number }[]>;
}
const values = (points: { value: number }[]) => points.map((point) => point.value);

describe('Candles', () => {
  it('give every field of an option at every candle', () => {
    const series = ask({ type: 'OPT', symbol: option.symbol });
    for (const field of candleFields) expect([field, series[field].length]).toEqual([field, 27]);
    expect(series.iv_bid[5]?.value).toBeLessThanOrEqual(series.iv_ask[5]?.value ?? 0);
    expect(series.l1bid[5]?.value).toBeLessThan(series.l1ask[5]?.value ?? 0);
  });

  it('are those of one second, taken together, for ten seconds', () => {
    const to = open + 60_000;
    const [fine, coarse] = (['1s', '10s'] as const).map((interval) => ask({ interval, to }));
    expect(coarse!.high.length).toBeGreaterThan(1);
    expect(coarse!.high.length).toBeLessThanOrEqual(6);
    for (const { at: begin, value } of coarse!.high) {
      expect((begin - open) % 10_000).toBe(0);
      const within = fine!.high.filter((point) => point.at >= begin && point.at < begin + 10_000);
      expect(value).toBe(Math.max(...values(within)));
    }
  });

  it('give greeks for options only', () => {
    const series = ask({});
    for (const field of ['theta', 'delta', 'gamma', 'vega', 'iv_bid', 'iv_ask', 'iv_mid'] as const)
      expect(series[field]).toEqual([]);
  });

  it.each([
    ['STOCK', 'RELIANCE'],
    ['FUT', 'NIFTY26NOVFUT'],
    ['OPT', option.symbol],
  ] as const)(
    'have a cumulative volume of %s %s that is the sum of the volumes of the day, in every interval',
    (type, symbol) => {
      for (const interval of ['1m', '5m', '15m']) {
        const series = ask({ type, symbol, interval });
        let sum = 0;
        expect(values(series.cumulative_volume)).toEqual(values(series.tick_volume).map((volume) => (sum += volume)));
      }
      const fine = ask({ type, symbol, interval: '1m' });
      const coarse = ask({ type, symbol, interval: '15m' });
      for (const field of [
        'cumulative_volume',
        'cumulative_volume_premium',
        'cumulative_volume_delta',
        'cumulative_oi',
      ] as const) {
        expect([field, ...values(coarse[field])]).toEqual([
          field,
          ...values(fine[field]).filter((_, i) => i % 15 === 14),
        ]);
      }
    },
  );

  it('add up when the sandbox trades around the clock; days are those of the sessions', () => {
    const always = createMarket({ seed: 3, universe: 'demo', hours: 'always' });
    const evening = Date.parse('2026-11-20T22:00:00+05:30');
    const fields = ['close', 'tick_volume', 'cumulative_volume', 'cumulative_oi'] as const;
    const listed = [
      ['STOCK', 'RELIANCE'],
      ['OPT', option.symbol],
      ['CHAIN', 'NIFTY'],
    ] as const;
    for (const [at, interval] of ['30m', '1d'].entries()) {
      for (const [type, symbol] of share(listed, 2, at)) {
        const query: CandleQuery = {
          exchange: 'NSE',
          type,
          symbol,
          fields,
          interval,
          from: interval === '1d' ? open : Date.parse('2026-11-20T00:00:00+05:30'),
          to: evening,
          asOf: evening,
        };
        const series = candleParts(always, query)?.(query.from, query.to);
        if (interval === '1d') expect(series?.close?.map((point) => point.at)).toEqual([open]);
        const volumes = values(series?.tick_volume ?? []);
        expect(series?.cumulative_volume?.at(-1)?.value).toBe(volumes.reduce((sum, volume) => sum + volume, 0));
      }
    }
  });

  it('add up the whole chain of an asset', () => {
    const series = ask({
      type: 'CHAIN',
      symbol: 'NIFTY',
      interval: '1h',
      fields: ['cumulative_call_oi', 'cumulative_put_oi', 'cumulative_fut_oi', 'cumulative_oi', 'cumulative_volume'],
    });
    const end = at - 15 * 60_000;
    const chains = universe.expiries('NSE', 'NIFTY').map((expiry) => universe.options('NSE', 'NIFTY', expiry));
    const calls = chains.flatMap((chain) => chain.ce);
    const puts = chains.flatMap((chain) => chain.pe);
    const sum = (list: typeof calls) =>
      list.reduce((total, instrument) => total + market.openInterest(instrument, end), 0);
    expect(series.cumulative_call_oi[1]?.value).toBe(sum(calls));
    expect(series.cumulative_put_oi[1]?.value).toBe(sum(puts));
    expect(series.cumulative_oi[1]?.value).toBe(sum(calls) + sum(puts) + sum(universe.futures('NSE', 'NIFTY')));
    expect(series.cumulative_volume[1]?.value).toBe(
      [...calls, ...puts].reduce((total, instrument) => total + market.volume(instrument, open, end), 0),
    );
  });

  it('find a contract that has expired since', () => {
    const series = ask({
      type: 'FUT',
      symbol: 'NIFTY26OCTFUT',
      interval: '1d',
      from: open - 40 * 86_400_000,
      fields: ['close'],
    });
    expect(series.close.length).toBeGreaterThan(5);
    expect(series.close.at(-1)?.at).toBe(Date.parse('2026-10-27T09:15:00+05:30'));
  });

  it('know no symbol of another type or exchange', () => {
    expect(ask({ type: 'FUT', symbol: 'RELIANCE' })).toBeUndefined();
    expect(ask({ exchange: 'MCX', symbol: 'RELIANCE' })).toBeUndefined();
    expect(ask({ type: 'CHAIN', symbol: 'NOSUCH' })).toBeUndefined();
  });

  it('refuse an unknown interval', () => {
    expect(() => ask({ interval: '7m' })).toThrow('interval "7m" is none of 1s, 10s, 1m, 2m');
  });
});

describe('The candle of a day that goes on', () => {
  it('is made of its minutes, whatever was asked before: each second, an earlier time, another day', () => {
    const begin = Date.parse('2026-11-20T10:02:00+05:30');
    const times = [
      ...Array.from({ length: 130 }, (_one, second) => begin + second * 1_000),
      begin + 125_000,
      begin + 125_500,
      Date.parse('2026-11-19T12:00:30+05:30'),
      begin + 126_000,
      Date.parse('2026-11-20T16:00:00+05:30'),
    ];
    const shares = ['RELIANCE', 'NIFTY'].map((symbol) => universe.bySymbol('NSE', symbol)!);
    for (const instrument of [option, ...shares])
      for (const asOf of times) {
        const midnight = Math.floor((asOf + IST) / DAY) * DAY - IST;
        const minutes = market.bars(instrument, '1m', midnight, asOf, asOf);
        const [day] = market.bars(instrument, '1d', midnight, asOf, asOf);
        expect([instrument.symbol, asOf, day]).toEqual([
          instrument.symbol,
          asOf,
          {
            at: minutes[0]!.at,
            open: minutes[0]!.open,
            high: Math.max(...minutes.map(({ high }) => high)),
            low: Math.min(...minutes.map(({ low }) => low)),
            close: minutes.at(-1)!.close,
            volume: minutes.reduce((sum, { volume }) => sum + volume, 0),
            openInterest: minutes.at(-1)!.openInterest,
          },
        ]);
      }
  });
});
