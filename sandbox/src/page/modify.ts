import { Type, type Static } from '@sinclair/typebox';
import type { IntentChange, IntentOrder } from '../exchange/strategies/types';
import type { OrderChange } from '../exchange/types';
import type { Order } from '../shared/orders';
import type { Sandbox } from '../simulation/sandbox';
import { ApiError } from '../web/errors';
import { instrumentOf, userOf } from './requests';
import { throwIfRefused, stopTerms, literalUnion } from './trading';

/** Body of POST /_sandbox/page/modify: one price of an order, or its quantity. */
export const PageModify = Type.Object(
  {
    phone: Type.String(),
    order_id: Type.String({ pattern: '^\\d{1,20}$' }),
    what: literalUnion('quantity', 'price', 'trigger', 'stop', 'target'),
    value: Type.Integer({ minimum: 1, description: 'Units, or paise' }),
  },
  { additionalProperties: false },
);
type Change = Static<typeof PageModify>;

/** Changes the quantity, the limit, the trigger, the stop loss or the target of an order. @throws ApiError with the exchange's reason */
export function modifyFromPage(sandbox: Sandbox, body: Change): { message: string } {
  const { clientCode } = userOf(sandbox, body.phone);
  const { world } = sandbox;
  const id = BigInt(body.order_id);
  const order = world.order(id);
  if (order?.account !== clientCode) throw new ApiError(404, `There is no order ${body.order_id} today`);
  const intent = world.intents.intent(id);
  throwIfRefused(
    intent === undefined
      ? world.modifyOrder(id, orderChange(order, body))
      : world.modifyIntent(id, intentChange(sandbox, intent, body)),
  );
  return { message: 'Modifying' };
}

function orderChange(order: Order, { what, value: price }: Change): OrderChange {
  if (what === 'quantity') return { quantity: price };
  if (what === 'price') return { price };
  if (what === 'trigger') return { triggerPrice: price, price: order.price + price - order.triggerPrice };
  throw new ApiError(400, 'An order of the older interface has no stop loss and no target');
}

function intentChange(sandbox: Sandbox, intent: IntentOrder, { what, value: price }: Change): IntentChange {
  const { condition } = intent.entry;
  switch (what) {
    case 'quantity':
      return { quantity: price };
    case 'price':
      return { price };
    case 'trigger':
      if (condition === null) throw new ApiError(400, 'This order has no trigger');
      return {
        condition: { ...condition, price },
        ...(intent.priceType === 'LIMIT' && { price: intent.price + price - condition.price }),
      };
    case 'target':
      return { target: { trigger: price, limit: price } };
    case 'stop': {
      const jump = intent.exits.find(({ slot }) => slot === 'stop')?.jump ?? 0;
      const instrument = instrumentOf(sandbox, intent.legs[0]!.refId);
      return { stop: { ...stopTerms(price, intent.side, instrument), jump: jump === 0 ? null : jump } };
    }
  }
}
