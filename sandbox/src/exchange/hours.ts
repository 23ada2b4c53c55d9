import type { Calendar, Instrument, Session } from '../market/types';
import { istDate, istDayEnd } from './time';

export type Phase = Session['phase'] | 'CLOSED';

/** When the exchange trades. */
export interface Hours {
  phase(instrument: Instrument, at: number): Phase;
  /** The instant (milliseconds) at which DAY orders of the day of `at` expire. */
  close(instrument: Instrument, at: number): number;
}

/** Open around the clock, every day; a day ends at midnight in India. */
export const ALWAYS_OPEN: Hours = {
  phase: () => 'OPEN',
  close: (_instrument, at) => istDayEnd(at),
};

/** The sessions of the exchanges (exchange-rules: Sessions). */
export function exchangeHours(calendar: Calendar): Hours {
  const sessions = ({ exchange, derivativeType }: Instrument, at: number): Session[] =>
    calendar.sessions(exchange, derivativeType === 'FUT' || derivativeType === 'OPT', istDate(at));
  return {
    phase: (instrument, at) => sessions(instrument, at).find(({ from, to }) => from <= at && at < to)?.phase ?? 'CLOSED',
    close: (instrument, at) => sessions(instrument, at).findLast(({ phase }) => phase === 'OPEN')?.to ?? istDayEnd(at),
  };
}
