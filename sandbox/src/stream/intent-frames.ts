import type { Exit, ExitSlot } from '../exchange/exits/types';
import type { IntentEvent, IntentOrder } from '../exchange/intents/types';
import { askedExits, kindOf, statusOf, typeOf } from '../web/intent-records';
import type { Instrument } from '../market/reference/types';
import { istDate, istMidnight, millis } from '../shared/time';
import { long, type Messages } from './messages';
import { refData, typeNameOf, type Update } from './order-frames';

type ResponseType =
  | 'ACCEPT'
  | 'REJECT'
  | 'FILLED'
  | 'ENTRY_TRIGGERED'
  | 'EXIT_SL_TRIGGERED'
  | 'EXIT_TP_TRIGGERED'
  | 'TRAIL_UPDATED'
  | 'EXECUTED'
  | 'UNSOLICITED_CANCEL';
type RequestType = 'NEW' | 'MOD' | 'CANCEL';

/** The stream's ValidityType has no number for GTE; clients go by good_till_date (intent orders, section 6). */
const GTE_NUMBER = 3;
const DAY_NS = 86_400_000n * 1_000_000n;

/** Which update an event becomes, and of which request; undefined for what is not told. */
function updateOf(event: IntentEvent): [ResponseType, RequestType] | undefined {
  switch (event.type) {
    case 'received':
      return undefined;
    case 'accepted':
      return ['ACCEPT', 'NEW'];
    case 'rejected':
      return ['REJECT', 'NEW'];
    case 'entry_triggered':
      return ['ENTRY_TRIGGERED', 'NEW'];
    case 'trade':
      return ['FILLED', 'NEW'];
    case 'executed':
      // The fill that completes a plain order has said it already.
      return event.intent.multi || event.intent.exits.length > 0 ? ['EXECUTED', 'NEW'] : undefined;
    case 'trail_updated':
      return ['TRAIL_UPDATED', 'NEW'];
    case 'exit_triggered':
      return exitOf(event.slot);
    case 'exit_filled':
      return ['EXECUTED', 'CANCEL'];
    case 'exit_cancelled':
      return event.reason === '' ? ['ACCEPT', 'CANCEL'] : ['UNSOLICITED_CANCEL', 'NEW'];
    case 'modified':
      return ['ACCEPT', 'MOD'];
    case 'modify_rejected':
      return ['REJECT', 'MOD'];
    case 'cancelled':
      return ['ACCEPT', 'CANCEL'];
    case 'cancel_rejected':
      return ['REJECT', 'CANCEL'];
    case 'expired':
    case 'unsolicited_cancel':
      return ['UNSOLICITED_CANCEL', 'NEW'];
  }
}

/** An exit time has no response of its own: its trigger says what it is. */
function exitOf(slot: ExitSlot): [ResponseType, RequestType] {
  if (slot === 'target') return ['EXIT_TP_TRIGGERED', 'NEW'];
  return slot === 'request' ? ['ACCEPT', 'CANCEL'] : ['EXIT_SL_TRIGGERED', 'NEW'];
}

/** Makes the frames of intent orders (specification: Events; intent orders, section 6). */
export class IntentFrames {
  private readonly typeName: string;

  constructor(
    private readonly messages: Messages,
    serviceWord: string,
  ) {
    this.typeName = typeNameOf(serviceWord);
  }

  /** The update of an event; undefined when the service tells nothing of it. `ltp` is the last or net price, paise. */
  of(event: IntentEvent, instruments: (refId: number) => Instrument | undefined, ltp: number): Update | undefined {
    const update = updateOf(event);
    if (update === undefined) return undefined;
    const [response, request] = update;
    const { messages } = this;
    const message = messages
      .type('SvcToClientIntentUpdate')
      .encode({
        intentOrderResponse: this.response(event, instruments, ltp),
        intentOrderResponseType: messages.number('IntentOrderResponseType', `INTENT_ORDER_RESPONSE_TYPE_${response}`),
        intentOrderRequstType: messages.number('IntentOrderRequestType', `INTENT_ORDER_REQUEST_TYPE_${request}`),
      })
      .finish();
    return {
      frame: messages.frame(this.typeName, message),
      about: {
        topic: 'orders',
        response,
        request,
        intent_order_id: event.intent.id.toString(),
        status: event.intent.status,
        event: event.seq,
      },
    };
  }

  private response(event: IntentEvent, instruments: (refId: number) => Instrument | undefined, ltp: number) {
    const { intent } = event;
    const code = (name: string, prefix: string, value: string): number =>
      this.messages.number(name, `${prefix}_${value}`);
    const first = intent.multi ? undefined : instruments(intent.legs[0]!.refId);
    const { iceberg } = intent;
    return {
      intentOrderId: long(intent.id),
      orderStatus: code('IntentOrderStatus', 'INTENT_ORDER_STATUS', statusOf(intent)),
      ...this.entryConfig(intent),
      exitTriggers: askedExits(intent).map((one) => this.exitTrigger(intent, one)),
      legs: intent.legs.map((leg) => {
        const instrument = instruments(leg.refId);
        return {
          refId: leg.refId,
          // Of a single order the older frames give the whole quantity here.
          unitQty: intent.multi ? leg.unit : leg.unit * intent.quantity,
          filledQty: leg.filledQuantity,
          filledPrice: leg.filledQuantity === 0 ? 0 : Math.round(leg.filledValue / leg.filledQuantity),
          ...(instrument === undefined ? {} : { refdata: refData(instrument) }),
          orderQty: leg.quantity,
        };
      }),
      filledAt: long(intent.filledAt),
      deliveryType: code('OrderDeliveryType', 'ORDER_DELIVERY_TYPE', intent.product),
      priceType: code('PriceType', 'PRICE_TYPE', intent.priceType),
      validityType: intent.validity === 'GTE' ? GTE_NUMBER : code('ValidityType', 'VALIDITY_TYPE', intent.validity),
      stratTags: [intent.tag],
      isAdmin: false,
      echoFields: echoText(intent.echo),
      orderQty: intent.quantity,
      filledQty: intent.filledQuantity,
      expiryTime: long(endOfDay(intent.goodTill ?? millis(intent.createdAt))),
      ltp,
      orderPrice: intent.price,
      filledPrice: intent.filledPrice,
      ...(event.type === 'trade'
        ? { tradeFill: { tradeQty: event.trade.quantity, tradePrice: event.trade.price, refId: event.trade.refId } }
        : {}),
      executionMode: code('ExecutionMode', 'EXECUTION_MODE', intent.exits.length === 0 ? 'ENTRY' : 'ENTRY_AND_EXIT'),
      svcTimestamps: {
        intentCreatedAt: long(intent.createdAt),
        sentToColoAt: long(intent.sentAt),
        filledAt: long(intent.filledAt),
        cancelledAt: long(intent.cancelledAt),
        lastModifiedAt: long(intent.modifiedAt),
        lastUpdatedAt: long(event.at),
      },
      positionId: intent.multi
        ? `${intent.account}-${intent.id}`
        : `${intent.account}-${intent.legs[0]!.refId}-${intent.product}`,
      entryPrice: intent.price,
      ...(iceberg === null
        ? {}
        : { icebergInfo: { numberOfLegs: iceberg.legs ?? 0, maxQtyPerLeg: iceberg.maxQuantity ?? 0 } }),
      ...(first === undefined ? {} : { refdata: refData(first), refId: first.refId }),
      ...(intent.goodTill === null ? {} : { goodTillDate: long(BigInt(intent.goodTill) * 1_000_000n) }),
      isMulti: intent.multi,
      orderSide: code('OrderSide', 'ORDER_SIDE', intent.side),
      intentOrderType: code('IntentOrderType', 'INTENT_ORDER_TYPE', typeOf(intent)),
      rejectionMsg: 'reason' in event ? event.reason : intent.reason,
    };
  }

  private entryConfig({ entry, entryTriggered, status }: IntentOrder) {
    const { condition, time } = entry;
    if (condition === null && time === null) return {};
    const { messages } = this;
    const over = status === 'CANCELLED' || status === 'EXPIRED' || status === 'REJECTED';
    const word = status === 'EXECUTED' ? 'FILLED' : over ? 'CANCELLED' : entryTriggered ? 'TRIGGERED' : 'OPEN';
    return {
      entryConfig: {
        conditions:
          condition === null
            ? []
            : [
                {
                  kind: {
                    ltpConditionKind: messages.number('LTPConditionKind', `LTP_CONDITION_KIND_${condition.kind}`),
                  },
                  threshold: condition.price,
                  status: messages.number('IntentEntryTriggerStatus', `INTENT_ENTRY_TRIGGER_STATUS_${word}`),
                },
              ],
        conditionOperator: messages.number('ConditionOperator', 'CONDITION_OPERATOR_AND'),
        entryTime: long(BigInt(time ?? 0) * 1_000_000n),
      },
    };
  }

  private exitTrigger(intent: IntentOrder, one: Exit) {
    const { messages } = this;
    const bought = intent.multi || intent.side === 'BUY';
    const condition =
      one.slot === 'time' ? 'INVALID' : (one.slot === 'stop') === bought ? 'AT_OR_BELOW' : 'AT_OR_ABOVE';
    return {
      kind: messages.number('IntentExitTriggerKind', `INTENT_EXIT_TRIGGER_KIND_${kindOf(one)}`),
      conditionKind: messages.number('LTPConditionKind', `LTP_CONDITION_KIND_${condition}`),
      triggerPrice: one.trigger,
      limitPrice: one.limit,
      trailJump: one.jump,
      status: messages.number('IntentExitTriggerStatus', `INTENT_EXIT_TRIGGER_STATUS_${one.status}`),
      algoTriggerPrice: one.asked.trigger,
      algoLimitPrice: one.asked.limit,
      exitTime: long(BigInt(one.at) * 1_000_000n),
    };
  }
}

/** A text is given back as it was, anything else as JSON. */
function echoText(echo: string): string {
  const value = JSON.parse(echo) as unknown;
  if (value === null) return '';
  return typeof value === 'string' ? value : echo;
}

/** Nanoseconds at which the day in India of an instant ends. */
function endOfDay(at: number): bigint {
  return BigInt(istMidnight(istDate(at))) * 1_000_000n + DAY_NS - 1n;
}
