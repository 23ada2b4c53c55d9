import { PackedRows } from '../../sandbox/src/market/recordings/packed-rows';
import type { FileRows, RecordedRow } from '../../sandbox/src/market/recordings/types';

/** All rows of a file, those of one instrument after those of another. */
export const rowsOf = ({ rows }: FileRows): RecordedRow[] => rows.instruments().flatMap((named) => rows.of(named));

/** A file with its rows as a list. */
export const unpacked = (file: FileRows): Omit<FileRows, 'rows'> & { rows: RecordedRow[] } => ({
  ...file,
  rows: rowsOf(file),
});

/** Rows as a file has them. */
export function packed(file: string, rows: readonly RecordedRow[]): PackedRows {
  const all = new PackedRows(file);
  for (const row of rows) all.add(row);
  return all;
}
