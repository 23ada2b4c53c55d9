/**
 * The same order, drawn: as a record of either interface in every spelling, and as a message of the stream. Everybody reads
 * the same in it: what orders are placed and guarded by, the item of the node, and the item of the trigger.
 */
import fc from 'fast-check';
import { intentApi } from '../../../client/orders/api/intent/intent';
import type { OrderApi } from '../../../client/orders/api/order-api';
import { v2Api } from '../../../client/orders/api/v2/v2';
import { readDayBaskets } from '../../../client/orders/model/basket-record';
import * as fields from '../../../client/orders/model/order-record';
import type { OrderSnapshot } from '../../../client/orders/model/order-snapshot';
import { orderOutput as triggerItem } from '../../../client/stream/delivery/order-output';
import { readOrderMessage } from '../../../client/stream/reconciliation/order-message';
import type { OrderEvent } from '../../../client/stream/reconciliation/types';
import type { Transport } from '../../../client/transport';
import type { Json, JsonObject } from '../../../client/values/json';
import { orderOutput as nodeItem } from '../../../nodes/Brokerage/trading/orderOutput';
import { updateOf } from '../stream/wire';
import { scriptedTransport } from '../../support/scripted-transport';

/** The true order, whatever is written about it. Prices are paise, times milliseconds. */
interface Truth {
  id: string;
  kind: 'REGULAR' | 'STOPLOSS' | 'ICEBERG';
  side: 'BUY' | 'SELL';
  product: 'CNC' | 'IDAY';
  priceType: 'LIMIT' | 'MARKET';
  validity: 'DAY' | 'IOC';
  status: 'OPEN' | 'FILLED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';
  quantity: number;
  filled: number;
  price: number;
  average: number;
  trigger: number;
  refId: number;
  exchange: 'NSE' | 'BSE' | 'MCX';
  tag: string;
  reason: string;
  at: number;
}

const paise = fc.integer({ min: 1, max: 9_999_999 });
const truths: fc.Arbitrary<Truth> = fc
  .record({
    id: fc.oneof(fc.bigInt(1n, 99_999n), fc.bigInt(10n ** 18n, 9n * 10n ** 18n)).map(String),
    kind: fc.constantFrom('REGULAR', 'STOPLOSS', 'ICEBERG'),
    side: fc.constantFrom('BUY', 'SELL'),
    product: fc.constantFrom('CNC', 'IDAY'),
    priceType: fc.constantFrom('LIMIT', 'MARKET'),
    validity: fc.constantFrom('DAY', 'IOC'),
    status: fc.constantFrom('OPEN', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'),
    quantity: fc.integer({ min: 1, max: 100_000 }),
    filled: fc.integer({ min: 0, max: 100_000 }),
    price: paise,
    average: paise,
    trigger: paise,
    refId: fc.integer({ min: 1, max: 999_999 }),
    exchange: fc.constantFrom('NSE', 'BSE', 'MCX'),
    tag: fc.constantFrom('', 'mine', 'mine-abcdefghijkl'),
    reason: fc.constantFrom('', 'INSUFFICIENT_MARGIN', 'no price'),
    at: fc.integer({ min: 1_790_000_000_000, max: 1_799_000_000_000 }),
  } as const)
  .map((truth): Truth => {
    const filled = truth.status === 'FILLED' ? truth.quantity : truth.status === 'REJECTED' ? 0 : truth.filled;
    return {
      ...truth,
      priceType: truth.kind === 'STOPLOSS' ? 'LIMIT' : truth.priceType,
      filled: Math.min(filled, truth.quantity),
      average: filled === 0 ? 0 : truth.average,
      reason: truth.status === 'REJECTED' ? truth.reason : '',
    };
  });

const nanos = (ms: number): string => `${ms}000000`;

/** Its record of the older interface, in the spelling of the specification. */
function recordOf(truth: Truth): JsonObject {
  const isStop = truth.kind === 'STOPLOSS';
  const partly = truth.status === 'OPEN' && truth.filled > 0;
  return {
    order_id: truth.id,
    basket_id: '0',
    ref_id: truth.refId,
    exchange: truth.exchange,
    order_type: `ORDER_TYPE_${truth.kind}`,
    order_side: `ORDER_SIDE_${truth.side}`,
    order_status: `ORDER_STATUS_${partly ? 'PARTIAL_FILLED' : truth.status}`,
    order_delivery_type: `ORDER_DELIVERY_TYPE_${truth.product}`,
    price_type: truth.priceType,
    validity_type: truth.validity,
    order_qty: truth.quantity,
    filled_qty: truth.filled,
    order_price: truth.price,
    avg_filled_price: truth.average,
    algo_params: isStop ? { trigger_price: truth.trigger } : null,
    trigger_price: 0,
    tag: truth.tag,
    rejection_msg: truth.reason,
    order_time: nanos(truth.at),
    ack_time: null,
    filled_time: null,
    last_modified: nanos(truth.at + 1),
    display_name: 'INFY',
    ref_data: {
      ref_id: truth.refId,
      stock_name: 'INFY',
      plat_name: 'STOCK_INFY.NSECM',
      display_name: 'INFY',
      asset: 'INFY',
      exchange: truth.exchange,
    },
  };
}

type Spelling = (record: JsonObject, truth: Truth) => JsonObject;
const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const renamed =
  (from: string, to: string): Spelling =>
  (record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name === from ? to : name, value]));
const changed =
  (more: (record: JsonObject, truth: Truth) => JsonObject): Spelling =>
  (record, truth) => ({
    ...record,
    ...more(record, truth),
  });
const lower = (value: Json | undefined): Json => (typeof value === 'string' ? value.toLowerCase() : (value ?? null));
const TEXT_FIELDS = ['order_type', 'order_side', 'order_status', 'order_delivery_type', 'price_type', 'validity_type'];

/** Other words for the same values, and other places for them. */
const REWORDINGS: readonly Spelling[] = [
  changed(({ order_side: side }) => ({ order_side: String(side).replace('ORDER_SIDE_', '') })),
  changed(({ price_type: type }) => ({ price_type: `PRICE_TYPE_${String(type)}` })),
  changed(({ validity_type: type }) => ({ validity_type: `VALIDITY_TYPE_${String(type)}` })),
  changed((record) => Object.fromEntries(TEXT_FIELDS.map((name) => [name, lower(record[name])]))),
  changed((_, { status }) => (status === 'FILLED' ? { order_status: 'INTENT_ORDER_STATUS_EXECUTED' } : NONE)),
  changed(({ exchange }) => ({ exchange: lower(exchange) })),
  changed(() => ({ exchange: '' })),
  changed(({ ref_data: data }) => ({ ref_data: { ...(data as JsonObject), stock_name: 'Infosys Limited' } })),
  changed(() => ({ display_name: null })),
  changed((_, { kind, trigger }) => (kind === 'STOPLOSS' ? triggers(trigger, { trigger_price: 0 }) : NONE)),
  changed((_, { kind, trigger }) => (kind === 'STOPLOSS' ? triggers(trigger, null) : NONE)),
  changed((_, { kind }) => (kind === 'STOPLOSS' ? NONE : triggers(7, { trigger_price: 7 }))),
  changed((_, { quantity, filled }) => ({ order_qty: String(quantity), filled_qty: String(filled) })),
  changed((_, { quantity, filled, side }) => (side === 'SELL' ? { order_qty: -quantity, filled_qty: -filled } : NONE)),
  changed(() => ({ basket_id: null })),
  changed((_, { tag }) => (tag === '' ? { tag: null } : NONE)),
];
const NONE: JsonObject = {};
const triggers = (trigger_price: number, algo_params: JsonObject | null): JsonObject => ({
  trigger_price,
  algo_params,
});

/** Other names. The one that renames all fields comes last. */
const RENAMINGS: readonly Spelling[] = [
  ...['rejection_reason', 'rejectionMessage', 'reason', 'error', 'message'].map((to) => renamed('rejection_msg', to)),
  renamed('order_qty', 'order_quantity'),
  renamed('order_qty', 'quantity'),
  renamed('filled_qty', 'filledQuantity'),
  renamed('avg_filled_price', 'average_filled_price'),
  renamed('avg_filled_price', 'filled_price'),
  renamed('order_side', 'side'),
  renamed('order_status', 'status'),
  renamed('order_delivery_type', 'deliveryType'),
  (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [camel(name), value])),
];
/** The same record, otherwise written; several ways may meet in one. */
const spellings = fc
  .tuple(fc.subarray([...REWORDINGS], { maxLength: 5 }), fc.subarray([...RENAMINGS], { maxLength: 4 }))
  .map(([rewordings, renamings]) => [...rewordings, ...renamings]);

function spelled(truth: Truth, ways: readonly Spelling[]): JsonObject {
  return ways.reduce((record, spelling) => spelling(record, truth), recordOf(truth));
}

/** A list as an interface reads it from the wire. */
async function listed(interfaceOver: (transport: Transport) => OrderApi, reply: Json) {
  const { transport } = scriptedTransport([{ text: JSON.stringify(reply) }]);
  const [record] = await interfaceOver(transport).orders.list();
  return record!;
}

const OPTIONS = { unit: 'paise', environment: 'sandbox' } as const;
const NODE_OPTIONS = { ...OPTIONS, simplify: true, unknownIsNull: true, today: '2026-11-20' };
/** Fields that the items of both nodes have. */
const COMMON = [
  ...['order_id', 'order_status', 'symbol', 'display_name', 'exchange', 'order_side', 'order_qty', 'filled_qty'],
  ...['order_price', 'avg_filled_price', 'trigger_price', 'order_type', 'order_delivery_type', 'price_type'],
  ...['validity_type', 'rejection_reason', 'tag', 'ref_id', 'basket_id'],
];

function triggerItemOf(order: OrderSnapshot): Record<string, unknown> {
  const event: OrderEvent = {
    ...{
      type: 'accepted',
      maybe: [],
      key: '',
      recovered: true,
      order,
      fill: undefined,
      at: '0',
      happenedAt: '0',
      after: '',
    },
    raw: undefined,
  };
  return triggerItem(event, { ...OPTIONS, raw: false, unknownIsNull: true });
}

/** The common fields of an item: what one leaves out, the other may give as null or ''. */
const common = (item: object): Record<string, unknown> =>
  Object.fromEntries(
    COMMON.map((name) => [name, (item as Record<string, unknown>)[name] ?? null]).map(([name, value]) => [
      name,
      value === '' ? null : value,
    ]),
  );

it('a record says the same in every spelling, to whoever asks', async () => {
  await fc.assert(
    fc.asyncProperty(truths, spellings, async (truth, chosen) => {
      const plain = await listed(v2Api, [recordOf(truth)]);
      const record = await listed(v2Api, [spelled(truth, chosen)]);
      const order = fields.readOrder(record);
      expect(order).toEqual(fields.readOrder(plain));
      expect(order).toMatchObject({
        ...{ orderId: truth.id, side: truth.side, product: truth.product, orderType: truth.kind },
        ...{ quantity: truth.quantity, filled: truth.filled, price: truth.price, averagePrice: truth.average },
        triggerPrice: truth.kind === 'STOPLOSS' ? truth.trigger : undefined,
        ...{ reason: truth.reason, validity: truth.validity, priceType: truth.priceType },
        instrument: { refId: truth.refId, exchange: truth.exchange, symbol: 'INFY' },
      });
      // What orders are placed, guarded and closed by.
      expect([fields.quantityOf(record), fields.filledQuantityOf(record)]).toEqual([order.quantity, order.filled]);
      expect([fields.exchangeOf(record), fields.sideOf(record)]).toEqual([order.instrument.exchange, order.side]);
      expect([fields.triggerPriceOf(record), fields.reasonOf(record)]).toEqual([order.triggerPrice ?? 0, order.reason]);
      expect(fields.entryHasEnded(record)).toBe(order.end !== '');
      // What people see.
      expect(common(nodeItem(record, NODE_OPTIONS))).toEqual(common(triggerItemOf(order)));
      expect(common(nodeItem(record, NODE_OPTIONS))).toEqual(common(nodeItem(plain, NODE_OPTIONS)));
    }),
  );
});

const INTENT_STATUS = { OPEN: 1, FILLED: 2, REJECTED: 3, CANCELLED: 5, EXPIRED: 6 } as const;
const BUCKETS = { OPEN: 'open', FILLED: 'executed', REJECTED: 'rejected', CANCELLED: 'cancelled', EXPIRED: 'expired' };

/** Condition of its entry: a stop loss waits for a price beyond it, a dip for a better one. */
type Waits = 'stop' | 'dip' | 'nothing';
const waitsOf = ({ kind }: Truth, isDip: boolean): Waits =>
  kind === 'STOPLOSS' ? 'stop' : isDip && kind === 'REGULAR' ? 'dip' : 'nothing';
const isFromBelow = ({ side }: Truth, waits: Waits): boolean => (side === 'BUY') === (waits === 'stop');

function intentOf(truth: Truth, waits: Waits, isInLeg: boolean): JsonObject {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const refData = {
    ...{ refId: truth.refId, exchange: truth.exchange, stockName: 'INFY', asset: 'INFY', displayName: 'INFY' },
  };
  return {
    intentOrderId: truth.id,
    exchange: truth.exchange,
    status: truth.status === 'FILLED' ? 'EXECUTED' : truth.status,
    intentOrderType: waits !== 'nothing' ? 'TRIGGER' : truth.kind === 'ICEBERG' ? 'ICEBERG' : 'REGULAR',
    isMulti: false,
    ...(isInLeg ? { legs: [{ refId: truth.refId, refData }] } : { refId: truth.refId, refData }),
    side: truth.side,
    deliveryType: truth.product,
    priceType: truth.priceType,
    validityType: truth.validity,
    orderQty: truth.quantity,
    filledQty: truth.filled,
    orderPrice: truth.price,
    filledPrice: truth.average,
    stratTags: truth.tag === '' ? null : [truth.tag],
    rejectionMsg: truth.reason,
    entryConfig:
      waits === 'nothing'
        ? null
        : { triggers: { ltp: { [isFromBelow(truth, waits) ? 'atOrAbove' : 'atOrBelow']: { value: truth.trigger } } } },
    timestamps: { intentCreatedAt: iso(truth.at), sentToColoAt: iso(truth.at), lastModifiedAt: iso(truth.at + 1) },
  };
}

function messageOf(truth: Truth, waits: Waits, isFlexi: boolean) {
  const type = waits !== 'nothing' ? 2 : truth.kind === 'ICEBERG' ? 3 : 1;
  return updateOf(
    {
      intentOrderId: truth.id,
      orderStatus: INTENT_STATUS[truth.status],
      deliveryType: truth.product === 'CNC' ? 1 : 2,
      priceType: truth.priceType === 'LIMIT' ? 1 : 2,
      validityType: truth.validity === 'DAY' ? 1 : 2,
      stratTags: truth.tag === '' ? [] : [truth.tag],
      orderQty: truth.quantity,
      filledQty: truth.filled,
      orderPrice: truth.price,
      filledPrice: truth.average,
      refId: truth.refId,
      refdata: {
        ...{ refId: truth.refId, exchange: truth.exchange, stockName: 'INFY', asset: 'INFY', displayName: 'INFY' },
      },
      orderSide: truth.side === 'BUY' ? 1 : 2,
      // A single order that has exits is of the type FLEXI.
      intentOrderType: isFlexi && truth.kind !== 'ICEBERG' ? 4 : type,
      rejectionMsg: truth.reason,
      ...(waits === 'nothing'
        ? {}
        : {
            entryConfig: {
              conditions: [
                { kind: { ltpConditionKind: isFromBelow(truth, waits) ? 3 : 4 }, threshold: truth.trigger, status: 0 },
              ],
            },
          }),
      svcTimestamps: { intentCreatedAt: nanos(truth.at), lastModifiedAt: nanos(truth.at + 1) },
    },
    [0, 0],
  );
}

/**
 * An order without the time when the exchange took it, which no message tells, and without the source it was read from.
 */
const withoutSource = ({ source: _source, times, ...order }: OrderSnapshot): object => ({
  ...order,
  times: { ...times, accepted: '0' },
});

/** Returns the order as the service tells it: a count behind its status, a number in place of no price. */
const toldOf = (truth: Truth, isBehind: boolean, price: number | null): Truth => ({
  ...truth,
  filled: isBehind && truth.status === 'FILLED' ? Math.floor(truth.quantity / 3) : truth.filled,
  price: price ?? truth.price,
  trigger: price ?? truth.trigger,
});
const oddPrices = fc.constantFrom(null, -1, 2 ** 31 - 1);

it('a record of the newer interface and a message of the stream are one order', async () => {
  await fc.assert(
    fc.asyncProperty(truths, fc.boolean(), fc.boolean(), fc.boolean(), oddPrices, async (truth, ...drawn) => {
      const [isDip, isOther, isBehind, odd] = drawn;
      const waits = waitsOf(truth, isDip);
      const told = toldOf(truth, isBehind, odd);
      const reply = { orders: { [BUCKETS[truth.status]]: [intentOf(told, waits, isOther)] } };
      const record = await listed(intentApi, reply);
      const { exits: _exits, ...order } = fields.readOrder(record);
      const streamed = readOrderMessage(messageOf(told, waits, isOther))!.order;
      expect([streamed.filled, streamed.price]).toEqual([truth.filled, odd === null ? truth.price : 0]);
      expect(streamed.triggerPrice).toBe(odd === null && waits !== 'nothing' ? truth.trigger : undefined);
      expect(withoutSource(streamed)).toEqual(withoutSource(order));
      expect(common(nodeItem(record, NODE_OPTIONS))).toEqual(common(triggerItemOf(streamed)));
      // And both interfaces say the same of it.
      if (waits === 'dip') return;
      const older = fields.readOrder(await listed(v2Api, [recordOf(told)]));
      expect(common(triggerItemOf(older))).toEqual(common(triggerItemOf(order)));
    }),
  );
});

it('a basket says the same in every spelling, and its legs are read as orders are', async () => {
  await fc.assert(
    fc.asyncProperty(truths, spellings, fc.boolean(), fc.boolean(), async (truth, chosen, isKeyed, isCamel) => {
      const basketOf = (leg: JsonObject): JsonObject => ({
        ...{ basket_id: '9', basket_name: 'b', basket_status: 'BASKET_STATUS_OPEN', tag: truth.tag },
        basket_params: { order_side: 'ORDER_SIDE_BUY', order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC', multiplier: 1 },
        orders: isKeyed ? { [truth.refId]: leg } : [leg],
      });
      const read = async (basket: JsonObject) => {
        const named = isCamel
          ? Object.fromEntries(Object.entries(basket).map(([name, value]) => [camel(name), value]))
          : basket;
        const { transport } = scriptedTransport([{ text: JSON.stringify([named]) }]);
        return readDayBaskets(await v2Api(transport).baskets.list());
      };
      expect(await read(basketOf(spelled(truth, chosen)))).toEqual(await read(basketOf(recordOf(truth))));
    }),
  );
});
