import {
  getCurrentPrice as readCurrentPrice,
  requireOnePrice,
  type CurrentPrice,
} from '../../../../client/market/quotes';
import { concurrently } from '../../../../client/concurrency';
import { percentText, rupeesText } from '../../../../client/values/amounts';
import { isKnownPrice, priceOrNull } from '../../../../client/values/market-price';
import { paiseTo } from '../../../../client/values/money';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { instrumentField, moreInstrumentsField } from '../../../shared/instrumentField';
import { MAX_CONCURRENT, type ItemOperation } from '../../common/operation';
import { findInstruments } from '../../common/itemInstrument';
import { isSince12 } from '../../common/version';

export const getCurrentPrice: ItemOperation = {
  name: 'Get Current Price',
  action: 'Get a current price',
  description:
    'Get the last traded price (LTP), previous close and percent change of one or more instruments or indices, one item each',
  properties: [instrumentField, collection('Options', 'options', [moreInstrumentsField, priceUnitField])],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const service = await item.service();
    const { signal } = item.run;
    const instruments = await findInstruments(item, service);
    const quotes = await concurrently(instruments, MAX_CONCURRENT, async (instrument) => ({
      ...(await readCurrentPrice(service.transport, instrument, signal)),
      instrument,
    }));
    requireOnePrice(quotes.map(({ instrument: { symbol }, price }) => ({ symbol, price })));
    return quotes.map(({ instrument: { symbol, exchange, refId }, ...quote }) =>
      item.output({
        symbol,
        exchange,
        price: paiseTo(unit, priceOrNull(quote.price)),
        ...(isKnownPrice(quote.price) ? {} : { no_price_reason: quote.price.none }),
        prev_close: paiseTo(unit, quote.prevClose),
        change_percent: quote.change,
        ...(isSince12(item) ? { summary: summaryOf(symbol, quote) } : {}),
        ...(quote.indicativeClosePrice === undefined
          ? {}
          : { indicative_close_price: paiseTo(unit, quote.indicativeClosePrice) }),
        ref_id: refId,
        environment: service.connection.environment,
      }),
    );
  },
};

/** Returns a sentence for a message: `INFY is at ₹1,481.00 (+0.53% since the previous close).` */
function summaryOf(symbol: string, { price, change }: CurrentPrice): string {
  if (!isKnownPrice(price)) return `The price of ${symbol} is not known: ${price.none}`;
  return `${symbol} is at ${rupeesText(price)}${change === null ? '' : ` (${percentText(change)} since the previous close)`}.`;
}
