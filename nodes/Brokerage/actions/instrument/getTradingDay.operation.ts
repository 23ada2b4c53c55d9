import { tradingDayOf } from '../../../../client/instruments/catalogue';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import { exchangeField } from '../../../shared/fields';
import { marketDate } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';

export const getTradingDay: ItemOperation = {
  name: 'Get Trading Day',
  action: 'Get a trading day',
  description: 'Check whether a day is a trading day, and get the trading days before and after it',
  properties: [
    exchangeField,
    {
      displayName: 'Date',
      name: 'date',
      type: 'dateTime',
      default: '',
      description: 'The day (IST). Empty means today.',
    },
  ],
  async execute(item) {
    const exchange = item.choice('exchange', EXCHANGES);
    const given = item.has('date') ? item.date('date') : undefined;
    const { transport } = await item.service();
    const date = given ?? marketDate(transport);
    const day = await tradingDayOf(transport, exchange, date, item.run.signal);
    return [
      item.output({
        date: day.date,
        exchange,
        is_trading_day: day.isTradingDay,
        previous_trading_day: day.previous,
        next_trading_day: day.next,
      }),
    ];
  },
};
