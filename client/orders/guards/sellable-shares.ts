/** Number of shares of an account that may be sold now (docs/service/intent-orders.md#authorised-sales). */
import { concurrently } from '../../concurrency';
import type { PlacementContext } from '../account/placement-context';
import type { TradedInstrument } from '../model/order-terms';
import { readAuthorisation, type Authorisation } from './authorised-sales';

/** Maximum number of simultaneous requests about holdings. */
const MAX_AT_ONCE = 4;

/**
 * Asks the service about each holding, by the preview of a sale of one share. Nothing is placed.
 * @returns in the order of the instruments; undefined if the service does not say, as on the older interface
 */
export async function sellableShares(
  instruments: readonly (TradedInstrument | undefined)[],
  context: Pick<PlacementContext, 'orders' | 'signal'>,
): Promise<(Authorisation | undefined)[]> {
  return await concurrently(instruments, MAX_AT_ONCE, async (instrument) =>
    instrument === undefined
      ? undefined
      : await readAuthorisation(
          {
            instrument,
            kind: 'REGULAR',
            side: 'SELL',
            quantity: 1,
            product: 'CNC',
            validity: 'IOC',
            priceType: 'MARKET',
          },
          context,
        ),
  );
}
