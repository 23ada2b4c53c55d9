import { OptionError } from '../../shared/option-error';

/** Says where in a file something stands. */

/** Files of Parquet, which have no lines. */
export const PARQUET = /\.parquet$/i;

/** What one line of a file is called. */
export const lineWord = (file: string): 'line' | 'row' => (PARQUET.test(file) ? 'row' : 'line');

/** @throws OptionError always: with file, line and what to do */
export function refuseRow(file: string, line: number, what: string): never {
  throw new OptionError(`${file}, ${lineWord(file)} ${line}: ${what}.`);
}
