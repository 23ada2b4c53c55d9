import { formatDate, parseCompact } from '../shared/dates';
import { istDate, istInstant } from '../shared/time';
import type { Calendar, Universe } from '../market/reference/types';

/** Names of the instants to which the clock can be sent. */
export const CLOCK_DESTINATIONS = ['open', 'close', 'trading-day', 'expiry'] as const;
export type ClockDestination = (typeof CLOCK_DESTINATIONS)[number];

/** At this time of a day everything of it is still to come: before the opening auction. */
const MORNING = '09:00';
/** The index whose expiry days are meant. */
const INDEX = 'NIFTY';

/**
 * The next instant of NSE's calendar after the present, milliseconds: when it opens or closes, 09:00 of its next trading day, or of the next
 * day on which NIFTY contracts expire. undefined where there is none.
 */
export function destinationOf(
  to: ClockDestination,
  now: number,
  { calendar, universe }: { calendar: Calendar; universe: Universe },
): number | undefined {
  switch (to) {
    case 'open':
      return nextEdge(calendar, now, 'from');
    case 'close':
      return nextEdge(calendar, now, 'to');
    case 'trading-day':
      return istInstant(calendar.nextTradingDay('NSE', istDate(now)), MORNING);
    case 'expiry':
      return universe
        .expiries('NSE', INDEX)
        .map((expiry) => istInstant(formatDate(parseCompact(expiry)), MORNING))
        .find((at) => at > now);
  }
}

/** The first beginning (`from`) or end (`to`) of a session after the present; a halt that cuts a day in two is neither. */
function nextEdge(calendar: Calendar, now: number, edge: 'from' | 'to'): number | undefined {
  const today = istDate(now);
  for (const date of [today, calendar.nextTradingDay('NSE', today)]) {
    const open = calendar.sessions('NSE', true, date).filter(({ phase }) => phase === 'OPEN');
    const at = edge === 'from' ? open[0]?.from : open.at(-1)?.to;
    if (at !== undefined && at > now) return at;
  }
  return undefined;
}
