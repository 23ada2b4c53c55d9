import { bhavcopy } from '../../../../sandbox/src/market/prices/bhavcopy';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Bar, Market } from '../../../../sandbox/src/market/prices/types';
import { leaks, search } from '../leaks/search';
import { barsOf, fileOf, instrumentOf, ist, recorded, recordingsOf } from './recording-support';
import { packed, rowsOf } from '../../../support/recorded-rows';
import { IS_WHOLE, share } from '../../../support/sample';

const FROM = '2026-01-05';
const TO = '2026-01-08';
const SECOND = 1_000;
const replayOf = (...files: Parameters<typeof recordingsOf>): Market =>
  createMarket({ seed: 9, universe: 'demo', recordings: recordingsOf(...files) });
const minutes = (symbol: string, from = FROM, to = TO) => fileOf(symbol, barsOf(recorded, symbol, '1m', from, to), 60);

describe('A recording comes back unchanged', () => {
  const intervals: readonly [interval: string, seconds: number, to: string][] = [
    ['1s', 1, '2026-01-06'],
    ['1m', 60, TO],
    ['3m', 180, TO],
    ['15m', 900, TO],
    ['1h', 3600, TO],
    ['1d', 86_400, '2026-01-23'],
  ];
  it.each(share(intervals, 3, 2))(
    'has the open, high, low, close and volume of each bar of %s',
    (interval, seconds, to) => {
      const files = ['NIFTY', 'RELIANCE'].map((symbol) =>
        fileOf(symbol, barsOf(recorded, symbol, interval, FROM, to), seconds),
      );
      const market = replayOf(...files);
      for (const rows of files.map(rowsOf)) {
        const { symbol } = rows[0]!;
        const shown = barsOf(market, symbol, interval, FROM, to);
        expect(shown.map(({ at, open, high, low, close, volume }) => ({ at, open, high, low, close, volume }))).toEqual(
          rows.map(({ at, open, high, low, close, volume }) => ({ at, open, high, low, close, volume })),
        );
      }
    },
  );

  it('has longer bars, prices and volumes of the moment and the end-of-day file', () => {
    const market = replayOf(minutes('RELIANCE'));
    const instrument = instrumentOf(market, 'RELIANCE', ist(`${FROM}T12:00:00`));
    for (const interval of ['5m', '30m', '1h', '1d'])
      expect(barsOf(market, 'RELIANCE', interval, FROM, TO)).toEqual(barsOf(recorded, 'RELIANCE', interval, FROM, TO));
    const bars = barsOf(recorded, 'RELIANCE', '1m', FROM, '2026-01-06');
    for (const { at, close } of bars) expect(market.price(instrument, at + 59 * SECOND)).toBe(close);
    const day = bars.reduce((sum, { volume }) => sum + volume, 0);
    expect(market.volume(instrument, ist(`${FROM}T00:00:00`), ist(`${FROM}T23:00:00`))).toBe(day);
    const { columns, rows } = bhavcopy(market, 'BhavcopyCM', 20260105)!;
    const row = [...rows].find((cells) => cells[columns.indexOf('TckrSymb')] === 'RELIANCE')!;
    const rupees = (name: string) => Math.round(Number(row[columns.indexOf(name)]) * 100);
    const [whole] = barsOf(recorded, 'RELIANCE', '1d', FROM, '2026-01-06') as [Bar];
    expect(['OpnPric', 'HghPric', 'LwPric', 'ClsPric'].map(rupees)).toEqual([
      whole.open,
      whole.high,
      whole.low,
      whole.close,
    ]);
    expect(row[columns.indexOf('TtlTradgVol')]).toBe(String(whole.volume));
  });

  it('has a second with several prices, and bars of a few seconds', () => {
    const at = (second: number) => ist(`${FROM}T09:15:00`) + second * SECOND;
    const bar = (second: number, open: number, high: number, low: number, close: number): Bar => {
      return { at: at(second), open, high, low, close, volume: 7, openInterest: 0 };
    };
    const single = [bar(0, 100, 130, 90, 110), bar(1, 110, 110, 110, 110), bar(70, 120, 125, 80, 81)];
    const market = replayOf(fileOf('INFY', single, 1));
    expect(barsOf(market, 'INFY', '1s', FROM, '2026-01-06').filter(({ volume }) => volume > 0)).toEqual(single);
    expect(barsOf(market, 'INFY', '1m', FROM, '2026-01-06')).toMatchObject([
      { open: 100, high: 130, low: 90, close: 110, volume: 14 },
      { open: 120, high: 125, low: 80, close: 81, volume: 7 },
    ]);
    const five = [bar(0, 100, 130, 90, 110), bar(5, 111, 140, 70, 72), bar(55, 100, 101, 99, 101)];
    const [minute] = barsOf(replayOf(fileOf('INFY', five, 5)), 'INFY', '1m', FROM, '2026-01-06');
    expect(minute).toMatchObject({ open: 100, high: 140, low: 70, close: 101, volume: 21 });
  });
});

describe('Nothing of the future is visible in a replay', () => {
  it('two recordings that are the same until a moment show the same until then', () => {
    const CUT = ist('2026-01-06T11:00:00');
    const other = (symbol: string) => {
      const file = minutes(symbol);
      const rows = rowsOf(file).map((row) => {
        if (row.at < CUT) return row;
        const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((price) =>
          Math.round(price * 0.93),
        );
        return { ...row, open: open!, high: high!, low: low!, close: close!, volume: row.volume! * 3 + 1 };
      });
      return { ...file, rows: packed(file.file, rows) };
    };
    const shown = (...files: Parameters<typeof recordingsOf>) => {
      const market = replayOf(...files);
      const found: unknown[] = [];
      for (const date of [FROM, '2026-01-06'])
        for (let at = ist(`${date}T09:10:00`); at < Math.min(CUT, ist(`${date}T15:45:00`)); at += 397 * SECOND) {
          const universe = market.universe(at);
          const future = universe.futures('NSE', 'NIFTY')[0]!;
          const expiry = universe.expiries('NSE', 'NIFTY')[0]!;
          const option = universe.options('NSE', 'NIFTY', expiry).ce[15]!;
          for (const symbol of ['NIFTY', 'RELIANCE']) {
            const instrument = universe.bySymbol('NSE', symbol)!;
            const price = market.price(instrument, at);
            found.push(
              price,
              market.depth(instrument, at, price, 5),
              market.volume(instrument, ist(`${date}T00:00:00`), at),
            );
            found.push(
              market.bars(instrument, '1m', at - 600 * SECOND, at, at),
              market.bars(instrument, '1d', at - 9e8, at, at),
            );
            found.push(
              market.previousClose(instrument, at),
              market.auctionPrice(instrument, at),
              market.liquidity(instrument, at),
            );
          }
          found.push(market.price(future, at), market.price(option, at), market.greeks(option, at));
          found.push([...universe.all('NSE', ['OPT'])].length);
        }
      return found;
    };
    const item = shown(minutes('NIFTY'), minutes('RELIANCE'));
    expect(shown(other('NIFTY'), other('RELIANCE'))).toEqual(item);
    expect(item.length).toBeGreaterThan(1_000);
  });

  it('a search over all that is shown finds nothing', () => {
    const to = '2026-01-15';
    const market = replayOf(minutes('NIFTY', FROM, to), minutes('RELIANCE', FROM, to));
    const found = search(market, ['NIFTY', 'RELIANCE', 'TATASTEEL'], FROM, IS_WHOLE ? 6 : 3);
    expect(leaks(found)).toEqual([]);
  });
});

describe('A price that was not recorded', () => {
  const market = replayOf(minutes('NIFTY'));

  it('goes on from the last close, and came from the first open', () => {
    const nifty = instrumentOf(market, 'NIFTY', ist(`${FROM}T12:00:00`));
    const days = barsOf(market, 'NIFTY', '1d', '2025-12-01', '2026-02-02');
    for (let i = 1; i < days.length; i++) expect(Math.abs(days[i]!.open / days[i - 1]!.close - 1)).toBeLessThan(0.03);
    const [first] = barsOf(recorded, 'NIFTY', '1m', FROM, '2026-01-06') as [Bar];
    expect(Math.abs(market.previousClose(nifty, ist(`${FROM}T12:00:00`)) - first.open)).toBeLessThanOrEqual(5);
  });

  it('goes with an index that was recorded: shares, other indices, its futures', () => {
    const moves = (symbol: (at: number) => string | undefined, of: Market, step: number): number[] => {
      const found: number[] = [];
      for (const date of [FROM, '2026-01-06', '2026-01-07'])
        for (let at = ist(`${date}T09:30:00`); at < ist(`${date}T15:20:00`); at += step) {
          const universe = of.universe(at);
          const name = symbol(at);
          const instrument =
            name === undefined ? universe.futures('NSE', 'NIFTY')[0]! : universe.bySymbol('NSE', name)!;
          found.push(Math.log(of.price(instrument, at + step) / of.price(instrument, at)));
        }
      return found;
    };
    const correlation = (a: number[], b: number[]) => {
      const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
      const [ma, mb] = [mean(a), mean(b)];
      const cross = a.reduce((sum, value, i) => sum + (value - ma) * (b[i]! - mb), 0);
      const square = (list: number[], m: number) => list.reduce((sum, value) => sum + (value - m) ** 2, 0);
      return cross / Math.sqrt(square(a, ma) * square(b, mb));
    };
    const index = moves(() => 'NIFTY', recorded, 300 * SECOND);
    expect(moves(() => 'NIFTY', market, 300 * SECOND).map((move) => move.toFixed(6))).toEqual(
      index.map((value) => value.toFixed(6)),
    );
    expect(
      correlation(
        moves(() => undefined, market, 300 * SECOND),
        index,
      ),
    ).toBeGreaterThan(0.99);
    expect(
      correlation(
        moves(() => 'BANKNIFTY', market, 300 * SECOND),
        index,
      ),
    ).toBeGreaterThan(0.7);
    expect(
      correlation(
        moves(() => 'INFY', market, 300 * SECOND),
        index,
      ),
    ).toBeGreaterThan(0.3);
  });

  it('is the same for the same files and the same seed', () => {
    const again = replayOf(minutes('NIFTY'));
    for (const symbol of ['NIFTY', 'INFY', 'SBIN'])
      expect(barsOf(again, symbol, '5m', FROM, TO)).toEqual(barsOf(market, symbol, '5m', FROM, TO));
  });

  it('has a high and a low of the day that its minutes have, however far the index went', () => {
    const wild = barsOf(recorded, 'NIFTY', '1m', FROM, '2026-01-06').map((bar, i) => {
      const scale = i > 100 && i < 130 ? 0.9 : 1;
      const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) =>
        Math.round(price * scale),
      );
      return { ...bar, open: open!, high: i === 100 ? high! * 1.02 : high!, low: low!, close: close! };
    });
    const crash = replayOf(
      fileOf(
        'NIFTY',
        wild.map((bar) => ({ ...bar, high: Math.round(bar.high) })),
        60,
      ),
    );
    for (const symbol of ['NIFTY', 'INFY', 'RELIANCE', 'SBIN', 'BANKNIFTY']) {
      const fine = barsOf(crash, symbol, '1m', FROM, '2026-01-06');
      const [whole] = barsOf(crash, symbol, '1d', FROM, '2026-01-06') as [Bar];
      expect([symbol, whole.high, whole.low]).toEqual([
        symbol,
        Math.max(...fine.map(({ high }) => high)),
        Math.min(...fine.map(({ low }) => low)),
      ]);
    }
  });
});
