/**
 * Sales of shares out of the demat account. They need the holder's authorisation at the depository, for the day (eDIS) or once for all (DDPI);
 * without it the exchange side rejects them (docs/service/intent-orders.md#authorised-sales).
 */
import { attempt } from '../../attempt';
import type { PlacementContext } from '../account/placement-context';
import type { OrderTerms } from '../model/order-terms';
import { guardError } from './guard-refusal';

/** Units. */
export interface Authorisation {
  /** Quantity that may be sold now. */
  sellable: number;
  /** Held quantity that waits for the holder's authorisation; undefined if unknown. */
  waiting: number | undefined;
}

/** Returns true if an order sells shares for delivery. */
export function isDeliverySale({ side, product, instrument }: OrderTerms): boolean {
  return side === 'SELL' && product === 'CNC' && !instrument.derivative;
}

/**
 * Asks the service for the shares that may be sold now.
 * @returns undefined if it does not say, or cannot right now: then its own check of the order decides.
 */
export async function readAuthorisation(
  terms: OrderTerms,
  { orders, signal }: Pick<PlacementContext, 'orders' | 'signal'>,
): Promise<Authorisation | undefined> {
  const authorisation = await attempt(
    (async () =>
      (await orders.reportsAuthorisation(signal))
        ? await orders.preview([terms], { withPortfolio: true, signal })
        : {})(),
  );
  signal?.throwIfAborted();
  const { sellable_quantity: sellable, unauthorised_quantity: waiting } = authorisation.ok ? authorisation.value : {};
  if (typeof sellable !== 'number') return undefined;
  return { sellable, waiting: typeof waiting === 'number' ? waiting : undefined };
}

/** @throws InputError (guard `refuseUnauthorisedSales`) where more is sold than may be sold now. */
export function requireAuthorised(
  { quantity, instrument }: OrderTerms,
  authorisation: Authorisation | undefined,
): void {
  if (authorisation === undefined || quantity <= authorisation.sellable) return;
  const { sellable, waiting } = authorisation;
  const may = `Of ${quantity} ${instrument.symbol} ${sellable === 0 ? 'none' : `only ${sellable}`} may be sold now`;
  if (waiting === 0)
    throw guardError(
      'refuseUnauthorisedSales',
      `${may}: you do not hold more that is free to sell.`,
      'Nothing was sent. Reduce the quantity. To sell short for the day, set Product to Intraday. The guard is in the credential.',
    );
  throw guardError(
    'refuseUnauthorisedSales',
    `${may}${waiting === undefined ? '' : `, and ${waiting} wait for your authorisation at the depository`}.`,
    "Nothing was sent. Authorise the sale in your broker's app (for the day), or sign a DDPI with the broker (once for all); or sell fewer. The guard is in the credential.",
  );
}
