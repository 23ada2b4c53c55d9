/** Frames of the order stream for the benches: a fill of a strategy with everything that a message can hold. */
import path from 'node:path';
import protobuf from 'protobufjs';

export const streamSchema = new protobuf.Root();
streamSchema.loadSync(['envelope', 'orders'].map((name) => path.resolve('proto', `${name}.proto`)));
streamSchema.resolveAll();

export const protobufAnyType = streamSchema.lookupType('brokerage.stream.Any');
export const orderUpdateType = streamSchema.lookupType('brokerage.stream.SvcToClientIntentUpdate');

const refdata = {
  refId: 70115,
  platId: 70115,
  optionType: 'CE',
  token: 35012,
  stockName: 'NIFTY',
  series: 'OPTIDX',
  platName: 'OPT_NIFTY_20261124_CE_2990000',
  lotSize: 65,
  asset: 'NIFTY',
  exchange: 'NSE',
  derivativeType: 'OPT',
  displayName: 'NIFTY 24 NOV 29900 CE',
};

const FIRST_ID = 1_763_712_345_678_901_000n;

function wrap(message: object): Buffer {
  const value = orderUpdateType.encode(orderUpdateType.fromObject(message)).finish();
  const inner = protobufAnyType
    .encode({ typeUrl: 'type.googleapis.com/stream.SvcToClientIntentUpdate', value })
    .finish();
  return Buffer.from(
    protobufAnyType.encode({ typeUrl: 'type.googleapis.com/google.protobuf.Any', value: inner }).finish(),
  );
}

/** A message with every field set, about 750 bytes. */
export function fullFrame(number: number): Buffer {
  const time = (FIRST_ID + BigInt(number) * 37_123_457n).toString();
  return wrap({
    intentOrderResponse: {
      intentOrderId: (FIRST_ID + BigInt(number)).toString(),
      orderStatus: 1,
      entryConfig: {
        conditions: [{ kind: { ltpConditionKind: 1 }, threshold: 250_000, status: 1 }],
        conditionOperator: 1,
        entryTime: time,
      },
      exitTriggers: [
        { kind: 1, conditionKind: 2, triggerPrice: 140_000, limitPrice: 139_900, exitTime: time },
        { kind: 2, conditionKind: 1, triggerPrice: 160_000, limitPrice: 160_100 },
      ],
      legs: [
        { refId: 70115, unitQty: 1, filledQty: 65, filledPrice: 150_000, refdata, orderQty: 65 },
        { refId: 70116, unitQty: -1, filledQty: 65, filledPrice: 150_000, refdata, orderQty: 65 },
      ],
      filledAt: time,
      deliveryType: 1,
      priceType: 1,
      validityType: 1,
      stratTags: ['morning-breakout', 'n8n-abc'],
      echoFields: 'echo-field-value-0001',
      orderQty: 65,
      filledQty: 65,
      expiryTime: time,
      ltp: 150_000 + (number % 1_000),
      orderPrice: 150_005,
      filledPrice: 150_000,
      tradeFill: { tradeQty: 65, tradePrice: 150_000, refId: 70115 },
      executionMode: 1,
      svcTimestamps: {
        intentCreatedAt: time,
        sentToColoAt: time,
        filledAt: time,
        lastModifiedAt: time,
        lastUpdatedAt: time,
      },
      positionId: `pos-${number}`,
      entryPrice: 150_000,
      refdata,
      refId: 70115,
      goodTillDate: time,
      orderSide: 1,
      intentOrderType: 1,
    },
    intentOrderResponseType: 3,
    intentOrderRequstType: 1,
  });
}

/** The life of one order: accepted, then filled in `fills` parts. */
export function orderFrames(number: number, fills: number): Buffer[] {
  const id = (FIRST_ID + BigInt(number)).toString();
  const frame = (step: number): Buffer => {
    const time = (FIRST_ID + BigInt(number) * 1_000_000n + BigInt(step) * 1_000n).toString();
    const filledQty = step * 10;
    return wrap({
      intentOrderResponse: {
        intentOrderId: id,
        orderStatus: step === fills ? 2 : 1,
        deliveryType: 2,
        priceType: 1,
        validityType: 1,
        stratTags: ['bench'],
        orderQty: fills * 10,
        filledQty,
        orderPrice: 150_000,
        filledPrice: step === 0 ? 0 : 150_000,
        ...(step === 0 ? {} : { tradeFill: { tradeQty: 10, tradePrice: 150_000, refId: 70115 } }),
        svcTimestamps: { intentCreatedAt: id, filledAt: time, lastUpdatedAt: time },
        refdata,
        refId: 70115,
        orderSide: 1,
        intentOrderType: 1,
      },
      intentOrderResponseType: step === 0 ? 1 : 3,
      intentOrderRequstType: 1,
    });
  };
  return Array.from({ length: fills + 1 }, (_, step) => frame(step));
}
