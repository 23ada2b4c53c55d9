/** Requests over REST the prices that the stream does not bring, and finds the instruments for which it brings none. */
import { attempt } from '../../attempt';
import { BrokerageError, SessionError } from '../../base/errors';
import type { Clock, Moment, Random } from '../../base/ports';
import { concurrently } from '../../concurrency';
import { isDerivative } from '../../instruments/symbol';
import { isInHours } from '../../market/calendar/trading-hours';
import type { Environment } from '../../session/settings';
import { isKnownPrice, type MarketPrice, type NoPrice } from '../../values/market-price';
import { pauseBeforeAttempt } from '../connection/backoff';
import { OutageReporter } from '../connection/outage-reporter';
import { isMarketHour, isMarketTime } from '../../market/calendar/any-market-open';
import { readMissedBars, requestGroups, type CandleReader, type MissedPrices, type MissedBar } from './price-history';
import type { MarketEvent, MarketInstrument } from './market-data';
import type { WatchedInstrument } from './watched-instrument';
import type { PriceDistributor } from './price-distributor';
import type { ServiceClock } from './service-clock';

/** Milliseconds without a price after which an instrument is looked at. */
const QUIET_MS = 20_000;
/** The same while the instrument's exchange is closed by its hours and holidays, which may be others than the published ones. */
const QUIET_CLOSED_MS = 5 * 60_000;
/** Milliseconds without a frame after which the whole stream is looked at. */
const QUIET_STREAM_MS = 10_000;
/** Milliseconds between two checks: each is a request to the history, which allows few a minute. */
const LOOKS_EVERY_MS = 5_000;
/** Maximum delay of a price on the stream, milliseconds. */
const UNDER_WAY_MS = 5_000;
/** Share of the account's rate for price requests: milliseconds for each price, and for each request to the history. */
const PER_PRICE_MS = 250;
const PER_HISTORY_MS = 2_000;
/** Milliseconds between two prices at weekends, when a market opens for a special session now and then, at least. */
const SELDOM_MS = 60_000;
/** Number of failures of the history after which a price is delivered without it. */
const HISTORY_FAILURES = 5;
const PRICES_AT_ONCE = 4;
/** Milliseconds that a price may come after the request of the history before it. */
const MAX_APART_MS = 1_000;
/** Maximum number of instruments named in a message. */
const MAX_NAMED = 5;

export interface RestFallbackDeps {
  clock: Clock;
  random: Random;
  environment: Environment;
  candles: CandleReader;
  /** The last price, which may be none. @throws BrokerageError */
  price(instrument: MarketInstrument, signal: AbortSignal): Promise<MarketPrice | NoPrice>;
  time: ServiceClock;
  signal: AbortSignal;
  /** Tells those who want an instrument. */
  notify(entry: WatchedInstrument, event: MarketEvent): void;
  /** REST has told something. */
  answered(): void;
  /** REST could not be asked. */
  failed(error: BrokerageError | undefined): void;
  /** Returns the time of the stream's last message; undefined while it is not open. */
  streamReceivedAt(): Moment | undefined;
  /** The stream is open and brings nothing, though instruments trade. */
  streamIsSilent(): void;
}

export class RestFallback {
  private polling = false;
  private looking = false;
  private lookedAt: Moment | undefined;
  private nextPollAt: Moment | undefined;
  private failures = 0;
  private readonly unread: OutageReporter;

  constructor(
    private readonly deps: RestFallbackDeps,
    private readonly prices: PriceDistributor,
  ) {
    this.unread = new OutageReporter(deps.clock, { environment: deps.environment });
  }

  /** Prices are to be asked for at once. */
  pollNow(): void {
    this.lookedAt = undefined;
    this.nextPollAt = undefined;
    this.failures = 0;
  }

  /**
   * Asks for what is due; called every second.
   * @param isAsking whether all prices are asked for, or only those of silent instruments.
   */
  tick(isAsking: boolean): void {
    const { clock, environment } = this.deps;
    const now = clock.now();
    if (!this.deps.time.isKnown || !isMarketHour(environment, now)) return;
    const all = [...this.prices.entries.values()];
    const requested = isAsking ? all : all.filter(({ isSilent }) => isSilent);
    if (requested.length > 0 && !this.polling && (this.nextPollAt === undefined || clock.since(this.nextPollAt) >= 0))
      void this.poll(requested, isAsking);
    const streamReceivedAt = this.deps.streamReceivedAt();
    if (streamReceivedAt === undefined || !isMarketTime(environment, now)) return;
    const isEarly = this.lookedAt !== undefined && clock.since(this.lookedAt) < LOOKS_EVERY_MS;
    if (this.looking || isEarly) return;
    const isStreamQuiet = clock.since(streamReceivedAt) >= QUIET_STREAM_MS;
    const isQuiet = ({ instrument, receivedAt }: WatchedInstrument): boolean =>
      this.isClosed(instrument, now)
        ? clock.since(receivedAt) >= QUIET_CLOSED_MS
        : isStreamQuiet || clock.since(receivedAt) >= QUIET_MS;
    const quiet = all
      .filter((entry) => !entry.isSilent && !entry.isFilling && isQuiet(entry))
      .sort((a, b) => clock.since(b.receivedAt) - clock.since(a.receivedAt));
    const first = quiet[0];
    if (first === undefined) return;
    void this.look(requestGroups(quiet).find((group) => group.includes(first))!);
  }

  /** Returns true if nothing trades by the hours of the exchange. Only the live service keeps them; the others may trade at any time. */
  private isClosed({ exchange, symbol }: MarketInstrument, now: number): boolean {
    return this.deps.environment === 'live' && isInHours(exchange, isDerivative(symbol), now) === false;
  }

  /**
   * Prices of all that the stream does not bring, each after what it did since the last one.
   * @param isAsking whether that is everything: then the feed tells of an outage.
   */
  private async poll(entries: readonly WatchedInstrument[], isAsking: boolean): Promise<void> {
    const { clock, random, signal } = this.deps;
    this.polling = true;
    const started = clock.moment();
    const groups = requestGroups(entries);
    const outcome = await attempt(this.pollAll(groups));
    this.polling = false;
    if (signal.aborted) return;
    const everyMs = Math.min(...entries.flatMap(({ members }) => [...members].map((member) => member.everyMs)));
    const spared = Math.max(everyMs, groups.length * PER_HISTORY_MS, entries.length * PER_PRICE_MS);
    const isSpecial = !isMarketTime(this.deps.environment, clock.now());
    const pauseMs = isSpecial ? Math.max(spared, SELDOM_MS) : spared;
    this.nextPollAt = clock.moment(pauseMs - clock.since(started));
    if (outcome.ok) {
      this.failures = 0;
      this.unread.back();
      return;
    }
    this.failures += 1;
    this.unread.away();
    this.nextPollAt = clock.moment(pauseBeforeAttempt(this.failures, random));
    const error = outcome.error instanceof BrokerageError ? outcome.error : undefined;
    this.deps.failed(error);
    if (!isAsking) this.reportUnread(entries, error);
  }

  /** Says once that instruments that the stream leaves out have had no price over REST for long either. */
  private reportUnread(entries: readonly WatchedInstrument[], error: BrokerageError | undefined): void {
    const downMs = this.unread.due();
    if (downMs === undefined) return;
    const names = entries.slice(0, MAX_NAMED).map(({ instrument: { exchange, symbol } }) => `${exchange}:${symbol}`);
    const reason = `the stream sends nothing for ${names.join(', ')}, and no price can be read over REST: ${error?.message ?? 'the request failed'}`;
    const listeners = new Set(entries.flatMap(({ members }) => members.map(({ listener }) => listener)));
    for (const listener of listeners) listener({ kind: 'outage', reason, downMs });
  }

  private async pollAll(groups: readonly WatchedInstrument[][]): Promise<void> {
    for (const group of groups) {
      const versions = new Map(group.map((entry) => [entry, entry.version]));
      const isStill = (entry: WatchedInstrument): boolean => versions.get(entry) === entry.version;
      const { signal, clock, time } = this.deps;
      const begun = clock.moment();
      const missed = await this.missedOf(group);
      if (missed !== undefined) for (const entry of group) if (isStill(entry)) this.prices.takeMissed(entry, missed);
      await concurrently(group, PRICES_AT_ONCE, async (entry) => {
        const requestedAt = time.now();
        const price = await this.deps.price(entry.instrument, signal);
        if (signal.aborted) return;
        this.deps.answered();
        entry.receivedAt = clock.moment();
        // A price that came late does not follow what the history told: that will tell it the next time.
        const isNext = missed === undefined || clock.since(begun) <= MAX_APART_MS;
        if (isKnownPrice(price) && isNext && isStill(entry)) this.prices.takeRequested(entry, price, requestedAt);
      });
    }
  }

  /**
   * @returns undefined if nobody has heard a price, or it could not be had again and again.
   * @throws BrokerageError if it may be had at the next attempt.
   */
  private async missedOf(group: readonly WatchedInstrument[]): Promise<MissedPrices | undefined> {
    const { candles, signal, time } = this.deps;
    const seenInstants = group.flatMap((entry) => this.prices.seenUntil(entry) ?? []);
    if (seenInstants.length === 0) return undefined;
    const since = Math.min(...seenInstants);
    const instruments = group.map(({ instrument }) => instrument);
    const read = await attempt(readMissedBars(candles, instruments, since, time, signal));
    if (read.ok) return read.value;
    const isGivenUp = this.failures + 1 >= HISTORY_FAILURES;
    if (!isGivenUp || signal.aborted || read.error instanceof SessionError) throw read.error;
    const reason = read.error instanceof BrokerageError ? read.error.message : 'The history could not be read';
    for (const entry of group) {
      const from = this.prices.seenUntil(entry);
      if (from !== undefined)
        this.deps.notify(entry, { kind: 'gap', instrument: entry.instrument, from, to: time.now(), reason });
    }
    return undefined;
  }

  /** Looks whether quiet instruments have traded nevertheless. */
  private async look(group: readonly WatchedInstrument[]): Promise<void> {
    const { clock, candles, time, signal } = this.deps;
    this.looking = true;
    this.lookedAt = clock.moment();
    const versions = group.map(({ version, receivedAt }) => ({ version, receivedAt }));
    const since = Math.min(...group.map((entry) => this.prices.seenUntil(entry) ?? time.now()));
    const instruments = group.map(({ instrument }) => instrument);
    const read = await attempt(readMissedBars(candles, instruments, since, time, signal));
    this.looking = false;
    if (signal.aborted) return;
    if (!read.ok) return this.deps.failed(read.error instanceof BrokerageError ? read.error : undefined);
    // A history that answers is no price of what has none.
    if (this.unread.awaySince === undefined) this.deps.answered();
    // The reply may have taken long: it shows nothing of the time after the request.
    const until = read.value.requestedAt - UNDER_WAY_MS;
    const moved = group.filter((entry, at) => {
      const { version, receivedAt } = versions[at]!;
      if (entry.version !== version || entry.receivedAt !== receivedAt) return false;
      entry.receivedAt = clock.moment();
      const bars = read.value.bars.get(entry.instrument.refId)!;
      if (hasMoved(entry, bars, until)) return true;
      // A bar that goes on beyond the instant was not looked at, not even at its part before it.
      this.prices.unchanged(entry, bars.find(({ at: begin, lengthMs }) => begin + lengthMs > until)?.at ?? until);
      return false;
    });
    if (moved.length === 0) return;
    const streamReceivedAt = this.deps.streamReceivedAt();
    if (streamReceivedAt !== undefined && clock.since(streamReceivedAt) >= QUIET_STREAM_MS)
      return this.deps.streamIsSilent();
    for (const entry of moved) {
      entry.isSilent = true;
      entry.version += 1;
      this.deps.notify(entry, { kind: 'silent', instrument: entry.instrument });
    }
    this.pollNow();
  }
}

/** Returns true if bars show another price than the last one that was heard, in seconds after it and before an instant. */
function hasMoved({ last }: WatchedInstrument, bars: readonly MissedBar[], until: number): boolean {
  // Of what trades, the stream brings the last price at once.
  if (last === undefined) return bars.length > 0;
  return bars.some(
    ({ at, lengthMs, open, high, low, close }) =>
      at > last.at && at + lengthMs <= until && [open, high, low, close].some((price) => price !== last.lastPrice),
  );
}
