/**
 * Keeps the exits of held quantities, in some instruments or in all, wherever they were bought, over days and restarts. It watches the
 * price, and closes position and holding together by the one closing flow once an exit is reached. Its state is plain data that outlives a
 * restart.
 */
import { attempt } from '../attempt';
import { UnknownOutcomeError, type BrokerageError } from '../base/errors';
import type { ClosingResult } from '../closing/closing-request';
import { heldPositions, positionKey, unclearNet } from '../closing/positions';
import { notReconciled } from '../closing/reconcile-position';
import { whyListIsWrong } from '../closing/shown-positions';
import { whyPositionUnclear } from '../closing/traded-quantity';
import { heldQuantities, type HeldQuantity } from '../closing/held';
import type { TradedInstrument } from '../orders/model/order-terms';
import type { Holdings, Positions } from '../portfolio/portfolio';
import { readStoredTime, type JudgedValue } from '../stream/market-data/instrument-alerts';
import { istDate } from '../values/time';
import { closeHeld, goalOf } from './close-held';
import { expectedError, NEXT_ATTEMPT_MS, NO_ATTEMPTS, REST_UNKNOWN, type ReachedExit } from './closing-attempts';
import { READS_EVERY_MS, type UnreadEvent } from './emulation-loop';
import {
  betterPrice,
  heldExitLevels,
  isTimeReached,
  takeHeldPrice,
  type ExitReason,
  type HeldExitInput,
  type HeldExitLevels,
  type HeldPrices,
} from './held-exits';
import {
  canBeRepriced,
  goesOn,
  lastOfDay,
  repricedError,
  repricingOf,
  type LastOfDay,
  type Repricing,
} from './repricing';
import { PositionEmulator, type PositionEmulatorDeps } from './position-emulator';

/** State of the exits of one instrument and product. */
export interface HeldExitState {
  /** Start of the exits, milliseconds on the market's clock. */
  since: number;
  direction: 1 | -1;
  /** Undefined before the first price. */
  prices?: HeldPrices;
  /** An exit that was reached: it is closed until nothing is left. */
  reached?: ReachedPrice;
  /** The newest price of a day, by which a corporate action is seen on the next. */
  last?: LastOfDay;
  /** A corporate action after which exits by price wait. */
  repriced?: Repricing;
}

interface ReachedPrice extends ReachedExit {
  /** Paise; null for a time. */
  price: number | null;
  /** Units to hold in the end if a holding is closed with the position; fixed at the first try of the day. */
  goal?: number;
}

/** States by refId and product; plain data. */
export type HeldExitStates = Record<string, HeldExitState>;

/** A held quantity with exits. */
export interface EmulatedPosition {
  instrument: TradedInstrument;
  held: HeldQuantity;
  levels: HeldExitLevels;
  state: HeldExitState;
}

/** Events of the emulator. */
export type HeldExitEvent =
  | { what: 'kept'; position: EmulatedPosition }
  | { what: 'reached'; position: EmulatedPosition; reached: ReachedPrice }
  | { what: 'closed'; position: EmulatedPosition; closed: ClosingResult; reason: ExitReason }
  | { what: 'closedByHand'; position: EmulatedPosition }
  | { what: 'failed'; position: EmulatedPosition; error: BrokerageError; isFinal: boolean }
  /** The portfolio cannot be read. */
  | UnreadEvent;

/** Positions and holdings that the service shows. */
export interface Portfolio {
  positions: Positions;
  holdings: Holdings;
}

/** Dependencies of the emulator. */
export interface HeldExitDeps extends PositionEmulatorDeps<HeldExitInput, HeldExitEvent> {
  /** Returns the selected instruments among those held now, without unknown ones. @throws any error of a look-up */
  instruments(held: Portfolio): Promise<readonly TradedInstrument[]>;
  /** Remembered by an emulator before this one; is changed as things happen. */
  states: HeldExitStates;
  /** @throws BrokerageError */
  portfolio(): Promise<Portfolio>;
  /** Returns the best price for the owner since an instant, paise; null if there is none. @throws BrokerageError */
  bestSince(instrument: TradedInstrument, direction: 1 | -1, since: number): Promise<number | null>;
}

/** Keeps the exits of one trigger. */
export class HeldExitEmulator extends PositionEmulator<HeldExitDeps> {
  private readonly positions = new Map<string, EmulatedPosition>();
  /** Keys whose earlier prices, from before this process, are known. */
  private readonly resumed = new Set<string>();

  /** Returns true if exits of an instrument are kept, even if a list lacks it for a moment. */
  keeps(refId: number): boolean {
    return [...this.positions.values()].some(({ instrument }) => instrument.refId === refId);
  }

  /** Takes a price of an instrument. */
  onPrice(refId: number, tick: JudgedValue): void {
    if (tick.source === 'stream') this.clock.onPrice(tick.at);
    if (tick.source !== 'history') this.observed.onPrice(refId);
    for (const [key, position] of this.positions) {
      const { instrument, levels, state } = position;
      if (instrument.refId !== refId) continue;
      this.takeRepricing(position, tick);
      state.prices ??= { best: tick.lastPrice, at: 0, requestedAt: 0 };
      const reason = state.repriced === undefined ? takeHeldPrice(levels, state.prices, tick) : undefined;
      if (state.reached !== undefined) {
        if (this.attempts.isRetryDue(key, state.reached)) this.loop.retry();
        continue;
      }
      if (reason !== undefined) state.reached = { reason, price: tick.lastPrice, ...NO_ATTEMPTS };
      else if (tick.source !== 'history') this.checkTime(position);
      if (state.reached !== undefined) this.wake();
    }
  }

  /** Sees by a price that the share has had a corporate action: exits that cannot go on wait, the best price begins again. */
  private takeRepricing(position: EmulatedPosition, tick: JudgedValue): void {
    const { instrument, held, state } = position;
    if (!canBeRepriced(instrument)) return;
    const repriced = repricingOf(state.last, tick);
    state.last = lastOfDay(state.last, tick, held.price);
    if (repriced === undefined) return;
    state.repriced = repriced;
    this.goOnAfterRepricing(position);
    if (state.repriced !== undefined) this.fails(position, repricedError(instrument.symbol, repriced), false);
  }

  private goOnAfterRepricing({ held, state }: EmulatedPosition): void {
    if (state.repriced === undefined || !goesOn(this.deps.exits, state.repriced, held.price)) return;
    delete state.repriced;
    delete state.prices;
    state.since = this.clock.now;
  }

  /** Keeps until the signal of the context fires. */
  async run(): Promise<void> {
    const isClosing = (): boolean => [...this.positions.values()].some(({ state }) => state.reached !== undefined);
    await this.loop.run(
      () => this.cycle(),
      () => (isClosing() ? NEXT_ATTEMPT_MS : READS_EVERY_MS),
    );
  }

  /** Reads the portfolio once, and tries once to close each quantity that has reached an exit. @throws any error of the read */
  async cycle(): Promise<void> {
    const { portfolio, instruments, products, context, notify } = this.deps;
    const shown = await this.loop.read(portfolio, notify);
    const heldInstruments = heldQuantities(await instruments(shown), shown.positions, shown.holdings, products);
    const { transport, scope, shown: shownPositions } = context;
    shownPositions.note(scope, shown.positions.positions, transport.marketClock.now());
    await this.endOthers(
      heldInstruments.map(({ held }) => held),
      shown,
    );
    for (const { instrument, held } of heldInstruments) {
      context.signal?.throwIfAborted();
      await this.keep(instrument, held);
    }
  }

  /**
   * Ends the exits of positions that were closed elsewhere: at once if a position has changed its direction, after a while if it is
   * missing. One that the list lacks without a reason is not closed: its exits go on when it is shown again.
   */
  private async endOthers(found: readonly HeldQuantity[], shown: Portfolio): Promise<void> {
    for (const [key, { direction }] of Object.entries(this.deps.states)) {
      const held = found.find(({ position }) => positionKey(position) === key);
      if (held !== undefined) this.observed.onListed(key);
      if (held !== undefined && Math.sign(held.units) === direction) continue;
      if (held === undefined && !this.observed.isMissing(key)) continue;
      const emulatedPosition = this.positions.get(key);
      if (held === undefined && emulatedPosition !== undefined) {
        const lacked = await this.whyLacked(emulatedPosition, shown);
        if (lacked !== undefined) {
          this.fails(emulatedPosition, lacked, false);
          continue;
        }
      }
      this.forget(key);
      // What was closed while nothing was kept, nobody has seen.
      if (emulatedPosition !== undefined) this.deps.notify({ what: 'closedByHand', position: emulatedPosition });
    }
  }

  /** @throws any error of reading the orders of the day */
  private async whyLacked(
    { held: { position } }: EmulatedPosition,
    shown: Portfolio,
  ): Promise<BrokerageError | undefined> {
    const { context } = this.deps;
    const [orders, baskets] = await Promise.all([
      context.orders.list(context.signal, 'marked'),
      context.baskets.list(context.signal, 'marked'),
    ]);
    const listed = heldPositions(shown.positions.positions).find((one) => positionKey(one) === positionKey(position));
    const why =
      (listed === undefined ? undefined : unclearNet(listed)) ??
      whyPositionUnclear(orders, position, baskets) ??
      whyListIsWrong(position, { orders, baskets, positions: shown.positions.positions }, context);
    return why === undefined ? undefined : notReconciled(position, why, 'Its exits are kept until it is shown again.');
  }

  private forget(key: string): void {
    this.positions.delete(key);
    delete this.deps.states[key];
    this.loop.forget(key);
    this.resumed.delete(key);
    this.attempts.forget(key);
    this.observed.onListed(key);
  }

  private async keep(instrument: TradedInstrument, held: HeldQuantity): Promise<void> {
    const key = positionKey(held.position);
    if (this.observed.wasJustClosed(key)) return;
    const direction = held.units > 0 ? 1 : -1;
    const before = this.deps.states[key];
    if (before?.prices !== undefined) readStoredTime(before.prices);
    const state: HeldExitState = before?.direction === direction ? before : { since: this.clock.now, direction };
    // What has reached an exit is closed, whatever its price is now.
    const levels = this.levelsOf(instrument, held, state) ?? (state.reached && { direction });
    if (levels === undefined) return;
    const position: EmulatedPosition = { instrument, held, levels, state };
    const isNew = state !== before;
    this.deps.states[key] = state;
    this.positions.set(key, position);
    this.goOnAfterRepricing(position);
    if (isNew) this.deps.notify({ what: 'kept', position });
    if (isNew || this.resumed.has(key) || (await this.resume(position))) this.resumed.add(key);
    this.checkTime(position);
    if (state.reached !== undefined) await this.close(key, position, state.reached);
  }

  /** Returns the levels; undefined if they cannot be calculated, which is reported once. */
  private levelsOf(instrument: TradedInstrument, held: HeldQuantity, state: HeldExitState): HeldExitLevels | undefined {
    const { tickSize } = instrument;
    try {
      return heldExitLevels(this.deps.exits, { entry: held.price, direction: state.direction, tickSize });
    } catch (error) {
      this.fails({ instrument, held, levels: { direction: state.direction }, state }, expectedError(error), false);
      return undefined;
    }
  }

  /**
   * Applies the prices from before this process: the trailing stop follows their best.
   * @returns true if they are known; reports the error of a failed read.
   */
  private async resume(position: EmulatedPosition): Promise<boolean> {
    const { instrument, levels, state } = position;
    if (levels.trail === undefined) return true;
    const bestPrice = await attempt(this.deps.bestSince(instrument, state.direction, state.since));
    if (!bestPrice.ok) {
      if (!this.deps.context.signal?.aborted) this.fails(position, expectedError(bestPrice.error), false);
      return false;
    }
    const best = bestPrice.value;
    if (best === null) return true;
    state.prices ??= { best, at: 0, requestedAt: 0 };
    state.prices.best = betterPrice(levels, state.prices.best, best);
    return true;
  }

  private checkTime({ instrument, state }: EmulatedPosition): void {
    const { time } = this.deps.exits;
    if (state.reached !== undefined || time === undefined || !this.observed.isTrading(instrument.refId)) return;
    if (isTimeReached(time, state.since, this.clock.now))
      state.reached = { reason: 'time', price: null, ...NO_ATTEMPTS };
  }

  private async close(key: string, position: EmulatedPosition, reached: ReachedPrice): Promise<void> {
    const { instrument, held, state } = position;
    const { context, requireSending, notify } = this.deps;
    const today = istDate(this.clock.now);
    if (reached.day !== today) {
      const isFirst = reached.day === '';
      const goal = goalOf(held)?.units;
      Object.assign(reached, { day: today, tries: 0, goal });
      if (isFirst) notify({ what: 'reached', position, reached });
    }
    if (!this.attempts.isDue(key, reached)) return;
    const goal = reached.goal === undefined ? undefined : { units: reached.goal, countsOpen: false };
    const name = `exits of ${key} since ${state.since}, ${today}, ${reached.tries}`;
    const attempted = await this.attempts.attempt(async () => {
      await requireSending();
      return (await closeHeld([{ held, goal, instrument }], name, context))[0]!;
    });
    if (attempted === undefined) return;
    const { closed } = attempted;
    const error = attempted.error ?? attempted.closed.error;
    if ((closed !== undefined && closed.orders.length > 0) || error instanceof UnknownOutcomeError)
      reached.hasSent = true;
    if (closed !== undefined && error === undefined && closed.left === 0) {
      this.forget(key);
      this.observed.onClosed(key);
      if (reached.hasSent) notify({ what: 'closed', position, closed, reason: reached.reason });
      else notify({ what: 'closedByHand', position });
      return;
    }
    const isFinal = this.attempts.countFailure(key, reached);
    this.fails(position, error ?? REST_UNKNOWN, isFinal);
  }

  private fails(position: EmulatedPosition, error: BrokerageError, isFinal: boolean): void {
    if (this.loop.isNews(positionKey(position.held.position), error, isFinal))
      this.deps.notify({ what: 'failed', position, error, isFinal });
  }
}
