/** The prices of the instruments that somebody wants: each listener hears every price once, in order, also those that were missed. */
import type { Moment } from '../../base/ports';
import type { IndexTick } from '../../../proto/generated/messages';
import { countIn } from '../../values/counts';
import { knownMarketPrice, type MarketPrice } from '../../values/market-price';
import { priceName } from '../../instruments/symbol';
import { pricesOf, requestGroups, type MissedPrices } from './price-history';
import type { MarketInstrument, MarketListener, MarketSubscription, MarketTick } from './market-data';
import { backfillPrices } from './backfill';
import { CLOCK_BEHIND_MS, UnfinishedBar } from './unfinished-bar';
import { tickOfPrice, type WatchedInstrument, type PriceListener, type PricesDeps } from './watched-instrument';

/** Milliseconds for which a listener waits for the first price of a new connection before it is told what it missed. */
const FIRST_TICK_MS = 3_000;
const USUAL_POLL_MS = 5_000;
/** Milliseconds by which a price of the stream may be older than one that was told: those of REST have the time of the request. */
const LATE_MS = 60_000;

/** The part of a subscription to prices that says what was heard before, and how often to ask. */
type PricesSince = Pick<Extract<MarketSubscription, { kind: 'tick' }>, 'since' | 'requested' | 'sinceOurs' | 'everyMs'>;

export class PriceDistributor {
  readonly entries = new Map<number, WatchedInstrument>();
  /** By exchange, then by symbol, both as `plain` writes them. */
  private readonly byName = new Map<string, Map<string, WatchedInstrument>>();
  /**
   * By the place in a frame: mostly the next frame names the same in the same order, and comparing a name is quicker than looking it up.
   */
  private inOrder: WatchedInstrument[] = [];
  /** Entries with a listener that waits for missed prices. */
  private readonly waiting = new Set<WatchedInstrument>();
  /** Listeners whose last prices are those of a bar that went on then. */
  private readonly unfinished = new Map<PriceListener, UnfinishedBar>();

  constructor(private readonly deps: PricesDeps) {}

  /** Tells the listener every price: first those since an instant where `since` or `sinceOurs` gives one, else the last known. */
  join(
    instrument: MarketInstrument,
    { since, requested, sinceOurs, everyMs = USUAL_POLL_MS }: PricesSince,
    listener: MarketListener,
  ): PriceListener {
    const entry = this.entries.get(instrument.refId) ?? this.add(instrument);
    const member: PriceListener = {
      listener,
      everyMs,
      seenUntil: since,
      requested: requested === undefined ? undefined : { price: requested, until: (since ?? 0) + CLOCK_BEHIND_MS },
      sinceOurs,
      held: undefined,
      heldSince: this.deps.clock.moment(),
      hasLeft: false,
    };
    entry.members = [...entry.members, member];
    const { last } = entry;
    if (since !== undefined || sinceOurs !== undefined)
      this.hold(entry, member, last?.source === 'stream' ? [last] : []);
    else if (last !== undefined) notify(member, last);
    return member;
  }

  leave(instrument: MarketInstrument, member: PriceListener): void {
    const { refId, exchange } = instrument;
    if (member.hasLeft) return;
    const entry = this.entries.get(refId)!;
    member.hasLeft = true;
    this.unfinished.delete(member);
    member.held = undefined;
    entry.members = entry.members.filter((priceMember) => priceMember !== member);
    if (entry.members.length > 0) return;
    this.entries.delete(refId);
    for (const name of namesOf(instrument)) this.byName.get(plain(exchange))?.delete(name);
    this.inOrder = [];
    this.waiting.delete(entry);
  }

  /** The connection was lost: what waited is read with the rest of what was missed. */
  lost(): void {
    for (const entry of this.entries.values()) forgetHeld(entry);
  }

  /** Handles a clock that was set: pending requests no longer count. */
  clockSet(): void {
    for (const entry of this.entries.values()) entry.version += 1;
  }

  /** Handles an interruption: the next prices do not follow the last ones, so each listener first hears those between. */
  interrupted(): void {
    for (const entry of this.entries.values()) this.holdAll(entry);
  }

  /** Ticks of one frame. */
  take(ticks: readonly IndexTick[]): void {
    const { clock, time } = this.deps;
    const now = clock.moment();
    const latest = time.latest();
    for (let place = 0; place < ticks.length; place++) {
      const tick = ticks[place]!;
      let entry = this.inOrder[place];
      if (entry?.name !== tick.indexname || entry.exchange !== tick.exchange) {
        entry = this.byName.get(tick.exchange)?.get(tick.indexname) ?? this.loosely(tick);
        if (entry === undefined) continue;
        if (place <= this.inOrder.length) this.inOrder[place] = entry;
        entry.name = tick.indexname;
        entry.exchange = tick.exchange;
      }
      const at = time.msOf(tick.timestamp) ?? time.now();
      if (at > latest) this.unread(entry);
      // A repeat, or one that was overtaken.
      else if (at >= entry.lastStreamAt) this.takeOne(entry, tick, at, now);
    }
    if (this.waiting.size > 0) this.fillDue();
  }

  /** A price that REST told. @param requestedAt when it was asked for, on the service's clock. */
  takeRequested(entry: WatchedInstrument, price: MarketPrice, requestedAt: number): void {
    for (const member of entry.members) {
      if (member.held !== undefined) continue;
      // Not before what the history has told already: the service's clock is only known roughly.
      const tick = tickOfPrice(entry.instrument, price, Math.max(requestedAt, member.seenUntil ?? 0), 'rest');
      entry.last = tick;
      notify(member, tick);
      member.requested = { price, until: this.deps.time.now() + CLOCK_BEHIND_MS };
    }
  }

  /** Bars that REST told while the stream brings nothing. */
  takeMissed(entry: WatchedInstrument, missed: MissedPrices): void {
    for (const member of entry.members)
      if (member.held === undefined) this.deliverMissed(entry, member, missed, Infinity);
  }

  /**
   * The service refuses some of what is wanted: what a connection should have brought meanwhile, and has not, is to be asked for over REST.
   * @param openedAt when the connection was opened. @returns whether there is any that was not known
   */
  markUnheard(openedAt: Moment): boolean {
    const { clock } = this.deps;
    const openMs = clock.since(openedAt);
    const unreceived = [...this.entries.values()].filter(
      ({ isSilent, lastStreamAt, receivedAt }) =>
        !isSilent &&
        (lastStreamAt === 0 || clock.since(receivedAt) > openMs) &&
        Math.min(clock.since(receivedAt), openMs) >= FIRST_TICK_MS,
    );
    for (const entry of unreceived) {
      entry.isSilent = true;
      entry.version += 1;
    }
    return unreceived.length > 0;
  }

  /** From when on nobody can know the prices of an entry without asking; undefined if nobody has heard one. */
  seenUntil(entry: WatchedInstrument): number | undefined {
    const seenInstants = [...entry.members].flatMap(({ held, seenUntil }) =>
      held === undefined && seenUntil !== undefined ? [seenUntil] : [],
    );
    return seenInstants.length === 0 ? undefined : Math.min(...seenInstants);
  }

  /** The price was the same up to an instant (the service's clock). */
  unchanged(entry: WatchedInstrument, until: number): void {
    for (const member of entry.members)
      if (member.held === undefined && member.seenUntil !== undefined)
        member.seenUntil = Math.max(member.seenUntil, until);
  }

  /** Asks for what listeners have missed, where it is time; called every second, too. */
  fillDue(): void {
    if (!this.deps.time.isKnown) return;
    const { clock, time } = this.deps;
    for (const [member, bar] of this.unfinished) {
      if (member.held !== undefined || !bar.isOver(time.now())) continue;
      this.unfinished.delete(member);
      for (const tick of bar.rest()) notify(member, tick);
    }
    const due = [...this.waiting].filter(
      ({ isFilling, members }) =>
        !isFilling &&
        [...members].some(
          ({ held, heldSince }) => held !== undefined && (held.length > 0 || clock.since(heldSince) >= FIRST_TICK_MS),
        ),
    );
    for (const group of requestGroups(due)) void this.fill(group);
  }

  private add(instrument: MarketInstrument): WatchedInstrument {
    const { refId, exchange, symbol } = instrument;
    const receivedAt = this.deps.clock.moment();
    const entry: WatchedInstrument = {
      instrument,
      name: symbol,
      exchange,
      members: [],
      last: undefined,
      lastStreamAt: 0,
      receivedAt,
      isSilent: false,
      version: 0,
      isFilling: false,
    };
    this.entries.set(refId, entry);
    const names = this.byName.get(plain(exchange)) ?? new Map<string, WatchedInstrument>();
    this.byName.set(plain(exchange), names);
    for (const name of namesOf(instrument)) names.set(name, entry);
    return entry;
  }

  /** The service may write names in other letters than they were asked in, or leave the exchange out. */
  private loosely({ exchange, indexname }: IndexTick): WatchedInstrument | undefined {
    const name = plain(indexname);
    if (exchange !== '') return this.byName.get(plain(exchange))?.get(name);
    for (const names of this.byName.values()) {
      const entry = names.get(name);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  private takeOne(entry: WatchedInstrument, tick: IndexTick, at: number, now: Moment): void {
    const lastPrice = knownMarketPrice(tick.indexValue);
    // Nothing has been traded yet.
    if (lastPrice === undefined) return;
    entry.receivedAt = now;
    entry.lastStreamAt = at;
    const made: MarketTick = {
      instrument: entry.instrument,
      lastPrice,
      at,
      source: 'stream',
      previousClose: knownMarketPrice(tick.prevClose) ?? null,
      dayHigh: knownMarketPrice(tick.highIndexValue) ?? null,
      dayLow: knownMarketPrice(tick.lowIndexValue) ?? null,
      volume: countIn(tick.volume),
      openInterest: countIn(tick.volumeOi),
    };
    if (entry.isSilent) {
      entry.isSilent = false;
      this.holdAll(entry);
    }
    entry.last = made;
    for (const member of entry.members) {
      if (member.held !== undefined) member.held.push(made);
      else this.deliver(member, made);
    }
  }

  /** Tells a price of the stream, or keeps it until it is known to be newer than the history. */
  private deliver(member: PriceListener, tick: MarketTick): void {
    const bar = this.unfinished.get(member);
    if (bar === undefined) return notify(member, tick);
    for (const newer of bar.take(tick)) notify(member, newer);
  }

  /** A price has a time that is yet to come, which would hide all after it: it is read from the history, as one that was lost. */
  private unread(entry: WatchedInstrument): void {
    const seenListeners = entry.members.filter(({ held, seenUntil }) => held === undefined && seenUntil !== undefined);
    forgetHeld(entry);
    for (const member of seenListeners) this.hold(entry, member, []);
  }

  private holdAll(entry: WatchedInstrument): void {
    entry.version += 1;
    for (const member of entry.members) if (member.seenUntil !== undefined) this.hold(entry, member, []);
  }

  private hold(entry: WatchedInstrument, member: PriceListener, held: MarketTick[]): void {
    member.held = held;
    member.heldSince = this.deps.clock.moment();
    this.waiting.add(entry);
  }

  private async fill(group: readonly WatchedInstrument[]): Promise<void> {
    const versions = group.map((entry) => {
      entry.isFilling = true;
      return entry.version;
    });
    const waiting = group.flatMap(({ members }) => [...members].filter(({ held }) => held !== undefined));
    for (const member of waiting) {
      if (member.sinceOurs !== undefined) member.seenUntil ??= this.deps.time.at(member.sinceOurs);
      member.sinceOurs = undefined;
    }
    const from = Math.min(...waiting.map(({ seenUntil }) => seenUntil ?? this.deps.time.now()));
    const missed = await backfillPrices(this.deps, group, from);
    if (this.deps.signal.aborted) return;
    group.forEach((entry, at) => {
      entry.isFilling = false;
      if (entry.version !== versions[at] || !this.waiting.has(entry)) return;
      this.waiting.delete(entry);
      // What was asked for while they waited does not follow this.
      entry.version += 1;
      for (const member of entry.members) this.release(entry, member, missed);
    });
    this.fillDue();
  }

  private release(entry: WatchedInstrument, member: PriceListener, missed: MissedPrices | string): void {
    const { held, seenUntil = 0 } = member;
    if (held === undefined) return;
    member.held = undefined;
    // A price of the past does not end the span whose missed prices are told.
    const to = held.find(({ at }) => at >= seenUntil - LATE_MS)?.at ?? Infinity;
    if (typeof missed !== 'string') this.deliverMissed(entry, member, missed, to);
    else {
      const until = Math.min(to, this.deps.time.now());
      member.listener({ kind: 'gap', instrument: entry.instrument, from: seenUntil, to: until, reason: missed });
    }
    for (const tick of held) this.deliver(member, tick);
    entry.last = held.at(-1) ?? entry.last;
  }

  /** @param before bars that end after it are left out. */
  private deliverMissed(
    entry: WatchedInstrument,
    member: PriceListener,
    { bars, requestedAt }: MissedPrices,
    before: number,
  ): void {
    const { instrument } = entry;
    const { seenUntil, requested } = member;
    const own = (bars.get(instrument.refId) ?? []).filter(({ at, lengthMs }) => at + lengthMs <= before);
    const last = own.at(-1);
    if (seenUntil === undefined || last === undefined || member.hasLeft) return;
    for (const { at, price, withinMs } of pricesOf(own, seenUntil, requested)) {
      // A bar that is not over holds nothing that was after the request; nor does it come again to who remembers its time.
      const time = Math.min(at, Math.max(requestedAt, last.at + 1));
      const tick: MarketTick = { ...tickOfPrice(instrument, price, time, 'history'), withinMs };
      entry.last = tick;
      member.listener({ kind: 'tick', tick });
    }
    member.requested = undefined;
    const end = last.at + last.lengthMs;
    member.seenUntil = Math.max(seenUntil, last.at + 1, Math.min(requestedAt, end));
    if (end > requestedAt) this.unfinished.set(member, new UnfinishedBar(last));
    else this.unfinished.delete(member);
  }
}

/** Discards waiting prices and pending requests: they no longer follow the last price. */
function forgetHeld(entry: WatchedInstrument): void {
  entry.version += 1;
  for (const member of entry.members) if (member.held !== undefined) member.held = [];
}

/** Tells a price, but none that is older than what was told. */
function notify(member: PriceListener, tick: MarketTick): void {
  const { seenUntil } = member;
  const { at } = tick;
  if (member.hasLeft) return;
  if (seenUntil === undefined || at > seenUntil) member.seenUntil = at;
  // What the history has told already comes once more from a stream that was held up.
  else if (at < seenUntil) return;
  member.requested = undefined;
  member.listener({ kind: 'tick', tick });
}

/** Returns the names that the stream may use for an instrument. */
function namesOf(instrument: MarketInstrument): readonly string[] {
  return [plain(instrument.symbol), plain(priceName(instrument))];
}

/** A name without what its writers differ in. */
function plain(name: string): string {
  return name.trim().toUpperCase();
}
