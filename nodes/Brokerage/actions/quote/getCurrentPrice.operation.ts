import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../../client/base/errors';
import { instrumentName } from '../../../../client/instruments/contract-name';
import {
  getCurrentPrice as readCurrentPrice,
  requireOnePrice,
  type CurrentPrice,
} from '../../../../client/market/quotes';
import { concurrently } from '../../../../client/concurrency';
import { percentText, rupeesText } from '../../../../client/values/amounts';
import { isKnownPrice, priceOrNull } from '../../../../client/values/market-price';
import { exactPaise, paiseTo, type MoneyUnit } from '../../../../client/values/money';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { instrumentField, moreInstrumentsField } from '../../../shared/instrumentField';
import { marketDate } from '../../../shared/lookup';
import type { ParameterReader } from '../../../shared/parameters';
import { MAX_CONCURRENT, type ItemOperation } from '../../common/operation';
import { findInstruments } from '../../common/itemInstrument';
import { isSince12 } from '../../common/version';

const compareWithField: INodeProperties = {
  displayName: 'Compare With',
  name: 'compareWith',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'A price such as a stop loss, your average or a strike. The item then has difference and difference_percent: how far the price is above it (below 0: under it).',
};

/** Returns how far a price is above another, both in paise, in the chosen unit and in percent; null without a price. */
function differenceOf(price: number | null, from: number | undefined, unit: MoneyUnit): object {
  if (from === undefined) return {};
  return {
    difference: price === null ? null : paiseTo(unit, Math.round(price - from)),
    difference_percent: price === null ? null : Math.round((price / from - 1) * 10_000) / 100,
  };
}

/** The price to compare with, paise. @throws InputError if it is no price above 0 */
function comparedPrice(options: ParameterReader, unit: MoneyUnit): number | undefined {
  if (!options.has('compareWith')) return undefined;
  const paise = exactPaise(options.raw('compareWith'), unit, 'compareWith', { label: options.label('compareWith') });
  if (paise > 0) return paise;
  throw new InputError('Compare With must be a price above 0.', {
    parameter: 'compareWith',
    hint: 'Remove it to compare with nothing.',
  });
}

export const getCurrentPrice: ItemOperation = {
  name: 'Get Current Price',
  action: 'Get a current price',
  description:
    'Get the last traded price (LTP), previous close and percent change of one or more instruments or indices, one item each',
  properties: [
    instrumentField,
    collection('Options', 'options', [compareWithField, moreInstrumentsField, priceUnitField]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const compared = comparedPrice(item.group('options'), unit);
    const service = await item.service();
    const { signal } = item.run;
    const instruments = await findInstruments(item, service);
    const quotes = await concurrently(instruments, MAX_CONCURRENT, async (instrument) => ({
      ...(await readCurrentPrice(service.transport, instrument, signal)),
      instrument,
    }));
    requireOnePrice(quotes.map(({ instrument: { symbol }, price }) => ({ symbol, price })));
    const today = marketDate(service.transport);
    return quotes.map(({ instrument, ...quote }) =>
      item.output({
        symbol: instrument.symbol,
        exchange: instrument.exchange,
        price: paiseTo(unit, priceOrNull(quote.price)),
        ...(isKnownPrice(quote.price) ? {} : { no_price_reason: quote.price.none }),
        prev_close: paiseTo(unit, quote.prevClose),
        change_percent: quote.change,
        ...differenceOf(priceOrNull(quote.price), compared, unit),
        ...(isSince12(item) ? { summary: summaryOf(instrumentName(instrument, today), quote) } : {}),
        ...(quote.indicativeClosePrice === undefined
          ? {}
          : { indicative_close_price: paiseTo(unit, quote.indicativeClosePrice) }),
        ref_id: instrument.refId,
        environment: service.connection.environment,
      }),
    );
  },
};

/** Returns a sentence for a message: `INFY is at ₹1,481.00 (+0.53% since the previous close).` */
function summaryOf(name: string, { price, change }: CurrentPrice): string {
  if (!isKnownPrice(price)) return `The price of ${name} is not known: ${price.none}`;
  return `${name} is at ${rupeesText(price)}${change === null ? '' : ` (${percentText(change)} since the previous close)`}.`;
}
