/** Portfolio updates in the user's form, under the names that the portfolio has over REST. */
import type {
  Holding,
  HoldingsResponse,
  PortfolioResponse,
  Position,
  PositionsResponse,
} from '../../../proto/generated/messages';
import type { MismatchedReplyError } from '../../base/errors';
import type { Clock } from '../../base/ports';
import type { RepliedAccount } from '../../one-account';
import type { Environment } from '../../session/settings';
import { pauseUnlessAborted } from '../../abortable';
import { withNumbers } from '../../portfolio/field-numbers';
import { convertMoney, knownTotals, unpricedFields } from '../../portfolio/portfolio';
import { asObject, type Json, type JsonObject } from '../../values/json';
import type { MoneyUnit } from '../../values/money';
import { toIst } from '../../values/time';
import { namesWith } from './filter';

export type PortfolioPart = 'positions' | 'holdings';

export interface PortfolioUpdate {
  part: PortfolioPart;
  /** Without its totals where only some instruments are wanted. */
  content: Partial<PositionsResponse> | Partial<HoldingsResponse>;
}

export interface PortfolioUpdatesOptions {
  clock: Clock;
  parts: readonly PortfolioPart[];
  /** Only these: in capitals: reference ids, symbols (with or without their exchange), underlyings or names; empty for all. */
  instruments: readonly string[];
  /** Milliseconds between two updates of a part at least; the newest is delivered then. */
  everyMs: number;
  deliver(update: PortfolioUpdate): void;
  /** The account that replies and updates are about. */
  account: RepliedAccount;
  /** Receives the error when updates of another account begin: they are left out. */
  onOther(error: MismatchedReplyError): void;
}

/** Delivers the newest portfolio at most as often as wanted, and only when it has changed. */
export class PortfolioUpdates {
  private readonly newest = new Map<PortfolioPart, PortfolioUpdate>();
  /** The last delivered content of each part, as text. */
  private readonly deliveredParts = new Map<PortfolioPart, string>();
  /** Runs from the first update that waits on. */
  private timer: AbortController | undefined;
  /** True while the last update was of another account. */
  private isOther = false;

  constructor(private readonly options: PortfolioUpdatesOptions) {}

  take(portfolio: PortfolioResponse): void {
    this.note('positions', portfolio.positionResponse);
    this.note('holdings', portfolio.holdingResponse);
  }

  /** Delivers what waits. */
  close(): void {
    this.send();
  }

  private note(part: PortfolioPart, content: PositionsResponse | HoldingsResponse | null): void {
    if (content === null || !this.options.parts.includes(part)) return;
    const { instruments, account, onOther } = this.options;
    const error = account.whyOther([content.clientCode], 'portfolio update');
    if (error !== undefined && !this.isOther) onOther(error);
    this.isOther = error !== undefined;
    if (error !== undefined) return;
    const requested = instruments.length === 0 ? content : rowsOf(content, instruments);
    // Until an instrument is there, its absence is no change.
    if (instruments.length > 0 && !this.newest.has(part) && isEmpty(requested)) return;
    this.newest.set(part, { part, content: requested });
    if (this.timer === undefined) void this.sendLater();
  }

  private async sendLater(): Promise<void> {
    this.timer = new AbortController();
    if (await pauseUnlessAborted(this.options.clock, this.options.everyMs, this.timer.signal)) this.send();
  }

  private send(): void {
    this.timer?.abort();
    this.timer = undefined;
    for (const [part, update] of this.newest) {
      const text = JSON.stringify(update.content);
      if (this.deliveredParts.get(part) === text) continue;
      this.deliveredParts.set(part, text);
      this.options.deliver(update);
    }
  }
}

/** The rows of some instruments; totals are those of the whole portfolio and left out. */
function rowsOf(
  content: PositionsResponse | HoldingsResponse,
  instruments: readonly string[],
): PortfolioUpdate['content'] {
  const isRequested = ({ refId, exchange, symbol, asset, platName, displayName }: Position | Holding): boolean =>
    [
      String(refId),
      ...namesWith(String(exchange).replace(PREFIXES, ''), [symbol, asset]),
      platName.toUpperCase(),
      displayName.toUpperCase(),
    ].some((name) => instruments.includes(name));
  const entries = Object.entries(content as object).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [[name, (value as (Position | Holding)[]).filter(isRequested)]];
    return typeof value === 'object' ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as PortfolioUpdate['content'];
}

function isEmpty(content: PortfolioUpdate['content']): boolean {
  return !Object.values(content).some((value) => Array.isArray(value) && value.length > 0);
}

const PREFIXES = /^(EXCHANGE|ORDER_SIDE|ORDER_DELIVERY_TYPE)_/;

export function portfolioOutput(
  { part, content }: PortfolioUpdate,
  options: { environment: Environment; unit: MoneyUnit; at: number },
): Record<string, unknown> {
  return {
    event: part === 'positions' ? 'positionsUpdated' : 'holdingsUpdated',
    ...priced(readable(content as Json) as JsonObject, options.unit),
    event_time_ist: toIst(options.at),
    environment: options.environment,
  };
}

/** Rows and totals with the prices that they have over REST: an invalid one is null, and so are totals that are worked out from it. */
function priced(content: JsonObject, unit: MoneyUnit): JsonObject {
  const entries = Object.entries(content).map(([name, value]): [string, JsonObject[] | Json] => [
    name,
    Array.isArray(value) ? value.map((row) => withNumbers(row as JsonObject)) : value,
  ]);
  const held = entries.flatMap(([name, value]) =>
    Array.isArray(value) && name !== CLOSED ? (value as JsonObject[]) : [],
  );
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (Array.isArray(value)) return [name, (value as JsonObject[]).map((row) => pricedRow(row, name, unit))];
      const totals = asObject(value);
      return [name, totals === undefined ? value : convertMoney(unit, knownTotals(withNumbers(totals), held))];
    }),
  );
}

const CLOSED = 'close_positions';

function pricedRow(row: JsonObject, list: string, unit: MoneyUnit): JsonObject {
  return { ...convertMoney(unit, row), ...(list === CLOSED ? {} : unpricedFields(row)) };
}

function readable(value: Json): Json {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value === 'string') return value.replace(PREFIXES, '');
  // Percentages are four-byte floats on the wire: 0.24 arrives as 0.23999999463558197.
  if (typeof value === 'number' && !Number.isInteger(value)) return Number(value.toPrecision(7));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      readable(inner),
    ]),
  );
}
