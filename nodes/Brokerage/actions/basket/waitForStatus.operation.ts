import type { INodeProperties } from 'n8n-workflow';
import { NetworkError } from '../../../../client/base/errors';
import { basketStatusOf, hasUnpricedLeg } from '../../../../client/orders/model/basket-record';
import { BASKET_WAIT_FOR, waitForBasket } from '../../../../client/orders/placing/wait-for-basket';
import { NoPriceError } from '../../../../client/values/market-price';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import { choiceName } from '../../../shared/itemLabels';
import type { ItemOperation } from '../../common/operation';
import { outputOptions } from '../../trading/orderOutput';
import { orderContext } from '../../trading/placement';
import {
  READ_AGAIN,
  deadlineField,
  deadlineOf,
  isErrorWhenMissed,
  waitNotReachedError,
  whenMissedField,
} from '../../trading/waitFields';
import { basketIdField } from '../../trading/basketFields';
import { basketOutput } from '../../trading/basketOutput';

const waitForField: INodeProperties = {
  displayName: 'Wait For',
  name: 'waitFor',
  type: 'options',
  options: [
    { name: 'Ended', value: 'ended', description: 'Nothing more of it will trade by itself' },
    { name: 'Entered', value: 'entered', description: 'All its legs are filled' },
    { name: 'Exited', value: 'exited', description: 'An exit of it, or "Close", has closed what it held' },
  ],
  default: 'entered',
  description: 'What the basket must reach before the workflow continues',
};

export const waitForStatus: ItemOperation = {
  name: 'Wait for Status',
  action: 'Wait for the status of a basket',
  description: 'Wait until a basket has entered, exited or ended, or until the deadline',
  properties: [
    basketIdField,
    waitForField,
    deadlineField,
    simplifyField,
    collection('Options', 'options', [priceUnitField, whenMissedField]),
  ],
  async execute(item) {
    const basketId = item.identifier('basketId');
    const until = item.choice('waitFor', BASKET_WAIT_FOR);
    const deadline = deadlineOf(item);
    const failsWhenMissed = isErrorWhenMissed(item);
    const output = await outputOptions(item);
    const waited = await waitForBasket(basketId, until, deadline, await orderContext(item.run));
    const { order: basket, reached, timedOut, error } = waited;
    if (basket === undefined)
      throw error ?? new NetworkError(`Basket ${basketId} could not be read.`, { maySent: true, hint: READ_AGAIN });
    if (!reached && failsWhenMissed) {
      if (hasUnpricedLeg(basket))
        throw new NoPriceError(
          `A leg of basket ${basketId} has filled, but the service had not told at which price when the wait ended.`,
          {
            parameter: 'deadlineSeconds',
            hint: 'Basket: Get shows the price as soon as the service tells it.',
          },
        );
      throw waitNotReachedError(
        `Basket ${basketId}`,
        basketStatusOf(basket),
        choiceName([waitForField])('waitFor', until),
        timedOut ? deadline : undefined,
      );
    }
    return [item.output({ ...basketOutput(basket, output), reached, timed_out: timedOut })];
  },
};
