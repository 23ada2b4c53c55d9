/**
 * Days on which exchanges trade at special hours, IST, the end exclusive. Sources, 2026-11-25: days on which the end-of-day archives show
 * trades; circulars of the exchanges for the hours. The session of 2027 is an expectation, to be corrected. MCX, 2026-11-29: its lists of
 * holidays of 2020, 2024 and 2026, and its notices of 2020, 2023, 2025 and 2026; the other years alike.
 */
type Sessions = Readonly<Record<string, readonly SpecialSession[]>>;

/** Muhurat trading at Diwali, on every exchange. */
const MUHURAT: Sessions = {
  '2018-11-07': [{ from: '17:30', to: '18:30' }],
  '2019-10-27': [{ from: '18:15', to: '19:15' }],
  '2020-11-14': [{ from: '18:15', to: '19:15' }],
  '2021-11-04': [{ from: '18:15', to: '19:15' }],
  '2022-10-24': [{ from: '18:15', to: '19:15' }],
  '2023-11-12': [{ from: '18:15', to: '19:15' }],
  '2024-11-01': [{ from: '18:00', to: '19:00' }],
  '2025-10-21': [{ from: '13:45', to: '14:45' }],
  '2026-11-08': [{ from: '18:00', to: '19:00' }],
  '2027-10-29': [{ from: '18:00', to: '19:00' }],
};

/** NSE and BSE: Saturdays and Sundays with a session, and a prolonged day, too. */
const EQUITY: Sessions = {
  ...MUHURAT,
  '2020-02-01': [{ from: '09:15', to: '15:30' }],
  '2021-02-24': [{ from: '09:15', to: '17:00' }],
  '2024-01-20': [{ from: '09:15', to: '15:30' }],
  '2024-03-02': [
    { from: '09:15', to: '10:00' },
    { from: '11:30', to: '12:30' },
  ],
  '2024-05-18': [
    { from: '09:15', to: '10:00' },
    { from: '11:45', to: '12:40' },
  ],
  '2025-02-01': [{ from: '09:15', to: '15:30' }],
  '2026-02-01': [{ from: '09:15', to: '15:30' }],
};

/** MCX on Saturdays and Sundays with a budget, and on New Year's Day, whose evening is closed. */
const UNTIL_EVENING: readonly SpecialSession[] = [{ from: '09:00', to: '17:00' }];
const COMMODITY: Sessions = {
  ...MUHURAT,
  '2018-01-01': UNTIL_EVENING,
  '2019-01-01': UNTIL_EVENING,
  '2020-01-01': UNTIL_EVENING,
  '2020-02-01': UNTIL_EVENING,
  '2021-01-01': UNTIL_EVENING,
  '2024-01-01': UNTIL_EVENING,
  '2025-01-01': UNTIL_EVENING,
  '2025-02-01': UNTIL_EVENING,
  '2026-01-01': UNTIL_EVENING,
  '2026-02-01': UNTIL_EVENING,
  '2027-01-01': UNTIL_EVENING,
};

/** A stretch of continuous trading, HH:MM. */
export interface SpecialSession {
  from: string;
  /** Exclusive. */
  to: string;
}

/** Returns the sessions of NSE and BSE on a date (YYYY-MM-DD) with special hours; undefined on any other. */
export function specialSessions(date: string): readonly SpecialSession[] | undefined {
  return EQUITY[date];
}

/** Returns the sessions of MCX on a date (YYYY-MM-DD) with special hours; undefined on any other. */
export function specialCommoditySessions(date: string): readonly SpecialSession[] | undefined {
  return COMMODITY[date];
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
