import { endOf, joinedBar } from '../prices/candles';
import type { Bar, Market } from '../prices/types';
import type { Instrument } from '../reference/types';
import type { CorporateActions } from './corporate-actions';
import { baseFactor, shareFactor } from './terms';
import type { EffectiveAction } from '../../shared/corporate-actions';

/** Candles that consist of those of their days. */
const OF_DAYS = ['1w', '1mth'];

/**
 * A market whose candles and closes before an ex-date are shown as if the split, the bonus or the extraordinary dividend had
 * always been, as brokers show them from the morning of that day on. Prices of an instant stay as they were traded.
 */
export function withAdjustedCandles<Shown extends Market>(market: Shown, actions: CorporateActions): Shown {
  /** Returns the actions that have taken effect between an instant and a later one that is not known yet. */
  function between({ refId, underlyingRefId }: Instrument, at: number, asOf: number): EffectiveAction[] {
    if (actions.empty) return [];
    return actions.effective(underlyingRefId ?? refId, Infinity).filter(({ from }) => from > at && from < asOf);
  }

  function bars(instrument: Instrument, interval: string, from: number, to: number, asOf = Infinity): Bar[] {
    const marketBars = market.bars(instrument, interval, from, to, asOf);
    if (between(instrument, from, asOf).length === 0) return marketBars;
    return marketBars.map((bar) => {
      const since = between(instrument, bar.at, asOf);
      if (since.length === 0) return bar;
      const end = Math.min(asOf, endOf(market, instrument, interval, bar));
      if (since.every((action) => action.from >= end)) return adjusted(instrument, bar, since);
      return bars(instrument, OF_DAYS.includes(interval) ? '1d' : '1m', bar.at, end, asOf).reduce(
        (whole, part, index) => (index === 0 ? { ...part, at: bar.at } : joinedBar(whole, part)),
        bar,
      );
    });
  }

  return {
    ...market,
    bars,
    closeRange(instrument, from, to) {
      const cuts = between(instrument, from, to).map((action) => action.from);
      if (cuts.length === 0) return market.closeRange(instrument, from, to);
      const edges = [from, ...cuts, to];
      const ranges = edges.slice(1).flatMap((end, index) => {
        const begin = edges[index]!;
        const range = market.closeRange(instrument, begin, end);
        const since = between(instrument, begin, to);
        return range === null ? [] : [price(instrument, range.high, since), price(instrument, range.low, since)];
      });
      return ranges.length === 0 ? null : { high: Math.max(...ranges), low: Math.min(...ranges) };
    },
  };
}

function adjusted(instrument: Instrument, bar: Bar, since: readonly EffectiveAction[]): Bar {
  const factor = shareFactor(since);
  return {
    at: bar.at,
    open: price(instrument, bar.open, since),
    high: price(instrument, bar.high, since),
    low: price(instrument, bar.low, since),
    close: price(instrument, bar.close, since),
    volume: Math.round(bar.volume * factor),
    openInterest: Math.round(bar.openInterest * factor),
  };
}

/** Adjusted price of before, paise, at least one. A dividend does not change an option's, because its strike has taken the dividend up. */
function price({ derivativeType }: Instrument, paise: number, since: readonly EffectiveAction[]): number {
  const factor =
    derivativeType === 'OPT' ? 1 / shareFactor(since) : since.reduce((all, action) => all * baseFactor(action), 1);
  return Math.max(1, Math.round(paise * factor));
}
