import { istText } from '../../shared/time';
import { spelledInterval } from './bar-times';
import { leftOutText } from './left-out';
import { DAY_SECONDS } from './row-order';
import type { Recordings, TakenRows } from './types';

/** Says how the files of a folder were understood: what `--check` prints. */

const HEADING = ['File', 'Instrument', 'Bars', 'Rows', 'First', 'Last'];

const timed = (at: number, price: number, interval: number): string =>
  `${istText(at)
    .slice(0, interval === DAY_SECONDS ? 10 : 16)
    .replace('T', ' ')} ${(price / 100).toFixed(2)}`;

const cellsOf = ({ file, instrument, interval, count, first, last }: TakenRows): string[] => [
  file,
  instrument,
  spelledInterval(interval),
  String(count),
  timed(first.at, first.open, interval),
  timed(last.at, last.close, interval),
];

/** Rows of a table as text, each column as wide as its longest cell. */
function aligned(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_cell, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * A table of the files: instrument, length of the bars, rows that are taken, first open and last close with their times; below it what is
 * left out, by name and reason, and what is noted of recorded and made-up values.
 */
export function formatCheck({ taken, leftOut, notes }: Pick<Recordings, 'taken' | 'leftOut' | 'notes'>): string {
  const left = leftOut.map((reason) => `${reason.file}: left out ${leftOutText(reason, true)}.`);
  // The notes name only some of what is left out.
  const otherNotes = notes.filter((note) => !/: left out \d+ rows? /.test(note));
  return [
    ...aligned([HEADING, ...taken.map(cellsOf)]),
    '',
    ...[...left, ...otherNotes].map((line) => `- ${line}`),
  ].join('\n');
}
