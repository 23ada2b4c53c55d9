import { InputError } from '../../client/base/errors';
import { EXCHANGES, type Instrument } from '../../client/instruments/instrument';
import type { Segment } from '../../client/instruments/names/written-name';
import { resolveRefId, resolvePicked, resolveText } from '../../client/instruments/resolve';
import type { Moment } from '../../client/base/ports';
import type { InstrumentStore } from '../../client/instruments/store';
import type { TradedInstrument } from '../../client/orders/model/order-terms';
import { ENVIRONMENT_NAMES } from '../../client/session/settings';
import type { Transport } from '../../client/transport';
import { istDate } from '../../client/values/time';
import { readInstrument } from './instrumentField';
import { foundOrMissing, findInList, findInLists, listOf, newerLists } from './lists';
import type { Service } from './service';

/** Today in India, YYYY-MM-DD, by the market's clock. */
export const marketDate = ({ marketClock }: Pick<Transport, 'marketClock'>): string => istDate(marketClock.now());

/** Tries the exchange that most mean first, and fetches the instruments of the others only when it does not know. */
async function inAnyExchange(
  service: Service,
  resolve: (stores: InstrumentStore[]) => Instrument,
  signal?: AbortSignal,
): Promise<Instrument> {
  const list = await listOf(service, EXCHANGES[0], signal);
  const first = foundOrMissing(() => resolve([list]), InputError);
  return 'found' in first ? first.found : await findInLists(service, EXCHANGES, resolve, signal);
}

/**
 * The instrument that a field means.
 * @param value of an instrument field, in any of its modes.
 * @param more what else is known of it: whether digits are a ref_id, and the market of a symbol that names none.
 * @throws InputError if there is none, it has expired, several are meant, or it was picked in another environment.
 */
export async function findInstrument(
  service: Service,
  value: unknown,
  parameter: string,
  label: string,
  signal?: AbortSignal,
  more: { isRefId?: boolean; segmentOf?(symbol: string): Segment | undefined } = {},
): Promise<Instrument> {
  const reference = readInstrument(value, parameter, label, more.isRefId);
  const { transport } = service;
  const options = { today: marketDate(transport), now: transport.marketClock.now(), parameter };
  if (reference.by === 'refId') {
    const { refId, exchange, symbol, environment } = reference;
    if (exchange === undefined || symbol === undefined || environment === undefined) {
      return await inAnyExchange(service, (stores) => resolveRefId(stores, refId, options), signal);
    }
    const names = {
      remembered: ENVIRONMENT_NAMES[environment],
      now: ENVIRONMENT_NAMES[service.connection.environment],
    };
    if (names.remembered !== names.now)
      return resolvePicked([], { environment: names.remembered, exchange, refId, symbol }, names.now, options);
    const remembered = { environment: names.remembered, exchange, refId, symbol };
    return await findInList(service, exchange, (list) => resolvePicked([list], remembered, names.now, options), signal);
  }
  const { text } = reference;
  const segment = reference.exchange === undefined ? more.segmentOf?.(text) : undefined;
  const exchange = reference.exchange ?? segment?.exchange;
  const resolve = (stores: InstrumentStore[]): Instrument => resolveText(stores, text, { ...options, segment });
  if (exchange !== undefined) return await findInList(service, exchange, (list) => resolve([list]), signal);
  return await inAnyExchange(service, resolve, signal);
}

/** Until when a ref_id for whose sake a list was asked for again stays unknown, by environment and ref_id. */
const missed = new Map<string, Moment>();
const MAX_MISSED = 10_000;
/** Time for which a ref_id that no list has stays unknown: an old order may name one that is gone. */
const MISSED_FOR_MS = 10 * 60_000;

/** An instrument by the ref_id that the service itself gave; undefined if no exchange has it today. */
export async function instrumentOfRefId(
  service: Service,
  refId: number,
  exchange?: string,
  signal?: AbortSignal,
): Promise<Instrument | undefined> {
  const named = EXCHANGES.find((name) => name === exchange);
  const exchanges = named === undefined ? EXCHANGES : [named];
  const lists: InstrumentStore[] = [];
  for (const name of exchanges) {
    const list = await listOf(service, name, signal);
    const row = list.rowOfRefId(refId);
    if (row >= 0) return list.instrument(row);
    lists.push(list);
  }
  const key = `${service.transport.baseUrl} ${refId}`;
  const { clock } = service.transport;
  const until = missed.get(key);
  if (until !== undefined && clock.since(until) < 0) return undefined;
  const newer = await newerLists(service, exchanges, lists, signal);
  if (newer === undefined) return undefined;
  const list = newer.find((newerList) => newerList.rowOfRefId(refId) >= 0);
  if (list !== undefined) return list.instrument(list.rowOfRefId(refId));
  if (missed.size >= MAX_MISSED) missed.clear();
  missed.set(key, clock.moment(MISSED_FOR_MS));
  return undefined;
}

/** Returns the properties that rules and guards need. @throws InputError for an index, which cannot be traded itself. */
export function tradedInstrument(instrument: Instrument, parameter: string): TradedInstrument {
  if (instrument.kind === 'INDEX') {
    throw new InputError(`${instrument.symbol} is an index, which cannot be traded itself.`, {
      parameter,
      hint: 'Choose one of its futures or options, or an ETF that follows it.',
    });
  }
  const { refId, exchange, symbol, platName, asset, series, tickSize, lotSize, lotMultiplier, freezeQuantity, kind } =
    instrument;
  const derivative = kind === 'FUT' || kind === 'OPT';
  const traded = { refId, exchange, symbol, platName, asset, series, tickSize, lotSize, lotMultiplier, derivative };
  return freezeQuantity > 0 ? { ...traded, freezeQuantity } : traded;
}
