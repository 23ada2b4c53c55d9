import { listExpiries } from '../../../../client/instruments/expiries';
import { underlyingSymbol } from '../../../../client/instruments/underlying';
import { firstTradedExpiry } from '../../../../client/market/calendar/trading-hours';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import type { InstrumentStore } from '../../../../client/instruments/store';
import { underlyingField, underlyingOf } from '../../../shared/contractFields';
import { exchangeField } from '../../../shared/fields';
import { findInList } from '../../../shared/lists';
import type { ItemOperation } from '../../common/operation';

export const getExpiries: ItemOperation = {
  name: 'Get Expiries',
  action: 'Get expiries',
  description: "Get the expiry dates of an underlying's options and futures, nearest first, one item each",
  properties: [underlyingField, exchangeField],
  async execute(item) {
    const written = underlyingOf(item);
    const exchange = item.choice('exchange', EXCHANGES);
    const service = await item.service();
    const now = service.transport.marketClock.now();
    const find = (list: InstrumentStore) => {
      const underlying = underlyingSymbol(list, written);
      return listExpiries(list, underlying, firstTradedExpiry(exchange, now)).map((expiry) => ({
        underlying,
        exchange,
        ...expiry,
      }));
    };
    const expiries = await findInList(service, exchange, find, item.run.signal);
    return expiries.map((expiry) => item.output(expiry));
  },
};
