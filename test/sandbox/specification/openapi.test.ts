import Ajv from 'ajv';
import { DEVICE, FIRST, MARKET_ORDER, SECOND, logIn, now, start, totpAt, type Bench } from '../support';

type Json = { [name: string]: Json } & Json[];

/** A schema that allows only the fields that it names: what is sent and what is described are the same fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return 'properties' in inner ? { additionalProperties: false, ...inner } : inner;
}

describe('OpenAPI document: the replies', () => {
  let bench: Bench;
  let paths: Record<
    string,
    Record<
      string,
      { operationId?: string; responses: Record<string, { content?: { 'application/json': { schema: object } } }> }
    >
  >;
  let headers: Record<string, string> = { 'x-device-id': DEVICE };
  const checked: string[] = [];
  beforeAll(async () => {
    bench = await start({ rateLimit: 'off', platformWord: 'acme', serviceWord: 'zip' });
    paths = (await bench.http.get('/_sandbox/openapi.json')).data.paths;
  });
  afterAll(() => bench.close());

  /** Sends a request and compares its reply with the document. `path` is as the document has it, with its parameters after it. */
  async function ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { body, more = {}, status = 200 }: { body?: unknown; more?: Record<string, string | number>; status?: number } = {},
  ): Promise<Json> {
    const { query = '', ...values } = more;
    const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? values['id']));
    const init =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    const reply = await fetch(`${bench.running.url}${address}${query}`, { method, headers, ...init });
    const data = (await reply.json()) as Json;
    expect([path, reply.status]).toEqual([path, status]);
    const { responses } = paths[path]![method.toLowerCase()]!;
    const schema = (responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`])?.content?.[
      'application/json'
    ].schema;
    if (schema === undefined) throw new Error(`${method} ${path} has no schema of a reply ${status}`);
    const ajv = new Ajv({ allErrors: true });
    if (!ajv.validate(closed(schema) as object, data))
      throw new Error(`${method} ${path}: ${ajv.errorsText()}\n${JSON.stringify(data).slice(0, 600)}`);
    checked.push(`${method} ${path}`);
    return data;
  }
  const text = (value: unknown) => value as string;

  it('match it for logins, the user and the market', async () => {
    await ask('POST', '/sendphoneotp', { body: { phone: SECOND.phone, skip_totp: null } });
    await ask('POST', '/totp/login', { body: { phone: FIRST.phone, totp: '000000', otp: '' }, status: 401 });
    const code = await ask('POST', '/totp/login', {
      body: { phone: FIRST.phone, totp: totpAt(FIRST.secret, await now(bench.http)), otp: '' },
      status: 201,
    });
    headers = { ...headers, authorization: `Bearer ${text(code['auth_token'])}` };
    const pin = await ask('POST', '/verifypin', { body: { pin: FIRST.mpin } });
    headers = { ...headers, authorization: `Bearer ${text(pin['session_token'])}` };
    await ask('GET', '/userinfo');
    await ask('GET', '/totp/generate-secret');
    await ask('GET', '/ipaddress/validate', { status: 400 });
    await bench.http.post(`/_sandbox/accounts/${FIRST.phone}`, { static_ip: '127.0.0.1' });
    await ask('GET', '/ipaddress/validate');
    for (const exchange of ['NSE', 'BSE', 'MCX'])
      await ask('GET', '/refdata/refdata/{date}', { more: { date: '2026-11-23', query: `?exchange=${exchange}` } });
    await ask('GET', '/optionchains/{instrument}/price', { more: { instrument: 'INFY', query: '?exchange=NSE' } });
    await ask('GET', '/optionchains/{asset}', { more: { asset: 'NIFTY' } });
    const expiry = String(
      (await ask('GET', '/optionchains/{asset}', { more: { asset: 'NIFTY' } }))['chain']!['expiry'],
    );
    const moment = { exchange: 'NSE', asset: 'NIFTY', expiries: [expiry], fields: ['cumulative_oi', 'iv_mid'] };
    await ask('POST', '/charts/multistrike', {
      more: { query: '?chart=Time_Lapse_Skew' },
      body: { query: [{ ...moment, time: '2026-11-23T04:00:00.000Z' }] },
    });
    const infy = { query: '?symbol=INFY' };
    const company = await ask('GET', '/screener/fetch_company_fundamentals', { more: infy });
    const { fincode } = company['result']!['keyratios_shareholding']!;
    for (const name of ['balance_sheet', 'cash_flow', 'profit_loss', 'corporate_actions'])
      await ask('GET', `/screener/fetch_${name}`, { more: infy });
    await ask('GET', '/screener/fetch_shareholding_pattern', { more: { query: `?fincode=${String(fincode)}` } });
    const item = {
      exchange: 'NSE',
      type: 'STOCK',
      values: ['INFY'],
      fields: ['close', 'tick_volume'],
      startDate: '2026-11-20T03:45:00.000Z',
      endDate: '2026-11-23T04:30:00.000Z',
      interval: '15m',
    };
    await ask('POST', '/charts/timeseries', { body: { query: [item] } });
    await ask('GET', '/orderbooks/{ref_id}', { more: { ref_id: 1 }, status: 404 });
  });

  it('match it for orders, baskets, the portfolio and reports', async () => {
    const refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
    await ask('GET', '/orderbooks/{ref_id}', { more: { ref_id: refId } });
    const order = {
      ...MARKET_ORDER,
      ref_id: refId,
      order_qty: 10,
    };
    await ask('POST', '/orders/v2/single', { body: order });
    await ask('POST', '/orders/v2/single', { body: { ...order, order_qty: 0 }, status: 400 });
    await ask('POST', '/orders/v2/multi', {
      body: {
        orders: [order, { ...order, order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY', order_side: 'ORDER_SIDE_SELL' }],
      },
    });
    await ask('POST', '/orders/v2/margin_required', { body: { with_legs: true, order_req: { orders: [order] } } });
    await ask('POST', '/orders/v2/margin_required', { body: { order_req: { orders: [{ ...order, order_qty: 0 }] } } });
    const { chain } = (await bench.http.get('/optionchains/NIFTY', { headers })).data;
    const orders = [chain.ce, chain.pe].map((legs) => ({
      ref_id: legs[3].ref_id,
      order_qty: legs[3].ls,
      order_side: 'ORDER_SIDE_BUY',
    }));
    const basket_params = {
      order_side: 'ORDER_SIDE_BUY',
      order_delivery_type: 'ORDER_DELIVERY_TYPE_IDAY',
      price_type: 'MARKET',
      multiplier: 1,
    };
    await ask('POST', '/orders/v2/basket', { body: { exchange: 'NSE', basket_name: 'b', orders, basket_params } });
    const price =
      Math.round(
        (bench.running.sandbox.world.lastPrice(bench.running.sandbox.world.universe().byRefId(refId)!) * 0.97) / 10,
      ) * 10;
    const { data: resting } = await bench.http.post(
      '/orders/v2/single',
      { ...order, price_type: 'LIMIT', order_price: price },
      { headers },
    );
    await bench.advance('PT5S');
    const id = { order_id: resting.order_id as string };
    await ask('GET', '/orders');
    await ask('GET', '/orders/v2');
    await ask('GET', '/orders/{order_id}', { more: id });
    await ask('GET', '/orders/v2/{order_id}', { more: id });
    await ask('POST', '/orders/v2/modify/{order_id}', {
      more: id,
      body: { exchange: 'NSE', order_type: 'ORDER_TYPE_REGULAR', order_qty: 20 },
    });
    await bench.advance('PT2S');
    await ask('DELETE', '/orders/{order_id}', { more: id });
    await ask('POST', '/orders/cancel', { body: { order_ids: [1] }, status: 400 });
    const { data: baskets } = await bench.http.get('/orders/v2/basket', { headers });
    await ask('GET', '/orders/v2/basket');
    await ask('POST', '/orders/v2/basket/{basket_id}', {
      more: { basket_id: baskets[0].basket_id },
      body: { exchange: 'NSE' },
    });
    await ask('GET', '/portfolio/holdings');
    await ask('GET', '/portfolio/positions');
    await ask('GET', '/portfolio/user_funds_and_margin');
    await ask('GET', '/report');
    await ask('POST', '/logout');
  });

  it('match it for intent orders, and the portfolio on its new paths', async () => {
    // Another code of the authenticator app is needed for another login.
    await bench.advance('PT2M');
    headers = { ...(await logIn(bench)) };
    const refId = bench.running.sandbox.world.universe().bySymbol('NSE', 'INFY')!.refId;
    const last = bench.running.sandbox.world.lastPrice(bench.running.sandbox.world.universe().byRefId(refId)!);
    const price = Math.round((last * 0.97) / 100) * 100;
    const item = {
      refId,
      qty: 10,
      side: 'BUY',
      deliveryType: 'CNC',
      priceType: 'LIMIT',
      validityType: 'DAY',
      entryPrice: price,
      stratTags: ['openapi'],
    };
    const wrapped = (value: number) => ({ value });
    const exitConfig = {
      stoplossParams: {
        stoplossTriggerPrice: wrapped(price - 1000),
        stoplossLimitPrice: wrapped(price - 2000),
        stoplossTrailJump: 100,
      },
      targetParams: { targetProfitTriggerPrice: wrapped(price + 2000), targetProfitLimitPrice: wrapped(price + 1000) },
      exitTime: new Date((await now(bench.http)) + 3_600_000).toISOString(),
    };
    const entryConfig = { triggers: { ltp: { atOrBelow: wrapped(price) } } };
    const orders = [item, { ...item, exitConfig, entryConfig }, { ...item, icebergInfo: { maxQtyPerLeg: 5 } }];
    const created = await ask('POST', '/sentinel/orders/create', { body: { orders }, status: 201 });
    await ask('POST', '/sentinel/orders/create', { body: { orders: [{ ...item, qty: 0 }] }, status: 400 });
    await ask('POST', '/sentinel/orders/funds_required', { body: { requestType: 'NEW', orders } });
    await bench.advance('PT3S');
    await ask('GET', '/sentinel/orders');
    // The records hold identifiers beyond 2^53, which fetch rounds: the list's own text has them whole.
    const { data } = await bench.http.get('/sentinel/orders', { headers });
    const ids = (data.orders.open as { intentOrderId: string }[]).map(({ intentOrderId }) => intentOrderId);
    expect(ids).toHaveLength((created['orders'] as unknown as unknown[]).length);
    await ask('POST', '/sentinel/orders/modify', { body: { orders: [{ orderId: ids[0], qty: 20 }] } });
    await ask('POST', '/sentinel/orders/cancel', { body: { orders: [{ orderId: ids[1] }] } });
    for (const variant of [
      { intent_configs: 'list', intent_single: 'multi', intent_empty_bucket: 'null', intent_order_price: 'missing' },
      { intent_portfolio: 'snake' },
    ]) {
      await bench.http.put('/_sandbox/dialect', variant);
      await ask('GET', '/sentinel/orders');
      for (const path of ['holdings', 'positions', 'user_funds_and_margin'])
        await ask('GET', `/sentinel/portfolio/${path}`);
    }
    await ask('GET', '/orders/v2/executions');
    await ask('GET', '/portfolio/v2/positions');
  });

  it('match it for reports, as a view and as files, and end-of-day files', async () => {
    const dates = { from_date: '2026-11-01T00:00:00+05:30', to_date: '2026-11-20T00:00:00+05:30' };
    for (const type of ['summary', 'profit_loss', 'demat', 'holding', 'tradebook-report']) {
      const range = type === 'holding' ? { date: dates.to_date } : dates;
      await ask('POST', `/report/${type}`, { body: { action_type: 'VIEW', ...range } });
    }
    await ask('POST', '/report/summary', { body: { action_type: 'EMAIL', export_format: 'PDF', ...dates } });
    const file = await bench.http.post(
      '/report/summary',
      { action_type: 'DOWNLOAD', export_format: 'EXCEL', ...dates },
      { headers, responseType: 'arraybuffer' },
    );
    const { content } = paths['/report/summary']!['post']!.responses['200']!;
    expect(Object.keys(content!)).toContain(String(file.headers['content-type']));
    await ask('GET', '/bhavcopy/nse/{date}', { more: { date: '20261120', query: '?format=json&type=FO20261120' } });
  });

  it('match it for the control plane', async () => {
    const rule = { match: { path: '/nowhere' }, action: 'delay', args: { ms: 1 }, times: 1 };
    for (const path of ['health', 'clock', 'faults', 'stats', 'dialect', 'journal', 'inbox'])
      await ask('GET', `/_sandbox/${path}`);
    await ask('POST', '/_sandbox/clock', { body: { advance: 'PT1S' } });
    const [added] = (await ask('POST', '/_sandbox/faults', { body: rule })) as unknown as { id: number }[];
    await ask('DELETE', '/_sandbox/faults/{id}', { more: { id: added!.id } });
    await ask('DELETE', '/_sandbox/faults');
    await ask('PUT', '/_sandbox/dialect', { body: { empty_list: 'array' } });
    await ask('POST', '/_sandbox/market', { body: { halt: false } });
    await ask('POST', '/_sandbox/market', { body: {}, status: 400 });
    await ask('POST', '/_sandbox/accounts/{phone}', { more: { phone: FIRST.phone }, body: { unlock: true } });
    await ask('POST', '/_sandbox/reset', { body: { seed: 5 } });
  });

  it('have a schema and a named operation each, and the address is that which was asked', async () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, responses }]) => ({
        path: `${method} ${path}`,
        operationId,
        isDescribed: Object.entries(responses).some(
          ([status, { content }]) => status[0] === '2' && content !== undefined,
        ),
      })),
    );
    expect(operations.filter(({ isDescribed }) => !isDescribed)).toEqual([]);
    expect(operations.filter(({ operationId }) => !/^[a-z][A-Za-z0-9]+$/.test(operationId ?? ''))).toEqual([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(operations.find(({ path }) => path === 'delete /orders/{order_id}')?.operationId).toBe(
      'deleteOrdersByOrderId',
    );
    const { servers } = (await bench.http.get('/_sandbox/openapi.json')).data;
    expect(servers).toEqual([{ url: bench.running.url, description: 'This sandbox' }]);
    expect(checked.length).toBeGreaterThan(55);
  });
});
