import type { RecordedBar } from '../recordings/recorded-day';
import type { Recording } from '../recordings/types';
import { signedUniform, subKey } from '../../shared/random';
import type { TradingActivity } from './activity';
import type { Security } from './securities';

const { floor, max } = Math;

/** Days before one that tell what is usual. */
const USUAL_DAYS = 20;
const SECONDS = 60;

/** Volumes of an instrument that was recorded. Within a bar its volume is spread as a day's is, or evenly in a minute. */
export function recordedActivity(madeUp: TradingActivity, recording: Recording, security: Security): TradingActivity {
  if (!recording.hasVolumes) return madeUp;
  const { days, key } = security;
  const dates = [...recording.days.keys()];
  /** Of the day that was asked for last. */
  let latest: { day: number; bars: readonly RecordedBar[]; before: Float64Array } | undefined;
  const usuals = new Map<number, number>();

  /** The bars of a recorded day, with the quantity before each, and all of it. */
  function barsOf(day: number): { bars: readonly RecordedBar[]; before: Float64Array } | undefined {
    if (latest?.day === day) return latest;
    const bars = recording.days.get(day)?.bars();
    if (bars === undefined) return undefined;
    const before = new Float64Array(bars.length + 1);
    for (const [i, { volume }] of bars.entries()) before[i + 1] = (before[i] as number) + volume;
    latest = { day, bars, before };
    return latest;
  }

  /** Share of a bar's volume that is traded before a second within it. */
  function shareBefore(index: number, { from, to }: RecordedBar, second: number): number {
    const shaken = (at: number) => at + 0.45 * signedUniform(subKey(subKey(key, days.at(index)), at));
    if (to - from <= SECONDS) return (shaken(second) - from) / (to - from);
    const { volume } = security.root.clock(index);
    const [first, last] = [floor(from / SECONDS), floor(to / SECONDS)];
    const minute = floor(second / SECONDS);
    let [before, all] = [0, 0];
    for (let k = first; k < last; k++) {
      const here = volume[k] as number;
      all += here;
      if (k < minute) before += here;
      else if (k === minute) before += (here * (second % SECONDS)) / SECONDS;
    }
    return before / all;
  }

  function usual(index: number): number {
    let found = usuals.get(index);
    if (found === undefined) usuals.set(index, (found = usualBefore(index)));
    return found;
  }

  function usualBefore(index: number): number {
    const before = dates.filter((day) => day < days.at(index)).slice(-USUAL_DAYS);
    if (before.length === 0) return madeUp.usual(index, 0);
    const all = before.reduce((sum, day) => sum + recording.days.get(day)!.volume, 0);
    return max(all / before.length, 1);
  }

  return {
    ...madeUp,
    volume(index, second) {
      const recorded = barsOf(days.at(index));
      if (recorded === undefined) return madeUp.volume(index, second);
      const { bars, before } = recorded;
      let [low, high] = [0, bars.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((bars[middle] as RecordedBar).from < second) low = middle + 1;
        else high = middle;
      }
      const bar = bars[low - 1];
      if (bar === undefined) return 0;
      if (second >= bar.to) return before[low] as number;
      return (before[low - 1] as number) + floor(bar.volume * shareBefore(index, bar, second));
    },
    usual,
    everywhere: (index) => (madeUp.everywhere(index) * usual(index)) / madeUp.usual(index, 0),
    perMinute: (index) => usual(index) / days.grid(index).minutes,
  };
}
