import path from 'node:path';
import { loadSync } from 'protobufjs';
import { logIn, start, type Bench } from '../support';
import { StreamClient } from '../stream/client';

/** The specification's messages: number, name and type of every field. */
const MESSAGES: Record<string, string[]> = {
  SvcToClientIntentUpdate: [
    '1 intent_order_response IntentOrderResponse',
    '2 intent_order_response_type IntentOrderResponseType',
    '3 intent_order_requst_type IntentOrderRequestType',
  ],
  IntentOrderResponse: [
    '1 intent_order_id int64',
    '2 order_status IntentOrderStatus',
    '3 entry_config IntentEntryConfig',
    '4 exit_triggers repeated IntentExitTrigger',
    '5 legs repeated IntentLeg',
    '6 filled_at int64',
    '7 delivery_type OrderDeliveryType',
    '8 price_type PriceType',
    '9 validity_type ValidityType',
    '10 strat_tags repeated string',
    '11 is_admin bool',
    '12 echo_fields string',
    '13 order_qty int64',
    '14 filled_qty int64',
    '15 expiry_time int64',
    '16 ltp int64',
    '17 order_price int64',
    '18 filled_price int64',
    '19 trade_fill TradeFill',
    '20 execution_mode ExecutionMode',
    '21 svc_timestamps LifecycleTimestamps',
    '22 position_id string',
    '23 entry_price int64',
    '24 iceberg_info IcebergInfo',
    '25 refdata RefData',
    '26 ref_id int64',
    '27 good_till_date int64',
    '28 is_multi bool',
    '29 order_side OrderSide',
    '30 intent_order_type IntentOrderType',
    '31 rejection_msg string',
  ],
  TradeFill: ['1 trade_qty int64', '2 trade_price int64', '3 ref_id int64'],
  IntentEntryConfig: [
    '4 conditions repeated IntentEntryCondition',
    '5 condition_operator ConditionOperator',
    '6 entry_time int64',
  ],
  IntentEntryCondition: ['1 kind ConditionKind', '2 threshold int64', '3 status IntentEntryTriggerStatus'],
  ConditionKind: ['1 ltp_condition_kind LTPConditionKind'],
  IntentExitTrigger: [
    '1 kind IntentExitTriggerKind',
    '2 condition_kind LTPConditionKind',
    '3 trigger_price int64',
    '4 limit_price int64',
    '5 trail_jump int64',
    '6 status IntentExitTriggerStatus',
    '7 algo_trigger_price int64',
    '8 algo_limit_price int64',
    '9 exit_time int64',
  ],
  IntentLeg: [
    '1 ref_id int64',
    '2 unit_qty int32',
    '3 filled_qty int32',
    '4 filled_price int64',
    '5 refdata RefData',
    '6 order_qty int32',
  ],
  LifecycleTimestamps: [
    '1 intent_created_at int64',
    '2 sent_to_colo_at int64',
    '3 filled_at int64',
    '4 cancelled_at int64',
    '5 last_modified_at int64',
    '6 last_updated_at int64',
  ],
  IcebergInfo: ['1 number_of_legs int32', '2 max_qty_per_leg int32'],
  RefData: [
    '1 ref_id int64',
    '2 plat_id int64',
    '3 option_type string',
    '4 token int64',
    '5 stock_name string',
    '6 series string',
    '7 plat_name string',
    '8 lot_size int64',
    '9 asset string',
    '10 exchange string',
    '11 derivative_type string',
    '12 display_name string',
  ],
};

/** The specification's enums: their prefix, and their words by number from 0. */
const ENUMS: Record<string, [prefix: string, words: string]> = {
  IntentOrderResponseType: [
    'INTENT_ORDER_RESPONSE_TYPE',
    'INVALID ACCEPT REJECT FILLED ENTRY_TRIGGERED EXIT_SL_TRIGGERED EXIT_TP_TRIGGERED TRAIL_UPDATED EXECUTED UNSOLICITED_CANCEL',
  ],
  IntentOrderRequestType: ['INTENT_ORDER_REQUEST_TYPE', 'INVALID NEW MOD CANCEL'],
  IntentOrderStatus: ['INTENT_ORDER_STATUS', 'INVALID OPEN EXECUTED REJECTED GTE CANCELLED EXPIRED'],
  ExecutionMode: ['EXECUTION_MODE', 'INVALID ENTRY EXIT ENTRY_AND_EXIT'],
  IntentOrderType: ['INTENT_ORDER_TYPE', 'INVALID REGULAR TRIGGER ICEBERG FLEXI'],
  IntentExitTriggerKind: ['INTENT_EXIT_TRIGGER_KIND', 'INVALID STOPLOSS TARGET_PROFIT TRAILING_STOP EXIT_TIME'],
  IntentExitTriggerStatus: ['INTENT_EXIT_TRIGGER_STATUS', 'OPEN TRIGGERED FILLED CANCELLED'],
  IntentEntryTriggerStatus: ['INTENT_ENTRY_TRIGGER_STATUS', 'OPEN TRIGGERED FILLED CANCELLED'],
  LTPConditionKind: ['LTP_CONDITION_KIND', 'INVALID ABOVE BELOW AT_OR_ABOVE AT_OR_BELOW'],
  ConditionOperator: ['CONDITION_OPERATOR', 'INVALID AND OR'],
  OrderSide: ['ORDER_SIDE', 'INVALID BUY SELL'],
  OrderDeliveryType: ['ORDER_DELIVERY_TYPE', 'INVALID CNC IDAY'],
  PriceType: ['PRICE_TYPE', 'INVALID LIMIT MARKET'],
  ValidityType: ['VALIDITY_TYPE', 'INVALID DAY IOC'],
};

const proto = loadSync(path.join(__dirname, '../../../proto/orders.proto'));

describe.each(Object.entries(MESSAGES))('Events: message %s', (name, rows) => {
  it.each(rows)('has the field %s', (row) => {
    const [number, field, ...type] = row.split(' ');
    const found = proto.lookupType(`brokerage.stream.${name}`).fieldsById[Number(number)]!.toJSON() as {
      rule?: string;
      type: string;
    };
    const known = proto.lookupType(`brokerage.stream.${name}`).fieldsById[Number(number)]!;
    expect([
      known.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      [found.rule, found.type].filter((part) => part !== undefined).join(' '),
    ]).toEqual([field, type.join(' ')]);
  });
});

describe.each(Object.entries(ENUMS))('Events: enum %s', (name, [prefix, words]) => {
  it.each(words.split(' ').map((word, index) => [`${prefix}_${word}`, index] as const))(
    'has %s = %s',
    (word, index) => {
      expect(proto.lookupEnum(`brokerage.stream.${name}`).values[word]).toBe(index);
    },
  );
});

/** A day in which everything happens that an order or a basket can tell of. */
describe('Events: the stream', () => {
  /** Every field that was told, as `Message.field`, and every enum value. */
  const reported = new Set<string>();
  let bench: Bench;
  let headers: Record<string, string>;
  let client: StreamClient;
  const post = async (address: string, body: unknown) => (await bench.http.post(address, body, { headers })).data;
  const get = async (address: string) => (await bench.http.get(address, { headers })).data;

  beforeAll(async () => {
    bench = await start({ rateLimit: 'off' });
    headers = await logIn(bench);
    await bench.http.post('/_sandbox/accounts/9000000001', { funds: 100_000_000_000 });
    const token = headers['authorization']!.slice(7);
    client = await new StreamClient(`${bench.running.url.replace('http', 'ws')}/stream?token=${token}`).open();
    client.socket.send(`subscribe ${token} direct_intent notification`);
    while (!(await bench.http.get('/_sandbox/journal?kind=subscribe')).data.length);
    await orders();
    await baskets();
    const frames = (await bench.http.get('/_sandbox/journal?kind=frame')).data as unknown[];
    for (let count = 0; count < frames.length; count += 1)
      note('SvcToClientIntentUpdate', (await client.message()).body);
  });
  afterAll(async () => {
    client.socket.terminate();
    await bench.close();
  });

  async function orders(): Promise<void> {
    const { refdata } = await get('/refdata/refdata/2026-11-23');
    const { ref_id } = refdata.find((row: { plat_name: string }) => row.plat_name === 'STOCK_INFY.NSECM');
    const { price } = await get('/optionchains/INFY/price?exchange=NSE');
    const order = async (more: Record<string, unknown>) => {
      const placed = await post('/orders/v2/single', {
        ref_id,
        order_type: 'ORDER_TYPE_REGULAR',
        order_qty: 10,
        order_side: 'ORDER_SIDE_BUY',
        order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
        validity_type: 'DAY',
        price_type: 'LIMIT',
        order_price: price - 5000,
        tag: 'my day',
        ...more,
      });
      await bench.advance('PT5S');
      return placed.order_id as string;
    };
    await order({ price_type: 'MARKET', order_price: null });
    await order({
      order_side: 'ORDER_SIDE_SELL',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      validity_type: 'IOC',
      price_type: 'MARKET',
      order_price: null,
    });
    await order({ order_qty: 100_000_000 });
    const resting = await order({ order_type: 'ORDER_TYPE_ICEBERG', order_qty: 40, algo_params: { leg_size: 10 } });
    await post(`/orders/v2/modify/${resting}`, {
      exchange: 'NSE',
      order_type: 'ORDER_TYPE_ICEBERG',
      order_qty: 30,
      order_price: price - 5000,
      algo_params: { leg_size: 10 },
    });
    await bench.advance('PT5S');
    await bench.http.delete(`/orders/${resting}`, { headers });
    await order({
      order_type: 'ORDER_TYPE_STOPLOSS',
      order_price: price + 3000,
      algo_params: { trigger_price: price + 2000 },
    });
    await order({
      order_type: 'ORDER_TYPE_STOPLOSS',
      order_side: 'ORDER_SIDE_SELL',
      order_price: price - 9000,
      algo_params: { trigger_price: price - 8000 },
    });
    const open = await order({});
    const { sandbox } = bench.running;
    sandbox.world.exchange.expel(BigInt(open), 'withdrawn by the exchange', sandbox.now());
    await bench.http.post('/_sandbox/market', { ref_id, price: price + 2500 });
    await bench.advance('PT5S');
  }

  async function baskets(): Promise<void> {
    const { chain } = await get('/optionchains/NIFTY');
    const at = chain.ce.findIndex(({ sp }: { sp: number }) => sp === chain.atm);
    const leg = chain.ce[at];
    const last = async () => (await get(`/orderbooks/${leg.ref_id}?levels=1`)).orderBook.ltp as number;
    const move = async (price: number) => {
      await bench.http.post('/_sandbox/market', { ref_id: leg.ref_id, price });
      await bench.advance('PT5S');
    };
    const basket = async (params: Record<string, unknown>) => {
      const { error } = await post('/orders/v2/basket', {
        exchange: 'NSE',
        basket_name: 'call',
        tag: 'b-1',
        orders: [{ ref_id: leg.ref_id, order_qty: leg.ls, order_side: 'ORDER_SIDE_BUY' }],
        basket_params: {
          order_side: 'ORDER_SIDE_BUY',
          order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
          price_type: 'MARKET',
          multiplier: 1,
          ...params,
        },
      });
      expect(error).toBeUndefined();
      await bench.advance('PT5S');
    };
    const price = await last();
    await basket({
      momentum_trigger_price: price + 500,
      exit_price: price + 3000,
      stoploss_price: price - 9000,
      entry_time: '2026-11-23T04:30:00.000Z',
    });
    await move(price + 1000);
    await bench.advance('PT2M');
    await move(price + 4000);
    await basket({ stoploss_price: (await last()) - 3000, trail_jump: 500 });
    await move((await last()) + 2000);
    await move((await last()) - 7000);
    await bench.advance('PT10S');
  }

  function note(type: string, body: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(body)) {
      const field = proto.lookupType(`brokerage.stream.${type}`).fields[name]!;
      for (const item of [value].flat()) {
        if (item === '0' || item === 0 || item === '' || item === false) continue;
        reported.add(`${type}.${field.id}`);
        if (field.resolve().resolvedType === null) continue;
        if (typeof item === 'string') reported.add(item);
        else note(field.type, item as Record<string, unknown>);
      }
    }
  }

  /** Fields that the sandbox leaves empty, and why. */
  const EMPTY: Record<string, string> = {
    'IntentOrderResponse.11': 'no order is an administrator’s',
    'IntentOrderResponse.27': 'no order is good till a date: DAY and IOC are all there is',
    'IntentExitTrigger.4': 'exits are at the market',
    'IntentExitTrigger.7': 'no algorithm',
    'IntentExitTrigger.8': 'no algorithm',
  };
  it.each(Object.entries(MESSAGES).flatMap(([name, rows]) => rows.map((row) => [name, row] as const)))(
    '%s: %s is filled',
    (name, row) => {
      const key = `${name}.${row.split(' ')[0]}`;
      expect([key, reported.has(key)]).toEqual([key, EMPTY[key] === undefined]);
    },
  );

  it.each([
    'ACCEPT',
    'REJECT',
    'FILLED',
    'ENTRY_TRIGGERED',
    'EXIT_SL_TRIGGERED',
    'EXIT_TP_TRIGGERED',
    'TRAIL_UPDATED',
    'EXECUTED',
    'UNSOLICITED_CANCEL',
  ])('tells INTENT_ORDER_RESPONSE_TYPE_%s', (word) => expect(reported).toContain(`INTENT_ORDER_RESPONSE_TYPE_${word}`));

  it.each(['NEW', 'MOD', 'CANCEL'])('tells INTENT_ORDER_REQUEST_TYPE_%s', (word) =>
    expect(reported).toContain(`INTENT_ORDER_REQUEST_TYPE_${word}`),
  );
});
