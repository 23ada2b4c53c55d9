/**
 * Company figures (docs/service/market-data.md#company-figures): ratios, statements, holders, corporate actions. Amounts of statements come
 * in paise and are returned in the user's unit; every other figure is returned unchanged, since its unit is unknown.
 */
import { attempt } from '../attempt';
import { InputError, ServiceError, UnreadableReplyError } from '../base/errors';
import { endpoints } from '../endpoints';
import type { CorporateActionFields, FigureTableFields, FundamentalsType, StatementName } from '../endpoints/companies';
import type { Instrument } from '../instruments/instrument';
import type { Transport } from '../transport';
import { asObject, type Json } from '../values/json';
import {
  decimalFrom,
  numberIn,
  recordAt,
  recordOf,
  recordsAt,
  recordsIn,
  textFrom,
  textIn,
  withoutRepeats,
  type WireRecord,
} from '../values/record';

/** Units of amounts, by the paise that one holds. */
export const AMOUNT_UNITS = { crore: 1_000_000_000, lakh: 10_000_000, rupees: 100 } as const;
export type AmountUnit = keyof typeof AMOUNT_UNITS;

/** Figures by the service's own names. */
export type CompanyFigures = Record<string, number | string | null>;

/** The company whose figures are requested. */
export interface CompanyRequest {
  company: Pick<Instrument, 'symbol' | 'exchange' | 'kind'>;
  signal?: AbortSignal;
}

/** A figure of one period: its own value, and its parts. */
export interface PeriodFigures {
  /** The service's name of the period: "202603", "2026Q1". */
  period: string;
  /** YYYY-MM-DD, the last day; null if the name has another form. */
  periodEnd: string | null;
  values: Record<string, number | null>;
  /** Parts by the label of the figure, then by that of the part. */
  parts: Record<string, Record<string, number | null>>;
}

/** Requires a share. @throws InputError for anything else, before a request is sent */
function requireShare({ symbol, exchange, kind }: CompanyRequest['company']): { symbol: string; exchange: string } {
  if (kind !== 'STOCK' || exchange === 'MCX')
    throw new InputError(`${symbol} (${exchange}) is not a share. Only companies have these figures.`, {
      parameter: 'instrument',
      hint: 'Choose the share of a company on NSE or BSE.',
    });
  return { symbol, exchange };
}

/**
 * Returns key ratios and today's holders of a company.
 * @throws InputError for anything but a share; UnreadableReplyError if the reply holds none; otherwise as `Transport.call`.
 */
export async function getKeyRatios(
  transport: Transport,
  { company, signal, basis }: CompanyRequest & { basis: FundamentalsType },
) {
  const query = { ...requireShare(company), fundamentals_type: basis };
  const reply = recordOf(await transport.call(endpoints.companyFundamentals, { query, signal }), 'the reply');
  const ratios = recordAt(recordAt(reply, 'result'), 'keyratios_shareholding');
  return {
    fincode: numberIn(ratios, 'fincode'),
    ratios: figuresOf(ratios.key_ratios),
    holders: figuresOf(ratios.shareholding_keys),
    indicators: figuresOf(ratios.technical_indicators),
  };
}

/**
 * Returns a statement of a company, one entry a period, latest first.
 * @throws as `getKeyRatios`; ServiceError with this reason if the service knows the company and not this request.
 */
export async function getStatement(
  transport: Transport,
  {
    company,
    signal,
    basis,
    statement,
    isQuarterly,
    periods,
    unit,
  }: CompanyRequest & {
    basis: FundamentalsType;
    statement: StatementName;
    isQuarterly: boolean;
    periods: number;
    unit: AmountUnit;
  },
): Promise<PeriodFigures[]> {
  const query = {
    ...requireShare(company),
    fundamentals_type: basis,
    result_type: isQuarterly ? ('QUARTERLY' as const) : ('ANNUAL' as const),
    limit: periods,
  };
  const pendingReply = transport.call(endpoints.companyStatement, { path: { statement }, query, signal });
  const reply = recordOf(await named(transport, pendingReply, { company, signal }), 'the reply');
  return periodsOf(recordAt(recordAt(reply, 'result'), statement), AMOUNT_UNITS[unit]).slice(0, periods);
}

/** Holders of a company, one entry a quarter, latest first; percent. @throws as `getStatement` */
export async function getShareholding(
  transport: Transport,
  { company, signal, periods }: CompanyRequest & { periods: number },
): Promise<PeriodFigures[]> {
  const { fincode } = await getKeyRatios(transport, { company, signal, basis: 'CONSOLIDATED' });
  if (fincode === null)
    throw new UnreadableReplyError(
      `The service does not tell the company number (fincode) of ${company.symbol}, which it needs to find the shareholders.`,
      { hint: 'Use Get Key Ratios, which tells the holders of today.' },
    );
  const pendingReply = transport.call(endpoints.shareholdingPattern, { query: { fincode, limit: periods }, signal });
  const reply = recordOf(await named(transport, pendingReply, { company, signal }), 'the reply');
  return periodsOf(recordAt(recordAt(reply, 'result'), 'shareholding_pattern'), 1).slice(0, periods);
}

/** Corporate actions and meetings of a company, in the service's order. @throws as `getStatement` */
export async function getCorporateActions(transport: Transport, { company, signal }: CompanyRequest) {
  const pendingReply = transport.call(endpoints.corporateActions, { query: requireShare(company), signal });
  const reply = recordOf(await named(transport, pendingReply, { company, signal }), 'the reply');
  const result = recordAt(reply, 'result');
  if (result.corporate_actions === undefined)
    throw new UnreadableReplyError("The service's answer holds no list of corporate actions.", {
      hint: 'Nothing of it was used. Try again later.',
    });
  return withoutRepeats(recordsAt(result, 'corporate_actions')).map(actionOf);
}

/** A corporate action under the names of the output. */
export type CompanyAction = ReturnType<typeof actionOf>;

type ActionField = keyof CorporateActionFields & string;

/** @throws UnreadableReplyError: what cannot be read is not missing */
function unreadableAction(key: ActionField, value: Json | undefined): UnreadableReplyError {
  return new UnreadableReplyError(
    `A corporate action cannot be read: its ${key} is ${JSON.stringify(value ?? null).slice(0, 40)}.`,
    { hint: 'Nothing of the answer was used. If it stays, the service may have changed.' },
  );
}

/** Values of a flag, in small letters. A missing one is not set. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['false', false],
  ['0', false],
  ['true', true],
  ['1', true],
]);

/** A corporate action with the names of the output. @throws UnreadableReplyError for a value of another type, and without name and type */
function actionOf(action: WireRecord<CorporateActionFields>) {
  const given = (key: ActionField): string | number | boolean | null => {
    const value = action[key] ?? null;
    if (typeof value === 'object' && value !== null) throw unreadableAction(key, value);
    return value;
  };
  const text = (key: ActionField): string | null => textFrom(given(key)) || null;
  const number = (key: ActionField): number | null => {
    const value = given(key);
    if (value === null || value === '') return null;
    const read = decimalFrom(value);
    if (read === null || read < 0) throw unreadableAction(key, value);
    return read;
  };
  const upcoming = FLAGS.get(String(given('upcoming_event') ?? '').toLowerCase());
  if (upcoming === undefined) throw unreadableAction('upcoming_event', action.upcoming_event);
  if (text('corp_action_name') === null && text('action_type') === null)
    throw unreadableAction('corp_action_name', action.corp_action_name);
  return {
    name: text('corp_action_name'),
    type: text('action_type'),
    upcoming,
    record_date: text('record_date'),
    execution_date: text('execution_date'),
    ratio1: number('ratio1'),
    ratio2: number('ratio2'),
    dividend_type: text('dividend_type'),
    amount: number('amount'),
  };
}

/**
 * Returns the answer of a path that is known by name only. A 404 can mean the company or the request: the key ratios, whose path is known
 * to work, show which.
 * @throws ServiceError
 */
async function named<T>(
  transport: Transport,
  pendingReply: Promise<T>,
  { company, signal }: CompanyRequest,
): Promise<T> {
  const outcome = await attempt(pendingReply);
  if (outcome.ok) return outcome.value;
  const error: unknown = outcome.error;
  if (!(error instanceof ServiceError) || error.status !== 404) throw error;
  await getKeyRatios(transport, { company, signal, basis: 'CONSOLIDATED' });
  throw new ServiceError(
    `The service knows ${company.symbol}, but does not offer this operation (status 404 ${error.serviceText}).`.replace(
      ' )',
      ')',
    ),
    {
      status: error.status,
      serviceText: error.serviceText,
      isOwnForm: error.isOwnForm,
      hint: 'On the live service only Get Key Ratios is known to work. Use Get Key Ratios, or the sandbox.',
      cause: error,
    },
  );
}

/** Returns the plain figures of an object: numbers, texts and null; nested ones are left out. */
function figuresOf(value: Json | undefined): CompanyFigures {
  const entries = Object.entries(asObject(value ?? null) ?? {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number | string | null] =>
      entry[1] === null ? true : ['number', 'string'].includes(typeof entry[1]),
    ),
  );
}

/** Returns the periods of a table, in the order of its dates. @param divisor of amounts */
function periodsOf(table: WireRecord<FigureTableFields>, divisor: number): PeriodFigures[] {
  const rows = recordsAt(table, 'data').map((row, index) => ({
    label: textIn(row, 'label') || `Row ${index + 1}`,
    divisor: row.is_key_ratio === true ? 1 : divisor,
    values: recordsIn(row, 'values'),
  }));
  const dates = Array.isArray(table.dates) ? table.dates.map(textFrom).filter((date) => date !== '') : [];
  return [...new Set(dates)].map((period) => {
    const values: [string, number | null][] = [];
    const parts: [string, Record<string, number | null>][] = [];
    const seen = new Map<string, number>();
    for (const { label, divisor: by, values: cells } of rows) {
      const cell = cells.find((value) => textIn(value, 'date') === period);
      if (cell === undefined) continue;
      const name = unique(seen, label);
      values.push([name, amountIn(cell.value, by)]);
      const children = [...recordsIn(cell, 'children'), ...recordsIn(cell, 'shareholding_children')];
      const names = new Map<string, number>();
      if (children.length > 0)
        parts.push([
          name,
          Object.fromEntries(
            children.map((child) => [unique(names, textIn(child, 'label') || 'Part'), amountIn(child.value, by)]),
          ),
        ]);
    }
    return {
      period,
      periodEnd: lastDayOf(period),
      values: Object.fromEntries(values),
      parts: Object.fromEntries(parts),
    };
  });
}

/** Returns a label unchanged the first time; the second time as "Total (2)". */
function unique(seen: Map<string, number>, label: string): string {
  const count = (seen.get(label) ?? 0) + 1;
  seen.set(label, count);
  return count === 1 ? label : `${label} (${count})`;
}

/** Returns an amount in units of `divisor` paise. One beyond 2^53 comes as digits, and loses its part below a rupee. */
function amountIn(value: Json | undefined, divisor: number): number | null {
  if (typeof value === 'number' && Number.isFinite(value)) return value / divisor;
  return typeof value === 'string' && /^-?\d{16,24}$/.test(value) ? Number(value) / divisor : null;
}

/** The last day of YYYYMM; null for any other form. */
function lastDayOf(period: string): string | null {
  const match = /^(\d{4})(0[1-9]|1[0-2])$/.exec(period);
  if (match === null) return null;
  const [, year, month] = match;
  return new Date(Date.UTC(Number(year), Number(month), 0)).toISOString().slice(0, 10);
}
