import type { Instrument } from '../market/reference/types';
import type { ServiceDialect } from '../simulation/dialect';

/**
 * Returns the `stock_name` of records and messages: the trading symbol, or of contracts of MCX the full name, as the live service has it.
 */
export function stockNameByDialect(
  { mcx_stock_name: variant }: Pick<ServiceDialect, 'mcx_stock_name'>,
  { exchange, stockName, platName }: Instrument,
): string {
  return variant === 'full' && exchange === 'MCX' ? platName : stockName;
}
