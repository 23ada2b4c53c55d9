import { InputError } from '../../../client/base/errors';
import type { BasketRecord } from '../../../client/endpoints/baskets';
import type { Instrument } from '../../../client/instruments/instrument';
import type { TradedInstrument } from '../../../client/orders/model/order-terms';
import { exchangeOf, refIdOf } from '../../../client/orders/model/order-record';
import { legsOf } from '../../../client/orders/model/basket-record';
import { instrumentOfRefId, tradedInstrument } from '../../shared/lookup';
import type { Service } from '../../shared/service';

/**
 * The instrument of each leg.
 * @param sessionOf gives a leg the lot of the session that the basket is for; that of today where it is left out.
 * @throws InputError for one that is not in today's list: its tick and lot are not known.
 */
export async function legInstruments(
  basket: BasketRecord,
  service: Service,
  signal?: AbortSignal,
  sessionOf: (instrument: Instrument) => Promise<Instrument> = async (instrument) => await Promise.resolve(instrument),
): Promise<TradedInstrument[]> {
  const instruments: TradedInstrument[] = [];
  for (const leg of legsOf(basket)) {
    const instrument = await instrumentOfRefId(service, refIdOf(leg), exchangeOf(leg), signal);
    if (instrument === undefined)
      throw new InputError(`A leg of the basket (ref_id ${refIdOf(leg)}) is not in today's instrument list.`, {
        parameter: 'basketId',
        hint: 'Its tick and lot size cannot be checked, so nothing was sent.',
      });
    instruments.push(tradedInstrument(await sessionOf(instrument), 'basketId'));
  }
  return instruments;
}
