import type { Basket, BasketEvent, ExitCause, LegState } from '../exchange/baskets/types';
import type { Instrument } from '../market/reference/types';
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

/** Which update an event becomes, and of which request. */
function updateOf(event: BasketEvent): [ResponseType, 'NEW' | 'MOD' | 'CANCEL'] | undefined {
  switch (event.type) {
    case 'received':
      return undefined;
    case 'accepted':
      return ['ACCEPT', 'NEW'];
    case 'rejected':
      return ['REJECT', 'NEW'];
    case 'entry_triggered':
      return ['ENTRY_TRIGGERED', 'NEW'];
    case 'leg_filled':
      return ['FILLED', 'NEW'];
    case 'entered':
      return ['EXECUTED', 'NEW'];
    case 'trail_updated':
      return ['TRAIL_UPDATED', 'NEW'];
    case 'exit_triggered':
      return exitOf(event.cause);
    case 'closed':
      return ['EXECUTED', 'CANCEL'];
    case 'cancelled':
      return ['ACCEPT', 'CANCEL'];
    case 'cancel_rejected':
      return ['REJECT', 'CANCEL'];
  }
}

function exitOf(cause: ExitCause): [ResponseType, 'NEW' | 'CANCEL'] {
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

/** Makes the frames of baskets: one strategy order with its legs (specification: Events, Routing rules, rule 4). */
export class BasketFrames {
  private readonly typeName: string;

  constructor(
    private readonly messages: Messages,
    serviceWord: string,
  ) {
    this.typeName = typeNameOf(serviceWord);
  }

  /** The update of an event; undefined when the service tells nothing of it. `netPrice` is that of one unit now, paise. */
  of(event: BasketEvent, instruments: (refId: number) => Instrument | undefined, netPrice: number): Update | undefined {
    const update = updateOf(event);
    if (update === undefined) return undefined;
    const [response, request] = update;
    const { messages } = this;
    const message = messages
      .type('SvcToClientIntentUpdate')
      .encode({
        intentOrderResponse: this.response(event, instruments, netPrice),
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
        basket_id: event.basket.id.toString(),
        status: event.basket.status,
        event: event.seq,
      },
    };
  }

  private response(event: BasketEvent, instruments: (refId: number) => Instrument | undefined, ltp: number) {
    const { basket } = event;
    const { messages } = this;
    const code = (name: string, prefix: string, value: string): number => messages.number(name, `${prefix}_${value}`);
    const units = Math.max(1, basket.multiplier);
    const filled = Math.min(
      ...basket.legs.map(({ filledQuantity, quantity }) => Math.floor((filledQuantity * units) / quantity)),
    );
    const entered = netOf(basket.legs);
    return {
      intentOrderId: long(basket.id),
      orderStatus: code('IntentOrderStatus', 'INTENT_ORDER_STATUS', STATUSES[basket.status]),
      entryConfig: this.entryConfig(basket),
      exitTriggers: this.exitTriggers(basket),
      legs: basket.legs.map((leg) => {
        const instrument = instruments(leg.refId);
        return {
          refId: leg.refId,
          unitQty: Math.round(leg.quantity / units) * (leg.side === 'BUY' ? 1 : -1),
          filledQty: leg.filledQuantity,
          filledPrice: leg.filledQuantity === 0 ? 0 : Math.round(leg.filledValue / leg.filledQuantity),
          ...(instrument === undefined ? {} : { refdata: refData(instrument) }),
          orderQty: leg.quantity,
        };
      }),
      filledAt: long(basket.filledAt),
      deliveryType: code('OrderDeliveryType', 'ORDER_DELIVERY_TYPE', basket.product),
      priceType: code('PriceType', 'PRICE_TYPE', basket.priceType),
      validityType: code('ValidityType', 'VALIDITY_TYPE', 'DAY'),
      stratTags: basket.tag === '' ? [] : [basket.tag.replace(/[^A-Za-z0-9]+/g, '-')],
      isAdmin: false,
      echoFields: basket.tag,
      orderQty: units,
      filledQty: filled,
      ltp,
      orderPrice: basket.entryPrice,
      filledPrice: entered,
      ...(event.type === 'leg_filled'
        ? { tradeFill: { tradeQty: event.trade.quantity, tradePrice: event.trade.price, refId: event.trade.refId } }
        : {}),
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
        intentCreatedAt: long(basket.createdAt),
        sentToColoAt: long(basket.entryTriggeredAt),
        filledAt: long(basket.filledAt),
        cancelledAt: long(basket.status === 'CANCELLED' ? basket.endedAt : 0n),
        lastUpdatedAt: long(event.at),
      },
      positionId: `${basket.account}-${basket.id}`,
      entryPrice: basket.entryPrice,
      isMulti: true,
      orderSide: code('OrderSide', 'ORDER_SIDE', basket.side),
      intentOrderType: code('IntentOrderType', 'INTENT_ORDER_TYPE', 'FLEXI'),
      rejectionMsg: 'reason' in event ? event.reason : basket.reason,
    };
  }

  /** The momentum trigger and the time of the entry. */
  private entryConfig({ momentumTriggerPrice, entryTime, entryTriggeredAt }: Basket) {
    const status = this.messages.number(
      'IntentEntryTriggerStatus',
      `INTENT_ENTRY_TRIGGER_STATUS_${entryTriggeredAt > 0n ? 'TRIGGERED' : 'OPEN'}`,
    );
    const kind = { ltpConditionKind: this.messages.number('LTPConditionKind', 'LTP_CONDITION_KIND_AT_OR_ABOVE') };
    return {
      conditions: momentumTriggerPrice === null ? [] : [{ kind, threshold: momentumTriggerPrice, status }],
      conditionOperator: this.messages.number('ConditionOperator', 'CONDITION_OPERATOR_AND'),
      entryTime: long(BigInt(entryTime ?? 0) * 1_000_000n),
    };
  }

  /** Stop loss, target and exit time; the one that was triggered says so, and the others are cancelled then. */
  private exitTriggers(basket: Basket) {
    const { messages } = this;
    const trigger = (
      kind: string,
      causes: ExitCause[],
      condition: string,
      price: number,
      more: Record<string, unknown> = {},
    ) => {
      const mine = basket.exitCause !== null && causes.includes(basket.exitCause);
      const status =
        basket.exitCause === null ? 'OPEN' : !mine ? 'CANCELLED' : basket.status === 'CLOSED' ? 'FILLED' : 'TRIGGERED';
      return {
        kind: messages.number('IntentExitTriggerKind', `INTENT_EXIT_TRIGGER_KIND_${kind}`),
        conditionKind: messages.number('LTPConditionKind', `LTP_CONDITION_KIND_${condition}`),
        triggerPrice: price,
        status: messages.number('IntentExitTriggerStatus', `INTENT_EXIT_TRIGGER_STATUS_${status}`),
        ...more,
      };
    };
    const { stoplossNow, targetPrice, trailJump, exitTime } = basket;
    return [
      ...(stoplossNow === null
        ? []
        : [
            trigger(
              trailJump === null ? 'STOPLOSS' : 'TRAILING_STOP',
              ['STOPLOSS', 'TRAILING_STOP'],
              'AT_OR_BELOW',
              stoplossNow,
              { trailJump: trailJump ?? 0 },
            ),
          ]),
      ...(targetPrice === null ? [] : [trigger('TARGET_PROFIT', ['TARGET'], 'AT_OR_ABOVE', targetPrice)]),
      ...(exitTime === null
        ? []
        : [trigger('EXIT_TIME', ['EXIT_TIME'], 'INVALID', 0, { exitTime: long(BigInt(exitTime) * 1_000_000n) })]),
    ];
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
