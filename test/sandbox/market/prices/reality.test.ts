import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Bar } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { describeWith, SHARED_DATA } from '../../../support/needs';

const deviation = (values: number[]): number => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};
const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const returns = (bars: Bar[]) => bars.slice(1).map((bar, i) => Math.log(bar.close / (bars[i]?.close ?? NaN)));

describeWith(SHARED_DATA, 'Prices against real ones', (folder) => {
  const market = createMarket({ seed: 4, universe: 'demo' });
  const at = Date.parse('2026-08-21T12:00:00+05:30');
  const universe = market.universe(at);
  const of = (symbol: string): Instrument => {
    const found = universe.bySymbol('NSE', symbol);
    if (!found) throw new Error(`no ${symbol}`);
    return found;
  };
  const years = (count: number) => count * 365 * 86_400_000;
  const rows = (text: string) =>
    text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
  const file = (path: string) => readFileSync(resolve(folder, path));

  const stocks = rows(gunzipSync(file('history/stocks_daily_unadjusted_nse_2010_2026.csv.gz')).toString());

  it.each(['RELIANCE', 'INFY', 'HDFCBANK', 'TCS', 'SBIN', 'ITC'])(
    '%s moves in a day about as much as the real one',
    (symbol) => {
      const days = stocks.filter((row) => row[1] === symbol && (row[0] ?? '') > '2022');
      const was = deviation(
        days.map((row) => Math.log(Number(row[8]) / Number(row[3]))).filter((value) => Math.abs(value) < 0.2),
      );
      const bars = market.bars(of(symbol), '1d', at - years(3), at);
      expect(deviation(returns(bars)) / was).toBeGreaterThan(0.75);
      expect(deviation(returns(bars)) / was).toBeLessThan(1.35);
      const range = mean(days.map((row) => Math.log(Number(row[5]) / Number(row[6]))));
      const ours = mean(bars.map((bar) => Math.log(bar.high / bar.low)));
      expect(ours / range).toBeGreaterThan(0.7);
      expect(ours / range).toBeLessThan(1.5);
    },
  );

  it('NIFTY moves in a day and in a minute about as much as the real one', () => {
    const history = rows(file('history/NIFTY50_daily_merged.csv').toString()).filter((row) => (row[0] ?? '') > '2022');
    const was = deviation(history.slice(1).map((row, i) => Math.log(Number(row[4]) / Number(history[i]?.[4]))));
    const ours = deviation(returns(market.bars(of('NIFTY'), '1d', at - years(1), at)));
    expect(ours / was).toBeGreaterThan(0.75);
    expect(ours / was).toBeLessThan(1.35);
    const minutes = rows(gunzipSync(file('history/candles_1min_NIFTY50_256265.csv.gz')).toString());
    const minute = deviation(minutes.map((row) => Math.log(Number(row[5]) / Number(row[2]))));
    const bars = market.bars(of('NIFTY'), '1m', at - 10 * 86_400_000, at);
    const simulated = deviation(bars.map((bar) => Math.log(bar.close / bar.open)));
    expect(simulated / minute).toBeGreaterThan(0.6);
    expect(simulated / minute).toBeLessThan(1.7);
  });

  it('the smile of NIFTY has the shape of the real one', () => {
    interface Chain {
      spot: number;
      rows: { strike: number; ce_iv: number; pe_iv: number }[];
    }
    const chain = (
      JSON.parse(gunzipSync(file('options/option_chain_all_underlyings_20260821_1516.json.gz')).toString()) as {
        symbols: Record<string, Chain>;
      }
    ).symbols['NIFTY'];
    if (!chain) throw new Error('no NIFTY');
    const out = ({ strike, ce_iv, pe_iv }: Chain['rows'][number]) => (strike < chain.spot ? pe_iv : ce_iv);
    const nearest = (strike: number) =>
      chain.rows.reduce((best, row) => (Math.abs(row.strike - strike) < Math.abs(best.strike - strike) ? row : best));
    const middle = out(nearest(chain.spot));
    const friday = Date.parse('2026-08-21T15:16:00+05:30');
    const spot = market.price(of('NIFTY'), friday);
    const { ce, pe } = universe.options('NSE', 'NIFTY', 20260825);
    const volatility = (strike: number) => {
      const side = strike < spot ? pe : ce;
      const option = side.reduce((best, instrument) =>
        Math.abs(instrument.strikePrice - strike) < Math.abs(best.strikePrice - strike) ? instrument : best,
      );
      return market.greeks(option, friday).iv;
    };
    const ours = volatility(spot);
    const real = out(nearest(chain.spot)) / 100;
    for (const distance of [-3, -2, -1, 1, 2, 3]) {
      const shape = volatility(spot * Math.exp(distance * ours * Math.sqrt(4 / 365))) / ours;
      const was = out(nearest(chain.spot * Math.exp(distance * real * Math.sqrt(4 / 365)))) / middle;
      expect(Math.abs(shape - was)).toBeLessThan(0.4);
    }
  });
});
