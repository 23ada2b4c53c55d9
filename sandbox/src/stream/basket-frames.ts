import type { ExitCause } from '../exchange/strategies/types';
import type { Basket, BasketEvent, LegState } from '../exchange/strategies/v2-basket-types';
import { protobufLong } from './messages';
import {
  nanosOf,
  stratTags,
  tradeFill,
  UPDATE_KINDS,
  type InstrumentOf,
  type StreamUpdate,
  type UpdateFrames,
  type UpdateKind,
} from './update-frame';

/** Returns the update that an event becomes, and its request. */
function updateOf(event: BasketEvent): UpdateKind | undefined {
  return event.type === 'exit_triggered' ? exitOf(event.cause) : UPDATE_KINDS[event.type];
}

function exitOf(cause: ExitCause): UpdateKind {
  if (cause === 'TARGET') return ['EXIT_TP_TRIGGERED', 'NEW'];
  if (cause === 'STOPLOSS' || cause === 'TRAILING_STOP') return ['EXIT_SL_TRIGGERED', 'NEW'];
  return cause === 'REQUEST' ? ['ACCEPT', 'CANCEL'] : ['UNSOLICITED_CANCEL', 'NEW'];
}

const STATUSES: Record<Basket['status'], string> = {
  PENDING: 'OPEN',
  OPEN: 'OPEN',
  FILLED: 'EXECUTED',
  CLOSED: 'EXECUTED',
  CANCELLED: 'CANCELLED',
  REJECTED: 'REJECTED',
};

/** Makes the frames of baskets: one strategy order with its legs (docs/service/streams.md#routing-rules). */
export class BasketFrames {
  constructor(private readonly frames: UpdateFrames) {}

  /** The update of an event; undefined when the service tells nothing of it. `netPrice` is that of one unit now, paise. */
  of(event: BasketEvent, instruments: InstrumentOf, netPrice: number): StreamUpdate | undefined {
    const kind = updateOf(event);
    if (kind === undefined) return undefined;
    const { id, status } = event.basket;
    return this.frames.update(kind, this.response(event, instruments, netPrice), {
      basket_id: id.toString(),
      status,
      event: event.seq,
    });
  }

  private response(event: BasketEvent, instruments: InstrumentOf, ltp: number) {
    const { basket } = event;
    const { frames } = this;
    const code = frames.code.bind(frames);
    const units = Math.max(1, basket.multiplier);
    const filled = Math.min(
      ...basket.legs.map(({ filledQuantity, quantity }) => Math.floor((filledQuantity * units) / quantity)),
    );
    const entered = netOf(basket.legs);
    return {
      intentOrderId: protobufLong(basket.id),
      orderStatus: code('IntentOrderStatus', 'INTENT_ORDER_STATUS', STATUSES[basket.status]),
      entryConfig: this.entryConfig(basket),
      exitTriggers: this.exitTriggers(basket),
      legs: basket.legs.map((leg) => {
        const unit = Math.round(leg.quantity / units) * (leg.side === 'BUY' ? 1 : -1);
        return frames.leg(leg, unit, instruments(leg.refId));
      }),
      filledAt: protobufLong(basket.filledAt),
      validityType: code('ValidityType', 'VALIDITY_TYPE', 'DAY'),
      stratTags: stratTags(basket.tag),
      echoFields: basket.tag,
      orderQty: units,
      filledQty: filled,
      ltp,
      orderPrice: basket.entryPrice,
      filledPrice: entered,
      ...(event.type === 'leg_filled' ? tradeFill(event.trade) : {}),
      executionMode: code(
        'ExecutionMode',
        'EXECUTION_MODE',
        basket.exitTriggeredAt > 0n
          ? 'EXIT'
          : basket.stoplossPrice === null && basket.targetPrice === null
            ? 'ENTRY'
            : 'ENTRY_AND_EXIT',
      ),
      svcTimestamps: {
        intentCreatedAt: protobufLong(basket.createdAt),
        sentToColoAt: protobufLong(basket.entryTriggeredAt),
        filledAt: protobufLong(basket.filledAt),
        cancelledAt: protobufLong(basket.status === 'CANCELLED' ? basket.endedAt : 0n),
        lastUpdatedAt: protobufLong(event.at),
      },
      positionId: `${basket.account}-${basket.id}`,
      entryPrice: basket.entryPrice,
      isMulti: true,
      ...frames.terms(basket, 'FLEXI'),
      rejectionMsg: 'reason' in event ? event.reason : basket.reason,
    };
  }

  /** The momentum trigger and the time of the entry. */
  private entryConfig({ momentumTriggerPrice: price, entryTime, entryTriggeredAt }: Basket) {
    const condition = price === null ? null : ({ kind: 'AT_OR_ABOVE', price } as const);
    return this.frames.entryConfig(condition, entryTime, entryTriggeredAt > 0n ? 'TRIGGERED' : 'OPEN');
  }

  /** Stop loss, target and exit time; the one that was triggered says so, and the others are cancelled then. */
  private exitTriggers({ stoplossNow, targetPrice, trailJump, exitTime, exitCause, status }: Basket) {
    const { frames } = this;
    const statusOf = (...causes: ExitCause[]) => {
      if (exitCause === null) return 'OPEN';
      if (!causes.includes(exitCause)) return 'CANCELLED';
      return status === 'CLOSED' ? 'FILLED' : 'TRIGGERED';
    };
    const legFrames = [];
    if (stoplossNow !== null)
      legFrames.push(
        frames.exitTrigger(
          trailJump === null ? 'STOPLOSS' : 'TRAILING_STOP',
          'AT_OR_BELOW',
          statusOf('STOPLOSS', 'TRAILING_STOP'),
          { triggerPrice: stoplossNow, trailJump: trailJump ?? 0 },
        ),
      );
    if (targetPrice !== null)
      legFrames.push(
        frames.exitTrigger('TARGET_PROFIT', 'AT_OR_ABOVE', statusOf('TARGET'), { triggerPrice: targetPrice }),
      );
    if (exitTime !== null)
      legFrames.push(
        frames.exitTrigger('EXIT_TIME', 'INVALID', statusOf('EXIT_TIME'), { exitTime: nanosOf(exitTime) }),
      );
    return legFrames;
  }
}

/** Net price of what is filled: average of each leg, bought positive and sold negative, weighted by its ratio. */
function netOf(legs: LegState[]): number {
  return Math.round(
    legs.reduce(
      (sum, { filledQuantity, filledValue, ratio }) =>
        sum + (filledQuantity === 0 ? 0 : (filledValue / filledQuantity) * ratio),
      0,
    ),
  );
}
