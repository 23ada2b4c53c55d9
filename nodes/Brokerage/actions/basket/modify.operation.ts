import type { INodeProperties } from 'n8n-workflow';
import { modifyBasket } from '../../../../client/orders/basket-change';
import { isDryRun } from '../../../../client/orders/guard-settings';
import { shown } from '../../../../client/orders/order-interface';
import { isIntent } from '../../../../client/orders/record';
import { getBasket } from '../../../../client/orders/wait';
import { collection, priceUnitField, simplifyField } from '../../common/fields';
import type { ItemOperation } from '../../common/operation';
import { requireAllowed, waitMsOf } from '../order/change';
import { exitTimeField } from '../order/exitFields';
import { quantityField, quantityUnitField, waitSecondsField } from '../order/fields';
import { outputOptions } from '../order/output';
import { placementContext } from '../order/placement';
import { roundToTickField } from '../order/priceFields';
import { roundingOf } from '../order/priceTerms';
import { guardsOf, safetyField } from '../order/safety';
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

const optional = (field: INodeProperties): INodeProperties => ({
  ...field,
  required: undefined,
  displayOptions: undefined,
});

export const modify: ItemOperation = {
  name: 'Modify',
  action: 'Modify a basket',
  description: 'Change the limit, quantity or exits of a basket that was placed. Only with intent orders.',
  properties: [
    basketIdField,
    collection(
      'Update Fields',
      'updateFields',
      [
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
      ].map(optional),
    ),
    simplifyField,
    collection('Options', 'options', [priceUnitField, roundToTickField, waitSecondsField]),
    safetyField,
  ],
  async execute(item) {
    const basketId = item.identifier('basketId');
    const waitMs = waitMsOf(item);
    const output = await outputOptions(item);
    const service = await item.service();
    const guards = guardsOf(item, service);
    if (!isDryRun(guards)) requireAllowed(service);
    const context = await placementContext(item.run);
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
