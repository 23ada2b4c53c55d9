import { modifyBasket } from '../../../../client/orders/basket-change';
import { shown } from '../../../../client/orders/order-interface';
import { isIntent } from '../../../../client/orders/record';
import { getBasket } from '../../../../client/orders/wait';
import { simplifyField, updateFields } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';
import { changeContext, changeFields } from '../order/change';
import { exitTimeField } from '../order/exitFields';
import { quantityField, quantityUnitField } from '../order/fields';
import { roundingOf } from '../order/priceTerms';
import { basketChangeOf, removeField } from './basketChange';
import {
  basketExitsInField,
  basketGoodTillField,
  basketIdField,
  basketTrailingField,
  limitPriceField,
  stopLossField,
  targetField,
} from './fields';
import { legInstruments } from './legInstruments';
import { basketOutput } from './output';

export const modify: ItemOperation = {
  name: 'Modify',
  action: 'Modify a basket',
  description: 'Change the limit, quantity or exits of a basket that was placed. Only with intent orders.',
  properties: [
    basketIdField,
    updateFields([
      basketExitsInField,
      exitTimeField,
      basketGoodTillField,
      limitPriceField,
      {
        ...quantityField,
        description:
          'New number of units (or lots, as set in Quantity In) of which each leg trades its ratio: 130 for two lots of 65. Only before it has entered.',
      },
      quantityUnitField,
      removeField,
      stopLossField,
      targetField,
      basketTrailingField,
    ]),
    simplifyField,
    ...changeFields,
  ],
  async execute(item) {
    const basketId = item.identifier('basketId');
    const { service, context, output, guards, waitMs } = await changeContext(item);
    const basket = await getBasket(basketId, context);
    // What no basket of this interface can do is told before anything else that may be wrong.
    if (!isIntent(basket)) context.baskets.modify(basket, {});
    const instruments = await legInstruments(basket, service, context.signal);
    const { unit, environment } = output;
    const change = basketChangeOf(item.group('updateFields'), basket, instruments, {
      unit,
      rounding: roundingOf(item),
    });
    const result = await modifyBasket({ basket, instruments, change, guards, unit, waitMs }, context);
    if ('endpoint' in result)
      return [item.output({ dry_run: true, basket_id: basketId, would_send: shown(result), environment })];
    return [item.output({ ...basketOutput(result.basket, output), result: result.result })];
  },
};
