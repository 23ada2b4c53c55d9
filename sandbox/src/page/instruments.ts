import { inSlices } from '../web/chunked-reply';
import { istDate } from '../shared/time';
import type { ExchangeCode, Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';

/** Instruments that the picker shows. */
const FOUND = 20;
/** Instruments that a watchlist may have. */
const MAX_WATCHED = 50;

/** Returns the name of an instrument for people: of a contract its words, with the year where it is not that of the instant; else the symbol. */
export function nameShown({ symbol, displayName, derivativeType }: Instrument, instant: number): string {
  if (derivativeType !== 'FUT' && derivativeType !== 'OPT') return symbol;
  return displayName.replace(` ${istDate(instant).slice(0, 4)} `, ' ');
}

/** An instrument as the page knows it; prices are paise. */
export function instrumentShown({ refId, symbol, exchange, displayName, series, ...rest }: Instrument) {
  return {
    ref_id: refId,
    symbol,
    exchange,
    label: [exchange, series, displayName === symbol ? '' : displayName].filter((part) => part !== '').join(' · '),
    index: rest.derivativeType === 'INDEX',
    derivative: rest.derivativeType === 'FUT' || rest.derivativeType === 'OPT',
    lot_size: rest.lotSize,
    tick_size: rest.tickSize,
  };
}

/** Instruments for the picker: the exact symbol, then symbols that begin so, then those whose symbol and name hold every word. */
export async function searchInstruments(sandbox: Sandbox, requested: string) {
  const expected = requested.trim().toUpperCase();
  const words = expected.split(/\s+/);
  const ranks: Instrument[][] = [[], [], []];
  for await (const instrument of inSlices(sandbox.world.universe().all())) {
    const { symbol } = instrument;
    const holdsWords = () =>
      words.every((word) => symbol.includes(word) || instrument.displayName.toUpperCase().includes(word));
    const rank = symbol === expected ? 0 : symbol.startsWith(expected) ? 1 : holdsWords() ? 2 : 3;
    if (rank < 3 && ranks[rank]!.length < FOUND) ranks[rank]!.push(instrument);
  }
  return ranks.flat().slice(0, FOUND).map(instrumentShown);
}

/** Last prices (paise) of instruments, by names such as NSE:INFY separated by commas. Names of no instrument are left out. */
export function pageQuotes({ world, instant, mirror }: Sandbox, names: string) {
  const universe = world.universe();
  const named = names
    .split(',', MAX_WATCHED)
    .map((name) => name.split(':', 2))
    .map(([exchange, symbol]) => universe.bySymbol(exchange as ExchangeCode, symbol ?? ''))
    .filter((instrument) => instrument !== undefined);
  // Of a live market a price is shown once it has been seen.
  mirror?.watch(named.map(({ refId }) => refId));
  return named
    .filter(({ refId }) => mirror?.hasSeen(refId) ?? true)
    .map((instrument) => ({
      ...instrumentShown(instrument),
      last_price: world.lastPrice(instrument),
      previous_close: world.market.previousClose(instrument, instant),
    }));
}
