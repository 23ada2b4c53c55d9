import { Type, type Static } from '@sinclair/typebox';
import type { ConditionKind, IcebergTerms, IntentChange, NewIntent } from '../../exchange/strategies/types';
import type { ExitTerms, StopTerms, TargetTerms } from '../../exchange/strategies/exit-types';
import { parseInstant } from '../../shared/time';
import { ApiError } from '../../web/errors';
import { Id, oneOf, optional } from '../../web/schema';
import type { ServiceDialect } from '../../simulation/dialect';

/** Orders in one request. */
const MAX_ORDERS = 100;
/** Orders in one cancel (docs/service/intent-orders.md#modify-and-cancel). */
export const MAX_CANCELS = 20;

const Price = optional(
  Type.Union([Type.Number(), Type.Object({ value: optional(Type.Number()), disabled: optional(Type.Boolean()) })], {
    description: 'Paise as {"value": n}, or {"disabled": true}',
  }),
);
const Time = optional(
  Type.Union([Type.String(), Type.Object({ disabled: optional(Type.Boolean()) })], { description: 'ISO 8601 UTC' }),
);

const EntryConfig = Type.Object({
  triggers: optional(
    Type.Object({
      ltp: optional(Type.Object({ above: Price, below: Price, atOrAbove: Price, atOrBelow: Price })),
    }),
  ),
  entryTime: Time,
});
const ExitConfig = Type.Object({
  stoplossParams: optional(
    Type.Object({ stoplossTriggerPrice: Price, stoplossLimitPrice: Price, stoplossTrailJump: Price }),
  ),
  targetParams: optional(Type.Object({ targetProfitTriggerPrice: Price, targetProfitLimitPrice: Price })),
  exitTime: Time,
});
const Iceberg = Type.Object({
  maxQtyPerLeg: optional(Type.Integer()),
  numberOfLegs: optional(Type.Integer()),
});
const Mode = oneOf('ENTRY', 'EXIT', 'ENTRY_AND_EXIT');

/** An item to place (docs/service/intent-orders.md#item-to-place). */
export const OrderItem = Type.Object({
  refId: optional(Type.Integer({ minimum: 0 })),
  qty: Type.Integer(),
  side: oneOf('BUY', 'SELL'),
  deliveryType: oneOf('IDAY', 'CNC'),
  priceType: oneOf('LIMIT', 'MARKET'),
  validityType: oneOf('DAY', 'IOC', 'GTE'),
  goodTillDate: optional(Type.String()),
  isMultiLeg: optional(Type.Boolean()),
  executionMode: optional(Mode),
  entryPrice: Price,
  entryConfig: optional(EntryConfig),
  exitConfig: optional(ExitConfig),
  icebergInfo: optional(Iceberg),
  legs: optional(
    Type.Array(Type.Object({ refId: Type.Integer({ minimum: 0 }), unitQty: Type.Integer() }), { maxItems: 50 }),
  ),
  stratTags: optional(
    Type.Array(Type.String(), { description: 'Exactly one, or none in one dialect; letters, digits and hyphens' }),
  ),
  echoFields: Type.Optional(Type.Unknown({ description: 'Given back as it was' })),
});
export type ItemBody = Static<typeof OrderItem>;

/** An item to modify (docs/service/intent-orders.md#modify-and-cancel). */
const ModifyItem = Type.Object({
  orderId: Id,
  qty: optional(Type.Integer()),
  entryPrice: Price,
  goodTillDate: optional(Type.String()),
  validityType: optional(Type.String()),
  priceType: optional(Type.String()),
  deliveryType: optional(Type.String()),
  executionMode: optional(Mode),
  entryConfig: optional(EntryConfig),
  exitConfig: optional(ExitConfig),
  refId: Type.Optional(Type.Unknown()),
  side: Type.Optional(Type.Unknown()),
  legs: Type.Optional(Type.Unknown()),
  isMultiLeg: Type.Optional(Type.Unknown()),
});
export type ModifyBody = Static<typeof ModifyItem>;

const CancelItem = Type.Object({
  orderId: Id,
  exitTriggerKind: optional(oneOf('STOPLOSS', 'TARGET_PROFIT', 'TRAILING_STOP')),
});

export const CreateOrders = Type.Object({ orders: Type.Array(OrderItem, { minItems: 1, maxItems: MAX_ORDERS }) });
export const ModifyOrders = Type.Object({ orders: Type.Array(ModifyItem, { minItems: 1, maxItems: MAX_ORDERS }) });
export const CancelOrders = Type.Object({ orders: Type.Array(CancelItem, { minItems: 1 }) });
export const FundsRequired = Type.Object({
  requestType: oneOf('NEW'),
  orders: Type.Array(OrderItem, { minItems: 1, maxItems: MAX_ORDERS }),
});

type PriceBody = Static<typeof Price>;
type ExitBody = Static<typeof ExitConfig>;

/** The order that an item asks for; in one dialect it needs no tag. @throws ApiError 400 */
export function newIntent(
  account: string,
  body: ItemBody,
  { strat_tags }: Pick<ServiceDialect, 'strat_tags'>,
): NewIntent {
  const multi = body.isMultiLeg === true;
  const exits = exitTerms(body.exitConfig ?? {});
  requireMode(body.executionMode ?? undefined, exits);
  return {
    account,
    multi,
    legs: legsOf(body, multi),
    quantity: body.qty,
    side: body.side,
    product: body.deliveryType,
    priceType: body.priceType,
    validity: body.validityType,
    price: priceOf(body.entryPrice) ?? 0,
    goodTill: instant('goodTillDate', body.goodTillDate),
    entry: {
      condition: conditionOf(body.entryConfig ?? {}) ?? null,
      time: timeOf('entryConfig.entryTime', body.entryConfig?.entryTime) ?? null,
    },
    exits,
    iceberg: icebergOf(body.icebergInfo),
    tag: strat_tags === 'optional' && (body.stratTags ?? []).length === 0 ? '' : tagOf(body.stratTags),
    echo: JSON.stringify(body.echoFields ?? null),
  };
}

/** Returns the change that an item asks for. @throws ApiError 400 when it names what cannot be changed */
export function intentChange(
  body: ModifyBody,
  { multi, side, refId }: { multi: boolean; side: string; refId: number },
): IntentChange {
  for (const name of ['legs', 'isMultiLeg'] as const)
    if (body[name] != null) throw new ApiError(400, `${name} can't be changed: leave it out of a modify`);
  const same = (body.refId == null || body.refId === refId) && (body.side == null || body.side === side);
  if (!same || (multi && (body.refId != null || body.side != null)))
    throw new ApiError(400, "refId and side can't be changed: leave them out of a modify");
  const change: IntentChange = {};
  if (body.qty != null) change.quantity = body.qty;
  const price = priceOf(body.entryPrice);
  if (price !== undefined && price !== null) change.price = price;
  const goodTill = instant('goodTillDate', body.goodTillDate);
  if (goodTill !== null) change.goodTill = goodTill;
  if (body.entryConfig != null) {
    const condition = conditionOf(body.entryConfig);
    if (condition !== undefined) change.condition = condition;
    const time = timeOf('entryConfig.entryTime', body.entryConfig.entryTime);
    if (time !== undefined) change.entryTime = time;
  }
  const entry = Object.keys(change).length > 0;
  if (body.exitConfig != null) exitChange(body.exitConfig, change);
  changeMode(body.executionMode ?? undefined, entry, body.exitConfig != null);
  return change;
}

/**
 * The mode must fit what is sent (docs/service/intent-orders.md#item-to-place). ENTRY_AND_EXIT without exits, and ENTRY with an exit time
 * alone, are both printed by the
 * makers and taken (docs/service/intent-orders.md#item-to-place).
 */
function requireMode(mode: string | undefined, { stop, target }: ExitTerms): void {
  if (mode === undefined || mode === 'ENTRY_AND_EXIT') return;
  if (mode !== 'ENTRY') throw new ApiError(400, `executionMode must be ENTRY or ENTRY_AND_EXIT, not ${mode}`);
  if (stop !== null || target !== null)
    throw new ApiError(400, 'executionMode must be ENTRY_AND_EXIT with a stop loss or a target, not ENTRY');
}

function changeMode(mode: string | undefined, entry: boolean, exits: boolean): void {
  if (!entry && !exits) throw new ApiError(400, 'the modify changes nothing: send the fields that change');
  const fits = entry ? (exits ? 'ENTRY_AND_EXIT' : 'ENTRY') : 'EXIT';
  if (mode !== undefined && mode !== fits)
    throw new ApiError(400, `executionMode must be ${fits} for what is changed, not ${mode}`);
}

function legsOf({ refId, side, legs }: ItemBody, multi: boolean): NewIntent['legs'] {
  if (!multi) {
    if (legs != null && legs.length > 0) throw new ApiError(400, 'legs are of a strategy: isMultiLeg must be true');
    if (refId == null) throw new ApiError(400, 'refId is required');
    return [{ refId, unit: side === 'BUY' ? 1 : -1 }];
  }
  if (refId != null) throw new ApiError(400, 'refId is not of a strategy: its legs name the instruments');
  return (legs ?? []).map((leg) => ({ refId: leg.refId, unit: leg.unitQty }));
}

function tagOf(tags: readonly string[] | null | undefined): string {
  if (tags?.length !== 1) throw new ApiError(400, `stratTags must hold exactly one tag, not ${tags?.length ?? 0}`);
  if (tags[0] === '') throw new ApiError(400, 'stratTags must not hold an empty tag');
  return tags[0]!;
}

function icebergOf(info: Static<typeof Iceberg> | null | undefined): IcebergTerms | null {
  if (info == null || (info.maxQtyPerLeg == null && info.numberOfLegs == null)) return null;
  return { maxQuantity: info.maxQtyPerLeg ?? null, legs: info.numberOfLegs ?? null };
}

/** The one price condition; null where it is switched off, undefined where none is named. @throws ApiError 400 for two */
function conditionOf({
  triggers,
}: Static<typeof EntryConfig>): { kind: ConditionKind; price: number } | null | undefined {
  const named = [
    ['ABOVE', triggers?.ltp?.above],
    ['BELOW', triggers?.ltp?.below],
    ['AT_OR_ABOVE', triggers?.ltp?.atOrAbove],
    ['AT_OR_BELOW', triggers?.ltp?.atOrBelow],
  ] as const;
  const given = named.map(([kind, price]) => ({ kind, price: priceOf(price) }));
  const on = given.flatMap(({ kind, price }) => (price == null ? [] : [{ kind, price }]));
  if (on.length > 1) throw new ApiError(400, 'entryConfig.triggers.ltp takes one price condition per order');
  return on[0] ?? (triggers === null || given.some(({ price }) => price === null) ? null : undefined);
}

function exitTerms(body: ExitBody): ExitTerms {
  const change: IntentChange = {};
  exitChange(body, change);
  return { stop: change.stop ?? null, target: change.target ?? null, time: change.exitTime ?? null };
}

function exitChange(body: ExitBody, change: IntentChange): void {
  const stop = stopOf(body.stoplossParams);
  if (stop !== undefined) change.stop = stop;
  const target = targetOf(body.targetParams);
  if (target !== undefined) change.target = target;
  const time = timeOf('exitConfig.exitTime', body.exitTime);
  if (time !== undefined) change.exitTime = time;
}

function stopOf(params: ExitBody['stoplossParams']): StopTerms | null | undefined {
  if (params === undefined || params === null) return undefined;
  const prices = pair('stoplossParams', {
    stoplossTriggerPrice: params.stoplossTriggerPrice,
    stoplossLimitPrice: params.stoplossLimitPrice,
  });
  return prices && { ...prices, jump: priceOf(params.stoplossTrailJump) ?? null };
}

function targetOf(params: ExitBody['targetParams']): TargetTerms | null | undefined {
  if (params === undefined || params === null) return undefined;
  return pair('targetParams', {
    targetProfitTriggerPrice: params.targetProfitTriggerPrice,
    targetProfitLimitPrice: params.targetProfitLimitPrice,
  });
}

/** Trigger and limit: both, or both switched off (null). @throws ApiError 400 for one alone */
function pair(
  where: string,
  prices: Record<string, PriceBody | undefined>,
): { trigger: number; limit: number } | null | undefined {
  const [[triggerName, trigger], [limitName, limit]] = Object.entries(prices).map(
    ([name, price]) => [name, priceOf(price)] as const,
  ) as [readonly [string, number | null | undefined], readonly [string, number | null | undefined]];
  if (trigger == null && limit == null) return trigger === null || limit === null ? null : undefined;
  if (trigger == null || limit == null)
    throw new ApiError(400, `exitConfig.${where} needs both ${triggerName} and ${limitName}`);
  return { trigger, limit };
}

/** The price of a wrapper; null where it is switched off, undefined where it is missing. */
function priceOf(price: PriceBody | undefined): number | null | undefined {
  if (price === undefined || price === null) return undefined;
  if (typeof price === 'number') return price;
  return price.disabled === true ? null : (price.value ?? undefined);
}

function timeOf(name: string, time: Static<typeof Time> | undefined): number | null | undefined {
  if (time === undefined) return undefined;
  if (time === null || typeof time !== 'string') return null;
  return instant(name, time);
}

function instant(name: string, text: string | null | undefined): number | null {
  if (text == null || text === '') return null;
  const at = parseInstant(text);
  if (Number.isNaN(at))
    throw new ApiError(400, `${name} must be ISO 8601 with its offset, such as 2026-11-23T09:35:00.000Z`);
  return at;
}
