import type { Engine } from './engine';
import { bySymbol } from './parameters';

/** The last price of a share on NSE, rupees, as the node gives it. @throws Error when it gives none. */
export async function lastPrice(engine: Engine, symbol = 'INFY'): Promise<number> {
  const { items, error } = await engine.run({ resource: 'quote', operation: 'getCurrentPrice', ...bySymbol(symbol) });
  if (error !== undefined) throw error;
  return Number(items[0]?.json.price);
}
