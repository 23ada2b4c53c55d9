/** Writes CSV (RFC 4180) that spreadsheets open without taking a text for a formula. */

type CsvValue = string | number | boolean | null | undefined;

/** Signs with which a spreadsheet begins a formula; those of full width count in some of them. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** A number that is text: a spreadsheet reads it as itself. */
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * One cell. A text that a spreadsheet would calculate gets an apostrophe in front, which spreadsheets do not show. Semicolons and tabs are quoted:
 * many spreadsheets part cells at them.
 */
function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record with its line break. */
function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/**
 * Rows as CSV in UTF-8, with the columns of all rows in the order in which they first appear.
 * @param columns names in this order; taken from the rows when left out.
 */
export function csvBytes(rows: Iterable<Readonly<Record<string, CsvValue>>>, columns?: readonly string[]): Uint8Array {
  const list = columns === undefined ? [...rows] : rows;
  const names = columns ?? [
    ...new Set((list as readonly Readonly<Record<string, CsvValue>>[]).flatMap((row) => Object.keys(row))),
  ];
  const parts = [csvLine(names)];
  for (const row of list) parts.push(csvLine(names.map((name) => row[name])));
  return Buffer.from(parts.join(''), 'utf8');
}
