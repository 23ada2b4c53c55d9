/** Candles that are over: each once for each listener, as the history has them, also those that were missed. */
import { attempt } from '../../attempt';
import { BrokerageError } from '../../base/errors';
import { isContradictory, reportedPrices } from '../../market/bar-prices';
import type { IndexBucket } from '../../../proto/generated/messages';
import type { Clock, Moment } from '../../base/ports';
import type { Environment } from '../../session/settings';
import { priceName } from '../../instruments/symbol';
import { countIn } from '../../values/counts';
import { nanosToMs } from '../../values/time';
import { readBars, requestGroups, type CandleReader, type HistoryBar } from './price-history';
import { endOf, INTERVAL_MS, nextBoundary } from './candle-boundaries';
import type { MarketInstrument, MarketListener, StreamInterval } from './market-data';
import type { ServiceClock } from './service-clock';

/** Milliseconds after the end of a candle by which the stream begins the next one where anything is traded. */
const LATE_MS = 10_000;
/** Milliseconds after the end of a candle at which the history has it. */
const CANDLE_FINAL_MS = 3_000;
/** Milliseconds until the history is asked again that could not be read, or had not what the stream had told; and how often. */
const AGAIN_MS = 5_000;
const ATTEMPTS = 5;

export interface CandleMember {
  readonly listener: MarketListener;
  /** Start of the last candle that it has heard, or that was over before it listened; undefined while unknown. */
  after: number | undefined;
}

interface CandleEntry {
  readonly instrument: MarketInstrument;
  readonly interval: StreamInterval;
  readonly members: Set<CandleMember>;
  /** The candle that is not over, as the stream told it last. */
  running: HistoryBar | undefined;
  /** Start of the last candle whose prices contradicted each other on the stream: the history has the true ones. */
  doubted: number | undefined;
  /** Time of the request to the history; until then the stream's candles are not trusted. */
  requestAt: Moment | undefined;
  attempts: number;
  isAsking: boolean;
}

export interface ClosedCandlesDeps {
  clock: Clock;
  environment: Environment;
  candles: CandleReader;
  time: ServiceClock;
  signal: AbortSignal;
  /** True where the service's clock waits for what its messages start: the history is then asked at once. Only a sandbox's does. */
  isWaitedFor(): boolean;
  /** Lets that clock wait until a request is done, too. */
  holdClock(work: Promise<unknown>): void;
  answered(): void;
  failed(error: BrokerageError | undefined): void;
}

export class ClosedCandles {
  private readonly entries = new Map<string, CandleEntry>();
  /** The keys of entries, by what the stream was asked for. */
  private readonly requested = new Map<string, string>();

  constructor(private readonly deps: ClosedCandlesDeps) {}

  /** @param since when the last candle began that the listener has had. */
  join(
    instrument: MarketInstrument,
    interval: StreamInterval,
    since: number | undefined,
    listener: MarketListener,
  ): CandleMember {
    const key = keyOf(interval, instrument.exchange, instrument.symbol);
    const entry = this.entries.get(key) ?? {
      instrument,
      interval,
      members: new Set(),
      running: undefined,
      doubted: undefined,
      requestAt: undefined,
      attempts: 0,
      isAsking: false,
    };
    this.entries.set(key, entry);
    this.requested.set(keyOf(interval, instrument.exchange, priceName(instrument)), key);
    const member = { listener, after: since };
    entry.members.add(member);
    if (since !== undefined) this.requestSoon(entry, 0);
    return member;
  }

  leave(instrument: MarketInstrument, interval: StreamInterval, member: CandleMember): void {
    const { exchange, symbol } = instrument;
    const key = keyOf(interval, exchange, symbol);
    const entry = this.entries.get(key);
    entry?.members.delete(member);
    if (entry?.members.size !== 0) return;
    this.entries.delete(key);
    this.requested.delete(keyOf(interval, exchange, priceName(instrument)));
  }

  /** Handles an interruption: the next candles do not follow the last ones. */
  interrupted(): void {
    for (const entry of this.entries.values()) if (isKnown(entry)) this.requestSoon(entry, CANDLE_FINAL_MS);
  }

  /** Takes candles of one frame in their current state. */
  take(buckets: readonly IndexBucket[]): void {
    for (const bucket of buckets) {
      const reported = keyOf(intervalOf(bucket), bucket.exchange, bucket.indexname);
      const entry = this.entries.get(this.requested.get(reported) ?? reported);
      const at = nanosToMs(bucket.bucketTimestamp);
      // One that is yet to come would hide all after it.
      if (entry === undefined || at === null || at > this.deps.time.latest()) continue;
      const prices = reportedPrices({ ...bucket });
      if (prices === undefined) continue;
      if (isContradictory(prices)) this.doubt(entry, at);
      else this.takeOne(entry, { at, ...prices, volume: countIn(bucket.bucketVolume) });
    }
  }

  /** Marks a candle whose prices contradict each other: it is taken from the history when it is over. */
  private doubt(entry: CandleEntry, at: number): void {
    const begun = entry.running?.at ?? 0;
    if (at < begun) return;
    entry.doubted = at;
    if (at > begun && isKnown(entry) && entry.requestAt === undefined) this.requestSoon(entry, CANDLE_FINAL_MS);
  }

  /** Closes what is over; called every second. @param isReceiving whether the stream brings something. */
  tick(isReceiving: boolean): void {
    // By a wrong clock a candle would seem to be over that is not.
    if (!this.deps.time.isKnown) return;
    const { clock } = this.deps;
    const due: CandleEntry[] = [];
    for (const entry of this.entries.values()) {
      const { running, interval, instrument } = entry;
      if (running !== undefined && entry.requestAt === undefined) {
        const end = endOf(interval, running.at, instrument.exchange, this.deps.environment);
        if (this.deps.time.now() >= end + LATE_MS) this.requestSoon(entry, 0);
      }
      if (!isReceiving && entry.requestAt === undefined) this.requestAtBoundary(entry);
      if (entry.requestAt !== undefined && clock.since(entry.requestAt) >= 0 && !entry.isAsking) due.push(entry);
    }
    const byInterval = new Map<StreamInterval, CandleEntry[]>();
    for (const entry of due) byInterval.set(entry.interval, [...(byInterval.get(entry.interval) ?? []), entry]);
    for (const [interval, entries] of byInterval)
      for (const group of requestGroups(entries)) this.deps.holdClock(this.request(interval, group));
  }

  private takeOne(entry: CandleEntry, bar: HistoryBar): void {
    const { at } = bar;
    const { running } = entry;
    // What was over when the listener came is not its business.
    for (const member of entry.members) member.after ??= (running?.at ?? at) - 1;
    if (running !== undefined && at < running.at) return;
    // The last message of a candle is what it closed with: the stream brings each change, and all or nothing.
    if (running !== undefined && at > running.at) {
      if (entry.requestAt === undefined && entry.doubted !== running.at) this.notify(entry, running, false);
      else this.requestSoon(entry, CANDLE_FINAL_MS);
    }
    entry.running = entry.instrument.kind === 'INDEX' ? { ...bar, volume: null } : bar;
  }

  private notify(entry: CandleEntry, bar: HistoryBar, recovered: boolean): void {
    const { instrument, interval, members } = entry;
    const { at, open, high, low, close, volume } = bar;
    for (const member of members) {
      if (member.after !== undefined && at <= member.after) continue;
      member.after = at;
      member.listener({
        kind: 'candle',
        candle: { instrument, interval, at, open, high, low, close, volume, recovered },
      });
    }
  }

  private requestSoon(entry: CandleEntry, inMs: number): void {
    entry.requestAt = this.deps.clock.moment(this.deps.isWaitedFor() ? 0 : inMs);
    entry.attempts = 0;
  }

  private requestAtBoundary(entry: CandleEntry): void {
    const now = this.deps.time.now();
    this.requestSoon(entry, nextBoundary(entry.interval, now) - now + CANDLE_FINAL_MS);
  }

  private async request(interval: StreamInterval, group: readonly CandleEntry[]): Promise<void> {
    const { time, signal, candles, clock } = this.deps;
    const requested = group.map((entry) => {
      entry.isAsking = true;
      return entry.requestAt;
    });
    const requestedAt = time.now();
    const recently = requestedAt - 2 * INTERVAL_MS[interval];
    const from = Math.min(
      ...group.flatMap(({ members }) => [...members].map(({ after }) => (after === undefined ? recently : after + 1))),
    );
    const fields = ['open', 'high', 'low', 'close', 'cumulative_volume'] as const;
    const isIndex = group[0]!.instrument.kind === 'INDEX';
    const read = await attempt(
      readBars(
        candles,
        group.map(({ instrument }) => instrument),
        interval,
        { from, to: requestedAt + INTERVAL_MS[interval], signal },
        isIndex ? fields.slice(0, 4) : fields,
      ),
    );
    if (signal.aborted) return;
    if (read.ok) this.deps.answered();
    else this.deps.failed(read.error instanceof BrokerageError ? read.error : undefined);
    group.forEach((entry, at) => {
      entry.isAsking = false;
      if (!read.ok) {
        entry.requestAt = clock.moment(AGAIN_MS);
        return;
      }
      this.takeHistory(entry, read.value.get(entry.instrument.refId)!, requestedAt, entry.requestAt === requested[at]);
    });
  }

  /**
   * Takes the bars of the history. @param requestedAt candles that were over then, on the service's clock, are complete; the reply may have
   * taken long.
   * @param isLast true if nothing has come between that must be requested again.
   */
  private takeHistory(entry: CandleEntry, bars: readonly HistoryBar[], requestedAt: number, isLast: boolean): void {
    const { interval, instrument } = entry;
    const isOver = ({ at }: HistoryBar): boolean =>
      endOf(interval, at, instrument.exchange, this.deps.environment) <= requestedAt;
    const over = bars.filter(isOver);
    for (const member of entry.members) member.after ??= over.at(-1)?.at;
    for (const bar of over) this.notify(entry, bar, true);
    if (!isLast) return;
    const newest = bars.at(-1);
    // The service's clock is ahead of what is known of it, and its history has only just begun a candle.
    if (bars.some((bar) => bar !== newest && !isOver(bar))) return this.requestSoon(entry, CANDLE_FINAL_MS);
    if (newest !== undefined && newest.at > (entry.running?.at ?? 0)) entry.running = newest;
    const { running } = entry;
    // The history may be behind the stream.
    const isAwaited = running !== undefined && isOver(running) && !bars.some(({ at }) => at >= running.at);
    entry.attempts += 1;
    if (isAwaited && entry.attempts < ATTEMPTS) {
      entry.requestAt = this.deps.clock.moment(AGAIN_MS);
      return;
    }
    if (isAwaited) this.notify(entry, running, false);
    if (running !== undefined && isOver(running)) entry.running = undefined;
    entry.requestAt = undefined;
  }
}

/** Returns true if somebody waits for the missed candles. */
function isKnown({ members }: CandleEntry): boolean {
  return [...members].some(({ after }) => after !== undefined);
}

function keyOf(interval: string, exchange: string, symbol: string): string {
  return `${interval} ${exchange.toUpperCase()} ${symbol.toUpperCase()}`;
}

/** `CANDLE_INTERVAL_1M` as `1m`. */
function intervalOf({ interval }: IndexBucket): string {
  return typeof interval === 'string' ? interval.replace('CANDLE_INTERVAL_', '').toLowerCase() : '';
}
