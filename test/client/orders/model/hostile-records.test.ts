/** Fields of another type than the specification declares: whoever reads a record reads nothing in them, and never fails. */
import { UnreadableReplyError } from '../../../../client/base/errors';
import { entryPriceOf } from '../../../../client/orders/changing/change-basket';
import { heldPositions, type HeldPosition } from '../../../../client/closing/positions';
import { openUnits } from '../../../../client/closing/open-orders';
import { isLegOf, tradedUnits, wasReduced, wasTraded } from '../../../../client/closing/traded-quantity';
import type { BasketRecord } from '../../../../client/endpoints/baskets';
import type { IntentRecord } from '../../../../client/endpoints/intent-orders';
import type { OrderRecord } from '../../../../client/endpoints/orders';
import { marketClosedAdvice } from '../../../../client/orders/account/market-closed-advice';
import { basketOf, isStrategy, orderOf } from '../../../../client/orders/api/intent/record';
import { modifyBody } from '../../../../client/orders/api/v2/orders';
import { showsChange } from '../../../../client/orders/changing/modify-order';
import type { OrderChange } from '../../../../client/orders/model/order-terms';
import * as baskets from '../../../../client/orders/model/basket-record';
import * as readers from '../../../../client/orders/model/order-record';
import { fillsOfOrders } from '../../../../client/performance/fills';
import type { Position } from '../../../../client/portfolio/portfolio';
import { readDayBaskets } from '../../../../client/orders/model/basket-record';
import { readOrder } from '../../../../client/orders/model/order-record';
import type { Json, JsonObject } from '../../../../client/values/json';

/** The first is an object that cannot be made text or a number: `String` and `Number` throw for it. */
const HOSTILE: Json[] = [{ toString: 1, valueOf: 1 }, [{ toString: 1 }], true, null, '', 'x', -1, 1e300];

/** The record with each field in turn, at any depth, made hostile. */
function* hostile(record: Json): Generator<Json> {
  yield* HOSTILE;
  if (typeof record !== 'object' || record === null) return;
  for (const key of Object.keys(record))
    for (const inner of hostile((record as JsonObject)[key]!))
      yield Array.isArray(record)
        ? record.map((value, at) => (String(at) === key ? inner : value))
        : { ...record, [key]: inner };
}

const EXITS = { kind: 'TRAILING_STOP', status: 'OPEN', trigger_price: 9, limit_price: 8, trail_jump: 1, filled_qty: 1 };
const ORDER = {
  order_id: '5',
  basket_id: '0',
  ref_id: 7,
  ref_data: { stock_name: 'INFY', plat_name: 'STOCK_INFY.NSECM', exchange: 'NSE' },
  exchange: 'NSE',
  order_type: 'ORDER_TYPE_REGULAR',
  order_side: 'ORDER_SIDE_BUY',
  order_status: 'ORDER_STATUS_OPEN',
  order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
  price_type: 'LIMIT',
  validity_type: 'DAY',
  order_qty: 10,
  filled_qty: 4,
  order_price: 1_000,
  avg_filled_price: 999.5,
  trigger_price: 1,
  leg_size: 2,
  algo_params: { trigger_price: 1, leg_size: 2 },
  order_time: '1790000000000000001',
  ack_time: '0',
  filled_time: '1790000000000000001',
  last_modified: '2',
  tag: 'a-b',
  rejection_msg: 'why',
  exits: [EXITS, { ...EXITS, kind: 'EXIT_TIME', exit_time: '2026-11-20T09:30:00Z' }],
  entry_condition: { when: 'ABOVE', trigger_price: 5 },
  entry_time: '2026-11-20T09:30:00Z',
  intent_status: 'OPEN',
  good_till_date: null,
};
const BASKET = {
  ...ORDER,
  basket_status: 'BASKET_STATUS_FILLED',
  basket_params: { order_side: 'ORDER_SIDE_BUY', order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', entry_price: 5 },
  orders: [ORDER],
};
const POSITION = {
  ref_id: 7,
  segment: 'stock',
  symbol: 'INFY',
  exchange: 'NSE',
  product: 'ORDER_DELIVERY_TYPE_IDAY',
  order_side: 'BUY',
  qty: 3,
  net_qty: 3,
};
const AT = '2026-11-20T10:30:00.000000001+05:30';
const INTENT = {
  intentOrderId: '5',
  status: 'OPEN',
  isMulti: true,
  legs: [{ refId: 7, unitQty: 1, orderQty: 10, filledQty: 4, filledPrice: 5, refData: { stockName: 'INFY' } }],
  refId: 7,
  refData: { refId: 7, exchange: 'NSE', stockName: 'INFY', displayName: 'Infosys', strikePrice: 5 },
  side: 'BUY',
  deliveryType: 'IDAY',
  priceType: 'LIMIT',
  validityType: 'DAY',
  orderQty: 10,
  filledQty: 4,
  filledPrice: 5,
  orderPrice: 6,
  ltp: 7,
  exchange: 'NSE',
  stratTags: ['a-b'],
  goodTillDate: AT,
  icebergInfo: { maxQtyPerLeg: 2, numberOfLegs: 5 },
  entryConfig: { triggers: { ltp: { above: { value: 5 } } }, entryTime: AT, status: 'OPEN' },
  exitConfig: {
    stoplossParams: { stoplossTriggerPrice: { value: 5 }, stoplossLimitPrice: { value: 5 }, stoplossTrailJump: 1 },
    targetParams: { targetProfitTriggerPrice: { value: 5 }, targetProfitLimitPrice: { value: 5 } },
    exitTime: AT,
  },
  exchangeOrderIds: { 7: [1, 2] },
  rejectionMsg: '',
  timestamps: { intentCreatedAt: AT, sentToColoAt: null, filledAt: AT, lastModifiedAt: AT, lastUpdatedAt: AT },
};
const CHANGE: OrderChange = {
  quantity: 10,
  price: 1_000,
  stop: { trigger: 9, limit: 8 },
  target: { trigger: 9, limit: 8 },
  exitTime: 1,
  entryTime: 1,
  condition: { when: 'AT_OR_ABOVE', price: 5 },
};
const KEY: Pick<HeldPosition, 'refId' | 'product'> = { refId: 7, product: 'IDAY' };

const OF_ORDERS: ((order: OrderRecord) => unknown)[] = [
  ...[readers.tagOf, readers.orderIdOf, readers.basketIdOfLeg, readers.statusOf, readers.exitsOf, readers.hasLiveExits],
  ...[readers.hasExited, readers.hasEnded, readers.hasReachedExchange, readers.isIntent, readers.refIdOf],
  ...[readers.symbolOf, readers.platNameOf, readers.exchangeOf, readers.quantityOf, readers.averagePriceOf],
  ...[readers.priceOf, readers.lastPriceOf, readers.triggerPriceOf, readers.legSizeOf, readers.kindOf, readers.sideOf],
  ...[readers.productOf, readers.priceTypeOf, readers.validityOf, readers.reasonOf],
  (order) => showsChange(order, CHANGE, ORDER as OrderRecord),
  (order) => showsChange(ORDER as OrderRecord, CHANGE, order),
  (order) => modifyBody(order, {}, 'NSE'),
  (order) => openUnits([order], KEY),
  (order) => [tradedUnits([order], KEY), wasTraded([order], KEY), wasReduced([order], KEY, 1)],
  (order) => fillsOfOrders([order], 0),
  (order) => marketClosedAdvice(order, ''),
  readOrder,
];
const OF_BASKETS: ((basket: BasketRecord) => unknown)[] = [
  ...[baskets.basketIdOf, baskets.basketStatusOf, baskets.isBasketLive, baskets.basketSideOf, baskets.legsOf],
  ...[entryPriceOf, (basket: BasketRecord) => isLegOf(basket, KEY)],
  (basket) => marketClosedAdvice(basket, ''),
  (basket) => readDayBaskets([{ ...basket, basket_id: '5' }]),
];
const OF_INTENTS: ((record: IntentRecord) => unknown)[] = [undefined, 'open' as const, 'executed' as const].flatMap(
  (bucket) => [
    (record: IntentRecord) => isStrategy({ record, bucket }),
    (record: IntentRecord) => orderOf({ record, bucket }),
    (record: IntentRecord) => basketOf({ record, bucket }),
  ],
);

/** Failures of the readers for a record, in their own words. */
function failures<T>(record: Json, read: readonly ((record: T) => unknown)[]): string[] {
  const failed = new Set<string>();
  for (const made of hostile(record)) {
    if (typeof made !== 'object' || made === null || Array.isArray(made)) continue;
    for (const item of read)
      try {
        item(made as T);
      } catch (error) {
        // Refused in words.
        if (error instanceof UnreadableReplyError) continue;
        failed.add(`${String(item).slice(0, 60)}: ${String(error)}`);
      }
  }
  return [...failed];
}

it('reads hostile values in an order without a failure', () => expect(failures(ORDER, OF_ORDERS)).toEqual([]));
it('reads hostile values in a basket without a failure', () => expect(failures(BASKET, OF_BASKETS)).toEqual([]));
it('reads hostile values in a record of intent orders without a failure', () =>
  expect(failures(INTENT, OF_INTENTS)).toEqual([]));
it('reads hostile values in a position without a failure', () =>
  expect(failures(POSITION, [(position: Position) => heldPositions([position])])).toEqual([]));

it('the names of another instrument are not those of an order', () => {
  const symbolBeside = (ref_id: number): string =>
    readers.instrumentOf({ ...ORDER, ref_data: { ...ORDER.ref_data, ref_id } } as OrderRecord).symbol;
  expect([7, 0, 8].map(symbolBeside)).toEqual(['INFY', 'INFY', '']);
});
