import { clock } from '../../../host/clock';
import { concurrently } from '../../../../client/concurrency';
import type { Instrument } from '../../../../client/instruments/instrument';
import { getCurrentPrice, requireOnePrice } from '../../../../client/market/quotes';
import { priceOutput, type PriceSnapshot } from '../../../../client/stream/market-data/market-output';
import { streamedPrices } from '../../../../client/stream/market-data/price-snapshot';
import { accountKey, sharedMarketData } from '../../../shared/feeds';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { instrumentField, moreInstrumentsField } from '../../../shared/instrumentField';
import { MAX_CONCURRENT, type ItemOperation } from '../../common/operation';
import { findInstruments } from '../../common/itemInstrument';
import type { Service } from '../../../shared/service';

export const getLiveSnapshot: ItemOperation = {
  name: 'Get Live Snapshot',
  action: 'Get a live snapshot',
  description:
    'Get the prices of many instruments at once, one item each: from the live stream where a trigger keeps it open, otherwise over REST',
  properties: [instrumentField, collection('Options', 'options', [moreInstrumentsField, priceUnitField])],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const service = await item.service();
    const { signal } = item.run;
    const instruments = await findInstruments(item, service);
    const market = sharedMarketData.opened(accountKey(service.credential));
    const streamed = market && (await streamedPrices(market, instruments, clock, signal));
    const ticks = await concurrently(
      instruments,
      MAX_CONCURRENT,
      async (instrument) => streamed?.get(instrument.refId) ?? (await askedPrice(service, instrument, signal)),
    );
    requireOnePrice(ticks.map(({ instrument: { symbol }, lastPrice }) => ({ symbol, price: lastPrice })));
    return ticks.map((tick) =>
      item.output({ ...priceOutput(tick, unit), environment: service.connection.environment }),
    );
  },
};

async function askedPrice(
  { transport }: Service,
  instrument: Instrument,
  signal: AbortSignal | undefined,
): Promise<PriceSnapshot> {
  const at = transport.marketClock.now();
  const { price, prevClose } = await getCurrentPrice(transport, instrument, signal);
  const unreported = { dayHigh: null, dayLow: null, volume: null, openInterest: null };
  return { instrument, lastPrice: price, previousClose: prevClose, at, source: 'rest', ...unreported };
}
