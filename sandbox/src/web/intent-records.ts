import { multiplierByDialect } from './multiplier-by-dialect';
import { stockNameByDialect } from './stock-name-by-dialect';
import type { ServiceDialect } from '../simulation/dialect';
import { int64 } from '../shared/json';
import type { Order } from '../shared/orders';
import type { StrategyExit } from '../exchange/strategies/exit-types';
import type { ConditionKind, IntentLeg, IntentOrder, IntentStatus } from '../exchange/strategies/types';
import type { Instrument } from '../market/reference/types';
import type { Sandbox } from '../simulation/sandbox';

export type OrderBucket = 'open' | 'executed' | 'cancelled' | 'rejected' | 'expired' | 'gtt';

const NAMES: Record<ConditionKind, string> = {
  ABOVE: 'above',
  BELOW: 'below',
  AT_OR_ABOVE: 'atOrAbove',
  AT_OR_BELOW: 'atOrBelow',
};

/** Statuses of older orders as those of intent orders. */
export const INTENT_STATUSES: Readonly<Record<Order['status'], IntentStatus>> = {
  PENDING: 'OPEN',
  SENT: 'OPEN',
  OPEN: 'OPEN',
  PARTIAL_FILLED: 'OPEN',
  TRIGGERED: 'OPEN',
  FILLED: 'EXECUTED',
  CANCELLED: 'CANCELLED',
  REJECTED: 'REJECTED',
  EXPIRED: 'EXPIRED',
};

/** The status as the service tells it: a good-till order that is alive is GTE. */
export function statusOf({ status, validity }: Readonly<IntentOrder>): string {
  return status === 'OPEN' && validity === 'GTE' ? 'GTE' : status;
}

export function bucketOf(intent: Readonly<IntentOrder>): OrderBucket {
  const status = statusOf(intent);
  return status === 'GTE' ? 'gtt' : (status.toLowerCase() as OrderBucket);
}

/** Returns the kind of an order in the service's words. */
export function typeOf({ multi, iceberg, entry, exits }: IntentOrder): 'REGULAR' | 'TRIGGER' | 'ICEBERG' | 'FLEXI' {
  if (multi || exits.length > 0) return 'FLEXI';
  if (iceberg !== null) return 'ICEBERG';
  return entry.condition !== null || entry.time !== null ? 'TRIGGER' : 'REGULAR';
}

/** The kind of an exit in the service's words. */
export function kindOf({ slot, jump }: StrategyExit): 'STOPLOSS' | 'TARGET_PROFIT' | 'TRAILING_STOP' | 'EXIT_TIME' {
  if (slot === 'stop') return jump > 0 ? 'TRAILING_STOP' : 'STOPLOSS';
  return slot === 'target' ? 'TARGET_PROFIT' : 'EXIT_TIME';
}

/** The exits that were asked for: a closing on request is none of them. */
export function requestedExits({ exits }: IntentOrder): StrategyExit[] {
  return exits.filter(({ slot }) => slot !== 'request');
}

/** The record of an intent order (docs/service/intent-orders.md#record), in the dialect of the sandbox. */
export function intentRecord(sandbox: Sandbox, intent: IntentOrder) {
  const { world, dialect } = sandbox;
  const first = world.instrument(intent.legs[0]!.refId);
  const asMulti = intent.multi || dialect.intent_single === 'multi';
  return {
    intentOrderId: int64(intent.id),
    exchange: first?.exchange ?? '',
    status: statusOf(intent),
    intentOrderType: typeOf(intent),
    isMulti: asMulti,
    legs: asMulti ? intent.legs.map((leg) => legRecord(sandbox, leg)) : null,
    ...(asMulti ? {} : { refId: intent.legs[0]!.refId }),
    refData: intent.multi || first === undefined ? null : refData(dialect, first),
    side: intent.side,
    deliveryType: intent.product,
    priceType: intent.priceType,
    validityType: intent.validity,
    executionMode: intent.exits.length === 0 ? 'ENTRY' : 'ENTRY_AND_EXIT',
    orderQty: intent.quantity,
    filledQty: intent.filledQuantity,
    filledPrice: intent.filledPrice,
    ...(dialect.intent_order_price === 'missing' ? {} : { orderPrice: intent.price }),
    ltp: world.intents.netPrice(intent, sandbox.instant),
    stratTags: intent.tag === '' ? [] : [intent.tag],
    goodTillDate: isoOrNull(intent.goodTill),
    icebergInfo:
      intent.iceberg === null ? null : { maxQtyPerLeg: intent.iceberg.maxQuantity, numberOfLegs: intent.iceberg.legs },
    entryConfig: entryConfig(intent, dialect.intent_configs),
    exitConfig: exitConfig(intent, dialect.intent_configs),
    echoFields: JSON.parse(intent.echo) as unknown,
    exchangeOrderIds: Object.fromEntries(
      intent.legs.map(({ refId, exchangeOrderIds }) => [String(refId), exchangeOrderIds.map(int64)]),
    ),
    rejectionMsg: intent.reason,
    timestamps: {
      intentCreatedAt: rfc3339(intent.createdAt),
      sentToColoAt: rfc3339(intent.sentAt),
      filledAt: rfc3339(intent.filledAt),
      cancelledAt: rfc3339(intent.cancelledAt),
      rejectedAt: rfc3339(intent.rejectedAt),
      lastModifiedAt: rfc3339(intent.modifiedAt),
      lastUpdatedAt: rfc3339(intent.updatedAt),
    },
  };
}

function legRecord({ world, dialect }: Sandbox, { refId, unit, quantity, filledQuantity, filledValue }: IntentLeg) {
  const instrument = world.instrument(refId);
  return {
    refId,
    unitQty: unit,
    orderQty: quantity,
    filledQty: filledQuantity,
    filledPrice: filledQuantity === 0 ? 0 : Math.round(filledValue / filledQuantity),
    refData: instrument === undefined ? null : refData(dialect, instrument),
  };
}

function entryConfig({ entry, entryTriggered }: IntentOrder, shape: 'object' | 'list') {
  const { condition, time } = entry;
  if (condition === null && time === null) return shape === 'list' ? [] : null;
  const config = {
    triggers: { ltp: condition === null ? {} : { [NAMES[condition.kind]]: { value: condition.price } } },
    entryTime: isoOrNull(time),
    status: entryTriggered ? 'TRIGGERED' : 'OPEN',
  };
  return shape === 'list' ? [config] : config;
}

/** Present exits: prices after trailing; the list has one entry for each, as the stream's triggers do. */
function exitConfig(intent: IntentOrder, shape: 'object' | 'list') {
  const exits = requestedExits(intent);
  if (shape === 'list')
    return exits.map((exit) => ({
      kind: kindOf(exit),
      triggerPrice: exit.trigger,
      limitPrice: exit.limit,
      trailJump: exit.jump,
      exitTime: exit.at === 0 ? null : isoOrNull(exit.at),
      status: exit.status,
      filledQty: exit.filledQuantity,
    }));
  const of = (slot: StrategyExit['slot']): StrategyExit | undefined => exits.find((exit) => exit.slot === slot);
  const [stop, target, time] = [of('stop'), of('target'), of('time')];
  if (exits.length === 0) return null;
  return {
    ...(stop === undefined
      ? {}
      : {
          stoplossParams: {
            stoplossTriggerPrice: { value: stop.trigger },
            stoplossLimitPrice: { value: stop.limit },
            ...(stop.jump > 0 ? { stoplossTrailJump: stop.jump } : {}),
            kind: kindOf(stop),
            status: stop.status,
            filledQty: stop.filledQuantity,
          },
        }),
    ...(target === undefined
      ? {}
      : {
          targetParams: {
            targetProfitTriggerPrice: { value: target.trigger },
            targetProfitLimitPrice: { value: target.limit },
            kind: kindOf(target),
            status: target.status,
            filledQty: target.filledQuantity,
          },
        }),
    ...(time === undefined
      ? {}
      : {
          exitTime: isoOrNull(time.at),
          exitTimeStatus: time.status,
          exitTimeFilledQty: time.filledQuantity,
        }),
  };
}

export function refData(dialect: Pick<ServiceDialect, 'qty_multiplier' | 'mcx_stock_name'>, instrument: Instrument) {
  return {
    refId: instrument.refId,
    exchange: instrument.exchange,
    asset: instrument.asset,
    stockName: stockNameByDialect(dialect, instrument),
    displayName: instrument.displayName,
    derivativeType: instrument.derivativeType,
    optionType: instrument.optionType,
    lotSize: instrument.lotSize,
    qtyMultiplier: multiplierByDialect(dialect, instrument),
    tickSize: instrument.tickSize,
    strikePrice: instrument.strikePrice,
    expiry: instrument.expiry,
    series: instrument.series,
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** RFC 3339 with nine decimals of a time in nanoseconds; null for one that has not happened. */
function rfc3339(at: bigint): string | null {
  if (at === 0n) return null;
  const seconds = new Date(Number(at / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(at % 1_000_000_000n).padStart(9, '0')}Z`;
}
