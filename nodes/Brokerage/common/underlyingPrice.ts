import { instrumentsOf } from '../../../client/instruments/catalogue';
import { derivativeRows } from '../../../client/instruments/expiries';
import type { Exchange } from '../../../client/instruments/instrument';
import { underlyingSymbol } from '../../../client/instruments/underlying';
import { getCurrentPrice } from '../../../client/market/quotes';
import type { ItemContext } from './itemContext';
import { today } from '../../shared/lookup';

/** The price of an underlying, paise; a commodity has none but that of its nearest future. */
export async function underlyingPrice(item: ItemContext, underlying: string, exchange: Exchange): Promise<number> {
  const { transport } = await item.service();
  const { signal } = item.run;
  const store = await instrumentsOf(transport, exchange, signal);
  const [future] = exchange === 'MCX' ? derivativeRows(store, underlying, 'FUT', today()) : [];
  const instrument =
    future === undefined ? { symbol: underlyingSymbol(store, underlying), exchange } : store.instrument(future);
  return (await getCurrentPrice(transport, instrument, signal)).price;
}
