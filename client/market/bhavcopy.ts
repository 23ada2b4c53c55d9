/** End-of-day files of NSE (docs/service/market-data.md#end-of-day-files): typed rows as a stream, or the unchanged file. */
import { endpoints } from '../endpoints';
import { InputError, ServiceError, SessionError, UnreadableReplyError } from '../base/errors';
import { isTradingDayByMaster } from '../instruments/catalogue';
import type { StreamedResponse } from '../base/ports';
import { requireNoFault } from '../reply-fault';
import { mismatchError } from '../reply-gate';
import { serviceText } from '../service-errors';
import type { Transport } from '../transport';
import { csvRecords } from '../values/csv';
import { fileNameIn } from '../values/headers';
import { readJsonIfAny } from '../values/json';
import { addDays, compactDate, istDate } from '../values/time';
import { trimEndOf } from '../values/trim-end';
import { dateCell, BhavcopyRowReader, type BhavcopyRow, type RowFilter } from './bhavcopy-columns';

/** The files that there are, by type code. */
export const BHAVCOPY_TYPES = ['BhavcopyCM', 'BhavcopyFO', 'BhavcopySec', 'FO', 'OP', 'PD', 'PR'] as const;
export type BhavcopyType = (typeof BHAVCOPY_TYPES)[number];

/** The requested file. */
export interface BhavcopyRequest {
  type: BhavcopyType;
  /** YYYY-MM-DD, or the last one that exists. */
  date: string | 'latest';
  format: 'csv' | 'json';
  signal?: AbortSignal;
}

/** A file that exists. */
export interface BhavcopyFile {
  /** YYYY-MM-DD. */
  date: string;
  /** The requested day, which its rows must have; left out if none was requested. */
  asked?: string;
  /** The requested format; left out if none was requested. */
  format?: BhavcopyRequest['format'];
  reply: StreamedResponse;
}

/** The first bytes of a ZIP archive. */
const ZIP = 'PK\u0003\u0004';
/** Maximum number of days to look back for the latest file. */
const DAYS_BACK = 15;

async function requestDay(
  transport: Transport,
  { type, format, signal }: BhavcopyRequest,
  date: string,
): Promise<StreamedResponse> {
  const day = compactDate(date);
  return await transport.stream(endpoints.bhavcopy, {
    path: { date: day },
    query: { format, type: `${type}${day}` },
    signal,
  });
}

/** The file of a date; undefined if the service answers 440, which has three meanings. */
async function requestOr440(
  transport: Transport,
  request: BhavcopyRequest,
  date: string,
): Promise<StreamedResponse | undefined> {
  try {
    return await requestDay(transport, request, date);
  } catch (error) {
    return undefinedOn440(error);
  }
}

function undefinedOn440(error: unknown): undefined {
  if (error instanceof SessionError && (error.status === 440 || error.status === 401)) return undefined;
  throw error;
}

/**
 * Checks that a 440 is about the file: requests the user's data without a new login, so that a date without a file ends no session. The
 * next ordinary request renews an expired session.
 * @returns true if the session was valid all the time.
 * @throws SessionError if it has expired and cannot be renewed.
 */
async function sessionWasAlive(transport: Transport, signal?: AbortSignal): Promise<boolean> {
  const alive = await transport.call(endpoints.sessionCheck, { signal }).then(() => true, undefinedOn440);
  if (alive === true) return true;
  await transport.call(endpoints.userInfo, { signal });
  return false;
}

async function missing(transport: Transport, { type, signal }: BhavcopyRequest, date: string): Promise<ServiceError> {
  const trades = await isTradingDayByMaster(transport, 'NSE', date, signal);
  const why = trades
    ? 'it has not been generated yet, or the exchange gives none of this type'
    : `${date} is not a trading day`;
  return new ServiceError(`There is no ${type} file for ${date}: ${why} (status 440).`, {
    status: 440,
    serviceText: '',
    parameter: trades ? 'type' : 'date',
    hint: 'Files appear in the evening of a trading day. Choose another date, or the latest file that exists.',
  });
}

/**
 * Opens an end-of-day file.
 * @throws InputError for a future date; ServiceError (status 440) that says why there is no file; SessionError when the
 *   session is dead and cannot be renewed; otherwise as `Transport.stream`.
 */
export async function openBhavcopy(transport: Transport, request: BhavcopyRequest): Promise<BhavcopyFile> {
  const today = istDate(transport.marketClock.now());
  const { date } = request;
  if (date !== 'latest' && date > today) {
    throw new InputError(`There is no end-of-day file for ${date}: it is in the future.`, {
      parameter: 'date',
      hint: 'Choose a completed trading day.',
    });
  }
  let checked = false;
  for (let back = 0; back <= DAYS_BACK; back++) {
    const day = date === 'latest' ? addDays(today, -back) : date;
    let reply = await requestOr440(transport, request, day);
    if (reply === undefined && !checked) {
      checked = true;
      if (!(await sessionWasAlive(transport, request.signal))) reply = await requestOr440(transport, request, day);
    }
    if (reply !== undefined) return { date: day, asked: day, format: request.format, reply };
    if (date !== 'latest') throw await missing(transport, request, day);
  }
  throw new ServiceError(`There is no ${request.type} file for the last ${DAYS_BACK} days (status 440).`, {
    status: 440,
    serviceText: '',
    parameter: 'type',
    hint: 'The exchange may no longer give this type. Choose another one.',
  });
}

/**
 * The rows of an end-of-day file, typed, a batch for each piece that arrives.
 * @throws UnreadableReplyError if the file is no CSV; MismatchedReplyError when it is that of another day; InputError when the filter names
 * a column that it does not have.
 */
export async function* bhavcopyRows(file: BhavcopyFile, filter: RowFilter = {}): AsyncGenerator<BhavcopyRow[]> {
  let maker: BhavcopyRowReader | undefined;
  let tradedOn = -1;
  /** The day of the last row, as written: most rows have the same. */
  let lastDay: string | undefined;
  for await (const records of csvRecords(file.reply.chunks)) {
    const rows: BhavcopyRow[] = [];
    for (const record of records) {
      if (maker === undefined) {
        maker = headerOf(record, filter);
        tradedOn = record.findIndex((name) => TRADE_DATES.includes(name.trim().toUpperCase()));
        continue;
      }
      const day = tradedOn < 0 ? undefined : record[tradedOn];
      if (day !== lastDay && file.asked !== undefined) requireDay(day, file.asked);
      lastDay = day;
      const row = maker.row(record);
      if (row !== undefined) rows.push(row);
    }
    if (rows.length > 0) yield rows;
  }
  if (maker === undefined)
    throw new UnreadableReplyError('The end-of-day file is empty.', { hint: 'Try again later.' });
}

/** Bytes of a file that are looked at for its day. */
const MAX_START_BYTES = 65_536;
/** A row of JSON that tells its day. */
const DAY_IN_JSON = /"(?:TradDt|TIMESTAMP|DATE1)"\s*:\s*"([^"]{1,20})"/i;

/**
 * The unchanged file.
 * @throws UnreadableReplyError for a page in its place and for a file that is cut off; MismatchedReplyError if its name or its first rows are
 *   of another day; otherwise as `Transport.stream`
 */
export async function bhavcopyBytes({ reply, asked, format }: BhavcopyFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.chunks) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const start = bytes.subarray(0, MAX_START_BYTES).toString('latin1');
  requireWhole(bytes, start);
  if (!start.startsWith(ZIP)) requireFormat(bytes, start, format);
  if (asked === undefined) return bytes;
  const [named] = /(?<!\d)20\d{6}(?!\d)/.exec(fileNameIn(reply.headers) ?? '') ?? [];
  requireDay(named?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'), asked);
  if (!start.startsWith(ZIP)) requireDay(DAY_IN_JSON.exec(start)?.[1] ?? firstDayIn(start), asked);
  return bytes;
}

/** Bytes of a file that are looked at for its end: a comment may follow the directory of an archive. */
const MAX_END_BYTES = 65_557;
/** Ends the directory of a ZIP archive. */
const ZIP_END = 'PK\u0005\u0006';

/** @throws UnreadableReplyError for a page in place of a file, and for a file that is cut off */
function requireWhole(bytes: Buffer, start: string): void {
  const [first] = start.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  if (first === undefined || first === '<')
    throw new UnreadableReplyError(
      first === '<'
        ? 'The service answered with a page in place of the end-of-day file.'
        : 'The end-of-day file is empty.',
      { hint: 'Try again later.' },
    );
  const end = bytes.subarray(-MAX_END_BYTES).toString('latin1');
  if (isWhole(start, first, end)) return;
  throw new UnreadableReplyError('The end-of-day file is cut off: its end is missing.', { hint: 'Try again.' });
}

/** An answer that is no longer than this may be a notice in place of the file, bytes. */
const MAX_NOTICE_BYTES = 4_096;

/** A named value of JSON. */
const NAMED_VALUE = /":\s?["\d-]/;

/** @throws UnreadableReplyError for what is neither lines with commas nor rows of JSON, as was asked: a notice in place of the file */
function requireFormat(bytes: Buffer, start: string, format: BhavcopyFile['format']): void {
  if (format === undefined) return;
  const isJson = /^[[{]/.test(start.trimStart());
  const isNotice = bytes.length <= MAX_NOTICE_BYTES;
  if (isJson && isNotice) {
    const { method, path } = endpoints.bhavcopy;
    requireNoFault(readJsonIfAny(bytes) ?? null, `${method} ${path}`);
  }
  const [firstLine = ''] = start.split('\n', 1);
  if (format === 'csv' ? !isJson && firstLine.includes(',') : isJson && NAMED_VALUE.test(start)) return;
  const said = isNotice ? serviceText(bytes) : '';
  throw new UnreadableReplyError(
    `The service answered with something that is not the end-of-day file.${said === '' ? '' : ` It said: ${said}`}`,
    { hint: 'Try again later. Not every type has each format.' },
  );
}

/** An archive has its directory at its end, JSON its bracket, and the last line of a CSV as many values as the first. */
function isWhole(start: string, first: string, end: string): boolean {
  if (start.startsWith(ZIP)) return end.includes(ZIP_END);
  if (first === '{' || first === '[') return end.trimEnd().endsWith(first === '{' ? '}' : ']');
  const commas = (line: string): number => line.split(',').length;
  const last = end.slice(end.lastIndexOf('\n') + 1).trimEnd();
  const header = trimEndOf(start.slice(0, start.indexOf('\n') + 1).trimEnd(), (character) => character === ',');
  return last === '' || header === '' || commas(last) >= commas(header);
}

/** Returns the day in the first row of a CSV that has a column of days; undefined if there is none. */
function firstDayIn(start: string): string | undefined {
  const [header = [], ...lines] = start.split(/\r?\n/, 20).map((line) => line.split(','));
  const column = header.findIndex((name) => TRADE_DATES.includes(name.trim().toUpperCase()));
  return column < 0 ? undefined : lines.map((cells) => cells[column]?.trim()).find((cell) => !!cell);
}

/** Columns with the day of a row. */
const TRADE_DATES: readonly string[] = ['TRADDT', 'TIMESTAMP', 'DATE1'];

/** @throws MismatchedReplyError for a row of another day */
function requireDay(cell: string | undefined, date: string): void {
  const dateOfFile = dateCell(cell ?? '');
  if (typeof dateOfFile !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(dateOfFile) || dateOfFile === date) return;
  const { method, path } = endpoints.bhavcopy;
  throw mismatchError(
    { reply: 'end-of-day file', what: 'date', parameter: 'date' },
    date,
    dateOfFile,
    `${method} ${path}`,
  );
}

function headerOf(record: string[], filter: RowFilter): BhavcopyRowReader {
  const [first = ''] = record;
  if (record.length < 2 || first.startsWith(ZIP) || /^\s*[<{[]/.test(first)) {
    throw new UnreadableReplyError('The end-of-day file is not the CSV that was asked for.', {
      hint: 'Use Download File to look at it.',
    });
  }
  const maker = new BhavcopyRowReader(record, filter);
  if (!maker.isKnown)
    throw new UnreadableReplyError("The end-of-day file has no column that the exchange's files have.", {
      hint: 'Use Download File to look at it.',
    });
  if (maker.missing.length === 0) return maker;
  throw new InputError(`The file has no column ${maker.missing.join(', ')}.`, {
    parameter: 'columnFilters',
    hint: `Its columns are ${maker.columns.join(', ')}.`,
  });
}
