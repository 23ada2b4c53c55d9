import { InputError } from '../../../../client/base/errors';
import { bookFigures, getOrderBook as readOrderBook, type BookLevel } from '../../../../client/market/quotes';
import { paiseTo } from '../../../../client/values/money';
import { nanosToIst } from '../../../../client/values/time';
import { collection, priceUnitField, priceUnitOf } from '../../../shared/fields';
import { instrumentField } from '../../../shared/instrumentField';
import type { ItemOperation } from '../../common/operation';
import { instrumentOf } from '../../common/itemInstrument';

const MAX_LEVELS = 20;

export const getOrderBook: ItemOperation = {
  name: 'Get Order Book',
  action: 'Get an order book',
  description:
    'Get the market depth: bids and offers level by level, with the spread and the imbalance between buyers and sellers',
  properties: [
    instrumentField,
    {
      displayName: 'Levels',
      name: 'levels',
      type: 'number',
      typeOptions: { minValue: 1, maxValue: MAX_LEVELS },
      default: 5,
      description: 'How many price levels to get on each side',
    },
    collection('Options', 'options', [priceUnitField]),
  ],
  concurrent: true,
  async execute(item) {
    const unit = priceUnitOf(item);
    const levels = item.whole('levels', { min: 1, max: MAX_LEVELS });
    const service = await item.service();
    const { signal } = item.run;
    const instrument = await instrumentOf(item, service);
    if (instrument.kind === 'INDEX') {
      throw new InputError(`${instrument.symbol} is an index, which has no order book.`, {
        parameter: 'instrument',
        hint: 'Get Current Price gives its value. Choose one of its futures or options for an order book.',
      });
    }
    const book = await readOrderBook(service.transport, instrument.refId, levels, signal);
    const figures = bookFigures(book);
    const side = (list: BookLevel[]) =>
      list.map(({ price, quantity, orders }) => ({ price: paiseTo(unit, price), quantity, orders }));
    return [
      item.output({
        symbol: instrument.symbol,
        exchange: instrument.exchange,
        ref_id: instrument.refId,
        last_price: paiseTo(unit, book.lastPrice),
        ...(book.lastPrice === null ? { no_price_reason: 'the service gives no last price' } : {}),
        last_quantity: book.lastQuantity,
        volume: book.volume,
        best_bid: paiseTo(unit, book.bids[0]?.price ?? null),
        best_ask: paiseTo(unit, book.asks[0]?.price ?? null),
        spread: paiseTo(unit, figures.spread),
        mid: paiseTo(unit, figures.mid),
        bid_quantity: figures.bidQuantity,
        ask_quantity: figures.askQuantity,
        imbalance: figures.imbalance,
        time: book.time,
        time_ist: nanosToIst(book.time),
        bids: side(book.bids),
        asks: side(book.asks),
        environment: service.connection.environment,
      }),
    ];
  },
};
