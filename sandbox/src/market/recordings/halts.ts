import type { HaltsByDay, TradingDays } from '../reference/calendar';
import type { AssetCatalog } from '../reference/catalog';
import { SECOND, startOfDay } from '../../shared/dates';
import { nameOf, type Recording } from './types';

/** Time without a value after which an index is halted, seconds. */
const HALT_SECONDS = 300;
const MINUTE_SECONDS = 60;
/** The call auction before trading goes on, and some minutes more. */
const REOPENING_SECONDS = 1200;

/**
 * An index has a value in every minute of trading: where it has none, the exchanges stood still. What it shows for a few
 * minutes between two such gaps is of the call auction before the market reopens.
 */
export function recordedHalts(
  recordings: readonly Recording[],
  catalog: AssetCatalog,
  calendar: TradingDays,
): HaltsByDay {
  const halts = new Map<number, [number, number][]>();
  const indices = recordings.filter(
    (recording) => catalog.indexRowOf.has(nameOf(recording)) && recording.interval < HALT_SECONDS,
  );
  const index = indices.find(({ symbol }) => symbol === 'NIFTY') ?? indices[0];
  for (const [day, recorded] of index?.days ?? []) {
    const bars = recorded.bars();
    const { start, continuous } = calendar.grid(calendar.indexOf(day));
    const first = (start - startOfDay(day)) / SECOND;
    const spans: [number, number][] = [];
    for (let i = 1; i < bars.length; i++) {
      // An index does not move in the closing auction either.
      const trading = continuous.auction.find(([, to]) => bars[i - 1]!.to < to * MINUTE_SECONDS);
      if (trading === undefined) continue;
      const [before, after] = [bars[i - 1]!.to, Math.min(bars[i]!.from, trading[1] * MINUTE_SECONDS)];
      if (after - before < HALT_SECONDS) continue;
      const last = spans.at(-1);
      if (last !== undefined && before - last[1] < REOPENING_SECONDS) last[1] = after;
      else spans.push([before, after]);
    }
    if (spans.length > 0)
      halts.set(
        day,
        spans.map(([from, to]) => [Math.ceil((first + from) / 60), Math.floor((first + to) / 60)]),
      );
  }
  return halts;
}
