import { createCalendar } from '../../../../sandbox/src/market/reference/calendar';
import { AssetCatalog } from '../../../../sandbox/src/market/reference/catalog';
import { buildRecordings } from '../../../../sandbox/src/market/recordings/build-recordings';
import type { FileRows, Recordings, RecordedRow } from '../../../../sandbox/src/market/recordings/types';
import { createMarket } from '../../../../sandbox/src/market/prices/market';
import type { Bar, Market } from '../../../../sandbox/src/market/prices/types';
import type { Instrument } from '../../../../sandbox/src/market/reference/types';
import { packed } from '../../../support/recorded-rows';

export const ist = (time: string): number => Date.parse(`${time}+05:30`);

/** The market that is recorded: what it shows is what the tests compare with. */
export const recorded = createMarket({ seed: 5, universe: 'demo' });

export function instrumentOf(market: Market, symbol: string, at: number): Instrument {
  const found = market.universe(at).bySymbol('NSE', symbol);
  if (!found) throw new Error(`NSE has no ${symbol}`);
  return found;
}

/** Bars of a share or index of NSE from one day to another, without that. */
export function barsOf(market: Market, symbol: string, interval: string, from: string, to: string): Bar[] {
  const [begin, end] = [ist(`${from}T00:00:00`), ist(`${to}T00:00:00`)];
  return market.bars(instrumentOf(market, symbol, begin), interval, begin, end);
}

/** A file of bars, as the reader of files gives it. */
export function fileOf(symbol: string, bars: readonly Bar[], interval: number): FileRows {
  const rows = bars.map(({ at, open, high, low, close, volume }, i): RecordedRow => {
    return { file: `${symbol}.csv`, line: i + 2, exchange: 'NSE', symbol, at, open, high, low, close, volume };
  });
  return {
    file: `${symbol}.csv`,
    rows: packed(`${symbol}.csv`, rows),
    interval,
    time: 'begin',
    rounded: 0,
    kind: 'candles',
    isUnitKnown: true,
    ticks: [],
    straddles: [],
    notes: [],
    leftOut: [],
  };
}

export const recordingsOf = (...files: FileRows[]): Recordings =>
  buildRecordings(files, new AssetCatalog(), createCalendar().days.equity);
