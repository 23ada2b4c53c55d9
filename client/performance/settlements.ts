/**
 * Settlement of contracts that expired while they were held. No trade in the tradebook tells of it, so it is worked out from the instrument
 * master of a day on which the contract was listed and the close of its underlying on the day of expiry. Prices are paise.
 */
import { unlessAborted } from '../abortable';
import { attempt } from '../attempt';
import { ForeignReplyError, ServiceError, UnreadableReplyError } from '../base/errors';
import { instrumentsOn } from '../instruments/catalogue';
import type { Exchange, Instrument } from '../instruments/instrument';
import { earliestExpiryOf, isDerivative } from '../instruments/symbol';
import { getCandles } from '../market/candles';
import type { Transport } from '../transport';
import { isCommoditySymbol } from '../values/contract-value';
import { candlePriceIn, type MarketPrice } from '../values/market-price';
import { addDays, istDate, istInstant } from '../values/time';
import type { Fill } from './fills';

/** Settlement of an expired contract. */
export interface Settlement {
  /** Close of the market on the day of expiry, milliseconds. */
  at: number;
  /** Of a worthless option 0. */
  price: number;
  /** Tax on exercise, paise; undefined where one may be due that nothing tells. */
  charges: number | undefined;
}

/** Exchanges whose contracts are settled by the close of a share or an index. */
const EXCHANGES = ['NSE', 'BSE'] as const satisfies readonly Exchange[];
/** Maximum number of instrument masters that are read for one result. */
const MAX_MASTERS = 12;
/** Days before a master within which there is a trading day. */
const DAYS_BACK = 10;
/** An unadjusted close differs from the one in the master of its time by at most this share. */
const MAX_CLOSE_DIFFERENCE = 0.02;
const CLOSE_OF_MARKET = '15:30';

/** A contract of the fills, and the days between which a master lists it for certain. */
export interface ExpiredContract {
  symbol: string;
  tradedOn: string;
  listedUntil: string;
}

/** A contract with the day of the master that lists it, and its underlying. */
interface ListedContract {
  instrument: Instrument & { expiry: string };
  listedOn: string;
  type: 'INDEX' | 'STOCK';
}

/**
 * Returns the contracts of NSE and BSE that can have expired by a day and are open by their trades.
 * @param fills oldest first
 * @param hasPrice returns true for a symbol that the account still shows with a price
 * @param last YYYY-MM-DD
 */
export function expiredContracts(
  fills: readonly Fill[],
  hasPrice: (symbol: string) => boolean,
  last: string,
): ExpiredContract[] {
  const nets = new Map<string, number>();
  const tradedOn = new Map<string, string>();
  for (const { symbol, product, quantity, at } of fills) {
    if (!isDerivative(symbol) || isCommoditySymbol(symbol) || hasPrice(symbol)) continue;
    const key = `${symbol} ${product}`;
    nets.set(key, (nets.get(key) ?? 0) + quantity);
    tradedOn.set(symbol, istDate(at));
  }
  const open = new Set([...nets].flatMap(([key, net]) => (net === 0 ? [] : [key.slice(0, key.indexOf(' '))])));
  return [...open].flatMap((symbol) => {
    const earliest = earliestExpiryOf(symbol);
    const traded = tradedOn.get(symbol)!;
    if (earliest === undefined || earliest > last) return [];
    return [{ symbol, tradedOn: traded, listedUntil: earliest > traded ? earliest : traded }];
  });
}

/**
 * Works out how contracts were settled: those on an index in cash at its close, an option on a share that ended out of the money at nothing.
 * What is delivered, or cannot be told for certain, is left out.
 * @param last day (YYYY-MM-DD) until which an expiry counts
 * @param taxes of the tradebook, by symbol, paise
 * @throws as `Transport.call`, but where the service has no master of a day
 */
export async function settlementsOf(
  transport: Transport,
  contracts: readonly ExpiredContract[],
  { last, taxes, signal }: { last: string; taxes: ReadonlyMap<string, number>; signal?: AbortSignal },
): Promise<Map<string, Settlement>> {
  const settlements = new Map<string, Settlement>();
  let missing = contracts;
  for (const exchange of EXCHANGES) {
    const listed = await listedContracts(transport, exchange, missing, { last, signal });
    for (const type of ['INDEX', 'STOCK'] as const) {
      const same = listed.filter((contract) => contract.type === type);
      if (same.length === 0) continue;
      const closes = await closesOf(transport, exchange, type, same, signal);
      for (const contract of same) {
        const settlement = settlementOf(contract, (date) => closes.get(`${contract.instrument.asset} ${date}`));
        const { symbol } = contract.instrument;
        if (settlement !== undefined)
          settlements.set(symbol, { ...settlement, charges: taxes.get(symbol) ?? settlement.charges });
      }
    }
    missing = missing.filter(({ symbol }) => listed.every(({ instrument }) => instrument.symbol !== symbol));
  }
  return settlements;
}

/** Finds contracts in as few masters as hold them all. */
async function listedContracts(
  transport: Transport,
  exchange: Exchange,
  contracts: readonly ExpiredContract[],
  { last, signal }: { last: string; signal: AbortSignal | undefined },
): Promise<ListedContract[]> {
  const listed: ListedContract[] = [];
  let left = [...contracts];
  for (let read = 0; left.length > 0 && read < MAX_MASTERS; read++) {
    const firstEnd = left.map(({ listedUntil }) => listedUntil).sort()[0]!;
    const within = left.filter(({ tradedOn }) => tradedOn <= firstEnd);
    // A day of trades: there is a master of it.
    const date = within
      .map(({ tradedOn }) => tradedOn)
      .sort()
      .at(-1)!;
    const outcome = await attempt(unlessAborted(instrumentsOn(transport, exchange, date), signal));
    if (!outcome.ok && !isUnknownDay(outcome.error)) throw outcome.error;
    left = left.filter((contract) => !within.includes(contract));
    if (!outcome.ok) continue;
    const store = outcome.value;
    for (const { symbol } of within) {
      const [row, ...others] = store.rowsOfSymbol(symbol);
      if (row === undefined || others.length > 0) continue;
      const instrument = store.instrument(row);
      const { expiry } = instrument;
      if (expiry === null || expiry > last) continue;
      const isIndex = store.rowsOfSymbol(instrument.asset).some((found) => store.kind(found) === 'INDEX');
      listed.push({ instrument: { ...instrument, expiry }, listedOn: date, type: isIndex ? 'INDEX' : 'STOCK' });
    }
  }
  return listed;
}

/** Returns true if an error means that the service has no usable master of a day; not that it, or what lies before it, fails or asks to wait. */
function isUnknownDay(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status !== 429 && error.status < 502;
  return error instanceof UnreadableReplyError && !(error instanceof ForeignReplyError);
}

/** Returns the daily closes of underlyings, by symbol and date, from before their contracts were listed until they expired. */
async function closesOf(
  transport: Transport,
  exchange: Exchange,
  type: 'INDEX' | 'STOCK',
  contracts: readonly ListedContract[],
  signal: AbortSignal | undefined,
): Promise<Map<string, MarketPrice>> {
  const first = contracts.map(({ listedOn }) => listedOn).sort()[0]!;
  const end = contracts
    .map(({ instrument }) => instrument.expiry)
    .sort()
    .at(-1)!;
  const { rows } = await getCandles(transport, {
    exchange,
    type,
    symbols: [...new Set(contracts.map(({ instrument }) => instrument.asset))],
    fields: ['close'],
    interval: '1d',
    from: istInstant(addDays(first, -DAYS_BACK)),
    to: istInstant(addDays(end, 1)),
    unit: 'paise',
    ...(signal && { signal }),
  });
  return new Map(
    rows.flatMap(({ symbol, time, close }) => {
      const price = candlePriceIn(close);
      return price === undefined ? [] : [[`${symbol} ${String(time).slice(0, 10)}`, price]];
    }),
  );
}

function settlementOf(
  { instrument, listedOn, type }: ListedContract,
  closeOn: (date: string) => MarketPrice | undefined,
): Settlement | undefined {
  const { kind, optionType, strikePrice, expiry, underlyingPrevClose } = instrument;
  const close = closeOn(expiry);
  if (close === undefined) return undefined;
  const at = istInstant(expiry, CLOSE_OF_MARKET);
  if (kind === 'FUT') return type === 'INDEX' ? { at, price: close, charges: 0 } : undefined;
  if (optionType === null || strikePrice === null) return undefined;
  const price = Math.max(0, optionType === 'CE' ? close - strikePrice : strikePrice - close);
  if (type === 'INDEX') return { at, price, charges: price === 0 ? 0 : undefined };
  // Candles of a share may be adjusted by a later split or bonus, strikes are not.
  const isUnadjusted = isClose(underlyingPrevClose, lastBefore(listedOn, closeOn));
  return price === 0 && isUnadjusted ? { at, price, charges: 0 } : undefined;
}

/** Returns the last close before a day. */
function lastBefore(date: string, closeOn: (date: string) => MarketPrice | undefined): MarketPrice | undefined {
  for (let back = 1; back <= DAYS_BACK; back++) {
    const close = closeOn(addDays(date, -back));
    if (close !== undefined) return close;
  }
  return undefined;
}

function isClose(known: number, price: MarketPrice | undefined): boolean {
  return known > 0 && price !== undefined && Math.abs(price - known) <= known * MAX_CLOSE_DIFFERENCE;
}
