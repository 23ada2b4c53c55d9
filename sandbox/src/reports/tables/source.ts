/** Sources of the tables. */
import { type ContractUnit, PER_SHARE } from '../../market/reference/contract-value';
import type { Accounts } from '../../accounts/types';
import type { Instrument } from '../../market/reference/types';
import { longDate } from '../document/format';
import type { MutualFundBook } from './mutual-fund-book';
import type { ReportColumn, ReportPeriod, ReportClient, ReportDocument, ReportRow, ValueKind } from '../document/types';
import type { DayClose } from '../../accounts/records';

export interface ReportSource {
  client: ReportClient;
  accounts: Accounts;
  lastPrice(instrument: Instrument, at: number): number;
  previousClose(instrument: Instrument, at: number): number;
  /** The moment the report is asked for, milliseconds. */
  at: number;
  funds: MutualFundBook;
}

/** Builds one report; undefined when the window holds nothing. */
export type ReportBuilder = (source: ReportSource, period: ReportPeriod) => ReportDocument | undefined;
/** The same of a report that may be long: it lets others have their turns. */
export type LongBuilder = (source: ReportSource, period: ReportPeriod) => Promise<ReportDocument | undefined>;

export function reportColumn(
  key: string,
  title: string,
  kind: ValueKind = 'text',
  width = kind === 'text' ? 3 : 1,
): ReportColumn {
  return { key, title, kind, width };
}

export function isWithin(date: string, { from, to }: ReportPeriod): boolean {
  return date >= from && date <= to;
}

export function rangeText({ from, to }: ReportPeriod): string {
  return from === to ? longDate(from) : `${longDate(from)} to ${longDate(to)}`;
}

/** The last close of the books on or before a date. */
export function closeOn(source: ReportSource, date: string): DayClose | undefined {
  return source.accounts.closes(source.client.clientCode).findLast((close) => close.date <= date);
}

/** The facts of an instrument; a report never fails over one that has gone. */
export function nameOf(
  source: ReportSource,
  refId: number,
): Pick<Instrument, 'displayName' | 'isin' | 'symbol' | 'exchange' | 'derivativeType' | 'expiry'> {
  return (
    source.accounts.instrument(refId) ?? {
      displayName: `ref_id ${refId}`,
      isin: '',
      symbol: `${refId}`,
      exchange: 'NSE',
      derivativeType: 'STOCK',
      expiry: 0,
    }
  );
}

/** Returns the unit of an instrument's prices. */
export function unitOf(source: ReportSource, refId: number): ContractUnit {
  return source.accounts.instrument(refId) ?? PER_SHARE;
}

/** YYYY-MM-DD of an expiry written YYYYMMDD. */
export function expiryDate(expiry: number): string | null {
  const text = String(expiry);
  return expiry === 0 ? null : `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

/** Sums of the number columns named, with a label in the first column. */
export function totalsOf(label: string, first: string, rows: readonly ReportRow[], keys: readonly string[]): ReportRow {
  const totals: ReportRow = { [first]: label };
  for (const key of keys) totals[key] = sumOf(rows, (row) => Number(row[key] ?? 0));
  return totals;
}

export function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

/** Items by a key, in the order in which the keys first appear. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const own = key(item);
    const group = groups.get(own);
    if (group) group.push(item);
    else groups.set(own, [item]);
  }
  return groups;
}
