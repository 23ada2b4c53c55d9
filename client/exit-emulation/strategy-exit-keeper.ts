/**
 * Keeps the exits of a strategy: of some positions together, by the net profit of all of them, over days and restarts. It watches the prices, and
 * closes every leg by the one closing flow once an exit is reached, those that were sold first. What it remembers is plain data.
 */
import { BrokerageError, InputError, UnknownOutcomeError } from '../base/errors';
import type { ClosingResult } from '../closing/closing-request';
import { heldQuantities } from '../closing/held';
import { positionKey, recordKeyOf } from '../closing/positions';
import type { ClosingContext } from '../closing/reconcile-position';
import type { Product, TradedInstrument } from '../orders/model/order-terms';
import { LivePnl } from '../portfolio/live-pnl';
import type { Position, Positions } from '../portfolio/portfolio';
import type { MarketTick } from '../stream/market-data/market-data';
import { istDate } from '../values/time';
import { closeHeld } from './close-held';
import { isTimeReached, type ExitReason } from './held-exits';
import {
  expected,
  KeepingClock,
  KeepingLoop,
  MAX_TRIES,
  MISSING_MS,
  NEXT_TRY_MS,
  NOTHING_KNOWN,
  PRICE_WITHIN_MS,
  READS_EVERY_MS,
  SHOWN_LATE_MS,
  type HoldClock,
  type KeepingMoment,
  type UnreadEvent,
} from './keeping-loop';
import {
  earnedBefore,
  premiumOf,
  reachedLevel,
  strategyLevels,
  type StrategyExitInput,
  type StrategyLeg,
  type StrategyLevels,
} from './strategy-exits';

/** State of one leg. */
interface KnownLeg {
  /** The most units that were held, without a sign. */
  units: number;
  /** Profit of that day from before it was seen, paise: it counts for nothing. */
  before: number;
  /** YYYY-MM-DD, IST. */
  day: string;
}

/** State of the exits of a strategy. Amounts are paise. */
export interface KeptStrategy {
  /** Start of the exits, milliseconds on the market's clock. */
  since: number;
  /** By refId and product, closed ones too. */
  legs: Record<string, KnownLeg>;
  /** Net premium of its options before a leg was closed, below 0 for a credit. */
  premium?: number;
  /** The best net profit. */
  best?: number;
  /** An exit that was reached: it is closed until nothing is left. */
  reached?: ReachedLevel;
}

interface ReachedLevel {
  reason: ExitReason;
  /** The net profit; null for a time at which it was not known. */
  profit: number | null;
  /** YYYY-MM-DD, IST: of the tries. */
  day: string;
  tries: number;
  /** Legs that are closed, by key. */
  closed: string[];
  /** True if one of our closing orders is or may be with the service. */
  hasSent?: true;
}

/** Plain data; empty while nothing is held. */
export interface StrategyState {
  current?: KeptStrategy;
}

/** A strategy in an event. */
export interface StrategyView {
  /** Those that are open. */
  legs: readonly StrategyLeg[];
  levels: StrategyLevels;
  kept: KeptStrategy;
  /** Undefined where it is not known now. */
  profit: number | undefined;
}

/** Events of the keeper. */
export type StrategyExitEvent =
  /** It begins to keep the exits, or they are those of more legs now. The net profit is known, unless no price was heard until the next reading. */
  | { what: 'kept'; view: StrategyView }
  | { what: 'reached'; view: StrategyView; reached: ReachedLevel }
  /** `closed` is what the last try did. */
  | { what: 'closed'; view: StrategyView; closed: readonly ClosingResult[]; reason: ExitReason }
  | { what: 'closedByHand'; view: StrategyView }
  | { what: 'failed'; view: StrategyView; error: BrokerageError; isFinal: boolean }
  | UnreadEvent;

/** Dependencies of the keeper. */
export interface StrategyExitDeps {
  context: ClosingContext;
  exits: StrategyExitInput;
  /** The instruments that are meant, of what is held now. @throws what a look-up throws */
  instruments(positions: Positions): Promise<readonly TradedInstrument[]>;
  /** Only what is held by these; all where there is none. */
  products: readonly Product[];
  /** Remembered by a keeper before this one; is changed as things happen. */
  state: StrategyState;
  /** @throws BrokerageError */
  positions(): Promise<Positions>;
  /** @throws BrokerageError where nothing may be sent now. */
  requireSending(): Promise<void>;
  notify(event: StrategyExitEvent): void;
  /** Left out where no clock waits. */
  holdClock?: HoldClock;
}

const KEY = 'strategy';

/** Keeps the exits of one trigger. */
export class StrategyExitKeeper {
  private readonly pnl = new LivePnl();
  private readonly clock: KeepingClock;
  private readonly loop: KeepingLoop;
  /** Those that are open, as they were read last. */
  private legs: readonly StrategyLeg[] = [];
  private levels: StrategyLevels | undefined;
  /** True if the last reading told everything that the net profit consists of. */
  private isWhole = false;
  /** Time of the last price, by refId. */
  private readonly heard = new Map<number, KeepingMoment>();
  /** Time at which it was closed here. */
  private closedAt: KeepingMoment | undefined;
  private nextTry: KeepingMoment | undefined;
  /** Time since which a read has not shown a leg, by key. */
  private readonly missingSince = new Map<string, KeepingMoment>();
  /** True while the exits of more are kept than was told. */
  private isUntold = false;

  constructor(private readonly deps: StrategyExitDeps) {
    const { transport, signal } = deps.context;
    this.clock = new KeepingClock(transport);
    this.loop = new KeepingLoop(transport.clock, signal, deps.holdClock);
  }

  /** Something has changed: what is held is read at once. */
  wake(): void {
    this.loop.wake();
  }

  /** Returns true if an instrument is one of the legs, even if a list lacks it for a moment. */
  keeps(refId: number): boolean {
    return Object.keys(this.deps.state.current?.legs ?? {}).some((key) => key.startsWith(`${refId} `));
  }

  /** Takes a price. Those of the past are of different instants: their sum would be a profit that never was. */
  onPrice(refId: number, { lastPrice, source, at }: Pick<MarketTick, 'lastPrice' | 'source' | 'at'>): void {
    if (source === 'history') return;
    if (source === 'stream') this.clock.heard(at);
    this.pnl.price(refId, lastPrice);
    this.heard.set(refId, this.clock.moment());
    if (!this.legs.some(({ instrument }) => instrument.refId === refId)) return;
    const kept = this.deps.state.current;
    if (kept === undefined) return;
    if (kept.reached === undefined) {
      this.judge();
      this.checkTime(kept);
    } else if (this.isRetryDue(kept.reached)) this.loop.retry();
  }

  private isRetryDue({ tries }: ReachedLevel): boolean {
    return tries < MAX_TRIES && this.nextTry !== undefined && this.clock.since(this.nextTry) >= 0;
  }

  /** Keeps until the signal of the context fires. */
  async run(): Promise<void> {
    await this.loop.run(
      () => this.cycle(),
      () => (this.deps.state.current?.reached === undefined ? READS_EVERY_MS : NEXT_TRY_MS),
    );
  }

  /** One look at what is held, and one try to close what has reached an exit. @throws what the read throws */
  async cycle(): Promise<void> {
    const { positions, instruments, products, context, state, notify } = this.deps;
    const shown = await this.loop.read(positions, notify);
    const found = heldQuantities(await instruments(shown), shown, { holdings: [] }, products);
    context.signal?.throwIfAborted();
    if (this.closedAt !== undefined && this.clock.since(this.closedAt) < SHOWN_LATE_MS) return;
    this.legs = found;
    if (state.current === undefined && found.length === 0) return;
    state.current ??= { since: this.clock.now, legs: {} };
    const kept = state.current;
    const gone = this.takeGone(kept, shown.positions);
    if (kept.reached === undefined) {
      const wasUntold = this.isUntold;
      if (this.takeLegs(kept, shown.positions)) this.isUntold = true;
      if (found.length === 0 && Object.keys(kept.legs).every((key) => gone.includes(key)))
        return this.end({ what: 'closedByHand', view: this.view(kept) });
      this.takeLevels(kept);
      this.judge();
      if (wasUntold) this.tellKept(kept);
      this.checkTime(kept);
    }
    if (kept.reached !== undefined) await this.close(kept, kept.reached, gone);
  }

  /**
   * Finds legs that are not open any more. The service lists those that were closed today: one that a list lacks is still open as far as is
   * known, and the net profit is not known without it. It counts no more on another day, or if the instrument is held by another product.
   * @returns their keys.
   */
  private takeGone(kept: KeptStrategy, records: readonly Position[]): string[] {
    const listed = new Set(records.map(recordKeyOf));
    const open = new Set(this.legs.map(legKey));
    this.isWhole = true;
    const gone: string[] = [];
    for (const key of Object.keys(kept.legs)) {
      if (open.has(key) || listed.has(key)) {
        this.missingSince.delete(key);
        if (!open.has(key)) gone.push(key);
        continue;
      }
      const since = this.missingSince.get(key) ?? this.clock.moment();
      this.missingSince.set(key, since);
      const isConverted = this.legs.some(({ held: { position } }) => key.startsWith(`${position.refId} `));
      const mayBeOpen = kept.legs[key]!.day === istDate(this.clock.now) && !isConverted;
      if (mayBeOpen || this.clock.since(since) < MISSING_MS) {
        this.isWhole = false;
        continue;
      }
      gone.push(key);
      // The last one stays until the strategy has ended.
      if (kept.reached === undefined && Object.keys(kept.legs).length > 1) {
        delete kept.legs[key];
        this.missingSince.delete(key);
      }
    }
    return gone;
  }

  /** Notes the legs and what they show. @returns whether there are more of them, or more in them */
  private takeLegs(kept: KeptStrategy, records: readonly Position[]): boolean {
    const today = istDate(this.clock.now);
    let hasGrown = false;
    for (const leg of this.legs) {
      const key = legKey(leg);
      const known = kept.legs[key];
      const units = Math.abs(leg.held.units);
      if (known?.day !== today) {
        const before = earnedBefore(records.filter((record) => recordKeyOf(record) === key));
        if (before === undefined) {
          this.isWhole = false;
          continue;
        }
        kept.legs[key] = { units: known?.units ?? 0, before, day: today };
      }
      const now = kept.legs[key]!;
      hasGrown ||= units > now.units;
      now.units = Math.max(now.units, units);
    }
    const own = records.filter((record) => recordKeyOf(record) in kept.legs);
    if (own.some(({ pnl }) => typeof pnl !== 'number')) this.isWhole = false;
    this.pnl.read({ client_code: '', stats: {}, positions: own });
    const areAllThere = Object.entries(kept.legs).every(([key, { units }]) =>
      this.legs.some((leg) => legKey(leg) === key && Math.abs(leg.held.units) >= units),
    );
    const premium = areAllThere && this.isWhole ? premiumOf(this.legs) : undefined;
    if (premium !== undefined) kept.premium = premium;
    return hasGrown;
  }

  /** Calculates the levels; reports once if they cannot be. */
  private takeLevels(kept: KeptStrategy): void {
    this.levels = undefined;
    try {
      this.levels = strategyLevels(this.deps.exits, kept.premium);
    } catch (error) {
      this.fails(kept, expected(error), false);
      return;
    }
    const { unpriced } = this.pnl;
    if (unpriced.length > 0)
      this.fails(
        kept,
        new InputError(`No net profit is worked out, as the service has no last price of ${unpriced.join(', ')}.`, {
          hint: 'The exits are kept again as soon as it has one.',
        }),
        false,
      );
  }

  /**
   * Returns the net profit; undefined if it is not known. A list may show old prices: beside a new price of another leg they would sum up
   * to a profit that never was.
   */
  private profitOf({ legs }: KeptStrategy): number | undefined {
    const isHeard = this.legs.every(({ instrument }) => this.heard.has(instrument.refId));
    const all = this.isWhole && isHeard ? this.pnl.all : undefined;
    if (all === undefined) return undefined;
    const today = istDate(this.clock.now);
    return Object.values(legs).reduce((sum, { before, day }) => (day === today ? sum - before : sum), all);
  }

  private judge(): void {
    const kept = this.deps.state.current;
    if (kept === undefined || kept.reached !== undefined || this.levels === undefined) return;
    const profit = this.profitOf(kept);
    if (profit === undefined) return;
    kept.best = Math.max(kept.best ?? profit, profit);
    this.tellKept(kept);
    const reason = reachedLevel(this.levels, kept.best, profit);
    if (reason === undefined) return;
    kept.reached = { reason, profit, day: '', tries: 0, closed: [] };
    this.wake();
  }

  private checkTime(kept: KeptStrategy): void {
    const { time } = this.deps.exits;
    const isTraded = this.legs.some(({ instrument: { refId } }) => {
      const heard = this.heard.get(refId);
      return heard !== undefined && this.clock.since(heard) < PRICE_WITHIN_MS;
    });
    if (
      kept.reached !== undefined ||
      time === undefined ||
      !isTraded ||
      !isTimeReached(time, kept.since, this.clock.now)
    )
      return;
    kept.reached = { reason: 'time', profit: this.profitOf(kept) ?? null, day: '', tries: 0, closed: [] };
    this.wake();
  }

  /** @param gone keys of the legs that are closed already. */
  private async close(kept: KeptStrategy, reached: ReachedLevel, gone: readonly string[]): Promise<void> {
    const { context, notify } = this.deps;
    const today = istDate(this.clock.now);
    if (reached.day !== today) {
      const isFirst = reached.day === '';
      Object.assign(reached, { day: today, tries: 0 });
      if (isFirst) {
        this.tellKept(kept);
        notify({ what: 'reached', view: this.view(kept), reached });
      }
    }
    if (reached.tries >= MAX_TRIES || (this.nextTry !== undefined && this.clock.since(this.nextTry) < 0)) return;
    const open = this.legs.filter((leg) => !reached.closed.includes(legKey(leg)));
    const [tried] = await Promise.allSettled([this.closeLegs(kept, reached, open)]);
    if (context.signal?.aborted) return;
    if (tried.status === 'rejected' && !(tried.reason instanceof BrokerageError)) throw tried.reason;
    const closed = tried.status === 'fulfilled' ? tried.value : [];
    const error = tried.status === 'rejected' ? (tried.reason as BrokerageError) : errorOf(closed);
    if (error === undefined) {
      const isOver = (key: string): boolean => gone.includes(key) || reached.closed.includes(key);
      // A leg that a list lacks for a moment is closed, too, once it is shown.
      if (!Object.keys(kept.legs).every(isOver)) return;
      this.closedAt = this.clock.moment();
      const view = this.view(kept);
      const { reason } = reached;
      return this.end(reached.hasSent ? { what: 'closed', view, closed, reason } : { what: 'closedByHand', view });
    }
    reached.tries += 1;
    this.nextTry = this.clock.moment(NEXT_TRY_MS * reached.tries);
    this.fails(kept, error, reached.tries >= MAX_TRIES);
  }

  /** One try. What was bought guards what was sold, so it is sold only once that is bought back. */
  private async closeLegs(
    kept: KeptStrategy,
    reached: ReachedLevel,
    open: readonly StrategyLeg[],
  ): Promise<readonly ClosingResult[]> {
    const name = `exits of strategy since ${kept.since}, ${reached.day}, ${reached.tries}`;
    const closed: ClosingResult[] = [];
    for (const isSold of [true, false]) {
      const legs = open.filter(({ held }) => held.units < 0 === isSold);
      if (legs.length === 0) continue;
      await this.deps.requireSending();
      const closings = legs.map(({ held, instrument }) => ({ held, instrument, goal: undefined }));
      const now = await closeHeld(closings, name, this.deps.context);
      closed.push(...now);
      for (const one of now) {
        if (one.orders.length > 0 || one.error instanceof UnknownOutcomeError) reached.hasSent = true;
        // A list may lack a leg that is still open: what no order has closed is closed once it is shown so.
        const isClosed = one.error === undefined && one.left === 0 && one.orders.length > 0;
        if (isClosed) reached.closed.push(positionKey(one.request.position));
      }
      if (errorOf(now) !== undefined) break;
    }
    return closed;
  }

  private end(event: StrategyExitEvent): void {
    delete this.deps.state.current;
    this.legs = [];
    this.levels = undefined;
    this.nextTry = undefined;
    this.isUntold = false;
    this.missingSince.clear();
    this.loop.forget(KEY);
    this.deps.notify(event);
  }

  private tellKept(kept: KeptStrategy): void {
    if (!this.isUntold) return;
    this.isUntold = false;
    this.deps.notify({ what: 'kept', view: this.view(kept) });
  }

  private fails(kept: KeptStrategy, error: BrokerageError, isFinal: boolean): void {
    if (this.loop.isNews(KEY, error, isFinal))
      this.deps.notify({ what: 'failed', view: this.view(kept), error, isFinal });
  }

  private view(kept: KeptStrategy): StrategyView {
    return { legs: this.legs, levels: this.levels ?? {}, kept, profit: this.profitOf(kept) };
  }
}

const legKey = ({ held: { position } }: StrategyLeg): string => positionKey(position);

/** The first error of a try; undefined where all of it is closed. */
function errorOf(closed: readonly ClosingResult[]): BrokerageError | undefined {
  const failed = closed.find(({ error, left }) => error !== undefined || left !== 0);
  return failed && (failed.error ?? NOTHING_KNOWN);
}
