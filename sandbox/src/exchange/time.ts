const DAY_MS = 86_400_000;
/** Asia/Kolkata is UTC+05:30 all year. */
const IST_OFFSET_MS = 19_800_000;

/** Number of the day in India that holds an instant (milliseconds). */
export function istDay(at: number): number {
  return Math.floor((at + IST_OFFSET_MS) / DAY_MS);
}

/** The instant (milliseconds) at which a day in India begins. */
export function istDayStart(at: number): number {
  return istDay(at) * DAY_MS - IST_OFFSET_MS;
}

/** The instant (milliseconds) at which the day in India is over. */
export function istDayEnd(at: number): number {
  return istDayStart(at) + DAY_MS;
}

/** YYYY-MM-DD of the day in India that holds an instant (milliseconds). */
export function istDate(at: number): string {
  return new Date(at + IST_OFFSET_MS).toISOString().slice(0, 10);
}

/** The instant (milliseconds) of a time HH:MM on the day in India that holds an instant. */
export function istTime(at: number, time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return istDayStart(at) + (hours * 60 + minutes) * 60_000;
}
