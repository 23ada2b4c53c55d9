import { Type, type TSchema } from '@sinclair/typebox';

/** Replies of the intent-order paths as the description tells them; a test compares both. */
const int = Type.Integer();
const text = Type.String();
const number = Type.Number();
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const paise = Type.Integer({ description: 'Paise' });
const id = Type.Integer({ description: 'Up to 19 digits' });
const time = nullable(Type.String({ description: 'RFC 3339 with nine decimals' }));
const record = (fields: Record<string, TSchema>) => Type.Object(fields);

const refData = record({
  refId: int,
  exchange: text,
  asset: text,
  stockName: text,
  displayName: text,
  derivativeType: text,
  optionType: text,
  lotSize: int,
  qtyMultiplier: Type.Optional(int),
  tickSize: paise,
  strikePrice: paise,
  expiry: int,
  series: text,
});
const leg = record({
  refId: int,
  unitQty: int,
  orderQty: int,
  filledQty: int,
  filledPrice: paise,
  refData: nullable(refData),
});
const price = record({ value: paise });
const entryConfig = Type.Object({
  triggers: record({ ltp: Type.Record(text, price) }),
  entryTime: nullable(text),
  status: text,
});
const exitConfig = Type.Object({
  stoplossParams: Type.Optional(
    Type.Object({
      stoplossTriggerPrice: price,
      stoplossLimitPrice: price,
      stoplossTrailJump: Type.Optional(paise),
      kind: text,
      status: text,
      filledQty: int,
    }),
  ),
  targetParams: Type.Optional(
    Type.Object({
      targetProfitTriggerPrice: price,
      targetProfitLimitPrice: price,
      kind: text,
      status: text,
      filledQty: int,
    }),
  ),
  exitTime: Type.Optional(nullable(text)),
  exitTimeStatus: Type.Optional(text),
  exitTimeFilledQty: Type.Optional(int),
});
const exitInList = record({
  kind: text,
  triggerPrice: paise,
  limitPrice: paise,
  trailJump: paise,
  exitTime: nullable(text),
  status: text,
  filledQty: int,
});

const intent = Type.Object({
  intentOrderId: id,
  exchange: text,
  status: text,
  intentOrderType: text,
  isMulti: Type.Boolean(),
  legs: nullable(Type.Array(leg)),
  refId: Type.Optional(int),
  refData: nullable(refData),
  side: text,
  deliveryType: text,
  priceType: text,
  validityType: text,
  executionMode: text,
  orderQty: int,
  filledQty: int,
  filledPrice: paise,
  orderPrice: Type.Optional(paise),
  ltp: paise,
  stratTags: Type.Array(text),
  goodTillDate: nullable(text),
  icebergInfo: nullable(record({ maxQtyPerLeg: nullable(int), numberOfLegs: nullable(int) })),
  entryConfig: Type.Union([entryConfig, Type.Array(entryConfig), Type.Null()]),
  exitConfig: Type.Union([exitConfig, Type.Array(exitInList), Type.Null()]),
  echoFields: Type.Unknown(),
  exchangeOrderIds: Type.Record(text, Type.Array(id)),
  rejectionMsg: text,
  timestamps: record({
    intentCreatedAt: time,
    sentToColoAt: time,
    filledAt: time,
    cancelledAt: time,
    rejectedAt: time,
    lastModifiedAt: time,
    lastUpdatedAt: time,
  }),
});
const bucket = Type.Optional(nullable(Type.Array(intent)));

/** @param error the reply of a refusal, by its status. */
export function intentReplies(error: Record<string, TSchema>) {
  const of = (schema: TSchema) => ({ '2xx': schema, ...error });
  return {
    created: of(record({ message: text, orders: Type.Array(intent) })),
    modified: of(Type.Object({ message: text, orders: Type.Optional(Type.Array(intent)) })),
    cancelled: of(record({ message: text })),
    listed: of(
      record({
        orders: Type.Object({
          open: bucket,
          executed: bucket,
          cancelled: bucket,
          rejected: bucket,
          expired: bucket,
          gtt: bucket,
        }),
      }),
    ),
    funds: of(
      Type.Union([
        record({
          code: int,
          marginInfo: record({
            totalMargin: paise,
            message: text,
            maxAllowedQty: Type.Optional(int),
            cncSellAllowedQty: Type.Optional(int),
            availableQty: Type.Optional(int),
            edisDoneQty: Type.Optional(int),
            edisRemainingQty: Type.Optional(int),
          }),
          brokerageInfo: record({ totalChargesFloat: number, chargesFloat: Type.Record(Type.String(), number) }),
          refIdAmoMap: Type.Record(Type.String(), Type.Boolean()),
          openOrders: int,
          totalFundsRequired: paise,
          willDefaultBePlacedAsAmo: Type.Boolean(),
          willBeAutoSliced: Type.Boolean(),
          icebergInfo: Type.Optional(record({ numberOfLegs: int, maxQtyPerLeg: int })),
          tradingSlot: Type.Optional(record({ startTime: text, endTime: text })),
        }),
        record({ code: int, message: text }),
      ]),
    ),
  };
}
