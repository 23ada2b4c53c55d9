import type { HoldingFields } from '../../../../client/endpoints/portfolio';
import { convertMoney, unpricedFields } from '../../../../client/portfolio/portfolio';
import {
  collection,
  limitOf,
  priceUnitField,
  priceUnitOf,
  returnAllFields,
  simplifyField,
} from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { firstOf, pick } from '../../common/pick';
import { portfolioSource } from '../../common/portfolioSource';

const SIMPLE = [
  'symbol',
  'exchange',
  'qty',
  't1_qty',
  'pledged_qty',
  'avg_price',
  'ltp',
  'ltp_chg',
  'invested_value',
  'current_value',
  'net_pnl',
  'net_pnl_chg',
  'day_pnl',
  'ref_id',
  'supported_exchanges',
] as const satisfies readonly (keyof HoldingFields)[];

export const getHoldings: ItemOperation = {
  name: 'Get Holdings',
  action: 'Get holdings',
  description: 'Get the shares in your account, one item each, with value, profit and loss',
  nothing: 'This account holds no shares. Shares bought today are in Get Positions until the day ends.',
  properties: [...returnAllFields, simplifyField, collection('Options', 'options', [priceUnitField])],
  async execute(item) {
    const unit = priceUnitOf(item);
    const limit = limitOf(item);
    const simplify = item.flag('simplify');
    const { connection } = await item.service();
    const { holdings } = await (await portfolioSource(item)).holdings();
    return firstOf(holdings, limit).map((holding) => {
      const record = convertMoney(unit, holding);
      return item.output({
        ...(simplify ? pick(record, SIMPLE) : record),
        ...unpricedFields(holding),
        environment: connection.environment,
      });
    });
  },
};
