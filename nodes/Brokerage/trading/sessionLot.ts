/** Lot and tick of an order that waits for the next session: the exchange may change them overnight. */
import { attempt } from '../../../client/attempt';
import { BrokerageError } from '../../../client/base/errors';
import { EXCHANGES, type Instrument } from '../../../client/instruments/instrument';
import { changedLots } from '../../../client/instruments/session-lots';
import { isInHours, nextOpening } from '../../../client/market/calendar/trading-hours';
import { istDate, showDate } from '../../../client/values/time';
import { listOf } from '../../shared/lists';
import { marketDate, tradedInstrument } from '../../shared/lookup';
import type { Service } from '../../shared/service';
import type { ItemContext } from '../common/itemContext';
import { orderContext } from './placement';

/**
 * Returns a contract with the lot and the tick of the session for which an order that is placed or changed now would be. Nothing is asked for while its market is
 * open, nor before the opening of the day, whose list has them.
 */
export async function withSessionLot(instrument: Instrument, item: ItemContext, service: Service): Promise<Instrument> {
  const { kind, refId } = instrument;
  const exchange = EXCHANGES.find((name) => name === instrument.exchange);
  const { transport } = service;
  const now = transport.marketClock.now();
  if (exchange === undefined || (kind !== 'FUT' && kind !== 'OPT') || isInHours(exchange, true, now) !== false)
    return instrument;
  const opens = nextOpening(exchange, now);
  const date = opens === undefined ? marketDate(transport) : istDate(opens);
  if (date === marketDate(transport)) return instrument;
  const { signal } = item.run;
  const listed = await listOf(service, exchange, signal);
  const lots = await attempt(changedLots(transport, exchange, date, listed, signal));
  signal?.throwIfAborted();
  if (!lots.ok) {
    if (!(lots.error instanceof BrokerageError)) throw lots.error;
    service.notify?.(
      `The lots and ticks of ${showDate(date)} are not known: an order that waits for that day is counted with those of today.`,
    );
    return instrument;
  }
  const then = { ...instrument, ...lots.value.get(refId) };
  const isOther = then.lotSize !== instrument.lotSize || then.tickSize !== instrument.tickSize;
  return isOther && (await waits(then, item)) ? then : instrument;
}

/** Returns true if an order of one lot would wait for the next session: a sandbox may trade around the clock. */
async function waits(instrument: Instrument, item: ItemContext): Promise<boolean> {
  const { orders, signal } = await orderContext(item.run);
  const terms = {
    ...({ kind: 'REGULAR', side: 'BUY', priceType: 'MARKET', product: 'CNC', validity: 'DAY' } as const),
    instrument: tradedInstrument(instrument, 'instrument'),
    quantity: instrument.lotSize,
  };
  const preview = await attempt(orders.preview([terms], { withPortfolio: true, signal }));
  signal?.throwIfAborted();
  return preview.ok && preview.value.waits_for_next_session === true;
}
