/** Facts of intent orders that the other files of this folder leave, each under its section. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { FIRST, logIn, start } from '../support';
import { intentBench, item, limit, startIntents, type IntentBench, type IntentRecord } from './support';

const at = (price: number) => ({ value: price });
interface Leg {
  ref_id: number;
  sp: number;
  ls: number;
  ltp: number;
}

/** Call and put at the money of NIFTY's nearest expiry. */
async function straddle(b: IntentBench): Promise<[Leg, Leg]> {
  const { chain } = (await b.get('/optionchains/NIFTY')).data as unknown as {
    chain: { ce: Leg[]; pe: Leg[]; atm: number };
  };
  return [chain.ce, chain.pe].map((side) => side.find(({ sp }) => sp === chain.atm)!) as [Leg, Leg];
}

const strategy = (b: IntentBench, legs: object[], more: Record<string, unknown> = {}) =>
  item(b, { refId: undefined, isMultiLeg: true, qty: 65, deliveryType: 'CNC', legs, ...more });

describe('Intent orders: requests', () => {
  let b: IntentBench;
  beforeAll(async () => {
    b = await startIntents();
  });
  afterAll(() => b.close());

  it('Modify and Cancel take several orders', async () => {
    const low = await b.near(-500);
    const ids = [await b.place(limit(b, low)), await b.place(limit(b, low))].map(({ intentOrderId }) => intentOrderId);
    await b.advance('PT3S');
    const change = (orderId: string, qty: number) => ({ orderId, qty, executionMode: 'ENTRY' });
    const modified = await b.post('/sentinel/orders/modify', { orders: [change(ids[0]!, 20), change(ids[1]!, 30)] });
    expect([modified.status, modified.data.message]).toEqual([200, 'order modify request pushed successfully']);
    await b.advance('PT6S');
    expect([(await b.find(ids[0]!)).orderQty, (await b.find(ids[1]!)).orderQty]).toEqual([20, 30]);
    const cancelled = await b.post('/sentinel/orders/cancel', { orders: ids.map((orderId) => ({ orderId })) });
    expect([cancelled.status, cancelled.data.message]).toEqual([200, 'order cancellation request pushed successfully']);
    await b.advance('PT3S');
    for (const id of ids) expect((await b.find(id)).bucket).toBe('cancelled');
  });

  it('Place creates orders and a strategy with one request', async () => {
    const [call, put] = await straddle(b);
    const legs = [call, put].map(({ ref_id: refId }) => ({ refId, unitQty: 1 }));
    const { status, data } = await b.post('/sentinel/orders/create', {
      orders: [limit(b, await b.near(-500)), strategy(b, legs)],
    });
    expect(status).toBe(201);
    expect((data.orders as IntentRecord[]).map(({ isMulti }) => isMulti)).toEqual([false, true]);
  });

  it('funds_required: tells willBeAutoSliced above the freeze quantity', async () => {
    const [call] = await straddle(b);
    const of = async (qty: number) => {
      const orders = [limit(b, call.ltp - (call.ltp % 5), { refId: call.ref_id, qty })];
      return (await b.post('/sentinel/orders/funds_required', { requestType: 'NEW', orders })).data as unknown as {
        willBeAutoSliced: boolean;
      };
    };
    expect((await of(call.ls)).willBeAutoSliced).toBe(false);
    expect((await of(call.ls * 40)).willBeAutoSliced).toBe(true);
  });

  it('Errors: 403 comes for an IP that is not registered, 440 for an expired session, each with text and an empty code', async () => {
    const refused = { error: expect.stringMatching(/\w/), svc_error_code: '' };
    await b.http.post(`/_sandbox/accounts/${FIRST.phone}`, { static_ip: '203.0.113.7' });
    const order = { orders: [limit(b, await b.near(-500))] };
    expect(await b.post('/sentinel/orders/create', order)).toMatchObject({ status: 403, data: refused });
    await b.http.post(`/_sandbox/accounts/${FIRST.phone}`, { static_ip: null });
    await b.http.post(`/_sandbox/accounts/${FIRST.phone}`, { expire_sessions: true });
    for (const reply of [await b.get('/sentinel/orders'), await b.post('/sentinel/orders/create', order)])
      expect(reply.status).toBe(440);
  });

  it('Errors: 429 comes above ten requests of trading a second', async () => {
    const bench = await start({ rateLimit: 'live' });
    try {
      const busy = intentBench(bench, await logIn(bench));
      const statuses: number[] = [];
      for (let left = 14; left > 0; left--) statuses.push((await busy.cancel('1')).status);
      expect(statuses).toContain(429);
      expect(statuses.slice(0, 8)).not.toContain(429);
    } finally {
      await bench.close();
    }
  });
});

describe('Intent orders: requests after the close', () => {
  let b: IntentBench;
  beforeAll(async () => {
    b = await startIntents({ hours: 'exchange', start: '2026-11-23T17:00:00.000+05:30' });
  });
  afterAll(() => b.close());

  it('an order waits for the next session, and willDefaultBePlacedAsAmo tells it beforehand', async () => {
    const order = limit(b, await b.near(100));
    const { data } = await b.post('/sentinel/orders/funds_required', { requestType: 'NEW', orders: [order] });
    expect(data).toMatchObject({ code: 1, willDefaultBePlacedAsAmo: true });
    const { intentOrderId: id } = await b.place(order);
    await b.advance('PT10M');
    expect(await b.find(id)).toMatchObject({ bucket: 'open', filledQty: 0 });
  });
});

describe('Intent orders: each field of an item to place', () => {
  let b: IntentBench;
  let low: number;
  let legs: { refId: number; unitQty: number }[];
  beforeAll(async () => {
    b = await startIntents();
    low = await b.near(-500);
    legs = (await straddle(b)).map(({ ref_id: refId }) => ({ refId, unitQty: 1 }));
  });
  afterAll(() => b.close());

  it.each([
    ['side', 'HOLD'],
    ['deliveryType', 'MIS'],
    ['priceType', 'SL'],
    ['validityType', 'GTC'],
    ['executionMode', 'BOTH'],
  ])('%s: takes no other word than those of the row, so not %s', async (name, word) => {
    expect(await b.refusal(limit(b, low, { [name]: word }))).toContain(name);
  });

  it('qty of a strategy: counts one or more strategy units', async () => {
    expect(await b.refusal(strategy(b, legs, { qty: 66 }))).toContain('lot');
    const { intentOrderId: id } = await b.place(strategy(b, legs, { qty: 130 }));
    await b.advance('PT5S');
    expect(await b.find(id)).toMatchObject({ orderQty: 130, legs: [{ orderQty: 130 }, { orderQty: 130 }] });
  });

  it('deliveryType: a strategy with GTE is CNC', async () => {
    const goodTillDate = new Date(b.running.sandbox.now() + 5 * 3_600_000).toISOString();
    const gte = { validityType: 'GTE', goodTillDate, priceType: 'LIMIT', entryPrice: 5000 };
    expect(await b.refusal(strategy(b, legs, { ...gte, deliveryType: 'IDAY' }))).toContain('CNC');
  });

  it('entryPrice of a strategy: is the signed net premium; exits are signed too, stop < entry < target', async () => {
    const sold = legs.map((leg) => ({ ...leg, unitQty: -1 }));
    const credit = { priceType: 'LIMIT', validityType: 'DAY', entryPrice: -20_000, executionMode: 'ENTRY_AND_EXIT' };
    const exits = (stop: number, target: number) => ({
      stoplossParams: { stoplossTriggerPrice: at(stop), stoplossLimitPrice: at(stop - 100) },
      targetParams: { targetProfitTriggerPrice: at(target), targetProfitLimitPrice: at(target) },
    });
    expect(await b.refusal(strategy(b, sold, { ...credit, exitConfig: exits(-10_000, -5_000) }))).toContain('below');
    const placed = await b.place(strategy(b, sold, { ...credit, exitConfig: exits(-26_000, -10_000) }));
    expect(placed).toMatchObject({ orderPrice: -20_000, side: 'BUY', isMulti: true });
  });

  it('legs: are on one exchange; a single order has none', async () => {
    const other = [...b.running.sandbox.world.universe().all('BSE')].find(
      ({ derivativeType }) => derivativeType === 'OPT',
    )!;
    expect(await b.refusal(strategy(b, [legs[0]!, { refId: other.refId, unitQty: 1 }]))).toContain(
      'all legs must be on',
    );
    expect(await b.refusal(limit(b, low, { legs }))).toContain('legs');
  });

  it.each([
    ['above', 20],
    ['below', -20],
    ['atOrAbove', 20],
    ['atOrBelow', -20],
  ])('entryConfig.triggers.ltp.%s: enters when the price is there', async (kind, beyond) => {
    const up = kind === 'above' || kind === 'atOrAbove' ? 1 : -1;
    const trigger = await b.near(up * 60);
    const { intentOrderId: id } = await b.place(
      item(b, { entryConfig: { triggers: { ltp: { [kind]: at(trigger) } } } }),
    );
    await b.advance('PT3S');
    expect((await b.find(id)).bucket).toBe('open');
    await b.move(b.refId, trigger + beyond * b.tick);
    await b.advance('PT3S');
    expect((await b.find(id)).bucket).toBe('executed');
  });

  it.each(['STOPLOSS', 'TRAILING_STOP'])(
    'stoplossTrailJump: is shown as TRAILING_STOP, taken off by %s',
    async (kind) => {
      const last = await b.near(0);
      const stoplossParams = {
        stoplossTriggerPrice: at(last - 80 * b.tick),
        stoplossLimitPrice: at(last - 90 * b.tick),
        stoplossTrailJump: 10 * b.tick,
      };
      const { intentOrderId: id } = await b.place(
        item(b, { executionMode: 'ENTRY_AND_EXIT', exitConfig: { stoplossParams } }),
      );
      await b.advance('PT3S');
      expect((await b.find(id)).exitConfig).toMatchObject({
        stoplossParams: { kind: 'TRAILING_STOP', status: 'OPEN' },
      });
      expect((await b.cancel(id, kind)).status).toBe(200);
      await b.advance('PT1S');
      expect(await b.find(id)).toMatchObject({
        bucket: 'executed',
        exitConfig: { stoplossParams: { status: 'CANCELLED' } },
      });
    },
  );

  it('exitConfig.exitTime: is taken off by a modify', async () => {
    const exitTime = new Date(b.running.sandbox.now() + 60_000).toISOString();
    const { intentOrderId: id } = await b.place(item(b, { executionMode: 'ENTRY_AND_EXIT', exitConfig: { exitTime } }));
    await b.advance('PT3S');
    const off = { exitConfig: { exitTime: { disabled: true } }, executionMode: 'EXIT' };
    expect((await b.modify(id, off)).status).toBe(200);
    await b.advance('PT2M');
    const { trades } = {
      trades: (await b.http.get('/_sandbox/journal?kind=intent')).data as {
        fill_of?: string;
        intent_order_id: string;
      }[],
    };
    expect(trades.filter((trade) => trade.intent_order_id === id && trade.fill_of === 'time')).toEqual([]);
  });
});

describe('Intent orders: records, portfolio and changes', () => {
  let b: IntentBench;
  beforeAll(async () => {
    b = await startIntents();
  });
  afterAll(() => b.close());

  it('A record has the fields of the page, and refData those of the instrument', async () => {
    const { intentOrderId: id } = await b.place(item(b));
    await b.advance('PT3S');
    const { bucket: _, ...record } = await b.find(id);
    expect(Object.keys(record).sort()).toEqual(
      (
        'intentOrderId exchange status intentOrderType isMulti legs refId refData side deliveryType priceType validityType ' +
        'executionMode orderQty filledQty filledPrice orderPrice ltp stratTags goodTillDate icebergInfo entryConfig exitConfig ' +
        'exchangeOrderIds rejectionMsg timestamps echoFields'
      )
        .split(' ')
        .sort(),
    );
    expect(record['refData']).toMatchObject({
      refId: b.refId,
      exchange: 'NSE',
      asset: 'INFY',
      stockName: expect.any(String),
      displayName: expect.any(String),
      lotSize: 1,
      tickSize: b.tick,
    });
    expect(Object.keys(record.timestamps)).toEqual(
      'intentCreatedAt sentToColoAt filledAt cancelledAt rejectedAt lastModifiedAt lastUpdatedAt'.split(' '),
    );
  });

  it('intentOrderType: is REGULAR, TRIGGER, ICEBERG or FLEXI', async () => {
    const low = await b.near(-500);
    const exitConfig = {
      targetParams: { targetProfitTriggerPrice: at(low + 1000), targetProfitLimitPrice: at(low + 1000) },
    };
    const entryConfig = { triggers: { ltp: { atOrBelow: at(low) } } };
    const types = [
      limit(b, low),
      limit(b, low, { entryConfig }),
      limit(b, low, { icebergInfo: { maxQtyPerLeg: 5 } }),
      limit(b, low, { exitConfig, executionMode: 'ENTRY_AND_EXIT' }),
    ];
    const placed: unknown[] = [];
    for (const type of types) placed.push((await b.place(type))['intentOrderType']);
    expect(placed).toEqual(['REGULAR', 'TRIGGER', 'ICEBERG', 'FLEXI']);
  });

  it('a partly filled order stays in open with filledQty above 0', async () => {
    const { data } = await b.get(`/orderbooks/${b.refId}`);
    const { ask } = (data as unknown as { orderBook: { ask: { p: number; q: number }[] } }).orderBook;
    const [best] = ask as [{ p: number; q: number }];
    const { intentOrderId: id } = await b.place(limit(b, best.p, { qty: best.q + 5_000, deliveryType: 'IDAY' }));
    await b.advance('PT1S');
    const record = await b.find(id);
    expect([record.bucket, record.filledQty > 0, record.filledQty < record.orderQty]).toEqual(['open', true, true]);
  });

  const read = async (name: string) =>
    (await b.get(`/sentinel/portfolio/${name}`)).data as unknown as Record<string, Record<string, unknown>>;

  it('Holdings, Positions and Funds have the newer names', async () => {
    await b.place(item(b, { deliveryType: 'IDAY' }));
    await b.advance('PT3S');
    const names = (value: unknown) => Object.keys(value as object);
    const holdings = (await read('holdings'))['portfolio']!;
    expect(names(holdings)).toEqual(expect.arrayContaining(['clientCode', 'holdingStats', 'holdings']));
    expect(names(holdings['holdingStats'])).toEqual(
      'investedAmount currentValue totalPnl totalPnlChg dayPnl dayPnlChg'.split(' '),
    );
    expect(names((holdings['holdings'] as object[])[0])).toEqual(
      expect.arrayContaining(
        (
          'refId symbol displayName exchange asset derivativeType quantity pledgedQty t1Qty avgPrice prevClose lastTradedPrice ' +
          'investedValue currentValue netPnl netPnlChg dayPnl haircut marginBenefit availableToPledge isPledgeable supportedExchanges'
        ).split(' '),
      ),
    );
    const positions = (await read('positions'))['portfolio']!;
    expect(names(positions['positionStats'])).toEqual('realisedPnl unrealisedPnl totalPnl totalPnlChg'.split(' '));
    expect(names((positions['positions'] as object[])[0])).toEqual(
      expect.arrayContaining(
        (
          'refId symbol exchange asset assetType derivativeType deliveryType orderSide netQuantity buyQuantity sellQuantity ' +
          'avgPrice avgBuyPrice avgSellPrice lastTradedPrice pnl pnlChg realisedPnl unrealisedPnl'
        ).split(' '),
      ),
    );
    expect(names((await read('user_funds_and_margin'))['portFundsAndMargin'])).toEqual(
      expect.arrayContaining(
        (
          'clientCode startOfDayFunds payInCredit payOutDebit netDerivativePremBuy netDerivativePremSell netDerivativePrem ' +
          'cashBlockedCncTraded cashBlockedCncOpen cashBlockedDerivOpen cashCncTradedAndOpen mtmDeriv mtmEqIdayCnc mtmEqDelivery ' +
          'netTradingAmount netWithdrawalAmount totalPayinCash startOfDayCollateral idayCollateralPledge idayCollateralPledgeSell ' +
          'totalCollateral marginUsedDerivTraded marginBlockDerivOpenOrder marginUsedEqIday marginBlockedEqIdayOpen ' +
          'netMarginAvailable totalMarginBlocked derivativeMarginBlocked brokerage'
        ).split(' '),
      ),
    );
  });

  it('Closing a position: takes an opposite MARKET/IOC order of the same deliveryType; it stays in the list with net 0', async () => {
    type Position = { refId: number; deliveryType: string; netQuantity: number };
    const own = b.running.sandbox.world.universe().bySymbol('NSE', 'TCS')!.refId;
    const position = async () =>
      ((await read('positions'))['portfolio']!['positions'] as Position[]).find(
        ({ refId, deliveryType }) => refId === own && deliveryType === 'IDAY',
      )!;
    await b.place(item(b, { refId: own, deliveryType: 'IDAY' }));
    await b.advance('PT3S');
    expect((await position()).netQuantity).toBe(10);
    await b.place(item(b, { refId: own, side: 'SELL', deliveryType: 'IDAY' }));
    await b.advance('PT5S');
    expect((await position()).netQuantity).toBe(0);
  });

  it('Modify of a GTE order keeps validityType and sends the new goodTillDate', async () => {
    const gte = (goodTillDate: string) => ({ validityType: 'GTE', goodTillDate });
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500), gte('2026-12-01T10:00:00.000Z')));
    await b.advance('PT3S');
    const change = { ...gte('2026-12-08T10:00:00.000Z'), executionMode: 'ENTRY' };
    expect((await b.modify(id, change)).status).toBe(200);
    await b.advance('PT3S');
    expect(await b.find(id)).toMatchObject({ bucket: 'gtt', goodTillDate: '2026-12-08T10:00:00.000Z' });
  });
});

describe('Intent orders: numbers on the stream', () => {
  const proto = readFileSync(path.join(__dirname, '..', '..', '..', 'proto', 'orders.proto'), 'utf8');
  const numbersOf = (name: string, prefix: string): Record<string, number> => {
    const [, body] = new RegExp(`enum ${name} \\{([^}]*)\\}`).exec(proto)!;
    return Object.fromEntries(
      [...body!.matchAll(new RegExp(`${prefix}(\\w+) = (\\d+);`, 'g'))].map(([, word, number]) => [
        word,
        Number(number),
      ]),
    );
  };
  it.each<[string, string, Record<string, number>]>([
    [
      'IntentExitTriggerKind',
      'INTENT_EXIT_TRIGGER_KIND_',
      { STOPLOSS: 1, TARGET_PROFIT: 2, TRAILING_STOP: 3, EXIT_TIME: 4 },
    ],
    ['IntentExitTriggerStatus', 'INTENT_EXIT_TRIGGER_STATUS_', { OPEN: 0, TRIGGERED: 1, FILLED: 2, CANCELLED: 3 }],
    [
      'IntentOrderStatus',
      'INTENT_ORDER_STATUS_',
      { OPEN: 1, EXECUTED: 2, REJECTED: 3, GTE: 4, CANCELLED: 5, EXPIRED: 6 },
    ],
    [
      'IntentOrderResponseType',
      'INTENT_ORDER_RESPONSE_TYPE_',
      {
        ENTRY_TRIGGERED: 4,
        EXIT_SL_TRIGGERED: 5,
        EXIT_TP_TRIGGERED: 6,
        TRAIL_UPDATED: 7,
        EXECUTED: 8,
        UNSOLICITED_CANCEL: 9,
      },
    ],
  ])('the stream has the numbers of %s', (name, prefix, numbers) => {
    expect(numbersOf(name, prefix)).toMatchObject(numbers);
  });
});
