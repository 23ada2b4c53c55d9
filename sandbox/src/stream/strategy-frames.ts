import type { StrategyExit, ExitSlot } from '../exchange/strategies/exit-types';
import type { IntentEvent, IntentOrder } from '../exchange/strategies/types';
import { requestedExits, kindOf, statusOf, typeOf } from '../web/intent-records';
import { millisOf } from '../shared/time';
import { protobufLong } from './messages';
import {
  endOfDay,
  nanosOf,
  tradeFill,
  UPDATE_KINDS,
  type InstrumentOf,
  type StreamUpdate,
  type UpdateFrames,
  type UpdateKind,
} from './update-frame';

/** The stream's ValidityType has no number for GTE; clients go by good_till_date (docs/service/streams.md#order-update-enums). */
const GTE_NUMBER = 3;

/** Returns the update that an event becomes, and its request; undefined for what is not told. */
function updateOf(event: IntentEvent): UpdateKind | undefined {
  switch (event.type) {
    case 'executed':
      // The fill that completes a plain order has said it already.
      return isPlain(event.intent) ? undefined : UPDATE_KINDS.executed;
    case 'exit_triggered':
      return exitOf(event.slot);
    case 'exit_cancelled':
      return event.reason === '' ? UPDATE_KINDS.cancelled : UPDATE_KINDS.unsolicited_cancel;
    default:
      return UPDATE_KINDS[event.type];
  }
}

/** True for an order with an entry alone. */
const isPlain = ({ multi, exits }: IntentOrder): boolean => !multi && exits.length === 0;

/** State of the order after an event. The fill that completes a plain order says so, because no separate event does. */
function after({ type, at, intent }: IntentEvent): IntentOrder {
  const isComplete = type === 'trade' && isPlain(intent) && intent.filledQuantity === intent.quantity;
  return isComplete ? { ...intent, status: 'EXECUTED', filledAt: at } : intent;
}

/** Kind of an exit's update. An exit time has no separate response: its trigger says what it is. */
function exitOf(slot: ExitSlot): UpdateKind {
  if (slot === 'target') return ['EXIT_TP_TRIGGERED', 'NEW'];
  return slot === 'request' ? ['ACCEPT', 'CANCEL'] : ['EXIT_SL_TRIGGERED', 'NEW'];
}

/** Makes the frames of intent orders (docs/service/streams.md#order-update-messages, docs/service/streams.md#order-update-enums). */
export class IntentFrames {
  constructor(private readonly frames: UpdateFrames) {}

  /** The update of an event; undefined when the service tells nothing of it. `ltp` is the last or net price, paise. */
  of(event: IntentEvent, instruments: InstrumentOf, ltp: number): StreamUpdate | undefined {
    const kind = updateOf(event);
    if (kind === undefined) return undefined;
    const { id, status } = event.intent;
    return this.frames.update(kind, this.response(event, instruments, ltp), {
      intent_order_id: id.toString(),
      status,
      event: event.seq,
    });
  }

  private response(event: IntentEvent, instruments: InstrumentOf, ltp: number) {
    const intent = after(event);
    const { frames } = this;
    const code = frames.code.bind(frames);
    const first = intent.multi ? undefined : instruments(intent.legs[0]!.refId);
    const { iceberg } = intent;
    return {
      intentOrderId: protobufLong(intent.id),
      orderStatus: code('IntentOrderStatus', 'INTENT_ORDER_STATUS', statusOf(intent)),
      ...this.entryConfig(intent),
      exitTriggers: requestedExits(intent).map((askedExit) => this.exitTrigger(intent, askedExit)),
      legs: intent.legs.map((leg) => {
        // Of a single order the older frames give the whole quantity here.
        const unit = intent.multi ? leg.unit : leg.unit * intent.quantity;
        return frames.leg(leg, unit, instruments(leg.refId));
      }),
      filledAt: protobufLong(intent.filledAt),
      validityType: intent.validity === 'GTE' ? GTE_NUMBER : code('ValidityType', 'VALIDITY_TYPE', intent.validity),
      stratTags: intent.tag === '' ? [] : [intent.tag],
      echoFields: echoText(intent.echo),
      orderQty: intent.quantity,
      filledQty: intent.filledQuantity,
      expiryTime: protobufLong(endOfDay(intent.goodTill ?? millisOf(intent.createdAt))),
      ltp,
      orderPrice: intent.price,
      filledPrice: intent.filledPrice,
      ...(event.type === 'trade' ? tradeFill(event.trade) : {}),
      executionMode: code('ExecutionMode', 'EXECUTION_MODE', intent.exits.length === 0 ? 'ENTRY' : 'ENTRY_AND_EXIT'),
      svcTimestamps: {
        intentCreatedAt: protobufLong(intent.createdAt),
        sentToColoAt: protobufLong(intent.sentAt),
        filledAt: protobufLong(intent.filledAt),
        cancelledAt: protobufLong(intent.cancelledAt),
        lastModifiedAt: protobufLong(intent.modifiedAt),
        lastUpdatedAt: protobufLong(event.at),
      },
      positionId: intent.multi
        ? `${intent.account}-${intent.id}`
        : `${intent.account}-${intent.legs[0]!.refId}-${intent.product}`,
      entryPrice: intent.price,
      ...(iceberg === null
        ? {}
        : { icebergInfo: { numberOfLegs: iceberg.legs ?? 0, maxQtyPerLeg: iceberg.maxQuantity ?? 0 } }),
      ...(first === undefined ? {} : { refdata: frames.refData(first), refId: first.refId }),
      ...(intent.goodTill === null ? {} : { goodTillDate: nanosOf(intent.goodTill) }),
      isMulti: intent.multi,
      ...frames.terms(intent, typeOf(intent)),
      rejectionMsg: 'reason' in event ? event.reason : intent.reason,
    };
  }

  private entryConfig({ entry, entryTriggered, status }: IntentOrder) {
    const { condition, time } = entry;
    if (condition === null && time === null) return {};
    const over = status === 'CANCELLED' || status === 'EXPIRED' || status === 'REJECTED';
    const word = status === 'EXECUTED' ? 'FILLED' : over ? 'CANCELLED' : entryTriggered ? 'TRIGGERED' : 'OPEN';
    return { entryConfig: this.frames.entryConfig(condition, time, word) };
  }

  private exitTrigger(intent: IntentOrder, exit: StrategyExit) {
    const bought = intent.multi || intent.side === 'BUY';
    const condition =
      exit.slot === 'time' ? 'INVALID' : (exit.slot === 'stop') === bought ? 'AT_OR_BELOW' : 'AT_OR_ABOVE';
    return this.frames.exitTrigger(kindOf(exit), condition, exit.status, {
      triggerPrice: exit.trigger,
      limitPrice: exit.limit,
      trailJump: exit.jump,
      algoTriggerPrice: exit.asked.trigger,
      algoLimitPrice: exit.asked.limit,
      exitTime: nanosOf(exit.at),
    });
  }
}

/** Returns a text unchanged, anything else as JSON. */
function echoText(echo: string): string {
  const value = JSON.parse(echo) as unknown;
  if (value === null) return '';
  return typeof value === 'string' ? value : echo;
}
