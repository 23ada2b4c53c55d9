import { isHeld, modifyBasket } from '../../../../client/orders/changing/change-basket';
import { requestOutput } from '../../../../client/orders/api/order-api';
import { isIntent } from '../../../../client/orders/model/order-record';
import { getNewBasket } from '../../../../client/orders/placing/read-new-order';
import { simplifyField, updateFields } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { changeContext, changeFields, summaryOf } from '../../trading/changeContext';
import { exitTimeField } from '../../trading/exitFields';
import { quantityField, quantityUnitField } from '../../trading/orderFields';
import { roundingOf } from '../../trading/priceForm';
import { basketChangeOf, removeField } from '../../trading/basketChangeForm';
import {
  basketExitsInField,
  basketGoodTillField,
  basketIdField,
  basketTrailingField,
  limitPriceField,
  stopLossField,
  targetField,
} from '../../trading/basketFields';
import { legInstruments } from '../../trading/legInstruments';
import { basketName } from '../../trading/basketSummary';
import { basketOutput } from '../../trading/basketOutput';
import { basketChangeDryRunWords } from '../../trading/previewSummary';
import { withSessionLot } from '../../trading/sessionLot';

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
    const basket = await getNewBasket(basketId, context);
    // What no basket of this interface can do is told before anything else that may be wrong.
    if (!isIntent(basket)) context.baskets.modify(basket, {});
    const instruments = await legInstruments(basket, service, context.signal, async (instrument) =>
      isHeld(basket) ? instrument : await withSessionLot(instrument, item, service),
    );
    const { unit, environment } = output;
    const change = basketChangeOf(item.group('updateFields'), basket, instruments, {
      unit,
      rounding: roundingOf(item),
    });
    const result = await modifyBasket({ basket, instruments, change, guards, unit, waitMs }, context);
    if ('endpoint' in result)
      return [
        item.output({
          ...{ dry_run: true, basket_id: basketId, would_send: requestOutput(result) },
          ...(output.hasLabels === true ? basketChangeDryRunWords(basketName(basket), change) : {}),
          environment,
        }),
      ];
    const changed = basketOutput(result.basket, output);
    return [item.output({ ...changed, ...summaryOf(changed, result.result), result: result.result })];
  },
};
