import { formatDayNumber, parseCompactDate } from '../shared/dates';
import { istDate, istInstant } from '../shared/time';
import type { Calendar, ExchangeCode, Universe } from '../market/reference/types';

/** Names of the instants to which the clock can be sent. */
export const CLOCK_JUMPS = ['open', 'close', 'trading-day', 'expiry'] as const;
export type ClockJump = (typeof CLOCK_JUMPS)[number];

/** At this time of a day everything of it is still to come: before the opening auction. */
const MORNING = '09:00';
/** Underlying of the expiry days where none is named. */
export const DEFAULT_ASSET = 'NIFTY';
const EXCHANGES = ['NSE', 'BSE', 'MCX'] as const;

/**
 * The next instant of NSE's calendar after the present, milliseconds: when it opens or closes, 09:00 of its next trading day, or of the next
 * day on which options or futures of an underlying expire. undefined where there is none.
 */
export function clockJumpInstant(
  to: ClockJump,
  now: number,
  { calendar, universe, asset }: { calendar: Calendar; universe: Universe; asset: string },
): number | undefined {
  switch (to) {
    case 'open':
      return nextEdge(calendar, now, 'from');
    case 'close':
      return nextEdge(calendar, now, 'to');
    case 'trading-day':
      return istInstant(calendar.nextTradingDay('NSE', istDate(now)), MORNING);
    case 'expiry':
      return expiriesOf(universe, asset)
        .map((expiry) => istInstant(formatDayNumber(parseCompactDate(expiry)), MORNING))
        .find((at) => at > now);
  }
}

/** Days (YYYYMMDD, ascending) on which options or futures of an underlying expire, on whichever exchange it has them. */
function expiriesOf(universe: Universe, asset: string): number[] {
  const ofOne = (exchange: ExchangeCode): number[] => [
    ...universe.expiries(exchange, asset),
    ...universe.futures(exchange, asset).map(({ expiry }) => expiry),
  ];
  return EXCHANGES.flatMap(ofOne).sort((a, b) => a - b);
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
