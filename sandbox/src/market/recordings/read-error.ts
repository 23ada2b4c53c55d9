import { OptionError } from '../../shared/option-error';

/** Errors that name the place in a file. */

/** Files of Parquet, which have no lines. */
export const PARQUET_FILE_NAME = /\.parquet$/i;

/** Files of JSON. */
export const JSON_FILE_NAME = /\.(json|jsonl|ndjson)(\.gz)?$/i;

/** Those whose lines are values by themselves; the lines of the others say nothing. */
export const JSON_LINES_FILE_NAME = /\.(jsonl|ndjson)(\.gz)?$/i;

/** Returns the word for one line of a file. */
export const lineWord = (file: string): 'line' | 'row' =>
  PARQUET_FILE_NAME.test(file) || (JSON_FILE_NAME.test(file) && !JSON_LINES_FILE_NAME.test(file)) ? 'row' : 'line';

/** Signs that would move the cursor of a terminal or change its colours. */
const CONTROLS = /\p{Cc}/gu;
/** Length of a cell that is shown. */
const SHOWN = 40;

/** Shown form of a file's text: long ones are cut. */
export const shortenText = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** Refuses the content of a file. @throws OptionError always */
export function refuseWith(message: string): never {
  throw new OptionError(message.replace(CONTROLS, '?'));
}

/** @throws OptionError always: with file, line and what to do */
export function refuseRow(file: string, line: number, what: string): never {
  return refuseWith(`${file}, ${lineWord(file)} ${line}: ${what}.`);
}

/** @throws OptionError always: of a file as a whole, with what to do */
export function refuseFile(file: string, what: string): never {
  return refuseWith(`${file}: ${what}.`);
}
