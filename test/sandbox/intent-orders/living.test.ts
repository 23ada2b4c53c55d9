import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StreamClient } from '../stream/client';
import { FIRST } from '../support';
import { item, limit, startIntents, type IntentBench } from './support';

const at = (price: number) => ({ value: price });

describe('Intent orders: records, changes and the stream', () => {
  let b: IntentBench;
  beforeAll(async () => {
    b = await startIntents();
  });
  afterAll(() => b.close());

  const exitsAround = (price: number, more = {}) => ({
    stoplossParams: {
      stoplossTriggerPrice: at(price - 40 * b.tick),
      stoplossLimitPrice: at(price - 60 * b.tick),
      ...more,
    },
    targetParams: {
      targetProfitTriggerPrice: at(price + 40 * b.tick),
      targetProfitLimitPrice: at(price + 30 * b.tick),
    },
  });
  const bought = async (more = {}) => {
    const exitConfig = exitsAround(await b.last(), more);
    const { intentOrderId } = await b.place(item(b, { executionMode: 'ENTRY_AND_EXIT', exitConfig }));
    await b.advance('PT3S');
    return intentOrderId;
  };

  it('a modify is acknowledged, and seen in the list by orderPrice and lastModifiedAt', async () => {
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500)));
    await b.advance('PT3S');
    const price = await b.near(-400);
    const { status, data } = await b.modify(id, { entryPrice: price, executionMode: 'ENTRY' });
    expect([status, data]).toEqual([200, { message: 'order modify request pushed successfully' }]);
    expect((await b.cancel(id)).data.error).toContain(
      'Cancellation is temporarily unavailable while the exchange request is being processed',
    );
    await b.advance('PT3S');
    const record = await b.find(id);
    expect(record.orderPrice).toBe(price);
    expect(record.timestamps['lastModifiedAt']).not.toBeNull();
    await b.advance('PT3S');
    expect((await b.cancel(id)).status).toBe(200);
  });

  it('a modify names only what changes: legs, refId and side of another order are refused, and so is a wrong mode', async () => {
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500)));
    await b.advance('PT3S');
    expect((await b.modify(id, { legs: [], qty: 20 })).data.error).toContain('legs');
    expect((await b.modify(id, { side: 'SELL', qty: 20 })).data.error).toContain('refId and side');
    expect((await b.modify(id, { qty: 20, executionMode: 'EXIT' })).data.error).toContain('must be ENTRY');
    expect((await b.modify(id, {})).data.error).toContain('changes nothing');
  });

  it('an exit is taken off by a modify or by exitTriggerKind; the order stays', async () => {
    const id = await bought();
    expect((await b.cancel(id, 'STOPLOSS')).status).toBe(200);
    await b.advance('PT1S');
    expect((await b.find(id)).exitConfig).toMatchObject({
      stoplossParams: { status: 'CANCELLED' },
      targetParams: { status: 'OPEN' },
    });
    const off = {
      targetParams: { targetProfitTriggerPrice: { disabled: true }, targetProfitLimitPrice: { disabled: true } },
    };
    expect((await b.modify(id, { exitConfig: off, executionMode: 'EXIT' })).status).toBe(200);
    await b.advance('PT1S');
    expect(await b.find(id)).toMatchObject({
      bucket: 'executed',
      exitConfig: { targetParams: { status: 'CANCELLED' } },
    });
  });

  it('an exit trades on the other side after the entry: filledQty and filledPrice stay, the older list shows the entry only', async () => {
    const id = await bought();
    const before = await b.find(id);
    await b.move(b.refId, (await b.last()) + 50 * b.tick);
    await b.advance('PT3S');
    const after = await b.find(id);
    expect(after).toMatchObject({
      bucket: 'executed',
      filledQty: before.filledQty,
      filledPrice: before.filledPrice,
      exitConfig: { targetParams: { status: 'FILLED', filledQty: 10 }, stoplossParams: { status: 'CANCELLED' } },
    });
    const older = (await b.get('/orders')).data as unknown as { order_id: string; tag: string; order_side: string }[];
    const own = older.filter(({ order_id }) => order_id === id);
    expect(own).toEqual([expect.objectContaining({ tag: 'test', order_side: 'ORDER_SIDE_BUY', filled_qty: 10 })]);
    expect(older.filter(({ order_side }) => order_side === 'ORDER_SIDE_SELL')).toEqual([]);
  });

  it('filters by id and tag keep the buckets', async () => {
    const intentRecord = await b.place(limit(b, await b.near(-500), { stratTags: ['filter-1'] }));
    const two = await b.place(limit(b, await b.near(-500), { stratTags: ['filter-2'] }));
    await b.advance('PT3S');
    const ids = async (query: string) => {
      const lists = await b.list(query);
      expect(Object.keys(lists)).toEqual(['open', 'executed', 'cancelled', 'rejected', 'expired', 'gtt']);
      return Object.values(lists)
        .flat()
        .map(({ intentOrderId }) => intentOrderId);
    };
    expect(await ids(`?intentOrderId=${intentRecord.intentOrderId},${two.intentOrderId}`)).toEqual([
      intentRecord.intentOrderId,
      two.intentOrderId,
    ]);
    expect(await ids('?stratTags=filter-2,nobody')).toEqual([two.intentOrderId]);
  });

  it('a good-till order is GTE in the bucket gtt', async () => {
    const gte = { validityType: 'GTE', goodTillDate: '2026-12-01T10:00:00.000Z' };
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500), gte));
    await b.advance('PT3S');
    expect(await b.find(id)).toMatchObject({ bucket: 'gtt', status: 'GTE', goodTillDate: '2026-12-01T10:00:00.000Z' });
  });

  it('a stop-loss order of the older interface is an order with an entry trigger here, and is cancelled from here', async () => {
    const [trigger, price] = [await b.near(300), await b.near(320)];
    const { data } = await b.post('/orders/v2/single', {
      ref_id: b.refId,
      order_type: 'ORDER_TYPE_STOPLOSS',
      order_qty: 5,
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_CNC',
      validity_type: 'DAY',
      price_type: 'LIMIT',
      order_price: price,
      algo_params: { trigger_price: trigger },
      tag: 'older',
    });
    await b.advance('PT3S');
    const id = String((data as unknown as { order_id: string }).order_id);
    expect(await b.find(id)).toMatchObject({
      bucket: 'open',
      intentOrderType: 'TRIGGER',
      entryConfig: { triggers: { ltp: { atOrAbove: at(trigger) } }, status: 'OPEN' },
    });
    expect((await b.cancel(id)).status).toBe(200);
    await b.advance('PT3S');
    expect((await b.find(id)).bucket).toBe('cancelled');
  });

  it('an intent order is changed and cancelled on the older interface too', async () => {
    const { intentOrderId: id } = await b.place(limit(b, await b.near(-500)));
    await b.advance('PT3S');
    const price = await b.near(-450);
    const change = { exchange: 'NSE', order_type: 'ORDER_TYPE_REGULAR', order_price: price };
    expect((await b.post(`/orders/v2/modify/${id}`, change)).status).toBe(200);
    await b.advance('PT6S');
    expect((await b.find(id)).orderPrice).toBe(price);
    expect((await b.post('/orders/cancel', { order_ids: [id] })).status).toBe(200);
    await b.advance('PT3S');
    expect((await b.find(id)).bucket).toBe('cancelled');
  });

  it('funds_required tells margin, charges, and whether the order waits or is sliced', async () => {
    const ask = (orders: object[]) => b.post('/sentinel/orders/funds_required', { requestType: 'NEW', orders });
    const price = await b.near(-10);
    const { data } = await ask([limit(b, price)]);
    const { brokerageInfo } = data as unknown as { brokerageInfo: { totalChargesFloat: number } };
    expect(data).toMatchObject({
      code: 1,
      marginInfo: { totalMargin: 10 * price, message: '' },
      brokerageInfo,
      totalFundsRequired: 10 * price + brokerageInfo.totalChargesFloat,
      willDefaultBePlacedAsAmo: false,
      willBeAutoSliced: false,
    });
    const refused = (await ask([limit(b, price + 1)])).data as unknown as { code: number; marginInfo?: object };
    expect([refused.code, refused.marginInfo]).toEqual([0, undefined]);
  });

  it('books and funds agree on both interfaces', async () => {
    await bought();
    const older = (await b.get('/portfolio/user_funds_and_margin')).data as unknown as Record<string, Figures>;
    const newer = (await b.get('/sentinel/portfolio/user_funds_and_margin')).data as unknown as Record<string, Figures>;
    const [v2, intent] = [older['port_funds_and_margin']!, newer['portFundsAndMargin']!];
    expect(intent['netMarginAvailable']).toBe(v2['net_margin_available']);
    expect(intent['totalMarginBlocked']).toBe(v2['total_margin_blocked']);
    const flat = (await b.get('/sentinel/portfolio/positions')).data as unknown as {
      portfolio: { positions: { refId: number; netQuantity: number; deliveryType: string }[] };
    };
    const own = flat.portfolio.positions.find(({ refId, deliveryType }) => refId === b.refId && deliveryType === 'CNC');
    const lists = (await b.get('/portfolio/positions')).data as unknown as {
      portfolio: { stock_positions: { ref_id: number; qty: number }[] };
    };
    const before = lists.portfolio.stock_positions.find(({ ref_id }) => ref_id === b.refId);
    expect(own!.netQuantity).toBe(before!.qty);
    const held = (await b.get('/sentinel/portfolio/holdings')).data as unknown as {
      portfolio: { holdings: { quantity: number; supportedExchanges: Record<string, number> }[] };
    };
    expect(held.portfolio.holdings.length).toBeGreaterThan(0);
    expect(Object.keys(held.portfolio.holdings[0]!.supportedExchanges)).toContain('NSE');
  });

  it('the stream says that an order without exits is executed by the fill that completes it', async () => {
    const token = b.headers['authorization']!.slice('Bearer '.length);
    const stream = await new StreamClient(`${b.running.url.replace('http', 'ws')}/ws?token=${token}`).open();
    stream.socket.send(`subscribe ${token} notifications notification`);
    while (((await b.http.get('/_sandbox/journal?kind=subscribe')).data as unknown[]).length < 1);
    const { intentOrderId } = await b.place(item(b, {}));
    await b.advance('PT3S');
    const reported = [await stream.update()];
    while (reported.at(-1)!.intentOrderResponse['filledQty'] !== '10') reported.push(await stream.update());
    const statuses = reported.map(({ intentOrderResponse: { orderStatus } }) => orderStatus);
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set(['INTENT_ORDER_STATUS_OPEN']));
    expect(reported.at(-1)!.intentOrderResponse).toMatchObject({
      intentOrderId: String(intentOrderId),
      orderStatus: 'INTENT_ORDER_STATUS_EXECUTED',
    });
    stream.socket.terminate();
  });

  it('the stream tells each step of an exit, at /stream and at the older /ws', async () => {
    const token = b.headers['authorization']!.slice('Bearer '.length);
    const ws = b.running.url.replace('http', 'ws');
    const stream = await new StreamClient(`${ws}/stream?token=${token}`).open();
    const older = await new StreamClient(`${ws}/ws?token=${token}`).open();
    stream.socket.send(`subscribe ${token} direct_intent notification`);
    older.socket.send(`subscribe ${token} notifications notification`);
    const subscribed = async (): Promise<number> =>
      ((await b.http.get('/_sandbox/journal?kind=subscribe')).data as unknown[]).length;
    while ((await subscribed()) < 2);
    const id = await bought({ stoplossTrailJump: 10 * b.tick });
    const average = (await b.find(id)).filledPrice;
    await b.move(b.refId, Math.ceil(average / b.tick) * b.tick + 21 * b.tick);
    await b.advance('PT2S');
    await b.move(b.refId, average - (average % b.tick) - 25 * b.tick);
    await b.advance('PT3S');
    const types: string[] = [];
    const exits: unknown[] = [];
    for (;;) {
      const update = await stream.update();
      types.push(update.intentOrderResponseType!.replace('INTENT_ORDER_RESPONSE_TYPE_', ''));
      exits.push(update.intentOrderResponse['exitTriggers']);
      if (types.at(-1) === 'EXECUTED' && types.includes('EXIT_SL_TRIGGERED')) break;
    }
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'ACCEPT',
      'FILLED',
      'EXECUTED',
      'TRAIL_UPDATED',
      'EXIT_SL_TRIGGERED',
      'FILLED',
      'EXECUTED',
    ]);
    expect(exits.at(-1)).toMatchObject([
      { kind: 'INTENT_EXIT_TRIGGER_KIND_TRAILING_STOP', status: 'INTENT_EXIT_TRIGGER_STATUS_FILLED' },
      { kind: 'INTENT_EXIT_TRIGGER_KIND_TARGET_PROFIT', status: 'INTENT_EXIT_TRIGGER_STATUS_CANCELLED' },
    ]);
    expect((await older.update()).intentOrderResponseType).toContain('ACCEPT');
    for (const { socket } of [stream, older]) socket.terminate();
  });
});

type Figures = Record<string, number>;

describe('Intent orders: which interface an account has', () => {
  it('the older paths answer 403 with intent orders alone, and /sentinel 404 with the older one alone; also per account', async () => {
    const b = await startIntents({ orderInterface: 'intent' });
    const older = ['/orders', '/orders/v2/basket', '/portfolio/positions', '/portfolio/holdings'];
    for (const path of older)
      expect([path, await b.get(path)]).toMatchObject([
        path,
        { status: 403, data: { error: 'OMS v2 is not enabled', svc_error_code: '' } },
      ]);
    expect((await b.get('/sentinel/orders')).status).toBe(200);
    await b.http.post(`/_sandbox/accounts/${FIRST.phone}`, { order_interface: 'v2' });
    expect((await b.get('/orders')).status).toBe(200);
    for (const path of ['/sentinel/orders', '/sentinel/portfolio/positions'])
      expect((await b.get(path)).status).toBe(404);
    expect(await b.refusal(item(b), 404)).toContain('/sentinel/orders/create');
    await b.close();
  });

  it('every seen variant can be chosen as a dialect', async () => {
    const b = await startIntents({
      dialect: {
        intent_status: '200',
        intent_cancel_status: '204',
        intent_modify_reply: 'orders',
        intent_ids: 'short',
        intent_single: 'multi',
        intent_configs: 'list',
        intent_order_price: 'missing',
        intent_empty_bucket: 'missing',
        intent_portfolio: 'snake',
      },
    });
    const low = await b.near(-500);
    const created = await b.post('/sentinel/orders/create', { orders: [limit(b, low)] });
    expect(created.status).toBe(200);
    const [record] = created.data.orders as IntentLike[];
    expect(record!.intentOrderId).toBe(9946);
    expect(record).toMatchObject({
      isMulti: true,
      legs: [{ refId: b.refId, unitQty: 1 }],
      entryConfig: [],
      exitConfig: [],
    });
    expect(record).not.toHaveProperty('refId');
    expect(record).not.toHaveProperty('orderPrice');
    await b.advance('PT3S');
    expect(Object.keys(await b.list())).toEqual(['open']);
    const changed = await b.modify('9946', { qty: 20 });
    expect(changed.data.orders).toHaveLength(1);
    await b.advance('PT6S');
    expect((await b.cancel('9946')).status).toBe(204);
    expect((await b.get('/sentinel/portfolio/positions')).data).toHaveProperty('portfolio.position_stats');
    await b.http.put('/_sandbox/dialect', { intent_portfolio: 'camel', intent_position_names: 'short' });
    await b.place(item(b)).catch(() => undefined);
    await b.advance('PT3S');
    const position = async () => {
      const { data } = await b.get('/sentinel/portfolio/positions');
      return (data as unknown as { portfolio: { positions: object[] } }).portfolio.positions[0];
    };
    const short = { netQty: 10, buyQty: 10, sellQty: 0, ltp: expect.any(Number) };
    expect(await position()).toMatchObject(short);
    expect(await position()).not.toHaveProperty('netQuantity');
    await b.http.put('/_sandbox/dialect', { intent_position_names: 'both' });
    expect(await position()).toMatchObject({ ...short, netQuantity: 10, buyQuantity: 10, sellQuantity: 0 });
    await b.close();
  });

  it('orders survive a restart with their exits', async () => {
    const data = mkdtempSync(path.join(os.tmpdir(), 'sandbox-intents-'));
    const first = await startIntents({ data });
    const { intentOrderId: id } = await first.place(
      item(first, {
        executionMode: 'ENTRY_AND_EXIT',
        exitConfig: {
          targetParams: {
            targetProfitTriggerPrice: at(await first.near(40)),
            targetProfitLimitPrice: at(await first.near(30)),
          },
        },
      }),
    );
    // Another code of the authenticator app is needed for the next login.
    await first.advance('PT1M');
    await first.close();
    const again = await startIntents({ data, snapshotEvery: 0 });
    await again.move(again.refId, await again.near(60));
    await again.advance('PT3S');
    expect((await again.find(id)).exitConfig).toMatchObject({ targetParams: { status: 'FILLED' } });
    await again.close();
    rmSync(data, { recursive: true });
  });
});

interface IntentLike {
  intentOrderId: number;
}
