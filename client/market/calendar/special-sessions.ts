/**
 * Days on which NSE and BSE trade at special hours: muhurat trading at Diwali, Saturdays and Sundays with a session, a prolonged day.
 * Times are IST, the end exclusive. Sources, 2026-11-25: days on which the end-of-day archives show trades;
 * circulars of the exchanges for the hours. The session of 2027 is an expectation, to be corrected.
 */
const SPECIAL_SESSIONS: Readonly<Record<string, readonly SpecialSession[]>> = {
  '2018-11-07': [{ from: '17:30', to: '18:30' }],
  '2019-10-27': [{ from: '18:15', to: '19:15' }],
  '2020-02-01': [{ from: '09:15', to: '15:30' }],
  '2020-11-14': [{ from: '18:15', to: '19:15' }],
  '2021-02-24': [{ from: '09:15', to: '17:00' }],
  '2021-11-04': [{ from: '18:15', to: '19:15' }],
  '2022-10-24': [{ from: '18:15', to: '19:15' }],
  '2023-11-12': [{ from: '18:15', to: '19:15' }],
  '2024-01-20': [{ from: '09:15', to: '15:30' }],
  '2024-03-02': [
    { from: '09:15', to: '10:00' },
    { from: '11:30', to: '12:30' },
  ],
  '2024-05-18': [
    { from: '09:15', to: '10:00' },
    { from: '11:45', to: '12:40' },
  ],
  '2024-11-01': [{ from: '18:00', to: '19:00' }],
  '2025-02-01': [{ from: '09:15', to: '15:30' }],
  '2025-10-21': [{ from: '13:45', to: '14:45' }],
  '2026-02-01': [{ from: '09:15', to: '15:30' }],
  '2026-11-08': [{ from: '18:00', to: '19:00' }],
  '2027-10-29': [{ from: '18:00', to: '19:00' }],
};

const BUDGET_SESSION: readonly SpecialSession[] = [{ from: '09:00', to: '17:00' }];
const NEW_YEAR_SESSION = BUDGET_SESSION;

/**
 * The same of MCX: muhurat trading, Saturdays and Sundays with a budget, and New Year's Day, whose evening is closed. Sources, 2026-11-29: its
 * lists of holidays of 2020, 2024 and 2026, and its notices of 2020, 2023, 2025 and 2026; the other years alike.
 */
const COMMODITY_SESSIONS: Readonly<Record<string, readonly SpecialSession[]>> = {
  '2018-01-01': NEW_YEAR_SESSION,
  '2018-11-07': [{ from: '17:30', to: '18:30' }],
  '2019-01-01': NEW_YEAR_SESSION,
  '2019-10-27': [{ from: '18:15', to: '19:15' }],
  '2020-01-01': NEW_YEAR_SESSION,
  '2020-02-01': BUDGET_SESSION,
  '2020-11-14': [{ from: '18:15', to: '19:15' }],
  '2021-01-01': NEW_YEAR_SESSION,
  '2021-11-04': [{ from: '18:15', to: '19:15' }],
  '2022-10-24': [{ from: '18:15', to: '19:15' }],
  '2023-11-12': [{ from: '18:15', to: '19:15' }],
  '2024-01-01': NEW_YEAR_SESSION,
  '2024-11-01': [{ from: '18:00', to: '19:00' }],
  '2025-01-01': NEW_YEAR_SESSION,
  '2025-02-01': BUDGET_SESSION,
  '2025-10-21': [{ from: '13:45', to: '14:45' }],
  '2026-01-01': NEW_YEAR_SESSION,
  '2026-02-01': BUDGET_SESSION,
  '2026-11-08': [{ from: '18:00', to: '19:00' }],
  '2027-01-01': NEW_YEAR_SESSION,
  '2027-10-29': [{ from: '18:00', to: '19:00' }],
};

/** A stretch of continuous trading, HH:MM. */
export interface SpecialSession {
  from: string;
  /** Exclusive. */
  to: string;
}

/** Returns the sessions of NSE and BSE on a date (YYYY-MM-DD) with special hours; undefined on any other. */
export function specialSessions(date: string): readonly SpecialSession[] | undefined {
  return SPECIAL_SESSIONS[date];
}

/** Returns the sessions of MCX on a date (YYYY-MM-DD) with special hours; undefined on any other. */
export function specialCommoditySessions(date: string): readonly SpecialSession[] | undefined {
  return COMMODITY_SESSIONS[date];
}

/** Minutes before a special session from which a time of the day belongs to it. */
const BEFORE_OPENING = 60;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Returns true if a time of the day (HH:MM) belongs to a date's sessions: on a day with special hours those within or up to an hour before one
 * of them. At 15:20 on the day of an evening session nothing is bought or sold.
 */
export function belongsToSessions(date: string, time: string): boolean {
  const minute = minutesOf(time);
  return (
    specialSessions(date)?.some(
      ({ from, to }) => minute >= minutesOf(from) - BEFORE_OPENING && minute < minutesOf(to),
    ) ?? true
  );
}
