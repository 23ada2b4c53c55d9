/**
 * The instruments of each exchange, fetched once a day for the whole process and shared by everything in it: one
 * download at a time, dropped when the day ends, bounded in number.
 */
import type { Moment } from '../base/ports';
import { endpoints } from '../endpoints';
import { UnreadableReplyError } from '../base/errors';
import { requireAnswer } from '../reply-gate';
import type { Transport } from '../transport';
import { addDays, istDate, istTimeOfDay } from '../values/time';
import { unlessAborted } from '../abortable';
import type { Exchange } from './instrument';
import { MasterParser } from './parser';
import { InstrumentStore } from './store';

/** Three exchanges in two environments at a time; the one that was used longest ago goes first. */
const MAX_STORES = 6;
/** On a day without trading the master may be empty: then that of the last day with one is taken. */
const DAYS_BACK = 10;

/** The master of a day is made before the markets open (IST): what is fetched earlier may still be that of the day before. */
const READY_AT = '08:30';
/** How long the master of an earlier day serves before the service is asked whether that of today is there. */
const EARLIER_SERVES_MS = 10 * 60_000;

interface Entry {
  edition: string;
  store: Promise<InstrumentStore>;
  /** When to ask for the master of today again; undefined when it is there. */
  refetchAt: Moment | undefined;
}

/** What is fetched once: the master of a day before it is sure to be ready, and after. */
function editionOf(now: number): string {
  return `${istDate(now)}${istTimeOfDay(now) < READY_AT ? ' early' : ''}`;
}

const entries = new Map<string, Entry>();
/** Whether an exchange trades on a date, by environment, exchange and date. */
const tradingDays = new Map<string, { asked: string; trades: boolean }>();
const MAX_TRADING_DAYS = 2_000;

/** Drops everything that is remembered: for tests, and when memory is wanted back. */
export function forgetInstruments(): void {
  entries.clear();
  tradingDays.clear();
}

async function download(transport: Transport, exchange: Exchange, date: string): Promise<InstrumentStore> {
  const reply = await transport.stream(endpoints.refdata, { path: { date }, query: { exchange } });
  const parser = new MasterParser();
  for await (const chunk of reply.chunks) parser.push(chunk);
  parser.finish();
  requireAnswer(endpoints.refdata, { path: { date }, query: { exchange } }, { exchange: parser.envelope.exchange });
  if (parser.envelope.exchange === '') parser.envelope.exchange = exchange;
  return new InstrumentStore(parser.columns, parser.envelope, date);
}

async function load(transport: Transport, exchange: Exchange, today: string): Promise<InstrumentStore> {
  for (let back = 0; back <= DAYS_BACK; back++) {
    const store = await download(transport, exchange, addDays(today, -back));
    if (back === 0 && store.isTradingOn !== undefined)
      rememberTradingDay(transport, exchange, today, store.isTradingOn);
    if (store.size > 0) return store;
  }
  throw new UnreadableReplyError(`The service has no instruments of ${exchange} for the last ${DAYS_BACK} days.`, {
    hint: 'Try again later, or ask the broker.',
  });
}

/** Notes what the download gives: a failed one is not kept, and the master of an earlier day not for long. */
function keep(entry: Entry, key: string, { clock, marketClock }: Transport, store: Promise<InstrumentStore>): void {
  entry.store = store;
  entry.refetchAt = undefined;
  store.then(
    ({ date }) => {
      if (date !== istDate(marketClock.now())) entry.refetchAt = clock.moment(EARLIER_SERVES_MS);
    },
    () => {
      if (entries.get(key) === entry) entries.delete(key);
    },
  );
}

/** The master of today where it has come by now, else the earlier one. */
async function newerThan(
  earlier: Promise<InstrumentStore>,
  transport: Transport,
  exchange: Exchange,
  today: string,
): Promise<InstrumentStore> {
  const store = await download(transport, exchange, today);
  return store.size > 0 ? store : await earlier;
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
  const now = transport.marketClock.now();
  const [today, edition] = [istDate(now), editionOf(now)];
  const key = `${transport.baseUrl} ${exchange}`;
  // Each sandbox has a day of its own: what is of another edition is dropped where its own service is asked.
  for (const [other, entry] of entries)
    if (other.startsWith(`${transport.baseUrl} `) && entry.edition !== edition) entries.delete(other);
  const known = entries.get(key);
  if (known !== undefined) {
    entries.delete(key);
    entries.set(key, known);
    if (known.refetchAt !== undefined && transport.clock.since(known.refetchAt) >= 0)
      keep(known, key, transport, newerThan(known.store, transport, exchange, today));
    return await unlessAborted(known.store, signal);
  }
  const store = load(transport, exchange, today);
  const entry: Entry = { edition, store, refetchAt: undefined };
  entries.set(key, entry);
  keep(entry, key, transport, store);
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_STORES) break;
    entries.delete(oldest);
  }
  return await unlessAborted(entry.store, signal);
}

/** The instruments of several exchanges, in their order. */
export async function instrumentsOfAll(
  transport: Transport,
  exchanges: readonly Exchange[],
  signal?: AbortSignal,
): Promise<InstrumentStore[]> {
  return await Promise.all(exchanges.map((exchange) => instrumentsOf(transport, exchange, signal)));
}

function rememberTradingDay(transport: Transport, exchange: Exchange, date: string, trades: boolean): void {
  if (tradingDays.size >= MAX_TRADING_DAYS) tradingDays.clear();
  tradingDays.set(`${transport.baseUrl} ${exchange} ${date}`, {
    asked: editionOf(transport.marketClock.now()),
    trades,
  });
}

/**
 * Whether an exchange trades on a date (YYYY-MM-DD): `is_trading_on` of the instrument master, read from its first
 * bytes; the rest is not fetched. What was asked today is remembered.
 */
export async function isTradingDayByMaster(
  transport: Transport,
  exchange: Exchange,
  date: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const known = tradingDays.get(`${transport.baseUrl} ${exchange} ${date}`);
  if (known?.asked === editionOf(transport.marketClock.now())) return known.trades;
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

/** Whether an exchange trades on a day, and when it does next. */
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

/** Whether a date (YYYY-MM-DD) is a trading day, and the trading days next to it. */
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
