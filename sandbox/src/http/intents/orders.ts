import { contractValue } from '../../market/reference/contract-value';
import type { Static } from '@sinclair/typebox';
import { totalCharges } from '../../accounts/charges';
import type { ExitSlot } from '../../exchange/strategies/exit-types';
import type { IntentChange, IntentOrder, NewIntent } from '../../exchange/strategies/types';
import type { NewOrder, Refusal } from '../../shared/orders';
import { istText } from '../../shared/time';
import type { User } from '../../sessions/users';
import { ApiError } from '../../web/errors';
import { countOrders, intentTrader } from '../../web/authentication';
import { idOf } from '../../web/input';
import { placedBy } from '../../web/request-origin';
import { replySchemas } from '../../web/reply-schemas';
import { parameters, SESSION_SECURITY } from '../../web/schema';
import type { RouteContext } from '../../web/route-context';
import {
  CancelOrders,
  CreateOrders,
  FundsRequired,
  intentChange,
  MAX_CANCELS,
  ModifyOrders,
  newIntent,
  type ItemBody,
} from './input';
import { orderAsIntent } from './v2-as-intent';
import { refusalError } from '../orders';
import { bucketOf, intentRecord, type OrderBucket } from '../../web/intent-records';
import { intentReplies } from './replies';

const TAGS = ['Intent orders'];
const BUCKETS: OrderBucket[] = ['open', 'executed', 'cancelled', 'rejected', 'expired', 'gtt'];
const SLOTS: Record<string, ExitSlot> = { STOPLOSS: 'stop', TRAILING_STOP: 'stop', TARGET_PROFIT: 'target' };
const LIST = parameters({
  intentOrderId: 'These orders only, with commas between',
  stratTags: 'Orders with one of these tags only, with commas between',
});

/** Intent orders (docs/service/intent-orders.md). */
export function intentOrderRoutes({ app, sandbox }: RouteContext): void {
  const { error } = replySchemas(sandbox.options);
  const schemas = intentReplies(error);

  app.post(
    '/sentinel/orders/create',
    {
      schema: {
        tags: TAGS,
        summary: 'Place one order, several, or a strategy',
        response: schemas.created,
        body: CreateOrders,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = intentTrader(sandbox, request, 'orders');
      const { orders } = request.body as Static<typeof CreateOrders>;
      const requested = each(orders, (body) => newIntent(user.clientCode, body, sandbox.dialect));
      countOrders(
        sandbox,
        user,
        requested.flatMap(({ legs }) => legs.map(({ refId }) => refId)),
      );
      each(requested, (order) => throwIfRefused(sandbox.world.intents.check(order, sandbox.instant)));
      const small = sandbox.dialect.intent_ids === 'short';
      const records = requested.map((order) => {
        const placed = sandbox.world.placeIntent({ ...order, ...placedBy(request) }, small);
        if (!placed.ok) throw refusalError(placed);
        return intentRecord(sandbox, placed.intent);
      });
      return reply
        .code(Number(sandbox.dialect.intent_status))
        .send({ message: 'order creation request pushed successfully', orders: records });
    },
  );

  app.post(
    '/sentinel/orders/modify',
    {
      schema: {
        tags: TAGS,
        summary: 'Modify one order or several',
        response: schemas.modified,
        body: ModifyOrders,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = intentTrader(sandbox, request, 'orders');
      const { orders } = request.body as Static<typeof ModifyOrders>;
      const changes = each(orders, (body) => {
        const intent = owned(user, idOf('orderId', body.orderId));
        const { id, multi, side } = intent;
        const change = intentChange(body, { multi, side, refId: intent.legs[0]!.refId });
        if (!isOlder(id)) throwIfRefused(sandbox.world.intents.checkModify(id, change, sandbox.instant));
        return { intent, change };
      });
      countOrders(
        sandbox,
        user,
        changes.flatMap(({ intent }) => intent.legs.map(({ refId }) => refId)),
      );
      each(changes, ({ intent, change }) => throwIfRefused(modify(intent, change)));
      const message = 'order modify request pushed successfully';
      if (sandbox.dialect.intent_modify_reply === 'message') return { message };
      return { message, orders: changes.map(({ intent }) => intentRecord(sandbox, owned(user, intent.id))) };
    },
  );

  app.post(
    '/sentinel/orders/cancel',
    {
      schema: {
        tags: TAGS,
        summary: 'Cancel orders, or one exit of an order',
        response: schemas.cancelled,
        body: CancelOrders,
        security: SESSION_SECURITY,
      },
    },
    async (request, reply) => {
      const user = intentTrader(sandbox, request, 'orders');
      const { orders } = request.body as Static<typeof CancelOrders>;
      if (orders.length > MAX_CANCELS)
        throw new ApiError(400, `at most ${MAX_CANCELS} orders in one cancel, not ${orders.length}`);
      const requested = each(orders, ({ orderId, exitTriggerKind }) => {
        const { id } = owned(user, idOf('orderId', orderId));
        const slot = exitTriggerKind == null ? null : SLOTS[exitTriggerKind]!;
        throwIfRefused(checkCancel(id, slot));
        return { id, slot };
      });
      each(requested, ({ id, slot }) => throwIfRefused(cancel(id, slot)));
      const status = Number(sandbox.dialect.intent_cancel_status);
      if (status === 204) return reply.code(204).send();
      return reply.code(status).send({ message: 'order cancellation request pushed successfully' });
    },
  );

  app.get(
    '/sentinel/orders',
    {
      schema: {
        tags: TAGS,
        summary: 'Orders of the day, and those that live on',
        response: schemas.listed,
        querystring: LIST,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = intentTrader(sandbox, request, 'reads');
      const { intentOrderId, stratTags } = request.query as { intentOrderId?: string; stratTags?: string };
      const ids = intentOrderId && new Set(intentOrderId.split(',').map((id) => idOf('intentOrderId', id.trim())));
      const tags = stratTags && new Set(stratTags.split(',').map((tag) => tag.trim()));
      const intents = all(user).filter(({ id, tag }) => (!ids || ids.has(id)) && (!tags || tags.has(tag)));
      return { orders: buckets(intents) };
    },
  );

  app.post(
    '/sentinel/orders/funds_required',
    {
      schema: {
        tags: TAGS,
        summary: 'What orders would need and cost, before they are placed',
        response: schemas.funds,
        body: FundsRequired,
        security: SESSION_SECURITY,
      },
    },
    async (request) => {
      const user = intentTrader(sandbox, request, 'reads');
      const { orders } = request.body as Static<typeof FundsRequired>;
      return fundsRequired(user, orders);
    },
  );

  /** All that the list shows: intent orders, and the orders and baskets of the older interface. */
  function all({ clientCode }: User): IntentOrder[] {
    const { world } = sandbox;
    const intents = [
      ...world.intentsOf(clientCode),
      ...world
        .ownOrdersOf(clientCode)
        .filter(({ basketId }) => basketId === 0n)
        .map(orderAsIntent),
      ...world.ownStrategiesOf(clientCode),
    ];
    return intents.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  function buckets(intents: IntentOrder[]): Record<string, unknown> {
    const { intent_empty_bucket: empty } = sandbox.dialect;
    return Object.fromEntries(
      BUCKETS.flatMap((bucket): [string, unknown][] => {
        const records = intents
          .filter((intent) => bucketOf(intent) === bucket)
          .map((intent) => intentRecord(sandbox, intent));
        if (records.length > 0 || empty === 'list') return [[bucket, records]];
        return empty === 'null' ? [[bucket, null]] : [];
      }),
    );
  }

  function isOlder(id: bigint): boolean {
    return sandbox.world.intents.intent(id) === undefined;
  }

  /** The order of an id, if it is the user's, whichever interface placed it. @throws ApiError 400 */
  function owned({ clientCode }: User, id: bigint): IntentOrder {
    const { world } = sandbox;
    const order = world.order(id);
    const intent =
      world.intents.intent(id) ??
      (order === undefined || order.basketId !== 0n ? undefined : orderAsIntent(order)) ??
      world.baskets.strategy(id);
    if (intent?.account !== clientCode) throw new ApiError(400, `There is no order ${id} today`);
    return intent;
  }

  function modify({ id, multi, entry }: IntentOrder, change: IntentChange): { ok: true } | Refusal {
    const { world } = sandbox;
    if (!isOlder(id)) return world.modifyIntent(id, change);
    if (multi) throw new ApiError(400, 'a basket of the older interface cannot be modified here');
    const { quantity, price, condition, ...rest } = change;
    const trigger = condition === undefined || condition === null ? {} : { triggerPrice: condition.price };
    if (Object.keys(rest).length > 0 || condition === null || (condition !== undefined && entry.condition === null))
      throw new ApiError(400, `order ${id} was placed on the older interface: only its figures can be changed`);
    return world.modifyOrder(id, {
      ...(quantity === undefined ? {} : { quantity }),
      ...(price === undefined ? {} : { price }),
      ...trigger,
    });
  }

  function checkCancel(id: bigint, slot: ExitSlot | null): Refusal | undefined {
    const { world } = sandbox;
    if (!isOlder(id)) return world.intents.checkCancel(id, slot, sandbox.instant);
    if (slot !== null) throw new ApiError(400, `order ${id} has no such exit that is still open`);
    return world.checkCancel(id);
  }

  function cancel(id: bigint, slot: ExitSlot | null): { ok: true } | Refusal {
    const { world } = sandbox;
    if (!isOlder(id)) return world.cancelIntent(id, slot);
    return world.order(id) === undefined ? world.cancelBasket(id) : world.cancelOrder(id);
  }

  function fundsRequired(user: User, bodies: ItemBody[]) {
    const { world } = sandbox;
    const at = sandbox.instant;
    const orders = each(bodies, (body) => newIntent(user.clientCode, body, sandbox.dialect));
    const wrong = orders.map((order) => world.intents.check(order, at)).find((item) => item !== undefined);
    if (wrong !== undefined) return { code: 0, message: wrong.text };
    const legs = orders.flatMap(legOrders);
    const margin = world.accounts.marginRequired(user.clientCode, legs, { withPortfolio: true }, at);
    const parts = legs.map(({ refId, product, side, quantity, price }) => {
      const instrument = world.instrument(refId)!;
      const value = contractValue(instrument, price === 0 ? world.lastPrice(instrument) : price, quantity);
      return world.accounts.chargesOf(instrument, { product, side }, value, at);
    });
    const charges = parts.reduce((sum, part) => sum + totalCharges(part), 0);
    const chargesFloat: Record<string, number> = {};
    for (const part of parts)
      for (const [name, amount] of Object.entries(part)) chargesFloat[name] = (chargesFloat[name] ?? 0) + amount;
    const [first] = legs;
    // Of an order that is cut into the most slices.
    const slices = orders
      .flatMap((order) => world.intents.slicesOf(order, at))
      .reduce((longest, cut) => (cut.length > longest.length ? cut : longest), []);
    const slot = orders[0] && world.intents.sessionOf(orders[0], at);
    const sale = world.accounts.saleQuantities(user.clientCode, first?.refId ?? 0);
    const waits = orders.map((order) => world.intents.waitsForSession(order, at));
    const isShare = first !== undefined && world.instrument(first.refId)?.derivativeType === 'STOCK';
    return {
      code: 1,
      refIdAmoMap: Object.fromEntries(legs.map(({ refId }) => [refId, waits.some(Boolean)])),
      openOrders: world.countIntents(user.clientCode, (intent) => bucketOf(intent) === 'open'),
      marginInfo: {
        totalMargin: margin.totalMargin,
        message: margin.message,
        ...(legs.length === 1 ? { maxAllowedQty: margin.maxQuantity } : {}),
        ...(isShare && legs.length === 1
          ? {
              cncSellAllowedQty: sale.sellable,
              availableQty: sale.authorised + sale.waiting,
              edisDoneQty: sale.authorised,
              edisRemainingQty: sale.waiting,
            }
          : {}),
      },
      brokerageInfo: { totalChargesFloat: charges, chargesFloat },
      totalFundsRequired: margin.totalMargin + charges,
      willDefaultBePlacedAsAmo: waits.some(Boolean),
      willBeAutoSliced: slices.length > 1,
      ...(slices.length > 1 ? { icebergInfo: { numberOfLegs: slices.length, maxQtyPerLeg: Math.max(...slices) } } : {}),
      ...(slot === undefined ? {} : { tradingSlot: { startTime: istText(slot.from), endTime: istText(slot.to) } }),
    };
  }
}

/** The orders of an intent order's entry, as the margin calculator takes them. */
function legOrders(order: NewIntent): NewOrder[] {
  return order.legs.map(({ refId, unit }) => ({
    account: order.account,
    refId,
    kind: 'REGULAR',
    side: unit > 0 ? 'BUY' : 'SELL',
    quantity: order.quantity * Math.abs(unit),
    product: order.product,
    validity: 'DAY',
    priceType: order.multi ? 'MARKET' : order.priceType,
    price: order.multi ? 0 : order.price,
    triggerPrice: 0,
    legSize: 0,
    tag: order.tag,
    basketId: 0n,
    source: 'ORDER_SOURCE_NORMAL',
  }));
}

/** Does it with each; a refusal says which one it was where there are several. */
function each<T, R>(items: readonly T[], work: (item: T) => R): R[] {
  return items.map((item, index) => {
    try {
      return work(item);
    } catch (error) {
      if (!(error instanceof ApiError) || items.length === 1) throw error;
      throw new ApiError(error.status, `orders[${index}]: ${error.message}`, error.code, error.more);
    }
  });
}

/** @throws ApiError for a refusal */
function throwIfRefused(result: { ok: true } | Refusal | undefined): void {
  if (result?.ok === false) throw refusalError(result);
}
