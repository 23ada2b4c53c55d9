import { instrumentsOf } from '../../../../client/instruments/catalogue';
import { listExpiries } from '../../../../client/instruments/expiries';
import { underlyingSymbol } from '../../../../client/instruments/underlying';
import { EXCHANGES } from '../../../../client/instruments/instrument';
import { underlyingField, underlyingOf } from '../../../shared/contractFields';
import { exchangeField } from '../../../shared/fields';
import { today } from '../../../shared/lookup';
import type { ItemOperation } from '../../common/operation';

export const getExpiries: ItemOperation = {
  name: 'Get Expiries',
  action: 'Get expiries',
  description: "Get the expiry dates of an underlying's options and futures, nearest first, one item each",
  properties: [underlyingField, exchangeField],
  async execute(item) {
    const written = underlyingOf(item);
    const exchange = item.choice('exchange', EXCHANGES);
    const { transport } = await item.service();
    const store = await instrumentsOf(transport, exchange, item.run.signal);
    const underlying = underlyingSymbol(store, written);
    return listExpiries(store, underlying, today(transport)).map((expiry) =>
      item.output({ underlying, exchange, ...expiry }),
    );
  },
};
