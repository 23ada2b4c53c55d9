/** Orders and strategies as intent orders want them (docs/service/intent-orders.md#item-to-place, docs/service/intent-orders.md#modify-and-cancel). */
import type {
  EntryConfigBody,
  ExitConfigBody,
  IntentChangeBody,
  IntentItemBody,
  PriceBody,
} from '../../../endpoints/intent-orders';
import type { OrderRecord } from '../../../endpoints/orders';
import { InputError } from '../../../base/errors';
import { recordIn } from '../../../values/record';
import { istInstant } from '../../../values/time';
import { netUnits, unitOf, type BasketTerms } from '../../model/basket-terms';
import type {
  PriceCondition,
  EntryCondition,
  ExitTerms,
  OrderChange,
  OrderTerms,
  StopChange,
  TargetTerms,
} from '../../model/order-terms';
import { limitBeyond } from '../../model/exits';
import { exitsOf, isIntent, kindOf, legSizeOf, orderIdOf, sideOf, validityOf } from '../../model/order-record';
import { TRIGGER_NAMES, TRIGGER_CONDITIONS, type TriggerName } from './configs';

const NAMES: Readonly<Record<PriceCondition, 'atOrAbove' | 'atOrBelow'>> = {
  AT_OR_ABOVE: 'atOrAbove',
  AT_OR_BELOW: 'atOrBelow',
};

const timeText = (ms: number): string => new Date(ms).toISOString();
const off = { disabled: true } as const;

/** Returns the end of a day in IST, which is the same day in UTC. @param date YYYY-MM-DD */
function endOfDay(date: string): string {
  return timeText(istInstant(date, '23:59'));
}

/** The stop-loss order of the older interface is an entry that waits: a purchase from below, a sale from above. */
function conditionOf({ kind, side, triggerPrice, condition }: OrderTerms): EntryCondition | undefined {
  return kind === 'STOPLOSS' && triggerPrice !== undefined
    ? { when: side === 'BUY' ? 'AT_OR_ABOVE' : 'AT_OR_BELOW', price: triggerPrice }
    : condition;
}

function entryConfig(condition: EntryCondition | undefined, time: number | undefined): EntryConfigBody | undefined {
  if (condition === undefined && time === undefined) return undefined;
  return {
    ...(condition === undefined ? {} : { triggers: { ltp: { [NAMES[condition.when]]: { value: condition.price } } } }),
    ...(time === undefined ? {} : { entryTime: timeText(time) }),
  };
}

/** A jump of null is switched off. */
function stopBody(stop: StopChange | null): NonNullable<ExitConfigBody['stoplossParams']> {
  return stop === null
    ? { stoplossTriggerPrice: off, stoplossLimitPrice: off }
    : {
        stoplossTriggerPrice: { value: stop.trigger },
        stoplossLimitPrice: { value: stop.limit },
        ...(stop.jump === undefined ? {} : { stoplossTrailJump: stop.jump === null ? off : { value: stop.jump } }),
      };
}

function targetBody(target: TargetTerms | null): NonNullable<ExitConfigBody['targetParams']> {
  const price = (value: number | undefined): PriceBody => (value === undefined ? off : { value });
  return {
    targetProfitTriggerPrice: price(target?.trigger),
    targetProfitLimitPrice: price(target?.limit),
  };
}

function exitConfig(exits: ExitTerms | undefined): ExitConfigBody | undefined {
  const { stop, target, time } = exits ?? {};
  if (stop === undefined && target === undefined && time === undefined) return undefined;
  return {
    ...(stop === undefined ? {} : { stoplossParams: stopBody(stop) }),
    ...(target === undefined ? {} : { targetParams: targetBody(target) }),
    ...(time === undefined ? {} : { exitTime: timeText(time) }),
  };
}

/** Returns the common fields of orders and strategies. */
function common(
  terms: Pick<OrderTerms, 'product' | 'priceType' | 'price' | 'goodTill'>,
  validity: OrderTerms['validity'],
  entry: EntryConfigBody | undefined,
  exits: ExitConfigBody | undefined,
  tag: string,
): Omit<IntentItemBody, 'qty' | 'side' | 'isMultiLeg'> {
  const { product, priceType, price, goodTill } = terms;
  const isMarket = priceType === 'MARKET';
  return {
    deliveryType: product,
    priceType,
    validityType: isMarket ? 'IOC' : validity,
    ...(goodTill === undefined || isMarket || validity !== 'GTE' ? {} : { goodTillDate: endOfDay(goodTill) }),
    executionMode: exits === undefined ? 'ENTRY' : 'ENTRY_AND_EXIT',
    ...(isMarket ? {} : { entryPrice: price }),
    ...(entry === undefined ? {} : { entryConfig: entry }),
    ...(exits === undefined ? {} : { exitConfig: exits }),
    stratTags: [tag],
  };
}

/** See docs/service/intent-orders.md#item-to-place: one order. */
export function itemOf(terms: OrderTerms, tag: string): IntentItemBody {
  const { instrument, quantity, side, kind, legSize, slices } = terms;
  const entry = entryConfig(conditionOf(terms), terms.entryTime);
  return {
    refId: instrument.refId,
    qty: quantity,
    side,
    isMultiLeg: false,
    ...common(terms, terms.validity, entry, exitConfig(terms.exits), tag),
    ...(kind === 'ICEBERG'
      ? { icebergInfo: slices === undefined ? { maxQtyPerLeg: legSize ?? 0 } : { numberOfLegs: slices } }
      : {}),
  };
}

/**
 * Returns the body of a strategy (docs/service/intent-orders.md#item-to-place). Its net price is signed like that of a basket: purchases
 * positive, sales negative.
 */
export function strategyOf(terms: BasketTerms, tag: string): IntentItemBody {
  const { legs, multiplier } = terms;
  const validity = terms.goodTill === undefined ? 'DAY' : 'GTE';
  const exits = exitConfig(exitsOfBasket(terms));
  const condition =
    terms.momentumTriggerPrice === undefined
      ? undefined
      : ({ when: 'AT_OR_ABOVE', price: terms.momentumTriggerPrice } as const);
  return {
    qty: unitOf(legs) * multiplier,
    side: 'BUY',
    isMultiLeg: true,
    ...common(terms, validity, entryConfig(condition, terms.entryTime), exits, tag),
    legs: netUnits(legs).map(({ instrument, units }) => ({ refId: instrument.refId, unitQty: units })),
  };
}

/** Returns the exits of the whole basket: net prices, for which higher is always better. */
function exitsOfBasket({ stopLossPrice, targetPrice, trailJump, exitTime, legs }: BasketTerms): ExitTerms {
  const tick = Math.min(...legs.map(({ instrument }) => instrument.tickSize));
  return {
    ...(stopLossPrice === undefined
      ? {}
      : {
          stop: {
            trigger: stopLossPrice,
            limit: limitBeyond(stopLossPrice, 1, tick),
            ...(trailJump === undefined ? {} : { jump: trailJump }),
          },
        }),
    ...(targetPrice === undefined ? {} : { target: { trigger: targetPrice, limit: targetPrice } }),
    ...(exitTime === undefined ? {} : { time: exitTime }),
  };
}

/**
 * Returns the body of a change (docs/service/intent-orders.md#modify-and-cancel): the changed fields, with the matching mode.
 * @throws InputError for a field that cannot change.
 */
export function changeBody(order: OrderRecord, change: OrderChange): IntentChangeBody {
  const { kind, legSize, quantity, price, goodTill, stop, target, exitTime } = change;
  if (kind !== undefined && kind !== kindOf(order)) throw notChangeable('The order type', 'orderType');
  if (legSize !== undefined && legSize !== legSizeOf(order)) throw notChangeable('The leg size', 'legSize');
  const triggers = conditionChange(order, change);
  const entry: Omit<IntentChangeBody, 'orderId' | 'executionMode'> = {
    ...(quantity === undefined ? {} : { qty: quantity }),
    ...(price === undefined ? {} : { entryPrice: price }),
    ...(goodTill === undefined ? {} : { validityType: 'GTE' as const, goodTillDate: endOfDay(goodTill) }),
    ...(triggers === undefined && change.entryTime === undefined
      ? {}
      : {
          entryConfig: {
            ...(triggers === undefined ? {} : { triggers }),
            ...(change.entryTime === undefined
              ? {}
              : { entryTime: change.entryTime === null ? off : timeText(change.entryTime) }),
          },
        }),
  };
  if (goodTill !== undefined && validityOf(order) !== 'GTE') throw notChangeable('The validity', 'goodTillDate');
  const hasExits = stop !== undefined || target !== undefined || exitTime !== undefined;
  const hasEntry = Object.keys(entry).length > 0;
  return {
    orderId: orderIdOf(order),
    executionMode: hasExits ? (hasEntry ? 'ENTRY_AND_EXIT' : 'EXIT') : 'ENTRY',
    ...entry,
    ...(hasExits
      ? {
          exitConfig: {
            ...(stop === undefined ? {} : { stoplossParams: stopBody(trailing(order, stop)) }),
            ...(target === undefined ? {} : { targetParams: targetBody(target) }),
            ...(exitTime === undefined ? {} : { exitTime: exitTime === null ? off : timeText(exitTime) }),
          },
        }
      : {}),
  };
}

/** Returns a changed stop loss with its former jump, since fields left out of a modify may be removed. */
function trailing(order: OrderRecord, stop: StopChange | null): StopChange | null {
  if (stop === null || stop.jump !== undefined) return stop;
  const now = exitsOf(order).find(({ kind, status }) => kind === 'TRAILING_STOP' && status === 'OPEN');
  const jump = now?.trail_jump;
  return typeof jump === 'number' ? { ...stop, jump } : stop;
}

function conditionChange(order: OrderRecord, change: OrderChange): EntryConfigBody['triggers'] | undefined {
  const { condition, triggerPrice } = change;
  const stop = sideOf(order) === 'SELL' ? ('AT_OR_BELOW' as const) : ('AT_OR_ABOVE' as const);
  if (condition === null) return { ltp: { [shownCondition(order) ?? NAMES[stop]]: off } };
  const requested = condition ?? (triggerPrice === undefined ? undefined : { when: stop, price: triggerPrice });
  return requested === undefined ? undefined : { ltp: { [NAMES[requested.when]]: { value: requested.price } } };
}

/** Returns the name of the condition that a record shows; undefined if it shows none. */
function shownCondition(order: OrderRecord): TriggerName | undefined {
  const when = recordIn(order, 'entry_condition')?.when;
  return isIntent(order) ? TRIGGER_NAMES.find((name) => TRIGGER_CONDITIONS[name] === when) : undefined;
}

function notChangeable(what: string, parameter: string): InputError {
  return new InputError(`${what} of this order cannot be changed.`, {
    parameter,
    hint: 'Cancel the order and place a new one. Nothing was sent.',
  });
}
