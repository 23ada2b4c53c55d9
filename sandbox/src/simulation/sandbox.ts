import { createHash, randomBytes } from 'node:crypto';
import { VirtualClock } from './clock';
import { ClockControl } from './clock-control';
import { specifiedDialect, type ServiceDialect } from './dialect';
import { Faults } from './faults';
import { Inbox, type SentMessagesState } from './inbox';
import { Journal, MAX_ENTRIES, type JournalEntry } from './journal';
import { Stats, type Counters } from './stats';
import { modelsOf, modelWords, type ExecutionModels, type ModelWords } from './models';
import type { SandboxOptions } from './options';
import { otpText } from '../sessions/logins';
import type { LoginCommands } from './login-commands';
import { MarketTimes } from './market-time-events';
import type { LoginTime, Users, User } from '../sessions/users';
import { apiRules } from './data/api-order-rules';
import { DayRecorder } from './day-recorder';
import { RateLimit } from './rate-limit';
import { readRecordings, replayOptions, type ReadRecordings } from './recordings';
import type { BasketEvent } from '../exchange/strategies/v2-basket-types';
import type { IntentEvent } from '../exchange/strategies/types';
import type { ExchangeEvent } from '../exchange/types';
import { OptionError } from '../shared/option-error';
import { EventLog } from '../store/event-log';
import { openSnapshotFile } from '../store/snapshot-file';
import { callWhenStored } from '../store/retry-until-stored';
import { Snapshots } from '../store/snapshots';
import type { CommandLog } from './commands';
import { attachLists, detachLists } from './snapshot-lists';
import { madeWith, refuseOtherOptions } from './made-with';
import { TICK, WRITTEN_BY, recordOutcome, replayLog } from './replay';
import { SimulatedBrokerage } from './brokerage';
import type { MirroredMarket } from '../market/mirror/types';
import { FIRST_DATE, LAST_DATE } from '../market/reference/calendar';
import { istDate, istDayEnd, istMidnight, millisOf, parseInstant } from '../shared/time';
import { VERSION } from '../shared/version';
import type { SimulatedBrokerageState } from './types';

/** Requests a second on trading paths (docs/service/limits.md#rate-limits). */
const TRADING_LIMITS = { live: 10, uat: 100, off: Infinity };

/** Requests a minute for history. */
const HISTORY_LIMIT = 60;

/** Time ends here: there is no market afterwards. Milliseconds. */
const LAST_INSTANT = istDayEnd(istMidnight(LAST_DATE)) - 1;

/** A sandbox in a snapshot; the journal is kept beside it. */
interface SandboxState {
  world: SimulatedBrokerageState;
  inbox: SentMessagesState;
  counters: Counters;
}

/** The whole sandbox but its sockets: the world, its clock, and what the control plane shows and breaks. */
export class Sandbox {
  readonly options: SandboxOptions;
  private readonly models: ExecutionModels;
  readonly clock: VirtualClock;
  readonly time: ClockControl;
  readonly journal: Journal;
  readonly inbox = new Inbox();
  readonly stats = new Stats();
  readonly faults = new Faults();
  readonly tradingLimit: RateLimit;
  readonly historyLimit: RateLimit;
  /** Listeners to times of the exchange. */
  readonly marketTimes = new MarketTimes(() => this.world.market.calendar);
  /** Orders of an account on an exchange. */
  readonly orderLimit: RateLimit;
  dialect: ServiceDialect;
  world: SimulatedBrokerage;
  /** Identifier of the events here since the opening state: another after a reset, the same where `--data` is opened again. */
  runId = '';
  private at: number;
  /** Lets time go on that is stopped because something cannot be stored. */
  private roomFound: (() => void) | undefined;
  private readonly recorder: DayRecorder | undefined;
  private readonly store: EventLog | undefined;
  private readonly snapshots: Snapshots<SandboxState> | undefined;
  private readonly orderListeners: ((event: ExchangeEvent) => void)[] = [];
  private readonly basketListeners: ((event: BasketEvent) => void)[] = [];
  private readonly intentListeners: ((event: IntentEvent) => void)[] = [];
  private readonly sessionListeners: ((user: User) => void)[] = [];
  private readonly changeListeners: (() => void)[] = [];

  /**
   * A sandbox of options, the recordings of its folder included. `mirror` is the live market that it shows, where it does.
   * @throws OptionError as the constructor does, and where a recording is wrong: with file, line and what to do
   */
  static async open(options: SandboxOptions, mirror?: MirroredMarket, realNow?: () => number): Promise<Sandbox> {
    const { replay, maxUnpackedMb } = options;
    const maxUnpacked = maxUnpackedMb === undefined ? undefined : maxUnpackedMb * 2 ** 20;
    const recordings = replay === undefined ? undefined : await readRecordings(replay, maxUnpacked);
    return new Sandbox(options, realNow, recordings, mirror);
  }

  /**
   * @param given with `replay` it needs the recordings: see `open`. @param recordings the market that is replayed; undefined for the
   * made-up one
   */
  constructor(
    given: SandboxOptions,
    private readonly realNow: () => number = Date.now,
    readonly recordings?: ReadRecordings,
    /** The live market that is mirrored; undefined where there is none. */
    readonly mirror?: MirroredMarket,
  ) {
    if (given.replay !== undefined && recordings === undefined)
      throw new OptionError('--replay: its recordings are not read yet; make this sandbox by Sandbox.open(options).');
    if (given.mirror !== undefined && mirror === undefined)
      throw new OptionError(
        '--mirror: its live market is not connected yet; make this sandbox by startSandbox(options).',
      );
    const options = recordings === undefined ? given : replayOptions(given, recordings);
    this.options = options;
    this.models = modelsOf(options);
    this.at = this.start();
    this.dialect = { ...specifiedDialect(), ...options.dialect };
    this.tradingLimit = new RateLimit(TRADING_LIMITS[options.rateLimit], 1_000);
    this.historyLimit = new RateLimit(options.rateLimit === 'off' ? Infinity : HISTORY_LIMIT, 60_000);
    this.orderLimit = new RateLimit(apiRules(options.rules)?.ordersPerSecond ?? Infinity, 1_000);
    this.recorder = options.record === undefined ? undefined : new DayRecorder(options.record);
    this.store = options.data === undefined ? undefined : new EventLog(options.data, options.acceptLoss);
    this.journal = new Journal(this.store);
    this.snapshots =
      this.store && new Snapshots(this.store, openSnapshotFile(options), options.snapshotEvery, this.at, MAX_ENTRIES);
    this.world =
      this.store?.meta('key') === undefined
        ? this.createWorld(options.seed, this.beginLog(options.seed, this.at), this.at)
        : this.resume(this.store);
    this.clock = new VirtualClock(options.clock, this.at, realNow, LAST_INSTANT);
    this.time = new ClockControl(this.clock, {
      instant: () => this.at,
      changed: () => this.changed(),
      // A clock that is ahead of the machine's was moved: it waits for what starts on the way, too.
      isOwn: () => this.clock.mode !== 'real' || options.start !== undefined || this.clock.now() > realNow(),
      end: () => this.endOfFastest(),
    });
    mirror?.attach({
      now: () => Math.max(this.at, this.clock.now()),
      changed: () => {
        this.now();
        this.changed();
      },
      onQuote: (instrument, at, quote) => this.recorder?.seen.note(instrument, at, quote),
    });
  }

  get users(): Users {
    return this.world.users;
  }

  get logins(): LoginCommands {
    return this.world.logins;
  }

  get seed(): number {
    return this.world.options.seed;
  }

  /**
   * Brings everything to the present. A handler of a request calls it once, at the beginning: commands
   * and answers are then of `instant`.
   * @returns the present, milliseconds
   */
  now(): number {
    const to = Math.max(this.at, this.clock.now());
    // Where the clock may be held, or stopped, it is so at the very instant.
    if (this.time.isWatched || this.marketTimes.isFollowed) {
      const [wasHeld, mode] = [this.clock.isHeld, this.clock.mode];
      for (let due = this.nextDue(); due < to; due = this.nextDue()) {
        this.advance(due);
        if ((this.clock.isHeld && !wasHeld) || this.clock.mode !== mode) return this.at;
      }
    }
    this.advance(to);
    return this.at;
  }

  private advance(to: number): void {
    this.world.advance(to);
    this.at = Math.max(this.at, to);
    this.marketTimes.run(this.at);
  }

  /** Lets pass what is due; the clock `fastest` goes on to it, or by a step. */
  step(): void {
    this.time.step(this.nextDue());
    this.now();
  }

  /** As fast as it can, time passes to the end of what was recorded, or of the day: else it would be another year at once. */
  private endOfFastest(): number {
    const last =
      this.recordings === undefined
        ? this.at
        : Math.max(this.at, istMidnight(this.options.to ?? this.recordings.dates.at(-1)!));
    return Math.min(istDayEnd(last) - 1, LAST_INSTANT);
  }

  /** The instant that is being worked on: of the event that is handed out, else the latest that `now` came to. */
  get instant(): number {
    return this.at;
  }

  /** True if the broker cannot be reached now: a scenario's outage. */
  isDown(): boolean {
    return this.world.scenarios.isDown(Math.max(this.at, this.clock.now()));
  }

  /** The present, as logins and their sessions see it. */
  get moment(): LoginTime {
    return { at: this.at, machine: this.realNow() };
  }

  /** The instant at which something is due by itself; milliseconds. */
  nextDue(): number {
    return Math.min(this.world.nextDue(), this.marketTimes.nextDue());
  }

  /** Back to the opening state, with another seed if one is given. All sessions end. */
  reset(seed: number | undefined): void {
    const at = this.start();
    const key = this.beginLog(seed ?? this.seed, at);
    for (const user of this.users.all()) this.sessionListeners.forEach((listener) => listener(user));
    this.journal.clear();
    this.inbox.clear();
    this.stats.clear();
    this.faults.clear();
    this.dialect = { ...specifiedDialect(), ...this.options.dialect };
    this.at = at;
    this.clock.restart(this.options.clock, this.at);
    this.time.setMode(this.options.clock);
    this.world = this.createWorld(seed ?? this.seed, key, at);
    this.marketTimes.restart(this.at);
    this.changed();
  }

  /** Told when a user's session ends. */
  onSessionEnd(listener: (user: User) => void): void {
    this.sessionListeners.push(listener);
  }

  /** Told of everything that happens to an order, in order, once. */
  onOrderEvent(listener: (event: ExchangeEvent) => void): void {
    this.orderListeners.push(listener);
  }

  /** Told of everything that happens to a basket, in order, once. */
  onBasketEvent(listener: (event: BasketEvent) => void): void {
    this.basketListeners.push(listener);
  }

  /** Told of everything that happens to an intent order, in order, once. */
  onIntentEvent(listener: (event: IntentEvent) => void): void {
    this.intentListeners.push(listener);
  }

  /** Told after every command and change of the clock: something may be due at another time now. */
  onChange(listener: () => void): void {
    this.changeListeners.push(listener);
  }

  changed(): void {
    if (this.snapshots?.due(this.world.nextDue(), this.at) === true) this.writeSnapshot();
    for (const listener of this.changeListeners) listener();
  }

  private start(): number {
    const at = this.options.start === undefined ? this.realNow() : parseInstant(this.options.start);
    if (at >= istMidnight(FIRST_DATE) && at <= LAST_INSTANT) return at;
    throw new OptionError(
      `--start must be from ${FIRST_DATE} to ${LAST_DATE}, not ${this.options.start ?? 'now'}: on these days there is a market.`,
    );
  }

  /** Asks for room to store what has happened already: time must not be moved on before. @throws StoreError where there is none */
  needRoom(): void {
    if (this.store?.isBehind === true) this.store.catchUp();
    this.roomFound?.();
  }

  /** Takes down that time has been moved, where the machine's clock would not tell. @throws StoreError */
  noteTime(): void {
    this.store?.append(this.at, TICK, []);
  }

  /**
   * The same where time has brought something about. Where it cannot be stored, time is stopped until it can: a restart would go back
   * behind what is told now.
   */
  private noteEventTime(): void {
    const { store } = this;
    store?.appendLater(this.at, TICK, []);
    if (store?.isBehind !== true || this.roomFound !== undefined) return;
    const release = this.time.hold(Infinity);
    this.roomFound = () => {
      this.roomFound = undefined;
      release();
    };
    callWhenStored(store, this.roomFound);
  }

  /** Writes where it has come to, and ends what it holds open. */
  close(): void {
    this.mirror?.close();
    this.recorder?.write(this.world, istDate(this.at), this.at);
    if (this.store !== undefined) recordOutcome(this.store, this.world, this.at);
    this.writeSnapshot();
    this.snapshots?.close();
    this.journal.close();
    this.store?.close();
  }

  private writeSnapshot(): void {
    this.snapshots?.begin(this.at, this.journal, () => {
      const { rest, lists } = detachLists(this.world.state());
      return { rest: { world: rest, inbox: this.inbox.state(), counters: this.stats.counters() }, lists };
    });
  }

  /** Begins an empty log at an instant, milliseconds. @returns the key that signs the tokens. @throws StoreError; nothing has changed then */
  private beginLog(seed: number, at: number): string {
    const key = randomBytes(32).toString('hex');
    this.store?.begin({ key, startAt: String(at), [WRITTEN_BY]: VERSION, ...this.madeWith(seed) });
    this.snapshots?.restart(at);
    return key;
  }

  /** The world of a log, carried on to its last entry. @throws OptionError when it was made with other options. */
  private resume(store: EventLog): SimulatedBrokerage {
    refuseOtherOptions(store, this.madeWith(this.options.seed), String(this.options.data));
    const startAt = Number(store.meta('startAt'));
    const snapshot = this.snapshots?.take();
    this.at = snapshot?.at ?? startAt;
    this.journal.repeat(store.skippedNumbers(snapshot?.journalOrdinal ?? 0));
    const world = this.createWorld(
      this.options.seed,
      store.meta('key') ?? '',
      startAt,
      snapshot && attachLists(snapshot.content.rest.world, snapshot.content.lists),
    );
    if (snapshot !== undefined) {
      const { earlierJournal } = snapshot;
      this.journal.goOn(snapshot.journalAt, snapshot.journalOrdinal, () => earlierJournal() as JournalEntry[]);
      this.stats.restore(snapshot.content.rest.counters);
      this.inbox.restore(snapshot.content.rest.inbox, (phone, temp, sentAt) =>
        otpText(world.users.otpCode(phone, temp, sentAt)),
      );
    }
    replayLog(world, store, { data: String(this.options.data), after: snapshot?.seq });
    this.journal.repeated(store.reservedNumbers);
    store.note(WRITTEN_BY, VERSION);
    const last = Math.max(this.at, store.lastAt() ?? startAt);
    const passes = this.options.clock === 'real' && this.options.start === undefined;
    this.at = passes ? Math.max(last, this.realNow()) : last;
    return world;
  }

  /** Models by which orders meet the market, in words. */
  get modelWords(): ModelWords {
    return modelWords(this.models, this.options.latency);
  }

  private madeWith(seed: number): Record<string, string> {
    return madeWith({ ...this.options, seed }, this.models, this.recordings?.digest);
  }

  private createWorld(seed: number, key: string, startAt: number, from?: SimulatedBrokerageState): SimulatedBrokerage {
    this.runId = createHash('sha256').update(key).digest('hex').slice(0, 16);
    const deps = {
      journal: this.journal,
      inbox: this.inbox,
      stats: this.stats,
      instant: () => this.at,
      recordings: this.recordings,
      live: this.mirror?.market,
      models: this.models,
      log: ((at, name, json) => this.store?.append(at, name, json())) satisfies CommandLog,
      changed: () => this.changed(),
      sessionEnded: (user: User) => this.sessionListeners.forEach((listener) => listener(user)),
      dayEnded: (date: string, at: number) => this.recorder?.write(this.world, date, at),
      orderEvent: (event: ExchangeEvent) => this.onEvent(event, this.orderListeners),
      basketEvent: (event: BasketEvent) => this.onEvent(event, this.basketListeners),
      intentEvent: (event: IntentEvent) => this.onEvent(event, this.intentListeners),
    };
    return new SimulatedBrokerage({ ...this.options, seed }, key, startAt, deps, from);
  }

  /** Hands an event on, once it is sure that a restart brings it about again. */
  private onEvent<E extends { at: bigint }>(event: E, listeners: ((event: E) => void)[]): void {
    this.at = Math.max(this.at, millisOf(event.at));
    if (listeners.length === 0) return;
    this.time.reached('order');
    if (this.time.isOwn) this.noteEventTime();
    for (const listener of listeners) listener(event);
  }
}
