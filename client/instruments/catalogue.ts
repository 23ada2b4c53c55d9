/**
 * The instruments of each exchange, fetched once a day for the whole process and shared by everything in it: one
 * download at a time, dropped when the day ends, bounded in number. Who misses an instrument in it has the list asked for
 * again, at most once a minute for all workflows of the process.
 */
import { attempt } from '../attempt';
import type { Moment } from '../base/ports';
import { endpoints } from '../endpoints';
import { UnreadableReplyError } from '../base/errors';
import { mismatchError, requireAnswer } from '../reply-gate';
import type { Transport } from '../transport';
import { addDays, dateToNumber, istDate, istTimeOfDay, numberToDate } from '../values/time';
import { unlessAborted } from '../abortable';
import type { Exchange } from './instrument';
import { MasterParser } from './parser';
import { InstrumentStore } from './store';

/** Three exchanges in two environments at a time; the one that was used longest ago goes first. */
const MAX_STORES = 6;
/** Maximum number of days to look back: on a day without trading the master may be empty, and that of the last trading day is taken. */
const DAYS_BACK = 10;

/**
 * Time at which the master of a day is certainly ready (IST): it is made before the markets open, and an earlier one may still be that of
 * the day before.
 */
const READY_AT = '08:30';
/** Time for which the master of an earlier day serves before the service is asked for today's. */
const EARLIER_SERVES_MS = { onTradingDay: 60_000, otherwise: 10 * 60_000 };
/** Minimum time between two requests for a list, however many searches miss something in it. */
const ASKED_AGAIN_AFTER_MS = 60_000;

interface Entry {
  edition: string;
  store: Promise<InstrumentStore>;
  /** Time of the last request to the service. */
  requestedAt: Moment;
  /** Time at which to request today's master again; undefined if it is there. */
  refetchAt: Moment | undefined;
  /** The pending request for a newer list; it never rejects. */
  refresh?: Promise<InstrumentStore>;
}

/** Returns the edition, which is fetched once: the master of a day before it is certainly ready, and after. */
function editionOf(now: number): string {
  return `${istDate(now)}${istTimeOfDay(now) < READY_AT ? ' early' : ''}`;
}

const entries = new Map<string, Entry>();
/** Result of the trading-day check, by environment, exchange and date. */
const tradingDays = new Map<string, { asked: string; trades: boolean }>();
const MAX_TRADING_DAYS = 2_000;

/** Drops everything that is remembered: for tests, and when memory is wanted back. */
export function forgetInstruments(): void {
  entries.clear();
  tradingDays.clear();
}

/** Fetches the list of one day. @throws as `Transport.stream`, and UnreadableReplyError when the reply is no instrument master. */
export async function instrumentsOn(transport: Transport, exchange: Exchange, date: string): Promise<InstrumentStore> {
  const reply = await transport.stream(endpoints.refdata, { path: { date }, query: { exchange } });
  const parser = new MasterParser();
  for await (const chunk of reply.chunks) parser.push(chunk);
  parser.finish();
  requireAnswer(endpoints.refdata, { path: { date }, query: { exchange } }, { exchange: parser.envelope.exchange });
  if (parser.envelope.exchange === '') parser.envelope.exchange = exchange;
  const store = new InstrumentStore(parser.columns, parser.envelope, date);
  requireDayOf(store);
  return store;
}

/** A list may keep what has expired in the last days, and a few rows that nobody removed: so many, or a share of the contracts. */
const KEPT_EXPIRED_DAYS = 7;
const MAX_EXPIRED = 50;
const MAX_EXPIRED_SHARE = 0.02;

/**
 * Checks that a list is not that of a much earlier day: its contracts show it, as one that has expired is no longer listed. Lots, ticks and
 * ref_ids of such a list would be outdated. @throws MismatchedReplyError that names both days
 */
function requireDayOf(store: InstrumentStore): void {
  const { date, exchange } = store;
  const expiries = store.contractExpiries();
  const first = expiries[Math.max(MAX_EXPIRED, Math.floor(expiries.length * MAX_EXPIRED_SHARE))];
  if (first === undefined || first >= dateToNumber(addDays(date, -KEPT_EXPIRED_DAYS))) return;
  const { method, path } = endpoints.refdata;
  throw mismatchError(
    { reply: 'instrument master', what: 'day' },
    date,
    `${numberToDate(first) ?? first} or before`,
    `${method} ${path}, ${exchange}`,
  );
}

/** Returns the last list before a day, within the days to look back; undefined if there is none. */
async function lastBefore(
  transport: Transport,
  exchange: Exchange,
  today: string,
): Promise<InstrumentStore | undefined> {
  for (let back = 1; back <= DAYS_BACK; back++) {
    const store = await instrumentsOn(transport, exchange, addDays(today, -back));
    if (store.size > 0) return store;
  }
  return undefined;
}

/** True if a list is complete for its day: without derivatives, on a trading day, it is not made yet. */
const isWhole = ({ size, hasDerivatives, isTradingOn }: InstrumentStore): boolean =>
  size > 0 && (hasDerivatives || isTradingOn !== true);

async function downloadToday(transport: Transport, exchange: Exchange, today: string): Promise<InstrumentStore> {
  const store = await instrumentsOn(transport, exchange, today);
  if (store.isTradingOn !== undefined) rememberTradingDay(transport, exchange, today, store.isTradingOn);
  return store;
}

async function load(transport: Transport, exchange: Exchange, today: string): Promise<InstrumentStore> {
  const ofToday = await downloadToday(transport, exchange, today);
  if (isWhole(ofToday)) return ofToday;
  const earlierList = await lastBefore(transport, exchange, today);
  // An exchange that had no derivatives before either has none.
  if (ofToday.size > 0 && earlierList?.hasDerivatives !== true) return ofToday;
  if (earlierList !== undefined) return earlierList;
  throw new UnreadableReplyError(`The service has no instruments of ${exchange} for the last ${DAYS_BACK} days.`, {
    hint: 'Try again later, or ask the broker.',
  });
}

/** Returns true if a list is from an earlier day although the exchange trades today: today's is not there yet. */
export function isOfEarlierDay(transport: Transport, exchange: Exchange, { date }: InstrumentStore): boolean {
  const today = istDate(transport.marketClock.now());
  return date !== today && tradingDays.get(`${transport.baseUrl} ${exchange} ${today}`)?.trades === true;
}

/** Returns the time at which to request a list again, counted from now; undefined for today's. */
function refetchAt(transport: Transport, exchange: Exchange, store: InstrumentStore): Moment | undefined {
  if (store.date === istDate(transport.marketClock.now())) return undefined;
  const { onTradingDay, otherwise } = EARLIER_SERVES_MS;
  return transport.clock.moment(isOfEarlierDay(transport, exchange, store) ? onTradingDay : otherwise);
}

/** Requests today's list, once for all callers. If the request fails or the list is incomplete, the former list stays. */
async function refreshed(
  entry: Entry,
  transport: Transport,
  exchange: Exchange,
  earlierList: InstrumentStore,
): Promise<InstrumentStore> {
  entry.requestedAt = transport.clock.moment();
  entry.refresh ??= attempt(downloadToday(transport, exchange, istDate(transport.marketClock.now()))).then((result) => {
    const isBetter =
      result.ok && result.value.size > 0 && (isWhole(result.value) || earlierList.hasDerivatives !== true);
    const store = isBetter ? result.value : earlierList;
    entry.store = Promise.resolve(store);
    entry.refetchAt = refetchAt(transport, exchange, store);
    entry.refresh = undefined;
    return store;
  });
  return await entry.refresh;
}

/** The entry of an exchange on this day; undefined if nothing was asked for yet. */
function entryOf(transport: Transport, exchange: Exchange): Entry | undefined {
  const edition = editionOf(transport.marketClock.now());
  // Each sandbox has a separate day: another edition is dropped when its own service is asked.
  for (const [other, entry] of entries)
    if (other.startsWith(`${transport.baseUrl} `) && entry.edition !== edition) entries.delete(other);
  const key = `${transport.baseUrl} ${exchange}`;
  const cachedEntry = entries.get(key);
  if (cachedEntry === undefined) return undefined;
  entries.delete(key);
  entries.set(key, cachedEntry);
  return cachedEntry;
}

/** Begins to fetch the list of an exchange; a download that fails is not kept. */
function begin(transport: Transport, exchange: Exchange): Entry {
  const now = transport.marketClock.now();
  const key = `${transport.baseUrl} ${exchange}`;
  const store = load(transport, exchange, istDate(now));
  const entry: Entry = { edition: editionOf(now), store, requestedAt: transport.clock.moment(), refetchAt: undefined };
  entries.set(key, entry);
  store.then(
    (loaded) => void (entry.refetchAt = refetchAt(transport, exchange, loaded)),
    () => {
      if (entries.get(key) === entry) entries.delete(key);
    },
  );
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_STORES) break;
    entries.delete(oldest);
  }
  return entry;
}

/**
 * The instruments of an exchange today (IST), fetched on first use, and again in the morning.
 * @throws as `Transport.stream`, and UnreadableReplyError when the reply is no instrument master.
 */
export async function instrumentsOf(
  transport: Transport,
  exchange: Exchange,
  signal?: AbortSignal,
): Promise<InstrumentStore> {
  const entry = entryOf(transport, exchange) ?? begin(transport, exchange);
  const store = await unlessAborted(entry.store, signal);
  if (entry.refetchAt === undefined || transport.clock.since(entry.refetchAt) < 0) return store;
  return await unlessAborted(refreshed(entry, transport, exchange, store), signal);
}

/**
 * Returns a newer list than one with something missing: a list that has come since, or one requested now. The service is asked at most once
 * a minute for each exchange; only callers that miss something wait for it.
 * @returns undefined if there is no newer one, or it was requested less than a minute ago
 */
export async function newerInstruments(
  transport: Transport,
  exchange: Exchange,
  than: InstrumentStore,
  signal?: AbortSignal,
): Promise<InstrumentStore | undefined> {
  const entry = entryOf(transport, exchange);
  if (entry === undefined) return await instrumentsOf(transport, exchange, signal);
  const current = await unlessAborted(entry.store, signal);
  if (current !== than) return current;
  const isTooSoon = transport.clock.since(entry.requestedAt) < ASKED_AGAIN_AFTER_MS;
  if (isTooSoon && entry.refresh === undefined) return undefined;
  const store = await unlessAborted(entry.refresh ?? refreshed(entry, transport, exchange, current), signal);
  return store === than ? undefined : store;
}

function rememberTradingDay(transport: Transport, exchange: Exchange, date: string, trades: boolean): void {
  if (tradingDays.size >= MAX_TRADING_DAYS) tradingDays.clear();
  tradingDays.set(`${transport.baseUrl} ${exchange} ${date}`, {
    asked: editionOf(transport.marketClock.now()),
    trades,
  });
}

/**
 * Returns true if an exchange trades on a date (YYYY-MM-DD): `is_trading_on` of the instrument master, read from its first bytes. The rest
 * is not fetched. Results of today are remembered.
 */
export async function isTradingDayByMaster(
  transport: Transport,
  exchange: Exchange,
  date: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const tradingDay = tradingDays.get(`${transport.baseUrl} ${exchange} ${date}`);
  if (tradingDay?.asked === editionOf(transport.marketClock.now())) return tradingDay.trades;
  const reply = await transport.stream(endpoints.refdata, { path: { date }, query: { exchange }, signal });
  const parser = new MasterParser();
  let trades: boolean | undefined;
  for await (const chunk of reply.chunks) {
    parser.push(chunk);
    trades = parser.envelope.isTradingOn;
    if (trades !== undefined) break;
  }
  requireAnswer(endpoints.refdata, { path: { date }, query: { exchange } }, { exchange: parser.envelope.exchange });
  if (trades === undefined) {
    throw new UnreadableReplyError(`The service does not say whether ${exchange} trades on ${date}.`, {
      hint: 'Try again later, or choose another date.',
    });
  }
  rememberTradingDay(transport, exchange, date, trades);
  return trades;
}

/** Longest row of days without trading that is believed. */
const MAX_DAYS_OFF = 15;

/** A day, whether the exchange trades on it, and the next trading day. */
export interface TradingDay {
  /** YYYY-MM-DD. */
  date: string;
  exchange: Exchange;
  isTradingDay: boolean;
  /** YYYY-MM-DD. */
  previous: string;
  next: string;
}

async function nearestTradingDay(
  transport: Transport,
  exchange: Exchange,
  date: string,
  step: 1 | -1,
  signal?: AbortSignal,
): Promise<string> {
  for (let count = 1; count <= MAX_DAYS_OFF; count++) {
    const day = addDays(date, step * count);
    if (await isTradingDayByMaster(transport, exchange, day, signal)) return day;
  }
  throw new UnreadableReplyError(
    `The service shows no trading day of ${exchange} within ${MAX_DAYS_OFF} days ${step > 0 ? 'after' : 'before'} ${date}.`,
    {
      hint: 'Its calendar may not reach that far: choose a date nearer to today.',
    },
  );
}

/** Returns whether a date (YYYY-MM-DD) is a trading day, and the trading days next to it. */
export async function tradingDayOf(
  transport: Transport,
  exchange: Exchange,
  date: string,
  signal?: AbortSignal,
): Promise<TradingDay> {
  const [trades, previous, next] = await Promise.all([
    isTradingDayByMaster(transport, exchange, date, signal),
    nearestTradingDay(transport, exchange, date, -1, signal),
    nearestTradingDay(transport, exchange, date, 1, signal),
  ]);
  return { date, exchange, isTradingDay: trades, previous, next };
}
