/** Strategies: baskets as intent orders speak of them, one order with several legs (docs/service/intent-orders.md#strategies). */
import { endpoints } from '../../../endpoints';
import type { BasketRecord } from '../../../endpoints/baskets';
import type { OrderRecord } from '../../../endpoints/orders';
import { InputError } from '../../../base/errors';
import type { Transport } from '../../../transport';
import type { BasketTerms } from '../../model/basket-terms';
import { basketsOnce } from '../each-once';
import { matchBaskets } from '../match-reply';
import { requestTo, type BasketPlacing } from '../order-api';
import { basketIdOf, basketStatusOf, legsOf } from '../../model/basket-record';
import { recordsIn, textIn, unitsAt } from '../../../values/record';
import { checked, requireUnits, withCheckedLegs, type OddRecords } from '../../model/record-units';
import { changeBody, strategyOf } from './request-body';
import { requestListed } from './day-list';
import { basketOf, createdIn, isStrategy, type ListedRecord } from './record';

/** The strategies of an account. */
export function intentStrategies(transport: Transport): BasketPlacing {
  const list = async (signal?: AbortSignal, odd: OddRecords = 'refused'): Promise<BasketRecord[]> => {
    const strategies = (await requestListed(transport, { signal })).filter(isStrategy);
    return basketsOnce(strategies.map((listed) => readStrategy(listed, odd)));
  };
  return {
    requirePossible: async (terms) => requireStrategy(terms),
    place: async ({ terms, tag }) =>
      requestTo(endpoints.createIntents, { body: { orders: [strategyOf(terms, tag)] }, orders: terms.legs.length }),
    matchReply: (requested, reply) => matchBaskets(requested, createdIn(reply).map(basketOf)),
    list,
    reread: async (record, signal) =>
      (await list(signal)).find((basket) => basketIdOf(basket) === basketIdOf(record)) ?? record,
    cancel: async (basketId, _exchange, signal) => {
      const basket = (await list(signal)).find((basketRecord) => basketIdOf(basketRecord) === basketId);
      if (basket !== undefined && basketStatusOf(basket) === 'FILLED') throw hasEntered(basketId);
      return requestTo(endpoints.cancelIntents, { body: { orders: [{ orderId: basketId }] } });
    },
    modify: (basket, change) =>
      requestTo(endpoints.modifyIntents, {
        body: { orders: [changeBody(asOrder(basket), change)] },
        orders: legsOf(basket).length,
      }),
    close: (basket, _exchange, now) => {
      const change = { exitTime: now + EXIT_IN_MS };
      return requestTo(endpoints.modifyIntents, { body: { orders: [changeBody(asOrder(basket), change)] } });
    },
    end: (basket) => requestTo(endpoints.cancelIntents, { body: { orders: [{ orderId: basketIdOf(basket) }] } }),
  };
}

/** A strategy as a basket. @throws UnreadableReplyError if its units, or those of a leg, cannot be, and it is to be refused */
function readStrategy(listed: ListedRecord, odd: OddRecords): BasketRecord {
  const { record } = listed;
  const name = `basket ${textIn(record, 'intentOrderId')}`;
  const basket = checked(basketOf(listed), odd, () => {
    // Their meaning for a strategy as a whole is not told: only its legs are compared.
    unitsAt(record, 'orderQty');
    unitsAt(record, 'filledQty');
  });
  const shown = recordsIn(record, 'legs');
  const legs = legsOf(basket).map((leg, index) =>
    checked(leg, odd, () => {
      const { [index]: own = {} } = shown;
      unitsAt(own, 'unitQty');
      requireUnits(`Leg ${index + 1} of ${name}`, unitsAt(own, 'orderQty'), unitsAt(own, 'filledQty'));
    }),
  );
  return withCheckedLegs(basket, legs);
}

/** Time from now at which the service closes an order "at once": an exit time must still be in the future when it arrives. */
const EXIT_IN_MS = 10_000;

/** A strategy is one order: it changes as an order does. */
function asOrder(basket: BasketRecord): OrderRecord {
  return { ...basket, order_id: basketIdOf(basket), order_side: 'ORDER_SIDE_BUY' } as OrderRecord;
}

/** @throws InputError for a basket that no strategy can be. */
function requireStrategy({ legs, goodTill, product }: BasketTerms): void {
  if (legs.length < 2)
    throw new InputError('With intent orders a basket has at least two legs. Nothing was sent.', {
      parameter: 'legs',
      hint: 'Place a single leg as an order (Order: Place).',
    });
  if (goodTill !== undefined && product !== 'CNC')
    throw new InputError('A basket that is good till a date must be Delivery (CNC). Nothing was sent.', {
      hint: 'Choose Delivery (CNC) in Product, or remove Good Till Date.',
      parameter: 'product',
    });
}

function hasEntered(basketId: string): InputError {
  return new InputError(
    `Basket ${basketId} has entered already: with intent orders, cancelling it would only take off its exits, and leave what it bought and sold.`,
    {
      parameter: 'basketId',
      hint: 'Basket: Close closes it. Nothing was sent.',
    },
  );
}
