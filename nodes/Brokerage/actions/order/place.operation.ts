import { endpoints } from '../../../../client/endpoints';
import { orderIdOf, statusOf } from '../../../../client/orders/order';
import { rejectedOrder } from '../../../../client/orders/outcome';
import { placeOrder } from '../../../../client/orders/place';
import { WAIT_FOR, waitForStatus } from '../../../../client/orders/wait';
import { collection, priceUnitField, priceUnitOf, simplifyField } from '../fields';
import type { ItemOperation } from '../operation';
import { placementContext, followOrder, requestOf, release } from './desk';
import {
  idempotencyKeyField,
  moneyNotice,
  orderFields,
  tagField,
  validityField,
  waitForField,
  waitSecondsField,
} from './fields';
import { dryRunOutput, placedOutput } from './placed';
import { guardsOf, isDryRun, safetyField } from './safety';
import { wantedOrder } from './terms';

export const place: ItemOperation = {
  name: 'Place',
  action: 'Place an order',
  description:
    'Place an order to buy or sell. It is checked first (tick, lot, trigger, limits) and never sent twice. On Live this trades real money. The answer is an acknowledgement: wait for the result, or use the trigger.',
  properties: [
    moneyNotice,
    ...orderFields,
    simplifyField,
    collection('Options', 'options', [
      idempotencyKeyField,
      priceUnitField,
      tagField,
      validityField,
      waitForField,
      waitSecondsField,
    ]),
    safetyField,
  ],
  places: true,
  async execute(item) {
    const options = item.group('options');
    const waitSeconds = options.optionalWhole('waitSeconds', { min: 0, max: 300 });
    const waitMs = (waitSeconds ?? 10) * 1_000;
    // Whoever says only how long wants to wait; 0 is not to.
    const until =
      options.optionalChoice('waitFor', WAIT_FOR) ?? (waitMs > 0 && waitSeconds !== undefined ? 'accepted' : undefined);
    const service = await item.service();
    const output = {
      unit: priceUnitOf(item),
      simplify: item.flag('simplify'),
      environment: service.connection.environment,
    };
    const guards = guardsOf(item, service);
    const wanted = await wantedOrder(item, service);
    const context = placementContext(service, item.run.signal);
    const request = requestOf(item, service, guards, wanted, context);
    if (isDryRun(guards)) {
      await request.guard();
      release(context, request.tag);
      return [
        item.output(
          dryRunOutput(endpoints.placeOrder, wanted.terms, request.tag, wanted.instrument, output.environment),
        ),
      ];
    }
    const outcome = await placeOrder(request, context);
    if (outcome.outcome !== 'confirmed') throw outcome.error;
    if (until === undefined) return [item.output(placedOutput(outcome, wanted.instrument, output))];
    const waited = await waitForStatus(
      service.transport,
      orderIdOf(outcome.order),
      until,
      waitMs,
      item.run.signal,
      followOrder(service),
    );
    const order = waited.order ?? outcome.order;
    if (statusOf(order) === 'REJECTED') throw rejectedOrder(order, outcome.tag);
    return [
      item.output({ ...placedOutput({ ...outcome, order }, wanted.instrument, output), wait_reached: waited.reached }),
    ];
  },
};
