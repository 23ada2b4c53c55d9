/** Portfolio updates as a person reads them, under the names that the portfolio has over REST. */
import type { HoldingsResponse, PortfolioResponse, PositionsResponse } from '../../proto/generated/messages';
import type { Clock } from '../seams';
import type { Environment } from '../session/settings';
import { paiseTo, type MoneyUnit } from '../values/money';
import { toIst } from '../values/time';
import { Outbox } from './outbox';

export type PortfolioPart = 'positions' | 'holdings';

export interface PortfolioUpdate {
  part: PortfolioPart;
  content: PositionsResponse | HoldingsResponse;
}

export interface PortfolioWatchOptions {
  clock: Clock;
  parts: readonly PortfolioPart[];
  /** Milliseconds between two updates of a part at least; the newest is given out then. */
  everyMs: number;
  deliver(update: PortfolioUpdate): void;
}

/** Gives out the newest portfolio, no more often than wanted, and only when it has changed. */
export class PortfolioWatch {
  private readonly newest = new Map<PortfolioPart, PortfolioUpdate>();
  private readonly given = new Map<PortfolioPart, string>();
  private readonly outbox: Outbox<PortfolioPart>;

  constructor(private readonly options: PortfolioWatchOptions) {
    this.outbox = new Outbox(options.clock, { count: Infinity, waitMs: options.everyMs }, () => this.send());
  }

  take(portfolio: PortfolioResponse): void {
    this.note('positions', portfolio.positionResponse);
    this.note('holdings', portfolio.holdingResponse);
  }

  /** Gives out what waits. */
  close(): void {
    this.outbox.flush();
  }

  private note(part: PortfolioPart, content: PositionsResponse | HoldingsResponse | null): void {
    if (content === null || !this.options.parts.includes(part)) return;
    this.newest.set(part, { part, content });
    this.outbox.add(part);
  }

  private send(): void {
    for (const [part, update] of this.newest) {
      const text = JSON.stringify(update.content);
      if (this.given.get(part) === text) continue;
      this.given.set(part, text);
      this.options.deliver(update);
    }
    this.newest.clear();
  }
}

/** Fields that are amounts of money, in paise. */
const MONEY = new Set([
  ...['strikePrice', 'ltp', 'avgPrice', 'avgBuyPrice', 'avgSellPrice', 'pnl', 'realisedPnl', 'unrealisedPnl', 'totalPnl', 'dayPnl'],
  ...['investedAmount', 'investedValue', 'currentValue', 'netPnl', 'prevClose', 'marginBenefit'],
]);
const PREFIXES = /^(EXCHANGE|ORDER_SIDE|ORDER_DELIVERY_TYPE)_/;

export function portfolioOutput({ part, content }: PortfolioUpdate, options: { environment: Environment; unit: MoneyUnit; at: number }): Record<string, unknown> {
  return {
    event: part === 'positions' ? 'positionsUpdated' : 'holdingsUpdated',
    ...(readable(content, options.unit) as Record<string, unknown>),
    event_time_ist: toIst(options.at),
    environment: options.environment,
  };
}

function readable(value: unknown, unit: MoneyUnit): unknown {
  if (Array.isArray(value)) return value.map((one) => readable(one, unit));
  if (typeof value === 'string') return value.replace(PREFIXES, '');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      MONEY.has(name) && typeof inner === 'number' ? paiseTo(unit, inner) : readable(inner, unit),
    ]),
  );
}
