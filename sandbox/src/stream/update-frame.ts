import { istDate, istMidnight, millisOf } from '../shared/time';
import type { Instrument } from '../market/reference/types';
import type { NewOrder } from '../shared/orders';
import type { ServiceDialect } from '../simulation/dialect';
import type { Sandbox } from '../simulation/sandbox';
import { stockNameByDialect } from '../web/stock-name-by-dialect';
import { protobufLong, type Messages } from './messages';

export type ResponseType =
  | 'ACCEPT'
  | 'REJECT'
  | 'FILLED'
  | 'ENTRY_TRIGGERED'
  | 'EXIT_SL_TRIGGERED'
  | 'EXIT_TP_TRIGGERED'
  | 'TRAIL_UPDATED'
  | 'EXECUTED'
  | 'UNSOLICITED_CANCEL';
export type RequestType = 'NEW' | 'MOD' | 'CANCEL';

/** Kind of the update that an event becomes, and its request. */
export type UpdateKind = readonly [response: ResponseType, request: RequestType];

/**
 * Updates by the events of an order or a basket; what is missing here is not told (it is on its way), or depends on more than its name.
 */
export const UPDATE_KINDS: Readonly<Record<string, UpdateKind | undefined>> = {
  accepted: ['ACCEPT', 'NEW'],
  rejected: ['REJECT', 'NEW'],
  modified: ['ACCEPT', 'MOD'],
  modify_rejected: ['REJECT', 'MOD'],
  triggered: ['ENTRY_TRIGGERED', 'NEW'],
  entry_triggered: ['ENTRY_TRIGGERED', 'NEW'],
  trade: ['FILLED', 'NEW'],
  leg_filled: ['FILLED', 'NEW'],
  entered: ['EXECUTED', 'NEW'],
  executed: ['EXECUTED', 'NEW'],
  trail_updated: ['TRAIL_UPDATED', 'NEW'],
  closed: ['EXECUTED', 'CANCEL'],
  exit_filled: ['EXECUTED', 'CANCEL'],
  cancelled: ['ACCEPT', 'CANCEL'],
  cancel_rejected: ['REJECT', 'CANCEL'],
  expired: ['UNSOLICITED_CANCEL', 'NEW'],
  unsolicited_cancel: ['UNSOLICITED_CANCEL', 'NEW'],
};

/** An update that goes out: its frame, and what the journal notes of it. */
export interface StreamUpdate {
  frame: Uint8Array;
  about: Record<string, string | number>;
}

/** The instruments of legs, also of those that have expired; undefined for one that is not known. */
export type InstrumentOf = (refId: number) => Instrument | undefined;

interface Leg {
  refId: number;
  quantity: number;
  filledQuantity: number;
  /** Sum of price × quantity, paise. */
  filledValue: number;
}

type ExitKind = 'STOPLOSS' | 'TARGET_PROFIT' | 'TRAILING_STOP' | 'EXIT_TIME';
type Condition = 'ABOVE' | 'BELOW' | 'AT_OR_ABOVE' | 'AT_OR_BELOW' | 'INVALID';

const DAY_NS = 86_400_000n * 1_000_000n;

/** Makes the frames of order updates, whatever it is that they tell of (docs/service/streams.md#order-update-messages). */
export class UpdateFrames {
  private readonly typeName: string;

  constructor(
    private readonly messages: Messages,
    private readonly sandbox: {
      options: Pick<Sandbox['options'], 'serviceWord'>;
      dialect: Pick<ServiceDialect, 'mcx_stock_name'>;
    },
  ) {
    this.typeName = typeNameOf(sandbox.options.serviceWord);
  }

  /** The update of an order. `order` is its IntentOrderResponse; `about` is what the journal notes besides its kind. */
  update([response, request]: UpdateKind, order: object, about: StreamUpdate['about']): StreamUpdate {
    const { messages } = this;
    const message = messages
      .type('SvcToClientIntentUpdate')
      .encode({
        intentOrderResponse: order,
        intentOrderResponseType: messages.number('IntentOrderResponseType', `INTENT_ORDER_RESPONSE_TYPE_${response}`),
        intentOrderRequstType: messages.number('IntentOrderRequestType', `INTENT_ORDER_REQUEST_TYPE_${request}`),
      })
      .finish();
    return { frame: messages.frame(this.typeName, message), about: { topic: 'orders', response, request, ...about } };
  }

  /** The number of an enum's value: its name is the prefix, an underscore and the value. */
  code(enumName: string, prefix: string, value: string): number {
    return this.messages.number(enumName, `${prefix}_${value}`);
  }

  /** Returns the terms of trade of every order; `type` is that of an intent order. */
  terms({ product, priceType, side }: Pick<NewOrder, 'product' | 'priceType' | 'side'>, type: string) {
    return {
      deliveryType: this.code('OrderDeliveryType', 'ORDER_DELIVERY_TYPE', product),
      priceType: this.code('PriceType', 'PRICE_TYPE', priceType),
      orderSide: this.code('OrderSide', 'ORDER_SIDE', side),
      intentOrderType: this.code('IntentOrderType', 'INTENT_ORDER_TYPE', type),
      isAdmin: false,
    };
  }

  /** RefData of an instrument. */
  refData(instrument: Instrument) {
    return {
      refId: instrument.refId,
      platId: instrument.platId,
      optionType: instrument.optionType,
      token: instrument.token,
      stockName: stockNameByDialect(this.sandbox.dialect, instrument),
      series: instrument.series,
      platName: instrument.platName,
      lotSize: instrument.lotSize,
      asset: instrument.asset,
      exchange: instrument.exchange,
      derivativeType: instrument.derivativeType,
      displayName: instrument.displayName,
    };
  }

  /** A leg; `unit` is signed. */
  leg({ refId, quantity, filledQuantity, filledValue }: Leg, unit: number, instrument: Instrument | undefined) {
    return {
      refId,
      unitQty: unit,
      filledQty: filledQuantity,
      filledPrice: filledQuantity === 0 ? 0 : Math.round(filledValue / filledQuantity),
      ...(instrument === undefined ? {} : { refdata: this.refData(instrument) }),
      orderQty: quantity,
    };
  }

  /** Returns the conditions of an entry: a price (paise) and a time (milliseconds); null for none. */
  entryConfig(
    condition: { kind: Condition; price: number } | null,
    time: number | null,
    status: 'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED',
  ) {
    return {
      conditions:
        condition === null
          ? []
          : [
              {
                kind: { ltpConditionKind: this.code('LTPConditionKind', 'LTP_CONDITION_KIND', condition.kind) },
                threshold: condition.price,
                status: this.code('IntentEntryTriggerStatus', 'INTENT_ENTRY_TRIGGER_STATUS', status),
              },
            ],
      conditionOperator: this.code('ConditionOperator', 'CONDITION_OPERATOR', 'AND'),
      entryTime: nanosOf(time),
    };
  }

  /** An exit: its kind, the condition for which it waits (INVALID for an exit time) and its status. */
  exitTrigger(
    kind: ExitKind,
    condition: Condition,
    status: 'OPEN' | 'TRIGGERED' | 'FILLED' | 'CANCELLED',
    fields: Record<string, unknown>,
  ) {
    return {
      kind: this.code('IntentExitTriggerKind', 'INTENT_EXIT_TRIGGER_KIND', kind),
      conditionKind: this.code('LTPConditionKind', 'LTP_CONDITION_KIND', condition),
      status: this.code('IntentExitTriggerStatus', 'INTENT_EXIT_TRIGGER_STATUS', status),
      ...fields,
    };
  }
}

/** The fill of an event that is a trade. */
export function tradeFill({ quantity, price, refId }: { quantity: number; price: number; refId: number }) {
  return { tradeFill: { tradeQty: quantity, tradePrice: price, refId } };
}

/** A tag in the alphabet that the stream has for it; none of an order without. */
export function stratTags(tag: string): string[] {
  return tag === '' ? [] : [tag.replace(/[^A-Za-z0-9]+/g, '-')];
}

/** Milliseconds as nanoseconds of a message; 0 for null. */
export function nanosOf(time: number | null) {
  return protobufLong(BigInt(time ?? 0) * 1_000_000n);
}

/** Nanoseconds at which the day (IST) of an instant (milliseconds) ends. */
export function endOfDay(at: number): bigint {
  return BigInt(istMidnight(istDate(at))) * 1_000_000n + DAY_NS - 1n;
}

/** The same of an instant in nanoseconds. */
export function endOfDayOf(at: bigint): bigint {
  return endOfDay(millisOf(at));
}

/** The name of the update message with the service's own word: SvcToClientIntentUpdate. */
function typeNameOf(serviceWord: string): string {
  return `${serviceWord.charAt(0).toUpperCase()}${serviceWord.slice(1)}ToClientIntentUpdate`;
}
