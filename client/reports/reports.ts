/** Asking for reports: as data, as a file, or by e-mail (docs/service/reports.md#report-requests). */
import { endpoints } from '../endpoints';
import { reportDays, type ReportBody, type ReportOption } from '../endpoints/reports';
import { mismatchError } from '../reply-gate';
import { InputError, ServiceError, UnreadableReplyError } from '../base/errors';
import type { WireResponse } from '../base/ports';
import type { Transport } from '../transport';
import { fileNameIn, mediaTypeIn } from '../values/headers';
import { isOfOutcome, requireNoFault } from '../reply-fault';
import { knownKind, otherKindError } from '../reply-kinds';
import { asList, asObject, readJsonIfAny, type Json, type JsonObject } from '../values/json';
import { asRecord, recordIn, recordsAt, textFrom, type WireRecord } from '../values/record';
import { reportKinds, type ReportAction, type ReportFormat, type ReportKind, type ReportName } from './kinds';

/** The days a report is about, YYYY-MM-DD in IST: a range with both ends inside, or one day. */
export interface ReportDates {
  from?: string;
  to?: string;
  date?: string;
}

/** A report as a file. */
export interface ReportFile {
  bytes: Uint8Array;
  /** As the service suggests it, without any folder. */
  fileName: string;
  mimeType: string;
}

/** Reports on offer, from `GET /report` (docs/service/reports.md#report-option). */
export interface AvailableReports {
  categories: Json[];
  reports: WireRecord<ReportOption>[];
}

/**
 * The reports that the account can ask for.
 * @throws UnreadableReplyError if the reply holds no list of them; otherwise as `Transport.call`.
 */
export async function getAvailableReports(transport: Transport, signal?: AbortSignal): Promise<AvailableReports> {
  const reply = recordIn(asRecord(await transport.call(endpoints.reportOptions, { signal })), 'res');
  if (reply === undefined)
    throw new UnreadableReplyError("The service's answer holds no list of reports (GET /report).");
  return { categories: asList(reply.categories) ?? [], reports: recordsAt(reply, 'reports') };
}

const startOf = (date: string) => `${date}T00:00:00+05:30`;
const endOf = (date: string) => `${date}T23:59:59+05:30`;

function datesOf(
  kind: ReportKind,
  { from, to, date }: ReportDates,
): Pick<ReportBody, 'date' | 'from_date' | 'to_date'> {
  if (kind.dates === 'none') return {};
  if (kind.dates === 'single') {
    if (date === undefined) throw new InputError(`${kind.title} needs a date.`, { parameter: 'date' });
    return { date: startOf(date) };
  }
  if (from === undefined || to === undefined)
    throw new InputError(`${kind.title} needs a first and a last date.`, {
      parameter: from === undefined ? 'from' : 'to',
    });
  if (from > to) {
    throw new InputError(`The first date ${from} is after the last date ${to}.`, {
      parameter: 'from',
      hint: 'Swap the two dates.',
    });
  }
  return { from_date: startOf(from), to_date: endOf(to) };
}

function kindWith(name: ReportName, action: ReportAction): ReportKind {
  const kind: ReportKind = reportKinds[name];
  if (kind.actions.includes(action)) return kind;
  throw new InputError(`${kind.title} has no action "${action}".`, {
    parameter: 'report',
    hint: `It has: ${kind.actions.join(', ')}.`,
  });
}

const ACTION_TYPES = { download: 'DOWNLOAD', email: 'EMAIL', view: 'VIEW' } as const;

function bodyOf(
  kind: ReportKind,
  action: ReportAction,
  dates: ReportDates,
  format: ReportFormat | 'JSON' | undefined,
): ReportBody | undefined {
  if (kind.dates === 'none') return undefined;
  return {
    action_type: ACTION_TYPES[action],
    ...(kind.formats.length > 0 ? { export_format: format } : {}),
    ...datesOf(kind, dates),
  };
}

/**
 * A report as data. Its shape is the service's own: not every report has the same.
 * @throws InputError when the report has no such action or lacks a date; ServiceError when the service has no report
 *   for these dates (see `isWithoutData`).
 */
export async function viewReport(
  transport: Transport,
  name: ReportName,
  dates: ReportDates,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const kind = kindWith(name, 'view');
  const body = bodyOf(kind, 'view', dates, 'JSON');
  const reply = await transport.call(kind.endpoint, { body, signal });
  requireNoFault(reply, `${kind.endpoint.method} ${kind.endpoint.path}`);
  if (body !== undefined) await requireDays(transport, kind, body, reply, signal);
  requireOwnKind(kind, reply);
  const object = Array.isArray(reply) ? { rows: reply } : asObject(reply);
  if (
    object !== undefined &&
    object.message !== undefined &&
    isEnvelope(object) &&
    NO_DATA.test(textFrom(object.message))
  )
    throw new EmptyReportError(`The service has no data of ${kind.title} for these dates.`, { hint: NO_ROWS_HINT });
  if (object === undefined || saysNothing(object) || isEnvelope(object))
    throw new UnreadableReplyError(`The service answered ${kind.title} with something that is not a report.`, {
      hint: 'Nothing of the answer was used. Try again later.',
    });
  return object;
}

const isEmptyValue = (value: Json): boolean => {
  const object = asObject(value);
  return value === null || (object !== undefined && Object.keys(object).length === 0);
};

/** Returns true if all values of an answer are null or empty. */
const holdsNothing = (answer: JsonObject): boolean =>
  Object.values(answer).every((value) => isEmptyValue(value) || (Array.isArray(value) && value.length === 0));

/** Returns true if all that an answer says is how the request went. */
const isEnvelope = (report: JsonObject): boolean =>
  saysNothing(Object.fromEntries(Object.entries(report).filter(([name]) => !isOfOutcome(name))));

/** Reports that may list orders, as an answer about orders does. */
const LISTS_ORDERS = /orderbook|tradebook/;

/** @throws UnreadableReplyError for the answer of an endpoint that gives no reports */
function requireOwnKind({ endpoint: { method, path } }: ReportKind, reply: Json): void {
  const kind = knownKind(reply);
  if (kind === undefined || (LISTS_ORDERS.test(path) && /orders?$/.test(kind))) return;
  throw otherKindError(kind, `${method} ${path}`);
}

/** Returns true if a report has no value, and no list that could have rows: {}, {"data": null}, [null]. */
function saysNothing(report: JsonObject): boolean {
  return Object.values(report).every((value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isEmptyValue) : isEmptyValue(value),
  );
}

const NO_ROWS_HINT = 'Choose other dates, or another choice in When There Is No Data.';
/** Words of an answer without data. */
const NO_DATA = /\bno (?:data|records?|rows?)\b/i;

/** The report has no rows for the dates. */
class EmptyReportError extends UnreadableReplyError {}

/** @throws EmptyReportError for a report of empty lists alone: see `isWithoutData` */
export function requireRows(report: JsonObject): void {
  const isEmpty = Object.values(report).every(
    (value) => value === null || (Array.isArray(value) && value.length === 0),
  );
  if (isEmpty) throw new EmptyReportError('The report has no rows for these dates.', { hint: NO_ROWS_HINT });
}

/**
 * Makes sure that a view is about the days that were asked for, as far as it says it. The service cuts them to those that it has of the
 * report: where they differ, it is asked which these are.
 * @throws MismatchedReplyError that names both
 */
async function requireDays(
  transport: Transport,
  { endpoint, title }: ReportKind,
  body: ReportBody,
  reply: Json,
  signal?: AbortSignal,
): Promise<void> {
  const [asked, answered] = [reportDays(body), reportDays(reply)];
  const isSame = (requested: typeof asked): boolean =>
    (answered.first ?? requested.first) === requested.first && (answered.last ?? requested.last) === requested.last;
  if (isSame(asked)) return;
  const { reports } = await getAvailableReports(transport, signal);
  const option = reports.find(({ type }) => endpoint.path === `/report/${textFrom(type)}`);
  const [from, to] = [textFrom(option?.minDate).slice(0, 10), textFrom(option?.maxDate).slice(0, 10)];
  const cut = (day: string | undefined): string | undefined =>
    day === undefined || option === undefined
      ? day
      : from !== '' && day < from
        ? from
        : to !== '' && day > to
          ? to
          : day;
  if (isSame({ first: cut(asked.first), last: cut(asked.last) })) return;
  const shown = ({ first, last }: typeof asked): string =>
    first === last ? String(first) : `${first ?? asked.first} to ${last ?? asked.last}`;
  throw mismatchError(
    { reply: title, what: 'range of dates' },
    shown(asked),
    shown(answered),
    `${endpoint.method} ${endpoint.path}`,
  );
}

/**
 * A report as a file.
 * @param format taken where the report has formats to choose from; EXCEL is XLSX.
 * @throws as `viewReport`; UnreadableReplyError when the reply is no file.
 */
export async function downloadReport(
  transport: Transport,
  name: ReportName,
  dates: ReportDates,
  format: ReportFormat,
  signal?: AbortSignal,
): Promise<ReportFile> {
  const kind = kindWith(name, 'download');
  const reply = await transport.fetch(kind.endpoint, {
    body: bodyOf(kind, 'download', dates, format),
    signal,
  });
  const { headers, body } = reply;
  const type = mediaTypeIn(headers);
  if (body.length === 0 || type === 'application/json') {
    const text = transport.textOf(reply);
    throw new UnreadableReplyError(
      `${kind.title} did not come as a file.${text === '' ? '' : ` The service said: ${text}`}`,
      {
        hint: 'There may be no data for these dates. Choose others, or try again later.',
      },
    );
  }
  const { mimeType = type, extension } = fileTypeOf(kind, reply, transport);
  return { bytes: body, mimeType, fileName: fileNameIn(headers) ?? `${name}${extension}` };
}

/**
 * Has a report sent to the registered e-mail address; a real e-mail, so it is asked for once.
 * @throws UnreadableReplyError for a reply that acknowledges nothing: the e-mail may have been sent
 */
export async function emailReport(
  transport: Transport,
  name: ReportName,
  dates: ReportDates,
  format: ReportFormat,
  signal?: AbortSignal,
): Promise<string> {
  const kind = kindWith(name, 'email');
  const reply = await transport.fetch(kind.endpoint, {
    body: bodyOf(kind, 'email', dates, format),
    repeat: 'never',
    signal,
  });
  const said = readJsonIfAny(reply.body);
  requireNoFault(said ?? null, `${kind.endpoint.method} ${kind.endpoint.path}`);
  const object = asObject(said);
  const isSaid = typeof said === 'string' && said.trim() !== '';
  const isOwn = object !== undefined && !holdsNothing(object) && knownKind(object) === undefined;
  if (isSaid || said === true || isOwn) return transport.textOf(reply);
  throw new UnreadableReplyError(`The answer does not say whether ${kind.title} was e-mailed.`, {
    hint: 'Look into your mailbox before you run it again: each run sends an e-mail.',
  });
}

/** Returns true if a refusal says that there is no data for the dates (docs/service/errors.md#situations). */
export function isWithoutData(error: unknown): boolean {
  if (error instanceof EmptyReportError) return true;
  return (
    error instanceof ServiceError && error.status >= 500 && /report generation failed|no data/i.test(error.serviceText)
  );
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A type of file: the bytes at its beginning, those near its end, its media type; that of the header where it is left out. */
interface FileType {
  start: string;
  end: string;
  mimeType?: string;
  extension: string;
}
const FILE_TYPES: readonly FileType[] = [
  { start: '%PDF', end: '%%EOF', mimeType: 'application/pdf', extension: '.pdf' },
  { start: 'PK\u0003\u0004', end: 'PK\u0005\u0006', mimeType: XLSX, extension: '.xlsx' },
  // A workbook with a password; it has no mark at its end.
  { start: '\u00d0\u00cf\u0011\u00e0', end: '', extension: '.xlsx' },
];
/** Bytes at the end that hold its mark: a comment may follow the directory of an archive. */
const MAX_END_BYTES = 65_557;

/**
 * The type of a report's file, from its bytes.
 * @throws UnreadableReplyError for what is neither PDF nor Excel, as a notice in its place, and for a file that is cut off
 */
function fileTypeOf({ title }: ReportKind, reply: WireResponse, transport: Transport): FileType {
  const body = Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength);
  const start = body.subarray(0, 4).toString('latin1');
  const fileType = FILE_TYPES.find((type) => start === type.start);
  if (fileType === undefined) {
    const text = transport.textOf(reply);
    throw new UnreadableReplyError(
      `${title} did not come as a file: the answer is neither PDF nor Excel.${text === '' ? '' : ` It said: ${text}`}`,
      { hint: 'Something between n8n and the service may have answered in its place. Try again later.' },
    );
  }
  if (body.subarray(-MAX_END_BYTES).toString('latin1').includes(fileType.end)) return fileType;
  throw new UnreadableReplyError(`${title} came cut off: the end of the file is missing.`, { hint: 'Try again.' });
}

/** A list of records; undefined for any other value, and for a list of other things. */
function recordList(value: Json | undefined): JsonObject[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const records = value.map(asObject).filter((record) => record !== undefined);
  return records.length === value.length ? records : undefined;
}

/** The lists of records in a report that hold something, not those within other lists. */
function listsIn(report: JsonObject): JsonObject[][] {
  return Object.values(report).flatMap((value) => {
    const list = recordList(value);
    const object = asObject(value);
    return list !== undefined && list.length > 0 ? [list] : object !== undefined ? listsIn(object) : [];
  });
}

/**
 * The rows of a report, wherever they stand: its one list of records; and where these are sections that have a list of records each, the
 * rows of all sections, every one with the plain values of its section (its title).
 * @returns undefined if there is no such list, or more than one.
 */
export function rowsIn(report: JsonObject): JsonObject[] | undefined {
  const [list, ...others] = listsIn(report);
  if (list === undefined || others.length > 0) return undefined;
  const keys = new Set(
    list.flatMap((record) => Object.keys(record).filter((key) => (recordList(record[key])?.length ?? 0) > 0)),
  );
  const [key] = keys;
  if (key === undefined || keys.size > 1) return list;
  return list.flatMap((section) => {
    const plain = Object.fromEntries(Object.entries(section).filter(([, value]) => typeof value !== 'object'));
    return recordList(section[key])?.map((row) => ({ ...plain, ...row })) ?? [section];
  });
}
