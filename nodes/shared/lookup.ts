import { InputError } from '../../client/base/errors';
import { instrumentsOf, instrumentsOfAll } from '../../client/instruments/catalogue';
import { EXCHANGES, type Exchange, type Instrument } from '../../client/instruments/instrument';
import { resolveRefId, resolveRemembered, resolveText } from '../../client/instruments/resolve';
import type { InstrumentStore } from '../../client/instruments/store';
import type { TradedInstrument } from '../../client/orders/model/order-terms';
import { ENVIRONMENT_NAMES } from '../../client/session/settings';
import type { Transport } from '../../client/transport';
import { istDate } from '../../client/values/time';
import { readInstrument } from './instrumentField';
import type { Service } from './service';

/** Today in India, YYYY-MM-DD, by the market's clock. */
export const today = ({ marketClock }: Pick<Transport, 'marketClock'>): string => istDate(marketClock.now());

/** Tries the exchange that most mean first, and fetches the instruments of the others only when it does not know. */
async function inAnyExchange(
  service: Service,
  resolve: (stores: InstrumentStore[]) => Instrument,
  signal?: AbortSignal,
): Promise<Instrument> {
  const first = await instrumentsOf(service.transport, EXCHANGES[0], signal);
  return attempt(() => resolve([first])) ?? resolve(await instrumentsOfAll(service.transport, EXCHANGES, signal));
}

/** What a lookup finds; undefined when it finds nothing. Anything but "not found" is thrown on. */
function attempt(resolve: () => Instrument): Instrument | undefined {
  try {
    return resolve();
  } catch (error) {
    return undefinedFor(error);
  }
}

function undefinedFor(error: unknown): undefined {
  if (!(error instanceof InputError)) throw error;
}

/**
 * The instrument that a field means.
 * @param value of an instrument field, in any of its modes.
 * @param more what else is known of it: whether digits are a ref_id, and the exchange of a symbol that names none.
 * @throws InputError when there is none, it has expired, several are meant, or it was picked in another environment.
 */
export async function findInstrument(
  service: Service,
  value: unknown,
  parameter: string,
  label: string,
  signal?: AbortSignal,
  more: { isRefId?: boolean; exchangeOf?(symbol: string): Exchange | undefined } = {},
): Promise<Instrument> {
  const reference = readInstrument(value, parameter, label, more.isRefId);
  const options = { today: today(service.transport), parameter };
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
      return resolveRemembered([], { environment: names.remembered, exchange, refId, symbol }, names.now, options);
    const store = await instrumentsOf(service.transport, exchange, signal);
    return resolveRemembered([store], { environment: names.remembered, exchange, refId, symbol }, names.now, options);
  }
  const { text, exchange = more.exchangeOf?.(text) } = reference;
  if (exchange !== undefined)
    return resolveText([await instrumentsOf(service.transport, exchange, signal)], text, options);
  return await inAnyExchange(service, (stores) => resolveText(stores, text, options), signal);
}

/** An instrument by the ref_id that the service itself gave; undefined when no exchange has it today. */
export async function instrumentOfRefId(
  service: Service,
  refId: number,
  exchange?: string,
  signal?: AbortSignal,
): Promise<Instrument | undefined> {
  const named = EXCHANGES.find((name) => name === exchange);
  for (const name of named === undefined ? EXCHANGES : [named]) {
    const store = await instrumentsOf(service.transport, name, signal);
    const row = store.rowOfRefId(refId);
    if (row >= 0) return store.instrument(row);
  }
  return undefined;
}

/** What rules and guards must know. @throws InputError for an index, which cannot be traded itself. */
export function tradedInstrument(instrument: Instrument, parameter: string): TradedInstrument {
  if (instrument.kind === 'INDEX') {
    throw new InputError(`${instrument.symbol} is an index, which cannot be traded itself.`, {
      parameter,
      hint: 'Choose one of its futures or options, or an ETF that follows it.',
    });
  }
  const { refId, exchange, symbol, platName, asset, tickSize, lotSize, lotMultiplier, kind } = instrument;
  const derivative = kind === 'FUT' || kind === 'OPT';
  return { refId, exchange, symbol, platName, asset, tickSize, lotSize, lotMultiplier, derivative };
}
