/** Files as people keep them, read as a replay reads them. */
import { createCalendar } from '../../sandbox/src/market/reference/calendar';
import { AssetCatalog } from '../../sandbox/src/market/reference/catalog';
import { buildRecordings } from '../../sandbox/src/market/recordings/build-recordings';
import { readCandles } from '../../sandbox/src/market/recordings/csv';
import { jsonRows, readJson } from '../../sandbox/src/market/recordings/json';
import { JSON_FILE_NAME } from '../../sandbox/src/market/recordings/read-error';
import type { FileConfig } from '../../sandbox/src/market/recordings/replay-config';
import type { Recordings } from '../../sandbox/src/market/recordings/types';
import { formatDayNumber } from '../../sandbox/src/shared/dates';

const catalog = new AssetCatalog();

/** The recordings of files of text. */
export const recordingsOf = (files: Record<string, string>, terms: FileConfig = {}): Recordings =>
  buildRecordings(
    Object.entries(files).map(([file, text]) =>
      JSON_FILE_NAME.test(file)
        ? readJson(file, jsonRows(file, text), terms, catalog)
        : readCandles(file, text, terms, catalog),
    ),
    catalog,
    createCalendar().days.equity,
  );

/**
 * Reads a file. @returns what it was taken for: instrument, date, interval, and of each bar where it begins, its close
 * and its volume
 */
export function taken(file: string, text: string, terms: FileConfig = {}): string[] {
  const { instruments } = recordingsOf({ [file]: text }, terms);
  return [...instruments].flatMap(([name, { days, interval }]) =>
    [...days].flatMap(([day, recorded]) =>
      recorded
        .bars()
        .map(({ from, close, volume }) =>
          [name, formatDayNumber(day), `${interval}s`, interval === 86_400 ? '' : from, close / 100, volume || ''].join(
            ' ',
          ),
        ),
    ),
  );
}

/** A file that was kept, and what it is taken for. */
export type Kept = [what: string, file: string, text: string, taken: string[]];
