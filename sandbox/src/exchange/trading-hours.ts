import type { MarketHalts } from './halt';
import type { Calendar, Instrument, TradingSession } from '../market/reference/types';
import { istDate, istDay, istDayEnd, istDayStart } from '../shared/time';

/** A stretch of time in which the rules are the same; times in milliseconds, end exclusive. */
export interface TradingPhase {
  phase: TradingSession['phase'] | 'CLOSED';
  from: number;
  to: number;
}

/** Trading hours of the exchange. */
export interface TradingHours {
  phase(instrument: Instrument, at: number): TradingPhase;
  /** The instant (milliseconds) at which DAY orders that work at `at` expire. */
  close(instrument: Instrument, at: number): number;
}

/** Open around the clock, every day; a day ends at midnight in India. */
export const ALWAYS_OPEN: TradingHours = {
  phase: (_instrument, at) => ({ phase: 'OPEN', from: istDayStart(at), to: istDayEnd(at) }),
  close: (_instrument, at) => istDayEnd(at),
};

/** The sessions of the exchanges (docs/service/exchange-rules.md#sessions). */
export function exchangeHours(calendar: Calendar): TradingHours {
  const days = new Map<string, { day: number; phases: TradingPhase[] }>();
  const phasesOf = ({ exchange, derivativeType, closingAuction }: Instrument, at: number): TradingPhase[] => {
    const derivative = derivativeType === 'FUT' || derivativeType === 'OPT';
    const key = `${exchange} ${derivative} ${closingAuction}`;
    const day = istDay(at);
    const cachedDay = days.get(key);
    if (cachedDay?.day === day) return cachedDay.phases;
    const phases = withGaps(calendar.sessions(exchange, derivative, istDate(at), closingAuction), at);
    days.set(key, { day, phases });
    return phases;
  };
  return {
    phase: (instrument, at) => phasesOf(instrument, at).find(({ to }) => at < to)!,
    close(instrument, at) {
      const phases = phasesOf(instrument, at);
      const last = phases.findLast(({ phase }) => phase === 'CLOSING_AUCTION' || phase === 'OPEN');
      return last !== undefined && at < last.to
        ? last.to
        : (phases.findLast(({ phase }) => phase === 'POST_CLOSE')?.to ?? istDayEnd(at));
    },
  };
}

/** The same with the call auctions after market-wide halts. */
export function withReopenings(hours: TradingHours, halts: MarketHalts): TradingHours {
  return {
    phase(instrument, at) {
      const usual = hours.phase(instrument, at);
      const auction = usual.phase === 'OPEN' ? halts.auction(instrument, at) : undefined;
      return auction === undefined
        ? usual
        : { phase: 'PRE_OPEN', from: auction.from, to: Math.min(auction.to, usual.to) };
    },
    close: (instrument, at) => hours.close(instrument, at),
  };
}

/** The whole day from midnight to midnight, closed where there is no session. */
function withGaps(sessions: readonly TradingSession[], at: number): TradingPhase[] {
  const phases: TradingPhase[] = [];
  let from = istDayStart(at);
  for (const session of sessions) {
    if (from < session.from) phases.push({ phase: 'CLOSED', from, to: session.from });
    phases.push(session);
    from = session.to;
  }
  if (from < istDayEnd(at)) phases.push({ phase: 'CLOSED', from, to: istDayEnd(at) });
  return phases;
}
