import { EXCHANGES } from '../../../../client/instruments/instrument';
import { istDate } from '../../../../client/values/time';
import { readEarnings } from '../../../../client/closing/basket-earnings';
import { closeBasket, closingRequest, type BasketClosing } from '../../../../client/closing/close-basket';
import type { ClosingContext } from '../../../../client/closing/reconcile-position';
import { basketIdOf } from '../../../../client/orders/model/basket-record';
import { getNewBasket } from '../../../../client/orders/placing/read-new-order';
import { collection, priceUnitField, simplifyField } from '../../../shared/fields';
import type { ItemOperation } from '../../common/operation';
import { dryRunCancel, waitMsOf } from '../../trading/changeContext';
import { waitSecondsField } from '../../trading/orderFields';
import { outputOptions } from '../../trading/orderOutput';
import { recordOutcome } from '../../trading/placement';
import { closingContext } from '../../trading/closingContext';
import { basketIdField, legsExchangeField } from '../../trading/basketFields';
import { legInstruments } from '../../trading/legInstruments';
import { basketOutput } from '../../trading/basketOutput';
import { earningsOutput } from '../../trading/basketEarnings';

export const close: ItemOperation = {
  name: 'Close',
  action: 'Close a basket',
  description:
    'Exit now: sell or buy back at the market what a basket has entered, or cancel it if it has not entered yet',
  properties: [
    basketIdField,
    legsExchangeField,
    simplifyField,
    collection('Options', 'options', [priceUnitField, { ...waitSecondsField, default: 30 }]),
  ],
  async execute(item) {
    const basketId = item.identifier('basketId');
    const exchange = item.choice('exchange', EXCHANGES);
    const waitMs = waitMsOf(item, 30);
    const output = await outputOptions(item);
    const service = await item.service();
    // What was entered may be closed while trading is stopped, too.
    const context: ClosingContext = { ...(await closingContext(item, true)), requireTrading: undefined };
    const closing: BasketClosing = {
      exchange,
      waitMs,
      unit: output.unit,
      instrumentsOf: async (basket) => await legInstruments(basket, service, context.signal),
      placed: (outcome) => recordOutcome(item, outcome),
    };
    const requested = async () => await closingRequest(await getNewBasket(basketId, context), closing, context);
    const dryRun = await dryRunCancel(service, requested);
    if (dryRun !== undefined) return [item.output({ basket_id: basketId, ...dryRun })];
    const { basket, result, closedBy } = await closeBasket(basketId, closing, context);
    const by = closedBy === undefined ? {} : { closed_by: basketIdOf(closedBy) };
    const shown = basketOutput(basket, output);
    const earned = result === 'done' ? await readEarnings(basket, closedBy, context) : undefined;
    const today = istDate(context.transport.marketClock.now());
    return [item.output({ ...shown, ...by, ...earningsOutput(earned, shown.summary, output.unit, today), result })];
  },
};
