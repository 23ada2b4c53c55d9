import type { Bar } from '../market/prices/types';
import { nameOf } from '../market/recordings/types';
import type { Instrument } from '../market/reference/types';
import type { IndexDay } from '../shared/index-day';
import { dayOf } from '../shared/dates';
import { istMidnight } from '../shared/time';
import type { Sandbox } from './sandbox';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns the day of an index, as the exchange publishes it; undefined where it did not trade on it, or has not yet. While the market is
 * halted an index goes on being worked out of orders: of these values only the last counts, with which trading begins again. What the
 * opening auction found counts too.
 */
export function indexDay(
  { world, recordings, options, instant: now }: Pick<Sandbox, 'world' | 'recordings' | 'options' | 'instant'>,
  index: Instrument,
  date: string,
): IndexDay | undefined {
  const { market } = world;
  const from = istMidnight(date);
  const [whole] = market.bars(index, '1d', from, from + DAY_MS, now);
  if (whole === undefined) return undefined;
  const halts = recordings?.halts.get(dayOf(from)) ?? [];
  const isHalted = ({ at }: Bar): boolean =>
    halts.some(([begin, end]) => at >= from + begin * MINUTE_MS && at < from + end * MINUTE_MS);
  const bars = halts.length === 0 ? [whole] : market.bars(index, '1m', from, from + DAY_MS, now);
  const traded = bars.filter((bar) => !isHalted(bar));
  const resumed = bars.filter((bar, at) => isHalted(bar) && bars[at + 1] !== undefined && !isHalted(bars[at + 1]!));
  const opened = recordings?.instruments.get(nameOf(index))?.days.get(dayOf(from))?.officialOpen;
  // The exchange publishes it once the day's sessions are over.
  const sessions = options.hours === 'always' ? [] : market.calendar.sessions(index.exchange, false, date);
  const over = sessions.length === 0 ? from + DAY_MS : Math.max(...sessions.map(({ to }) => to));
  const close = now >= over ? market.close(index, whole.at) : whole.close;
  const seen = [...resumed.map((bar) => bar.close), close, opened ?? whole.open];
  return {
    open: opened ?? whole.open,
    high: Math.max(...traded.map(({ high }) => high), ...seen),
    low: Math.min(...traded.map(({ low }) => low), ...seen),
    close,
    previousClose: market.previousClose(index, whole.at),
  };
}
