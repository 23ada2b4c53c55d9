/**
 * Alerts of several instruments, from prices as they come: remembers what each has seen, and finds out from what a move of the day is
 * measured. Prices for which that is still unknown wait, and are judged in their order once it is.
 */
import { attempt } from '../../attempt';
import { InputError } from '../../base/errors';
import { istDate, istInstant } from '../../values/time';
import type { Clock, Moment } from '../../base/ports';
import {
  dayOf,
  firstTick,
  isAlertDone,
  isNews,
  knownUntil,
  needsBase,
  stateBefore,
  takeTick,
  type AlertSettings,
  type InstrumentAlert,
  type InstrumentState,
} from './instrument-alerts';
import type { NoPrice } from '../../values/market-price';
import { isDailyExtreme, needsTrades, remembersPrice } from './alert-rules';
import type { MarketInstrument, MarketTick, MarketSubscription } from './market-data';

/** By `refId`; plain data. */
export type WatchStates = Record<string, InstrumentState>;

export interface PriceAlertMonitorOptions {
  clock: Clock;
  settings: AlertSettings;
  instruments: readonly MarketInstrument[];
  /** Milliseconds between two prices over REST while the stream brings none. */
  everyMs: number;
  /** State of an earlier monitor; not changed. */
  states: WatchStates;
  /**
   * Start of the monitoring, milliseconds on our own clock: an instrument without a stored state has missed the time since; undefined for
   * now.
   */
  since: number | undefined;
  /**
   * Returns the base of a move on a day (YYYY-MM-DD, IST), or the highest or lowest before the first price, paise; null while there is
   * none; the reason if there is none on that day. Called if the prices do not show it.
   * @param tick the first price that waits for it. @throws BrokerageError if it cannot be read.
   */
  base(instrument: MarketInstrument, day: string, tick: MarketTick): Promise<number | NoPrice | null>;
  /** Returns the instant of a day from which its prices are judged, milliseconds; undefined for its beginning. */
  countsFrom?(instrument: MarketInstrument, day: string): number | undefined;
  /** Is called for each alert, when `states` holds that it has come. */
  onAlert(alert: InstrumentAlert, tick: MarketTick): void;
  /** The base of a move could not be read; the prices wait. Once for an instrument and a day. */
  onUnknown(instrument: MarketInstrument, error: unknown): void;
}

/** At most so many prices of an instrument wait; the oldest are dropped then. */
const MAX_WAITING = 100_000;
/** Milliseconds between two attempts to find out what a move is measured from. */
const ASKS_AGAIN_MS = 5_000;
/** Number of days whose bases of moves are kept. */
const DAYS_KEPT = 5;

interface Watched {
  refId: number;
  /** The place of the instrument after it: frames mostly name them in the order in which they were asked for. */
  next: number;
  state: InstrumentState | undefined;
  waiting: MarketTick[];
  /** Bases of moves, by day; of the newest days. Null: there is none, and no price of the day is judged. */
  bases: Map<string, number | null>;
  /** True if the watch began before the trading of the day that is judged first. */
  isEarly: boolean;
  requestedAt: Moment | undefined;
  isAsking: boolean;
  reportedDay: string;
}

export class PriceAlertMonitor {
  /** Prices that waited for so long that they were dropped. */
  dropped = 0;
  /** Resolves when a price of each instrument is remembered: from then on no crossing can be missed, whatever ends. */
  readonly hasAll: Promise<void>;
  private readonly all = Promise.withResolvers<void>();
  private readonly watched = new Map<number, Watched>();
  /** The same in the order in which they were asked for, and the place that is expected: to compare is quicker than to look up. */
  private readonly inOrder: readonly Watched[];
  private place = 0;

  constructor(private readonly options: PriceAlertMonitorOptions) {
    for (const [place, { refId }] of options.instruments.entries()) {
      const stored = options.states[String(refId)];
      const state = stored && { ...stored };
      const bases = new Map<string, number | null>();
      if (state !== undefined && state.base !== null) bases.set(state.day, state.base);
      const next = (place + 1) % options.instruments.length;
      const unreported = { waiting: [], isEarly: false, requestedAt: undefined, isAsking: false, reportedDay: '' };
      this.watched.set(refId, { refId, next, state, bases, ...unreported });
    }
    this.inOrder = [...this.watched.values()];
    this.hasAll = this.all.promise;
    this.look();
  }

  /** The required subscriptions: the prices of all instruments that may still alert, also those since a restart. */
  get subscriptions(): MarketSubscription[] {
    return this.options.instruments
      .filter(({ refId }) => !isAlertDone(this.options.settings, this.watched.get(refId)!.state))
      .map((instrument) => {
        const { state } = this.watched.get(instrument.refId)!;
        const since = knownUntil(state);
        const isRequested =
          state !== undefined && state.requestedAt > state.at && remembersPrice(this.options.settings.rule);
        const requested = isRequested ? state.reference : undefined;
        const begun = since === undefined ? { sinceOurs: this.options.since } : { since, requested };
        return { kind: 'tick', instrument, ...begun, everyMs: this.options.everyMs };
      });
  }

  /** A copy of the states. */
  get states(): WatchStates {
    const watchedStates = [...this.watched].filter(([, { state }]) => state !== undefined);
    return Object.fromEntries(watchedStates.map(([refId, { state }]) => [refId, { ...(state as InstrumentState) }]));
  }

  /**
   * Judges a price. Alerts are told before this returns, unless what they are measured from must be read first.
   */
  take(tick: MarketTick): void {
    const { refId } = tick.instrument;
    const expected = this.inOrder[this.place];
    const watched = expected?.refId === refId ? expected : this.watched.get(refId);
    if (watched === undefined) return;
    this.place = watched.next;
    const { rule } = this.options.settings;
    if (rule.kind === 'movesFrom' && rule.from === 'previousClose' && tick.previousClose !== null)
      setBase(watched, istDate(tick.at), tick.previousClose);
    if (tick.at < (this.options.countsFrom?.(tick.instrument, istDate(tick.at)) ?? 0)) {
      watched.isEarly = true;
      return;
    }
    if (tick.source !== 'rest') this.forgetEarlyPrices(watched);
    if (watched.waiting.length === 0 && this.judge(watched, tick)) return;
    watched.waiting.push(tick);
    if (watched.waiting.length > MAX_WAITING) {
      watched.waiting.shift();
      this.dropped += 1;
    }
    this.judgeWaiting(watched);
    if (watched.waiting.length > 0) void this.findOut(watched, tick);
  }

  /** @returns false when it must wait. */
  private judge(watched: Watched, tick: MarketTick): boolean {
    const { settings } = this.options;
    if (!isNews(watched.state, tick)) return true;
    const isNeeded = needsBase(settings, watched.state, tick);
    const base = isNeeded ? watched.bases.get(dayOf(watched.state, tick)) : null;
    if (base === undefined) return false;
    if (isNeeded && base === null) return true;
    if (watched.state === undefined && this.beganBefore(watched, tick)) watched.state = stateBefore(tick);
    if (watched.state === undefined) {
      watched.state = firstTick(settings, tick, base);
      this.look();
      return true;
    }
    const alert = takeTick(settings, watched.state, tick, base);
    if (alert !== undefined) this.options.onAlert(alert, tick);
    return true;
  }

  /** Returns true if the watch began before the prices of a day counted, so that the first of them may be an alert. */
  private beganBefore({ isEarly }: Watched, { instrument, at }: MarketTick): boolean {
    const { settings, since } = this.options;
    if (!needsTrades(settings.rule)) return false;
    const day = istDate(at);
    const from = this.options.countsFrom?.(instrument, day) ?? istInstant(day);
    return isEarly || (since !== undefined && since < from);
  }

  private look(): void {
    if ([...this.watched.values()].every(({ state }) => state !== undefined)) this.all.resolve();
  }

  private judgeWaiting(watched: Watched): void {
    const { waiting } = watched;
    const stuck = waiting.findIndex((tick) => !this.judge(watched, tick));
    waiting.splice(0, stuck < 0 ? waiting.length : stuck);
  }

  /** Drops what REST told before the first trade of a day where a price of the day counts: it may be a price of the day before. */
  private forgetEarlyPrices(watched: Watched): void {
    const { rule } = this.options.settings;
    if (watched.waiting.length > 0 && (isDailyExtreme(rule) || (needsTrades(rule) && watched.isEarly)))
      watched.waiting = watched.waiting.filter(({ source }) => source !== 'rest');
  }

  private async findOut(watched: Watched, { instrument }: MarketTick): Promise<void> {
    const { clock, base, onUnknown } = this.options;
    const first = watched.waiting[0] as MarketTick;
    const isEarly = watched.requestedAt !== undefined && clock.since(watched.requestedAt) < ASKS_AGAIN_MS;
    if (watched.isAsking || isEarly) return;
    watched.isAsking = true;
    watched.requestedAt = clock.moment();
    const day = dayOf(watched.state, first);
    const requested = await attempt(base(instrument, day, first));
    watched.isAsking = false;
    if (!requested.ok) {
      if (watched.reportedDay !== day) onUnknown(instrument, requested.error);
      watched.reportedDay = day;
      return;
    }
    const value = requested.value;
    if (typeof value === 'object' && value !== null) {
      onUnknown(instrument, new InputError(`${instrument.symbol} has none today: ${value.none}.`));
      setBase(watched, day, null);
      return this.judgeWaiting(watched);
    }
    if (value === null || value <= 0) {
      watched.isEarly = true;
      return;
    }
    setBase(watched, day, value);
    this.forgetEarlyPrices(watched);
    this.judgeWaiting(watched);
    const next = watched.waiting[0];
    if (next !== undefined) {
      watched.requestedAt = undefined;
      await this.findOut(watched, next);
    }
  }
}

function setBase({ bases }: Watched, day: string, base: number | null): void {
  bases.set(day, base);
  if (bases.size > DAYS_KEPT) bases.delete([...bases.keys()].sort()[0] as string);
}
