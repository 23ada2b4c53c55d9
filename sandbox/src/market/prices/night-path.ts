import type { DayGrid } from '../reference/calendar';
import { subKey } from '../../shared/random';
import { nightClock } from './day-clock';
import type { MarketFactor } from './market-factor';
import { DayPath } from './paths';
import { addSteps, bridgeSteps, SECONDS_PER_MINUTE } from './random-walk';

const { sqrt } = Math;

/** A price that changes at once: news. */
export interface NightJump {
  minute: number;
  second: number;
  /** Paise. */
  size: number;
}

export function addScaled(sum: Float64Array, values: Float64Array, times: number): void {
  for (let s = 0; s < SECONDS_PER_MINUTE; s++) sum[s] = (sum[s] as number) + times * (values[s] as number);
}

/** The path of a night: of one source of chance, or of the sum of many. */
export function nightPath(parts: {
  index: number;
  grid: DayGrid;
  knots: Float64Array;
  own: { key: number; deviation: number }[];
  together: number;
  factor: MarketFactor;
  news: NightJump[];
}): DayPath {
  const { index, grid, knots, own, together, factor, news } = parts;
  const clock = nightClock(grid.minutes);
  const apart = own.reduce((sum, { deviation }) => sum + deviation * deviation, 0);
  return new DayPath({
    index,
    night: true,
    grid,
    clock,
    knots,
    spread: sqrt(together * together + apart),
    jumps: new Set(news.map(({ minute }) => minute)),
    fill(seconds, minute) {
      const width = clock.deviation[minute] as number;
      seconds.fill(0);
      for (const { key, deviation } of own) addSteps(seconds, subKey(key, minute), deviation * width);
      if (together !== 0) addScaled(seconds, factor.seconds(index, minute, true), together * width);
      const jumps = news.filter((jump) => jump.minute === minute);
      const size = jumps.reduce((sum, jump) => sum + jump.size, 0);
      const after = knots[minute + 1] as number;
      bridgeSteps(seconds, knots[minute] as number, after - size, false);
      for (const { second, size: step } of jumps)
        for (let s = second; s < SECONDS_PER_MINUTE; s++) seconds[s] = (seconds[s] as number) + step;
      seconds[SECONDS_PER_MINUTE - 1] = after;
    },
  });
}
