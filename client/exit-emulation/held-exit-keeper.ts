/**
 * Keeps the exits of held quantities, in some instruments or in all, wherever they were bought, over days and restarts. It watches the
 * price, and closes position and holding together by the one closing flow once an exit is reached. Its state is plain data that outlives a
 * restart.
 */
import { BrokerageError, UnknownOutcomeError } from '../base/errors';
import type { ClosingResult } from '../closing/closing-request';
import { positionKey } from '../closing/positions';
import type { ClosingContext } from '../closing/reconcile-position';
import { heldQuantities, type HeldQuantity } from '../closing/held';
import type { Product, TradedInstrument } from '../orders/model/order-terms';
import type { Holdings, Positions } from '../portfolio/portfolio';
import type { JudgedValue } from '../stream/market-data/instrument-alerts';
import { istDate } from '../values/time';
import { closeHeld, goalOf } from './close-held';
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
  betterPrice,
  heldExitLevels,
  isTimeReached,
  takeHeldPrice,
  type ExitReason,
  type HeldExitInput,
  type HeldExitLevels,
  type HeldPrices,
} from './held-exits';

/** State of the exits of one instrument and product. */
export interface KeptExits {
  /** Start of the exits, milliseconds on the market's clock. */
  since: number;
  direction: 1 | -1;
  /** Undefined before the first price. */
  prices?: HeldPrices;
  /** An exit that was reached: it is closed until nothing is left. */
  reached?: ReachedExit;
}

interface ReachedExit {
  reason: ExitReason;
  /** Paise; null for a time. */
  price: number | null;
  /** YYYY-MM-DD, IST: of the tries. */
  day: string;
  tries: number;
  /** Units to hold in the end if a holding is closed with the position; fixed at the first try of the day. */
  goal?: number;
  /** True if one of our closing orders is or may be with the service. */
  hasSent?: true;
}

/** States by refId and product; plain data. */
export type KeptExitStates = Record<string, KeptExits>;

/** A held quantity with exits. */
export interface KeptPosition {
  instrument: TradedInstrument;
  held: HeldQuantity;
  levels: HeldExitLevels;
  state: KeptExits;
}

/** Events of the keeper. */
export type HeldExitEvent =
  | { what: 'kept'; kept: KeptPosition }
  | { what: 'reached'; kept: KeptPosition; reached: ReachedExit }
  | { what: 'closed'; kept: KeptPosition; closed: ClosingResult; reason: ExitReason }
  | { what: 'closedByHand'; kept: KeptPosition }
  | { what: 'failed'; kept: KeptPosition; error: BrokerageError; isFinal: boolean }
  /** The portfolio cannot be read. */
  | UnreadEvent;

/** Positions and holdings that the service shows. */
export interface Portfolio {
  positions: Positions;
  holdings: Holdings;
}

/** Dependencies of the keeper. */
export interface HeldExitDeps {
  context: ClosingContext;
  exits: HeldExitInput;
  /** Returns the selected instruments among those held now, without unknown ones. @throws any error of a look-up */
  instruments(held: Portfolio): Promise<readonly TradedInstrument[]>;
  /** Products to include; all if empty. */
  products: readonly Product[];
  /** Remembered by a keeper before this one; is changed as things happen. */
  states: KeptExitStates;
  /** @throws BrokerageError */
  portfolio(): Promise<Portfolio>;
  /** @throws BrokerageError if nothing may be sent now. */
  requireSending(): Promise<void>;
  /** Returns the best price for the owner since an instant, paise; null if there is none. @throws BrokerageError */
  bestSince(instrument: TradedInstrument, direction: 1 | -1, since: number): Promise<number | null>;
  notify(event: HeldExitEvent): void;
  /** Left out where no clock waits. */
  holdClock?: HoldClock;
}

/** Keeps the exits of one trigger. */
export class HeldExitKeeper {
  private readonly kept = new Map<string, KeptPosition>();
  /** Time of the last price, by refId. */
  private readonly heard = new Map<number, KeepingMoment>();
  /** Closed a moment ago, by key. */
  private readonly closedAt = new Map<string, KeepingMoment>();
  /** Time since which a read has not shown it, by key. */
  private readonly missingSince = new Map<string, KeepingMoment>();
  /** Keys whose earlier prices, from before this process, are known. */
  private readonly resumed = new Set<string>();
  private readonly nextTry = new Map<string, KeepingMoment>();
  private readonly clock: KeepingClock;
  private readonly loop: KeepingLoop;

  constructor(private readonly deps: HeldExitDeps) {
    const { transport, signal } = deps.context;
    this.clock = new KeepingClock(transport);
    this.loop = new KeepingLoop(transport.clock, signal, deps.holdClock);
  }

  /** Wakes the keeper after a change: the portfolio is read at once. */
  wake(): void {
    this.loop.wake();
  }

  /** Returns true if exits of an instrument are kept, even if a list lacks it for a moment. */
  keeps(refId: number): boolean {
    return [...this.kept.values()].some(({ instrument }) => instrument.refId === refId);
  }

  /** Takes a price of an instrument. */
  onPrice(refId: number, tick: JudgedValue): void {
    if (tick.source === 'stream') this.clock.heard(tick.at);
    if (tick.source !== 'history') this.heard.set(refId, this.clock.moment());
    for (const kept of this.kept.values()) {
      const { instrument, levels, state } = kept;
      if (instrument.refId !== refId) continue;
      state.prices ??= { best: tick.lastPrice, at: 0, askedAt: 0 };
      const reason = takeHeldPrice(levels, state.prices, tick);
      if (state.reached !== undefined) {
        if (this.isRetryDue(kept, state.reached)) this.loop.retry();
        continue;
      }
      if (reason !== undefined) state.reached = { reason, price: tick.lastPrice, day: '', tries: 0 };
      else if (tick.source !== 'history') this.checkTime(kept);
      if (state.reached !== undefined) this.wake();
    }
  }

  private isRetryDue({ held }: KeptPosition, { tries }: ReachedExit): boolean {
    const due = this.nextTry.get(positionKey(held.position));
    return tries < MAX_TRIES && due !== undefined && this.clock.since(due) >= 0;
  }

  /** Keeps until the signal of the context fires. */
  async run(): Promise<void> {
    const isClosing = (): boolean => [...this.kept.values()].some(({ state }) => state.reached !== undefined);
    await this.loop.run(
      () => this.cycle(),
      () => (isClosing() ? NEXT_TRY_MS : READS_EVERY_MS),
    );
  }

  /** Reads the portfolio once, and tries once to close each quantity that has reached an exit. @throws any error of the read */
  async cycle(): Promise<void> {
    const { portfolio, instruments, products, context, notify } = this.deps;
    const shown = await this.loop.read(portfolio, notify);
    const found = heldQuantities(await instruments(shown), shown.positions, shown.holdings, products);
    this.endOthers(found.map(({ held }) => held));
    for (const { instrument, held } of found) {
      context.signal?.throwIfAborted();
      await this.keep(instrument, held);
    }
  }

  /**
   * Ends the exits of positions that were closed elsewhere: at once if a position has changed its direction, after a while if it is
   * missing.
   */
  private endOthers(found: readonly HeldQuantity[]): void {
    for (const [key, { direction }] of Object.entries(this.deps.states)) {
      const held = found.find(({ position }) => positionKey(position) === key);
      if (held !== undefined) this.missingSince.delete(key);
      if (held !== undefined && Math.sign(held.units) === direction) continue;
      const since = this.missingSince.get(key) ?? this.clock.moment();
      this.missingSince.set(key, since);
      if (held === undefined && this.clock.since(since) < MISSING_MS) continue;
      const kept = this.kept.get(key);
      this.forget(key);
      // What was closed while nothing was kept, nobody has seen.
      if (kept !== undefined) this.deps.notify({ what: 'closedByHand', kept });
    }
  }

  private forget(key: string): void {
    this.kept.delete(key);
    delete this.deps.states[key];
    this.loop.forget(key);
    this.resumed.delete(key);
    this.nextTry.delete(key);
    this.missingSince.delete(key);
  }

  private async keep(instrument: TradedInstrument, held: HeldQuantity): Promise<void> {
    const key = positionKey(held.position);
    const closedAt = this.closedAt.get(key);
    if (closedAt !== undefined && this.clock.since(closedAt) < SHOWN_LATE_MS) return;
    const direction = held.units > 0 ? 1 : -1;
    const before = this.deps.states[key];
    const state: KeptExits = before?.direction === direction ? before : { since: this.clock.now, direction };
    // What has reached an exit is closed, whatever its price is now.
    const levels = this.levelsOf(instrument, held, state) ?? (state.reached && { direction });
    if (levels === undefined) return;
    const kept: KeptPosition = { instrument, held, levels, state };
    const isNew = state !== before;
    this.deps.states[key] = state;
    this.kept.set(key, kept);
    if (isNew) this.deps.notify({ what: 'kept', kept });
    if (isNew || this.resumed.has(key) || (await this.resume(kept))) this.resumed.add(key);
    this.checkTime(kept);
    if (state.reached !== undefined) await this.close(key, kept, state.reached);
  }

  /** Returns the levels; undefined if they cannot be calculated, which is reported once. */
  private levelsOf(instrument: TradedInstrument, held: HeldQuantity, state: KeptExits): HeldExitLevels | undefined {
    const { tickSize } = instrument;
    try {
      return heldExitLevels(this.deps.exits, { entry: held.price, direction: state.direction, tickSize });
    } catch (error) {
      this.fails({ instrument, held, levels: { direction: state.direction }, state }, expected(error), false);
      return undefined;
    }
  }

  /**
   * Applies the prices from before this process: the trailing stop follows their best.
   * @returns true if they are known; reports the error of a failed read.
   */
  private async resume(kept: KeptPosition): Promise<boolean> {
    const { instrument, levels, state } = kept;
    if (levels.trail === undefined) return true;
    const [asked] = await Promise.allSettled([this.deps.bestSince(instrument, state.direction, state.since)]);
    if (asked.status === 'rejected') {
      if (!this.deps.context.signal?.aborted) this.fails(kept, expected(asked.reason), false);
      return false;
    }
    const best = asked.value;
    if (best === null) return true;
    state.prices ??= { best, at: 0, askedAt: 0 };
    state.prices.best = betterPrice(levels, state.prices.best, best);
    return true;
  }

  private checkTime({ instrument, state }: KeptPosition): void {
    const heard = this.heard.get(instrument.refId);
    const isTraded = heard !== undefined && this.clock.since(heard) < PRICE_WITHIN_MS;
    const { time } = this.deps.exits;
    if (state.reached !== undefined || time === undefined || !isTraded) return;
    if (isTimeReached(time, state.since, this.clock.now))
      state.reached = { reason: 'time', price: null, day: '', tries: 0 };
  }

  private async close(key: string, kept: KeptPosition, reached: ReachedExit): Promise<void> {
    const { instrument, held, state } = kept;
    const { context, requireSending, notify } = this.deps;
    const today = istDate(this.clock.now);
    if (reached.day !== today) {
      const isFirst = reached.day === '';
      const goal = goalOf(held)?.units;
      Object.assign(reached, { day: today, tries: 0, goal });
      if (isFirst) notify({ what: 'reached', kept, reached });
    }
    const due = this.nextTry.get(key);
    if (reached.tries >= MAX_TRIES || (due !== undefined && this.clock.since(due) < 0)) return;
    const goal = reached.goal === undefined ? undefined : { units: reached.goal, countsOpen: false };
    const name = `exits of ${key} since ${state.since}, ${today}, ${reached.tries}`;
    const attempt = async (): Promise<ClosingResult> => {
      await requireSending();
      return (await closeHeld([{ held, goal, instrument }], name, context))[0]!;
    };
    const [tried] = await Promise.allSettled([attempt()]);
    if (context.signal?.aborted) return;
    if (tried.status === 'rejected' && !(tried.reason instanceof BrokerageError)) throw tried.reason;
    const error = tried.status === 'rejected' ? (tried.reason as BrokerageError) : tried.value.error;
    const hasOrders = tried.status === 'fulfilled' && tried.value.orders.length > 0;
    if (hasOrders || error instanceof UnknownOutcomeError) reached.hasSent = true;
    if (tried.status === 'fulfilled' && error === undefined && tried.value.left === 0) {
      this.forget(key);
      this.closedAt.set(key, this.clock.moment());
      if (reached.hasSent) notify({ what: 'closed', kept, closed: tried.value, reason: reached.reason });
      else notify({ what: 'closedByHand', kept });
      return;
    }
    reached.tries += 1;
    this.nextTry.set(key, this.clock.moment(NEXT_TRY_MS * reached.tries));
    this.fails(kept, error ?? NOTHING_KNOWN, reached.tries >= MAX_TRIES);
  }

  private fails(kept: KeptPosition, error: BrokerageError, isFinal: boolean): void {
    if (this.loop.isNews(positionKey(kept.held.position), error, isFinal))
      this.deps.notify({ what: 'failed', kept, error, isFinal });
  }
}
