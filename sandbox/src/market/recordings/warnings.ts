import type { UntradedRows } from './recording-builder';
import { lineWord } from './read-error';
import { DAY_SECONDS } from './row-order';
import type { Recording, RecordedRow } from './types';

/** Warnings about recordings that have been read. */

/** Number of instruments with the same warning that are named. */
const NAMED = 3;

/** The rows of an instrument that are not traded. */
export function untradedRowNotes(instrument: string, { outside, holidays, behindTicks }: UntradedRows): string[] {
  const listed = (rows: readonly RecordedRow[]): string =>
    `${rows.length} (the first in ${rows[0]!.file}, ${lineWord(rows[0]!.file)} ${rows[0]!.line})`;
  return [
    ...(outside.length > 0 ? [`${instrument}: rows outside the session are not traded: ${listed(outside)}.`] : []),
    ...(holidays.length > 0
      ? [`${instrument}: rows on days without trading are not traded: ${listed(holidays)}.`]
      : []),
    ...(behindTicks.length > 0
      ? [`${instrument}: candles of days of which there are ticks are not traded: ${listed(behindTicks)}.`]
      : []),
  ];
}

/** Returns the data that the recordings lack: of many instruments that lack the same, some are named. */
export function lackingDataNotes(instruments: ReadonlyMap<string, Recording>): string[] {
  const lacking = new Map<string, string[]>();
  const lacks = (what: string, instrument: string): void => {
    const names = lacking.get(what);
    if (names) names.push(instrument);
    else lacking.set(what, [instrument]);
  };
  for (const [instrument, { hasVolumes, interval }] of instruments) {
    if (!hasVolumes) lacks('without volumes; they are those of the made-up market', instrument);
    if (interval > 1) lacks(`what happens within its bars of ${spelled(interval)} is made up`, instrument);
  }
  return [...lacking].map(([what, names]) => {
    const more = names.length - NAMED;
    const listed = more > 1 ? `${names.slice(0, NAMED).join(', ')} and ${more} more` : names.join(', ');
    return `${listed}: ${what}.`;
  });
}

function spelled(seconds: number): string {
  if (seconds === DAY_SECONDS) return 'a day';
  if (seconds % 60 === 0) return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`;
  return `${seconds} seconds`;
}
