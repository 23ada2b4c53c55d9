/** Baskets as the specification's paths speak of them (docs/service/baskets.md). */
import { endpoints } from '../../../endpoints';
import type { BasketBody, BasketRecord } from '../../../endpoints/baskets';
import { UnreadableReplyError } from '../../../base/errors';
import type { Transport } from '../../../transport';
import type { Json } from '../../../values/json';
import type { BasketTerms } from '../../model/basket-terms';
import { unsupportedByV2, requireV2Basket } from './limits';
import { basketIdOf, basketInReply, basketsInReply, legsOf } from '../../model/basket-record';
import {
  checked,
  requireOrderUnits,
  requireStatusWord,
  withCheckedLegs,
  type OddRecords,
} from '../../model/record-units';
import { basketsOnce } from '../each-once';
import { matchBaskets } from '../match-reply';
import { requireWholeList } from '../whole-list';
import { requestTo, type BasketPlacing, type ServiceRequest, type TaggedTerms } from '../order-api';

/** The baskets of an account by the specification's paths. */
export function basketsV2(transport: Transport): BasketPlacing {
  const list = async (signal?: AbortSignal, odd: OddRecords = 'refused'): Promise<BasketRecord[]> => {
    const reply = await transport.call(endpoints.baskets, { signal });
    const records = basketsInReply(reply);
    if (records === undefined)
      throw new UnreadableReplyError("The service's list of the day's baskets cannot be read.");
    requireWholeList(reply, records.length);
    return basketsOnce(records.map((record) => checkedBasket(record, odd)));
  };
  const end = (basket: BasketRecord, exchange: string): ServiceRequest =>
    requestTo(endpoints.cancelBasket, { path: { basket_id: basketIdOf(basket) }, body: { exchange } });
  return {
    requirePossible: async (terms) => requireV2Basket(terms),
    place: async ({ terms, tag }) =>
      requestTo(endpoints.placeBasket, { body: basketBody(terms, tag), orders: terms.legs.length }),
    matchReply,
    list,
    // There is no path for one basket.
    reread: async (record, signal) =>
      (await list(signal)).find((basket) => basketIdOf(basket) === basketIdOf(record)) ?? record,
    cancel: async (basketId, exchange) =>
      requestTo(endpoints.cancelBasket, { path: { basket_id: basketId }, body: { exchange } }),
    // See docs/service/baskets.md#basket-rules.
    modify: () => {
      throw unsupportedByV2('changes of a basket', 'basketId');
    },
    close: end,
    end,
  };
}

/** @throws UnreadableReplyError if it, or a leg, contradicts itself and is to be refused */
function checkedBasket(record: BasketRecord, odd: OddRecords): BasketRecord {
  const name = `basket ${basketIdOf(record)}`;
  const basket = checked(record, odd, () => requireStatusWord(name, record.basket_status));
  const legs = legsOf(record).map((leg) => checked(leg, odd, () => requireOrderUnits(leg, `A leg of ${name}`)));
  return withCheckedLegs(basket, legs);
}

/** See docs/service/baskets.md#basket-body. */
export function basketBody(terms: BasketTerms, tag: string): BasketBody {
  const time = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : new Date(at).toISOString();
  return {
    exchange: terms.legs[0]?.instrument.exchange,
    basket_name: terms.name,
    tag,
    orders: terms.legs.map(({ instrument, side, quantity }) => ({
      ref_id: instrument.refId,
      order_qty: quantity,
      order_side: `ORDER_SIDE_${side}`,
    })),
    basket_params: {
      order_side: `ORDER_SIDE_${terms.side}`,
      order_delivery_type: `ORDER_DELIVERY_TYPE_${terms.product}`,
      price_type: terms.priceType,
      entry_price: terms.priceType === 'LIMIT' ? terms.price : undefined,
      exit_price: terms.targetPrice,
      stoploss_price: terms.stopLossPrice,
      momentum_trigger_price: terms.momentumTriggerPrice,
      entry_time: time(terms.entryTime),
      exit_time: time(terms.exitTime),
      multiplier: terms.multiplier,
    },
  };
}

/** One request places one basket: the record is its, when it has an id, the tag and the legs. */
function matchReply(requested: readonly TaggedTerms<BasketTerms>[], reply: Json): Map<string, BasketRecord> {
  const record = basketInReply(reply);
  return matchBaskets(requested, record === undefined ? [] : [record]);
}
