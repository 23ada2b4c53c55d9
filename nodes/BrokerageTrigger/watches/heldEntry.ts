/** At what price, and since when, something is held. */
import { InputError } from '../../../client/base/errors';
import { isOrderOf } from '../../../client/closing/traded-quantity';
import { filledQuantityOf, productOf } from '../../../client/orders/model/order-record';
import { getHoldings, getPositions } from '../../../client/portfolio/portfolio';
import type { MarketInstrument } from '../../../client/stream/market-data/market-data';
import type { Json } from '../../../client/values/json';
import { numberFrom, numberIn } from '../../../client/values/record';
import { istDate, istInstant, nanosToMs } from '../../../client/values/time';
import { accountOf } from '../../shared/accountApi';
import type { TriggerService } from '../context/triggerService';

/** The entry into what is held. */
export interface HeldEntry {
  /** The average price, paise. */
  price: number;
  /** Time of today's first order in it, or the beginning of today if it is held from an earlier day; milliseconds. */
  since: number;
}

/**
 * The entry into what is held of an instrument: of a position, otherwise of a holding.
 * @throws InputError if nothing is held; any error of the reads.
 */
export async function readHeldEntry(
  service: TriggerService,
  { refId, symbol }: Pick<MarketInstrument, 'refId' | 'symbol'>,
  signal: AbortSignal,
): Promise<HeldEntry> {
  const { transport } = service;
  const { apiKind, orders } = accountOf(service);
  const paths = await apiKind(signal);
  const today = istInstant(istDate(transport.marketClock.now()));
  const isHeld = (record: { ref_id?: Json; qty?: Json }): boolean =>
    numberFrom(record.ref_id) === refId && numberFrom(record.qty) !== 0;
  const position = (await getPositions(transport, signal, paths)).positions.find(isHeld);
  const held = position ?? (await getHoldings(transport, signal, paths)).holdings.find(isHeld);
  const price = held === undefined ? null : numberIn(held, 'avg_price');
  if (price === null || price <= 0)
    throw new InputError(
      `You hold no ${symbol}, or its average price is not told: there is no entry to measure from.`,
      {
        parameter: 'since',
        hint: 'Buy it first, or set Since to Publication or A Time.',
      },
    );
  const times = (await orders.list(signal))
    .filter((order) => isOrderOf(order, { refId, product: productOf(order) ?? '' }) && filledQuantityOf(order) > 0)
    .map(({ order_time: time }) => nanosToMs(time))
    .filter((time) => time !== null);
  return {
    price,
    since: position === undefined ? today : Math.max(today, times.length === 0 ? today : Math.min(...times)),
  };
}
