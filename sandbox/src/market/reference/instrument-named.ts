import type { ExchangeCode, Instrument, Universe } from './types';

/** An instrument by its trading symbol, or by its full name, as futures of MCX are called (docs/service/instruments.md#names-for-prices). */
export function instrumentNamed(
  universe: Pick<Universe, 'bySymbol' | 'byPlatName'>,
  exchange: ExchangeCode,
  name: string,
): Instrument | undefined {
  return universe.bySymbol(exchange, name) ?? universe.byPlatName(exchange, name);
}
