import { collection, priceUnitField, priceUnitOf, simplifyField } from '../../../shared/fields';
import { instrumentField } from '../../../shared/instrumentField';
import type { ItemOperation } from '../../common/operation';
import { instrumentOutput } from './output';
import { instrumentOf } from '../../common/itemInstrument';

export const get: ItemOperation = {
  name: 'Get',
  action: 'Get an instrument',
  description:
    'Get one instrument by its symbol, its contract (such as NIFTY 26NOV 24500 CE) or its ref_id: lot size, tick size, expiry, strike',
  properties: [instrumentField, simplifyField, collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const simplify = item.flag('simplify');
    const service = await item.service();
    const instrument = await instrumentOf(item, service);
    return [item.output(instrumentOutput(instrument, { unit, simplify, environment: service.connection.environment }))];
  },
};
