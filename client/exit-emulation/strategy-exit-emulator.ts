/**
 * Keeps the exits of a strategy: of some positions together, by the net profit of all of them, over days and restarts. It watches the prices, and
 * closes every leg by the one closing flow once an exit is reached, those that were sold first. What it remembers is plain data.
 */
import { BrokerageError, InputError, UnknownOutcomeError } from '../base/errors';
import type { ClosingResult } from '../closing/closing-request';
import { heldQuantities } from '../closing/held';
import { positionKey } from '../closing/positions';
import type { TradedInstrument } from '../orders/model/order-terms';
import type { Positions } from '../portfolio/portfolio';
import type { MarketTick } from '../stream/market-data/market-data';
import { oncePerFrame } from '../stream/market-data/once-per-frame';
import { istDate } from '../values/time';
import { closeHeld } from './close-held';
import { isTimeReached, type ExitReason } from './held-exits';
import { expectedError, NEXT_ATTEMPT_MS, NO_ATTEMPTS, REST_UNKNOWN, type ReachedExit } from './closing-attempts';
import { READS_EVERY_MS, type UnreadEvent } from './emulation-loop';
import { PositionEmulator, type PositionEmulatorDeps } from './position-emulator';
import {
  reachedLevel,
  strategyLevels,
  type StrategyExitInput,
  type StrategyLeg,
  type StrategyLevels,
} from './strategy-exits';
import { legKey, StrategyLegs, type KnownLegs } from './strategy-legs';

/** State of the exits of a strategy. Amounts are paise. */
export interface EmulatedStrategy extends KnownLegs {
  /** Start of the exits, milliseconds on the market's clock. */
  since: number;
  /** The best net profit. */
  best?: number;
  /** An exit that was reached: it is closed until nothing is left. */
  reached?: ReachedProfit;
}

interface ReachedProfit extends ReachedExit {
  /** The net profit; null for a time at which it was not known. */
  profit: number | null;
  /** Legs that are closed, by key. */
  closed: string[];
}

/** Plain data; empty while nothing is held. */
export interface StrategyState {
  current?: EmulatedStrategy;
}

/** A strategy in an event. */
export interface StrategyView {
  /** Those that are open. */
  legs: readonly StrategyLeg[];
  levels: StrategyLevels;
  strategy: EmulatedStrategy;
  /** Undefined where it is not known now. */
  profit: number | undefined;
}

/** Events of the emulator. */
export type StrategyExitEvent =
  /** It begins to keep the exits, or they are those of more legs now. The net profit is known, unless no price was heard until the next reading. */
  | { what: 'kept'; view: StrategyView }
  | { what: 'reached'; view: StrategyView; reached: ReachedProfit }
  /** `closed` is what the last try did. */
  | { what: 'closed'; view: StrategyView; closed: readonly ClosingResult[]; reason: ExitReason }
  | { what: 'closedByHand'; view: StrategyView }
  | { what: 'failed'; view: StrategyView; error: BrokerageError; isFinal: boolean }
  | UnreadEvent;

/** Dependencies of the emulator. */
export interface StrategyExitDeps extends PositionEmulatorDeps<StrategyExitInput, StrategyExitEvent> {
  /** The instruments that are meant, of what is held now. @throws what a look-up throws */
  instruments(positions: Positions): Promise<readonly TradedInstrument[]>;
  /** Remembered by an emulator before this one; is changed as things happen. */
  state: StrategyState;
  /** @throws BrokerageError */
  positions(): Promise<Positions>;
}

const KEY = 'strategy';

/** Keeps the exits of one trigger. */
export class StrategyExitEmulator extends PositionEmulator<StrategyExitDeps> {
  private readonly legs = new StrategyLegs(this.observed, () => this.clock.now);
  private levels: StrategyLevels | undefined;
  /** True while the exits of more are kept than was told. */
  private hasUnreportedLegs = false;
  /** Error of a judgement, which ends the next look. */
  private judgementError: unknown;
  private readonly judgeFrame = oncePerFrame(
    () => this.onFrame(),
    (error) => {
      this.judgementError = error;
      this.wake();
    },
  );

  /** Returns true if an instrument is one of the legs, even if a list lacks it for a moment. */
  keeps(refId: number): boolean {
    return Object.keys(this.deps.state.current?.legs ?? {}).some((key) => key.startsWith(`${refId} `));
  }

  /** Takes a price. Those of the past are of different instants: their sum would be a profit that never was. */
  onPrice(refId: number, { lastPrice, source, at }: Pick<MarketTick, 'lastPrice' | 'source' | 'at'>): void {
    if (source === 'history') return;
    if (source === 'stream') this.clock.onPrice(at);
    if (this.legs.onPrice(refId, lastPrice)) this.judgeFrame();
  }

  /** The legs have the prices of one frame of the stream. */
  private onFrame(): void {
    const strategy = this.deps.state.current;
    if (strategy === undefined) return;
    if (strategy.reached === undefined) {
      this.judge();
      this.checkTime(strategy);
    } else if (this.attempts.isRetryDue(KEY, strategy.reached)) this.loop.retry();
  }

  /** Keeps until the signal of the context fires. */
  async run(): Promise<void> {
    await this.loop.run(
      () => this.cycle(),
      () => (this.deps.state.current?.reached === undefined ? READS_EVERY_MS : NEXT_ATTEMPT_MS),
    );
  }

  /** One look at what is held, and one try to close what has reached an exit. @throws what the read throws */
  async cycle(): Promise<void> {
    const { positions, instruments, products, context, state, notify } = this.deps;
    if (this.judgementError !== undefined) throw this.judgementError;
    const shown = await this.loop.read(positions, notify);
    const heldInstruments = heldQuantities(await instruments(shown), shown, { holdings: [] }, products);
    context.signal?.throwIfAborted();
    if (this.observed.wasJustClosed(KEY)) return;
    this.legs.setOpen(heldInstruments);
    if (state.current === undefined && heldInstruments.length === 0) return;
    state.current ??= { since: this.clock.now, legs: {} };
    const strategy = state.current;
    const closed = this.legs.findClosed(strategy, shown.positions, strategy.reached === undefined);
    if (strategy.reached === undefined) {
      const hadUnreportedLegs = this.hasUnreportedLegs;
      if (this.legs.remember(strategy, shown.positions)) this.hasUnreportedLegs = true;
      if (heldInstruments.length === 0 && Object.keys(strategy.legs).every((key) => closed.includes(key)))
        return this.end({ what: 'closedByHand', view: this.view(strategy) });
      this.takeLevels(strategy);
      this.judge();
      if (hadUnreportedLegs) this.reportKept(strategy);
      this.checkTime(strategy);
    }
    if (strategy.reached !== undefined) await this.close(strategy, strategy.reached, closed);
  }

  /** Calculates the levels; reports once if they cannot be. */
  private takeLevels(strategy: EmulatedStrategy): void {
    this.levels = undefined;
    try {
      this.levels = strategyLevels(this.deps.exits, strategy.premium);
    } catch (error) {
      this.fails(strategy, expectedError(error), false);
      return;
    }
    const { what, symbols } = this.legs.missing;
    if (symbols.length > 0)
      this.fails(
        strategy,
        new InputError(`The net profit is not known: the service has no ${what} of ${symbols.join(', ')}.`, {
          hint: 'The exits are kept again as soon as it has one.',
        }),
        false,
      );
  }

  private judge(): void {
    const strategy = this.deps.state.current;
    if (strategy === undefined || strategy.reached !== undefined || this.levels === undefined) return;
    const profit = this.legs.profit(strategy);
    if (profit === undefined) return;
    strategy.best = Math.max(strategy.best ?? profit, profit);
    this.reportKept(strategy);
    const reason = reachedLevel(this.levels, strategy.best, profit);
    if (reason === undefined) return;
    strategy.reached = { reason, profit, ...NO_ATTEMPTS, closed: [] };
    this.wake();
  }

  private checkTime(strategy: EmulatedStrategy): void {
    const { time } = this.deps.exits;
    if (strategy.reached !== undefined || time === undefined || !this.legs.isTrading()) return;
    if (!isTimeReached(time, strategy.since, this.clock.now)) return;
    strategy.reached = { reason: 'time', profit: this.legs.profit(strategy) ?? null, ...NO_ATTEMPTS, closed: [] };
    this.wake();
  }

  /** @param closedKeys keys of the legs that are closed already. */
  private async close(
    strategy: EmulatedStrategy,
    reached: ReachedProfit,
    closedKeys: readonly string[],
  ): Promise<void> {
    const { notify } = this.deps;
    const today = istDate(this.clock.now);
    if (reached.day !== today) {
      const isFirst = reached.day === '';
      Object.assign(reached, { day: today, tries: 0 });
      if (isFirst) {
        this.reportKept(strategy);
        notify({ what: 'reached', view: this.view(strategy), reached });
      }
    }
    if (!this.attempts.isDue(KEY, reached)) return;
    const open = this.legs.open.filter((leg) => !reached.closed.includes(legKey(leg)));
    const attempted = await this.attempts.attempt(async () => await this.closeLegs(strategy, reached, open));
    if (attempted === undefined) return;
    const closed = attempted.closed ?? [];
    const error = attempted.error ?? errorOf(closed);
    if (error === undefined) {
      const isOver = (key: string): boolean => closedKeys.includes(key) || reached.closed.includes(key);
      // A leg that a list lacks for a moment is closed, too, once it is shown.
      if (!Object.keys(strategy.legs).every(isOver)) return;
      this.observed.onClosed(KEY);
      const view = this.view(strategy);
      const { reason } = reached;
      return this.end(reached.hasSent ? { what: 'closed', view, closed, reason } : { what: 'closedByHand', view });
    }
    const isFinal = this.attempts.countFailure(KEY, reached);
    this.fails(strategy, error, isFinal);
  }

  /** One try. What was bought guards what was sold, so it is sold only once that is bought back. */
  private async closeLegs(
    strategy: EmulatedStrategy,
    reached: ReachedProfit,
    open: readonly StrategyLeg[],
  ): Promise<readonly ClosingResult[]> {
    const name = `exits of strategy since ${strategy.since}, ${reached.day}, ${reached.tries}`;
    const closed: ClosingResult[] = [];
    for (const isSold of [true, false]) {
      const legs = open.filter(({ held }) => held.units < 0 === isSold);
      if (legs.length === 0) continue;
      await this.deps.requireSending();
      const closings = legs.map(({ held, instrument }) => ({ held, instrument, goal: undefined }));
      const now = await closeHeld(closings, name, this.deps.context);
      closed.push(...now);
      for (const result of now) {
        if (result.orders.length > 0 || result.error instanceof UnknownOutcomeError) reached.hasSent = true;
        // A list may lack a leg that is still open: what no order has closed is closed once it is shown so.
        const isClosed = result.error === undefined && result.left === 0 && result.orders.length > 0;
        if (isClosed) reached.closed.push(positionKey(result.request.position));
      }
      if (errorOf(now) !== undefined) break;
    }
    return closed;
  }

  private end(event: StrategyExitEvent): void {
    delete this.deps.state.current;
    this.legs.clear();
    this.levels = undefined;
    this.hasUnreportedLegs = false;
    this.attempts.forget(KEY);
    this.loop.forget(KEY);
    this.deps.notify(event);
  }

  private reportKept(strategy: EmulatedStrategy): void {
    if (!this.hasUnreportedLegs) return;
    this.hasUnreportedLegs = false;
    this.deps.notify({ what: 'kept', view: this.view(strategy) });
  }

  private fails(strategy: EmulatedStrategy, error: BrokerageError, isFinal: boolean): void {
    if (this.loop.isNews(KEY, error, isFinal))
      this.deps.notify({ what: 'failed', view: this.view(strategy), error, isFinal });
  }

  private view(strategy: EmulatedStrategy): StrategyView {
    return { legs: this.legs.open, levels: this.levels ?? {}, strategy, profit: this.legs.profit(strategy) };
  }
}

/** The first error of a try; undefined where all of it is closed. */
function errorOf(closed: readonly ClosingResult[]): BrokerageError | undefined {
  const failed = closed.find(({ error, left }) => error !== undefined || left !== 0);
  return failed && (failed.error ?? REST_UNKNOWN);
}
