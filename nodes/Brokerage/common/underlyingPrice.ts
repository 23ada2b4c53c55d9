import { futuresRows } from '../../../client/instruments/expiries';
import type { Exchange } from '../../../client/instruments/instrument';
import { underlyingSymbol } from '../../../client/instruments/underlying';
import type { MarketPrice } from '../../../client/values/market-price';
import { getLastPrice } from '../../../client/market/quotes';
import type { ItemContext } from './itemContext';
import { listOf } from '../../shared/lists';

const NEED = {
  purpose: 'to count strikes from',
  parameter: 'underlying',
  hint: 'Try again when it has traded, or choose the option by its name.',
};

/**
 * The price of an underlying; a commodity has none but that of its nearest future.
 * @throws NoPriceError if it has none: no strike is found from it.
 */
export async function underlyingPrice(item: ItemContext, underlying: string, exchange: Exchange): Promise<MarketPrice> {
  const service = await item.service();
  const { signal } = item.run;
  const store = await listOf(service, exchange, signal);
  const symbol = underlyingSymbol(store, underlying);
  const [future] = exchange === 'MCX' ? futuresRows(store, symbol, service.transport.marketClock.now()) : [];
  const instrument = future === undefined ? { symbol, exchange } : store.instrument(future);
  return await getLastPrice(service.transport, instrument, NEED, signal);
}
